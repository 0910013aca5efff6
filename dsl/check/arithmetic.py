"""Sums, products, quotients and parts of numbers, within what the engines can count."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard, cast

from dsl.check import constants, fit
from dsl.check.context import Context
from dsl.core import nodes as core
from dsl.core.types import IntType
from dsl.source import Span
from dsl.syntax import nodes as syntax


def same_units(ctx: Context, left: core.Expr, right: core.Expr, span: Span) -> bool:
    """Whether two numbers count the same; reported where they do not."""
    a, b = left.type, right.type
    if not isinstance(a, IntType) or not isinstance(b, IntType):
        return False
    if a.unit and b.unit and a.unit != b.unit:
        ctx.error(
            "RW0603",
            span,
            f"{fit.describe(a)} and {fit.describe(b)} can't be compared or added",
        )
        return False
    return True


def is_product(node: syntax.Expr) -> TypeGuard[syntax.Binary]:
    """Whether it is `a * b`, of numbers."""
    return (
        isinstance(node, syntax.Binary)
        and node.op == "*"
        and not isinstance(node.left, syntax.Percent)
        and not isinstance(node.right, syntax.Percent)
    )


def product_divided(ctx: Context, node: syntax.Binary, top: syntax.Binary) -> core.Expr:
    """`a * b / c`: the product may be more than can be counted, what comes out may not."""
    a, b = ctx.number(top.left), ctx.number(top.right)
    is_wide = isinstance(a.type, IntType) and isinstance(b.type, IntType)
    if is_wide and _is_beyond(ctx, a, b, "*"):
        return muldiv(ctx, a, b, ctx.number(node.right), "down", 1, node.span)
    return bounded(ctx, node, bounded(ctx, top, a, b), ctx.number(node.right))


def bounded(ctx: Context, node: syntax.Binary, left: core.Expr, right: core.Expr) -> core.Expr:
    """The operation on two numbers that can be counted whatever they are."""
    if not isinstance(left.type, IntType) or not isinstance(right.type, IntType):
        return ctx.poison(node.span)
    if node.op == "/" and not _divides(ctx, right, node.right.span):
        return ctx.poison(node.span)
    found = arith(cast(core.ArithOp, node.op), left, right, node.span)
    if node.op == "/":
        return found
    a, b = constants.span_of_data(ctx, left), constants.span_of_data(ctx, right)
    low, high = fit.span_of(a, b, node.op)
    if fit.is_too_large(low, high):
        return too_large(ctx, node.span)
    assert isinstance(found.type, IntType)
    return replace(found, type=IntType(low, high, found.type.unit))


def _divides(ctx: Context, by: core.Expr, span: Span) -> bool:
    """Whether a divisor is never 0; reported where it may be."""
    assert isinstance(by.type, IntType)
    if constants.known(ctx, by) == 0:
        ctx.error("RW0617", span, "nothing can be divided by 0")
        return False
    if by.type.high >= 0 and not constants.is_above_zero(ctx, by):
        help_ = f"write `max(1, {span.text})`" if by.type.low == 0 else None
        ctx.error("RW0617", span, "this may be 0, and nothing can be divided by 0", help=help_)
        return False
    return True


def _is_beyond(ctx: Context, left: core.Expr, right: core.Expr, op: str) -> bool:
    a, b = constants.span_of_data(ctx, left), constants.span_of_data(ctx, right)
    return fit.is_beyond(a, b, op)


def too_large(ctx: Context, span: Span) -> core.Expr:
    """The report that a number can leave what the engines count with."""
    return ctx.error(
        "RW0624",
        span,
        "this can become larger than 2,147,483,647",
        help="the bounds of its parts say so: give fields and parameters closer ones",
    )


def arith(op: core.ArithOp, left: core.Expr, right: core.Expr, span: Span) -> core.Expr:
    """A sum, product, ... of two numbers, with its bounds."""
    a, b = left.type, right.type
    assert isinstance(a, IntType)
    assert isinstance(b, IntType)
    low, high = fit.span_of(a, b, op)
    type_ = IntType(low, high, fit.unit_of(a.unit, b.unit, op))
    is_known = isinstance(left, core.Const) and isinstance(right, core.Const)
    if is_known and low == high:
        return core.Const(type_, span, low)
    return core.Arith(type_, span, op, left, right)


def percentage(ctx: Context, node: syntax.Binary) -> core.Expr:
    """`price * 10%`, or `10% * price`."""
    whole, percent = node.left, node.right
    if isinstance(whole, syntax.Percent):
        whole, percent = percent, whole
    if node.op != "*" or not isinstance(percent, syntax.Percent):
        return ctx.error(
            "RW0617",
            node.span,
            "a percentage is always a part of something",
            help="write `price * 10%`",
        )
    return part_of(ctx, ctx.number(whole), percent, "down", 1, node.span)


def part_of(
    ctx: Context,
    whole: core.Expr,
    percent: syntax.Percent,
    rounding: str,
    unit: int,
    span: Span,
) -> core.Expr:
    """So many hundredths of a number."""
    hundred = core.Const(IntType(100, 100), span, 100)
    times = core.Const(IntType(percent.value, percent.value), percent.span, percent.value)
    return muldiv(ctx, whole, times, hundred, rounding, unit, span)


def muldiv(
    ctx: Context,
    value: core.Expr,
    times: core.Expr,
    by: core.Expr,
    rounding: str,
    unit: int,
    span: Span,
) -> core.Expr:
    """`value * times / by`, rounded to a multiple of `unit`."""
    a, b, c = value.type, times.type, by.type
    if not (isinstance(a, IntType) and isinstance(b, IntType) and isinstance(c, IntType)):
        return ctx.poison(span)
    if not _divides(ctx, by, by.span):
        return ctx.poison(span)
    if _is_beyond(ctx, value, times, "*") and min(a.low, b.low, c.low) < 0:
        return too_large(ctx, span)
    a, b, c = (constants.span_of_data(ctx, part) for part in (value, times, by))
    top = fit.span_of(a, b, "*")
    product = IntType(top[0], top[1], fit.unit_of(a.unit, b.unit, "*"))
    low, high = fit.span_of(product, c, "/")
    slack = unit if unit > 1 or rounding != "down" else 0
    low, high = fit.clamp(low - low % unit), fit.clamp(high + slack)
    if fit.is_too_large(low, high):
        return too_large(ctx, span)
    type_ = IntType(low, high, fit.unit_of(product.unit, c.unit, "/"))
    rounded = cast("core.MulDiv", rounding)
    return core.MulDiv(type_, span, value, times, by, rounded, unit)  # type: ignore[arg-type]
