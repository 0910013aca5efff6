"""The examples of docs/api.md and of the API's docstrings are run as they stand."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from interpreter import api

ROOT = Path(__file__).resolve().parents[2]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.fixture(autouse=True)
def in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Places are shown from the working folder."""
    monkeypatch.chdir(ROOT)


def test_page() -> None:
    found = doctest.testfile(str(ROOT / "docs/api.md"), module_relative=False, optionflags=FLAGS)
    assert found.attempted > 50
    assert found.failed == 0


def test_docstrings() -> None:
    found = doctest.testmod(api, optionflags=FLAGS)
    assert found.attempted
    assert found.failed == 0


def test_everything_public_is_described() -> None:
    page = (ROOT / "docs/api.md").read_text(encoding="utf-8")
    for name in ("Game", "Variant", "Decision"):
        for word, value in vars(getattr(api, name)).items():
            if not word.startswith("_") and (callable(value) or isinstance(value, property)):
                assert value.__doc__, f"{name}.{word}"
    for word in ("RulesError", "IllegalAnswer", "SaveError", "WrongPlayers", "Several", "Amount"):
        assert word in page
