"""Acts are done as a whole or not at all: what the library says must always hold, among random
players in games where buildings and money are short, and deals with money and mortgages."""

from __future__ import annotations

import pytest
from game_rigs import LIBRARY, Rig, Setup, rig

from dsl.diagnostics.record import Bag
from interpreter.engine.native_engine import NATIVE
from interpreter.engine.python_engine import BROKEN, FAULT
from interpreter.scenario.suite import run_scenarios

HOLDS = {"even", "built_in_one_hand", "mortgaged_unbuilt", "gone_own_nothing"}
SHORT = [
    Setup("classic", 5, ("speed_play",), None, (("house_supply", "5"), ("dealt_deeds", "5"))),
    Setup("classic", 4, (), None, (("starting_cash", "400"), ("house_supply", "6"),
        ("hotel_supply", "2"), ("auction_bid_limit", "no_limit"))),
    Setup("classic", 6, (), None, (("starting_cash", "150"), ("bankrupt_to_bank", "deeds_return"))),
    Setup("cthulhu", 4, (), None, (("starting_cash", "4000"), ("house_supply", "5"),
        ("hotel_supply", "1"), ("shortage_opening_bid", "10"))),
    Setup("dealing", 4),
]  # fmt: skip


def assert_sound(ready: Rig, seats: list[str], games: int) -> None:
    result = ready.play("native" if NATIVE else "python", 0, games, seats, seed=3, phase_limit=600)
    names = [one.name for one in ready.core.always]
    assert set(names) >= HOLDS
    for game, (end, fault) in enumerate(zip(result.ends, result.scalars["fault"], strict=True)):
        assert end != BROKEN, f"{names[fault - 1]} is broken in game {game} of {seats}"
        assert end != FAULT, f"{ready.flat.faults[fault]} in game {game} of {seats}"


@pytest.mark.parametrize("setup", SHORT, ids=str)
def test_what_must_hold_holds(setup: Setup) -> None:
    ready = rig(setup)
    games = 600 if NATIVE else 5
    assert_sound(ready, ready.seats("random"), games)
    if ready.written:
        assert_sound(ready, ready.seats("random", *ready.written), games)


@pytest.mark.long
@pytest.mark.parametrize("setup", SHORT, ids=str)
def test_what_must_hold_holds_in_many_games(setup: Setup) -> None:
    ready = rig(setup)
    assert_sound(ready, ready.seats("random"), 20_000 if NATIVE else 50)


def test_deals_are_the_same_on_both_engines() -> None:
    if not NATIVE:
        pytest.skip("needs wasmtime")
    ready = rig(Setup("dealing", 4))
    seats = ready.seats("random")
    one, other = (ready.play(engine, 0, 8, seats, seed=9) for engine in ("native", "python"))
    assert one.digests == other.digests


def test_the_examples_of_deals() -> None:
    bag = Bag()
    report = run_scenarios(LIBRARY, "dealing", bag)
    assert len(report.results) >= 5
    assert [result.name for result in report.results if result.failure is not None] == []
