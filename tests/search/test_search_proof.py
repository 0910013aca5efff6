"""Searching beats the written strategies: the 400 games each that docs/bots.md tells of."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/bots.md"
GAMES = 400


def claims() -> list[tuple[str, str]]:
    """Variants and bots in the table of the page."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    rows = (re.match(r"\| `(\w+)` \| `(ismcts:\d+)` \|", line) for line in lines)
    return [(row[1], row[2]) for row in rows if row]


def test_the_page_tells_of_both_games() -> None:
    assert [variant for variant, _ in claims()] == ["deal", "card_game"]


@pytest.mark.long
@pytest.mark.parametrize(("variant", "bot"), claims())
def test_searching_beats_the_written_strategies(
    variant: str, bot: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tests/benchmarks"))
    ismcts = importlib.import_module("ismcts")
    match = ismcts.Match(variant, bot, ismcts.written_strategies(variant))
    *_, result = ismcts.play_match(match, GAMES, 2)
    assert result.is_better, str(result)
