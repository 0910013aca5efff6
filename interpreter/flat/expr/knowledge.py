"""What a seat knows of hidden fields: what is declared of them, and what was revealed.

The same as `session.view.Sight.sees_field`, in play. Only programs that ask `known(..)` pay.
"""

from __future__ import annotations

from dsl.core import nodes as core
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat

# How many holders a thing may lie in, one in the other, before nobody counts as its owner.
DEEPEST = 8


def lower_known(low: Lowering, env: Env, expr: core.Builtin) -> flat.Expr:
    """`known(field, seat)`: whether the seat knows the field of the entity."""
    field, seat = expr.args
    assert isinstance(field, core.Field)
    column = low.program.columns[field.column]
    if column.seen_by == "everyone":
        return build.YES
    subject, who = low.expr(env, field.subject), low.expr(env, seat)
    told: flat.Expr = build.NO
    if field.column in low.numbers.knowledge:
        cell = flat.Cell(low.numbers.knowledge[field.column], subject)
        told = flat.Bin("&", flat.Bin(">>", cell, who), build.YES)
    if column.seen_by == "owner":
        return build.either(told, build.equal(_owner(low, column.family, subject, DEEPEST), who))
    return told


def declare(low: Lowering) -> None:
    """The columns of who knows what is revealed, one bit per seat."""
    for field, name in low.numbers.knowledge.items():
        family = low.program.families[low.program.columns[field].family]
        low.out.columns[name] = flat.ColumnDecl(name, flat.INT, (0,) * family.size, "state")
        low.out.knowledge[field] = name


def columns_of(low: Lowering, family: str) -> dict[str, str]:
    """The hidden fields of the things of a family that are revealed somewhere, by the columns of
    who knows them."""
    return {
        name: field
        for field, name in low.numbers.knowledge.items()
        if low.program.columns[field].family == family
    }


def forget(low: Lowering, family: str, thing: flat.Expr) -> list[flat.Stmt]:
    """Nobody knows any more what was revealed of a thing."""
    stmts: list[flat.Stmt] = []
    for name, field in columns_of(low, family).items():
        stmts += [flat.SetCell(name, thing, build.num(0)), flat.WriteMarker(field, None)]
    return stmts


def _owner(low: Lowering, family: str, entity: flat.Expr, depth: int) -> flat.Expr:
    """The seat to which an entity belongs: itself, or who holds it, directly or not; else none."""
    players = low.program.kinds[low.program.player_kind]
    if family == players.family:
        return entity  # what is no seat is equal to none
    held = low.layout.held.get(family)
    if held is None or not depth:
        return build.NONE
    name = low.names.of(f"owner_of_{low.safe(family)}_{depth}", "owner", family, depth)
    if name not in low.out.functions:
        thing, place = flat.Var("thing"), flat.Var("place")
        words = f"the seat to which one of {family} belongs"
        low.add(name, (("thing", flat.INT),), (), flat.INT, words)
        body: list[flat.Stmt] = [flat.SetVar("place", flat.Cell(held.place_column, thing))]
        for zone in held.zones:
            owner = _owner(low, zone.zone.family, zone.holder(place), depth - 1)
            if owner != build.NONE:
                body.append(flat.If(zone.has(place), (flat.Give(owner),)))
        low.out.functions[name].body = (*body, flat.Give(build.NONE))
    return flat.Call(name, (entity,))
