"""The strategy `setter` plays as the hand-written simulators in tests/benchmarks/peers do."""

from __future__ import annotations

import importlib.util
import statistics
from pathlib import Path
from types import ModuleType

import pytest
from game_chain import chi_square_tail
from game_rigs import Setup, rig

from interpreter.engine.native_engine import NATIVE
from interpreter.engine.python_engine import GAME_OVER

GAMES = 1000
ROLLS = 224
"""Throws in a game of the simulators, by their README."""

PLAYERS = 4
PEER = Path(__file__).parent.parent / "benchmarks" / "peers" / "monopoly.py"
COUNTED = ("count_rolls",)
FIRST_SEAT_BEGINS = (("first_player", "first_seat"),)


@pytest.fixture(scope="module")
def peer() -> ModuleType:
    """The simulator in Python, with trades."""
    spec = importlib.util.spec_from_file_location("monopoly_peer", PEER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", [str(PEER), "1", "1", "1"])
        spec.loader.exec_module(module)
    return module


def played(games: int, *, seed: int = 31) -> tuple[float, list[int], int]:
    """Throws per game, wins by place in the order of play, and games that hit the limit."""
    ready = rig(Setup("classic", PLAYERS, COUNTED, switches=FIRST_SEAT_BEGINS))
    engine = "native" if NATIVE else "python"
    result = ready.play(engine, 0, games, ready.seats("setter"), seed=seed, reseat=False)
    over = [code == GAME_OVER for code in result.ends]
    wins = [0] * PLAYERS
    for is_over, winners in zip(over, result.winners, strict=True):
        if is_over:
            assert winners.bit_count() == 1
            wins[winners.bit_length() - 1] += 1
    return sum(ready.measure(result, "rolls")) / games, wins, over.count(False)


def played_by(peer: ModuleType, games: int) -> tuple[list[int], list[int]]:
    """Throws of each game, and wins by place."""
    rolls, wins = [], [0] * PLAYERS
    for game in range(games):
        peer.play(game + 1)
        rolls.append(peer.last[1])
        if peer.last[2] >= 0:
            wins[peer.last[2]] += 1
    return rolls, wins


def chance_of_being_alike(one: list[int], other: list[int]) -> float:
    """The p-value of the chi-square test of two lists of counts."""
    both = [sum(pair) for pair in zip(one, other, strict=True)]
    total = sum(both)
    distance = 0.0
    for counts in (one, other):
        expected = [sum(counts) * count / total for count in both]
        pairs = zip(counts, expected, strict=True)
        distance += sum((count - wanted) ** 2 / wanted for count, wanted in pairs)
    return chi_square_tail(distance, len(one) - 1)


def test_games_take_as_many_rolls(peer: ModuleType) -> None:
    rolls, _, limit = played(GAMES)
    theirs, _ = played_by(peer, GAMES)
    assert statistics.fmean(theirs) == pytest.approx(ROLLS, rel=0.05)
    assert rolls == pytest.approx(ROLLS, rel=0.10)
    assert limit <= GAMES // 100


def test_places_win_as_often(peer: ModuleType) -> None:
    _, ours, _ = played(GAMES)
    _, theirs = played_by(peer, GAMES)
    assert chance_of_being_alike(ours, theirs) > 0.001, (ours, theirs)
    assert chance_of_being_alike([300, 250, 230, 220], [220, 230, 250, 300]) < 0.001
