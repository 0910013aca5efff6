"""What a playtest is to hold, and figures by their ids."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import interpreter.playtest.report as report_module
from interpreter.engine.native_engine import NATIVE
from interpreter.playtest.asserting import (
    WrongAssertion,
    as_json,
    check_assertions,
    judge,
    parse_assertion,
    words_of,
)
from interpreter.playtest.conduct import Conductor
from interpreter.playtest.estimates import Estimate, _gap
from interpreter.playtest.remarks import remarks
from interpreter.playtest.stats import Share
from interpreter.session.compile import CompiledGame

Make = Callable[..., Conductor]

SCHEMA = json.loads(
    Path(report_module.__file__).with_name("report.schema.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(
    ("text", "low", "high", "verdict"),
    [
        ("turns.mean < 120", 100, 110, "holds"),
        ("turns.mean <= 110", 100, 110, "holds"),
        ("turns.mean < 105", 100, 110, "not enough games"),
        ("turns.mean < 90", 100, 110, "fails"),
        ("turns.mean > 90", 100, 110, "holds"),
        ("turns.mean >= 105.5", 100, 110, "not enough games"),
        ("turns.mean > 111", 100, 110, "fails"),
        ("turns.mean in 90..120", 100, 110, "holds"),
        ("turns.mean in 90..105", 100, 110, "not enough games"),
        ("turns.mean in 10..20", 100, 110, "fails"),
        ("limit < 0.1%", 0.0, 0.0005, "holds"),
        ("place.gap<5pp", 0.06, 0.08, "fails"),
        ("place.1 in 24 .. 26 %", 0.245, 0.255, None),
    ],
)
def test_verdicts(text: str, low: float, high: float, verdict: str | None) -> None:
    if verdict is None:
        with pytest.raises(WrongAssertion):
            parse_assertion(text)
        return
    seen = Estimate((low + high) / 2, low, high)
    assert judge(parse_assertion(text), seen, 1_000).verdict == verdict


def test_what_is_not_known_is_longer() -> None:
    """Where most games were cut off there is no median, and it is no short one."""
    assertion = parse_assertion("turns.median < 120")
    assert judge(assertion, Estimate(None, None, None), 100).verdict == "fails"
    assert judge(assertion, Estimate(110, 100, None), 100).verdict == "not enough games"
    above = parse_assertion("turns.median > 90")
    assert judge(above, Estimate(110, 100, None), 100).verdict == "holds"


def test_how_many_games_are_needed() -> None:
    """Half as far from the bound as the interval reaches: four times as many games."""
    judged = judge(parse_assertion("turns.mean < 105"), Estimate(100, 90, 110), 1_000)
    assert judged.needed == 4_000
    assert words_of(judged) == (
        "turns.mean < 105: not enough games (100; 90 to 110); about 4,000 would tell"
    )
    assert as_json(judged)["games_needed"] == 4_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("turns.mean", "write FIGURE < NUMBER"),
        ("turns.mean = 5", "write FIGURE < NUMBER"),
        ("limit < 0.1", "is a part: write 5% or 5pp"),
        ("turns.mean < 5%", "no part of the games"),
        ("turns.mean in 9..5", "nothing lies between"),
    ],
)
def test_what_asserts_nothing(text: str, said: str) -> None:
    with pytest.raises(WrongAssertion, match=said):
        parse_assertion(text)


def test_figures_that_there_are_not() -> None:
    with pytest.raises(WrongAssertion, match=r"did you mean `place\.gap`"):
        check_assertions([parse_assertion("place.gapp < 5pp")], ["place.1", "place.gap"])


def test_a_gap_is_covered_by_its_interval() -> None:
    """1,000 runs of 400 games of four who win 28, 26, 24 and 22 of 100: a gap of 6 points."""
    dice, parts, covered = random.Random(5), (0.28, 0.26, 0.24, 0.22), 0
    for _ in range(1_000):
        wins = [0] * 4
        for winner in dice.choices(range(4), parts, k=400):
            wins[winner] += 1
        seen = _gap([Share(n, 400, n / 400, 0.0, 1.0, 0.25) for n in wins])
        assert seen.low is not None
        assert seen.high is not None
        covered += seen.low <= 0.06 <= seen.high
    assert covered >= 940


@pytest.mark.parametrize("players", [2, 3])
def test_figures_of_a_report(race: CompiledGame, conductor: Make, players: int) -> None:
    report = conductor(race, games=300, bots=["walker", "runner"][: players - 1]).conduct()
    known = report.estimates
    assert report.turns is not None
    assert known["turns.mean"].value == report.turns.lasting.mean
    assert known["turns.median"].value == report.turns.lasting.median
    assert [known[f"seat.{seat}"].value for seat in ("ann", "ben", "cleo")] == [
        row.share.share for row in report.won.by_seat.rows
    ]
    assert ("bot.walker" in known) == (players == 3)
    shares = [row.share.share for row in report.won.by_seat.rows]
    assert known["seat.gap"].value == max(shares) - min(shares)


@pytest.mark.skipif(not NATIVE, reason="the native engine needs wasmtime")
def test_reports_are_of_the_published_form(race: CompiledGame, conductor: Make) -> None:
    for games in (300, 3):
        report = conductor(race, games=games, bots=["walker", "runner"]).conduct()
        judged = [judge(parse_assertion("turns.mean < 9"), report.estimates["turns.mean"], games)]
        written = report_module.as_json(report, remarks(report))
        written["assertions"] = [as_json(each) for each in judged]
        written = json.loads(json.dumps(written))
        Draft202012Validator(SCHEMA).validate(written)
        assert written["won"]["by_seat"]["rows"][1]["id"] == "ben"
        (axis,) = next(each for each in written["measures"] if each["name"] == "visits")["axes"]
        assert axis["ids"]["1"] == "meadow"
        del written["figures"][0]["low"]
        assert not Draft202012Validator(SCHEMA).is_valid(written)


def test_the_form_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)
