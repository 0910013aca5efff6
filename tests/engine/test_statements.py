"""Each statement of flat core, on both engines."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from flat_programs import (
    BITS,
    INT,
    binary,
    column,
    engines,
    function,
    num,
    opaque,
    opaque_set,
    phase,
    program,
    rows,
    run,
    scalar,
    table,
    var,
)

from interpreter.flat.ir import nodes as n
from interpreter.flat.plan.keys import key_of


def note(value: n.Expr) -> n.Stmt:
    """Writes a number down, in order."""
    return n.RowPush(n.RowAt("notes", num(0), 200), value)


def noted(*body: n.Stmt, made: n.Program | None = None) -> list[int]:
    """What is written down when this body runs."""
    made = made or program()
    rows(made, "notes", 200, ())
    phase(made, *body)
    return run(made)[1].row("notes", 0)


def test_if() -> None:
    other = n.If(opaque(0), (note(num(1)),), (note(num(2)),))
    chain = n.If(opaque(0), (), (n.If(opaque(0), (), (note(num(3)),)),))
    assert noted(other, chain, n.If(opaque(1), ()), n.If(opaque(1), (), (note(num(9)),))) == [2, 3]


def test_while_with_break_and_continue() -> None:
    i = var("i")
    body = (
        n.SetVar("i", binary("+", i, num(1))),
        n.If(binary("==", binary("%", i, num(3)), num(0)), (n.Continue(),)),
        n.If(binary(">", i, num(7)), (n.Break(),)),
        note(i),
    )
    assert noted(n.SetVar("i", num(0)), n.While(num(1), body)) == [1, 2, 4, 5, 7]


@pytest.mark.parametrize(
    ("low", "high", "step"),
    [(0, 3, 1), (2, 2, 1), (3, 2, 1), (-2, 7, 3), (0, 40, 1), (-5, -1, 2)],
)
def test_range(low: int, high: int, step: int) -> None:
    wanted = list(range(low, high + 1, step))
    for make in (num, opaque):
        loop = n.ForRange("i", make(low), make(high), make(step), (note(var("i")),))
        assert noted(loop) == wanted


def test_range_up_to_the_last_number() -> None:
    last = (1 << 31) - 1
    loop = n.ForRange("i", opaque(last - 3), opaque(last), num(2), (note(var("i")),))
    assert noted(loop) == [last - 3, last - 1]


def test_range_takes_its_bounds_once_and_keeps_its_count() -> None:
    body = (
        note(var("i")),
        n.SetScalar("zero", num(9)),
        n.If(binary("==", var("i"), num(1)), (n.Continue(),)),
        n.SetVar("i", num(50)),
    )
    loop = n.ForRange("i", num(0), binary("+", n.Scalar("zero"), num(2)), num(1), body)
    assert noted(loop, note(var("i"))) == [0, 1, 2, 50]


@pytest.mark.parametrize("bits", BITS)
def test_members_in_order(bits: int) -> None:
    some = {0, bits - 1, bits // 2, min(63, bits - 1), min(64, bits - 1)}
    value = sum(1 << index for index in some)
    inner = n.If(binary("==", var("i"), num(bits // 2)), (n.Continue(),))
    loop = n.ForSet("i", opaque_set(value, bits), (inner, note(var("i"))))
    assert noted(loop) == sorted(some - {bits // 2})
    assert noted(replace(loop, descending=True)) == sorted(some - {bits // 2}, reverse=True)
    constant = n.ForSet("i", n.Bits(value, bits), (note(var("i")),), descending=True)
    assert noted(constant) == sorted(some, reverse=True)


@pytest.mark.parametrize("bits", [10, 11, 20, 33, 40, 41])
def test_members_in_pieces(bits: int) -> None:
    for some in (set(), {0, 9, bits - 1}, {bits // 2}, set(range(0, bits, 3))):
        made = program()
        scalar(made, "some", sum(1 << index for index in some), n.Set(bits))
        every = n.SetBin("&", n.Scalar("some", n.Set(bits)), n.Bits((1 << bits) - 1, bits))
        assert noted(n.ForSet("i", every, (note(var("i")),)), made=made) == sorted(some)


def test_what_an_empty_loop_looked_up_is_known_behind_it() -> None:
    made, kind = program(), n.Set(9)
    column(made, "mine", [0b101, 0b110], kind)
    mine = n.Cell("mine", opaque(1), kind)
    loop = n.ForSet("i", n.SetBin("&", mine, n.Scalar("none_9", kind)), (note(var("i")),))
    assert noted(loop, note(n.First(mine)), note(n.Count(mine)), made=made) == [1, 2]


def test_what_an_empty_loop_does_for_its_set_is_done() -> None:
    kind = n.Set(9)
    told = function("told", (), note(num(7)), n.Give(opaque_set(0b11, 9)), gives=kind)
    made = program(told)
    every = n.SetBin("&", n.Call("told", ()), n.Scalar("none_9", kind))
    assert noted(n.ForSet("i", every, (note(var("i")),)), made=made) == [7]


def test_set_is_taken_once() -> None:
    kind = n.Set(64)
    body = (note(var("i")), n.SetScalar("none_64", n.Bits(0, 64), kind))
    start = n.SetScalar("none_64", n.Bits(0b1011, 64), kind)
    assert noted(start, n.ForSet("i", n.Scalar("none_64", kind), body)) == [0, 1, 3]


def test_rows() -> None:
    made = program()
    rows(made, "pile", 6, (1, 2), (7, 7, 8))
    pile, other = n.RowAt("pile", num(0), 6), n.RowAt("pile", opaque(1), 6)
    body: list[n.Stmt] = [
        n.RowPush(pile, num(3)),
        n.RowPush(pile, num(0), top=True),
        n.RowInsert(pile, num(2), num(9)),
        n.RowInsert(pile, num(5), num(4)),
        n.RowSet(pile, num(1), num(-1)),
        n.RowRemove(other, num(7)),
        n.RowRemove(other, num(100)),
        n.ForRow("x", pile, (note(var("x")),)),
        n.ForRow("x", other, (n.If(binary("==", var("x"), num(8)), (n.Break(),)), note(var("x")))),
        n.RowClear(pile),
        note(n.RowCount(pile)),
    ]
    assert noted(*body, made=made) == [0, -1, 9, 2, 3, 4, 7, 0]


def test_local_rows() -> None:
    """A local row is new each time, goes to other functions by reference and ends with its own."""
    line = var("line", n.Row(5))
    fill = function(
        "fill",
        [("line", n.Row(5)), ("depth", INT)],
        n.NewRow("own", 3),
        n.RowPush(var("own", n.Row(3)), var("depth")),
        n.RowPush(line, n.RowItem(var("own", n.Row(3)), num(0))),
        n.If(
            binary(">", var("depth"), num(0)),
            (n.Run(n.Call("fill", (line, binary("-", var("depth"), num(1))))), n.Return()),
        ),
        n.RowPush(line, n.RowCount(var("own", n.Row(3)))),
    )
    body = (
        n.NewRow("line", 5),
        n.Run(n.Call("fill", (line, var("i")))),
        n.ForRow("x", line, (note(var("x")),)),
    )
    loop = n.ForRange("i", num(0), num(2), num(1), body)
    assert noted(loop, made=program(fill)) == [0, 1, 1, 0, 1, 2, 1, 0, 1]


def test_shuffle_keeps_the_items() -> None:
    made = program()
    made.streams = ("deck",)
    rows(made, "pile", 30, tuple(range(30)))
    table(made, "keys", [key_of(str(item)) for item in range(30)], n.Set(64))
    phase(made, n.RowShuffle(n.RowAt("pile", num(0), 30), 0, "keys"))
    row = run(made)[1].row("pile", 0)
    assert sorted(row) == list(range(30))
    assert row != list(range(30))


@pytest.mark.parametrize("size", [1, 2, 3, 13, 110])
def test_a_shuffle_keeps_the_order_of_what_was_there_when_a_thing_is_added(size: int) -> None:
    """However the others are counted: what lies where before, and which number it has."""

    def shuffled(names: list[str]) -> list[str]:
        made = program()
        made.streams = ("dice", "deck")
        rows(made, "pile", 120, tuple(range(len(names))))
        table(made, "keys", [key_of(name) for name in names], n.Set(64))
        phase(made, n.RowShuffle(n.RowAt("pile", num(0), 120), 1, "keys"))
        return [names[item] for item in run(made)[1].row("pile", 0)]

    names = [f"card {number}" for number in range(size)]
    some = shuffled(names)
    assert sorted(some) == sorted(names)
    more = shuffled(["new", *reversed(names)])
    assert [each for each in more if each != "new"] == some


def test_shuffles_are_even() -> None:
    """Each of the 24 orders of four things comes 500 times, give or take 22, in 12,000."""
    made = program()
    made.streams = ("deck",)
    rows(made, "pile", 4, tuple(range(4)))
    rows(made, "notes", 48_000, ())
    table(made, "keys", [key_of(name) for name in "abcd"], n.Set(64))
    row = n.RowAt("pile", num(0), 4)
    noted = [n.RowPush(n.RowAt("notes", num(0), 48_000), n.RowItem(row, num(k))) for k in range(4)]
    body = (n.RowShuffle(row, 0, "keys"), *noted)
    phase(made, n.ForRange("i", num(1), num(12_000), num(1), body))
    notes = run(made)[1].row("notes", 0)
    orders = Counter(tuple(notes[at : at + 4]) for at in range(0, 48_000, 4))
    assert len(orders) == 24
    assert all(abs(times - 500) < 110 for times in orders.values())


def test_table_lines() -> None:
    made = program()
    table(made, "ring", [0, 1, 2, 1, 2, 0, 2, 0, 1])
    table(made, "groups", [3, 12, 48, 192], n.Set(8))
    both = (note(n.Count(var("g", n.Set(8)))), note(n.First(var("g", n.Set(8)))))
    loops = (
        n.ForTable("p", "ring", opaque(1), 3, (note(var("p")),)),
        n.ForTable("p", "ring", num(2), 3, (note(var("p")),)),
        n.ForTable("g", "groups", opaque(1), 2, both),
    )
    assert noted(*loops, made=made) == [1, 2, 0, 2, 0, 1, 2, 4, 2, 6]


def test_cells() -> None:
    made = program()
    column(made, "cash", [10, 20, 30], role="scratch")
    body = (
        n.AddCell("cash", opaque(1), num(-5)),
        n.AddCell("cash", num(2), binary("-", num(0), n.Cell("cash", num(0)))),
        n.SetCell("cash", num(0), binary("+", n.Cell("cash", num(0)), num(1))),
        *[note(n.Cell("cash", num(k))) for k in range(3)],
    )
    assert noted(*body, made=made) == [11, 15, 20]


def test_measures_are_wide_and_last_from_game_to_game() -> None:
    made = program()
    column(made, "sum", [0, 0], role="measure")
    phase(made, n.AddCell("sum", num(1), num(2_000_000_000)), n.Exit(num(1)))
    python, native = engines(made)
    for engine in (python, native):
        for game in range(3):
            engine.new_game(1, game)
            assert engine.run_phase() == 1
    assert python.measures() == {"sum": [0, 6_000_000_000]}
    assert native.cell("sum", 1) == 6_000_000_000


def test_a_function_that_comes_to_its_end_gives_nothing_or_zero() -> None:
    made = program(
        function("number", [("x", INT)], n.If(var("x"), (n.Give(num(4)),)), gives=INT),
        function("nothing", [("x", INT)], n.If(var("x"), (n.Return(),)), note(num(5))),
    )
    calls = [n.Run(n.Call("nothing", (num(k),))) for k in (0, 1)]
    shown = [note(n.Call("number", (num(k),))) for k in (0, 1)]
    assert noted(*calls, *shown, made=made) == [5, 0, 4]


def test_trace_reaches_the_listener() -> None:
    made = program()
    made.marks = ["paid"]
    scalar(made, "x", 3)
    phase(made, n.Trace(0, (n.Scalar("x"), binary("<", n.Scalar("x"), num(4)))))
    python, native = engines(made)
    heard: list[tuple[int, ...]] = []
    python.on_trace(lambda *values: heard.append(values))
    assert python.run_phase() == native.run_phase() == 0
    assert heard == [(0, 3, 1)]
    assert [type(value) for value in heard[0]] == [int, int, int]


@pytest.mark.parametrize("make", ["set", "range"])
def test_what_a_loop_without_rounds_sets_may_be_named_behind_it(make: str) -> None:
    body = (n.SetVar("found", num(1)), n.SetVar("it", var("i")))
    none_of_a_set = n.ForSet("i", n.Bits(0, 8), body)
    loop = none_of_a_set if make == "set" else n.ForRange("i", num(3), num(2), num(1), body)
    behind = n.If(var("found"), (note(var("it")),), (note(num(9)),))
    assert noted(n.SetVar("found", num(0)), loop, behind) == [9]
