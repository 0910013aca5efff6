"""How well mistakes are found, placed and explained. `table.txt` has the figures of the last run
that was blessed; `RULEWRIGHT_BLESS=1 pytest -m long tests/mistakes` writes it anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from slip_judging import Judge, Judged, all_slips, share_of, table
from slips import Slip

TABLE = Path(__file__).parent / "table.txt"
MANY = 4_000

FOUND, NAMES_FOUND, ON_LINE, MENDED, REPORTS = 0.96, 0.99, 0.98, 0.85, 1.2


def judged(slips: list[Slip]) -> list[Judged]:
    judge = Judge()
    return [judge.judge(slip) for slip in slips]


def assert_good(found: list[Judged]) -> None:
    names = share_of(one for one in found if " misspelt: " in one.slip.kind)
    all_ = share_of(found)
    assert names.found >= NAMES_FOUND * names.slips, table(found)
    assert all_.found >= FOUND * all_.slips, table(found)
    assert all_.on_line >= ON_LINE * all_.found, table(found)
    assert all_.mended >= MENDED * all_.asked, table(found)
    assert all_.reports <= REPORTS * all_.found, table(found)


def test_slips_in_a_small_game() -> None:
    """One of each kind that a small game has room for."""
    slips = all_slips(("bid",))
    first = {slip.kind: slip for slip in reversed(slips)}
    assert len(first) >= 50
    assert_good(judged(list(first.values())))


@pytest.mark.long
def test_slips_in_all_games() -> None:
    slips = all_slips()[:MANY]
    assert len(slips) == MANY
    found = judged(slips)
    assert_good(found)
    if os.environ.get("RULEWRIGHT_BLESS"):
        TABLE.write_text(table(found), encoding="utf-8")
