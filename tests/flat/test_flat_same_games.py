"""What makes play cheaper changes no game: with and without, the digests are the same."""

from __future__ import annotations

import pytest
from flat_games import PLAYED, digests, lowered

from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.flat.keeping import NOTHING_KEPT

GAMES = 12
NOTHING = {
    "nothing kept": ("lower.choose_kept", lambda _: NOTHING_KEPT),
    "no kept sets": ("memo.kept_value", lambda *args: None),
    "no facts": ("facts.narrowed", lambda facts, conditions: tuple(conditions)),
    "no floors": ("floors.lacking", lambda *args: None),
    "no purse bounds": ("floors.bounding_purse", lambda *args: None),
    "no known queries": ("known.known_query", lambda *args: None),
    "no conditions for sets": ("sets.as_condition", lambda *args: None),
    "sets before loops": ("ordered._is_short_table", lambda *args: False),
    "nothing kept outside": ("queries._kept_outside", lambda low, env, fold: ([], env, fold)),
    "rows made": ("queries._without_row", lambda low, generator: generator),
}


@pytest.mark.parametrize(("name", "players"), PLAYED)
def test_asking_everybody_always_is_the_same_game(name: str, players: int) -> None:
    program = lowered(name, players)
    for strategy in program.strategies:
        usual = digests(program, strategy, GAMES)
        assert usual == digests(program, strategy, GAMES, always=True), strategy


@pytest.mark.parametrize("what", list(NOTHING))
@pytest.mark.parametrize(("name", "players"), PLAYED[:2])
def test_same_games_without(
    what: str, name: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = lowered(name, players)
    target, off = NOTHING[what]
    monkeypatch.setattr(f"interpreter.flat.{target}", off)
    plain = lowered(name, players)
    for strategy in usual.strategies:
        expected = digests(plain, strategy, 5, always=True)
        assert digests(usual, strategy, 5) == expected, strategy


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
