"""What is open and what is known of it: texts, analyses, and the whole checks behind them.

A change stops the check that is running and begins another one. What is asked meanwhile waits for
the newest. The whole check runs in a process of its own, so that it holds up nobody who types.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from dsl.check.notes import StoppedError
from dsl.data.loader import load_yaml
from dsl.diagnostics import Bag, Diagnostic
from dsl.project.files import open_text, open_texts, read_script
from dsl.project.find import Folder, folder_at, shown
from dsl.source import Source
from interpreter.lsp.analysis import Analysis, analyse
from interpreter.lsp.places import path_of_source

PAUSE = 0.02
"""Seconds for which a change waits for the next one."""

LONG_PAUSE = 0.4
"""Seconds without a change, after which all is checked."""

Whole = Callable[[str, dict[str, str]], list[Diagnostic]]
"""All that `rulewright check` says of a folder, with these texts in place of what is on disk."""


@dataclass
class _Open:
    """A variant or mod that is being written. `generation` counts the changes."""

    generation: int = 0
    task: asyncio.Task[None] | None = None
    analysis: Analysis | None = None
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    whole: list[Diagnostic] = field(default_factory=list)
    whole_texts: dict[str, str] = field(default_factory=dict)


class Desk:
    """All that is open. `publish` is told the findings of a folder, or of a file outside of any."""

    def __init__(
        self,
        publish: Callable[[Path, list[Diagnostic]], None],
        whole: Whole | None,
        processes: Executor | None,
    ) -> None:
        self._publish = publish
        self._whole = whole
        self._processes = processes
        self._thread = ThreadPoolExecutor(1)
        self._folders: dict[Path, _Open] = {}
        self._last: _Open | None = None

    # ------------------------------------------------------------ changes

    def change(self, path: Path, text: str | None) -> None:
        """The text of a file has changed; None: it is closed."""
        open_text(path, text)
        folder = folder_at(path)
        if folder is None:
            if text is not None:
                self._publish(path, alone(path, text))
            return
        opened = self._folders.setdefault(folder.path.absolute(), _Open())
        opened.generation += 1
        opened.ready.clear()
        if opened.task is not None:
            opened.task.cancel()
        opened.task = asyncio.ensure_future(self._check(opened, folder, path))
        self._last = opened

    async def _check(self, opened: _Open, folder: Folder, path: Path) -> None:
        generation = opened.generation
        await asyncio.sleep(PAUSE)

        def is_stopped() -> bool:
            return opened.generation != generation

        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(
                self._thread, lambda: analyse(folder, path, is_stopped=is_stopped)
            )
        except StoppedError:
            return
        opened.analysis = found
        opened.ready.set()
        self._publish(folder.path, _together(found.diagnostics, _still_true(opened)))
        await asyncio.sleep(LONG_PAUSE)
        if self._whole is None or self._processes is None or is_stopped():
            return
        texts = open_texts()
        whole = await loop.run_in_executor(
            self._processes, self._whole, str(folder.path.absolute()), texts
        )
        if not is_stopped():
            opened.whole, opened.whole_texts = whole, texts
            self._publish(folder.path, whole)

    # ------------------------------------------------------------ what is known

    async def analysis(self, path: Path) -> Analysis | None:
        """What is known of the variant or mod of a file, with its newest text; for a file of the
        library what is known of the last one."""
        folder = folder_at(path)
        opened = self._last if folder is None else self._folders.get(folder.path.absolute())
        if opened is None:
            return None
        await opened.ready.wait()
        return opened.analysis

    def findings(self, path: Path) -> list[Diagnostic]:
        """What there is to say of the variant or mod of a file."""
        folder = folder_at(path)
        opened = None if folder is None else self._folders.get(folder.path.absolute())
        if opened is None or opened.analysis is None:
            return []
        return _together(opened.analysis.diagnostics, _still_true(opened))

    async def in_turn(self, work: Callable[[], object]) -> object:
        """Does something that checks, after what is being checked."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def close(self) -> None:
        """Ends what is running."""
        for opened in self._folders.values():
            opened.generation += 1
            if opened.task is not None:
                opened.task.cancel()
        self._thread.shutdown(cancel_futures=True)
        if self._processes is not None:
            self._processes.shutdown(wait=False, cancel_futures=True)


def alone(path: Path, text: str) -> list[Diagnostic]:
    """What is wrong in a file that belongs to no variant or mod."""
    bag = Bag()
    if path.suffix == ".rules":
        read_script(path, bag)
    else:
        load_yaml(Source(shown(path), text), bag)
    return bag.sorted()


def _still_true(opened: _Open) -> list[Diagnostic]:
    """What the last whole check said of texts that have not changed since."""
    texts = open_texts()
    was = opened.whole_texts
    return [
        each
        for each in opened.whole
        if texts.get(key := str(path_of_source(each.span.source.name))) == was.get(key)
    ]


def _together(one: Iterable[Diagnostic], other: Iterable[Diagnostic]) -> list[Diagnostic]:
    bag = Bag()
    bag.extend(one)
    bag.extend(other)
    return bag.sorted()
