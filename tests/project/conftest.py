"""What the tests of loading share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from project_games import Shelf

from dsl.diagnostics.record import DEBUG_VARIABLE

os.environ.setdefault(DEBUG_VARIABLE, "1")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    """An empty library folder."""
    return Shelf(tmp_path / "shelf")


@pytest.fixture
def harbour(shelf: Shelf) -> Shelf:
    """A library folder with the small game."""
    shelf.put_harbour()
    return shelf
