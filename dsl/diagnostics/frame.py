"""Diagnostics as text for people: the message, the place, the line with the exact text marked.

Plain text is the golden form; colour only adds escape sequences to it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate

from dsl.diagnostics.cells import char_cell, visible, width
from dsl.diagnostics.record import Diagnostic, Label, Severity, has_place
from dsl.records import record
from dsl.source import NOWHERE, Source

# Longer source lines are cut to a window around the marks.
MOST_COLUMNS = 140
# So many frames are shown of one message, and so many places behind the last of them.
MOST_ALIKE = 5
MOST_PLACES = 12
_CUT = "..."
# Spans over more lines than this are shown by their first lines and their last one.
_MOST_LINES = 4

_RESET = "\x1b[0m"
_BOLD = "\x1b[1m"
_BLUE = "\x1b[1;34m"
_SEVERITY_COLORS: dict[Severity, str] = {
    "error": "\x1b[1;31m",
    "warning": "\x1b[1;33m",
    "note": "\x1b[1;36m",
}


@record
class _Mark:
    """Marked characters of one line, as indexes into it; the last line of a label has its text."""

    line: int
    start: int
    end: int
    is_primary: bool
    text: str


@record
class _Painter:
    """Wraps pieces in colour, or leaves them plain."""

    has_color: bool
    severity: Severity

    def head(self, text: str) -> str:
        return self._wrap(_SEVERITY_COLORS[self.severity], text)

    def bold(self, text: str) -> str:
        return self._wrap(_BOLD, text)

    def frame(self, text: str) -> str:
        return self._wrap(_BLUE, text)

    def mark(self, text: str, is_primary: bool) -> str:
        return self.head(text) if is_primary else self.frame(text)

    def _wrap(self, color: str, text: str) -> str:
        return f"{color}{text}{_RESET}" if self.has_color and text else text


def render_text(diagnostics: Iterable[Diagnostic], *, color: bool = False) -> str:
    """All diagnostics in the order given, with an empty line between two; empty for none."""
    return "\n".join([_block(diagnostic, color) for diagnostic in _gathered(diagnostics)])


def _gathered(diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
    """Where the same is said many times, the last frame names the places of all that follow."""
    found = list(diagnostics)
    alike: dict[tuple[str, str, str | None], list[Diagnostic]] = {}
    for one in found:
        alike.setdefault((one.code, one.message, one.help), []).append(one)
    for one in found:
        group = alike[one.code, one.message, one.help]
        if len(group) <= MOST_ALIKE or one in group[: MOST_ALIKE - 1]:
            yield one
        elif one is group[MOST_ALIKE - 1]:
            note = f"the same at {_places(group[MOST_ALIKE:])}"
            yield replace(one, notes=(*one.notes, note))


def _places(found: list[Diagnostic]) -> str:
    """`a.rules:3, 7, b.rules:2 and 9 more`."""
    lines: dict[str, list[str]] = {}
    for one in found[:MOST_PLACES]:
        source = one.span.source
        lines.setdefault(source.name, []).append(str(source.position(one.span.start)[0]))
    text = ", ".join(f"{name}:{', '.join(numbers)}" for name, numbers in lines.items())
    more = len(found) - MOST_PLACES
    return f"{text} and {more} more" if more > 0 else text


def _block(diagnostic: Diagnostic, color: bool) -> str:
    painter = _Painter(color, diagnostic.severity)
    labels = (diagnostic.primary, *diagnostic.secondary)
    gutter = max(
        (len(str(mark.line)) for label in labels for mark in _marks(label, True)), default=1
    )
    head = painter.head(f"{diagnostic.severity}[{diagnostic.code}]")
    lines = [head + painter.bold(": " + _indented(diagnostic.message, 4))]
    for source, group in _by_source(labels).items():
        lines += _source_lines(source, group, diagnostic.primary, gutter, painter)
    tail = [("note", note) for note in diagnostic.notes]
    if diagnostic.help:
        tail.append(("help", diagnostic.help))
    if diagnostic.fix:
        tail.append(("fix", diagnostic.fix.title))
    for word, text in tail:
        indent = gutter + len(f" = {word}: ")
        start = " " * gutter + painter.frame(" = ") + painter.bold(word)
        lines.append(f"{start}: {_indented(text, indent)}")
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _indented(text: str, columns: int) -> str:
    return visible(text).replace("\n", "\n" + " " * columns)


def _by_source(labels: Iterable[Label]) -> dict[Source, list[Label]]:
    groups: dict[Source, list[Label]] = {}
    for label in labels:
        groups.setdefault(label.span.source, []).append(label)
    return groups


def _source_lines(
    source: Source, labels: list[Label], primary: Label, gutter: int, painter: _Painter
) -> Iterator[str]:
    """The arrow line and the marked lines of one source."""
    arrow = "-->" if primary in labels else ":::"
    if source is NOWHERE.source and not labels[0].text:
        return
    name = visible(source.name).replace("\n", " ")
    if not has_place(labels[0].span):
        texts = "; ".join(label.text for label in labels if label.text)
        yield (
            " " * gutter + painter.frame(arrow) + f" {name}" + (f": {visible(texts)}" * bool(texts))
        )
        return
    line, column = source.position(labels[0].span.start)
    yield " " * gutter + painter.frame(arrow) + f" {name}:{line}:{column}"
    marks: dict[int, list[_Mark]] = {}
    for label in labels:
        for mark in _marks(label, label is primary):
            marks.setdefault(mark.line, []).append(mark)
    blank = " " * gutter + painter.frame(" |")
    yield blank
    last = min(marks)
    for number in sorted(marks):
        if number > last + 1:
            yield painter.frame(_CUT)
        last = number
        cells, window = _cells(source, number), marks[number]
        left, right = cells.window(window)
        yield painter.frame(f"{number:>{gutter}} |") + f" {cells.cut(left, right)}"
        for row in _mark_rows(cells, window, left, painter):
            yield f"{blank} {row}"
    yield blank


def _marks(label: Label, is_primary: bool) -> Iterator[_Mark]:
    """The marks of a label, one for each line that is shown of it."""
    span = label.span
    if not has_place(span):
        return
    source = span.source
    first, start = source.position(span.start)
    last, stop = source.position(max(span.start, span.end))
    if stop == 1 and last > first:
        last -= 1
        stop = len(source.line(last)) + 1
    shown = [
        number for number in range(first, last + 1) if number == first or _has_text(source, number)
    ]
    if len(shown) > _MOST_LINES:
        shown = [*shown[: _MOST_LINES - 2], shown[-1]]
    for number in shown:
        line = _line(source, number)
        begin = start - 1 if number == first else len(line) - len(line.lstrip())
        end = stop - 1 if number == last else len(line.rstrip())
        text = label.text if number == shown[-1] else ""
        yield _Mark(number, min(begin, len(line)), min(end, len(line)), is_primary, text)


def _has_text(source: Source, number: int) -> bool:
    return bool(source.line(number).strip())


@record
class _Cells:
    """A source line as it is printed: a text for each character, and the column it begins at."""

    texts: list[str]
    columns: list[int]

    def window(self, marks: list[_Mark]) -> tuple[int, int]:
        """First and last character to print, so that the marks are in view."""
        total = self.columns[-1]
        if total <= MOST_COLUMNS:
            return 0, len(self.texts)
        middle = min((mark for mark in marks), key=lambda mark: not mark.is_primary)
        from_column = max(0, self.columns[middle.start] - MOST_COLUMNS // 3)
        from_column = max(0, min(from_column, total - MOST_COLUMNS))
        first = bisect_left(self.columns, from_column)
        return first, bisect_right(self.columns, from_column + MOST_COLUMNS) - 1

    def cut(self, left: int, right: int) -> str:
        """The characters of a window, with dots where the line goes on."""
        text = "".join(self.texts[left:right])
        before = _CUT if left else ""
        return before + text + (_CUT if right < len(self.texts) else "")

    def place(self, mark: _Mark, left: int) -> tuple[int, int]:
        """Columns of a mark in a window; at least one wide, at most as wide as the window."""
        shift = len(_CUT) - self.columns[left] if left else 0
        most = MOST_COLUMNS + len(_CUT)
        start = min(max(self.columns[mark.start] + shift, 0), most)
        end = min(max(self.columns[mark.end] + shift, 0), most)
        return start, max(end, start + 1)


# A file of one long line may have an error at every word of it.
@lru_cache(maxsize=8)
def _line(source: Source, number: int) -> str:
    return source.line(number)


@lru_cache(maxsize=8)
def _cells(source: Source, number: int) -> _Cells:
    texts = [char_cell(char) for char in _line(source, number)]
    return _Cells(texts, list(accumulate(map(width, texts), initial=0)))


def _mark_rows(cells: _Cells, marks: list[_Mark], left: int, painter: _Painter) -> Iterator[str]:
    """The row of carets and dashes, then rows that carry the texts which don't fit beside it."""
    places = sorted(
        ((*cells.place(mark, left), mark) for mark in marks),
        key=lambda place: (place[0], place[1]),
    )
    row = [" "] * max(end for _, end, _ in places)
    owner = [False] * len(row)
    for start, end, mark in sorted(places, key=lambda place: place[2].is_primary):
        row[start:end] = ("^" if mark.is_primary else "-") * (end - start)
        owner[start:end] = [mark.is_primary] * (end - start)
    painted = _painted(row, owner, painter)
    pending = [place for place in places if place[2].text]
    if pending and pending[-1][1] == len(row) and pending[-1][0] == places[-1][0]:
        mark = pending.pop()[2]
        painted += " " + painter.mark(_one_line(mark.text), mark.is_primary)
    yield painted
    if pending:
        yield _pillars(pending, painter)
    while pending:
        start, _, mark = pending.pop()
        before = _pillars([place for place in pending if place[0] < start], painter, start)
        yield before + painter.mark(_one_line(mark.text), mark.is_primary)


def _painted(row: list[str], owner: list[bool], painter: _Painter) -> str:
    """The marks, each run in its colour."""
    pieces: list[str] = []
    begin = 0
    for index in range(1, len(row) + 1):
        if index == len(row) or (row[index], owner[index]) != (row[begin], owner[begin]):
            piece = "".join(row[begin:index])
            pieces.append(piece if piece.isspace() else painter.mark(piece, owner[begin]))
            begin = index
    return "".join(pieces)


def _pillars(pending: list[tuple[int, int, _Mark]], painter: _Painter, columns: int = 0) -> str:
    """A `|` under the start of each mark whose text is still to come, padded to a width."""
    text, at = "", 0
    for start, _, mark in pending:
        if start >= at:
            text += " " * (start - at) + painter.mark("|", mark.is_primary)
            at = start + 1
    return text + " " * (columns - at)


def _one_line(text: str) -> str:
    return visible(text).replace("\n", " ")
