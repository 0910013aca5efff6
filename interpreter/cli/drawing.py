"""A table drawn in a terminal: the board as a ring, cards as boxes, players in a table."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from rich.box import ROUNDED, SIMPLE_HEAD
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from interpreter.cli.canvas import Canvas, stacked
from interpreter.table.describe import Describer
from interpreter.table.looks import short_name
from interpreter.table.scene import Card, Holder, Pile, Place, Scene

LEAST_CELL = 6
WIDE_CELL = 10
CARD_WIDTH = 38
SMALL_CARD = 16
ROWS = 3


class Drawing:
    """Draws the tables of one game for a terminal of some width."""

    def __init__(self, describer: Describer, console: Console) -> None:
        self.describer = describer
        self.console = console

    # ------------------------------------------------------------ the whole table

    def table(self, scene: Scene) -> RenderableType:
        """All that lies on the table, the own hand last."""
        parts: list[RenderableType] = []
        ring = self._ring(scene)
        if ring is not None:
            parts.append(ring)
        else:
            parts.append(Text(scene.title, style="bold"))
            parts += self._places(scene)
            parts += [self._players(scene), self._others(scene)]
        parts += [self._hand(pile) for seat in scene.seats for pile in seat.piles if pile.is_hand]
        return Group(*parts)

    def _players(self, scene: Scene) -> Table:
        table = Table(box=SIMPLE_HEAD, padding=(0, 1), pad_edge=False, show_header=False)
        table.add_column(no_wrap=True)
        table.add_column(ratio=1)
        for seat in scene.seats:
            table.add_row(self._seat(seat), self._holdings(seat))
        return table

    def _seat(self, seat: Holder) -> Text:
        text = Text(f" {seat.letter} ", style=f"bold white on {seat.colour}")
        style = "dim strike" if seat.is_out else "bold" if seat.is_on_turn else ""
        text.append(f" {seat.name}", style=style)
        if seat.is_you:
            text.append(f" ({self.describer.values.word('table.you')})")
        if seat.is_on_turn:
            text.append(" ◀")
        return text

    def _holdings(self, holder: Holder) -> Text:
        """What somebody has, in words; things in the colours of what they belong to. A hand is
        drawn card by card elsewhere."""
        parts = [Text(self.describer.said(line)) for line in holder.lines]
        for pile in holder.piles:
            if not pile.count or pile.is_hand:
                continue
            text = Text(self.describer.pile_line(pile))
            for card in pile.cards:
                if card.colour:
                    text.highlight_words([card.name], style=card.colour)
            parts.append(text)
        return Text("; ").join(parts)

    def _others(self, scene: Scene) -> Text:
        return stacked(
            [
                Text(f"{other.name}: ", style="dim").append_text(self._holdings(other))
                for other in scene.others
            ]
        )

    def _hand(self, pile: Pile) -> RenderableType:
        """The own hand, card by card; what looks alike lies together."""
        faces: dict[tuple[str, str], list[Card]] = {}
        for card in pile.cards:
            faces.setdefault((card.marked_name, _foot(card)), []).append(card)
        if not faces:
            return Text(f"{pile.label}: -", style="dim")
        cards = [self._small(group) for group in faces.values()]
        return Group(Text(f"{pile.label}:", style="bold"), Columns(cards, padding=(0, 0)))

    def _small(self, cards: Sequence[Card]) -> Panel:
        card = cards[0]
        lines = textwrap.wrap(card.marked_name, SMALL_CARD - 4)[:2]
        many = f"× {len(cards)}" if len(cards) > 1 else ""
        foot = _foot(card)[: SMALL_CARD - 4 - len(many)].ljust(SMALL_CARD - 4 - len(many)) + many
        body = Text("\n".join([*lines, *[""] * (2 - len(lines)), foot]))
        return Panel(body, box=ROUNDED, width=SMALL_CARD, border_style=card.colour or "")

    # ------------------------------------------------------------ the board

    def _ring(self, scene: Scene) -> Text | None:
        """The board as a ring of four sides; None where it has others, or no room."""
        side, rest = divmod(len(scene.ring), 4)
        if scene.sides != 4 or rest or side < 3:
            return None
        cell = min((self.console.width - 1) // (side + 1) - 1, 13)
        if cell < LEAST_CELL:
            return None
        canvas = Canvas((cell + 1) * (side + 1) + 1, (ROWS + 1) * (side + 1) + 1)
        for place, (column, row) in zip(scene.ring, _around(side), strict=True):
            x, y = column * (cell + 1), row * (ROWS + 1)
            canvas.box(x, y, cell + 2, ROWS + 2)
            for number, line in enumerate(self._cell(scene, place, cell)):
                canvas.write(x + 1, y + 1 + number, line)
        left, top = cell + 4, ROWS + 3
        room, rows = (cell + 1) * (side - 1) - 5, (ROWS + 1) * (side - 1) - 3
        inside, below = self._inside(scene, room), list[Text]()
        if len(inside) > rows:
            inside, below = [], self._inside(scene, self.console.width)
        for number, line in enumerate(inside):
            canvas.write(left, top + number, line)
        return stacked([*canvas.lines(), *below])

    def _inside(self, scene: Scene, width: int) -> list[Text]:
        """What is written in the middle of the ring: who plays, what else lies there, the marks."""
        lines = [Text(scene.title, style="bold"), Text()]
        for part in (self._players(scene), self._others(scene)):
            lines += self._rendered(part, width)
        marks = [f"{mark.letter} {mark.text}" for mark in scene.legend]
        return [*lines, Text(), *self._rendered(Text(" · ".join(marks), style="dim"), width)]

    def _rendered(self, part: RenderableType, width: int) -> list[Text]:
        """The lines of something that is drawn in so many columns."""
        options = self.console.options.update(width=width, height=None)
        found = []
        for segments in self.console.render_lines(part, options, pad=False):
            line = Text.assemble(*((each.text, each.style or "") for each in segments))
            line.rstrip()
            found.append(line)
        return found

    def _cell(self, scene: Scene, place: Place, width: int) -> Iterator[Text]:
        """The lines of a place: its name on its colour, whose it is or its price, who stands
        there."""
        is_wide = width >= WIDE_CELL
        names = [short_name(place.name, width)]
        if is_wide:
            words = [
                word if len(word) <= width else f"{word[: width - 1]}."
                for word in place.name.split()
            ]
            names = textwrap.wrap(" ".join(words), width)[:2]
        style = f"white on {place.colour}" if place.colour else "bold"
        for name in names:
            yield Text(name[:width].ljust(width) if place.colour else name[:width], style=style)
        if is_wide and len(names) < 2:
            yield Text()
        seats = {seat.id: seat for seat in scene.seats}
        state = Text()
        if place.owner is not None:
            owner = seats[place.owner]
            state.append(owner.letter, style=f"white on {owner.colour}")
            for mark in place.marks:
                state.append(f" {mark.count}{mark.letter}" if mark.count > 1 else f" {mark.letter}")
        else:
            state.append(place.worth)
        tokens = Text()
        for seat in place.tokens:
            tokens.append(seats[seat].letter, style=f"bold white on {seats[seat].colour}")
        if is_wide:
            state.truncate(max(0, width - tokens.cell_len - 1))
            state.append(" " * (width - state.cell_len - tokens.cell_len))
            yield state.append_text(tokens)
        else:
            state.truncate(width)
            tokens.truncate(width)
            yield state
            yield tokens

    def _places(self, scene: Scene) -> list[RenderableType]:
        """Places in a row, where they are no ring that can be drawn."""
        if not scene.ring:
            return []
        cells = []
        for place in scene.ring:
            lines = list(self._cell(scene, place, 12))
            cells.append(Panel(stacked(lines), box=ROUNDED, width=SMALL_CARD))
        return [Columns(cells, padding=(0, 0))]

    # ------------------------------------------------------------ what a question is about

    def cards(self, label: str, cards: Sequence[Card]) -> RenderableType:
        """Things that are at stake, as cards beside each other."""
        return Columns([self._card(label, card) for card in cards], padding=(0, 0))

    def _card(self, label: str, card: Card) -> Panel:
        body = Table(box=None, show_header=False, padding=(0, 1, 0, 0), pad_edge=False)
        body.add_column(style="dim")
        body.add_column()
        for line in card.lines:
            body.add_row(line.label, line.text)
        parts: list[RenderableType] = [body] if card.lines else []
        if card.text:
            parts.append(Text(card.text))
        if card.beside:
            word = self.describer.values.word("table.beside")
            parts.append(Text(f"{word} {', '.join(card.beside)}", style="dim"))
        return Panel(
            Group(*parts),
            title=Text(card.name or label, style="bold"),
            box=ROUNDED,
            width=min(CARD_WIDTH, self.console.width),
            border_style=card.colour or "",
        )


def _cut(word: str, width: int) -> str:
    """A word, cut short where it is too long."""
    return word if len(word) <= width else f"{word[: width - 1]}."


def _foot(card: Card) -> str:
    """What stands at the foot of a small card: its first line."""
    return card.lines[0].text if card.lines else ""


def _around(side: int) -> Iterator[tuple[int, int]]:
    """Column and row of each place of a ring: from the corner at the bottom right to the left, up,
    to the right and down."""
    yield from ((side - step, side) for step in range(side))
    yield from ((0, side - step) for step in range(side))
    yield from ((step, 0) for step in range(side))
    yield from ((side, step) for step in range(side))
