"""What goes too deep or takes too long is refused, and what goes as deep as it may is not."""

from __future__ import annotations

import time

import pytest
from check_games import check, merge

from dsl.check.depth import MOST_INSIDE, MOST_WORK
from dsl.check.program import check_program
from dsl.diagnostics import Bag


def codes(text: str) -> list[str]:
    _, bag = check(text)
    return [one.code for one in bag.sorted() if not one.code.startswith("RW90")]


def routines(count: int, event: str) -> str:
    """Routines, or events with a rule each, of which each one does the next."""
    lines = []
    for number in range(1, count):
        head = f"{event} dig_{number} by player"
        rule = f"rule r{number}: after dig_{number} by player\n" if event == "event" else ""
        lines += [head, f"{rule}    dig_{number + 1} by player"]
    last = f"{event} dig_{count} by player"
    return "\n".join([*lines, last, *([] if event == "event" else ['    say "deep"'])]) + "\n"


@pytest.mark.parametrize("event", ["to", "event"])
def test_routines_inside_each_other(event: str) -> None:
    assert codes(routines(MOST_INSIDE, event)) == []
    assert codes(routines(MOST_INSIDE + 1, event)) == ["RW0711"]


def test_the_place_and_the_way_are_told() -> None:
    _, bag = check(routines(1000, "to"))
    (found,) = (one for one in bag if one.code == "RW0711")
    assert found.span.text == f"dig_{MOST_INSIDE + 1} by player"
    assert found.notes == (
        (
            f"`dig_1` does `dig_2` does `dig_3` does ... does `dig_{MOST_INSIDE}` "
            f"does `dig_{MOST_INSIDE + 1}`"
        ),
    )


def test_rules_that_set_each_other_off_are_no_way_without_end() -> None:
    text = (
        "event ping by player\nevent pong by player\n"
        "rule one: after ping by player\n    pong by player\n"
        "rule two: after pong by player\n    ping by player\n"
    )
    assert codes(text) == []


def values(count: int, line: str) -> str:
    lines = [line.replace("HERE", f"v{n}").replace("NEXT", f"v{n + 1}") for n in range(count)]
    return "\n".join([*lines, f"define v{count}: 0..99 = 1"]) + "\n"


def test_values_inside_each_other() -> None:
    line = "define HERE: 0..99 = NEXT"
    assert codes(values(MOST_INSIDE - 1, line)) == []
    assert codes(values(MOST_INSIDE, line)) == ["RW0711"]


def test_values_that_use_others_twice() -> None:
    doubled = MOST_WORK.bit_length() - 1
    line = "define HERE: 0..99 = min(NEXT + NEXT, 99)"
    assert codes(values(doubled - 1, line)) == []
    assert codes(values(doubled, line)) == ["RW0712"]
    assert codes(values(90, line)) == ["RW0712"]
    named = "define HERE: 0..99\n    let half = NEXT\n    min(half + half, 99)"
    assert codes(values(90, named)) == []


def test_long_routines_take_time_in_proportion() -> None:
    """Of processor time, the best of two: ten times the lines take some twenty times at most."""

    def seconds(lines: int) -> float:
        body = "".join(f"    player.wins = min({number}, 5)\n" for number in range(lines))
        bag = Bag()
        merged = merge("to go_far by player\n" + body, bag=bag)
        times = []
        for _ in range(2):
            start = time.process_time()
            assert check_program(merged, 2, bag) is not None
            times.append(time.process_time() - start)
        return min(times)

    base = seconds(1)
    assert seconds(10_000) - base < 20 * (seconds(1_000) - base)
