"""For tests of sampling and search bots: the games that several of them play."""

from __future__ import annotations

from pathlib import Path

import pytest
from search_games import BOXES, GUESS, write_game

from interpreter import api


@pytest.fixture(scope="session")
def boxes(tmp_path_factory: pytest.TempPathFactory) -> api.Variant:
    """Hidden hands, boxes and marks, for three."""
    path = write_game(tmp_path_factory.mktemp("games"), BOXES, "boxes")
    return api.load_variant(path, players=3, cached=False)


@pytest.fixture(scope="session")
def guess(tmp_path_factory: pytest.TempPathFactory) -> api.Variant:
    """A game of one hidden card and one bet, for two."""
    path: Path = write_game(tmp_path_factory.mktemp("games"), GUESS, "guess")
    return api.load_variant(path, players=2, cached=False)
