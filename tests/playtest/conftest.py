"""What the tests of playtests share: a small game of steps, compiled once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from interpreter.playtest.conduct import Conductor, Plan
from interpreter.playtest.printing import print_machine
from interpreter.session.compile import CompiledGame, load_compiled
from interpreter.session.request import Request

GAMES = Path(__file__).parent / "games"


@pytest.fixture(scope="session")
def race() -> CompiledGame:
    """The game in games/race, for three."""
    bag = Bag()
    game = load_compiled(Request(Library([GAMES]), "race", 3), bag)
    assert game is not None, bag.sorted()
    return game


@pytest.fixture
def conductor() -> Callable[..., Conductor]:
    """Makes a plan for a game ready to be played."""

    def make(game: CompiledGame, **plan: object) -> Conductor:
        return Conductor(game, Plan(**plan), print_machine)  # type: ignore[arg-type]

    return make
