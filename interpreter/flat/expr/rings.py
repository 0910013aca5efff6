"""Built-in functions whose value is a number or an identity: places around a ring, powers."""

from __future__ import annotations

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import sets
from interpreter.flat.expr.ordered import each, row_into
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat

NEXT_BITS = 64  # members of a set of which the next one can be asked for


def lower_builtin(low: Lowering, env: Env, expr: core.Builtin) -> flat.Expr:
    """A built-in function whose value is a number or identity."""
    match expr.name, expr.args:
        case "cycle", (collection, item, places):
            return _cycle(low, env, expr, collection, low.expr(env, item), low.expr(env, places))
        case "next_of", (collection, item):
            return _cycle(low, env, expr, collection, low.expr(env, item), build.num(1))
        case "position", (collection, item):
            return _position(low, env, expr, collection, item)
        case "abs", (value,):
            number = low.expr(env, value)
            return build.binary("max", number, build.binary("-", build.num(0), number))
        case "power", (base, exponent):
            if isinstance(base, core.Const) and base.value == 2:
                return build.binary("<<", build.num(1), low.expr(env, exponent))
            return flat.Call(_power(low), (low.expr(env, base), low.expr(env, exponent)))
        case "was", (value,):
            return low.remember(env, value)
        case _:
            raise AssertionError(f"{expr.name} gives a row")


def _cycle(
    low: Lowering,
    env: Env,
    expr: core.Builtin,
    collection: core.Expr,
    item: flat.Expr,
    places: flat.Expr,
) -> flat.Expr:
    if isinstance(collection.type, t.SetType):
        members = sets.lower_set(low, env, collection)
        ring = low.program.kinds[collection.type.kind].members
        size = len(ring)
        if (
            size
            and members == low.layout.mask(collection.type.kind)
            and ring[-1] - ring[0] + 1 == size
        ):
            first = build.num(ring[0])
            offset = build.binary("+", build.binary("-", item, first), places)
            return build.binary("+", build.binary("%", offset, build.num(size)), first)
        bits = low.layout.bits(collection.type.kind)
        known = expr.args[1].type
        is_sure = isinstance(known, t.RefType) and not known.optional
        if places == build.YES and is_sure and bits <= NEXT_BITS:
            # With nobody there it is the one itself, who is also the last one on the way around.
            around = flat.SetBin("|", members, flat.Single(item, bits))
            return flat.Next(around, item)
        return flat.Call(_cycle_set(low, bits), (members, item, places))

    def make(inner: Env) -> list[flat.Stmt]:
        row = flat.Var("all_items", flat.Row(collection.type.bound))  # type: ignore[attr-defined]
        at = flat.Var("found_at")
        itself = low.expr(inner, expr.args[1])
        look = flat.If(
            build.equal(flat.RowItem(row, flat.Var("at")), itself),
            (flat.SetVar("found_at", flat.Var("at")), flat.Break()),
        )
        last = build.binary("-", flat.RowCount(row), build.num(1))
        steps = low.expr(inner, expr.args[2]) if len(expr.args) > 2 else build.num(1)
        index = build.binary("%", build.binary("+", at, steps), flat.RowCount(row))
        return [
            *row_into(low, inner, collection, "all_items"),
            flat.If(build.equal(flat.RowCount(row), build.NO), (flat.Give(itself),)),
            flat.SetVar("found_at", build.num(0)),
            flat.ForRange("at", build.num(0), last, build.num(1), (look,)),
            flat.Give(flat.RowItem(row, index)),
        ]

    return low.outline("cycle", expr, env, flat.INT, make)


def _cycle_set(low: Lowering, bits: int) -> str:
    name = f"cycle_{bits}"
    if name in low.out.functions:
        return name
    members, item, places = (
        flat.Var("members", flat.Set(bits)),
        flat.Var("item"),
        flat.Var("places"),
    )
    step = flat.Var("step")
    forward = build.binary("%", build.binary("+", item, step), build.num(bits))
    body = (
        flat.If(flat.IsEmpty(members), (flat.Give(item),)),
        flat.SetVar("step", build.num(1)),
        flat.If(flat.Bin("<", places, build.num(0)), (
            flat.SetVar("step", build.num(-1)),
            flat.SetVar("places", build.binary("-", build.num(0), places)),
        )),
        flat.While(flat.Bin(">", places, build.num(0)), (
            flat.SetVar("item", forward),
            flat.While(flat.Not(flat.Has(members, item)), (flat.SetVar("item", forward),)),
            flat.SetVar("places", build.binary("-", places, build.num(1))),
        )),
        flat.Give(item),
    )  # fmt: skip
    params = (("members", flat.Set(bits)), ("item", flat.INT), ("places", flat.INT))
    low.add(name, params, body, flat.INT, "n places on among the members, around the end")
    return name


def _position(
    low: Lowering, env: Env, expr: core.Builtin, collection: core.Expr, item: core.Expr
) -> flat.Expr:
    if isinstance(collection, core.AllOf):
        ring = low.program.kinds[collection.kind].members
        if ring and ring[-1] - ring[0] + 1 == len(ring):
            return build.binary("-", low.expr(env, item), build.num(ring[0]))
        if ring and collection.kind not in low.layout.live:
            base = f"position_{low.safe(collection.kind)}"
            table = low.names.of(base, "position", collection.kind)
            places = tuple(ring.index(m) if m in ring else -1 for m in range(ring[-1] + 1))
            low.out.tables[table] = flat.Table(table, flat.INT, places)
            return flat.Cell(table, low.expr(env, item))

    def make(inner: Env) -> list[flat.Stmt]:
        target = low.expr(inner, item)
        variable = low.temp("item")

        def visit(at: Env) -> list[flat.Stmt]:
            return [
                flat.If(build.equal(at.names[variable], target), (flat.Give(flat.Var("n")),)),
                flat.SetVar("n", build.binary("+", flat.Var("n"), build.num(1))),
            ]

        return [
            flat.SetVar("n", build.num(0)),
            *each(low, inner, collection, variable, visit),
            flat.Give(build.NONE),
        ]

    return low.outline("position", expr, env, flat.INT, make)


def _power(low: Lowering) -> str:
    name = "power"
    if name not in low.out.functions:
        result = flat.Var("result")
        body = (
            flat.SetVar("result", build.num(1)),
            flat.ForRange("n", build.num(1), flat.Var("exponent"), build.num(1), (
                flat.SetVar("result", build.binary("*", result, flat.Var("base"))),
            )),
            flat.Give(result),
        )  # fmt: skip
        low.add(name, (("base", flat.INT), ("exponent", flat.INT)), body, flat.INT)
    return name
