"""A table in plain lines, without drawings or colours: for pipes, files and screen readers."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from interpreter.table.describe import Describer
from interpreter.table.scene import Card, Holder, Place, Scene

GAP = 3


class PlainScreen:
    """Lines of a table of one game, as wide as `width`."""

    def __init__(self, describer: Describer, width: int) -> None:
        self.describer = describer
        self.width = width

    # ------------------------------------------------------------ the table

    def table(self, scene: Scene) -> str:
        """All that lies on the table."""
        blocks = [
            "\n".join(self._ring(scene)),
            "\n".join(line for seat in scene.seats for line in self._holder(seat)),
            "\n".join(line for other in scene.others for line in self._holder(other)),
        ]
        return "\n\n".join(block for block in blocks if block)

    def _ring(self, scene: Scene) -> Iterator[str]:
        """The ring of places, side by side as far as there is room."""
        names = {seat.id: seat.name for seat in scene.seats}
        lines = [_place(place, names)[: max(20, self.width)] for place in scene.ring]
        if not lines:
            return
        length = -(-len(lines) // scene.sides)
        sides = [lines[start : start + length] for start in range(0, len(lines), length)]
        width = max(len(line) for line in lines)
        beside = max(1, min(len(sides), (self.width + GAP) // (width + GAP)))
        for start in range(0, len(sides), beside):
            group = sides[start : start + beside]
            if start:
                yield ""
            for row in range(max(len(side) for side in group)):
                cells = [side[row] if row < len(side) else "" for side in group]
                yield (" " * GAP).join(cell.ljust(width) for cell in cells).rstrip()

    def _holder(self, holder: Holder) -> list[str]:
        said = [self.describer.said(line) for line in holder.lines]
        said += [self.describer.pile_line(pile) for pile in holder.piles if pile.count]
        you = self.describer.values.word("table.you") if holder.is_you else ""
        name = f"{holder.name} ({you})" if you else holder.name
        return self._wrapped(f"{name}: {'; '.join(said)}")

    def _wrapped(self, text: str) -> list[str]:
        return textwrap.wrap(
            text,
            self.width,
            initial_indent="  ",
            subsequent_indent="      ",
            break_long_words=False,
        )

    # ------------------------------------------------------------ what a question is about

    def cards(self, label: str, cards: Sequence[Card]) -> list[str]:
        """Things that are at stake, a paragraph for each."""
        found: list[str] = []
        for card in cards:
            said = [self.describer.said(line) for line in card.lines]
            said += [card.text] if card.text else []
            if card.beside:
                word = self.describer.values.word("table.beside")
                said.append(f"{word} {', '.join(card.beside)}")
            name = card.name or label
            found += self._wrapped(f"{name}: {'; '.join(said)}" if said else name)
        return found


def _place(place: Place, names: dict[str, str]) -> str:
    """A place: its name, whose it is, what stands on it, and who."""
    words = [place.name]
    if place.owner is not None:
        words.append(f"[{names[place.owner]}]")
    words += [mark.text for mark in place.marks]
    words += [f"<{names[seat]}>" for seat in place.tokens]
    return " ".join(words)


def numbered(lines: Sequence[str]) -> str:
    """Lines with numbers from 1."""
    width = len(str(len(lines)))
    return "\n".join(f"  {number:>{width}}  {line}" for number, line in enumerate(lines, 1))
