"""Derived sets that are kept: `the groups of which a player lacks one` are worked out once, and
again only after something that was read was written.

Only for collections derived from one entity, by going through something, that read nothing which
changes often. `stale` has the entities whose set is not known.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat import build
from interpreter.flat import nodes as flat
from interpreter.flat.context import Env, Lowering
from interpreter.flat.reads import Mine, Wrote, reads_of
from interpreter.flat.tree import all_nodes

LARGEST = 64  # entities of a family whose sets are kept


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept derived set. `reads`: what makes it stale; whether only that of the written seat."""

    column: str
    stale: str
    fill: str
    size: int
    type: flat.Set
    reads: tuple[tuple[str, bool], ...]


def kept_value(
    low: Lowering, define: str, variant: core.DefineVariant, args: list[flat.Expr]
) -> flat.Expr | None:
    """The kept value of a define, where it is worth keeping."""
    if len(args) != 1 or (not build.is_atom(args[0]) and not _is_cell(args[0])):
        return None
    if define not in low.kept:
        low.kept[define] = None
        low.kept[define] = _keep(low, define, variant)
    kept = low.kept[define]
    if kept is None:
        return None
    stale = flat.Scalar(kept.stale, flat.Set(kept.size))
    fill = flat.Call(kept.fill, (args[0],))
    return flat.Choose(flat.Has(stale, args[0]), fill, flat.Cell(kept.column, args[0], kept.type))


def _is_cell(expr: flat.Expr) -> bool:
    return isinstance(expr, flat.Cell) and build.is_atom(expr.index)


def _keep(low: Lowering, define: str, variant: core.DefineVariant) -> Kept | None:
    (name, subject), *_ = variant.params
    value_type = low.program.defines[define].type
    if not isinstance(value_type, t.SetType) or not isinstance(subject, t.RefType):
        return None
    if (
        subject.optional
        or variant.lets
        or variant.buts
        or len(low.program.defines[define].variants) > 1
    ):
        return None
    family = low.program.families[low.program.kinds[subject.kind].family]
    reads = reads_of(low, variant.base, Mine(frozenset({name})))
    changing = [read for read in reads if read.key.startswith("live:") or _is_purse(low, read.key)]
    if family.pool or family.size > LARGEST or not reads or changing:
        return None
    param = low.param(name, subject)
    value = low.set_(Env({name: flat.Var(*param)}), variant.base)
    if not any(isinstance(node, flat.Call) for node in all_nodes(value)):
        return None
    assert isinstance(low.layout.flat_type(value_type), flat.Set)
    seats = family.name == low.program.kinds[low.program.player_kind].family
    bits = low.layout.bits(value_type.kind)
    tag = low.safe(define)
    kept = Kept(
        f"kept_{tag}", f"stale_{tag}", f"find_{tag}", family.size, flat.Set(bits),
        tuple({(read.key, read.own and seats): None for read in reads}),
    )  # fmt: skip
    everyone = (1 << family.size) - 1
    low.out.columns[kept.column] = flat.ColumnDecl(
        kept.column, kept.type, (0,) * family.size, "scratch"
    )
    low.out.scalars[kept.stale] = flat.ScalarDecl(
        kept.stale, flat.Set(family.size), everyone, "scratch"
    )
    stale = flat.Scalar(kept.stale, flat.Set(family.size))
    one = flat.Single(flat.Var(*param), family.size)
    found = flat.Var("all_found", kept.type)
    body = (
        flat.SetVar("all_found", value, kept.type),
        flat.SetCell(kept.column, flat.Var(*param), found, kept.type),
        flat.SetScalar(kept.stale, flat.SetBin("-", stale, one), flat.Set(family.size)),
        flat.Give(found),
    )
    low.add(kept.fill, (param,), body, kept.type, define)
    return kept


def _is_purse(low: Lowering, key: str) -> bool:
    return key in low.program.columns and low.program.columns[key].role == "purse"


def after_write(low: Lowering, stmt: Wrote) -> list[flat.Stmt]:
    """What a write makes stale."""
    stmts: list[flat.Stmt] = []
    for kept in low.kept.values():
        if kept is None:
            continue
        for key, own in kept.reads:
            if key == stmt.key:
                type_ = flat.Set(kept.size)
                seats: flat.Expr = flat.Bits((1 << kept.size) - 1, kept.size)
                if own and stmt.concerned is not None:
                    written = _widened(stmt.concerned, kept)
                    seats = build.set_or(flat.Scalar(kept.stale, type_), written)
                stmts.append(flat.SetScalar(kept.stale, seats, type_))
    return stmts


def _widened(seats: flat.Expr, kept: Kept) -> flat.Expr:
    """The seats of a write as entities of their family, which has more than the seats."""
    match seats:
        case flat.Single(index=index, may_be_none=may_be_none):
            return flat.Single(index, kept.size, may_be_none)
        case flat.SetBin(op=op, left=left, right=right):
            return flat.SetBin(op, _widened(left, kept), _widened(right, kept))
        case _:
            return seats
