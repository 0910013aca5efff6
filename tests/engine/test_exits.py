"""Early exits become return codes."""

from __future__ import annotations

import pytest
from flat_programs import (
    INT,
    binary,
    column,
    function,
    num,
    opaque,
    phase,
    program,
    run,
    scalar,
    var,
)

from interpreter.flat.ir import nodes as n
from interpreter.flat.passes.exits import settle_exits


def leaving(code: int, gives: n.FlatType | None = INT) -> n.Function:
    """A function that leaves with a code, or gives 7 if told to stay."""
    value = n.Bits(0b101, gives.bits) if isinstance(gives, n.Set) else num(7)
    body: list[n.Stmt] = [n.If(var("leave"), (n.Exit(num(code)),))]
    if gives is not None:
        body.append(n.Give(value))
    return function("may_leave", [("leave", INT)], *body, gives=gives)


def left_nodes(body: n.Body) -> list[n.Stmt]:
    found = []
    for stmt in body:
        if isinstance(stmt, n.Do | n.Give | n.Exit):
            found.append(stmt)
        for part in ("then", "other", "body"):
            found += left_nodes(getattr(stmt, part, ()))
    return found


@pytest.mark.parametrize(
    ("leave", "catch", "code", "x"), [(0, 0, 0, 7), (1, 0, 4, 5), (1, 4, 0, 0), (1, 3, 4, 5)]
)
def test_do(leave: int, catch: int, code: int, x: int) -> None:
    made = program(leaving(4))
    scalar(made, "x", 5)
    call = n.Call("may_leave", (opaque(leave),))
    phase(made, n.Do(call, "got", catch=catch), n.SetScalar("x", var("got")))
    assert not any(left_nodes(one.body) for one in made.functions.values())
    ended, engine = run(made)
    assert (ended, engine.scalar("x")) == (code, x)


def test_sets_come_back_in_their_own_register() -> None:
    kind = n.Set(150)
    made = program(leaving(4, kind))
    scalar(made, "x", 0, kind)
    call = n.Call("may_leave", (opaque(0),))
    phase(made, n.Do(call, "got", kind), n.SetScalar("x", var("got", kind), kind))
    assert made.scalars["result_set_150"].role == "scratch"
    assert run(made)[1].scalar("x") == 0b101


def test_exits_pass_through_loops_and_callers() -> None:
    inner = function(
        "inner",
        (),
        n.ForRange(
            "i",
            num(0),
            num(9),
            num(1),
            (
                n.SetScalar("x", var("i")),
                n.Do(n.Call("may_leave", (binary("==", var("i"), num(3)),))),
            ),
        ),
    )
    outer = function("outer", (), n.Do(n.Call("inner", ())))
    made = program(leaving(5), inner, outer)
    scalar(made, "x")
    phase(made, n.While(num(1), (n.Do(n.Call("outer", ())),)))
    code, engine = run(made)
    assert (code, engine.scalar("x")) == (5, 3)


def test_a_code_that_is_computed() -> None:
    made = program(function("leave_with", [("code", INT)], n.Exit(var("code"))))
    scalar(made, "x")
    phase(
        made,
        n.Do(n.Call("leave_with", (opaque(0),))),
        n.Do(n.Call("leave_with", (opaque(6),)), catch=6),
        n.SetScalar("x", num(1)),
        n.Do(n.Call("leave_with", (opaque(6),)), catch=5),
    )
    code, engine = run(made)
    assert (code, engine.scalar("x")) == (6, 1)


def test_a_call_at_the_end_is_handed_on_as_it_is() -> None:
    call = n.Do(n.Call("may_leave", (var("leave"),)))
    both = (n.If(binary("==", var("leave"), num(0)), (call,)), n.Exit(num(0)))
    inner = function("inner", [("leave", INT)], n.If(opaque(1), both), call, n.Exit(num(0)))
    made = program(inner, leaving(4, None))
    scalar(made, "x")
    phase(made, n.Do(n.Call("inner", (num(0),))), n.SetScalar("x", num(1)), n.Exit(num(0)))
    handed_on = n.Return(call.call)
    inside = n.If(both[0].condition, (handed_on,))
    assert made.functions["inner"].body == (n.If(opaque(1), (inside, n.Return(num(0)))), handed_on)
    assert (run(made)[0], run(made)[1].scalar("x")) == (0, 1)


def test_what_cannot_leave_stays_plain() -> None:
    plain = function("plain", (), n.Exit(num(0)), gives=INT)
    catcher = function(
        "catcher", (), n.Do(n.Call("may_leave", (num(1),)), catch=4), n.Give(num(2)), gives=INT
    )
    made = program(plain, catcher, leaving(4))
    scalar(made, "x")
    total = binary("+", n.Call("catcher", ()), n.Call("plain", ()))
    phase(made, n.Do(n.Call("plain", ()), "got"), n.SetScalar("x", total))
    assert {name for name, one in made.functions.items() if one.exits} == {"may_leave", "run_phase"}
    assert run(made)[1].scalar("x") == 2


def test_functions_of_a_table_share_their_way_of_calling() -> None:
    made = program(
        leaving(4),
        function("stays", [("leave", INT)], n.Give(num(1)), gives=INT),
        function("stays_too", [("leave", INT)], n.Give(num(2)), gives=INT),
    )
    made.dispatch["mixed"] = ("may_leave", "stays")
    made.dispatch["linked"] = ("stays", "stays_too")
    column(made, "out", [0] * 4)
    body = []
    for k in range(4):
        call = n.CallBy("mixed" if k < 2 else "linked", opaque(k % 2), (num(0),))
        body += [n.Do(call, "got"), n.SetCell("out", num(k), var("got"))]
    phase(made, *body, n.Do(n.CallBy("mixed", opaque(0), (num(1),)), catch=3))
    assert all(made.functions[name].exits for name in ("may_leave", "stays", "stays_too"))
    code, engine = run(made)
    assert code == 4
    assert [engine.cell("out", k) for k in range(4)] == [7, 1, 1, 2]


def test_local_names_do_not_clash() -> None:
    made = program(leaving(4))
    scalar(made, "x")
    body = n.Do(n.Call("may_leave", (opaque(0),)), "got")
    phase(made, n.SetVar("code", num(8)), body, n.SetScalar("x", var("code")))
    assert run(made)[1].scalar("x") == 8


def test_a_value_function_must_not_leave() -> None:
    made = program(leaving(4))
    made.functions["winners"] = function("winners", (), n.Do(n.Call("may_leave", (num(1),))))
    with pytest.raises(ValueError, match="winners"):
        settle_exits(made)


def test_unknown_functions_are_named() -> None:
    made = program(function("calls", (), n.Do(n.Call("nobody", ()))))
    with pytest.raises(ValueError, match="nobody"):
        settle_exits(made)
