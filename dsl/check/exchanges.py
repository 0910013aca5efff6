"""`exchange`: two purses change contents, or two things change places."""

from __future__ import annotations

from dsl.check import fit, moves
from dsl.check.context import Context
from dsl.check.world import ZoneInfo
from dsl.core import nodes as core
from dsl.core.types import RefType
from dsl.syntax import nodes as syntax

_PURSES = "exchange player.cash with partner.cash"


def check_exchange(
    ctx: Context, stmt: syntax.Command, one: syntax.Expr, two: syntax.Expr
) -> core.Block:
    """`exchange MINE with THEIRS`."""
    left, right = moves.purse_path(ctx, one), moves.purse_path(ctx, two)
    if left is not None and right is not None:
        return _purses(ctx, stmt, left, right)
    left, right = ctx.entity(one), ctx.entity(two)
    if not isinstance(left.type, RefType) or not isinstance(right.type, RefType):
        return ()
    if ctx.world.join(left.type.kind, right.type.kind) is None:
        ctx.error(
            "RW0601",
            stmt.span,
            f"{fit.describe(left.type)} and {fit.describe(right.type)} can't change places",
        )
    elif not _has_place(ctx, left) or not _has_place(ctx, right):
        return ()
    return (core.Exchange(stmt.span, left, right),)


def _purses(ctx: Context, stmt: syntax.Command, left: core.Expr, right: core.Expr) -> core.Block:
    if not isinstance(left, core.Field) or not isinstance(right, core.Field):
        return ()
    units = fit.unit(left.type), fit.unit(right.type)
    if units[0] != units[1]:
        ctx.error(
            "RW0603",
            stmt.span,
            f"`{left.span.text}` holds {units[0]}, and `{right.span.text}` {units[1]}",
        )
    for purse in (left, right):
        if moves.may_be_endless(ctx, ctx.world.columns[purse.column], purse.subject):
            ctx.error(
                "RW0607",
                purse.span,
                f"`{purse.span.text}` never runs out, so there is nothing to exchange",
                help="`move` the amount that is meant",
            )
    return (core.Exchange(stmt.span, left, right),)


def _has_place(ctx: Context, thing: core.Expr) -> bool:
    """Whether a thing can lie anywhere; an error where not."""
    assert isinstance(thing.type, RefType)
    world, kind = ctx.world, thing.type.kind
    zones = [
        member
        for members in world.members.values()
        for member in members.values()
        if isinstance(member, ZoneInfo) and world.are_related(kind, member.holds)
    ]
    if not zones:
        has_purse = any(
            column.role == "purse" and world.has(kind, column) for column in world.columns.values()
        )
        ctx.error(
            "RW0607",
            thing.span,
            f"no zone holds {fit.describe(thing.type)}, so there is no place to exchange",
            help=f"two purses change contents like this: `{_PURSES}`" if has_purse else None,
        )
    return bool(zones)
