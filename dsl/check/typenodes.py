"""Written types: `money`, `1..6`, `list of Card up to 5`, `Meaning per Card`."""

from __future__ import annotations

from typing import assert_never

from dsl.check import fit
from dsl.check.constants import constant_number
from dsl.check.context import Context
from dsl.core.types import ChoiceType, IntType, MapType, RefType, SeqType, SetType, Type
from dsl.diagnostics import suggest
from dsl.syntax import nodes as syntax


def resolve_type(ctx: Context, node: syntax.TypeNode, *, is_data: bool = False) -> Type:
    """The type that is meant. Rows in data need no bound: it is read off the data."""
    if isinstance(node, syntax.WordType):
        return _word(ctx, node)
    if isinstance(node, syntax.KindType):
        return _kind(ctx, node)
    if isinstance(node, syntax.RangeType):
        return _range(ctx, node)
    if isinstance(node, syntax.OptionalType):
        return _optional(ctx, node)
    if isinstance(node, syntax.ChoiceType):
        return ChoiceType(None, tuple(value.text for value in node.values))
    if isinstance(node, syntax.ListType):
        return _list(ctx, node, is_data)
    if isinstance(node, syntax.MapType):
        return _table(ctx, node)
    assert_never(node)


def _word(ctx: Context, node: syntax.WordType) -> Type:
    if node.name == "flag":
        return fit.FLAG
    if node.name == "text":
        return fit.TEXT
    if node.name == fit.MONEY:
        return fit.money(ctx.world.merged.money_limit)
    if node.name in ctx.world.units:
        return IntType(0, fit.MOST_UNITS, node.name)
    if node.name in ctx.world.kinds:
        return RefType(node.name)
    known = ["flag", "text", fit.MONEY, *ctx.world.units]
    near = suggest(node.name, [*known, *ctx.world.kinds, *ctx.world.choices])
    ctx.error(
        "RW0502",
        node.span,
        f"there is no type `{node.name}`",
        help=f"did you mean `{near}`?"
        if near
        else "types are " + ", ".join(known) + ", ranges such as 1..6, choices and kinds",
    )
    return fit.POISON


def _kind(ctx: Context, node: syntax.KindType) -> Type:
    if node.name in ctx.world.kinds:
        return RefType(node.name)
    if node.name in ctx.world.choices:
        return ChoiceType(node.name, ctx.world.choices[node.name])
    near = suggest(node.name, [*ctx.world.kinds, *ctx.world.choices])
    ctx.error(
        "RW0502",
        node.span,
        f"there is no kind `{node.name}`",
        help=f"did you mean `{near}`?" if near else None,
    )
    return fit.POISON


def _range(ctx: Context, node: syntax.RangeType) -> Type:
    low, high = constant_number(ctx, node.low), constant_number(ctx, node.high)
    if low is None or high is None:
        return fit.POISON
    if low > high:
        ctx.error("RW0613", node.span, f"there is no number from {low} to {high}")
        return fit.POISON
    return IntType(low, high)


def _optional(ctx: Context, node: syntax.OptionalType) -> Type:
    inner = resolve_type(ctx, node.inner)
    if not fit.can_be_optional(inner):
        ctx.error(
            "RW0614",
            node.span,
            f"{fit.describe(inner)} can't be none",
            help="only kinds, choices and numbers can; use a choice with one word more",
        )
        return fit.POISON
    return fit.optional(inner)


def _list(ctx: Context, node: syntax.ListType, is_data: bool) -> Type:
    element = resolve_type(ctx, node.element)
    bound = constant_number(ctx, node.bound) if node.bound is not None else None
    if fit.is_poison(element):
        return element
    if isinstance(element, RefType) and not node.ordered:
        return SetType(element.kind)
    if bound is None and isinstance(element, RefType):
        bound = ctx.bound(SetType(element.kind))
    if bound is None:
        if not is_data and node.bound is None:
            ctx.error(
                "RW0615",
                node.span,
                "this row needs a bound",
                help="say how many there are at most: `up to 10`",
            )
        bound = 0
    if bound > fit.MOST_KEPT:
        assert node.bound is not None
        ctx.error("RW0615", node.bound.span, f"a row has at most {fit.MOST_KEPT:,}")
        bound = fit.MOST_KEPT
    return SeqType(element, bound)


def _table(ctx: Context, node: syntax.MapType) -> Type:
    value, key = resolve_type(ctx, node.value), resolve_type(ctx, node.key)
    if fit.is_poison(value) or fit.is_poison(key):
        return fit.POISON
    is_key = isinstance(key, IntType | RefType | ChoiceType) and not fit.is_optional(key)
    if not is_key and key != fit.FLAG:
        ctx.error("RW0614", node.key.span, f"{fit.describe(key)} can't be the key of a table")
        return fit.POISON
    if isinstance(key, IntType) and key.high - key.low >= fit.MOST_KEPT:
        ctx.error("RW0615", node.key.span, "this table would have too many entries")
        return fit.POISON
    return MapType(value, key)


def param_type(ctx: Context, param: syntax.Param) -> Type:
    """The type of a parameter: written, or that of the kind it is named after."""
    if param.type is not None:
        return resolve_type(ctx, param.type)
    kind = ctx.world.words.get(param.name.text)
    if kind is not None:
        return RefType(kind)
    near = suggest(param.name.text, ctx.world.words)
    ctx.error(
        "RW0518",
        param.name.span,
        f"what is `{param.name.text}`?",
        label="no kind has this name",
        help=f"did you mean `{near}`?" if near else f"say its type: `{param.name.text}: Player`",
    )
    return fit.POISON
