"""What is said of games that no rule ended: where it happened, what led there, how to see it."""

from __future__ import annotations

import json
import os
import shlex
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter import api
from interpreter.cli.commands import commands
from interpreter.engine.native_engine import NATIVE
from interpreter.playtest.remarks import remarks
from interpreter.playtest.report import as_json

HERE = Path(__file__).parent
STUCK = HERE / "games" / "stuck"
ENDLESS = HERE.parent / "engine" / "games" / "endless"
RULES = (STUCK / "rules" / "stuck.rules").read_text(encoding="utf-8").splitlines()
GOES_ON = (ENDLESS / "rules" / "endless.rules").read_text(encoding="utf-8").splitlines()


@cache
def stuck(way: str) -> api.Variant:
    return api.load_variant(STUCK, players=2, switches={"way": way}, cached=False)


@cache
def endless(way: str) -> api.Variant:
    return api.load_variant(ENDLESS, players=2, switches={"way": way}, cached=False)


def place(folder: Path, text: str) -> str:
    """Where the only line with this text stands, as messages name it."""
    lines = RULES if folder is STUCK else GOES_ON
    (number,) = (n for n, line in enumerate(lines, 1) if line.strip() == text)
    file = folder / "rules" / f"{folder.name}.rules"
    return f"{os.path.relpath(file)}:{number}"


@pytest.mark.parametrize(
    ("way", "words", "rule", "line", "led_there"),
    [
        (
            "bound",
            "Player.height would be outside 0..5",
            "event climb by with",
            "player.height = player.height + steps",
            ["rule go_on", "phase turn"],
        ),
        (
            "purse",
            "more was taken from Player.coins than was there",
            "rule toll",
            "move steps money from player to bank",
            ["rule go_on", "phase turn"],
        ),
        (
            "empty",
            "luck has nothing to pick from",
            "option draw",
            "luck picks card in [each c in bank.left where way is zone]",
            ["rule go_on", "phase turn"],
        ),
        (
            "zone",
            "Player.hand would hold more than 1",
            "option draw",
            "move card to player.hand",
            ["rule go_on", "phase turn"],
        ),
    ],
)
def test_a_fault_names_its_rule_its_line_and_what_led_there(
    way: str, words: str, rule: str, line: str, led_there: list[str]
) -> None:
    game = stuck(way).new_game(1, ["nodder", "nodder"])
    fault = game.fault
    assert fault is not None
    assert (fault.words, fault.rule, fault.place) == (words, rule, place(STUCK, line))
    assert [step.what for step in fault.chain[1:]] == led_there
    assert fault.lines()[0] == f"in {rule} ({fault.place})"


def test_who_breaks_what_must_hold_is_named_and_not_who_mends_it_in_time() -> None:
    game = stuck("broken").new_game(1, ["nodder", "nodder"])
    assert game.end is not None
    assert (game.end.kind, game.end.name) == ("broken", "nobody_is_lost")
    fault = game.fault
    assert fault is not None
    assert fault.place == place(
        STUCK, "player.is_lost = steps > 2 and (way is broken or (way is paired and pair))"
    )
    assert fault.declared == place(
        STUCK, "always nobody_is_lost: not any(p.is_lost for each p in players)"
    )
    assert game.winners == ()


def test_a_condition_that_does_not_hold_from_the_start_is_nobodys_fault() -> None:
    fault = stuck("never_true").new_game(1, ["nodder", "nodder"]).fault
    assert fault is not None
    assert fault.chain == ()
    assert fault.declared == place(STUCK, "always sun_shines: way is not never_true or bank.shines")


@pytest.mark.parametrize(
    ("way", "rule", "lines"),
    [
        ("loop", "rule go_on", ["in rule go_on", "by phase turn"]),
        ("circle", "rule spin_on", ["in rule spin_on", "by rule go_on", "by phase turn"]),
        ("watch", "rule light", ["again and again rule light"]),
        ("talk", "rule go_on", ["in rule go_on", "by phase turn", "again and again option nod"]),
    ],
)
def test_budgets_name_what_took_them(way: str, rule: str, lines: list[str]) -> None:
    fault = endless(way).new_game(1, ["nodder", "nodder"]).fault
    assert fault is not None
    assert fault.rule == rule
    said = fault.lines()
    assert len(said) == len(lines)
    assert all(line.startswith(start) for line, start in zip(said, lines, strict=True))
    is_chain = way == "circle"
    assert fault.words.startswith("a chain of more than 32" if is_chain else "again and again")
    assert any(line.endswith(", 33 deep") for line in said) == is_chain


def test_a_game_that_a_rule_ends_has_no_fault() -> None:
    game = stuck("nothing").new_game(1, ["nodder", "nodder"])
    assert game.end is not None
    assert (game.end.kind, game.fault) == ("limit", None)


@pytest.mark.parametrize(
    "engine", ["python", pytest.param("native", marks=pytest.mark.skipif(not NATIVE, reason=""))]
)
def test_the_report_has_the_games_the_places_and_a_command(engine: str) -> None:
    report = stuck("mixed").playtest(40, bots=["nodder"], seed=3, engine=engine, workers=1)  # type: ignore[arg-type]
    (ended,) = (end for end in report.ends if end.kind == "fault")
    assert 1 < ended.games < 40
    assert len(ended.stopped) == 2
    assert sum(each.games for each in ended.stopped) == min(20, ended.games)
    json_ends = as_json(report, remarks(report))["ends"]
    told = next(end for end in json.loads(json.dumps(json_ends)) if end["kind"] == "fault")
    for each, in_json in zip(ended.stopped, told["stopped"], strict=True):
        assert each.fault is not None
        assert in_json["rule"] == each.fault.rule in ("rule toll", "rule fee")
        assert in_json["chain"][-1]["what"] == "phase turn"
        assert any(each.again in line and each.fault.place in line for line in remarks(report))


def test_the_command_plays_the_game_up_to_there() -> None:
    report = stuck("mixed").playtest(40, bots=["nodder"], seed=3, engine="python", workers=1)
    (ended,) = (end for end in report.ends if end.kind == "fault")
    for each in ended.stopped:
        assert each.fault is not None
        words = shlex.split(each.again)
        assert words[:2] == ["rulewright", "play"]
        result = CliRunner().invoke(commands, words[1:], catch_exceptions=False)
        assert "more was taken from Player.coins" in result.output
        for line in each.fault.lines():
            assert line in result.output


def test_games_at_the_limit_have_a_command_too() -> None:
    report = stuck("nothing").playtest(3, bots=["nodder"], engine="python", workers=1)
    (ended,) = report.ends
    assert ended.kind == "limit"
    assert ended.stopped[0].fault is None
    assert "--seats nodder,nodder" in ended.stopped[0].again
