"""What a rulebook shows: the board, and the things that players hold as cards, drawn as everybody
sees them before play."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dsl.core import nodes as core
from interpreter.book.grammar import capital
from interpreter.book.record import Block, Figure
from interpreter.book.teller import Teller
from interpreter.session.view import View
from interpreter.table.scene import Card
from interpreter.table.svg import draw_board, draw_card

MOST_DRAWN = 120
"""Cards of a kind that a book shows; of more, so many."""
MOST_PLACES = 120
"""Places of a board that is drawn in a book."""

BEFORE_PLAY: View = {"seat": None, "phase": "", "players": {}, "things": {}, "entities": {}}
"""What everybody sees before there is anything but the data."""


class Pictures:
    """Draws the things of one program."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        self.program = teller.program
        self._held = frozenset(self._in_hands())

    def board(self, family: str) -> Iterator[Block]:
        """The board, in the chapter of its places."""
        ring = self.program.families.get(self.program.board.ring or "")
        if ring is None or ring.name != family or ring.size > MOST_PLACES:
            return
        picture = draw_board(self.teller.describer.scene(BEFORE_PLAY))
        if picture is not None:
            caption = self.teller.word("board", title=self.program.title)
            yield Figure((picture,), caption, is_wide=True)

    def cards(self, kind: core.Kind, members: Sequence[int]) -> Iterator[Block]:
        """The things of a kind as cards, if they are such; those that look alike once."""
        if not self.are_cards(kind, members):
            return
        faces = list(dict.fromkeys(self.card(kind, each) for each in members[: MOST_DRAWN * 4]))
        caption = f"{capital(self.teller.nouns.kind(kind.name))} × {len(members)}"
        if len(faces) > MOST_DRAWN:
            more = self.teller.word("more", count=str(len(members) - MOST_DRAWN))
            caption = f"{caption}, {more}"
        yield Figure(tuple(draw_card(face) for face in faces[:MOST_DRAWN]), caption)

    def are_cards(self, kind: core.Kind, members: Sequence[int]) -> bool:
        """Whether things lie with players, or have something printed on them."""
        printed = self.program.printed.get(kind.family, ())
        return any(
            (kind.family, each) in self._held or (each < len(printed) and printed[each])
            for each in members[:1]
        )

    def card(self, kind: core.Kind, entity: int) -> Card:
        """A thing as a card."""
        id_ = self.program.families[kind.family].ids[entity]
        return self.teller.describer.card(BEFORE_PLAY, kind.name, id_)

    def _in_hands(self) -> Iterator[tuple[str, int]]:
        """The things that can lie in zones of players."""
        player = self.program.kinds[self.program.player_kind]
        first = player.members[0]
        for zone in self.program.zones.values():
            if zone.family == player.family and first in zone.holders:
                held = self.program.kinds[zone.holds]
                for entity in held.members:
                    yield held.family, entity
