"""Lines of a strategy that only lack money: they sleep until the purse holds enough."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.ask import subscriptions
from interpreter.flat.ask.subscriptions import Chain
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import rewrite
from interpreter.flat.incremental import waking
from interpreter.flat.incremental.reads import LESS
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat


@dataclass(frozen=True, slots=True)
class Lacking:
    """A condition that the seat's own purse holds at least so many units."""

    purse: core.Field
    least: core.Expr
    more: bool


def lacking(low: Lowering, chain: Chain, condition: core.Expr) -> Lacking | None:
    """`me.cash >= amount`, in this or another spelling, where the amount reads no purse."""
    condition = rewrite.expanded(low, condition) or condition
    if not low.does("floors") or not isinstance(condition, core.Compare):
        return None
    left, right, op = condition.left, condition.right, condition.op
    if op in ("<", "<="):
        left, right, op = right, left, ">" if op == "<" else ">="
    if op not in (">", ">=") or not isinstance(left, core.Field):
        return None
    column = low.program.columns[left.column]
    if column.role != "purse" or not _is_own(chain, left) or low.layout.fields[left.column].single:
        return None
    if not subscriptions.is_cold(low, right, chain):
        return None
    return Lacking(left, right, op == ">")


def with_floor(
    low: Lowering,
    wake: str,
    chain: Chain,
    lack: Lacking,
    then: Callable[[Chain], list[flat.Stmt]],
) -> list[flat.Stmt]:
    """The condition; where it fails, the line waits until the purse is full enough. That it
    holds less than before can only make it fail."""
    noting, chain = subscriptions.note(low, wake, chain, lack.least, LESS)
    least = build.binary("+", low.expr(chain.env, lack.least), build.num(int(lack.more)))
    if not build.is_atom(least):
        name = low.temp("least")
        noting = [*noting, flat.SetVar(name, least)]
        least = flat.Var(name)
    return [*noting, *wait_for(low, wake, chain, lack.purse, least, then(chain))]


def wait_for(
    low: Lowering,
    wake: str,
    chain: Chain,
    purse: core.Field,
    least: flat.Expr,
    inner: list[flat.Stmt],
) -> list[flat.Stmt]:
    """`inner` if a purse holds so much; else the line waits until it does."""
    floor = waking.floor(low, wake, purse.column)
    owner = low.expr(chain.env, purse.subject)
    wait: list[flat.Stmt] = []
    if _is_own(chain, purse) and chain.lines is not None and len(chain.lines) == 1:
        column = waking.floor_of_line(low, floor, chain.lines[0])
    else:
        column, type_ = floor.others, waking.bits_of(low, wake)
        added = build.set_or(
            flat.Scalar(floor.waiting, type_), subscriptions.this_line(low, wake, chain.lines)
        )
        wait.append(flat.SetScalar(floor.waiting, added, type_))
    lower = flat.Bin("<", least, flat.Cell(floor.least, owner))
    nearer = flat.If(lower, (flat.SetCell(floor.least, owner, least),))
    known = flat.Bin("<", least, flat.Cell(column, owner))
    wait.append(flat.If(known, (flat.SetCell(column, owner, least), nearer)))
    test = build.binary(">=", low.expr(chain.env, purse), least)
    return [flat.If(test, tuple(inner), tuple(wait))]


def bounding_purse(low: Lowering, pick: core.HeadPick) -> core.Field | None:
    """The purse of a seat that bounds an amount: `how much paid in 0..player.cash`."""
    source = pick.source
    if not low.does("floors") or pick.form != "amount" or not isinstance(source, core.RangeOf):
        return None
    if not isinstance(source.step, core.Const) or source.step.value != 1:
        return None
    purse = source.high
    if not isinstance(purse, core.Field):
        return None
    owner = purse.subject.type
    is_seats = isinstance(owner, t.RefType) and owner.kind == low.program.player_kind
    single = low.layout.fields[purse.column].single
    is_purse = low.program.columns[purse.column].role == "purse"
    return purse if is_purse and is_seats and not single else None


def from_least(
    low: Lowering, chain: Chain, pick: core.HeadPick, value: flat.Expr, inner: list[flat.Stmt]
) -> list[flat.Stmt]:
    """`inner` if an amount is not below the range that it is picked from."""
    assert isinstance(pick.source, core.RangeOf)
    test = build.binary(">=", value, low.expr(chain.env, pick.source.low))
    return inner if test == build.YES else [flat.If(test, tuple(inner))]


def _is_own(chain: Chain, purse: core.Field) -> bool:
    return isinstance(purse.subject, core.Local) and purse.subject.name in chain.own
