"""Whatever looks on changes no game: the same seed gives the same game with and without measures,
coverage and traces, in a session as in a playtest, on both engines."""

from __future__ import annotations

from functools import lru_cache

import pytest
from game_rigs import FITTING, RANDOM, Setup, checked, rig

from dsl.core import nodes as core
from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.ir import nodes as flat
from interpreter.flat.lower import lower_program
from interpreter.session.compile import compile_variant
from interpreter.session.game import Game

SETUPS = (
    Setup("classic", 4), Setup("cthulhu", 3), Setup("classic", 3, FITTING["classic"]),
    Setup("crooked_cash", 3), Setup("jackpot", 4), Setup("bid", 3), Setup("deal", 3),
    Setup("card_game", 3),
)  # fmt: skip
BARE = Options(host=False)
INSTRUMENTS = {
    "measures": Options(host=False, measures=True),
    "coverage": Options(host=False, coverage=True),
    "traces": Options(host=False, trace=True),
    "all for a session": Options(host=True, trace=True, measures=True, coverage=True),
}
SEED = 9


@lru_cache(maxsize=8)
def program_of(setup: Setup) -> core.Program:
    return checked(setup)


@lru_cache(maxsize=8)
def bare(setup: Setup) -> flat.Program:
    return lower_program(program_of(setup), BARE)


def line_up(setup: Setup) -> list[str]:
    ready = rig(setup)
    return ready.seats(*ready.written[-2:], RANDOM)


def played(
    engine: PythonEngine | NativeEngine, setup: Setup, games: int
) -> list[tuple[int, int, int]]:
    """How games end, after how many phases, and the digests of their last states."""
    found = []
    for game in range(games):
        for seat, strategy in enumerate(line_up(setup)):
            engine.seat(seat, strategy)
        engine.new_game(SEED, game)
        code = engine.play(program_of(setup).phase_limit)
        found.append((code, engine.scalar("phases"), engine.digest()))
    return found


@pytest.mark.parametrize("setup", SETUPS, ids=str)
@pytest.mark.parametrize("what", INSTRUMENTS)
def test_same_games_with_instruments(setup: Setup, what: str) -> None:
    usual = bare(setup)
    watched = lower_program(program_of(setup), INSTRUMENTS[what])
    for numbered in ("streams", "faults", "endings"):
        assert getattr(watched, numbered) == getattr(usual, numbered)
    assert [name for name in watched.sites if name != flat.SEALED] == list(usual.sites)
    expected = played(PythonEngine(usual, cached=False), setup, 3)
    assert played(PythonEngine(watched, cached=False), setup, 3) == expected


@pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_session_plays_the_games_of_a_playtest(setup: Setup) -> None:
    """A session is the Python engine with hosts, asked step by step; a playtest the native one."""
    playtest = played(rig(setup).native, setup, 2)
    compiled = compile_variant(program_of(setup))
    for game, (_, _, digest) in enumerate(playtest):
        session = Game(compiled, line_up(setup), seed=SEED, game=game)
        assert session.digest() == digest, game


@pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_native_games_without_instruments(setup: Setup) -> None:
    expected = played(rig(setup).native, setup, 30)
    assert played(NativeEngine(bare(setup), cached=False), setup, 30) == expected
