"""Loops and searches have a bound: what nobody could wait for is refused."""

from __future__ import annotations

import pytest
from check_games import DATA, check, codes_of, program_of
from test_check_values import body

from dsl.check.gathered import Gathered
from dsl.check.tries import Counting, loops_of
from dsl.core import nodes as core

MORE = "".join(f"  - {{id: c{n}, value: 1}}\n" for n in range(37))
FORTY = DATA + MORE  # cards
EACH = "for each {0} in Card"


def nested(depth: int) -> str:
    """A query that goes through all cards inside each other."""
    clauses = " ".join(EACH.format(f"c{n}") for n in range(depth))
    return f"any(c0.value > c{depth - 1}.value {clauses})"


def loops(depth: int) -> str:
    """The same as statements."""
    lines = ["    " * n + EACH.format(f"c{n}") for n in range(depth)]
    return "\n".join([*lines, "    " * depth + 'say "so"'])


ASKED = [
    ("any(count(c) > 30 for each c in subsets(Card, 20))", 1),
    ("any(count(c) > 3 for each c in subsets(Card, 4))", 0),
    ("any(count(c) > 3 for each n in 1..9 for each c in subsets(Card, n))", 1),
    (nested(5), 1),
    (nested(4), 0),
    ("player.heavy and any(c.value > 3 for each c in Card)", 0),
    ("any(player.heavy for each c in Card for each d in Card)", 1),
    ("any(c.value > 3 for each c in Card where player.heavy for each d in Card)", 0),
    ("any(c.value > 3 for each c in Card for each d in Card where player.heavy)", 1),
    ("first(each c in Card by count(each d in Card where player.heavy)).value > 3", 1),
    ("any(n > 3 for each n in 0..90_000_000)", 0),
    ("any(n > 3 for each n in 0..900_000_000)", 1),
    ("any(n > 3 for each n in 0..900_000_000 step 100)", 0),
    ("all(any(c.value > 2 for each c in Card) for each n in 1..3_000_000)", 1),
]


@pytest.mark.parametrize(("condition", "refused"), ASKED)
def test_what_may_be_gone_through_in_a_value(condition: str, refused: int) -> None:
    heavy = f"define player.heavy: flag = {nested(3)}\n"
    found = codes_of(heavy + body(f'if {condition}\n    say "so"'), things=FORTY)
    assert found == ["RW0720"] * refused


@pytest.mark.parametrize(("depth", "refused"), [(4, 0), (5, 1), (6, 1)])
def test_loops_inside_each_other(depth: int, refused: int) -> None:
    assert codes_of(body(loops(depth)), things=FORTY) == ["RW0720"] * refused


def test_only_the_innermost_is_named() -> None:
    text = f"define heavy: flag = {nested(5)}\ndefine more: flag = any(heavy for each c in Card)\n"
    _, bag = check(text, things=FORTY)
    (one,) = bag.sorted()
    assert one.span.text == nested(5)
    assert "102,400,000 times" in one.message


def test_all_sizes_of_a_search_are_no_more_than_all_subsets() -> None:
    text = (
        "define heavy: flag = any(count(c) > 3 for each n in 1..8 "
        "for each c in subsets([each d in Card where d.value > 1], n))\n"
    )
    program = program_of(text, things=DATA + MORE[: MORE.index("  - {id: c5,")])
    nodes = Gathered()
    counting = Counting(program, nodes)
    (tries,) = {counting.of(loop) for loop in loops_of(program, nodes) if _searches(loop)}
    assert tries == 2**8 * 8  # each choice is counted


def _searches(loop: object) -> bool:
    return isinstance(loop, core.Fold) and loop.kind == "any" and len(loop.generators) == 2


def test_long_sums_and_long_ways_through_values_are_counted() -> None:
    values = "define v_0: flag = table.mood is wild\n" + "".join(
        f"define v_{n}: flag = v_{n - 1}\n" for n in range(1, 90)
    )
    long_sum = " + ".join(["count(each c in Card)"] * 60)
    assert codes_of(values + f"define total: 0..90000 = {long_sum}\n") == []
