"""Every game that starts ends, by a named reason and hardly ever by a limit."""

from __future__ import annotations

from collections import Counter

import pytest
from game_rigs import EDITIONS, FITTING, PLAYERS, Rig, Setup, rig

from interpreter.engine.batch import BatchResult
from interpreter.engine.native_engine import NATIVE
from interpreter.engine.python_engine import FAULT, GAME_OVER, PHASE_LIMIT
from interpreter.engine.seating import line_up

LIMIT = "limit"

SETUPS = [
    *(Setup(variant, players) for variant, numbers in PLAYERS.items() for players in numbers),
    *(Setup("deal", 4, profile=edition) for edition in EDITIONS),
]
WITH_MODS = [Setup(variant, 4, mods) for variant, mods in FITTING.items()]
LEAST_BY_RULE = {"classic": 90, "cthulhu": 90}
"""In per cent; 95 for all others."""


def ends_of(ready: Rig, games: int) -> Counter[str]:
    """How many games ended for which reason, among the written strategies, who meet in all ways."""
    names = ready.written
    reasons: Counter[str] = Counter()
    for number in range(len(names)):
        seats = ready.seats(*names[number:], *names[:number])
        first, last = (games * part // len(names) for part in (number, number + 1))
        result = ready.play("native" if NATIVE else "python", first, last - first, seats, seed=9)
        assert result.games == last - first
        for index in range(result.games):
            reasons[_reason(ready, result, index, seats)] += 1
    return reasons


def _reason(ready: Rig, result: BatchResult, index: int, seats: list[str]) -> str:
    code, game = result.ends[index], result.first + index
    scalars = {name: values[index] for name, values in result.scalars.items()}
    if code == GAME_OVER:
        reason = ready.flat.endings[scalars["ending"]]
        return LIMIT if reason in SAME_REASON and _is_a_limit(ready, seats, game) else reason
    if code == PHASE_LIMIT:
        assert scalars["phases"] == ready.phase_limit
        return LIMIT
    if code == FAULT:
        return f"fault: {ready.flat.faults[scalars['fault']]}, {seats}, game {game}"
    return f"fault: code {code}, {scalars['fault']}, {seats}, game {game}"


SAME_REASON = {"round"}
"""Reasons under which games end by a rule and by a limit: a round of Bid ends the game when all is
sold, and after too many rounds without a sale."""


def _is_a_limit(ready: Rig, seats: list[str], game: int) -> bool:
    engine = ready.native if NATIVE else ready.python
    for seat, strategy in enumerate(line_up(seats, game, len(seats))):
        engine.seat(seat, strategy)
    engine.new_game(9, game)
    assert engine.play(ready.phase_limit) == GAME_OVER
    return bool(engine.row("row_table_properties", 0))


def assert_accounted_for(setup: Setup, games: int) -> None:
    ready = rig(setup)
    reasons = ends_of(ready, games)
    assert reasons.total() == games
    faults = [reason for reason in reasons if reason.startswith("fault")]
    assert not faults, faults[:3]
    by_rule = games - reasons[LIMIT]
    assert by_rule * 100 >= games * LEAST_BY_RULE.get(setup.variant, 95), reasons


@pytest.mark.parametrize("setup", [*SETUPS, *WITH_MODS], ids=str)
def test_every_game_is_accounted_for(setup: Setup) -> None:
    assert_accounted_for(setup, 200 if NATIVE else 20)


@pytest.mark.long
@pytest.mark.parametrize("setup", [*SETUPS, *WITH_MODS], ids=str)
def test_ten_thousand_games_are_accounted_for(setup: Setup) -> None:
    assert_accounted_for(setup, 10_000 if NATIVE else 200)
