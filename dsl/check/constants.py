"""Values that must be known before play: bounds, switches, starts."""

from __future__ import annotations

from dsl.check import fit
from dsl.check.context import Context
from dsl.check.evaluate import Env, Evaluator, Faulty, NotConstant, Value
from dsl.core import nodes as core
from dsl.core.types import IntType, RefType, Type
from dsl.source import Span
from dsl.syntax import nodes as syntax


def constant(ctx: Context, expr: core.Expr, env: Env | None = None) -> Value | None:
    """The value, or None after an error."""
    if fit.is_poison(expr.type):
        return None
    try:
        return Evaluator(ctx.world).value(expr, env or {})
    except NotConstant:
        ctx.error(
            "RW0616",
            expr.span,
            "this must be known before play begins",
            help="only numbers, data, switches and what is computed from them can stand here",
        )
    except Faulty as fault:
        ctx.error("RW0616", expr.span, f"this has no value: {fault}")
    return None


def constant_number(ctx: Context, node: syntax.Expr | None) -> int | None:
    """The number that an expression stands for, or None after an error."""
    if node is None:
        return None
    value = constant(ctx, ctx.number(node))
    return value if isinstance(value, int) else None


def known(ctx: Context, expr: core.Expr) -> int | None:
    """The number or flag that an expression is known to be before play; no errors."""
    if isinstance(expr, core.Const):
        return None if fit.is_poison(expr.type) else expr.value
    try:
        value = Evaluator(ctx.world).value(expr, {})
    except (NotConstant, Faulty):
        return None
    return value if isinstance(value, int) else None


def is_above_zero(ctx: Context, expr: core.Expr) -> bool:
    """Whether a number is above 0 in every game: by its bounds, its value, or the data."""
    if isinstance(expr.type, IntType) and expr.type.low > 0:
        return True
    value = known(ctx, expr)
    return value > 0 if value is not None else span_of_data(ctx, expr).low > 0


def span_of_data(ctx: Context, expr: core.Expr) -> IntType:
    """The bounds of a number; those of a field of the data are what is written there."""
    assert isinstance(expr.type, IntType)
    if not isinstance(expr, core.Field) or not isinstance(expr.subject.type, RefType):
        return expr.type
    values = ctx.world.data_of(expr.column)
    if values is None or expr.subject.type.kind not in ctx.world.kinds:
        return expr.type
    members = ctx.world.members_of(expr.subject.type.kind)
    found = [value for value in (values[member] for member in members) if isinstance(value, int)]
    return IntType(min(found), max(found), expr.type.unit) if found else expr.type


def as_expr(value: Value, type_: Type, span: Span) -> core.Expr:
    """A value as an expression."""
    if isinstance(value, int):
        return core.Const(type_, span, value)
    element = fit.element_of(type_) or fit.POISON
    return core.SeqOf(type_, span, tuple(as_expr(item, element, span) for item in value))
