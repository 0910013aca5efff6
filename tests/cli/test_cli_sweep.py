"""`rulewright sweep` and `rulewright seek` at the command line."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from cli_runs import invoke, process

BOTS = ("--bots", "walker,runner")


@pytest.fixture
def way(race: Path) -> Path:
    """The race with a switch for how rare a slow step is, and a field of the data that adds to
    it."""
    script = race / "rules" / "race.rules"
    text = script.read_text(encoding="utf-8")
    switch = 'switch odds: 1..40 = 1, "How rare a slow step is"\n'
    text = text.replace("choice Pace", f"{switch}choice Pace")
    text = text.replace("luck picks n in 0..1", "luck picks n in 0..odds + start.mud")
    text = text.replace("kind Field\n", "kind Field\n    mud: 0..40\n")
    script.write_text(text, encoding="utf-8")
    data = race / "variant.yaml"
    head, things, fields = data.read_text(encoding="utf-8").partition("things:\n")
    data.write_text(head + things + fields.replace('"}', '", mud: 0}'), encoding="utf-8")
    return race


def test_a_switch_is_turned(way: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    args = ("--over", "odds=1..9/3", "--show", "turns.mean,place.1", "--games", "200", "--csv", "-")
    result = invoke("sweep", way, *args, *BOTS, "--json", file)
    assert result.exit_code == 0, result.output
    rows = list(csv.DictReader(io.StringIO(result.stdout)))
    assert [(row["odds"], row["figure"]) for row in rows[:3]] == [
        ("1", "turns.mean"), ("1", "place.1"), ("5", "turns.mean"),
    ]  # fmt: skip
    means = [float(row["value"]) for row in rows if row["figure"] == "turns.mean"]
    assert means[0] < means[1] < means[2]
    assert "turns.mean: from" in result.stderr
    written = json.loads(file.read_text(encoding="utf-8"))
    assert written["points"][2]["figures"]["turns.mean"]["value"] == means[2]


def test_data_are_turned_with_a_switch(way: Path) -> None:
    args = ("--over", "start.mud=0,4", "--over", "odds=1,2", "--show", "turns.mean")
    result = invoke("sweep", way, *args, "--games", "50", *BOTS)
    assert result.exit_code == 0, result.output
    for values in ("0, 1", "0, 2", "4, 1", "4, 2"):
        assert f"\n{values} " in result.output


def test_a_value_is_found(way: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    args = ("--over", "odds=1..20/5", "--goal", "turns.mean=40", "--games", "300")
    result = invoke("seek", way, *args, *BOTS, "--json", file)
    assert result.exit_code == 0, result.output
    assert "turns.mean is 40 at odds = " in result.output
    (answer,) = json.loads(file.read_text(encoding="utf-8"))["answers"]
    assert answer["low"] <= answer["value"] <= answer["high"]


def test_no_value_is_found(way: Path) -> None:
    args = ("--over", "odds=1..20/3", "--goal", "turns.mean=2", "--games", "100")
    done = process("seek", way, *args, *BOTS)
    assert done.returncode == 1
    assert "No value of odds reaches 2: lowest " in done.stdout


@pytest.mark.parametrize(
    ("command", "args", "said"),
    [
        ("sweep", ("--over", "odds"), "write SWITCH=FROM..TO"),
        ("sweep", ("--over", "odds=1,2", "--over", "odds=3,4"), "Each --over turns something else"),
        ("sweep", ("--over", "ods=1,2"), "ods"),
        ("sweep", ("--over", "odds=1,2", "--show", "turns.maen"), "did you mean `turns.mean`"),
        ("sweep", ("--over", "stat.mud=1,2"), "the data have no thing `stat`"),
        ("seek", ("--over", "odds=1..9", "--goal", "turns"), "write FIGURE=NUMBER"),
        ("seek", ("--over", "odds=a,b", "--goal", "turns.mean=9"), "Only between whole numbers"),
        ("seek", ("--over", "odds=1,1", "--goal", "turns.mean=9"), "nothing between"),
    ],
)
def test_wrong_usage(way: Path, command: str, args: tuple[str, ...], said: str) -> None:
    result = invoke(command, way, *args, "--games", "20", *BOTS)
    assert result.exit_code == 2, result.output
    assert said in result.output
