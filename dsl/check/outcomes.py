"""Comparisons and questions that can only come out one way: a warning each.

Only what is written out counts: numbers in digits and declared ranges. What follows from how many
there are of a kind, from the number of players or from a switch may come out otherwise elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl.check import fit, keys
from dsl.check.context import Context
from dsl.check.exclusion import exclude_each_other
from dsl.core import nodes as core
from dsl.core.types import ChoiceType, IntType, RefType
from dsl.core.walking import walk
from dsl.source import Span
from dsl.syntax import nodes as syntax

_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_FOR_EQUALS = {"is": True, "<=": True, ">=": True, "is not": False, "<": False, ">": False}


def remark_comparison(ctx: Context, node: syntax.Binary, left: core.Expr, right: core.Expr) -> None:
    """Warn of a comparison that always holds or never does."""
    if _is_exempt(ctx):
        return
    if not isinstance(left, core.Const) and keys.key_of(left) == keys.key_of(right):
        _warn(ctx, node.span, _FOR_EQUALS[node.op], "both sides are the same")
        return
    op: str = node.op
    measured = left
    number = literal(node.right)
    if number is None:
        number, measured = literal(node.left), right
        op = _FLIPPED.get(op, op)
    if number is None or not isinstance(measured.type, IntType) or measured.type.optional:
        return
    low, high = _ends(ctx, measured)
    outcome = _outcome(op, low, high, number)
    if outcome is not None:
        text = " ".join(measured.span.text.split())
        bounds = f"never less than {low}" if high is None else f"{low} to {high}"
        _warn(ctx, node.span, outcome, f"`{text}` is {bounds}")


def remark_both(ctx: Context, span: Span, left: core.Expr, right: core.Expr) -> None:
    """Warn of two conditions joined by `and` that can't both hold."""
    if _is_exempt(ctx) or not all(_is_written_out(side, span) for side in (left, right)):
        return
    if exclude_each_other(ctx.world, left, right):
        _warn(ctx, span, False, "its sides exclude each other")


def remark_kind(ctx: Context, node: syntax.Binary, subject: core.Expr, kind: str) -> None:
    """Warn of a question for the kind of what is always of that kind."""
    type_ = subject.type
    assert isinstance(type_, RefType)
    if not _is_exempt(ctx) and not type_.optional and ctx.world.is_a(type_.kind, kind):
        text = " ".join(subject.span.text.split())
        _warn(ctx, node.span, node.op == "is", f"`{text}` is {fit.a(type_.kind)}")


def remark_repeated(ctx: Context, test: core.Expr, before: Sequence[core.Expr]) -> None:
    """Warn of a condition behind `else` that was asked before in the same chain."""
    if _is_exempt(ctx) or isinstance(test, core.Const):
        return
    key = keys.key_of(test)
    if any(keys.key_of(each) == key for each in before):
        _warn(ctx, test.span, False, "the same was asked above, and did not hold")


def remark_pick(ctx: Context, span: Span, count: syntax.Count | None, source: syntax.Expr) -> None:
    """Warn of a question whose only answer is to pick nothing, or one number."""
    if _is_exempt(ctx):
        return
    if count is not None:
        ends = (count.low, count.low if count.high is None else count.high)
        message = "this question has only one answer: nothing is picked"
    elif isinstance(source, syntax.Range):
        ends = (source.low, source.high)
        message = "this question has only one answer"
    else:
        return
    low, high = literal(ends[0]), literal(ends[1])
    if low is not None and low == high and (count is None or low == 0):
        ctx.bag.warning("RW0719", span, message, help="widen the bounds, or leave the question out")


def literal(node: syntax.Expr) -> int | None:
    """The number that is written in digits, perhaps with a sign."""
    if isinstance(node, syntax.Number):
        return node.value
    if (
        isinstance(node, syntax.Unary)
        and node.op == "-"
        and isinstance(node.operand, syntax.Number)
    ):
        return -node.operand.value
    return None


def _is_exempt(ctx: Context) -> bool:
    """The library serves every variant; scenarios look at what is so."""
    return ctx.place.is_library or ctx.place.form in ("saying", "scenario")


def _warn(ctx: Context, span: Span, outcome: bool, why: str) -> None:
    what = "always holds" if outcome else "never holds"
    ctx.bag.warning("RW0718", span, f"this {what}: {why}", help="correct it, or leave it out")


def _outcome(op: str, low: int | None, high: int | None, number: int) -> bool | None:
    """What comes out for all numbers from `low` to `high` (None: unknown); None if it depends."""
    is_below = high is not None and high < number
    is_above = low is not None and low > number
    if op in ("is", "is not"):
        return op == "is not" if is_below or is_above else None
    if op in (">", "<="):
        is_at_most = high is not None and high <= number
        return op == ">" if is_above else op == "<=" if is_at_most else None
    is_at_least = low is not None and low >= number
    return op == "<" if is_below else op == ">=" if is_at_least else None


def _ends(ctx: Context, expr: core.Expr) -> tuple[int | None, int | None]:
    """The least and the most that it can be by what is written; None where that is not said."""
    assert isinstance(expr.type, IntType)
    column = expr.table if isinstance(expr, core.Lookup) else expr
    if isinstance(column, core.Field) and isinstance(column.subject.type, RefType):
        declared = _declared_ends(ctx, column.subject.type.kind, column.column)
        if declared is not None:
            return declared
    is_natural = expr.type.low == 0 and _is_written_out(expr, expr.span)
    return (0, None) if is_natural else (None, None)


def _declared_ends(ctx: Context, kind: str, column: str) -> tuple[int, int] | None:
    """The ends of a field, where they stand in digits at the kind or one of its bases."""
    name = ctx.world.columns[column].field
    for step in ctx.world.chain(kind):
        for field, _ in ctx.world.kinds[step].fields:
            if field.name.text == name:
                return _written_ends(field)
    return None


def _written_ends(field: syntax.Field) -> tuple[int, int] | None:
    if isinstance(field, syntax.HolderField):
        most = None if field.bound is None else literal(field.bound)
        return None if most is None else (0, most)
    type_ = field.type.value if isinstance(field.type, syntax.MapType) else field.type
    if not isinstance(type_, syntax.RangeType):
        return None
    low, high = literal(type_.low), literal(type_.high)
    return None if low is None or high is None else (low, high)


def _is_written_out(expr: core.Expr, span: Span) -> bool:
    """Whether all numbers and words in it stand in this place, so that none is a switch's."""
    return all(
        part.span.source is span.source
        and span.start <= part.span.start < span.end
        and (
            part.span.text in part.type.values
            if isinstance(part.type, ChoiceType)
            else not isinstance(part.type, IntType) or part.span.text[:1] in "-0123456789"
        )
        for part in walk(expr)
        if isinstance(part, core.Const)
    )
