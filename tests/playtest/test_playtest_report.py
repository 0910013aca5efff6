"""What a report says of results that are known: who won, how games ended, what never happened."""

from __future__ import annotations

import io
import json
from array import array
from collections.abc import Callable
from dataclasses import replace

import pytest
from rich.console import Console

from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from interpreter.bundled import variants_dir
from interpreter.engine.batch import BatchResult
from interpreter.engine.seating import seat_numbers
from interpreter.flat.instrument.coverage import never
from interpreter.playtest.conduct import Conductor
from interpreter.playtest.first import FIRST
from interpreter.playtest.remarks import percent, remarks
from interpreter.playtest.report import Report, Speed, as_json, make_report
from interpreter.playtest.show import show
from interpreter.playtest.standings import ordinal
from interpreter.playtest.tally import Tally
from interpreter.session.compile import CompiledGame, load_compiled
from interpreter.session.request import Request

Make = Callable[..., Conductor]

ANN, BEN, CLEO = 1, 2, 4


def batch(
    winners: list[int], *, first: int = 0, began: list[int] | None = None, codes: str = ""
) -> BatchResult:
    """Games of three that ended in these ways: `1` by a rule, `0` at the limit, `2` by a fault."""
    games = len(winners)
    ends = array("i", [int(code) for code in codes or "1" * games])
    scalars = {
        "phases": array("i", [10 + game for game in range(games)]),
        "questions": array("i", [20] * games),
        "fault": array("i", [0 if end == 2 else -1 for end in ends]),
        "ending": array("i", [0 if end == 1 else -1 for end in ends]),
    }
    if began is not None:
        scalars[FIRST] = array("i", began)
    scores = array("i", [7, 5, 0] * games)
    return BatchResult(first, 3, ends, scalars, array("Q", winners), scores)


def reported(
    make: Make, game: CompiledGame, *batches: BatchResult, bots: tuple[str, ...] | None = None
) -> Report:
    """The report of these batches."""
    plan = make(game, games=10, engine="python", workers=1, bots=bots)
    tally = Tally(3, plan.setting.bots)
    for each in batches:
        tally.add(each)
    speed = Speed("python", 1, 1.0, 1.0, 1.0)
    return make_report(plan.setting, tally, plan.ready, game.facts, plan.endings, speed)


def test_all_that_was_started_is_accounted_for(race: CompiledGame, conductor: Make) -> None:
    report = reported(conductor, race, batch([ANN, 0, 0, BEN, CLEO], codes="10211"))
    assert [(end.kind, end.games) for end in report.ends] == [
        ("rule", 3),
        ("fault", 1),
        ("limit", 1),
    ]
    assert sum(end.games for end in report.ends) == report.games == 5
    assert report.won.games == 3
    assert {row.name: row.share.wins for row in report.won.by_seat.rows} == {
        "Ann": 1, "Ben": 1, "Cleo": 1,
    }  # fmt: skip


def test_several_winners_share_the_win(race: CompiledGame, conductor: Make) -> None:
    report = reported(conductor, race, batch([ANN | BEN, ANN | BEN | CLEO, 0]))
    wins = [row.share.wins for row in report.won.by_seat.rows]
    assert wins == pytest.approx([5 / 6, 5 / 6, 1 / 3])
    assert (report.won.shared, report.unwon) == (2, 1)


def test_bots_move_on_by_a_seat(race: CompiledGame, conductor: Make) -> None:
    bots = ("runner", "walker", "random")
    report = reported(conductor, race, batch([ANN, ANN, ANN, CLEO]), bots=bots)
    assert report.won.by_bot is not None
    # Ann is played by the runner, the walker, the random bot; then the next order begins.
    assert {row.name: row.share.wins for row in report.won.by_bot.rows} == {
        "runner": 1, "walker": 2, "random": 1,
    }  # fmt: skip


