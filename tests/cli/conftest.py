"""What the tests of the command line share: running a command here or in a process of its own."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def race(tmp_path: Path) -> Path:
    """A copy of the small game of steps, to be changed and broken."""
    source = Path(__file__).resolve().parents[1] / "playtest" / "games" / "race"
    target = tmp_path / "race"
    for path in sorted(source.rglob("*")):
        if path.is_file():
            copy = target / path.relative_to(source)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    return target
