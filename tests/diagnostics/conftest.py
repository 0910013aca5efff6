"""For tests of diagnostics: codes without a page fail where they are raised; golden files."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.diagnostics.record import DEBUG_VARIABLE

os.environ.setdefault(DEBUG_VARIABLE, "1")

Golden = Callable[[str, str], None]


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compares a text with a file of the folder `golden`; RULEWRIGHT_BLESS=1 rewrites the file."""

    def compare(name: str, text: str) -> None:
        path = request.path.parent / "golden" / name
        if os.environ.get("RULEWRIGHT_BLESS"):
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="")
        assert text == _read(path)

    return compare


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8") if path.exists() else ""
