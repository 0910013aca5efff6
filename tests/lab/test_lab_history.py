"""Histories: one line for each meaning and line-up, and what differs between two."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from interpreter.lab.history import NoHistory, Run, Shift, add_run, read_runs, shifts
from interpreter.playtest.conduct import Conductor
from interpreter.playtest.estimates import Estimate
from interpreter.playtest.report import Report


@pytest.fixture(scope="module")
def report(version: Callable[..., Conductor]) -> Report:
    return version("race", 3, ("walker", "runner"), switches={"prize": "7"}).conduct()


def test_a_line_for_each_meaning_and_line_up(report: Report, tmp_path: Path) -> None:
    file = tmp_path / "history.sqlite"
    add_run(file, report, "aaaa", "2025-01-01T00:00:00+00:00")
    add_run(file, report, "bbbb", "2025-01-02T00:00:00+00:00")
    alone = replace(report, setting=replace(report.setting, bots=("walker",)))
    add_run(file, alone, "bbbb", "2025-01-03T00:00:00+00:00")
    add_run(file, report, "aaaa", "2025-01-04T00:00:00+00:00")
    runs = read_runs(file)
    assert [(run.meaning, run.bots, run.time[:10]) for run in runs] == [
        ("bbbb", ("walker", "runner"), "2025-01-02"),
        ("bbbb", ("walker",), "2025-01-03"),
        ("aaaa", ("walker", "runner"), "2025-01-04"),
    ]
    assert runs[-1].figures == report.estimates
    assert (runs[0].games, runs[0].seed) == (report.games, report.setting.seed)


def run_with(value: float, error: float) -> Run:
    seen = Estimate(value, value - 1.959963984540054 * error, value + 1.959963984540054 * error)
    figures = {
        "turns.mean": seen,
        "turns.p95": Estimate(None, None, None),
        "limit": Estimate(0, 0, 0),
    }
    return Run(1, "", "race", "aaaa", "", 3, ("walker",), 100, 0, "1", figures)


def test_what_differs() -> None:
    """10 +- 3 and 22 +- 4: 12 apart, an error of 5, 2.4 of them; of two tests the surest twice."""
    found = shifts(run_with(10, 3), run_with(22, 4))
    assert [each.id for each in found] == ["turns.mean", "turns.p95", "limit"]
    mean, quantile, limit = found
    assert mean.p == pytest.approx(2 * 0.016395, rel=1e-3)
    assert quantile == Shift(
        "turns.p95", Estimate(None, None, None), Estimate(None, None, None), None
    )
    assert limit.p == 1


def test_what_is_no_history(tmp_path: Path) -> None:
    file = tmp_path / "history.sqlite"
    file.write_text("a text, longer than the head of a database" * 20)
    with pytest.raises(NoHistory, match="can't be read as a history"):
        read_runs(file)
    file.unlink()
    base = sqlite3.connect(file)
    base.execute("PRAGMA user_version = 9")
    base.close()
    with pytest.raises(NoHistory, match="a newer form, 9"):
        read_runs(file)
