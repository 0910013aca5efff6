"""Makes slips in all files of the bundled games, and looks at what the checker tells of each."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from slip_kinds import DATA, RULES, SCENARIOS
from slips import Maker, Page, Slip

from dsl.diagnostics import Bag, Diagnostic
from dsl.project.files import open_text
from dsl.project.find import Folder, folder_at, shown
from interpreter.bundled import variants_dir
from interpreter.cli.check import check_one
from interpreter.cli.checking import Target
from interpreter.cli.options import Wish
from interpreter.lsp.analysis import analyse, library_around

GAMES = ("classic", "crooked_cash", "jackpot", "card_game", "bid", "deal", "cthulhu")
TOLD = ("error", "warning")


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a slip: how many reports, whether the first is on its line, and whether one of
    them says how to mend it (None: nobody asked)."""

    slip: Slip
    reports: tuple[str, ...]
    is_on_line: bool
    is_mended: bool | None

    @property
    def is_found(self) -> bool:
        """Whether anything was told."""
        return bool(self.reports)


def all_slips(games: Iterable[str] = GAMES) -> list[Slip]:
    """Every slip in every file of these games, in an order of chance that is always the same, the
    kinds in turn."""
    by_kind: dict[str, list[Slip]] = {}
    for game in games:
        for page, makers in _pages(_folder(game)):
            for maker in makers:
                for slip in maker(page):
                    by_kind.setdefault(slip.kind, []).append(slip)
    turns = [
        (number, kind, slip)
        for kind, slips in by_kind.items()
        for number, slip in enumerate(sorted(slips, key=_chance))
    ]
    return [slip for _, _, slip in sorted(turns, key=lambda each: each[:2])]


def _chance(slip: Slip) -> bytes:
    key = f"{slip.path.name}/{slip.start}/{slip.kind}"
    return hashlib.sha256(key.encode()).digest()


def _folder(game: str) -> Folder:
    folder = folder_at(variants_dir() / game)
    assert folder is not None
    return folder


def _pages(folder: Folder) -> Iterator[tuple[Page, tuple[Maker, ...]]]:
    rules = sorted((folder.path / "rules").glob("*.rules"))
    scenarios = sorted((folder.path / "scenarios").glob("*.rules"))
    data = [folder.file, *sorted((folder.path / "data").glob("*.yaml"))]
    for paths, makers in ((rules, RULES), (scenarios, SCENARIOS), (data, DATA)):
        for path in paths:
            found = analyse(folder, path, scenarios=True)
            uses = found.uses.by_source.get(shown(path), [])
            known = frozenset(
                use.span.text for each in found.uses.by_meaning.values() for use in each
            )
            text = path.read_text(encoding="utf-8")
            yield Page(path, text, {use.span.start: use for use in uses}, known), makers


class Judge:
    """Judges slips; what is told of the files as they are does not count."""

    def __init__(self) -> None:
        self._before: dict[Path, Counter[tuple[str, str]]] = {}

    def judge(self, slip: Slip) -> Judged:
        """What the checker tells of a slip, as while somebody types."""
        folder = next(
            _folder(game) for game in GAMES if slip.path.is_relative_to(_folder(game).path)
        )
        before = self._before.get(slip.path)
        if before is None:
            before = self._before[slip.path] = Counter(
                map(_key, _told(analyse(folder, slip.path).diagnostics))
            )
        text = slip.path.read_text(encoding="utf-8")
        open_text(slip.path, text[: slip.start] + slip.new + text[slip.end :])
        try:
            told = _told(analyse(folder, slip.path).diagnostics)
            new = [one for one in told if not before[_key(one)]]
            if not new and slip.path.parent.name == "scenarios":
                bag = Bag()  # those that set switches are looked at by the whole check alone
                check_one(
                    Target(str(folder.path), library_around(folder)), Wish(str(folder.path)), bag
                )
                new = [one for one in _told(bag.sorted()) if not before[_key(one)]]
        finally:
            open_text(slip.path, None)
        return _judged(slip, text, new)


def _told(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    return [one for one in found if one.severity in TOLD]


def _key(one: Diagnostic) -> tuple[str, str]:
    return one.code, one.message


def _judged(slip: Slip, text: str, new: list[Diagnostic]) -> Judged:
    first = text.count("\n", 0, slip.start) + 1
    last = first + slip.new.count("\n") + slip.lines
    lines = [(one.span.source.name, one.span.source.position(one.span.start)[0]) for one in new]
    name = shown(slip.path)
    on_line = bool(new) and lines[0][0] == name and first <= lines[0][1] <= last
    said = "\n".join(map(_words, new))
    mended = any(piece in said for piece in slip.repair) if slip.repair and new else None
    told = tuple(
        f"{one.code} {at[1]}: {one.message} | {one.help}"
        for one, at in zip(new, lines, strict=True)
    )
    return Judged(slip, told, on_line, mended)


def _words(one: Diagnostic) -> str:
    edits = [] if one.fix is None else [one.fix.title, *(edit.text for edit in one.fix.edits)]
    labels = [one.primary.text, *(label.text for label in one.secondary)]
    return "\n".join([one.message, one.help or "", *one.notes, *labels, *edits])


# ---------------------------------------------------------------- the table


@dataclass(frozen=True, slots=True)
class Share:
    """How many slips there were, and of those how many were found, told of on their line, told of
    with the right repair, and in how many reports."""

    slips: int
    found: int
    on_line: int
    asked: int
    mended: int
    reports: int

    def text(self, name: str) -> str:
        """A line of the table."""
        reports = self.reports / max(1, self.found)
        return (
            f"{name:34} {self.slips:6} {_percent(self.found, self.slips)}"
            f" {_percent(self.on_line, self.found)} {_percent(self.mended, self.asked)}"
            f" {reports:8.2f}"
        )


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:7.1f} %" if whole else "        -"


def share_of(judged: Iterable[Judged]) -> Share:
    """The figures of some slips."""
    some = list(judged)
    found = [one for one in some if one.is_found]
    asked = [one for one in found if one.is_mended is not None]
    return Share(
        len(some),
        len(found),
        sum(one.is_on_line for one in found),
        len(asked),
        sum(bool(one.is_mended) for one in asked),
        sum(len(one.reports) for one in found),
    )


def table(judged: list[Judged]) -> str:
    """All kinds with their figures, and all together."""
    head = f"{'kind':34} {'slips':>6} {'found':>9} {'line':>9} {'repair':>9} {'reports':>8}"
    kinds = sorted({one.slip.kind for one in judged})
    lines = [head]
    lines += [share_of(one for one in judged if one.slip.kind == kind).text(kind) for kind in kinds]
    names = [one for one in judged if " misspelt: " in one.slip.kind]
    lines += [share_of(names).text("all misspelt names"), share_of(judged).text("all")]
    return "\n".join(lines) + "\n"
