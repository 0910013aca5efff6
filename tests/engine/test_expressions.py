"""Each expression of flat core, on both engines, against what Python says it means."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from flat_programs import (
    BITS,
    INT,
    binary,
    column,
    function,
    num,
    opaque,
    opaque_set,
    phase,
    program,
    rows,
    run,
    scalar,
    sets,
    site,
    table,
    values,
    var,
)

from interpreter.flat.ir import nodes as n

NUMBERS = (-(1 << 31), -1000, -8, -7, -3, -1, 0, 1, 2, 3, 7, 8, 100, (1 << 31) - 1)
SMALL = tuple(number for number in NUMBERS if abs(number) <= 1000)
MEANING: dict[n.IntOp, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
    "min": min,
    "max": max,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}


@pytest.mark.parametrize("op", MEANING)
def test_binary(op: n.IntOp) -> None:
    numbers = SMALL if op in "+-*" else NUMBERS
    pairs = [(a, b) for a in numbers for b in numbers if b or op not in ("//", "%")]
    pairs = [pair for pair in pairs if pair != (-(1 << 31), -1)]
    wanted = [MEANING[op](a, b) for a, b in pairs]
    assert values([binary(op, opaque(a), num(b)) for a, b in pairs]) == wanted
    assert values([binary(op, opaque(a), opaque(b)) for a, b in pairs]) == wanted
    assert values([binary(op, num(a), opaque(b)) for a, b in pairs]) == wanted


def test_shifts() -> None:
    cases = [(a, by) for a in SMALL for by in (0, 1, 5, 20)]
    assert values([binary("<<", opaque(a), opaque(by)) for a, by in cases]) == [
        a << by for a, by in cases
    ]
    assert values([binary(">>", opaque(a), opaque(by)) for a, by in cases]) == [
        a >> by for a, by in cases
    ]


def test_mul_div_does_not_overflow() -> None:
    big = (1 << 31) - 1
    cases = [(7, 3, 2), (big, big, big), (big, 100, 1000), (0, 5, 1), (1_000_000, 30_000, 14)]
    exprs = [n.MulDiv(opaque(a), opaque(b), num(0), opaque(c)) for a, b, c in cases]
    assert values(exprs) == [a * b // c for a, b, c in cases]
    more = [n.MulDiv(opaque(a), opaque(b), opaque(big - 1), opaque(c)) for a, b, c in cases[1:2]]
    assert values(more) == [(a * b + big - 1) // c for a, b, c in cases[1:2]]


def test_flags() -> None:
    some = [num(0), num(1), opaque(0), opaque(1)]
    truth = [0, 1, 0, 1]
    pairs = list(itertools.product(range(4), repeat=2))
    both = [n.And(some[a], some[b]) for a, b in pairs]
    either = [n.Or(some[a], some[b]) for a, b in pairs]
    none = [n.Not(expr) for expr in both + either]
    wanted = [truth[a] & truth[b] for a, b in pairs] + [truth[a] | truth[b] for a, b in pairs]
    assert values(both + either + none) == wanted + [1 - flag for flag in wanted]
    doubly = [n.Not(n.Not(expr)) for expr in both]
    assert values(doubly) == wanted[: len(pairs)]


def test_short_circuit_runs_only_what_it_needs() -> None:
    made = program(
        function(
            "count",
            [("gives", INT)],
            n.SetScalar("zero", binary("+", n.Scalar("zero"), num(1))),
            n.Give(var("gives")),
            gives=INT,
        )
    )
    scalar(made, "flag", 1)

    def counted(gives: int) -> n.Expr:
        return n.Call("count", (num(gives),))

    flag = n.Scalar("flag")
    phase(
        made,
        n.Run(n.And(n.Not(flag), counted(1))),
        n.Run(n.Or(flag, counted(1))),
        n.Run(n.Choose(flag, num(5), counted(1))),
        n.Run(n.Choose(flag, counted(2), counted(1))),
        n.If(n.Or(n.And(flag, counted(0)), n.Or(counted(0), counted(1))), ()),
    )
    assert run(made)[1].scalar("zero") == 4


def test_order_of_evaluation() -> None:
    """Left to right; a stored value before the index of its cell."""
    digit = function(
        "digit",
        [("d", INT)],
        n.SetScalar("zero", binary("+", binary("*", n.Scalar("zero"), num(10)), var("d"))),
        n.Give(var("d")),
        gives=INT,
    )
    made = program(digit)
    column(made, "at", [0] * 10)

    def say(number: int) -> n.Expr:
        return n.Call("digit", (num(number),))

    phase(
        made,
        n.SetCell("at", say(2), say(1)),
        n.AddCell("at", say(3), say(4)),
        n.Run(binary("min", say(5), say(6))),
        n.Run(binary("+", binary("-", say(7), say(8)), say(9))),
    )
    assert run(made)[1].scalar("zero") == 123456789


def sample_sets(bits: int) -> list[int]:
    full = (1 << bits) - 1
    edges = {0, 1, full, 1 << bits - 1, full & 0x5555_5555_5555_5555_5555_5555, full >> 1}
    edges |= {full & (1 << 63), full & (1 << 64), full & (3 << 63), full & ~1}
    return sorted(edges)


@pytest.mark.parametrize("bits", BITS)
def test_set_operations(bits: int) -> None:
    pairs = list(itertools.product(sample_sets(bits), repeat=2))
    for op, meaning in (
        ("&", lambda a, b: a & b),
        ("|", lambda a, b: a | b),
        ("-", lambda a, b: a & ~b),
    ):
        exprs = [n.SetBin(op, opaque_set(a, bits), n.Bits(b, bits)) for a, b in pairs]
        exprs += [n.SetBin(op, n.Bits(a, bits), opaque_set(b, bits)) for a, b in pairs]
        assert sets(exprs, bits) == [meaning(a, b) for a, b in pairs] * 2


@pytest.mark.parametrize("bits", BITS)
def test_set_questions(bits: int) -> None:
    some = sample_sets(bits)
    hidden = [opaque_set(one, bits) for one in some]
    assert values([n.Count(one) for one in hidden]) == [one.bit_count() for one in some]
    lowest = [(one & -one).bit_length() - 1 for one in some]
    assert values([n.First(one) for one in hidden]) == lowest
    assert values([n.IsEmpty(one) for one in hidden]) == [int(not one) for one in some]
    pairs = list(itertools.product(some, repeat=2))
    within = [n.Within(opaque_set(a, bits), opaque_set(b, bits)) for a, b in pairs]
    assert values(within) == [int(a & ~b == 0) for a, b in pairs]
    same = [n.SameSet(opaque_set(a, bits), n.Bits(b, bits)) for a, b in pairs]
    assert values(same) == [int(a == b) for a, b in pairs]
    indices = sorted({0, bits - 1, min(63, bits - 1), min(64, bits - 1), bits // 2})
    cases = [(one, index) for one in some for index in indices]
    has = [n.Has(opaque_set(one, bits), num(index)) for one, index in cases]
    has += [n.Has(opaque_set(one, bits), opaque(index)) for one, index in cases]
    has += [n.Has(n.Bits(one, bits), opaque(index)) for one, index in cases]
    has += [n.Choose(one, num(1), num(0)) for one in has]
    assert values(has) == [one >> index & 1 for one, index in cases] * 6
    if bits <= 64:
        following = [n.Next(opaque_set(one, bits), opaque(index)) for one, index in cases]
        around = [one & -2 << index or one for one, index in cases]
        assert values(following) == [(one & -one).bit_length() - 1 for one in around]


@pytest.mark.parametrize("bits", BITS)
def test_single(bits: int) -> None:
    indices = sorted({0, bits - 1, min(63, bits - 1), min(64, bits - 1)})
    exprs = [n.Single(num(index), bits) for index in indices]
    exprs += [n.Single(opaque(index), bits) for index in indices]
    exprs += [n.Single(opaque(index), bits, may_be_none=True) for index in indices]
    exprs += [n.Single(opaque(-1), bits, may_be_none=True), n.Single(num(-1), bits, True)]
    assert sets(exprs, bits) == [1 << index for index in indices] * 3 + [0, 0]


@pytest.mark.parametrize("bits", BITS)
def test_sets_in_every_place(bits: int) -> None:
    """Scalars, cells, tables, parameters, results, both branches of a choice."""
    kind = n.Set(bits)
    full = (1 << bits) - 1
    made = program(
        function(
            "mixed",
            [("a", kind), ("flag", INT), ("b", kind)],
            n.Give(
                n.Choose(var("flag"), var("a", kind), n.SetBin("-", var("b", kind), var("a", kind)))
            ),
            gives=kind,
        )
    )
    column(made, "held", [full, 1, 0], kind)
    table(made, "fixed", [1, full, 0], kind)
    scalar(made, "one", full, kind)
    cells = [n.Cell("held", opaque(0), kind), n.Cell("fixed", opaque(1), kind)]
    cells += [n.Cell("held", num(1), kind), n.Cell("fixed", num(0), kind)]
    cells.append(n.Scalar("one", kind))
    calls = [
        n.Call("mixed", (n.Bits(1, bits), opaque(flag), n.Scalar("one", kind))) for flag in (0, 1)
    ]
    assert sets([*cells, *calls], bits, made) == [full, full, 1, 1, full, full & ~1, 1]


def test_rows_as_values() -> None:
    made = program()
    rows(made, "pile", 4, (), (5, -2, 5))
    full, empty = n.RowAt("pile", opaque(1), 4), n.RowAt("pile", num(0), 4)
    cases = [
        *(n.RowCount(full), n.RowCount(empty), n.RowItem(full, num(1)), n.RowItem(full, opaque(2))),
        *(n.RowHas(full, opaque(5)), n.RowHas(full, num(6)), n.RowHas(empty, num(0))),
        n.Not(n.RowHas(full, num(-2))),
    ]
    assert values(cases, made) == [3, 0, -2, 5, 1, 0, 0, 0]


def test_calls_by_number_and_by_seat() -> None:
    made = program(
        *[
            function(f"times_{k}", [("x", INT)], n.Give(binary("*", var("x"), num(k))), gives=INT)
            for k in range(3)
        ],
        function(
            "bold",
            [("seat", INT), ("x", INT)],
            n.Give(binary("+", var("x"), var("seat"))),
            gives=INT,
        ),
        function("shy", [("seat", INT), ("x", INT)], n.Give(num(-1)), gives=INT),
    )
    made.dispatch["by_kind"] = ("times_0", "times_1", "times_2")
    site(made, "bid", {"bold": "bold", "shy": "shy"})
    cases: list[n.Expr] = [n.CallBy("by_kind", opaque(k), (num(21),)) for k in range(3)]
    cases += [n.AskSeat("bid", opaque(seat), (num(30),)) for seat in range(2)]
    assert values(cases, made) == [0, 21, 42, 30, 31]


def test_draws_are_within_bounds_and_even() -> None:
    made = program()
    made.streams = ("dice", "deck")
    column(made, "bot_count", [0, 0])
    count = 600
    cases: list[n.Expr] = [n.Draw(k % 2, num(6)) for k in range(count)]
    cases += [n.BotDraw(num(k % 2), num(6)) for k in range(count)]
    drawn = values(cases, made)
    for start in (0, count):
        part = drawn[start : start + count]
        assert set(part) == set(range(6))
        assert all(70 <= part.count(face) <= 130 for face in range(6))
    assert drawn[0:count:2] != drawn[1:count:2]
    assert drawn[count::2] != drawn[count + 1 :: 2]