def test_later_batches_go_on_moving(race: CompiledGame, conductor: Make) -> None:
    bots = ("runner", "walker", "random")
    whole = reported(conductor, race, batch([ANN, ANN, BEN, BEN]), bots=bots)
    parts = reported(conductor, race, batch([ANN, ANN]), batch([BEN, BEN], first=2), bots=bots)
    assert whole.won == parts.won


def test_a_bot_on_two_seats_has_twice_the_fair_share(race: CompiledGame, conductor: Make) -> None:
    report = reported(conductor, race, batch([ANN, BEN, CLEO]), bots=("runner", "walker"))
    assert report.won.by_bot is not None
    assert [row.share.fair for row in report.won.by_bot.rows] == pytest.approx([2 / 3, 1 / 3])


def test_one_bot_on_all_seats_is_not_compared(race: CompiledGame, conductor: Make) -> None:
    assert reported(conductor, race, batch([ANN]), bots=("runner",)).won.by_bot is None


def test_places_count_from_who_began(race: CompiledGame, conductor: Make) -> None:
    report = reported(conductor, race, batch([ANN, ANN, ANN], began=[0, 2, 1]))
    assert report.won.by_place is not None
    assert {row.name: row.share.wins for row in report.won.by_place.rows} == {
        "1st": 1, "2nd": 1, "3rd": 1,
    }  # fmt: skip
    assert reported(conductor, race, batch([ANN])).won.by_place is None


def test_scores_are_those_of_games_that_ended_by_a_rule(
    race: CompiledGame, conductor: Make
) -> None:
    report = reported(conductor, race, batch([ANN, BEN, 0], codes="110"))
    assert [row.score for row in report.won.by_seat.rows] == [7, 5, 0]


# ---------------------------------------------------------------- remarks


def told(report: Report) -> str:
    return "\n".join(remarks(report))


def test_a_favoured_place_is_named(race: CompiledGame, conductor: Make) -> None:
    report = reported(conductor, race, batch([ANN] * 300 + [BEN] * 150 + [CLEO] * 150))
    assert "The seat Ann is favoured: it wins 50.0 % of the games (46.0 % to 54.0 %)" in told(
        report
    )
    report = reported(
        conductor, race, batch([ANN] * 300 + [BEN] * 150 + [CLEO] * 150, began=[2] * 600)
    )
    assert "The 2nd place in the order of play is favoured" in told(report)


def test_a_fair_game_is_not_blamed(race: CompiledGame, conductor: Make) -> None:
    report = reported(conductor, race, batch([ANN, BEN, CLEO] * 100))
    assert "favoured" not in told(report)
    assert "stronger" not in told(report)


def test_a_strong_bot_is_named(race: CompiledGame, conductor: Make) -> None:
    bots = ("runner", "walker", "random")
    runners = [1 << seat_numbers(3, game, 3).index(0) for game in range(300)]
    report = reported(conductor, race, batch(runners), bots=bots)
    assert report.won.by_bot is not None
    assert [row.share.wins for row in report.won.by_bot.rows] == [300, 0, 0]
    walkers = [1 << seat_numbers(3, game, 3).index(1) for game in range(300, 360)]
    report = reported(conductor, race, batch(runners), batch(walkers, first=300), bots=bots)
    assert "The bot runner is stronger: it wins" in told(report)
    assert "The bot random is weaker" in told(report)


def test_limits_and_faults_are_told(race: CompiledGame, conductor: Make) -> None:
    text = told(reported(conductor, race, batch([0] * 4 + [ANN], codes="00021")))
    assert "60.0 % of the games hit the limit of 60 turns and were stopped. Who won is told" in text
    assert "1 game had to be stopped (fault" in text
    nobody = told(reported(conductor, race, batch([0, 0], codes="00")))
    assert "No game ended by a rule of the game" in nobody


def test_what_never_happened_is_told(race: CompiledGame, conductor: Make) -> None:
    plan = conductor(race, games=200, engine="python", workers=1, bots=["walker"])
    text = told(plan.conduct())
    assert "These answers were never given: hurry." in text
    assert "hurry.run (" in text
    assert "fast_step (" in text
    assert "Visits: never Goal." in text


