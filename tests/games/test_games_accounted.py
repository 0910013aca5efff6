"""Every game that starts ends, by a named reason and hardly ever by a limit."""

from __future__ import annotations

from collections import Counter

import pytest
from game_rigs import FITTING, PLAYERS, Rig, Setup, rig

from interpreter.engine.native_engine import NATIVE
from interpreter.engine.python_engine import GAME_OVER, PHASE_LIMIT

SETUPS = [
    *(Setup(variant, players) for variant, numbers in PLAYERS.items() for players in numbers),
    *(Setup("deal", 4, profile=edition) for edition in ("deal_2008", "deal_2024")),
]
WITH_MODS = [Setup(variant, 4, mods) for variant, mods in FITTING.items()]
LEAST_BY_RULE = {"classic": 90, "cthulhu": 90}
"""In per cent; 95 for all others."""


def ends_of(ready: Rig, games: int) -> Counter[str]:
    """How many games ended for which reason, among the written strategies, who meet in all ways."""
    engine = "native" if NATIVE else "python"
    names = ready.written
    reasons: Counter[str] = Counter()
    for number in range(len(names)):
        seats = ready.seats(*names[number:], *names[:number])
        first, last = (games * part // len(names) for part in (number, number + 1))
        result = ready.play(engine, first, last - first, seats, seed=9)
        assert result.games == last - first
        for index, code in enumerate(result.ends):
            if code == GAME_OVER:
                reasons[ready.flat.endings[result.scalars["ending"][index]]] += 1
            elif code == PHASE_LIMIT:
                assert result.scalars["phases"][index] == ready.phase_limit
                reasons["limit"] += 1
            else:
                number_of = result.scalars["fault"][index]
                fault = ready.flat.faults[number_of] if code == 2 else f"code {code}, {number_of}"
                reasons[f"fault: {fault}, {seats}, game {result.first + index}"] += 1
    return reasons


def assert_accounted_for(setup: Setup, games: int) -> None:
    ready = rig(setup)
    reasons = ends_of(ready, games)
    assert reasons.total() == games
    faults = [reason for reason in reasons if reason.startswith("fault")]
    assert not faults, faults[:3]
    named = {f"{what} {name}" for what, name in _rules(ready)} | set(_rules_names(ready)) | {"limit"}
    assert set(reasons) <= named, reasons
    by_rule = games - reasons["limit"]
    assert by_rule * 100 >= games * LEAST_BY_RULE.get(setup.variant, 95), reasons


def _rules(ready: Rig) -> list[tuple[str, str]]:
    return []


def _rules_names(ready: Rig) -> list[str]:
    return list(ready.flat.endings)


@pytest.mark.parametrize("setup", [*SETUPS, *WITH_MODS], ids=str)
def test_every_game_is_accounted_for(setup: Setup) -> None:
    assert_accounted_for(setup, 200 if NATIVE else 20)


@pytest.mark.long
@pytest.mark.parametrize("setup", [*SETUPS, *WITH_MODS], ids=str)
def test_ten_thousand_games_are_accounted_for(setup: Setup) -> None:
    assert_accounted_for(setup, 10_000 if NATIVE else 200)
