"""What the Python printer keeps in locals, and when it looks things up anew."""

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
    site,
    var,
)

from interpreter.emit.python import python_functions
from interpreter.flat.ir import nodes as n

OUT = "out"
CASH = n.Cell("cash", var("x"))


def put(place: int, value: n.Expr) -> n.Stmt:
    return n.SetCell(OUT, num(place), value)


def add(value: n.Expr, more: int) -> n.Expr:
    return binary("+", value, num(more))


CASES = {
    "twice": (
        (put(0, add(CASH, 1)), put(1, add(CASH, 2))),
        """\
        out[0] = (part1 := cash[x]) + 1
        out[1] = part1 + 2
        """,
        (21, 22),
    ),
    "written in between": (
        (put(0, add(CASH, 1)), n.AddCell("cash", var("y"), num(5)), put(1, add(CASH, 2))),
        """\
        out[0] = cash[x] + 1
        cash[y] = cash[y] + 5
        out[1] = cash[x] + 2
        """,
        (21, 27),
    ),
    "what was written": (
        (n.SetCell("cash", var("x"), add(var("y"), 3)), put(0, CASH), put(1, add(CASH, 1))),
        """\
        cash[x] = (part1 := y + 3)
        out[0] = part1
        out[1] = part1 + 1
        """,
        (4, 5),
    ),
    "another constant place": (
        (
            n.SetVar("one", n.Cell("cash", num(1))),
            n.SetCell("cash", num(0), num(9)),
            put(0, add(n.Cell("cash", num(1)), 1)),
            put(1, var("one")),
        ),
        """\
        one = cash[1]
        cash[0] = 9
        out[0] = one + 1
        out[1] = one
        """,
        (21, 20),
    ),
    "only on one way": (
        (
            n.If(binary(">", opaque(0), num(0)), (put(0, add(CASH, 1)),)),
            put(1, add(CASH, 2)),
        ),
        """\
        if zero + 0 > 0:
            out[0] = cash[x] + 1
        out[1] = cash[x] + 2
        """,
        (0, 22),
    ),
    "only where the first part holds": (
        (
            n.If(
                n.And(binary(">", var("y"), num(0)), binary(">", CASH, num(7))),
                (put(0, binary("+", CASH, CASH)),),
                (put(1, CASH),),
            ),
        ),
        """\
        if y > 0 and (part1 := cash[x]) > 7:
            out[0] = part1 + part1
        else:
            out[1] = cash[x]
        """,
        (40, 0),
    ),
    "a function that writes it": (
        (put(0, CASH), n.Run(n.Call("spend", (var("x"),))), put(1, CASH)),
        """\
        out[0] = cash[x]
        spend(x)
        out[1] = cash[x]
        """,
        (20, 13),
    ),
    "a function that writes something else": (
        (put(0, CASH), n.Run(n.Call("rest", ())), put(1, CASH)),
        """\
        out[0] = (part1 := cash[x])
        rest()
        out[1] = part1
        """,
        (20, 20),
    ),
    "across a question": (
        (put(0, CASH), n.Run(n.AskSeat("bid", num(0), ())), put(1, CASH)),
        """\
        out[0] = cash[x]
        ASK_bid[0](0)
        out[1] = cash[x]
        """,
        (20, 20),
    ),
    "in a loop that writes it": (
        (
            put(0, CASH),
            n.ForRange(
                "i",
                num(0),
                opaque(2),
                num(1),
                (n.AddCell(OUT, num(1), CASH), n.AddCell("cash", var("x"), num(1))),
            ),
        ),
        """\
        out[0] = cash[x]
        for i in range(zero + 2 + 1):
            out[1] = out[1] + cash[x]
            cash[x] = cash[x] + 1
        """,
        (20, 63),
    ),
    "from before a loop": (
        (
            put(0, CASH),
            n.ForRange("i", num(0), opaque(2), num(1), (n.AddCell(OUT, num(1), CASH),)),
        ),
        """\
        out[0] = (part1 := cash[x])
        for i in range(zero + 2 + 1):
            out[1] = out[1] + part1
        """,
        (20, 60),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_kept(name: str) -> None:
    body, text, out = CASES[name]
    params = [("x", INT), ("y", INT)]
    made = program(
        function("tried", params, *body),
        function("spend", [("who", INT)], n.AddCell("cash", var("who"), num(-7))),
        function("rest", [], n.SetScalar("rested", num(1))),
        function("answer", [("seat", INT)], n.Give(num(0)), gives=INT),
    )
    scalar(made, "rested")
    column(made, "cash", [10, 20])
    column(made, OUT, [0, 0])
    site(made, "bid", {"never": "answer"})
    phase(made, n.Run(n.Call("tried", (num(1), num(1)))))
    printed = python_functions(made, ["tried"]).split("\n", 1)[1]
    wanted = "\n".join([line[4:] for line in text.rstrip().split("\n")])
    assert printed == wanted
    _, engine = run(made)
    assert (engine.cell(OUT, 0), engine.cell(OUT, 1)) == out
