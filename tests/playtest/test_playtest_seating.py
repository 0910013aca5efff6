"""Who plays where: on every seat, beside everybody and as often as the others."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from math import factorial

import pytest

from interpreter.engine.seating import line_up, seat_numbers


def tables(bots: int, players: int, games: int) -> list[tuple[int, ...]]:
    return [seat_numbers(bots, game, players) for game in range(games)]


def test_the_first_game_is_as_named() -> None:
    assert line_up("abcd", 0, 4) == ["a", "b", "c", "d"]
    assert line_up("ab", 0, 5) == ["a", "b", "a", "b", "a"]
    assert line_up("abcdef", 0, 4) == ["a", "b", "c", "d"]
    assert line_up("a", 17, 3) == ["a", "a", "a"]


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_all_orders_come_once_before_one_comes_again(players: int) -> None:
    orders = factorial(players)
    for start in (0, orders):
        seen = [seat_numbers(players, start + game, players) for game in range(orders)]
        assert sorted(seen) == sorted(permutations(range(players)))


def test_orders_are_mixed_from_the_start() -> None:
    """After 400 games, of 40,320 orders, everybody has had everybody else beside him."""
    beside = Counter(
        (table[seat], table[(seat + 1) % 8]) for table in tables(8, 8, 400) for seat in range(8)
    )
    assert len(beside) == 56
    assert max(beside.values()) < 120


@pytest.mark.parametrize(("bots", "players"), [(3, 4), (6, 4), (5, 3), (2, 5), (12, 8), (4, 6)])
def test_everybody_plays_as_often_on_every_seat(bots: int, players: int) -> None:
    """At any point of a run, but for the round that is being played."""
    for games in (players * bots, 100, 1_234):
        played, seats = Counter[int](), Counter[tuple[int, int]]()
        for table in tables(bots, players, games):
            assert set(Counter(table).values()) <= {players // bots, -(-players // bots)}
            played.update(table)
            seats.update(enumerate(table))
        assert len(seats) == bots * players
        assert max(played.values()) - min(played.values()) <= players
        assert max(seats.values()) - min(seats.values()) <= 2


def test_with_more_bots_than_seats_all_meet() -> None:
    met = Counter(pair for table in tables(6, 4, 4_000) for pair in permutations(sorted(table), 2))
    assert len(met) == 30
    # 4,000 games of 12 ordered pairs each, over 30 pairs.
    assert all(1_400 < times < 1_800 for times in met.values())
