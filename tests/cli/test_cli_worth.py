"""`rulewright worth` at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runs import invoke

from interpreter.cli.worth import parse_change
from interpreter.lab.worth import WrongChange

BOTS = ("--bots", "walker,runner")


def test_things_are_taken_out(race: Path, tmp_path: Path) -> None:
    """A way that is a field shorter takes fewer turns; what rules name can't go."""
    file = tmp_path / "worth.json"
    result = invoke("worth", race, "fields", *BOTS, "--games", "300", "--json", file)
    assert result.exit_code == 0, result.output
    assert "Race: taken out, one thing at a time" in result.output
    assert "4 things, 300 pairs of games each" in result.output
    assert "4 of 4 do more than chance" in result.output
    written = json.loads(file.read_text(encoding="utf-8"))
    assert {each["id"] for each in written["things"]} == {"meadow", "river", "hill", "cave"}
    assert all(each["turns"]["high"] < 0 for each in written["things"])
    assert [each["id"] for each in written["refused"]] == ["start", "goal"]
    assert "Goal: " in result.output


def test_what_is_said_of_the_data_is_laid_aside(race: Path) -> None:
    """That there are six fields is broken on purpose."""
    script = race / "rules" / "race.rules"
    text = script.read_text(encoding="utf-8")
    script.write_text(f"{text}\nalways six: count(Field) is 6\n", encoding="utf-8")
    result = invoke("worth", race, "meadow", *BOTS, "--games", "100")
    assert "1 things, 100 pairs of games each" in result.output
    assert "could not be played" not in result.output


def test_a_field_is_changed(race: Path) -> None:
    script, data = race / "rules" / "race.rules", race / "variant.yaml"
    text = script.read_text(encoding="utf-8")
    text = text.replace("kind Field\n", "kind Field\n    mud: 0..40\n")
    text = text.replace("luck picks n in 0..1", "luck picks n in 0..1 + player.field.mud")
    script.write_text(text, encoding="utf-8")
    head, things, fields = data.read_text(encoding="utf-8").partition("things:\n")
    data.write_text(head + things + fields.replace('"}', '", mud: 2}'), encoding="utf-8")
    args = ("--change", "mud=300%", *BOTS, "--games", "300")
    result = invoke("worth", race, "meadow", "goal", *args)
    assert result.exit_code == 0, result.output
    assert "mud at 300 %, one thing at a time" in result.output
    meadow, goal = (
        next(line for line in result.output.splitlines() if line.startswith(name))
        for name in ("Meadow", "Goal")
    )
    assert "+" in meadow.split()[1]
    assert goal.split()[1] == "+0.00"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("medow",), "did you mean `meadow`"),
        (("--change", "mud"), "write FIELD=PERCENT%"),
        (("--change", "mud=80%"), "no thing has a number `mud`"),
    ],
)
def test_wrong_usage(race: Path, args: tuple[str, ...], said: str) -> None:
    result = invoke("worth", race, *args, "--games", "20")
    assert result.exit_code == 2, result.output
    assert said in result.output


def test_changes() -> None:
    assert parse_change("price=80%").of(250) == 200
    assert parse_change("price = 80").of(250) == 80
    assert parse_change("price=33.3%").of(10) == 3
    for wrong in ("price", "price=", "price=1.5", "price=-1", "Price=3"):
        with pytest.raises(WrongChange):
            parse_change(wrong)
