"""Movement, doubles, Jail and cards, against a Markov chain that is worked out in the test."""

from __future__ import annotations

import pytest
from game_chain import Chain, chi_square_tail, distance
from game_rigs import Setup, rig

from interpreter.bundled import variants_dir
from interpreter.engine.native_engine import NATIVE
from interpreter.engine.python_engine import PHASE_LIMIT

SETUP = Setup("chain", 2)
TURNS = 16_000  # of one game; no player's money gets beyond a million in them
GAMES = 100


def chain(*, pays: bool) -> Chain:
    return Chain(variants_dir() / "classic" / "variant.yaml", pays=pays)


def landings(strategy: str, games: int, *, engine: str = "native") -> list[int]:
    """How often tokens landed where, in games that nobody won."""
    ready = rig(SETUP)
    result = ready.play(engine, 0, games, ready.seats(strategy), seed=20, phase_limit=TURNS)
    assert set(result.ends) == {PHASE_LIMIT}
    assert not any(ready.measure(result, "purchases"))
    return ready.measure(result, "landings")


def test_the_chain_itself() -> None:
    paying, trying = chain(pays=True), chain(pays=False)
    for walk in (paying, trying):
        assert all(sum(steps.values()) == 1 for steps in walk.moves.values())
        assert sum(walk.shares()) == pytest.approx(1)
        assert {len(deck) for deck in walk.decks.values()} == {15}
        assert max(walk.shares()) == walk.shares()[walk.index["jail"]]
    # Shares of turns that end on a space were published by many; those of landings differ a little.
    assert 0.029 < paying.shares()[paying.index["illinois"]] < 0.031
    assert chi_square_tail(66.766, 40) == pytest.approx(0.005, rel=1e-4)
    assert chi_square_tail(20.707, 40) == pytest.approx(0.995, rel=1e-4)


@pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
@pytest.mark.parametrize("strategy", ["sitter", "payer"])
def test_tokens_land_as_often_as_the_chain_says(strategy: str) -> None:
    walk = chain(pays=strategy == "payer")
    shares, scatter = walk.shares(), walk.covariance_per_landing()
    counts = landings(strategy, GAMES)
    assert sum(counts) > 1_500_000
    chance = chi_square_tail(distance(counts, shares, scatter), len(shares) - 1)
    assert chance > 0.001
    other = chain(pays=strategy != "payer")
    far = distance(counts, other.shares(), other.covariance_per_landing())
    assert chi_square_tail(far, len(shares) - 1) < 1e-9


@pytest.mark.long
def test_tokens_land_as_often_as_the_chain_says_in_python() -> None:
    walk = chain(pays=False)
    counts = landings("sitter", 2, engine="python")
    if NATIVE:
        assert counts == landings("sitter", 2)
    far = distance(counts, walk.shares(), walk.covariance_per_landing())
    assert chi_square_tail(far, len(counts) - 1) > 0.001
