"""Strategies put together at random: waking only who has to be asked changes no game."""

from __future__ import annotations

import random

import pytest
from flat_games import MARKET, checked, digests, program_of
from test_flat_waking import TILLS

from dsl.core import nodes as core
from interpreter.flat.context.options import Options
from interpreter.flat.expr.facts import Facts, facts_of, narrowed
from interpreter.flat.expr.implication import without_weaker
from interpreter.flat.expr.sets import conjuncts
from interpreter.flat.lower import ProgramLowering, lower_program

CONDITIONS = """\
me is game.host
me is not game.host
me.cash > 3
me.cash < 12
me.cash >= 20
me.cash < 30 - count(me.stalls)
me.tired
me.gifts < 4
me.income > 3
count(me.stalls) > 2
count(me.stalls) < 5
count(bank.stalls) > 2
count(me.whole_lanes) > 0
count(me.started_lanes) < 3
count(each s in Stall where s.lit and s.owner is not me) > 2
all(s.lit for each s in me.stalls)
all(s.size >= 1 for each s in Stall where s.owner is me)
any(s.worn for each s in me.stalls)
any(not s.worn for each s in me.stalls)
any(s.till > 2 for each s in me.stalls)
any(p.cash < 5 for each p in players)
any(p.tired for each p in players where p is not me)
any(s.owner is none for each s in Stall where s.lane is red)
sum(s.size for each s in me.stalls) < 3
max(s.size for each s in me.stalls, default: 0) > 0
min(p.cash for each p in players, default: 0) > 4
""".splitlines()
LINES = """\
light
mend
buy
buy with the least stall.price
buy with the most stall.price
enlarge
enlarge with the least stall.size
empty_till(stall: s, amount: 2) for each s in me.stalls
empty_till(stall: s, amount: 1) for each s in me.stalls where s.lit
empty_till(stall: s, amount: s.size + 1) for each s in Stall where s.owner is me
buy(stall: s) for each r in me.started_lanes for each s in r.stalls where s.owner is none
buy(stall: s) for each s in bank.stalls where any(o.lit for each o in s.lane.stalls)
enlarge(stall: s) for each r in me.whole_lanes for each s in r.stalls
enlarge(stall: s) for each r in me.good_lanes for each s in r.stalls
light(stall: s) for each r in Lane for each s in r.stalls where s.owner is me and s.size > 0
light(stall: s) for each s in me.stalls where s.worn
mend(stall: s) for each s in me.stalls where s.lit
give(other: p, amount: 2) for each p in players where p is not me and p.cash < 8
""".splitlines()
MADE = 6


def a_condition(drawn: random.Random) -> str:
    one, other = drawn.choice(CONDITIONS), drawn.choice(CONDITIONS)
    either = f"({one} or {other})"
    return drawn.choice([one, one, f"not ({one})", f"{one} and {other}", either, f"not {either}"])


def a_line(drawn: random.Random) -> str:
    answer, *ranking = drawn.choice(LINES).split(" with the ")
    condition = f" if {a_condition(drawn)}" if drawn.random() < 0.6 else ""
    return answer + condition + "".join(f" with the {key}" for key in ranking)


def a_strategy(drawn: random.Random, name: str) -> str:
    lines = [
        f"pass if {a_condition(drawn)}" if drawn.random() < 0.25 else a_line(drawn)
        for _ in range(drawn.randint(1, 5))
    ]
    body = "".join(f"        {line}\n" for line in (*lines, a_line(drawn), "pass"))
    return f"strategy {name}\n    for market\n{body}"


@pytest.mark.parametrize("seed", [0, 1, 2, 11])
def test_any_strategy_plays_as_if_always_asked(seed: int) -> None:
    drawn = random.Random(seed)
    names = tuple(f"made_{number}" for number in range(MADE))
    texts = {name: a_strategy(drawn, name) for name in names}
    core = checked("market", 3, MARKET + TILLS + "".join(texts.values()))
    for compiled in (names, names[:1], names[1:2]):
        program = lower_program(core, Options(host=False, strategies=compiled))
        for name in compiled:
            usual = digests(program, name, 3, 60)
            assert usual == digests(program, name, 3, 60, always=True), texts[name]


def test_what_a_collection_says_of_its_things_is_not_tested_again() -> None:
    """`good_lanes` has no dark lanes: who goes through them need not look whether one is dark."""
    low = ProgramLowering(program_of("market", 3), Options())
    (line,) = [
        preference
        for _, preferences in low.program.strategies["thrifty"].sites.values()
        for preference in preferences
        if preference.answer == "enlarge"
    ]
    lane, _ = (generator.variable for generator in line.generators)
    known = facts_of(low, line.generators, frozenset({"me"}))
    (dark,) = [fact for fact in known.true if isinstance(fact, core.Not)]
    assert isinstance(dark.operand, core.CallDefine)
    (of_lane,) = dark.operand.args
    assert isinstance(of_lane, core.Local)
    assert of_lane.name == lane
    other_way = core.Not(dark.type, dark.span, dark)
    (left,) = narrowed(known, [dark, other_way])
    assert isinstance(left, core.Not)
    assert isinstance(left.operand, core.Not)


def two_bounds(one: str, other: str) -> tuple[ProgramLowering, Facts, tuple[core.Expr, ...]]:
    """`me.cash >= ..` twice, as a line of a strategy says it, and what is known there."""
    condition = f"me.cash >= {one} and me.cash >= {other}"
    walk = "buy(stall: s) for each r in me.started_lanes for each s in r.stalls if"
    program = checked(
        "market", 3, f"{MARKET}strategy asked\n    for market\n        {walk} {condition}\n"
    )
    ((line,),) = [lines for _, lines in program.strategies["asked"].sites.values()]
    low = ProgramLowering(program, Options())
    known = facts_of(low, line.generators, frozenset({"me"}))
    return low, known, tuple(conjuncts(line.condition))


@pytest.mark.parametrize(
    ("strong", "weak"),
    [
        ("s.price + 5", "s.price"),
        ("s.price + 5 + 2", "s.price + 5"),
        ("max(o.price for each o in r.stalls, default: 0)", "s.price"),
        ("max(o.price + 1 for each o in r.stalls, default: 0) + 7", "s.price + 1"),
        ("s.price", "s.price"),
    ],
)
def test_what_follows_from_another_condition_is_not_tested(strong: str, weak: str) -> None:
    low, known, (one, other) = two_bounds(strong, weak)
    (left,) = without_weaker(low, known, (one, other))
    assert left is (other if strong == weak else one)
    (left,) = without_weaker(low, known, (other, one))
    assert left is one


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("s.price + 5", "s.size"),
        ("s.price - 5", "s.price"),
        ("min(o.price for each o in r.stalls, default: 0)", "s.price"),
        ("max(o.price for each o in r.stalls where o.lit, default: 0)", "s.price"),
        ("max(o.price for each o in Stall where o.lane is not r, default: 0)", "s.price"),
        ("max(o.price for each o in r.stalls, default: 0)", "s.price + 1"),
    ],
)
def test_what_does_not_follow_is_tested(one: str, other: str) -> None:
    low, known, both = two_bounds(one, other)
    assert without_weaker(low, known, both) == both
