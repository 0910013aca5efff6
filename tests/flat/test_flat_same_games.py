"""What makes play cheaper changes no game: with and without, the digests are the same."""

from __future__ import annotations

import pytest
from flat_games import PLAYED, digests, lowered

from interpreter.engine.native_engine import NATIVE, NativeEngine

GAMES = 12


@pytest.mark.parametrize(("name", "players"), PLAYED)
def test_asking_everybody_always_is_the_same_game(name: str, players: int) -> None:
    program = lowered(name, players)
    for strategy in program.strategies:
        usual = digests(program, strategy, GAMES)
        assert usual == digests(program, strategy, GAMES, always=True), strategy


@pytest.mark.skipif(not NATIVE, reason="needs wasmtime")
@pytest.mark.parametrize(("name", "players"), PLAYED)
def test_native_plays_the_same(name: str, players: int) -> None:
    program = lowered(name, players)
    engine = NativeEngine(program, cached=False)
    for strategy in program.strategies:
        found = []
        for game in range(GAMES):
            engine.new_game(7, game)
            for seat in range(players):
                engine.seat(seat, strategy)
            found.append((engine.play(200), engine.digest()))
        assert found == digests(program, strategy, GAMES), strategy


def test_games_are_really_played() -> None:
    """The strategies of the small game act in every way there is."""
    program = lowered("market", 3)
    for strategy in ("thrifty", "generous"):
        ends = digests(program, strategy, GAMES)
        assert {code for code, _ in ends} == {1}
