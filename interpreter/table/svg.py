"""Draws what lies on a table as SVG: cards, their backs, and the board. Knows no page: who shows a
picture puts it in. Sizes are in millimetres; all texts are escaped here."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from html import escape

from interpreter.table.picture import Picture
from interpreter.table.scene import Card, Line, Place, Scene

CARD_WIDTH, CARD_HEIGHT = 63.5, 88.9
"""A poker card."""

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', 'Libertinus Serif', sans-serif"
INK, PAPER, SOFT = "#22272e", "#ffffff", "#6b7480"
MARGIN = 4.5
CELL = 22.0
"""A place of the board, when it is drawn as large as life in a book."""


# ---------------------------------------------------------------- letters


def text_width(text: str, size: float) -> float:
    """About how wide a text is, in the widest of the fonts that may be used."""
    return sum(_letter(char) for char in text) * size


@lru_cache(4096)
def _letter(char: str) -> float:
    if char in "ijl.,:;'|!’‘“”·":
        return 0.36
    if char in "mwMW@%—":
        return 0.98
    if unicodedata.east_asian_width(char) in "WF":
        return 1.05
    if unicodedata.combining(char):
        return 0.0
    return 0.75 if char.isupper() or char in "&#" else 0.63


def wrapped(text: str, width: float, size: float, most: int = 99) -> list[str]:
    """A text in lines of this width; of words that are wider, as much as fits. What is more than
    `most` lines ends in an ellipsis."""
    lines, line, used = list[str](), "", 0.0
    for word in text.split():
        for part in _broken(word, width, size):
            wide = text_width(part, size)
            if line and used + wide + _letter(" ") * size > width:
                lines.append(line)
                line, used = part, wide
            else:
                used += wide + (_letter(" ") * size if line else 0)
                line = f"{line} {part}".strip()
        if len(lines) > most:
            break
    lines += [line] if line else []
    if len(lines) <= most:
        return lines
    return [*lines[: most - 1], _cut(lines[most - 1] + "……", width, size)]


def _broken(word: str, width: float, size: float) -> Iterator[str]:
    """A word in pieces that are no wider than this."""
    piece, used = "", 0.0
    for char in word:
        wide = _letter(char) * size
        if piece and used + wide > width:
            yield piece
            piece, used = "", 0.0
        piece += char
        used += wide
    yield piece


def _cut(text: str, width: float, size: float) -> str:
    """A text on one line, cut short where it is too long."""
    used, dots = 0.0, _letter("…") * size
    kept = 0
    for place, char in enumerate(text, 1):
        used += _letter(char) * size
        if used > width:
            return f"{text[:kept].rstrip(' …')}…"
        if used + dots <= width:
            kept = place
    return text


def fitted(
    text: str, width: float, height: float, largest: float, least: float
) -> tuple[float, list[str]]:
    """The largest size in which a text fits into a box, and its lines; in the least, as many as
    there is room for."""
    text = text[: int(width * height / (least * least * 0.4)) + 2]  # more there is no room for
    size = largest
    while size > least:
        lines = wrapped(text, width, size)
        is_whole = all(text_width(word, size) <= width for word in text.split())
        if is_whole and len(lines) * size * 1.25 <= height:
            return size, lines
        size -= 0.2
    return least, wrapped(text, width, least, max(1, int(height / (least * 1.25))))


# ---------------------------------------------------------------- shapes


def rect(
    x: float,
    y: float,
    width: float,
    height: float,
    fill: str,
    line: str = "none",
    round_: float = 0,
) -> str:
    """A rectangle."""
    corner = f' rx="{number(round_)}"' if round_ else ""
    place = f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"'
    return (
        f'<rect {place}{corner} fill="{escape(fill)}" stroke="{escape(line)}" stroke-width="0.3"/>'
    )


def text(
    x: float,
    y: float,
    said: str,
    size: float,
    *,
    anchor: str = "middle",
    fill: str = INK,
    bold: bool = False,
) -> str:
    """A line of text; `y` is its foot."""
    weight = ' font-weight="bold"' if bold else ""
    return (
        f'<text x="{number(x)}" y="{number(y)}" font-size="{number(size)}" text-anchor="{anchor}" '
        f'font-family="{FONT}" fill="{escape(fill)}"{weight}>{escape(_printable(said))}</text>'
    )


def block(
    x: float,
    y: float,
    lines: Sequence[str],
    size: float,
    *,
    anchor: str = "middle",
    fill: str = INK,
    bold: bool = False,
) -> str:
    """Lines under each other, the first one below `y`."""
    return "".join(
        text(x, y + size * (0.95 + 1.25 * nth), line, size, anchor=anchor, fill=fill, bold=bold)
        for nth, line in enumerate(lines)
    )


def number(value: float) -> str:
    """A number as SVG has it."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _printable(said: str) -> str:
    """A text without what can't stand in XML."""
    return "".join(char for char in said if char.isprintable() or char == " ")


