"""Who knows where things lie, as it follows from what each seat has seen."""

from __future__ import annotations

from interpreter import api
from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program
from interpreter.search.replica import Replica
from interpreter.session.compile import compile_variant
from interpreter.session.modules import FLAVOURS

ANN, BEN, CLEO = range(3)


class Table:
    """A game of boxes in which one acts after the other, and what each seat does not know."""

    def __init__(self, variant: api.Variant, seed: int = 0) -> None:
        self.game = variant.new_game(seed=seed, seats=["person"] * variant.players)
        self.replica = Replica(variant.compiled)

    def act(self, option: str, card: str | None = None) -> str:
        """The seat whose turn it is does something, with this card or the first that fits; then
        all stake nothing. Gives the card."""
        pending = self.game.pending
        assert pending is not None
        answers = [one for one in self.game.answers() if one.name == option]
        answer = next(one for one in answers if card in (None, one.picks.get("card")))
        self.game.apply(answer)
        while self.game.pending is not None and self.game.pending.question == "stake":
            self.game.apply(0, seat=self.game.pending.seat)
        return str(answer.picks.get("card"))

    def unknown(self, seat: int) -> set[str]:
        """The cards whose places a seat does not know."""
        assert self.game.pending is not None
        self.replica.follow(self.game.pending.course())
        found = self.replica.hidden.unseen(seat)
        values = self.replica.values
        return {values.id_of("Card", card) for one in found.things for card in one.unknown}

    def marks(self, seat: int) -> int:
        """How many cards have a mark that the seat does not know."""
        assert self.game.pending is not None
        self.replica.follow(self.game.pending.course())
        found = self.replica.hidden.unseen(seat)
        return sum(len(one.entities) for one in found.values if "marked" in one.place.name)

    def hand(self, seat: str) -> set[str]:
        players = self.game.view(seat)["players"]
        assert isinstance(players, dict)
        player = players[seat]
        assert isinstance(player, dict)
        return set(player["hand"])  # type: ignore[arg-type]


def test_a_hand_is_known_to_its_owner_alone(boxes: api.Variant) -> None:
    table = Table(boxes)
    pile = {"c1", "c2"}
    for seat, name in enumerate(("ann", "ben", "cleo")):
        unknown = table.unknown(seat)
        assert not unknown & table.hand(name)
        assert len(unknown) == 18 - 3 - len(pile)


def test_what_was_seen_going_into_a_hand_is_known_there(boxes: api.Variant) -> None:
    table = Table(boxes)
    card = table.act("take")
    assert card in table.hand("ann")
    assert all(card not in table.unknown(seat) for seat in (ANN, BEN, CLEO))


def test_what_is_laid_open_leaves_the_rest_of_the_hand_as_it_was(boxes: api.Variant) -> None:
    table = Table(boxes)
    card = table.act("take")
    table.act("lay")
    table.act("lay")
    laid = table.act("lay")
    assert all(card not in table.unknown(seat) or card == laid for seat in (BEN, CLEO))


def test_whatever_is_hidden_may_have_been_what_was_known(boxes: api.Variant) -> None:
    for other in (False, True):
        table = Table(boxes)
        card = table.act("take")
        table.act("lay")
        table.act("lay")
        hidden = next(one for one in sorted(table.hand("ann")) if (one != card) is other)
        table.act("hide", hidden)
        assert card in table.unknown(BEN)
        assert card in table.unknown(CLEO)
        # Nobody looks into a box, but its owner has seen what went in.
        assert hidden not in table.unknown(ANN)


def test_a_shuffle_makes_all_forget(boxes: api.Variant) -> None:
    table = Table(boxes)
    hidden = table.act("hide")
    table.act("lay")
    table.act("lay")
    assert hidden not in table.unknown(ANN)
    table.act("mix")
    assert hidden in table.unknown(ANN)


def test_a_revealed_mark_is_known_to_the_seat_it_was_shown_to(boxes: api.Variant) -> None:
    for seed in range(20):
        table = Table(boxes, seed)
        before = table.marks(ANN)
        assert before == table.marks(BEN) == 18
        table.act("show")
        after = table.marks(ANN)
        assert table.marks(BEN) == 18
        if after == 17:
            return
    raise AssertionError("no marked card was shown")


def test_what_is_off_changes_nothing() -> None:
    variant = api.load_variant("deal", players=2)
    plain = lower_program(variant.compiled.source(), FLAVOURS["play"])
    known = lower_program(variant.compiled.source(), Options(host=True, knowledge=True))
    assert "known_place_card" in known.columns
    assert not [name for name in plain.columns if name.startswith("known_place")]
    more = [name for name in known.columns if name not in plain.columns]
    assert more == ["known_place_card"]
    assert known.streams == plain.streams
    assert compile_variant(variant.compiled.source()).module("play").program.columns.keys() == (
        plain.columns.keys()
    )
