"""Who wins from a question of a game: against whole games, and by what the seat can know."""

from __future__ import annotations

import pytest

from interpreter import api
from interpreter.engine.native_engine import NATIVE
from interpreter.lab.from_here import NothingAsked, play_from


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=pytest.mark.skipif(
    not NATIVE, reason="wasmtime is not installed"))])  # fmt: skip
def test_from_the_first_question_it_is_as_in_whole_games(race: api.Variant, native: bool) -> None:
    """Nothing is hidden in the race: the same shares as in a playtest of the same table."""
    game = race.new_game(1, ["person", "walker", "walker"])
    found = play_from(race.compiled, game, 900, strategies=["walker"], seed=2, native=native)
    report = race.playtest(9_000, bots=["walker"], workers=1)
    assert (found.games, found.faults, found.asked) == (900, 0, "ann")
    for share, row in zip(found.shares, report.won.by_seat.rows, strict=True):
        assert share.low - 0.01 <= row.share.share <= share.high + 0.01


def test_who_is_before_the_end_wins(race: api.Variant) -> None:
    """Played on until somebody is a step from the goal."""
    game = race.new_game(1, ["person", "walker", "walker"])
    while not game.is_over and game.view("ann")["players"]["ann"]["field"] != "cave":
        game.apply("walk")
    assert not game.is_over
    found = play_from(race.compiled, game, 300, strategies=["walker"])
    assert found.shares[0].low > 0.4
    assert sum(share.wins for share in found.shares) == found.games - found.cut - found.unwon


def test_the_same_seed_plays_the_same(race: api.Variant) -> None:
    game = race.new_game(1, ["person", "walker", "walker"])
    one, again, other = (
        play_from(race.compiled, game, 60, seed=seed, strategies=["walker"]) for seed in (4, 4, 5)
    )
    assert one == again
    assert one != other


def test_what_the_seat_cannot_know_does_not_count() -> None:
    """In Deal: another seed, but the same hand and the same table, are the same game to a seat that
    does not see the deck and the hands of others. So luck to come is not read from the seed."""
    deal = api.load_variant("deal", players=2)
    game = deal.new_game(2, ["person", "person"])
    one = play_from(deal.compiled, game, 200, seed=1)
    assert 0.2 < one.shares[0].share < 0.9, "both outcomes are possible, whatever the seed holds"


def test_a_game_that_is_over_is_refused(race: api.Variant) -> None:
    game = race.new_game(1, ["walker"] * 3)
    with pytest.raises(NothingAsked, match="nobody is asked anything"):
        play_from(race.compiled, game, 10)
