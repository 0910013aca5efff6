"""What questions say is at stake, early refusals, and passing that gives nothing away."""

from __future__ import annotations

from pathlib import Path

import pytest
from session_games import write_game

from interpreter import api

SHOP = """\
kind Card
    value: 1..9
    mark: flag starts no, seen by nobody
kind Bill, made in play up to 8
    debtor: Player
thing deck
    cards: holds Card starts Card, ordered
add to Player
    hand: holds Card, seen by owner
    bills: holds Bill up to 8
    points: 0..90 starts 0
window shop by player
    ask each p in [player]
    until all pass
    as "What do you do?"
    shows first(deck.cards), p.points, p.hand
option swap in shop by player
    which 1..2 paid in player.hand
    how much bonus in 0..9
    how much fine in 0..9
    needs bonus is 0 or fine is 0, "a bonus or a fine, not both"
    player.points = bonus
window dues
    ask each p in players
    until all pass
option collect in dues by player
    which bill in player.bills
    drop bill
rule turn_of: after take_turn by player
    move top(2, deck.cards) to player.hand
    for each other in player.others where count(other.bills) < 2
        let bill = new Bill(debtor: player)
        move bill to other.bills
    open dues
    open shop by player
    if count(deck.cards) < 6
        end game
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> api.Variant:
    path = write_game(tmp_path_factory.mktemp("shop"), SHOP)
    return api.load_variant(path, players=2, cached=False)


def at_the_shop(shop: api.Variant) -> api.Game:
    game = shop.new_game(seed=1, seats=["person", "person"])
    while game.pending is not None and game.pending.question != "shop":
        game.apply("pass")
    return game


def test_what_is_at_stake_is_given_to_front_ends(shop: api.Variant) -> None:
    game = at_the_shop(shop)
    decision = game.pending
    assert decision is not None
    top, points, hand = decision.shown
    view = game.view(decision.seat)
    assert (top.kind, list(top.ids)) == ("Card", view["things"]["deck"]["cards"][:1])
    assert (points.label, points.text, points.ids) == ("points", "0", ())
    assert list(hand.ids) == view["players"][decision.seat]["hand"]
    assert [each["label"] for each in view["question"]["shows"]] == ["cards", "points", "hand"]


def test_what_the_seat_can_not_see_is_an_error(tmp_path: Path) -> None:
    for bad, code in (
        ("    shows first(deck.cards), first(each c in Card where c.mark)", "RW0625"),
        ("    shows p.points\n    shows p.hand", "RW0213"),
        ("    shows p.pointz", "RW0503"),
    ):
        rules = SHOP.replace("    shows first(deck.cards), p.points, p.hand", bad)
        path = write_game(tmp_path, rules, name=f"bad_{code.lower()}")
        with pytest.raises(api.RulesError, match=code):
            api.load_variant(path, players=2, cached=False)


def test_what_can_not_become_legal_is_refused_at_once(shop: api.Variant) -> None:
    game = at_the_shop(shop)
    decision = game.pending
    assert decision is not None
    hand = list(decision.shown[2].ids)
    early = decision.refused_early
    assert early("swap", paid=hand[:1]) is None
    assert early("swap", paid=hand[:1], bonus=3) is None
    assert early("swap", paid=hand[:1], bonus=3, fine=1) == "a bonus or a fine, not both"
    assert early("swap", paid=hand[:1], bonus=0, fine=1) is None
    assert early("swap", paid=hand[:1], bonus=12) is not None


def test_a_long_pass_is_no_waiver_of_what_falls_due(tmp_path: Path) -> None:
    path = write_game(tmp_path, SHOP)
    variant = api.load_variant(path, players=3, cached=False)
    game = variant.new_game(seed=1, seats=["person", "random", "random"])
    while game.pending is not None and game.pending.question != "dues":
        game.apply("pass")
    assert game.view("ann")["things"]["game"]["active"] == "ben"
    assert [answer.name for answer in game.answers()] == ["collect", "pass"]
    game.apply("pass", until="turn")
    assert game.pending is not None
    assert game.pending.question == "dues", "another bill, in the turn of Cleo"
    assert game.view("ann")["things"]["game"]["active"] == "cleo"
    assert len(game.answers()) == 3
    game.apply("pass", until="turn")
    assert game.view("ann")["things"]["game"]["active"] == "ann"
