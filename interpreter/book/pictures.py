"""What a rulebook shows: the board and the cards, drawn as everybody sees them before play."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.book.record import Block
from interpreter.book.teller import Teller


class Pictures:
    """Draws the things of one program."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller

    def of_family(self, family: str) -> Iterator[Block]:
        """The pictures of a family's things."""
        yield from ()
