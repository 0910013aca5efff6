"""What the compiler does for speed alone changes no game: the bundled variants, compiled plainly,
play the same ones, with the same measures and coverage."""

from __future__ import annotations

from dataclasses import replace

import pytest
from game_rigs import FITTING, OPTIONS, RANDOM, Rig, Setup, rig
from printed_digests import setups

from interpreter.flat.lower import lower_program
from interpreter.flat.pipeline import OPTIONAL
from interpreter.flat.plan.choices import CHOICES
from interpreter.flat.verify import verify

PLAIN = OPTIONAL | CHOICES.keys()
SETUPS = (Setup("card_game", 3), Setup("jackpot", 3), Setup("bid", 3), Setup("classic", 4))
MORE = (
    Setup("classic", 3, FITTING["classic"]), Setup("cthulhu", 3), Setup("crooked_cash", 3),
    Setup("deal", 3), *SETUPS,
)  # fmt: skip


def without(ready: Rig, *names: str) -> Rig:
    """The same rules with something left out, looked at by the verifier behind every pass."""
    options = replace(OPTIONS, without=frozenset(names))
    program = lower_program(ready.core, options, between=lambda _, made, holds: verify(made, holds))
    return Rig(ready.setup, ready.core, program)


def games(ready: Rig, engine: str, count: int) -> dict[str, object]:
    """Everything about some games that must be the same: all but how often a seat was asked."""
    seats = ready.seats(*ready.written[-2:], RANDOM)
    result = ready.play(engine, 0, count, seats)
    counts = dict(zip(ready.flat.coverage, result.measures["coverage"], strict=True))
    measures = {name: ready.measure(result, name) for name in ready.flat.measures}
    return {
        "digests": list(result.digests), "ends": list(result.ends),
        "scores": list(result.scores), "measures": measures, "coverage": counts,
    }  # fmt: skip


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_plain_programs_play_the_same_games(setup: Setup) -> None:
    ready = rig(setup)
    assert games(without(ready, *PLAIN), "python", 2) == games(ready, "python", 2)


@pytest.mark.long
@pytest.mark.parametrize("setup", list(setups()), ids=str)
def test_all_plain_programs_play_the_same_games(setup: Setup) -> None:
    ready = rig(setup)
    plain = without(ready, *PLAIN)
    expected = games(ready, "python", 4)
    assert games(plain, "python", 4) == expected
    assert games(plain, "native", 4) == expected


@pytest.mark.long
@pytest.mark.parametrize("left_out", sorted(PLAIN))
@pytest.mark.parametrize("setup", MORE, ids=str)
def test_programs_less_one_play_the_same_games(setup: Setup, left_out: str) -> None:
    ready = rig(setup)
    assert games(without(ready, left_out), "python", 3) == games(ready, "python", 3)
