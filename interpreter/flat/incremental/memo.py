"""Derived sets that are remembered: `the groups of which a player lacks one` are worked out once,
and again only after something that was read was written. Which ones are is planned (see
`choosing`).
"""

from __future__ import annotations

from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.keeping import KeptReads, Remembered


def kept_value(low: Lowering, define: str, args: list[flat.Expr]) -> flat.Expr | None:
    """The remembered value of a define, where it is one that is and the entity is plain."""
    memo = low.keeping.remembered.get(define)
    if memo is None or (not build.is_atom(args[0]) and not _is_cell(args[0])):
        return None
    low.own(KeptReads).defines.add(define)
    if memo.fill not in low.out.functions:
        _add_fill(low, memo)
    stale = flat.Scalar(memo.stale, flat.Set(memo.size))
    fill = flat.Call(memo.fill, (args[0],))
    return flat.Choose(flat.Has(stale, args[0]), fill, flat.Cell(memo.column, args[0], memo.type))


def _is_cell(expr: flat.Expr) -> bool:
    return isinstance(expr, flat.Cell) and build.is_atom(expr.index)


def _add_fill(low: Lowering, memo: Remembered) -> None:
    """The function that works out a set and remembers it."""
    param = low.param(*memo.param)
    entity, found = flat.Var(*param), flat.Var("all_found", memo.type)
    everyone = flat.Set(memo.size)
    known = flat.SetBin("-", flat.Scalar(memo.stale, everyone), flat.Single(entity, memo.size))
    low.add(memo.fill, (param,), (), memo.type, memo.define)
    with low.on_its_own():
        value = low.set_(Env({memo.param[0]: entity}), memo.value)
    low.out.functions[memo.fill].body = (
        flat.SetVar("all_found", value, memo.type),
        flat.SetCell(memo.column, entity, found, memo.type),
        flat.SetScalar(memo.stale, known, everyone),
        flat.Give(found),
    )


def after_write(memos: tuple[Remembered, ...], stmt: flat.WriteMarker) -> list[flat.Stmt]:
    """What a write makes stale."""
    stmts: list[flat.Stmt] = []
    for memo in memos:
        for key, own in memo.reads:
            if key == stmt.key:
                type_ = flat.Set(memo.size)
                seats: flat.Expr = flat.Bits((1 << memo.size) - 1, memo.size)
                if own and stmt.concerned is not None:
                    written = _widened(stmt.concerned, memo.size)
                    seats = build.set_or(flat.Scalar(memo.stale, type_), written)
                stmts.append(flat.SetScalar(memo.stale, seats, type_))
    return stmts


def _widened(seats: flat.Expr, size: int) -> flat.Expr:
    """The seats of a write as entities of their family, which has more than the seats."""
    match seats:
        case flat.Single(index=index, may_be_none=may_be_none):
            return flat.Single(index, size, may_be_none)
        case flat.SetBin(op=op, left=left, right=right):
            return flat.SetBin(op, _widened(left, size), _widened(right, size))
        case _:
            return seats
