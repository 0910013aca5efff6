"""Tables from measures, and their numbers against the games they were counted in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from interpreter.playtest.conduct import Conductor
from interpreter.playtest.report import Report
from interpreter.playtest.tables import Axis, Measured, Table, choices, never_counted, tables
from interpreter.session.compile import CompiledGame


@pytest.fixture(scope="module")
def report(race: CompiledGame) -> Report:
    from interpreter.playtest.conduct import Plan
    from interpreter.playtest.printing import print_machine

    return Conductor(race, Plan(90, engine="python", workers=1), print_machine).conduct()


def table(report: Report, title: str) -> Table:
    return next(each for each in report.tables if each.title == title)


def measure(report: Report, name: str) -> Measured:
    return next(each for each in report.measures if each.name == name)


def test_every_measure_is_in_a_table(report: Report) -> None:
    shown = {column.title for each in report.tables for column in each.columns}
    shown |= {label for each in report.tables for label, _ in each.rows}
    shown |= {each.title for each in report.tables}
    for each in report.measures:
        assert any(each.title in text for text in shown), each.title


def test_totals_are_per_game(report: Report) -> None:
    rows = dict(table(report, "Totals").rows)
    assert rows["All steps"] == (measure(report, "steps").total / 90,)


def test_axes_by_kind_choice_and_flag(report: Report) -> None:
    assert [label for label, _ in table(report, "Field").rows] == [
        "Start", "Meadow", "River", "Hill", "Cave", "Goal",
    ]  # fmt: skip
    assert [label for label, _ in table(report, "pace").rows] == ["slow", "fast"]
    assert [label for label, _ in table(report, "purse > 10").rows] == ["no", "yes"]
    # All steps but the last one of each game, at which the game has ended.
    assert measure(report, "visits").total == measure(report, "steps").total


def test_two_axes_add_up_to_one(report: Report) -> None:
    crossed = measure(report, "crossed")
    fields = measure(report, "visits").sums
    size = crossed.axes[1].size
    assert [crossed.sums[n] + crossed.sums[size + n] for n in range(size)] == list(fields)
    rows = dict(table(report, "Steps there by pace and Field").rows)
    assert rows["slow · Meadow"] == (crossed.sums[1] / 90,)


def test_a_course_is_a_mean_where_something_counts_the_times(report: Report) -> None:
    course = table(report, "By turns")
    assert course.is_course
    assert [column.form for column in course.columns] == ["per_game", "each"]
    turns, wealth = measure(report, "turns"), measure(report, "wealth")
    rows = dict(course.rows)
    assert rows["2"] == (turns.sums[2] / 90, wealth.sums[2] / turns.sums[2])


def test_money_counted_twice_is_compared(
    race: CompiledGame, conductor: Callable[..., Conductor]
) -> None:
    report = conductor(race, games=20, engine="python", workers=1).conduct()
    toll = measure(report, "toll")
    gain = Measured("gain", "Gain", "money", False, None, toll.axes, (0, 4, 8, 0, 0, 0))
    (made,) = tables([toll, gain], 20)
    assert [column.title for column in made.columns] == [
        "Purse at visits", "Gain", "Gain / Purse at visits",
    ]  # fmt: skip
    rows = dict(made.rows)
    assert rows["Meadow"][2] == pytest.approx(4 / toll.sums[1])
    assert rows["Start"][2] is None


def test_measures_of_one_title_are_added_up(race: CompiledGame) -> None:
    """Those that count a part of the things of the other add to these cells."""
    whole = Axis("Space", "Space", ((0, "A"), (1, "B"), (2, "C")), 3, ())
    part = Axis("Street", "Street", ((1, "B"), (2, "C")), 3, ())
    made = tables(
        [
            Measured("houses", "Put in", "money", False, None, (part,), (0, 10, 0)),
            Measured("price", "Put in", "money", False, None, (whole,), (1, 2, 3)),
            Measured("rent", "Came back", "money", False, None, (whole,), (2, 6, 9)),
            Measured("visits", "Came back", None, True, None, (whole,), (1, 1, 1)),
        ],
        1,
    )
    assert [column.title for column in made[0].columns] == [
        "Put in", "Came back", "Came back", "Came back / Put in",
    ]  # fmt: skip
    assert dict(made[0].rows) == {
        "A": (1, 2, 1, 2.0), "B": (12, 6, 1, 0.5), "C": (3, 9, 1, 3.0),
    }  # fmt: skip


def test_every_option_and_answer_has_a_row(report: Report) -> None:
    rows = dict(table(report, "Answers given").rows)
    assert sorted(rows) == ["hurry.fly", "hurry.run", "hurry.walk"]
    assert rows["hurry.fly"] == (0.0,)
    assert rows["hurry.walk"][0]
    steps = measure(report, "steps").total / 90
    assert sum(value or 0 for (value,) in rows.values()) == pytest.approx(steps, abs=1)
    counts = {"option go@here": 4, "option go@there": 0, "rule a": 3}
    assert [each.rows for each in choices(counts, 2)] == [
        (("go in here", (2.0,)), ("go in there", (0.0,)))
    ]


def test_what_one_of_several_measures_counted_was_counted() -> None:
    """A card that is played at once or kept: only one that was neither is named."""
    cards = Axis("Card", "Card", ((0, "Fine"), (1, "Way out"), (2, "Lost")), 3, ())
    found = [
        Measured("drawn", "Cards played", None, True, None, (cards,), (5, 0, 0)),
        Measured("used", "Cards played", None, True, None, (cards,), (0, 2, 0)),
    ]
    assert [(each.title, names) for each, names in never_counted(found)] == [
        ("Cards played", ["Lost"])
    ]