def on(colour: str) -> str:
    """Black or white, whichever is read better on a colour."""
    digits = colour.lstrip("#")
    try:
        red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
    except ValueError:
        return PAPER
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 150 else PAPER


# ---------------------------------------------------------------- cards


def draw_card(card: Card) -> Picture:
    """A card: its band with its name, what is printed on it, and what else is known of it."""
    parts = [rect(0.15, 0.15, CARD_WIDTH - 0.3, CARD_HEIGHT - 0.3, PAPER, INK, 3)]
    inner, colour = CARD_WIDTH - 2 * MARGIN, card.colour or "#e9ebee"
    size, name = fitted(card.name or card.sort, inner - 3, 10.8, 5.2, 2.6)
    top = 20.0
    parts.append(rect(MARGIN - 1, MARGIN - 1, inner + 2, top - MARGIN, colour, INK, 1.5))
    sort = "" if card.sort == card.name else card.sort
    parts.append(
        text(CARD_WIDTH / 2, MARGIN + 2.6, _cut(sort, inner - 4, 2.6), 2.6, fill=on(colour))
    )
    middle = MARGIN + 3.2 + max(0.0, (11 - len(name) * size * 1.25) / 2)
    parts.append(block(CARD_WIDTH / 2, middle, name, size, fill=on(colour), bold=True))
    lines = [line for line in card.lines if line.text != card.band or not card.colour]
    lines = lines or list(card.lines)  # rather once more than an empty card
    foot = _lines(lines, inner, 60 if not card.text else 30)
    bottom = CARD_HEIGHT - MARGIN - foot[0]
    if card.text:
        size, said = fitted(card.text, inner - 2, bottom - top - 6, 4.2, 2.0)
        room = bottom - top - 4 - len(said) * size * 1.25
        parts.append(block(CARD_WIDTH / 2, top + 3 + max(0.0, room / 2), said, size))
    else:
        bottom = top + max(3.0, (bottom - top) / 4)
    parts += foot[1](bottom)
    alt = ", ".join(
        filter(None, (card.name, card.text, *(f"{e.label} {e.text}".strip() for e in lines)))
    )
    return Picture(CARD_WIDTH, CARD_HEIGHT, "".join(parts), alt)


class _Foot:
    """The lines of a card, to be drawn from some height on."""

    def __init__(self, rows: list[tuple[str, str]], size: float) -> None:
        self.rows, self.size = rows, size

    def __call__(self, y: float) -> Iterator[str]:
        for nth, (label, said) in enumerate(self.rows):
            foot = y + self.size * (0.95 + 1.4 * nth)
            yield text(MARGIN, foot, label, self.size, anchor="start", fill=SOFT)
            yield text(CARD_WIDTH - MARGIN, foot, said, self.size, anchor="end", bold=True)


def _lines(lines: Iterable[Line], width: float, room: float) -> tuple[float, _Foot]:
    """How high the lines of a card are, and what draws them."""
    size, rows = 4.2, list[tuple[str, str]]()
    listed = list(lines)
    while size >= 2:
        rows = list(_rows(listed, width, size))
        if len(rows) * size * 1.4 <= room:
            break
        size -= 0.2
    rows = rows[: max(1, int(room / (size * 1.4)))]
    return len(rows) * size * 1.4, _Foot(rows, size)


def _rows(lines: Iterable[Line], width: float, size: float) -> Iterator[tuple[str, str]]:
    """Label and value beside each other, or under each other where there is no room; the entries
    of a row one under the other."""
    for line in lines:
        values = line.text.split(" · ")
        if len(values) > 2:
            yield line.label, ""
            for nth, value in enumerate(values):
                yield f"  {nth}", _cut(value, width - 6, size)
            continue
        if text_width(f"{line.label}  {line.text}", size) <= width:
            yield line.label, line.text
            continue
        yield _cut(line.label, width, size), ""
        for said in wrapped(line.text, width - 2, size, 4):
            yield "", said


