"""Scripted luck: which results come first, what is said when they are used up or not possible."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics.record import Bag
from interpreter import api
from interpreter.scenario.results import ScenarioReport
from interpreter.scenario.suite import run_scenarios

MOD = 'mod: own\ntitle: "Own"\ndescription: "Own scenarios."\noverlay_for: [classic]\n'
HEAD = 'scenario "x"\n    seats red, blue\n'


def run(folder: Path, scenario: str) -> tuple[ScenarioReport, Bag]:
    mod = folder / "mods" / "own"
    (mod / "scenarios").mkdir(parents=True)
    (mod / "mod.yaml").write_text(MOD, encoding="utf-8")
    (mod / "scenarios" / "own.rules").write_text(HEAD + scenario, encoding="utf-8")
    bag = Bag()
    return run_scenarios(api.library([folder]), mod, bag), bag


def failing(folder: Path, scenario: str) -> str:
    report, bag = run(folder, scenario)
    assert not bag.has_errors, [one.message for one in bag]
    assert not report.passed
    return report.results[0].text()


@pytest.mark.parametrize("line", ["", "        luck: 3, 5\n"])
def test_what_a_saying_gives_comes_before_the_line(tmp_path: Path, line: str) -> None:
    faces = "1, 1" if line else "1, 1, 3, 5"
    report, bag = run(
        tmp_path,
        "    given blue stands_on oriental\n"
        f"    when blue rolls {faces}\n{line}        blue: buy, buy\n"
        "    then\n        blue is_on st_james\n        vermont in blue.deeds\n",
    )
    assert not bag.has_errors, [one.message for one in bag]
    assert report.passed, report.results[0].text()


def test_luck_that_is_used_up_is_told(tmp_path: Path) -> None:
    text = failing(
        tmp_path,
        "    given blue stands_on water_works\n    when blue rolls 3, 3\n        blue: buy\n"
        "    then\n        blue.cash is 1\n",
    )
    assert "note: the 2 given results of luck were used up, and " in text


def test_luck_that_is_enough_is_not(tmp_path: Path) -> None:
    text = failing(
        tmp_path, "    when blue rolls 1, 2\n        blue: buy\n    then\n        blue.cash is 1\n"
    )
    assert "used up" not in text


def test_a_result_that_is_not_possible_is_named(tmp_path: Path) -> None:
    text = failing(tmp_path, "    when blue rolls 1, 0\n    then\n        blue.cash is 1\n")
    assert "the 2nd given result of luck, 0, is not possible there" in text


def test_play_does_not_stop_before_all_luck_is_used(tmp_path: Path) -> None:
    text = failing(
        tmp_path,
        "    when blue rolls 1, 2, 3 up to purchase\n    then\n        blue may buy\n",
    )
    assert "blue was asked `purchase`, and the scenario gives no answer" in text
    assert "did not stop there before all answers and results of luck" in text
