"""What can be turned, and figures of a sample."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from dsl.project.find import Library
from interpreter.bundled import variants_dir
from interpreter.engine.native_engine import NATIVE
from interpreter.lab.knobs import DataMods, Knob, WrongKnob, parse_knob
from interpreter.lab.sampling import Sample
from interpreter.playtest.conduct import Conductor


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("toll=10..50/5", "10 20 30 40 50"),
        ("toll=0..10/4", "0 3 7 10"),
        ("toll=1..3", "1 2 3"),
        ("toll=-4..4/3", "-4 0 4"),
        ("toll=5, 7,5", "5 7"),
        ("pot = yes,no", "yes no"),
        ("a.price+b.price=1,2", "1 2"),
    ],
)
def test_values(text: str, values: str) -> None:
    assert parse_knob(text) == Knob(text.partition("=")[0].strip(), tuple(values.split()))


@pytest.mark.parametrize(
    "text", ["toll", "toll=", "=5", "toll=9..1", "toll=1..9/1", "a.b.c=1", "A=1"]
)
def test_what_is_no_knob(text: str) -> None:
    with pytest.raises(WrongKnob):
        parse_knob(text)


def test_several_are_turned_together() -> None:
    assert parse_knob("a.price+b.price=1,2").set_to("2") == {"a.price": "2", "b.price": "2"}


def test_data_are_changed_by_a_mod(tmp_path: Path) -> None:
    mods = DataMods(Library([variants_dir()]), "classic", (), tmp_path)
    first = mods.mod({"new_york.price": "160", "new_york.house_cost": "50", "go.name": '"Start"'})
    written = yaml.safe_load((first / "mod.yaml").read_text(encoding="utf-8"))
    assert written["things"]["spaces"] == [
        {"id": "new_york", "price": 160, "house_cost": 50},
        {"id": "go", "name": "Start"},
    ]
    assert mods.mod({"new_york.price": "170"}) != first
    with pytest.raises(WrongKnob, match="did you mean `new_york`"):
        mods.mod({"new_yorck.price": "160"})


@pytest.mark.skipif(not NATIVE, reason="thousands of games need wasmtime")
def test_figures_are_those_of_the_report(version: Callable[..., Conductor]) -> None:
    race = version("race", 3, ("walker", "runner"))
    sample = Sample(race)
    sample.play(600)
    sample.play(200)
    report = version("race", 3, ("walker", "runner")).conduct()
    assert sample.games == 800
    sample = Sample(race)
    sample.play(report.games)
    assert report.turns is not None
    assert sample.figure("turns.mean").value == pytest.approx(report.turns.lasting.mean)
    assert sample.figure("turns.median").value == report.turns.lasting.median
    for prefix, standings in (("seat", report.won.by_seat), ("place", report.won.by_place)):
        assert standings is not None
        ids = [id_ for id_ in sample.ids() if id_.startswith(f"{prefix}.")][:-1]  # but for the gap
        assert [sample.figure(id_).value for id_ in ids] == [
            row.share.share for row in standings.rows
        ]
    steps = next(each for each in report.measures if each.name == "steps")
    assert sample.figure("measure.steps").value == pytest.approx(steps.total / report.games)
    with pytest.raises(KeyError):
        sample.figure("place.9")


@pytest.mark.skipif(not NATIVE, reason="thousands of games need wasmtime")
@pytest.mark.long
def test_intervals_cover(version: Callable[..., Conductor]) -> None:
    """300 runs of 300 games: of all kinds of figures nine or more of ten intervals hold what 90,000
    games tell; those of the median are as wide as whole turns make them."""
    whole = Sample(version("race", 3, ("walker", "runner")))
    whole.play(90_000)
    ids = ["turns.mean", "turns.median", "turns.p95", "place.1", "seat.ben", "bot.walker",
           "measure.steps", "option.none"]  # fmt: skip
    covered = dict.fromkeys(ids[:-1], 0)
    for seed in range(1, 301):
        sample = Sample(version("race", 3, ("walker", "runner"), seed=seed))
        sample.play(300)
        for id_ in covered:
            truth, seen = whole.figure(id_).value, sample.figure(id_)
            assert truth is not None
            assert seen.low is not None
            assert seen.high is not None
            covered[id_] += seen.low <= truth <= seen.high
    assert all(times >= 0.925 * 300 for times in covered.values()), covered
