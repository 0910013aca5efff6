"""Entities of pools: made in play, and dropped."""

from __future__ import annotations

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.layout import HeldFamily
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import bounds
from interpreter.flat.expr.exprs import lower
from interpreter.flat.incremental.reads import seats_at
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan import faults
from interpreter.flat.stmt import places
from interpreter.flat.stmt.moves import atom, has_order, put_function, unlink, write_field


def make(low: Lowering, env: Env, stmt: core.Make) -> tuple[list[flat.Stmt], Env]:
    """`Make`: the first free entity of a pool, all its fields set."""
    family = low.program.kinds[stmt.kind].family
    live = low.layout.live[family]
    bits = low.layout.bits(stmt.kind)
    name = f"v_{stmt.name}"
    made = flat.Var(name)
    free = flat.SetBin("-", low.layout.mask(stmt.kind), flat.Scalar(live, flat.Set(bits)))
    stmts: list[flat.Stmt] = []
    values: dict[str, flat.Var] = {}
    for field_name, value in stmt.fields:
        column = _column_of(low, stmt.kind, field_name)
        local = values[column] = flat.Var(low.temp(), low.layout.flat_type(value.type))
        declared = low.program.columns[column].type
        tests, given = bounds.tested(low, column, lower(low, env, value), value.type, declared)
        stmts += [*tests, flat.SetVar(local.name, given, local.type)]
    stmts += [
        flat.SetVar(name, flat.First(free)),
        flat.If(
            flat.Bin("<", made, build.num(0)),
            low.fault(faults.too_many(stmt.kind)),
        ),
        flat.SetScalar(
            live,
            build.set_or(flat.Scalar(live, flat.Set(bits)), flat.Single(made, bits)),
            flat.Set(bits),
        ),
        flat.WriteMarker(f"live:{family}", None, grew=True),
    ]
    for state in low.program.columns.values():
        place = low.layout.fields.get(state.name)
        if state.family != family or place is None or state.role == "data":
            continue
        if state.name in values:
            stmts += write_field(low, state.name, made, values[state.name])
        elif place.shape in ("column", "flags", "scalar") and place.width == 1:
            start = state.values[0]
            number = start if isinstance(start, int) else 0
            first: flat.Expr = build.num(number)
            if place.shape == "column" and isinstance(place.type, flat.Set):
                first = flat.Bits(number, place.type.bits)
            stmts += write_field(low, state.name, made, first)
        elif place.shape == "rows":
            owner = core.Local(t.RefType(stmt.kind), stmt.span, "made")
            field = core.Field(state.type, stmt.span, state.name, owner)
            stmts.append(flat.RowClear(lower(low, Env({"made": made}), field)))
    return stmts, env.bind(stmt.name, made)


def _column_of(low: Lowering, kind: str, field_name: str) -> str:
    if field_name in low.program.columns:
        return field_name
    known: str | None = kind
    while known is not None:
        if f"{known}.{field_name}" in low.program.columns:
            return f"{known}.{field_name}"
        known = low.program.kinds[known].base
    raise AssertionError(f"{kind} has no {field_name}")


def _leave(low: Lowering, held: HeldFamily, thing: flat.Expr) -> flat.Stmt:
    """Takes an entity of a pool from where it lies."""
    if held.keeps_nowhere:
        nowhere = (thing, build.NONE, build.NO) if has_order(held) else (thing, build.NONE)
        return flat.Do(flat.Call(put_function(low, held), nowhere))
    name = f"leave_{held.put[4:]}"
    if name not in low.out.functions:
        low.add(name, (("thing", flat.INT),), (), None, f"takes one of {held.family} away")
        one, source = flat.Var("thing"), flat.Var("source")
        left, nobodys = seats_at(low, held, source), seats_at(low, held, build.NONE)
        low.out.functions[name].body = (
            flat.SetVar("source", flat.Cell(held.place_column, one)),
            unlink(held, one, source),
            flat.SetCell(held.place_column, one, build.NONE),
            *places.after_move(low, held, (one,), (source, build.NONE)),
            flat.WriteMarker(f"held:{held.family}", nobodys, left=left, thing=one),
        )
    return flat.Do(flat.Call(name, (thing,)))


def drop(low: Lowering, env: Env, stmt: core.Drop) -> list[flat.Stmt]:
    """`Drop`: the entity is free again and lies nowhere."""
    assert isinstance(stmt.thing.type, t.RefType)
    family = low.program.kinds[stmt.thing.type.kind].family
    bits = low.program.families[family].size
    live = flat.Scalar(low.layout.live[family], flat.Set(bits))
    stmts: list[flat.Stmt] = []
    thing = atom(low, lower(low, env, stmt.thing), stmts)
    if family in low.layout.held:
        stmts.append(_leave(low, low.layout.held[family], thing))
    gone = flat.SetBin("-", live, flat.Single(thing, bits))
    dropped = flat.WriteMarker(f"live:{family}", None, grew=False)
    return [*stmts, flat.SetScalar(live.name, gone, flat.Set(bits)), dropped]
