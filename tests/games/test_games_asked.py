"""Asking only those who have something new to look at changes no game: the same games come out when
every seat is asked every time at every window."""

from __future__ import annotations

import pytest
from game_divergence import Engine, poke
from game_rigs import FITTING, PLAYERS, Rig, Setup, rig

from interpreter.engine.native_engine import NATIVE

QUICK = (
    Setup("classic", 4), Setup("cthulhu", 3), Setup("classic", 3, FITTING["classic"]),
    Setup("crooked_cash", 3), Setup("jackpot", 4), Setup("bid", 3), Setup("deal", 3),
    Setup("card_game", 3),
)  # fmt: skip
LONG = [
    *(Setup(variant, players) for variant, numbers in PLAYERS.items() for players in numbers),
    *(Setup(variant, 4, (mod,)) for variant, mods in FITTING.items() for mod in mods),
    *(Setup(variant, 4, mods) for variant, mods in FITTING.items()),
]


def played(
    engine: Engine, ready: Rig, seats: list[str], game: int, *, all_asked: bool
) -> tuple[int, ...]:
    """How a game ends, and after how many questions."""
    for seat, strategy in enumerate(seats):
        engine.seat(seat, strategy)
    engine.new_game(5, game)
    if all_asked:
        poke(engine, "always", (1 << ready.players) - 1)
    code = engine.play(ready.phase_limit)
    return code, engine.scalar("phases"), engine.digest(), engine.scalar("questions")


def assert_asking_changes_nothing(engine: Engine, ready: Rig, games: int) -> None:
    saved = 0
    for seats in ready.line_ups():
        for game in range(games):
            usual = played(engine, ready, seats, game, all_asked=False)
            asked = played(engine, ready, seats, game, all_asked=True)
            assert usual[:3] == asked[:3], f"{seats}, seed 5, game {game}"
            saved += asked[3] - usual[3]
    keeps_bits = any(name.startswith("wake_") for name in ready.flat.scalars)
    assert saved > 0 if keeps_bits else saved == 0


@pytest.mark.parametrize("setup", QUICK, ids=str)
def test_asking_everybody_changes_no_game(setup: Setup) -> None:
    ready = rig(setup)
    assert_asking_changes_nothing(
        ready.native if NATIVE else ready.python, ready, 60 if NATIVE else 4
    )


def test_asking_everybody_changes_no_game_in_python() -> None:
    ready = rig(QUICK[0])
    assert_asking_changes_nothing(ready.python, ready, 4)


@pytest.mark.long
@pytest.mark.parametrize("setup", LONG, ids=str)
def test_asking_everybody_changes_none_of_a_thousand_games(setup: Setup) -> None:
    ready = rig(setup)
    assert_asking_changes_nothing(
        ready.native if NATIVE else ready.python, ready, 1000 if NATIVE else 50
    )
