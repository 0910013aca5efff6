"""For tests of sessions: codes without a page fail where they are raised; one cache for all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from session_games import DUEL, write_game

from dsl.diagnostics.record import DEBUG_VARIABLE
from interpreter import api

os.environ.setdefault(DEBUG_VARIABLE, "1")

Write = Callable[..., Path]


@pytest.fixture(scope="session")
def duel(tmp_path_factory: pytest.TempPathFactory) -> api.Variant:
    """The small game, for three."""
    path = write_game(tmp_path_factory.mktemp("games"), DUEL)
    return api.load_variant(path, players=3, cached=False)


@pytest.fixture(scope="session")
def classic() -> api.Variant:
    """Classic, for four."""
    return api.load_variant("classic", players=4)
