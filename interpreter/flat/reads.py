"""What an expression reads and what a statement wrote: the seats to wake and the watches to test
after a write.

Read sets are computed, never written by hand. A *key* is the name of a core column, `held:FAMILY`
for where the things of a family lie, or `live:FAMILY` for which entities of a pool are in use.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat import nodes as flat
from interpreter.flat.context import Lowering, children


@dataclass(frozen=True, slots=True)
class Wrote(flat.Stmt):
    """State was written. `seats`: the seats whose own part it was (a Set), None where it belongs to
    nobody.

    Stands only inside lowering; `settle_writes` turns it into wake bits and watch tests, or
    nothing.
    """

    key: str
    seats: flat.Expr | None
    grew: bool | None = None  # of a purse: whether it was filled or drawn on


@dataclass(frozen=True, slots=True)
class Read:
    """`own`: only the part that belongs to the seat that answers is read."""

    key: str
    own: bool


def reads_of(low: Lowering, expr: object, own: frozenset[str] = frozenset()) -> dict[Read, None]:
    """Everything of the state that an expression may read, derived values included; `own`: locals
    that are the seat.
    """
    found: dict[Read, None] = {}
    _collect(low, expr, own, found, set())
    return found


def _collect(
    low: Lowering,
    expr: object,
    own: frozenset[str],
    found: dict[Read, None],
    seen: set[tuple[str, frozenset[str]]],
) -> None:
    match expr:
        case core.Field(column=column, subject=subject):
            if low.program.columns[column].role != "data":
                found[Read(column, _is_own(subject, own))] = None
        case core.ZoneItems(zone=zone, holder=holder):
            found[Read(_held(low, low.program.zones[zone].holds), _is_own(holder, own))] = None
        case core.HolderOf(zone=zone):
            found[Read(_held(low, low.program.zones[zone].holds), False)] = None
        case core.Compare(left=core.HolderOf(zone=zone, thing=thing), right=other) if _is_own(
            other, own
        ):
            found[Read(_held(low, low.program.zones[zone].holds), True)] = None
            _collect(low, thing, own, found, seen)
            return
        case core.AllOf(kind=kind):
            family = low.program.kinds[kind].family
            if family in low.layout.live:
                found[Read(f"live:{family}", False)] = None
        case core.Builtin(name="known", args=(core.Field(column=column), _)):
            found[Read(column, False)] = None  # written when somebody is told it, or forgets it
            if low.program.columns[column].seen_by == "owner":
                found[Read(f"held:{low.program.columns[column].family}", False)] = None
        case core.CallDefine(define=define, args=args):
            _collect_define(low, define, args, own, found, seen)
        case _:
            pass
    for child in children(expr):
        _collect(low, child, own, found, seen)


def _collect_define(
    low: Lowering,
    define: str,
    args: tuple[core.Expr, ...],
    own: frozenset[str],
    found: dict[Read, None],
    seen: set[tuple[str, frozenset[str]]],
) -> None:
    for variant in low.program.defines[define].variants:
        inner = frozenset(
            name for (name, _), arg in zip(variant.params, args, strict=True) if _is_own(arg, own)
        )
        key = (f"{define}:{variant.kind}", inner)
        if key in seen:
            continue
        seen.add(key)
        for part in (variant.base, *variant.lets, *variant.buts):
            _collect(low, part, inner, found, seen)


def _is_own(expr: core.Expr, own: frozenset[str]) -> bool:
    return isinstance(expr, core.Local) and expr.name in own


def _held(low: Lowering, kind: str) -> str:
    return f"held:{low.program.kinds[kind].family}"


def seat_of(low: Lowering, subject: flat.Expr, family: str) -> flat.Expr | None:
    """The seat an entity belongs to, as a set; None where entities of its family are no seats."""
    if family != low.program.kinds[low.program.player_kind].family:
        return None
    return flat.Single(subject, low.program.players)


def player_type(low: Lowering) -> t.RefType:
    """The type of a seat."""
    return t.RefType(low.program.player_kind)