def draw_back(title: str, name: str, colour: str) -> Picture:
    """The back of a card: what pile it belongs to, and the game."""
    parts = [
        rect(0, 0, CARD_WIDTH, CARD_HEIGHT, colour),
        rect(
            MARGIN, MARGIN, CARD_WIDTH - 2 * MARGIN, CARD_HEIGHT - 2 * MARGIN, "none", on(colour), 3
        ),
    ]
    size, lines = fitted(name, CARD_WIDTH - 6 * MARGIN, 30, 8, 3)
    y = CARD_HEIGHT / 2 - len(lines) * size * 0.62
    parts.append(block(CARD_WIDTH / 2, y, lines, size, fill=on(colour), bold=True))
    under = _cut(title, CARD_WIDTH - 4 * MARGIN, 3)
    parts.append(text(CARD_WIDTH / 2, CARD_HEIGHT - 2.2 * MARGIN, under, 3, fill=on(colour)))
    return Picture(CARD_WIDTH, CARD_HEIGHT, "".join(parts), f"{title}: {name}")


# ---------------------------------------------------------------- the board


def draw_board(scene: Scene, cell: float = CELL) -> Picture | None:
    """The board with its places around the middle; None where there is none."""
    if not scene.ring:
        return None
    columns, rows, corners = _shape(len(scene.ring), scene.sides)
    width, height = columns * cell, rows * cell
    parts = [rect(0, 0, width, height, "#f2f5f0", INK)]
    seats = {seat.id: (seat.letter, seat.colour or INK) for seat in scene.seats}
    for place, (x, y) in zip(scene.ring, corners, strict=True):
        moved = f"translate({number(x * cell)} {number(y * cell)}) scale({number(cell / 20)})"
        parts.append(f'<g transform="{moved}">')
        parts += [*_place(place, seats), "</g>"]
    if columns > 2 and rows > 2:
        inner = (columns - 2) * cell * 0.8
        size, title = fitted(scene.title, inner, (rows - 2) * cell * 0.4, cell * 0.8, 3)
        up = height / 2 - len(title) * size * 0.62
        parts.append(block(width / 2, up, title, size, bold=True))
    names = ", ".join(place.name for place in scene.ring)
    return Picture(width, height, "".join(parts), f"{scene.title}: {names}")


def _shape(count: int, sides: int) -> tuple[int, int, list[tuple[int, int]]]:
    """Columns, rows, and where each place lies: around a rectangle from the corner at the bottom
    right on, or in rows there and back where there are too few or not four sides."""
    side, rest = divmod(count, 4)
    if sides == 4 and side >= 2:
        wide, high = side + (rest + 1) // 2, side
        around = [(wide - n, high) for n in range(wide)] + [(0, high - n) for n in range(high)]
        around += [(n, 0) for n in range(wide)] + [(wide, n) for n in range(high)]
        return wide + 1, high + 1, around[:count]
    columns = min(count, 10)
    rows = -(-count // columns)
    snake = [
        (n % columns if n // columns % 2 == 0 else columns - 1 - n % columns, n // columns)
        for n in range(count)
    ]
    return columns, rows, snake


def _place(place: Place, seats: dict[str, tuple[str, str]]) -> Iterator[str]:
    """A place, 20 units wide and high."""
    yield rect(0, 0, 20, 20, PAPER, INK)
    top = 1.0
    if place.colour:
        yield rect(0, 0, 20, 4.4, place.colour, INK)
        top = 5.0
    size, lines = fitted(place.name, 18.4, 19 - top - 4.2, 2.9, 1.5)
    yield block(10, top, lines, size)
    if place.owner in seats:
        letter, colour = seats[place.owner]
        yield rect(0.8, 15.6, 3.6, 3.6, colour)
        yield text(2.6, 18.4, letter, 2.6, fill=on(colour), bold=True)
        marks = " ".join(
            f"{mark.count if mark.count > 1 else ''}{mark.letter}" for mark in place.marks
        )
        yield text(10, 18.6, marks, 2.4)
    elif place.worth:
        yield text(10, 18.8, _cut(place.worth, 18, 2.6), 2.6, bold=True)
    for nth, seat in enumerate(place.tokens[:8]):
        letter, colour = seats.get(seat, ("?", INK))
        x, y = 17.4 - nth % 4 * 4, 17.4 - nth // 4 * 4
        yield f'<circle cx="{number(x)}" cy="{number(y)}" r="1.9" fill="{escape(colour)}"/>'
        yield text(x, y + 0.9, letter, 2.4, fill=on(colour), bold=True)
