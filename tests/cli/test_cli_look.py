"""The commands that show something: list, words, explain, explain-order, schema, compile, test."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from cli_runs import invoke

from dsl.core import nodes as core
from interpreter.cli import checking

# ---------------------------------------------------------------- list, explain


def test_list_names_variants_and_mods() -> None:
    output = invoke("list").output
    assert "classic " in output
    assert "2 to 8 players" in output
    assert "extends classic" in output
    assert "speed_play" in output
    assert "for classic, cthulhu" in output


def test_list_of_a_folder(race: Path) -> None:
    output = invoke("list", race.parent).output
    assert "race  Race (2 to 4 players)" in output
    assert "classic" not in output


@pytest.mark.parametrize("code", ["RW0301", "rw0301", "301"])
def test_explain(code: str) -> None:
    output = invoke("explain", code).output
    assert output.startswith("# RW0301 ")
    assert "## Good" in output


def test_explain_what_there_is_not() -> None:
    result = invoke("explain", "RW0031")
    assert result.exit_code == 2
    assert "There is no code `RW0031`" in result.output


# ---------------------------------------------------------------- words, explain-order


def test_words(race: Path) -> None:
    output = invoke("words", race).output
    assert "event\n" in output
    assert "stride by player with pace: Pace" in output
    assert "Everybody steps on, slowly or fast." in output
    assert "race.rules:17" in output
    few = invoke("words", race, "prize").output
    assert few.splitlines()[0] == "switch"
    assert "stride" not in few


def test_words_that_are_not_there(race: Path) -> None:
    result = invoke("words", race, "strid_e")
    assert result.exit_code == 2
    assert "did you mean `stride`?" in result.output


def test_explain_order(race: Path) -> None:
    output = invoke("explain-order", race, "stride").output
    places = [output.index(name) for name in ("slow_step", "fast_step", "wings", "arrival")]
    assert places == sorted(places)
    assert "if pace is slow" in output
    assert "phase" not in output
    assert "event stride by with" in invoke("explain-order", race).output
    result = invoke("explain-order", race, "strde")
    assert result.exit_code == 2
    assert "did you mean `stride`?" in result.output


# ---------------------------------------------------------------- schema, compile


def test_schema(race: Path) -> None:
    schema = json.loads(invoke("schema", race).stdout)
    assert "fields" in schema["properties"]["things"]["properties"]
    assert "prize" in schema["$defs"]["switches"]["properties"]
    assert "things" in json.loads(invoke("schema").stdout)["properties"]


def test_schema_while_the_data_are_being_written(race: Path) -> None:
    path = race / "variant.yaml"
    path.write_text(path.read_text(encoding="utf-8") + "\nlimts: {phases: 3}\n", encoding="utf-8")
    result = invoke("schema", race)
    assert result.exit_code == 0
    assert "fields" in json.loads(result.stdout)["properties"]["things"]["properties"]


@pytest.mark.parametrize(
    ("stage", "part"),
    [
        ("core", "event stride by with (player: Player, pace: Pace)"),
        ("flat", "function do_phase_turn"),
        ("python", "def do_phase_turn("),
        ("wat", "(module"),
    ],
)
def test_compile(race: Path, stage: str, part: str) -> None:
    result = invoke("compile", race, "--emit", stage)
    assert result.exit_code == 0, result.output
    assert part in result.output


def test_compile_one_part(race: Path) -> None:
    output = invoke("compile", race, "--emit", "flat", "--only", "do_phase_turn").output
    assert "function do_phase_turn" in output
    assert "function do_phase_start" not in output
    assert "arrival" in invoke("compile", race, "--emit", "core", "--only", "arrival").output
    one = invoke("compile", race, "--emit", "python", "--only", "do_phase_turn").output
    assert "def do_phase_turn(" in one
    assert "def do_phase_start(" not in one
    one = invoke("compile", race, "--emit", "wat", "--only", "do_phase_turn").output
    assert "(func $do_phase_turn" in one
    assert "(func $do_phase_start" not in one


def test_compile_after_a_pass(race: Path) -> None:
    def flat(*more: str) -> str:
        return str(invoke("compile", race, "--emit", "flat", *more).output)

    assert "(Give " in flat("--after", "lowering")
    assert "(Give " not in flat("--after", "exits")
    assert flat("--after", "propagate") == flat()
    wrong = invoke("compile", race, "--emit", "flat", "--after", "magic")
    assert wrong.exit_code == 2
    assert "There is no pass `magic`: lowering, guard, hoist," in wrong.output
    assert invoke("compile", race, "--emit", "wat", "--after", "exits").exit_code == 2


def test_compile_plainly(race: Path) -> None:
    plain, usual = invoke("compile", race, "--plain").output, invoke("compile", race).output
    assert plain.count("def ") > usual.count("def ")
    assert invoke("compile", race).output == usual


def test_compile_again_takes_what_is_kept(race: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = invoke("compile", race).output
    checked = checking.checked_game
    monkeypatch.setattr(checking, "checked_game", None)
    assert invoke("compile", race).output == first
    monkeypatch.setattr(checking, "checked_game", checked)
    rules = race / "rules" / "race.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + "define spare: money = 7\n", "utf-8")
    assert "spare" in invoke("compile", race, "--emit", "core").output
    assert invoke("compile", race, "--emit", "core", "--players", "2").output != first


def test_compile_of_something_broken(race: Path) -> None:
    (race / "rules" / "race.rules").write_text("rule x: after nothing\n", encoding="utf-8")
    result = invoke("compile", race)
    assert result.exit_code == 1
    assert "error[" in result.output


# ---------------------------------------------------------------- test


def test_scenarios_pass(race: Path) -> None:
    result = invoke("test", race)
    assert result.exit_code == 0
    assert "1 passed in " in result.output
    assert "passed: a fast step always moves on" in invoke("test", race, "-v").output


def test_a_scenario_fails(race: Path) -> None:
    path = race / "scenarios" / "race.rules"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("ann.purse is 5", "ann.purse is 7"), encoding="utf-8")
    result = invoke("test", race)
    assert result.exit_code == 1
    for part in ("FAILED: a fast step", "given:", "expected: ann.purse is 7", "got:", "fast_step"):
        assert part in result.output
    assert "1 failed" in result.output


def test_scenarios_by_a_word_in_their_title(race: Path) -> None:
    assert "1 passed in " in invoke("test", race, "-k", "FAST").output
    result = invoke("test", race, "-k", "swim")
    assert result.exit_code == 2
    assert "There is no scenario with `swim` in its title in " in result.output


def test_one_scenario_with_a_mistake_leaves_the_others_alone(race: Path) -> None:
    for name, text in (
        ("a", 'scenario "x"\n    when play turn\n    then\n        ann.purse is nope\n'),
        ("b", 'scenario "y"\n    profile none_such\n    then\n        1 is 1\n'),
        ("c", 'scenario "z"\n    with none_such\n    then\n        1 is 1\n'),
        ("d", 'scenario "q"\n    given ann.purse =\n    then\n        1 is 1\n'),
        ("e", 'scenario "p"\n    then\n        1 is 1\n'),
    ):
        (race / "scenarios" / f"{name}.rules").write_text(text, encoding="utf-8")
    result = invoke("test", race)
    assert result.exit_code == 1
    codes = ("RW0501", "RW1011", "RW1003", "RW0202")
    assert [result.output.count(f"error[{code}]") for code in codes] == [1, 1, 1, 1]
    assert result.output.startswith("error[")
    assert "FAILED" not in result.output
    assert "2 passed, 4 can't be run before the mistakes are mended in" in result.output


def test_coverage(race: Path) -> None:
    output = invoke("test", race, "--coverage").output
    assert "rules, options and cards ran" in output
    assert "never: rule slow_step" in output
    assert "never: answer hurry.walk" in output
    assert "fast_step" not in output


def test_mistakes_are_findings(race: Path) -> None:
    (race / "scenarios" / "more.rules").write_text('scenario "x"\n    then\n        nope is 1\n')
    result = invoke("test", race)
    assert result.exit_code == 1
    assert "error[" in result.output


# ---------------------------------------------------------------- ids, sayings, what ends


def test_words_list_ids_with_their_names() -> None:
    ids = invoke("words", "classic", "ids").output
    assert re.search(r"^  boardwalk +Boardwalk  \[Street\]$", ids, re.MULTILINE)
    cards = invoke("words", "classic", "cards").output
    assert "ids of cards\n" in cards
    assert "ids of spaces" not in cards
    by_name = invoke("words", "classic", "pacific ave").output
    assert "pacific  Pacific Avenue  [Street]" in by_name
    assert "ids of seats" in invoke("words", "classic", "seats").output
    result = invoke("words", "classic", "Pacifik Avenue")
    assert result.exit_code == 2
    assert "did you mean `Pacific Avenue`?" in result.output


@pytest.mark.parametrize("word", ["saying", "sayings"])
def test_words_list_sayings(word: str) -> None:
    output = invoke("words", "classic", word).output
    assert "player owns deeds" in output
    assert "The player has these deeds." in output
    assert "player takes_turn" in invoke("words", "jackpot", word).output


def test_explain_order_shows_what_may_end_the_turn() -> None:
    lines = invoke("explain-order", "classic", "landing").output.splitlines()
    ends = {line.split()[1]: "(may end turn)" in line for line in lines[1:]}
    assert ends["go_to_jail"]
    assert not ends["utility_roll"]


def test_explain_order_shows_what_must_be_so_already() -> None:
    lines = invoke("explain-order", "classic", "landing").output.splitlines()
    rules = [line.split()[1] for line in lines if "(already before offer)" in line]
    assert rules == ["rent"]


@pytest.mark.parametrize("name", ["classic", "crooked_cash", "deal", "card_game"])
def test_the_core_is_written_in_the_words_of_the_language(name: str) -> None:
    """Every node has words of its own: none is shown by the name of its class."""
    output = invoke("compile", name, "--emit", "core").output
    nodes = {part.__name__ for part in vars(core).values() if isinstance(part, type)}
    alone = {line.strip() for line in output.splitlines()}
    assert not alone & nodes
    assert not re.search(r"\b(?:Span|Const|Local|Field|Call|Fold|IsKind)\(", output)
    assert len(output.splitlines()) > 300


def test_words_by_the_word_with_which_they_are_written() -> None:
    assert invoke("words", "classic", "define").output == invoke("words", "classic", "value").output


def test_words_of_a_mod_are_those_of_a_variant_with_it(tmp_path: Path) -> None:
    (tmp_path / "h" / "rules").mkdir(parents=True)
    (tmp_path / "h" / "mod.yaml").write_text(
        'mod: h\ntitle: "H"\ndescription: "x"\noverlay_for: [classic]\n', encoding="utf-8"
    )
    (tmp_path / "h" / "rules" / "h.rules").write_text(
        'switch my_own: money = 5, "Mine"\n', encoding="utf-8"
    )
    output = invoke("words", tmp_path / "h", "switch").output
    assert "my_own: money = 5  [h," in output
    assert "go_salary" in output
    result = invoke("playtest", tmp_path / "h")
    assert f"`VARIANT --with {tmp_path / 'h'}`" in result.output


def test_words_tell_what_a_switch_decides() -> None:
    assert "What each player starts with" in invoke("words", "classic", "starting_cash").output
