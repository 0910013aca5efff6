"""Source texts and places in them. The lowest layer: imports nothing of the project."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field

from dsl.records import record


@record
class Source:
    """One text a designer wrote. `name` is what messages show (a path as given, or a label)."""

    name: str
    text: str
    _line_starts: list[int] = field(default_factory=list, repr=False)

    def _starts(self) -> list[int]:
        if not self._line_starts:
            self._line_starts.append(0)
            for offset, char in enumerate(self.text):
                if char == "\n":
                    self._line_starts.append(offset + 1)
        return self._line_starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        starts = self._starts()
        line = bisect_right(starts, offset) - 1
        return line + 1, offset - starts[line] + 1

    def line(self, number: int) -> str:
        """The text of a line (counted from 1), without its line end; empty past the last line."""
        starts = self._starts()
        if not 1 <= number <= len(starts):
            return ""
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")


@record
class Span:
    """A piece of a source, from offset `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The marked text itself."""
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of another of the same source."""
        return Span(self.source, self.start, max(self.end, other.end))


NOWHERE = Span(Source("<built in>", ""), 0, 0)
