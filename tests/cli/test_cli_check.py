"""`rulewright check`: exit codes, formats, what is checked, and no traceback for anything."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from cli_runs import invoke

RULES = "rules/race.rules"


def change(folder: Path, old: str, new: str, file: str = RULES) -> None:
    path = folder / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def write_mod(folder: Path, rules: str, head: str = "") -> Path:
    mod = folder / "mods" / "wind"
    (mod / "rules").mkdir(parents=True)
    (mod / "mod.yaml").write_text(f'mod: wind\ntitle: "Wind"\n{head}', encoding="utf-8")
    (mod / "rules" / "wind.rules").write_text(rules, encoding="utf-8")
    return mod


# ---------------------------------------------------------------- exit codes


def test_nothing_to_mend(race: Path) -> None:
    result = invoke("check", race)
    assert (result.exit_code, result.output) == (
        0,
        f"{race} (2 and 4 players): nothing to mend\n",
    )


def test_a_bundled_variant_by_name() -> None:
    result = invoke("check", "classic")
    assert result.exit_code == 0, result.output
    assert "classic (2 and 8 players): nothing to mend" in result.output


def test_findings_end_with_1(race: Path) -> None:
    change(race, "stride by player with slow", "stride by plyer with slow")
    result = invoke("check", race)
    assert result.exit_code == 1
    assert "race.rules:22:23" in result.output
    assert "did you mean `player`?" in result.output
    assert result.output.rstrip().endswith("1 error")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("clasic",), "There is no variant or mod `clasic`; did you mean `classic`?"),
        (("./nowhere",), "There is nothing at `./nowhere`."),
        (("classic", "--format", "xml"), "Invalid value for '--format'"),
        (("classic", "--set", "go_salary"), "write SWITCH=VALUE"),
        (("classic", "--set", "go_salry=3"), "did you mean `go_salary`?"),
        (("classic", "--set", "go_salary=lots"), "go_salary"),
        (("classic", "--with", "speed_ply"), "did you mean `speed_play`?"),
        (("classic", "--profile", "old"), "has no profile `old`"),
        (("classic", "--players", "99"), "is for 2 to 8 players, not for 99"),
        (("classic", "--players", "0"), "Invalid value for '--players'"),
        (("classic", "--format", "json", "--bounds"), "leave --format out"),
        (("--nonsense",), "No such option"),
    ],
)
def test_wrong_usage_ends_with_2(args: tuple[str, ...], said: str) -> None:
    result = invoke("check", *args)
    assert result.exit_code == 2, result.output
    assert said in result.output


def test_a_folder_without_anything(tmp_path: Path) -> None:
    result = invoke("check", tmp_path)
    assert result.exit_code == 2
    assert "no variant.yaml or mod.yaml" in result.output


# ---------------------------------------------------------------- formats


@pytest.fixture
def broken(race: Path) -> Path:
    """A game with a mistake in its rules and one in another file."""
    change(race, "move prize from player.purse", "move price from player.purse")
    change(race, "me.purse >= 5", "me.pursee >= 5", "strategies/race.rules")
    return race


def test_json(broken: Path) -> None:
    result = invoke("check", broken, "--format", "json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)
    assert {each["severity"] for each in found} == {"error"}
    assert [Path(each["file"]).name for each in found] == ["race.rules", "race.rules"]
    assert found[0]["help"] == "did you mean `prize`?"
    assert json.loads(invoke("check", "classic", "--format", "json").stdout) == []


def test_sarif(broken: Path) -> None:
    result = invoke("check", broken, "--format", "sarif")
    log = json.loads(result.stdout)
    assert log["version"] == "2.1.0"
    driver = log["runs"][0]["tool"]["driver"]
    assert driver["semanticVersion"] != "0.0.0"
    assert len(log["runs"][0]["results"]) == 2


def test_github(broken: Path) -> None:
    lines = invoke("check", broken, "--format", "github").stdout.splitlines()
    assert len(lines) == 2
    assert all(line.startswith("::error file=") for line in lines)


def test_text_has_no_colour_where_nobody_looks(broken: Path) -> None:
    assert "\x1b" not in invoke("check", broken).output


# ---------------------------------------------------------------- what is checked


def test_the_largest_number_of_players_too(race: Path) -> None:
    # With two players there is no Dan.
    change(race, "-- Who is there first", "rule last: after set_up\n    move 1 from bank.chest to "
           "dan.purse\n-- Who is there first")  # fmt: skip
    assert invoke("check", race).exit_code == 1
    assert invoke("check", race, "--players", "4").exit_code == 0


def test_findings_of_both_are_told_once(race: Path) -> None:
    change(race, "-- Who is there first", "rule last: after set_up\n    say nothing_here\n-- Who")
    output = invoke("check", race).output
    assert output.count("error[") == 1


def test_a_mod_is_checked_with_its_variants(race: Path) -> None:
    mod = write_mod(
        race.parent,
        "rule gust: after stride by player with pace\n    move prize from bank.chest to player\n",
        "overlay_for: [race]\n",
    )
    result = invoke("check", mod)
    assert result.exit_code == 0, result.output
    assert "race --with wind (2 and 4 players): nothing to mend" in result.output
    change(mod, "prize", "price", "rules/wind.rules")
    result = invoke("check", mod)
    assert result.exit_code == 1
    assert "did you mean `prize`?" in result.output


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def test_what_conflicts_with_a_mod_is_left_out(race: Path) -> None:
    put(race.parent / "sprint" / "variant.yaml", 'variant: sprint\ntitle: "X"\nextends: race\n')
    mod = write_mod(race.parent, "", "overlay_for: [race]\nconflicts: [sprint]\n")
    result = invoke("check", mod)
    assert result.output.endswith("race --with wind (2 and 4 players): nothing to mend\n")
    assert result.exit_code == 0
    change(mod, "[sprint]", "[sprint, race]", "mod.yaml")
    result = invoke("check", mod)
    assert result.exit_code == 1
    assert "the mod `wind`, or one that it needs, conflicts with `race`" in result.output


@pytest.mark.parametrize("command", [["check"], ["test"], ["test", "--mutants", "5"]])
def test_a_mod_for_a_variant_that_is_not_there_says_so(race: Path, command: list[str]) -> None:
    mod = write_mod(race.parent, "", "overlay_for: [rase]\n")
    result = invoke(*command, mod)
    assert result.exit_code == 1
    assert "is made for `rase`, and no such variant is known here" in result.output
    assert "did you mean `race`?" in result.output
    assert "no scenarios" not in result.output


def test_mods_that_a_mod_needs_come_along(race: Path) -> None:
    """For its check and for its scenarios, which are checked and run under just these mods."""
    write_mod(race.parent, "define gust: 1..3 = 2\n", "overlay_for: [race]\n")
    mod = race.parent / "mods" / "gale"
    head = 'mod: gale\ntitle: "Gale"\noverlay_for: [race]\nneeds_mods: [wind]\n'
    put(mod / "mod.yaml", head)
    put(mod / "rules" / "gale.rules", 'switch blown: 0..9 = 1, "By how much"\n')
    played = "    when play turn\n        ann: walk\n        luck: 0\n    then\n"
    scenario = f'scenario "it blows"\n{played}        gust is 2\n        blown is 1\n'
    put(mod / "scenarios" / "gale.rules", scenario)
    result = invoke("check", mod)
    assert "race --with wind,gale (2 and 4 players)" in result.output
    assert "error" not in result.output
    tested = invoke("test", mod)
    assert "1 passed" in tested.output
    assert tested.exit_code == 0
    change(mod, "gust is 2", "gusts is 2", "scenarios/gale.rules")
    assert "did you mean `gust`?" in invoke("check", mod).output
    change(mod, "gusts is 2", "gust is 3", "scenarios/gale.rules")
    assert invoke("test", mod).exit_code == 1


def test_a_mod_for_all_is_left_out_where_it_makes_no_sense(race: Path) -> None:
    mod = write_mod(race.parent, 'rule gust: after stride by player with pace\n    say "whoosh"\n')
    result = invoke("check", mod)
    assert result.exit_code == 0, result.output
    assert "race --with wind" in result.output
    assert "classic" not in result.output


def test_a_mod_over_a_named_variant(race: Path) -> None:
    mod = write_mod(race.parent, 'rule gust: after stride by player with pace\n    say "whoosh"\n')
    assert invoke("check", race, "--with", mod).exit_code == 0


def test_a_folder_of_several(race: Path) -> None:
    write_mod(race.parent, 'rule gust: after stride by player with pace\n    say "whoosh"\n')
    result = invoke("check", race.parent)
    assert result.exit_code == 0, result.output
    assert "race" in result.output
    assert "--with wind" in result.output


def test_a_file_stands_for_its_variant(race: Path) -> None:
    assert invoke("check", race / RULES).exit_code == 0


def test_scenarios_are_checked(race: Path) -> None:
    change(race, "ann.purse is 5", "ann.purs is 5", "scenarios/race.rules")
    assert "did you mean `purse`?" in invoke("check", race).output


def test_assumed_and_bounds(race: Path) -> None:
    change(race, "limits:", 'assumed:\n  - {what: "five coins", why: "nobody knows"}\nlimits:',
           "variant.yaml")  # fmt: skip
    result = invoke("check", race, "--assumed", "--bounds")
    assert result.exit_code == 0, result.output
    assert "five coins" in result.output
    assert "nobody knows" in result.output
    assert "2 players" in result.output
    assert "bytes" in result.output
    assert "60, then the game is stopped" in result.output


# ---------------------------------------------------------------- no traceback, ever


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\xff\xfe\x80", b"variant: [", b"- 1\n- 2\n", b"variant: race\n", b"\xef\xbb\xbf"],
)
def test_broken_data(race: Path, content: bytes) -> None:
    (race / "variant.yaml").write_bytes(content)
    assert invoke("check", race).exit_code in (1, 2)


@pytest.mark.parametrize(
    "content",
    [b"\x00\xff\xfe\x80", b"rule", b"\tphase", b"(" * 5_000, b"define x: money = " + b"1+" * 3_000],
)
def test_broken_rules(race: Path, content: bytes) -> None:
    (race / RULES).write_bytes(content)
    assert invoke("check", race).exit_code == 1


def test_things_that_are_no_files(race: Path) -> None:
    (race / RULES).unlink()
    (race / RULES).mkdir()
    assert invoke("check", race).exit_code == 1
    assert invoke("check", "\x00").exit_code == 2
    assert invoke("check", "x" * 5_000).exit_code == 2


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="everything can be read here")
def test_a_file_that_cannot_be_read(race: Path) -> None:
    (race / RULES).chmod(0)
    assert invoke("check", race).exit_code == 1


def test_scenarios_are_checked_under_their_own_rules_only(race: Path) -> None:
    """Another mod may take away what the scenarios of a mod or of the variant are about."""
    mod = write_mod(
        race.parent,
        'rule gust: after set_up\n    say "oh"\n',
        "overlay_for: [race]\n",
    )
    (mod / "scenarios").mkdir()
    (mod / "scenarios" / "wind.rules").write_text(
        'scenario "x"\n    seats ann, ben\n    when nonsense happens\n    then\n        yes\n',
        encoding="utf-8",
    )
    assert invoke("check", mod).exit_code == 1
    other = race.parent / "mods" / "fog"
    other.mkdir()
    (other / "mod.yaml").write_text(
        'mod: fog\ntitle: "Fog"\ndescription: "Thick."\noverlay_for: [race]\n', encoding="utf-8"
    )
    result = invoke("check", other, "--with", mod)
    assert result.exit_code == 0, result.output


def test_scenarios_for_any_seats_and_switches_are_checked(race: Path) -> None:
    scenarios = race / "scenarios" / "more.rules"
    seats = "    seats ann, ben, cleo\n"
    steps = "    when play turn\n    then\n        ann.purse is 0\n"
    good = f'scenario "one"\n{seats}    set prize = 7\n{steps}'
    scenarios.write_text(good)
    assert invoke("check", race).exit_code == 0
    scenarios.write_text(good.replace("    set prize = 7", "    with nomod"))
    assert "RW1003" in invoke("check", race).output
    for wrong in (
        good.replace("ann.purse", "ann.purze"),
        good.replace("    set prize = 7\n", "").replace("ann.purse", "ann.purze"),
    ):
        scenarios.write_text(wrong)
        result = invoke("check", race)
        assert result.exit_code == 1
        assert "RW0503" in result.output


def test_what_a_scenario_sets_is_judged_where_it_is_set(race: Path) -> None:
    """Most is looked at under the switches of the variant; it must be right under its own."""
    change(race, "* fly\n", '* fly\n            needs not windless, "there is no wind"\n')
    change(race, "choice Pace", "switch windless: flag = no\nchoice Pace")
    steps = "    when play turn up to hurry\n    then\n        ann may not fly, "
    calm = f'scenario "calm"\n    seats ann, ben, cleo\n    set windless = yes\n{steps}'
    scenarios = race / "scenarios" / "calm.rules"
    scenarios.write_text(f'{calm}"there is no wind"\n')
    assert invoke("check", race).output.endswith(": nothing to mend\n")
    assert invoke("test", race, "-k", "calm").exit_code == 0
    wrong = {
        f'{calm}"there is no snow"\n': "RW0907",
        f'{calm}"nobody is that rich"\n': None,
        f'{calm}"there is no wind"\n'.replace("= yes", "= 3"): "RW0601",
        f'{calm}"there is no wind"\n'.replace("set windless = yes", "profile gale"): "RW1011",
    }
    for text, code in wrong.items():
        scenarios.write_text(text)
        result = invoke("check", race)
        assert result.exit_code == (code is not None), result.output
        assert code is None or code in result.output, result.output
        assert result.output.count("error[") == (code is not None), result.output
        assert invoke("test", race, "-k", "calm").exit_code == 1