def test_an_option_is_never_taken_where_no_window_has_seen_it() -> None:
    counts = {"option go@here": 0, "option go@there": 3, "option stay": 1, "rule a": 0}
    assert list(never(counts)) == [("option go@here", "go in here"), ("rule a", "a")]
    counts["option go@there"] = 0
    assert list(never(counts)) == [("option go@here", "go"), ("rule a", "a")]
    counts["option go@here"] = counts["option go@there"] = counts["rule a"] = 1
    assert list(never(counts)) == []


def test_options_of_several_windows_are_told_by_window(conductor: Make) -> None:
    library = Library([variants_dir()])
    game = load_compiled(Request(library, "card_game", 2), Bag())
    assert game is not None
    text = told(conductor(game, games=3, engine="python", workers=1, bots=["random"]).conduct())
    assert "go_out in call (" in text
    assert "go_out (" not in text


def test_questions_without_a_line_are_told(race: CompiledGame, conductor: Make) -> None:
    assert race.facts.chance == {"walker": (), "runner": ()}
    chance = {"walker": ("hurry",), "runner": ("hurry", "rest")}
    mute = replace(race, facts=replace(race.facts, chance=chance))
    for game, is_told in ((race, False), (mute, True)):
        plan = conductor(game, games=3, engine="python", workers=1, bots=["walker", "random"])
        report = plan.conduct()
        line = "Answered at random, without a line in the strategy: `hurry` by walker."
        assert (line in told(report)) is is_told
        assert as_json(report, [])["by_chance"] == ({"walker": ["hurry"]} if is_told else {})


def test_few_games_are_called_few(race: CompiledGame, conductor: Make) -> None:
    assert "Play some hundreds" in told(reported(conductor, race, batch([ANN])))


# ---------------------------------------------------------------- how it looks


def test_the_report_is_json(race: CompiledGame, conductor: Make) -> None:
    report = conductor(
        race, games=30, engine="python", workers=1, chosen=(("prize", "5"),)
    ).conduct()
    content = json.loads(json.dumps(as_json(report, remarks(report))))
    assert content["setting"]["chosen"] == {"prize": "5"}
    assert content["setting"]["switches"]["prize"] == "5"
    assert sum(end["games"] for end in content["ends"]) == content["games"] == 30
    visits = next(each for each in content["measures"] if each["name"] == "visits")
    assert visits["axes"][0]["cells"]["0"] == "Start"
    assert sum(visits["sums"]) == visits["total"]


def test_the_report_for_people(race: CompiledGame, conductor: Make) -> None:
    report = conductor(race, games=60, engine="python", workers=1).conduct()
    console = Console(file=io.StringIO(), width=100)
    show(report, remarks(report), console, texts=race.program.texts)
    file = console.file
    assert isinstance(file, io.StringIO)
    text = file.getvalue()
    for part in (
        "Race: a playtest",
        "60 games, 3 players, seed 0",
        "walker, runner, in all orders from game to game, the further seats by turns",
        "all that were started",
        "95 % interval",
        "Purse, mean",
        "slow · Meadow",
        "What to look at",
        "python engine, 1 worker",
    ):
        assert part in text, part
    assert text.rstrip().splitlines()[-1].startswith("60 games in ")


def test_a_report_of_nothing(race: CompiledGame, conductor: Make) -> None:
    report = conductor(race, games=10, workers=1).conduct(should_stop=lambda: True)
    console = Console(file=io.StringIO(), width=100)
    show(report, remarks(report), console, texts={})
    assert "No game was played to its end." in console.file.getvalue()  # type: ignore[attr-defined]
    json.dumps(as_json(report, remarks(report)))


def test_small_words() -> None:
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21)] == [
        "1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st",
    ]  # fmt: skip
    assert percent(0.25) == "25.0 %"
    assert percent(0.0004) == "0.04 %"
    assert percent(0.9997) == "99.97 %"
    assert percent(1) == "100.0 %"
