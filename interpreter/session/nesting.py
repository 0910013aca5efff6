"""Where in what happens a line of the log stands: under what caused it, or covered by it.

A sentence speaks for all that its own block does, with the routines that it calls, so that what
these move is not told once more. The rules that hook it speak for themselves.
"""

from __future__ import annotations

from dataclasses import dataclass

SENTENCES = frozenset(("says", "event", "option", "answer", "pick"))
"""The kinds of marks that are the sentence of what runs around them."""


@dataclass(slots=True)
class _Frame:
    """What is running. `is_told`: there is a sentence of it, under which others stand. `covers`:
    what is moved in it has been told. `line`: the number of its sentence, where that is of what a
    player does."""

    what: str
    covers: bool
    is_told: bool = False
    line: int | None = None


class Nesting:
    """Follows the marks of one phase. What is left early is left with what is left around it."""

    def __init__(self) -> None:
        self._frames = [_Frame("phase", covers=False)]

    def follow(self, kind: str, what: str, line: int) -> list[int]:
        """Takes note of a mark, behind its line, which has this number; gives the numbers of the
        sentences of what players did that is over now."""
        top = self._frames[-1]
        if kind == "enter":
            covers = top.covers and not what.startswith("rule ")
            self._frames.append(_Frame(what, covers))
        elif kind == "leave":
            return self._leave(what)
        elif kind in SENTENCES:
            top.is_told = True
            top.covers = kind == "says"
            top.line = line if top.what.startswith(("option ", "answer ", "pick ")) else None
        elif kind == "hush":
            top.covers = True
        return []

    def open_lines(self) -> list[int]:
        """The numbers of the sentences of what players are doing now."""
        return [frame.line for frame in self._frames if frame.line is not None]

    def _leave(self, what: str) -> list[int]:
        at = len(self._frames) - 1
        while at > 0 and self._frames[at].what != what:
            at -= 1
        left = self._frames[at:] if at > 0 else []
        del self._frames[at if at > 0 else len(self._frames) :]
        return [frame.line for frame in left if frame.line is not None]

    @property
    def depth(self) -> int:
        """How many sentences a line stands under."""
        return sum(frame.is_told for frame in self._frames)

    @property
    def running(self) -> tuple[str, ...]:
        """What is running, the outermost first."""
        return tuple(frame.what for frame in self._frames)

    @property
    def covers(self) -> bool:
        """Whether what is moved now has been told."""
        return self._frames[-1].covers
