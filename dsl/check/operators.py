"""Arithmetic, comparisons, conditions."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, cast

from dsl.check import arithmetic, build, fit, names, narrowing, outcomes
from dsl.check.context import Context
from dsl.check.scope import Scope
from dsl.core import nodes as core
from dsl.core.types import (
    ChoiceType,
    IntType,
    MapType,
    RefType,
    SeqType,
    SetType,
    Type,
    none_value,
)
from dsl.source import Span
from dsl.syntax import nodes as syntax


def infer_binary(ctx: Context, node: syntax.Binary, expected: Type | None) -> core.Expr:
    """Any operator with two sides."""
    if node.op in ("and", "or"):
        left = ctx.flag(node.left)
        op: Literal["and", "or"] = "and" if node.op == "and" else "or"
        right = ctx.assuming(left, op == "and").flag(node.right)
        if op == "and":
            outcomes.remark_both(ctx, node.span, ctx.written(left), ctx.written(right))
        written = core.Logic(fit.FLAG, node.span, op, ctx.written(left), ctx.written(right))
        return ctx.fold(build.logic(op, left, right, node.span), written)
    if node.op == "otherwise":
        return _otherwise(ctx, node, expected)
    if node.op in ("is", "is not"):
        return _equality(ctx, node)
    if node.op in ("in", "not in"):
        return _membership(ctx, node)
    if node.op in ("<", "<=", ">", ">="):
        left, right = ctx.number(node.left), ctx.number(node.right)
        if not arithmetic.same_units(ctx, left, right, node.span):
            return ctx.poison(node.span)
        outcomes.remark_comparison(ctx, node, left, right)
        return build.compare(cast(build.CompareOp, node.op), left, right, node.span)
    return _arithmetic(ctx, node, expected)


def infer_unary(ctx: Context, node: syntax.Unary, expected: Type | None) -> core.Expr:
    """`not x`, `-x`."""
    if node.op == "not":
        condition = ctx.flag(node.operand)
        written = core.Not(fit.FLAG, node.span, ctx.written(condition))
        return ctx.fold(build.negated(condition, node.span), written)
    operand = ctx.number(node.operand)
    if not isinstance(operand.type, IntType):
        return ctx.poison(node.span)
    if isinstance(operand, core.Const):
        value = -operand.value
        return core.Const(IntType(value, value, operand.type.unit), node.span, value)
    zero = core.Const(IntType(0, 0), node.span, 0)
    return arithmetic.arith("-", zero, operand, node.span)


def infer_conditional(ctx: Context, node: syntax.Conditional, expected: Type | None) -> core.Expr:
    """`a if c else b`."""
    condition = ctx.flag(node.condition)
    yes, no = ctx.assuming(condition), ctx.assuming(condition, False)
    if expected is None and not names.means_something(ctx, node.then_value):
        other = no.infer(node.else_value)
        then = yes.infer(node.then_value, other.type)
    else:
        then = yes.infer(node.then_value, expected)
        other = no.infer(node.else_value, expected or then.type)
    if isinstance(node.else_value, syntax.Conditional) and isinstance(other, core.Conditional):
        outcomes.remark_repeated(ctx, other.condition, [condition])
    if isinstance(expected, IntType) and expected.unit is None:
        then, other = _counted(then), _counted(other)
    type_ = common(ctx, then, other, node.span)
    return build.conditional(
        type_, condition, _as(ctx, then, type_), _as(ctx, other, type_), node.span
    )


def _counted(expr: core.Expr) -> core.Expr:
    """A number of something as a plain number."""
    return (
        replace(expr, type=replace(expr.type, unit=None))
        if isinstance(expr.type, IntType)
        else expr
    )


def _as(ctx: Context, expr: core.Expr, type_: Type) -> core.Expr:
    return expr if fit.is_poison(type_) else ctx.coerce(expr, type_)


def common(ctx: Context, left: core.Expr, right: core.Expr, span: Span) -> Type:
    """The type that covers two values; an error where there is none."""
    type_ = joined(ctx, left.type, right.type)
    if type_ is None:
        ctx.error(
            "RW0601",
            right.span,
            f"both values must be of one type: {fit.describe(left.type)}, "
            f"and {fit.describe(right.type)}",
            also=[(left.span, "the other value")],
        )
        return fit.POISON
    return type_


def joined(ctx: Context, left: Type, right: Type) -> Type | None:
    """The type that covers two types."""
    if fit.is_poison(left) or fit.is_poison(right):
        return fit.POISON
    either = fit.is_optional(left) or fit.is_optional(right)
    if isinstance(left, IntType) and isinstance(right, IntType):
        if left.unit and right.unit and left.unit != right.unit:
            return None
        low, high = min(left.low, right.low), max(left.high, right.high)
        return IntType(low, high, left.unit or right.unit, either)
    if isinstance(left, RefType) and isinstance(right, RefType):
        kind = ctx.world.join(left.kind, right.kind)
        return RefType(kind, either) if kind is not None else None
    if isinstance(left, ChoiceType) and isinstance(right, ChoiceType):
        same = left.values == right.values
        return ChoiceType(left.name, left.values, either) if same else None
    if isinstance(left, SetType) and isinstance(right, SetType):
        if left.kind == "" or right.kind == "":
            return left if right.kind == "" else right
        kind = ctx.world.join(left.kind, right.kind)
        return SetType(kind) if kind is not None else None
    if isinstance(left, SeqType) and isinstance(right, SeqType):
        element = joined(ctx, left.element, right.element)
        return None if element is None else SeqType(element, max(left.bound, right.bound))
    if isinstance(left, SeqType | SetType) and isinstance(right, SeqType | SetType):
        return joined(ctx, _row_type(ctx, left), _row_type(ctx, right))
    return left if left == right else None


def _row_type(ctx: Context, type_: Type) -> Type:
    return SeqType(RefType(type_.kind), ctx.bound(type_)) if isinstance(type_, SetType) else type_


def _set_type(type_: Type) -> Type:
    element = fit.element_of(type_)
    return SetType(element.kind) if isinstance(element, RefType) else type_


def _otherwise(ctx: Context, node: syntax.Binary, expected: Type | None) -> core.Expr:
    left = ctx.infer(node.left, fit.optional(expected) if expected is not None else None)
    if fit.is_poison(left.type):
        ctx.infer(node.right, expected)
        return left
    if not fit.is_optional(left.type):
        bare = ctx.unheard(Scope(ctx.scope.namer, ctx.scope.names)).infer(node.left)
        if fit.is_optional(bare.type):
            return left  # known to be there at this place
        return ctx.error(
            "RW0604",
            node.left.span,
            "this is never none, so what follows `otherwise` would never be used",
        )
    right = ctx.infer(node.right, expected or fit.opened(left.type))
    there = replace(left, type=fit.opened(left.type))
    type_ = common(ctx, there, right, node.span)
    none = core.Const(left.type, node.span, none_value(left.type))
    condition = build.compare("is not", left, none, node.span)
    return build.conditional(
        type_, condition, _as(ctx, there, type_), _as(ctx, right, type_), node.span
    )


# ---------------------------------------------------------------- comparisons


def _equality(ctx: Context, node: syntax.Binary) -> core.Expr:
    if isinstance(node.right, syntax.KindExpr):
        return _kind_test(ctx, node, node.right)
    if names.means_something(ctx, node.left) or not names.means_something(ctx, node.right):
        left = ctx.infer(node.left)
        right = ctx.infer(node.right, _expected_beside(left))
    else:
        right = ctx.infer(node.right)
        left = ctx.infer(node.left, _expected_beside(right))
    outcomes.remark_comparison(ctx, node, left, right)
    return equal(ctx, cast(build.CompareOp, node.op), left, right, node.span)


def _expected_beside(expr: core.Expr) -> Type:
    return expr.type if not fit.can_be_optional(expr.type) else fit.optional(expr.type)


def equal(
    ctx: Context, op: build.CompareOp, left: core.Expr, right: core.Expr, span: Span
) -> core.Expr:
    """`left is right`, `left is not right`."""
    if fit.is_poison(left.type) or fit.is_poison(right.type):
        return ctx.poison(span)
    for one, other in ((left, right), (right, left)):
        if narrowing.is_none(other) and not fit.is_optional(one.type):
            return ctx.error("RW0604", span, f"`{one.span.text}` is never none")
    if not _comparable(ctx, left.type, right.type):
        return ctx.error(
            "RW0604",
            span,
            f"these can never be the same: {fit.describe(left.type)}, "
            f"and {fit.describe(right.type)}",
        )
    if isinstance(left.type, SetType | SeqType) and isinstance(right.type, SetType | SeqType):
        left, right = ctx.as_set(left), ctx.as_set(right)
    if isinstance(left.type, IntType) and isinstance(right.type, IntType):
        return _equal_numbers(ctx, op, left, right, span)
    return build.compare(op, left, right, span)


def _equal_numbers(
    ctx: Context, op: build.CompareOp, left: core.Expr, right: core.Expr, span: Span
) -> core.Expr:
    """Numbers write none each in their own way: it must not be mistaken for a number."""
    if not arithmetic.same_units(ctx, left, right, span):
        return ctx.poison(span)
    a, b = left.type, right.type
    assert isinstance(a, IntType)
    assert isinstance(b, IntType)
    if a.optional and b.optional:
        if none_value(a) == none_value(b):
            return build.compare(op, left, right, span)
        if narrowing.is_none(right):
            return build.compare(op, left, core.Const(a, right.span, none_value(a)), span)
        return build.compare(op, left, ctx.coerce(right, a), span)
    for one, other in ((left, right), (right, left)):
        if fit.is_optional(one.type):
            none = core.Const(one.type, span, none_value(one.type))
            there = build.compare("is not", one, none, span)
            same = build.compare("is", replace(one, type=fit.opened(one.type)), other, span)
            both = build.logic("and", there, same, span)
            return both if op == "is" else build.negated(both, span)
    return build.compare(op, left, right, span)


def _comparable(ctx: Context, left: Type, right: Type) -> bool:
    if isinstance(left, RefType) and isinstance(right, RefType):
        return ctx.world.are_related(left.kind, right.kind)
    if isinstance(left, ChoiceType) and isinstance(right, ChoiceType):
        return left.values == right.values
    if isinstance(left, SetType | SeqType) and isinstance(right, SetType | SeqType):
        a, b = _set_type(left), _set_type(right)
        if isinstance(a, SetType) and isinstance(b, SetType):
            return "" in (a.kind, b.kind) or ctx.world.are_related(a.kind, b.kind)
        return False
    return type(left) is type(right) and not isinstance(left, MapType)


def _kind_test(ctx: Context, node: syntax.Binary, kind: syntax.KindExpr) -> core.Expr:
    left = ctx.infer(node.left)
    if fit.is_poison(names.infer_kind(ctx, kind, None).type) or fit.is_poison(left.type):
        return ctx.poison(node.span)
    if not isinstance(left.type, RefType):
        return ctx.error(
            "RW0604", node.span, f"{fit.describe(left.type)} can't be of the kind `{kind.name}`"
        )
    outcomes.remark_kind(ctx, node, left, kind.name)
    test = is_kind(ctx, left, kind.name, node.span)
    if test is None:
        return ctx.error(
            "RW0604",
            node.span,
            f"{fit.describe(fit.opened(left.type))} is never {fit.a(kind.name)}",
            also=[(ctx.world.kinds[kind.name].span, f"{kind.name} is declared here")],
        )
    return test if node.op == "is" else build.negated(test, node.span)


def is_kind(ctx: Context, subject: core.Expr, kind: str, span: Span) -> core.Expr | None:
    """Whether an entity is of a kind; None where it never is."""
    type_ = subject.type
    assert isinstance(type_, RefType)
    if ctx.world.is_a(type_.kind, kind):
        if not type_.optional:
            return build.flag(True, span)
        return build.compare("is not", subject, core.Const(type_, span, -1), span)
    if not ctx.world.is_a(kind, type_.kind):
        return None
    return core.IsKind(fit.FLAG, span, subject, kind)


def _membership(ctx: Context, node: syntax.Binary) -> core.Expr:
    if names.means_something(ctx, node.left):
        item = ctx.infer(node.left)
        collection = ctx.infer(node.right, SeqType(item.type, 0))
    else:
        collection = ctx.infer(node.right)
        item = ctx.infer(node.left, fit.element_of(collection.type))
    element = fit.element_of(collection.type)
    if element is None:
        return ctx.error(
            "RW0606",
            node.right.span,
            f"a list, a row or a range belongs here, not {fit.describe(collection.type)}",
        )
    item = ctx.present(item)
    if fit.is_poison(item.type) or fit.is_poison(element):
        return ctx.poison(node.span)
    if not _comparable(ctx, item.type, element):
        return ctx.error(
            "RW0604",
            node.span,
            f"{fit.describe(item.type)} is never in {fit.describe(collection.type)}",
        )
    inside: core.Expr | None = None
    if isinstance(collection, core.AllOf) and not ctx.world.is_pool(collection.kind):
        inside = is_kind(ctx, item, collection.kind, node.span)
    if inside is None:
        inside = core.Contains(fit.FLAG, node.span, item, collection)
    return inside if node.op == "in" else build.negated(inside, node.span)


# ---------------------------------------------------------------- arithmetic


def _arithmetic(ctx: Context, node: syntax.Binary, expected: Type | None) -> core.Expr:
    if isinstance(node.right, syntax.Percent) or isinstance(node.left, syntax.Percent):
        return arithmetic.percentage(ctx, node)
    if node.op in ("+", "-"):
        known = expected if isinstance(expected, SetType | SeqType) else None
        left = ctx.infer(node.left, known)
        if isinstance(left.type, SetType | SeqType):
            return _list_operation(ctx, node, left)
        right = ctx.number(node.right)
        left = ctx.as_number(left)
        if not arithmetic.same_units(ctx, left, right, node.span):
            return ctx.poison(node.span)
    elif node.op == "/" and arithmetic.is_product(node.left):
        return arithmetic.product_divided(ctx, node, node.left)
    else:
        left, right = ctx.number(node.left), ctx.number(node.right)
    return arithmetic.bounded(ctx, node, left, right)


def _list_operation(ctx: Context, node: syntax.Binary, left: core.Expr) -> core.Expr:
    right = ctx.infer(node.right, left.type)
    if fit.is_poison(right.type):
        return right
    element = fit.element_of(right.type)
    if isinstance(right.type, RefType):
        return ctx.error(
            "RW0601",
            node.right.span,
            "a list can only be joined with a list",
            help=f"a list of one is `[{node.right.span.text}]`",
        )
    if not isinstance(element, RefType) or not isinstance(fit.element_of(left.type), RefType):
        return ctx.error(
            "RW0601", node.span, "only lists of things, cards or players can be joined"
        )
    left, right = ctx.as_set(left), ctx.as_set(right)
    type_ = common(ctx, left, right, node.span)
    if fit.is_poison(type_):
        return ctx.poison(node.span)
    if node.op == "-":
        type_ = left.type
    op = "+" if node.op == "+" else "-"
    return core.SetOp(type_, node.span, op, left, right)  # type: ignore[arg-type]
