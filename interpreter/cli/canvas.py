"""A grid of characters with styles, on which boxes share their borders."""

from __future__ import annotations

from collections.abc import Sequence

from rich.text import Text

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
_BORDERS = {
    UP | DOWN: "│", LEFT | RIGHT: "─", DOWN | RIGHT: "┌", DOWN | LEFT: "┐", UP | RIGHT: "└",
    UP | LEFT: "┘", UP | DOWN | RIGHT: "├", UP | DOWN | LEFT: "┤", DOWN | LEFT | RIGHT: "┬",
    UP | LEFT | RIGHT: "┴", UP | DOWN | LEFT | RIGHT: "┼",
}  # fmt: skip


class Canvas:
    """So many columns and rows, all blank."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._borders = [[0] * width for _ in range(height)]
        self._texts: dict[int, list[tuple[int, Text]]] = {}

    def box(self, left: int, top: int, width: int, height: int) -> None:
        """A box whose border lies within so many columns and rows."""
        right, bottom = left + width - 1, top + height - 1
        for x in range(left, right + 1):
            flow = (LEFT if x > left else 0) | (RIGHT if x < right else 0)
            self._borders[top][x] |= flow
            self._borders[bottom][x] |= flow
        for y in range(top, bottom + 1):
            flow = (UP if y > top else 0) | (DOWN if y < bottom else 0)
            self._borders[y][left] |= flow
            self._borders[y][right] |= flow

    def write(self, x: int, y: int, text: Text) -> None:
        """A text at a place; it must not be wider than there is room."""
        self._texts.setdefault(y, []).append((x, text))

    def lines(self) -> list[Text]:
        """The rows from top to bottom, without blanks at their ends."""
        return [self._line(y) for y in range(self.height)]

    def _line(self, y: int) -> Text:
        line, at = Text(), 0
        for x, text in sorted(self._texts.get(y, ()), key=lambda each: each[0]):
            line.append(self._plain(y, at, x))
            line.append_text(text)
            at = x + text.cell_len
        line.append(self._plain(y, at, self.width))
        line.rstrip()
        return line

    def _plain(self, y: int, start: int, end: int) -> str:
        return "".join(_BORDERS.get(each, " ") for each in self._borders[y][start:end])


def stacked(lines: Sequence[Text]) -> Text:
    """Lines as one text."""
    return Text("\n").join(lines)
