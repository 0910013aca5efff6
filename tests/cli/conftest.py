"""What the tests of the command line share: running a command here or in a process of its own."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True, scope="session")
def heeds_ctrl_c() -> Iterator[None]:
    """Commands heed Ctrl-C also where the tests run in the background, where it is ignored: what a
    process ignores, its children ignore."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


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
