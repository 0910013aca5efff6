"""Declared bounds hold in play: what the checker could not prove is tested where it is set.

A value outside its bound ends the game with a named fault; a place outside a table is the nearest
one that is there. Both are the same on every engine.
"""

from __future__ import annotations

from dsl.core import types as t
from interpreter.flat.context.layout import HeldFamily
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan import faults


def tested(
    low: Lowering, what: str, value: flat.Expr, found: t.Type, declared: t.Type
) -> tuple[list[flat.Stmt], flat.Expr]:
    """Statements that end the game if a value does not fit, and the value."""
    if not isinstance(found, t.IntType) or not isinstance(declared, t.IntType):
        return [], value
    least = declared.low - 1 if declared.optional else declared.low
    below = found.low < least
    above = found.high > declared.high
    if isinstance(value, flat.Num) or not (below or above):
        return [], value
    name = low.temp("value")
    known = flat.Var(name)
    outside: flat.Expr = build.NO
    if below:
        outside = flat.Bin("<", known, build.num(least))
    if above:
        outside = build.either(outside, flat.Bin(">", known, build.num(declared.high)))
    words = faults.outside(what, declared)
    return [flat.SetVar(name, value), flat.If(outside, low.fault(words))], known


def not_too_full(low: Lowering, column: str, held: flat.Expr, taker: flat.Expr) -> list[flat.Stmt]:
    """Statements that end the game if a purse holds more than it may; one that never runs out reads
    as empty."""
    declared, most = low.program.columns[column].type, low.program.columns[column].most
    if most:
        table = f"most_{low.layout.fields[column].name}"
        low.out.tables.setdefault(table, flat.Table(table, flat.INT, most))
        words = faults.overfull(column, None)
        return [flat.If(flat.Bin(">", held, flat.Cell(table, taker)), low.fault(words))]
    if not isinstance(declared, t.IntType):
        return []
    words = faults.overfull(column, declared.high)
    return [flat.If(flat.Bin(">", held, build.num(declared.high)), low.fault(words))]


def not_too_many(low: Lowering, held: HeldFamily, place: flat.Expr) -> list[flat.Stmt]:
    """Statements that end the game if more things lie in a zone than it may hold."""
    stmts: list[flat.Stmt] = []
    for zone in held.zones:
        if zone.zone.bound >= len(low.program.kinds[zone.zone.holds].members):
            continue
        index = build.binary("+", place, build.num(held.offset))
        count = flat.Count(flat.Cell(held.sets, index, flat.Set(held.bits)))
        words = faults.too_many_there(zone.zone)
        too_many = flat.If(flat.Bin(">", count, build.num(zone.zone.bound)), low.fault(words))
        stmts.append(flat.If(zone.has(place), (too_many,)))
    return stmts


def not_alien(
    low: Lowering, held: HeldFamily, thing: flat.Expr, place: flat.Expr
) -> list[flat.Stmt]:
    """Statements that end the game if a thing comes into a zone that holds only other kinds."""
    stmts: list[flat.Stmt] = []
    for zone in held.zones:
        members = low.program.kinds[zone.zone.holds].members
        if len(members) == low.program.families[held.family].size:
            continue
        fits = build.has(flat.Bits(sum(1 << one for one in members), held.bits), thing)
        words = faults.alien(zone.zone)
        stmts.append(flat.If(build.both(zone.has(place), build.negate(fits)), low.fault(words)))
    return stmts


def not_too_long(low: Lowering, column: str, row: flat.Expr, bound: int) -> list[flat.Stmt]:
    """Statements that end the game if a row is longer than the field it is kept in."""
    words = faults.too_long(column, bound)
    return [flat.If(flat.Bin(">", flat.RowCount(row), build.num(bound)), low.fault(words))]


def key_inside(key: flat.Expr, found: t.Type, declared: t.Type) -> flat.Expr:
    """A key of a table, moved to the nearest one that is there where the checker has no proof."""
    if not isinstance(found, t.IntType) or not isinstance(declared, t.IntType):
        return key
    if found.low < declared.low:
        key = build.binary("max", key, build.num(declared.low))
    if found.high > declared.high:
        key = build.binary("min", key, build.num(declared.high))
    return key
