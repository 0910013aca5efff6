"""Luck: draws from named streams, even or weighted; in scenarios, scripted results come first."""

from __future__ import annotations

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import ordered, queries, sets
from interpreter.flat.expr.exprs import lower
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan import faults

SCRIPTED_NONE = -(1 << 31)


def lower_luck(low: Lowering, env: Env, stmt: core.Luck) -> tuple[list[flat.Stmt], Env]:
    """`luck picks`, and the environment after it."""
    name, type_ = low.param(stmt.name, stmt.type)
    value = flat.Var(name, type_)
    stream = low.stream(stmt.stream)
    stmts = _draw(low, env, stmt, name, stream)
    if low.options.scenarios:
        asked = flat.AskSeat("luck", build.num(0), ())
        scripted = flat.Bin("==", value, build.num(SCRIPTED_NONE))
        check_env = env.bind(stmt.name, value)
        local = core.Local(stmt.type, stmt.span, stmt.name)
        possible = lower(low, check_env, core.Contains(t.FlagType(), stmt.span, local, stmt.source))
        impossible = flat.If(build.negate(possible), low.fault(faults.BAD_SCRIPT))
        stmts = [flat.SetVar(name, asked), flat.If(scripted, tuple(stmts), (impossible,))]
    return [*stmts, *low.tracer.statement(env.bind(stmt.name, value), stmt)], env.bind(
        stmt.name, value
    )


def _draw(low: Lowering, env: Env, stmt: core.Luck, name: str, stream: int) -> list[flat.Stmt]:
    source = stmt.source
    if stmt.weight is not None:
        return _weighted(low, env, stmt, name, stream)
    match source:
        case core.RangeOf(low=bottom, high=top, step=step):
            base, stride = lower(low, env, bottom), lower(low, env, step)
            span = build.binary("//", build.binary("-", lower(low, env, top), base), stride)
            tests, count = _some(low, build.binary("+", span, build.num(1)))
            drawn = build.binary("*", flat.Draw(stream, count), stride)
            return [*tests, flat.SetVar(name, build.binary("+", base, drawn))]
        case core.Field(column=column, subject=subject) if (
            low.layout.fields[column].shape == "list"
        ):
            place = low.layout.fields[column]
            owner = lower(low, env, subject)
            counts = low.out.tables[place.counts].values
            same = len(set(counts)) == 1
            size: flat.Expr = build.num(counts[0]) if same else flat.Cell(place.counts, owner)
            tests, count = _some(low, size)
            line = build.binary("*", owner, build.num(place.width))
            index = build.binary("+", line, flat.Draw(stream, count))
            return [*tests, flat.SetVar(name, flat.Cell(place.name, index))]
        case core.SeqOf(items=items) if items and all(isinstance(i, core.Const) for i in items):
            table = f"faces_{len(low.out.tables)}"
            cells = tuple(item.value for item in items if isinstance(item, core.Const))
            low.out.tables[table] = flat.Table(table, flat.INT, cells)
            return [flat.SetVar(name, flat.Cell(table, flat.Draw(stream, build.num(len(cells)))))]
        case _ if isinstance(source.type, t.SetType):
            members = sets.lower_set(low, env, source)
            bits = low.layout.bits(source.type.kind)
            tests, count = _some(low, build.count(members))
            draw = flat.Draw(stream, count)
            return [*tests, flat.SetVar(name, flat.Call(member_at(low, bits), (members, draw)))]
        case _:
            row = low.temp("row")
            bound = source.type.bound if isinstance(source.type, t.SeqType) else 1
            made = flat.Var(row, flat.Row(bound))
            tests, count = _some(low, flat.RowCount(made))
            take = flat.SetVar(name, flat.RowItem(made, flat.Draw(stream, count)))
            return [*ordered.row_into(low, env, source, row), *tests, take]


def _some(low: Lowering, count: flat.Expr) -> tuple[list[flat.Stmt], flat.Expr]:
    """How many there are to pick from; none is a fault."""
    if isinstance(count, flat.Num) and count.value > 0:
        return [], count
    name = low.temp("among")
    known = flat.Var(name)
    none = flat.If(flat.Bin("<=", known, build.num(0)), low.fault(faults.NO_LUCK))
    return [flat.SetVar(name, count), none], known


def member_at(low: Lowering, bits: int) -> str:
    """The function that gives the n-th member of a set."""
    name = f"member_{bits}"
    if name not in low.out.functions:
        n = flat.Var("n")
        body = (
            flat.ForSet("item", flat.Var("members", flat.Set(bits)), (
                flat.If(build.equal(n, build.NO), (flat.Give(flat.Var("item")),)),
                flat.SetVar("n", build.binary("-", n, build.num(1))),
            )),
            flat.Give(build.NONE),
        )  # fmt: skip
        low.add(
            name, (("members", flat.Set(bits)), ("n", flat.INT)), body, flat.INT, "the n-th member"
        )
    return name


def _weighted(low: Lowering, env: Env, stmt: core.Luck, name: str, stream: int) -> list[flat.Stmt]:
    assert stmt.weight is not None
    left = low.temp("left")
    element = stmt.type
    generator = core.Generator(stmt.item, element, stmt.source, None)
    total = core.Fold(
        t.IntType(0, 1 << 30), stmt.span, "sum", (generator,), stmt.weight, None, None
    )

    tests, count = _some(low, queries.lower_fold(low, env, total))

    def visit(inner: Env) -> list[flat.Stmt]:
        weight = lower(low, inner, stmt.weight) if stmt.weight is not None else build.YES
        take = (flat.SetVar(name, inner.names[stmt.item]), flat.SetVar(left, build.num(1 << 30)))
        return [
            flat.If(flat.Bin("<", flat.Var(left), weight), take),
            flat.SetVar(left, build.binary("-", flat.Var(left), weight)),
        ]

    return [
        *tests,
        flat.SetVar(left, flat.Draw(stream, count)),
        flat.SetVar(name, build.NONE),
        *ordered.iterate(low, env, generator, visit),
    ]
