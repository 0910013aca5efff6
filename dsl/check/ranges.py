"""Whether what is worked out fits the field that it is set to: `x + 1` may go beyond it."""

from __future__ import annotations

from dsl.check import fit, narrowing
from dsl.check.context import Context
from dsl.check.world import ColumnInfo
from dsl.core import nodes as core
from dsl.core.types import IntType, MapType
from dsl.syntax import nodes as syntax


def check_fits(ctx: Context, column: ColumnInfo, value: core.Expr, node: syntax.Expr) -> None:
    """Warn of a sum or difference that may be more or less than its field can hold.

    Money that may be more than can be counted is left to play: no game comes near.
    """
    kept = column.type.value if isinstance(column.type, MapType) else column.type
    is_sum = isinstance(value, core.Arith) and value.op in ("+", "-")
    if not is_sum or not isinstance(kept, IntType) or not isinstance(value.type, IntType):
        return
    if ctx.place.is_library or ctx.place.form in ("saying", "scenario"):
        return
    assert isinstance(value, core.Arith)
    text = " ".join(node.span.text.split())
    is_counted = kept.high < fit.MOST_MONEY or (
        kept.unit == fit.MONEY and kept.high < ctx.world.merged.money_limit
    )
    if is_counted and value.type.high > kept.high and not _is_room(ctx, value, kept):
        end, mend = f"more than {kept.high}", f"min({text}, {kept.high})"
    elif value.type.low < kept.low and not _is_enough(ctx, value, kept):
        end, mend = f"less than {kept.low}", f"max({text}, {kept.low})"
    else:
        return
    ctx.bag.warning(
        "RW0717",
        node.span,
        f"this may be {end}, and `{column.field}` holds {kept.low} to {kept.high:,}",
        label="in play that ends the game",
        also=[(column.span, "declared here")],
        help=f"write `{mend}`, or ask first",
    )


def _is_room(ctx: Context, value: core.Arith, kept: IntType) -> bool:
    """Whether a sum is known not to go beyond the most; of a difference, what it is taken from."""
    left, right, facts = value.left, value.right, ctx.scope.facts
    assert isinstance(left.type, IntType)
    assert isinstance(right.type, IntType)
    if value.op == "-":
        return narrowing.is_known_below(left, kept.high + right.type.low, facts)
    return narrowing.is_known_below(left, kept.high - right.type.high, facts) or (
        narrowing.is_known_below(right, kept.high - left.type.high, facts)
    )


def _is_enough(ctx: Context, value: core.Arith, kept: IntType) -> bool:
    """Whether a difference is known not to go below the least."""
    left, right, facts = value.left, value.right, ctx.scope.facts
    assert isinstance(left.type, IntType)
    assert isinstance(right.type, IntType)
    if value.op == "+":
        return narrowing.is_known_above(left, kept.low - right.type.low, facts) or (
            narrowing.is_known_above(right, kept.low - left.type.low, facts)
        )
    if kept.low <= 0 and narrowing.guard_key(left, right) in facts:
        return True
    return narrowing.is_known_above(left, kept.low + right.type.high, facts)
