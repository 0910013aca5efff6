"""Flat programs built by hand, and both engines for them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from interpreter.engine.native_engine import NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir import nodes as n
from interpreter.flat.passes.exits import settle_exits

INT = n.INT
BITS = (1, 9, 64, 65, 150)


def num(value: int) -> n.Expr:
    return n.Num(value)


def var(name: str, kind: n.FlatType = INT) -> n.Expr:
    return n.Var(name, kind)


def binary(op: n.IntOp, left: n.Expr, right: n.Expr) -> n.Expr:
    return n.Bin(op, left, right)


def opaque(value: int) -> n.Expr:
    """A number that no printer can see through: it is in a scalar."""
    return n.Bin("+", n.Scalar("zero"), n.Num(value))


def opaque_set(value: int, bits: int) -> n.Expr:
    """A set that no printer can see through."""
    return n.SetBin("|", n.Scalar(f"none_{bits}", n.Set(bits)), n.Bits(value, bits))


def function(
    name: str,
    params: Iterable[tuple[str, n.FlatType]],
    *body: n.Stmt,
    gives: n.FlatType | None = None,
) -> n.Function:
    return n.Function(name, tuple(params), tuple(body), gives)


def program(*functions: n.Function, players: int = 2) -> n.Program:
    """A program with an empty state, the scalars that are always there, and these functions."""
    made = n.Program("by hand", players)
    for name in ("zero", "phases", "questions", "fault"):
        made.scalars[name] = n.ScalarDecl(name, INT, 0, "state")
    for bits in BITS:
        made.scalars[f"none_{bits}"] = n.ScalarDecl(f"none_{bits}", n.Set(bits), 0, "state")
    for one in functions:
        made.functions[one.name] = one
    return made


def scalar(made: n.Program, name: str, initial: int = 0, kind: n.FlatType = INT) -> None:
    made.scalars[name] = n.ScalarDecl(name, kind, initial, "state")


def column(
    made: n.Program, name: str, initial: Sequence[int], kind: n.FlatType = INT, **more: object
) -> None:
    role = more.pop("role", "state")
    made.columns[name] = n.ColumnDecl(name, kind, tuple(initial), role, **more)  # type: ignore[arg-type]


def rows(made: n.Program, name: str, cap: int, *initial: Sequence[int]) -> None:
    filled = tuple(tuple(row) for row in initial)
    made.rows[name] = n.RowsDecl(name, len(filled), cap, filled)


def table(made: n.Program, name: str, values: Sequence[int], kind: n.FlatType = INT) -> None:
    made.tables[name] = n.Table(name, kind, tuple(values))


def site(made: n.Program, name: str, answers: Mapping[str, str]) -> None:
    """A site, and the function of each strategy that answers there."""
    made.sites[name] = n.Site(name, name, "pick", (), (), True)
    for strategy, answer in answers.items():
        made.strategies.setdefault(strategy, {})[name] = answer


def phase(made: n.Program, *body: n.Stmt) -> None:
    """What happens in a phase: makes the program whole."""
    made.functions["run_phase"] = function("run_phase", (), *body)
    settle_exits(made)


def engines(made: n.Program) -> tuple[PythonEngine, NativeEngine]:
    """Both engines, each in a fresh game with the first strategy on all seats."""
    both = PythonEngine(made, cached=False), NativeEngine(made, cached=False)
    for engine in both:
        for seat in range(made.players):
            if made.strategies:
                engine.seat(seat, next(iter(made.strategies)))
        engine.new_game(1)
    return both


def run(made: n.Program) -> tuple[int, PythonEngine]:
    """Runs one phase on both engines, which must agree; gives its code and the Python engine."""
    python, native = engines(made)
    code = python.run_phase()
    assert native.run_phase() == code
    assert native.difference(python.save()) is None
    assert native.digest() == python.digest()
    return code, python


def values(cases: Sequence[n.Expr], made: n.Program | None = None) -> list[int]:
    """What these numbers come to, on both engines."""
    made = made or program()
    column(made, "out", [0] * len(cases))
    phase(made, *[n.SetCell("out", n.Num(at), expr) for at, expr in enumerate(cases)])
    _, engine = run(made)
    return [engine.cell("out", at) for at in range(len(cases))]


def sets(cases: Sequence[n.Expr], bits: int, made: n.Program | None = None) -> list[int]:
    """What these sets come to, on both engines."""
    made = made or program()
    kind = n.Set(bits)
    column(made, "sets_out", [0] * len(cases), kind)
    phase(made, *[n.SetCell("sets_out", n.Num(at), expr, kind) for at, expr in enumerate(cases)])
    _, engine = run(made)
    return [engine.cell("sets_out", at) for at in range(len(cases))]
