"""What the printed texts look like, and what the printers refuse."""

from __future__ import annotations

import textwrap
import time
import traceback

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
    rows,
    run,
    scalar,
    site,
    table,
    var,
)
from flat_trees import grown_program

from interpreter.emit.python import print_python
from interpreter.emit.wat import print_wat
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir import nodes as n

SAMPLE = """\
# pay
# what is owed
def pay(p, to, sum):
    nonlocal fault
    if cash[p] < sum:
        fault = 1
        return 2
    cash[p] = cash[p] - sum
    cash[to] = cash[to] + sum
    return 0


def run_phase():
    nonlocal phases
    phases += 1
    for p in ring_BY_2[phases % 2]:
        for q in MEMBERS_2[alive & ~out]:
            if q != p:
                code = pay(p, q, (DRAWS_0 or draws(0)).pop() + 1)
                if code:
                    return code
    return 0
"""


def sample() -> n.Program:
    pay = function(
        "pay",
        [("p", INT), ("to", INT), ("sum", INT)],
        n.If(
            binary("<", n.Cell("cash", var("p")), var("sum")),
            (n.SetScalar("fault", num(1)), n.Exit(num(2))),
        ),
        n.AddCell("cash", var("p"), binary("-", num(0), var("sum"))),
        n.AddCell("cash", var("to"), var("sum")),
    )
    pay.comment = "pay\nwhat is owed"
    made = program(pay)
    kind = n.Set(2)
    scalar(made, "alive", 3, kind)
    scalar(made, "out", 0, kind)
    column(made, "cash", [20, 20])
    table(made, "ring", [0, 1, 1, 0])
    made.streams = ("dice",)
    owed = binary("+", n.Draw(0, num(6)), num(1))
    call = n.Do(n.Call("pay", (var("p"), var("q"), owed)))
    phase(
        made,
        n.SetScalar("phases", binary("+", n.Scalar("phases"), num(1))),
        n.ForTable(
            "p",
            "ring",
            binary("%", n.Scalar("phases"), num(2)),
            2,
            (
                n.ForSet(
                    "q",
                    n.SetBin("-", n.Scalar("alive", kind), n.Scalar("out", kind)),
                    (n.If(n.Not(binary("==", var("q"), var("p"))), (call,)),),
                ),
            ),
        ),
    )
    return made


def test_python_reads_well() -> None:
    text = print_python(sample())
    printed = text[text.index("    # pay") : text.index("\n\n\n    def reset")]
    assert textwrap.dedent(printed) == SAMPLE.rstrip()


def test_printing_is_repeatable() -> None:
    assert print_python(sample()) == print_python(sample())
    assert print_wat(sample(), batch=True) == print_wat(sample(), batch=True)


def test_the_native_module_imports_nothing() -> None:
    assert "(import" not in print_wat(sample(), batch=True)


@pytest.mark.parametrize("name", ["a b", "1a", "", "a\n", "__import__", "a.b", "é", "a;b", "a)"])
def test_names_that_no_compiler_makes_are_refused(name: str) -> None:
    made = program()
    scalar(made, name)
    phase(made, n.SetScalar(name, num(1)))
    with pytest.raises(ValueError, match="no name"):
        print_python(made)
    named = program(function(name, ()))
    phase(named)
    local = program()
    phase(local, n.SetVar(name, num(1)))
    for wrong in (named, local):
        with pytest.raises(ValueError, match="no name"):
            print_python(wrong)
        with pytest.raises(ValueError, match="no name"):
            print_wat(wrong, batch=True)


def test_names_may_be_words_of_python() -> None:
    """Names of all kinds at once, and ones that the printed module uses itself."""
    words = ("if", "len", "draw", "STREAMS", "reset", "rest", "bit", "part1", "same", "words")
    made = program()
    for word in words:
        scalar(made, word, 1)
        column(made, f"{word}_", [2])
        rows(made, f"{word}_s", 2, (1,))
        table(made, f"{word}__", [3])
    column(made, "same", [4])
    made.functions["same"] = function("same", [("if", INT)], n.Give(var("if")), gives=INT)
    body: list[n.Stmt] = [n.SetVar("rest", num(100)), n.SetVar("words", num(0))]
    body += [n.SetVar(word, binary("+", n.Scalar(word), num(5))) for word in words]
    body.append(n.ForSet("bit", n.Bits(0b110, 3), (n.SetVar("words", var("rest")),)))
    body.append(n.SetCell("same", opaque(0), n.Call("same", (n.Cell("if__", num(0)),))))
    body.append(
        n.SetScalar("zero", binary("+", var("words"), binary("max", var("bit"), opaque(0))))
    )
    phase(made, *body)
    _, engine = run(made)
    assert (engine.cell("same", 0), engine.scalar("zero")) == (3, 8)


def test_comments_cannot_break_out() -> None:
    made = program()
    nothing = function("nothing", ())
    nothing.comment = "one\ntwo\rthree\x0bfour\u2028five\x00) ;; \x85six"
    made.functions["nothing"] = nothing
    phase(made)
    assert run(made)[0] == 0
    assert "\x00" not in print_python(made)


@pytest.mark.parametrize(
    ("stmt", "wrong"),
    [
        (n.Run(n.Call("leaves", ())), None),
        (n.SetScalar("zero", n.Call("leaves", ())), "Do"),
        (n.Run(binary("+", n.Call("leaves", ()), num(1))), "Do"),
        (n.SetVar("r", n.Var("line", n.Row(3)), n.Row(3)), "assigned"),
    ],
)
def test_wrong_programs_are_refused(stmt: n.Stmt, wrong: str | None) -> None:
    made = program(function("leaves", (), n.Exit(num(4))))
    phase(made, n.NewRow("line", 3), stmt)
    if wrong is None:
        print_python(made)
        print_wat(made, batch=True)
        return
    with pytest.raises(ValueError, match=wrong):
        print_python(made)
    with pytest.raises(ValueError, match=wrong):
        print_wat(made, batch=True)


def test_tracebacks_show_the_printed_lines() -> None:
    made = program()
    phase(made, n.Run(binary("//", num(1), n.Scalar("zero"))))
    engine = PythonEngine(made, cached=False)
    with pytest.raises(ZeroDivisionError) as raised:
        engine.run_phase()
    assert "1 // zero" in "".join(traceback.format_exception(raised.value))


def test_host_functions_answer_at_a_seat() -> None:
    made = program(function("three", [("seat", INT)], n.Give(num(3)), gives=INT))
    site(made, "bid", {"three": "three"})
    phase(made, n.SetScalar("zero", binary("+", n.AskSeat("bid", opaque(1), ()), num(1))))
    engine = PythonEngine(made, cached=False)
    asked: list[int] = []

    def answer(seat: int) -> int:
        asked.append(seat)
        return 40

    engine.seat(0, "three")
    engine.seat(1, {"bid": answer})
    engine.run_phase()
    assert (engine.scalar("zero"), asked) == (41, [1])


def test_big_programs_print_fast() -> None:
    """6,000 lines of Python in 0.4 s of the processor, whatever else it does."""
    made = [grown_program(seed, 60) for seed in range(10)]
    lines = 0
    best = float("inf")
    for _ in range(3):
        start = time.process_time()
        lines = sum(print_python(one).count("\n") for one in made)
        best = min(best, time.process_time() - start)
    assert best / lines * 6000 < 0.4
