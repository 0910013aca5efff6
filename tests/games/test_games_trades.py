"""Trades really happen among the written strategies of Classic, and nothing goes on without end."""

from __future__ import annotations

import pytest
from game_rigs import Rig, Setup, rig

from interpreter.engine.batch import BatchResult
from interpreter.engine.native_engine import NATIVE
from interpreter.engine.python_engine import FAULT, GAME_OVER

SETUPS = [Setup(variant, players) for variant in ("classic", "cthulhu") for players in (3, 4, 6)]


def played(ready: Rig, seats: list[str], games: int) -> BatchResult:
    return ready.play("native" if NATIVE else "python", 0, games, seats, seed=17)


def assert_deals_without_end(ready: Rig, seats: list[str], games: int) -> float:
    """Trades per game, of games in which no window closed by its limit and no rule by its."""
    result = played(ready, seats, games)
    limits = [ready.flat.faults[fault] for fault in result.scalars["fault"] if fault >= 0]
    assert not limits, limits[0]
    assert FAULT not in result.ends
    assert result.ends.count(GAME_OVER) >= 0.9 * games
    assert max(result.scalars["questions"]) < 20 * ready.phase_limit
    return sum(ready.measure(result, "trades")) / games


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_strategies_trade(setup: Setup) -> None:
    ready = rig(setup)
    games = 300 if NATIVE else 30
    for seats in ready.mixed(*ready.written):
        assert assert_deals_without_end(ready, seats, games) > 2


def test_each_strategy_trades_with_its_own_kind() -> None:
    ready = rig(Setup("classic", 4))
    for name in ready.written:
        assert assert_deals_without_end(ready, ready.seats(name), 300 if NATIVE else 30) > 2, name


def test_random_players_do_not_deal_without_end() -> None:
    ready = rig(Setup("classic", 4))
    result = played(ready, ready.seats("random"), 50 if NATIVE else 5)
    assert FAULT not in result.ends
    assert sum(ready.measure(result, "trades")) > 0
