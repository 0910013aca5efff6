"""Sheets to print and cut: cards with their backs behind them, and a board over several pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interpreter.table.picture import Picture
from interpreter.table.svg import CARD_HEIGHT, CARD_WIDTH, SOFT, number, text

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Sizes of paper in millimetres."""

LEAST_MARGIN = 6.0
"""Most printers leave this much of a sheet white."""
MARK = 4.0
"""How long the marks are at which to cut."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A card to be printed: its front and its back."""

    front: Picture
    back: Picture


def card_sheets(cards: Sequence[Printed], paper: str, note: str) -> Iterator[Picture]:
    """Fronts and backs by turns. A back lies behind its front when the sheet is turned over its
    long edge."""
    width, height = PAPERS[paper]
    columns = int((width - 2 * LEAST_MARGIN) // CARD_WIDTH)
    rows = int((height - 2 * LEAST_MARGIN) // CARD_HEIGHT)
    left, top = (width - columns * CARD_WIDTH) / 2, (height - rows * CARD_HEIGHT) / 2
    marks = _marks(left, top, columns, rows, CARD_WIDTH, CARD_HEIGHT)
    for first in range(0, len(cards), columns * rows):
        group = cards[first : first + columns * rows]
        fronts, backs = [marks, _note(paper, note)], [marks]
        for place, card in enumerate(group):
            row, column = divmod(place, columns)
            y = top + row * CARD_HEIGHT
            fronts.append(_at(card.front, left + column * CARD_WIDTH, y))
            backs.append(_at(card.back, left + (columns - 1 - column) * CARD_WIDTH, y))
        alt = "; ".join(card.front.alt for card in group)
        yield Picture(width, height, "".join(fronts), alt)
        yield Picture(width, height, "".join(backs), group[0].back.alt)


def board_sheets(board: Picture, cell: float, paper: str) -> Iterator[Picture]:
    """A board in parts, one on each sheet, to be cut at the marks and put together. No place, which
    is so wide and high as `cell`, lies on two sheets."""
    width, height = PAPERS[paper]
    margin = LEAST_MARGIN + MARK + 1
    for row, (y, high) in enumerate(_parts(board.height, cell, height - 2 * margin), 1):
        for column, (x, wide) in enumerate(_parts(board.width, cell, width - 2 * margin), 1):
            left, top = (width - wide) / 2, (height - high) / 2
            box = f"{number(x)} {number(y)} {number(wide)} {number(high)}"
            part = (
                f'<svg x="{number(left)}" y="{number(top)}" width="{number(wide)}" '
                f'height="{number(high)}" viewBox="{box}" overflow="hidden">{board.body}</svg>'
            )
            which = f"{row}/{column}"
            body = _marks(left, top, 1, 1, wide, high) + _note(paper, which) + part
            yield Picture(width, height, body, f"{board.alt} ({which})")


def _parts(whole: float, cell: float, room: float) -> Iterator[tuple[float, float]]:
    """Where each part of a length begins, and how long it is: alike, in whole cells."""
    cells = round(whole / cell)
    count = -(-cells // max(1, int(room // cell)))
    for part in range(count):
        first, last = part * cells // count, (part + 1) * cells // count
        yield first * cell, (last - first) * cell


def _at(picture: Picture, x: float, y: float) -> str:
    return f'<g transform="translate({number(x)} {number(y)})">{picture.body}</g>'


def _note(paper: str, note: str) -> str:
    """A line at the foot of the sheet, outside of what is cut out."""
    width, height = PAPERS[paper]
    return text(width / 2, height - 1.6, note, 2.4, fill=SOFT)


def _marks(left: float, top: float, columns: int, rows: int, width: float, height: float) -> str:
    """Short lines in the margins, in line with all cuts."""
    right, foot = left + columns * width, top + rows * height
    lines = []
    for column in range(columns + 1):
        x = left + column * width
        lines += [_line(x, top - 1 - MARK, x, top - 1), _line(x, foot + 1, x, foot + 1 + MARK)]
    for row in range(rows + 1):
        y = top + row * height
        lines += [_line(left - 1 - MARK, y, left - 1, y), _line(right + 1, y, right + 1 + MARK, y)]
    return "".join(lines)


def _line(x: float, y: float, to_x: float, to_y: float) -> str:
    return (
        f'<line x1="{number(x)}" y1="{number(y)}" x2="{number(to_x)}" y2="{number(to_y)}" '
        'stroke="#000000" stroke-width="0.15"/>'
    )
