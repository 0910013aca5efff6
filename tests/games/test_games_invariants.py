"""Nothing is lost, made or doubled: counted in the state after every phase, not by the rules."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from game_divergence import Engine
from game_ledger import Ledger
from game_rigs import FITTING, PLAYERS, Rig, Setup, rig

from interpreter.engine.python_engine import FAULT, GAME_OVER, LOST_EXIT


@dataclass(frozen=True, slots=True)
class Box:
    """What is in the box of a game: how many things of each family, how much of each unit (for each
    player where it says so)."""

    things: dict[str, int]
    units: dict[str, int]
    per_player: dict[str, int]


CLASSIC = Box({"Space": 28, "Card": 32}, {"house": 32, "hotel": 12}, {})
BOXES = {
    "classic": CLASSIC,
    "cthulhu": CLASSIC,
    "crooked_cash": Box({"Space": 22, "Card": 38, "Note": 150}, {"hotel": 12}, {"chip": 2}),
    "jackpot": Box({"Space": 16}, {"money": 21_000}, {}),
    "bid": Box({"Card": 110}, {}, {}),
    "deal": Box({"Card": 106}, {}, {}),
    "card_game": Box({"Card": 60}, {}, {}),
}

QUICK = (
    Setup("classic", 4), Setup("cthulhu", 3, FITTING["cthulhu"]), Setup("crooked_cash", 3),
    Setup("jackpot", 4), Setup("bid", 3), Setup("deal", 3), Setup("card_game", 3),
)  # fmt: skip


def mistakes(ledger: Ledger, ready: Rig) -> Iterator[str]:
    """All that is wrong with a state."""
    box = BOXES[ready.setup.variant]
    yield from ledger.mistakes_with_things()
    yield from ledger.mistakes_with_fields()
    for family, count in box.things.items():
        held = sum(sum(ledger.in_zone(zone.zone.name)) for zone in ledger.layout.held[family].zones)
        if held != count:
            yield f"there are {held} of {family}, not {count}"
    units = box.units | {unit: each * ready.players for unit, each in box.per_player.items()}
    for unit, count in units.items():
        if ledger.total(unit) != count:
            yield f"there is {ledger.purses(unit)} of {unit}, not {count}"


def assert_conserved(ready: Rig, engine: Engine, seats: list[str], games: range, seed: int) -> None:
    """Plays games and counts after every phase."""
    ledger = Ledger(ready, engine)
    for game in games:
        for seat, strategy in enumerate(seats):
            engine.seat(seat, strategy)
        engine.new_game(seed, game)
        for phase in range(1, ready.phase_limit + 1):
            code = engine.run_phase()
            where = f"{ready.setup}: {', '.join(seats)}, seed {seed}, game {game}, phase {phase}"
            assert code not in (FAULT, LOST_EXIT), where
            found = list(mistakes(ledger, ready))
            assert not found, f"{where}: {'; '.join(found[:5])}"
            if code == GAME_OVER:  # perhaps in the middle of what has to be whole
                break
            broken = engine.check_always()
            assert not broken, f"{where}: {ready.core.always[broken - 1].name} does not hold"


@pytest.mark.parametrize("setup", QUICK, ids=str)
def test_nothing_is_lost_or_made(setup: Setup) -> None:
    ready = rig(setup)
    for seats in ready.mixed(*ready.flat.strategies):
        assert_conserved(ready, ready.python, seats, range(3), 3)
    assert_conserved(ready, ready.python, ready.seats("random"), range(1), 3)


@pytest.mark.long
@pytest.mark.parametrize("with_mods", [False, True], ids=["plain", "mods"])
@pytest.mark.parametrize("variant", PLAYERS)
def test_nothing_is_lost_or_made_in_five_hundred_games(variant: str, with_mods: bool) -> None:
    if with_mods and variant not in FITTING:
        pytest.skip("no mod fits")
    mods = FITTING[variant] if with_mods else ()
    rigs = [rig(Setup(variant, players, mods)) for players in PLAYERS[variant]]
    tables = [(ready, seats) for ready in rigs for seats in ready.line_ups()]
    each = -(-500 // len(tables))
    for number, (ready, seats) in enumerate(tables):
        games = range(number * each, (number + 1) * each)
        assert_conserved(ready, ready.python, seats, games, 4)


# ---------------------------------------------------------------- the counting itself


def test_a_lost_card_a_doubled_house_and_a_bad_field_are_found() -> None:
    ready = rig(Setup("classic", 4))
    engine = ready.python
    ledger = Ledger(ready, engine)
    engine.new_game(1, 0)
    assert not list(mistakes(ledger, ready))
    engine.row("row_deck_cards", 0).pop()
    assert any("order" in said for said in mistakes(ledger, ready))
    engine.new_game(1, 0)
    engine.set_cell("at_card", 0, 1)
    assert list(ledger.mistakes_with_things())
    engine.new_game(1, 0)
    engine.set_scalar("s_bank_houses", 33)
    assert list(mistakes(ledger, ready)) == [
        "there is {'bank.houses': 33, 'Street.houses': 0} of house, not 32"
    ]
    engine.new_game(1, 0)
    engine.set_cell("s_player_doubles", 2, 10)
    assert list(mistakes(ledger, ready)) == ["Player.doubles of green is 10"]
