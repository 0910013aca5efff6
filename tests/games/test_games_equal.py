"""Python and native play the same games, to the bit: the end, the winners, the scores, the state
and all that is measured."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from game_divergence import assert_same, first_parting, stoppable
from game_rigs import EDITIONS, FITTING, PLAYERS, RANDOM, Setup, rig

from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir import nodes as flat

pytestmark = pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")

IN_FULL = (
    Setup("classic", 4), Setup("crooked_cash", 3), Setup("jackpot", 4),
    Setup("bid", 3), Setup("deal", 2), Setup("card_game", 2),
)  # fmt: skip
"""Played by every strategy in the quick run."""

AT_ONE_TABLE = (
    Setup("classic", 2), Setup("classic", 8), Setup("cthulhu", 6), Setup("crooked_cash", 2),
    Setup("crooked_cash", 6), Setup("jackpot", 2), Setup("bid", 5), Setup("deal", 5),
    Setup("card_game", 5),
)  # fmt: skip


def stacks(variant: str) -> Iterator[tuple[str, ...]]:
    """Each mod alone, and all at once."""
    mods = FITTING.get(variant, ())
    for mod in mods:
        yield (mod,)
    if mods:
        yield mods


def overlaid_setups() -> Iterator[Setup]:
    """Mods and editions, for one number of players each."""
    for variant in FITTING:
        for stack in stacks(variant):
            yield Setup(variant, 4 if variant == "classic" else 3, stack)
    for edition in EDITIONS:
        yield Setup("deal", 4, profile=edition)


def long_setups() -> Iterator[Setup]:
    """Everything."""
    for variant, numbers in PLAYERS.items():
        for players in numbers:
            yield Setup(variant, players)
            for stack in stacks(variant):
                yield Setup(variant, players, stack)
            mods = FITTING.get(variant, ())
            if mods:
                yield Setup(variant, players, mods[::-1])
    for edition in EDITIONS:
        for players in PLAYERS["deal"]:
            yield Setup("deal", players, profile=edition)


def assert_equal(setup: Setup, line_ups: list[list[str]], games: int, seed: int = 7) -> None:
    ready = rig(setup)
    for seats in line_ups:
        left = ready.play("python", 0, games, seats, seed=seed)
        right = ready.play("native", 0, games, seats, seed=seed)
        assert left.games == games
        assert_same(left, right, ready, seats, seed)


@pytest.mark.parametrize("setup", IN_FULL, ids=str)
def test_engines_play_the_same_games(setup: Setup) -> None:
    assert_equal(setup, list(rig(setup).line_ups()), 50)


@pytest.mark.parametrize("setup", AT_ONE_TABLE, ids=str)
def test_engines_play_the_same_games_for_more_and_fewer(setup: Setup) -> None:
    ready = rig(setup)
    assert_equal(setup, list(ready.mixed(*ready.flat.strategies)), 50)


@pytest.mark.parametrize("setup", list(overlaid_setups()), ids=str)
def test_engines_play_the_same_games_with_mods(setup: Setup) -> None:
    ready = rig(setup)
    assert_equal(setup, [ready.seats(*ready.written[-3:], RANDOM)], 50)


@pytest.mark.long
@pytest.mark.parametrize("setup", list(long_setups()), ids=str)
def test_engines_play_the_same_thousand_games(setup: Setup) -> None:
    ready = rig(setup)
    plain = not setup.mods and setup.profile is None
    line_ups = ready.line_ups() if plain else ready.mixed(*ready.flat.strategies)
    assert_equal(setup, list(line_ups), 1000, seed=11)


# ---------------------------------------------------------------- the report of a difference


def test_a_difference_is_reported_with_its_phase_question_and_field() -> None:
    usual = rig(Setup("classic", 2)).flat
    dearer = rig(Setup("classic", 2, switches=(("jail_fine", "51"),))).flat
    seats = ["greedy", "greedy"]

    def other(_: flat.Program) -> NativeEngine:
        return NativeEngine(stoppable(dearer))

    said = first_parting(usual, seats, 8, 0, makers=(PythonEngine, other))
    assert re.fullmatch(
        r"phase \d+: between question \d+ \(jail_turn answered \d+ by seat ([01])\) "
        r"and question \d+ \(\w+ answered \d+ by seat [01]\), where "
        r"s_player_cash\[\1\]: \d+ and \d+; "
        r"at the end of the phase s_player_cash\[\1\]: \d+ and \d+",
        said,
    ), said
    assert first_parting(usual, seats, 8, 0) == "played phase by phase there is no difference"
