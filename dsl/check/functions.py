"""The built-in functions of values, and defines without a subject that take something."""

from __future__ import annotations

from collections.abc import Callable

from dsl.check import arithmetic, constants, fit, members, narrowing, operators, queries
from dsl.check.context import Context
from dsl.check.names import answer_words
from dsl.check.world import ColumnInfo
from dsl.core import nodes as core
from dsl.core.types import IntType, RefType, SeqType, SetType, Type
from dsl.diagnostics import suggest
from dsl.syntax import nodes as syntax


def infer_call(ctx: Context, node: syntax.Call, expected: Type | None) -> core.Expr:
    """`name(arg, ...)`."""
    name = node.name.text
    function = FUNCTIONS.get(name)
    if function is not None:
        least, most, make = function
        allowed = NAMED.get(name)
        named = [arg for arg in node.args if arg.name is not None and arg.name.text != allowed]
        for arg in named:
            assert arg.name is not None
            ctx.error("RW0611", arg.name.span, f"`{name}` takes no `{arg.name.text}`")
        count = len([arg for arg in node.args if arg.name is None])
        if named or not least <= count <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            if not named:
                ctx.error("RW0611", node.span, f"`{name}` takes {wanted} values, not {count}")
            return ctx.poison(node.span)
        return make(ctx, node)
    for info in ctx.world.defines_by_word.get(name, ()):
        if info.subject == "none":
            return members.call_define(ctx, info, None, node.args, node.span)
    return _unknown(ctx, node)


def _unknown(ctx: Context, node: syntax.Call) -> core.Expr:
    name = node.name.text
    holders = ctx.world.holders_of(name)
    words = [w for w, found in ctx.world.defines_by_word.items() if found[0].subject == "none"]
    if ctx.place.form in ("scenario", "saying"):
        words += answer_words(ctx.world)
    near = suggest(name, [*FUNCTIONS, *words])
    help_ = f"did you mean `{near}`?" if near else None
    if holders:
        help_ = f"say of which {holders[0]}: `x.{name}(..)`"
    elif ctx.world.verbs.get(name):
        help_ = "that is a command; what it gives is taken with `get x from ...`"
    return ctx.error("RW0501", node.name.span, f"there is no `{name}`", help=help_)


def _given_by_name(node: syntax.Call) -> syntax.Expr | None:
    return next((arg.value for arg in node.args if arg.name is not None), None)


def _plain(node: syntax.Call) -> list[syntax.Expr]:
    return [arg.value for arg in node.args if arg.name is None]


def _count(ctx: Context, node: syntax.Call) -> core.Expr:
    return queries.fold_count(ctx, _plain(node)[0], node.span)


def _first(ctx: Context, node: syntax.Call) -> core.Expr:
    return queries.fold_first(ctx, _plain(node)[0], node.span)


def _sum(ctx: Context, node: syntax.Call) -> core.Expr:
    return queries.fold_sum(ctx, _plain(node)[0], node.span)


def _any(ctx: Context, node: syntax.Call) -> core.Expr:
    return queries.fold_flag(ctx, "any", _plain(node)[0], node.span)


def _all(ctx: Context, node: syntax.Call) -> core.Expr:
    return queries.fold_flag(ctx, "all", _plain(node)[0], node.span)


def _distinct(ctx: Context, node: syntax.Call) -> core.Expr:
    return queries.fold_distinct(ctx, _plain(node)[0], node.span)


def _extreme(ctx: Context, node: syntax.Call) -> core.Expr:
    op = "min" if node.name.text == "min" else "max"
    plain = _plain(node)
    if len(plain) == 1:
        return queries.fold_extreme(ctx, op, plain[0], _given_by_name(node), node.span)  # type: ignore[arg-type]
    numbers = [ctx.number(value) for value in plain]
    found = numbers[0]
    for number in numbers[1:]:
        type_ = operators.common(ctx, found, number, node.span)
        if fit.is_poison(type_):
            return ctx.poison(node.span)
        found = arithmetic.arith(op, found, number, node.span)  # type: ignore[arg-type]
    return found


# ---------------------------------------------------------------- lists around a ring


def _listed(ctx: Context, node: syntax.Call, place: int = 0) -> core.Expr:
    return queries.collection(ctx, _plain(node)[place])


def _of_same_family(ctx: Context, node: syntax.Expr, element: Type) -> core.Expr:
    """An entity that is looked up in a list: it need not be of the list's own kind."""
    if not isinstance(element, RefType):
        return ctx.value(node, element)
    expr = ctx.infer(node, element)
    world = ctx.world
    if isinstance(expr.type, RefType):
        expr = ctx.present(expr)
        if isinstance(expr.type, RefType) and world.kinds[expr.type.kind].family == (
            world.kinds[element.kind].family
        ):
            return expr
    return ctx.coerce(expr, element)


def _ring(ctx: Context, node: syntax.Call) -> core.Expr:
    """cycle, rotated, path, next_of, position: a list, and places in it."""
    name = node.name.text
    plain = _plain(node)
    listed = _listed(ctx, node)
    element = fit.element_of(listed.type) or fit.POISON
    args = [listed, _of_same_family(ctx, plain[1], element)]
    if name == "cycle":
        args.append(ctx.number(plain[2]))
    elif name == "path":
        args.append(_of_same_family(ctx, plain[2], element))
    if any(fit.is_poison(arg.type) for arg in args):
        return ctx.poison(node.span)
    bound = ctx.bound(listed.type)
    type_: Type = element
    if name in ("rotated", "path"):
        type_ = SeqType(element, bound)
    elif name == "position":
        type_ = IntType(0, max(0, bound - 1), optional=not _is_in(ctx, args[1], listed))
    made = core.Builtin(type_, node.span, name, tuple(args))  # type: ignore[arg-type]
    return ctx.scope.narrowed(made) if name == "position" else made


def _is_in(ctx: Context, item: core.Expr, listed: core.Expr) -> bool:
    """Whether something certainly lies in a list."""
    if isinstance(listed, core.AllOf) and isinstance(item.type, RefType):
        return ctx.world.is_a(item.type.kind, listed.kind) and not ctx.world.is_pool(listed.kind)
    return narrowing.member_key(item, listed) in ctx.scope.facts


def _reversed(ctx: Context, node: syntax.Call) -> core.Expr:
    listed = _listed(ctx, node)
    element = fit.element_of(listed.type) or fit.POISON
    if fit.is_poison(element):
        return ctx.poison(node.span)
    type_ = SeqType(element, ctx.bound(listed.type))
    return core.Builtin(type_, node.span, "reversed", (listed,))


def _top(ctx: Context, node: syntax.Call) -> core.Expr:
    number, listed = ctx.number(_plain(node)[0]), _listed(ctx, node, 1)
    if fit.is_poison(listed.type) or not isinstance(number.type, IntType):
        return ctx.poison(node.span)
    if not isinstance(listed.type, SeqType):
        return ctx.error(
            "RW0606",
            listed.span,
            "only a row has a top",
            help="a zone has an order when it is declared `ordered`; a query with `by` has one too",
        )
    type_ = SeqType(listed.type.element, min(listed.type.bound, max(0, number.type.high)))
    return core.Builtin(type_, node.span, "top", (number, listed))


# ---------------------------------------------------------------- numbers


def _abs(ctx: Context, node: syntax.Call) -> core.Expr:
    number = ctx.number(_plain(node)[0])
    if not isinstance(number.type, IntType):
        return ctx.poison(node.span)
    low, high = number.type.low, number.type.high
    least = 0 if low <= 0 <= high else min(abs(low), abs(high))
    type_ = IntType(least, max(abs(low), abs(high)), number.type.unit)
    return core.Builtin(type_, node.span, "abs", (number,))


def _power(ctx: Context, node: syntax.Call) -> core.Expr:
    base, exponent = (ctx.number(value) for value in _plain(node))
    if not isinstance(base.type, IntType) or not isinstance(exponent.type, IntType):
        return ctx.poison(node.span)
    top = max(0, min(64, exponent.type.high))
    reach = max(abs(base.type.low), abs(base.type.high))
    high = max(1, reach) ** top
    if fit.is_too_large(0, high):
        return arithmetic.too_large(ctx, node.span)
    type_ = IntType(-high if base.type.low < 0 else 0, high, base.type.unit)
    return core.Builtin(type_, node.span, "power", (base, exponent))


def _round(ctx: Context, node: syntax.Call) -> core.Expr:
    """round_up(a / b), round_up(a * 10%, 10), round_near(..), round_down(..)."""
    plain = _plain(node)
    rounding = node.name.text.removeprefix("round_")
    unit = constants.constant_number(ctx, plain[1]) if len(plain) > 1 else 1
    if unit is None:
        return ctx.poison(node.span)
    if unit < 1:
        return ctx.error("RW0617", plain[1].span, "it can only be rounded to a number above 0")
    inner, one = plain[0], core.Const(IntType(1, 1), node.span, 1)
    if isinstance(inner, syntax.Binary) and inner.op == "*":
        for whole, part in ((inner.left, inner.right), (inner.right, inner.left)):
            if isinstance(part, syntax.Percent):
                number = ctx.number(whole)
                return arithmetic.part_of(ctx, number, part, rounding, unit, node.span)
    if isinstance(inner, syntax.Binary) and inner.op == "/":
        if isinstance(inner.left, syntax.Binary) and inner.left.op == "*":
            a, b = ctx.number(inner.left.left), ctx.number(inner.left.right)
            by = ctx.number(inner.right)
            return arithmetic.muldiv(ctx, a, b, by, rounding, unit, node.span)
        top, by = ctx.number(inner.left), ctx.number(inner.right)
        return arithmetic.muldiv(ctx, top, one, by, rounding, unit, node.span)
    return arithmetic.muldiv(ctx, ctx.number(inner), one, one, rounding, unit, node.span)


# ---------------------------------------------------------------- searches and scenarios


def _subsets(ctx: Context, node: syntax.Call) -> core.Expr:
    listed, number = ctx.as_set(_listed(ctx, node)), ctx.number(_plain(node)[1])
    if not isinstance(listed.type, SetType) or fit.is_poison(number.type):
        return _not_searchable(ctx, listed)
    type_ = SeqType(listed.type, fit.MOST)
    return core.Builtin(type_, node.span, "subsets", (listed, number))


def _not_searchable(ctx: Context, listed: core.Expr) -> core.Expr:
    if fit.is_poison(listed.type):
        return listed
    return ctx.error("RW0606", listed.span, "a list of one kind belongs here")


def _was(ctx: Context, node: syntax.Call) -> core.Expr:
    if ctx.place.form not in ("scenario", "saying"):
        return ctx.error("RW0709", node.span, "`was` can only stand in a scenario")
    expr = ctx.infer(_plain(node)[0])
    return core.Builtin(expr.type, node.span, "was", (expr,))


def _known(ctx: Context, node: syntax.Call) -> core.Expr:
    """Whether a seat knows a field: the one that answers here, or that of `to: PLAYER`."""
    field, to = _plain(node)[0], _given_by_name(node)
    seat = ctx.scope.asked if to is None else ctx.value(to, RefType("Player"))
    if not isinstance(field, syntax.Dot) or field.args is not None:
        help_ = "for example `known(note.value)`"
        return ctx.error("RW0626", field.span, "only a field can be known or not", help=help_)
    subject = ctx.entity(field.subject)
    if not isinstance(subject.type, RefType):
        return ctx.poison(node.span)
    kind, word = subject.type.kind, field.name.text
    member = ctx.world.member(kind, word)
    if member is None and ctx.world.define(kind, word) is None:
        return members.read_member(ctx, subject, kind, field)
    if not isinstance(member, ColumnInfo):
        message = f"`{word}` is no field with a value of its own, so nobody can be told it"
        return ctx.error("RW0626", field.span, message)
    if seat is None:
        help_ = f"say who: `known({field.span.text}, to: player)`"
        return ctx.error("RW0626", node.span, "nobody answers here, so who should know it?",
                         help=help_)  # fmt: skip
    if fit.is_poison(seat.type):
        return seat
    read = core.Field(member.type, field.span, member.name, subject)
    return core.Builtin(fit.FLAG, node.span, "known", (read, seat))


def _printed(ctx: Context, node: syntax.Call) -> core.Expr:
    """says(thing, number), named_alike(thing, thing): what is printed, known before play."""
    name = node.name.text
    if ctx.place.form != "always":
        message = (
            f"`{name}` can only stand in an `always` line: what is printed is read before play"
        )
        return ctx.error("RW0709", node.span, message)
    thing = ctx.entity(_plain(node)[0])
    other = ctx.number(_plain(node)[1]) if name == "says" else ctx.entity(_plain(node)[1])
    if fit.is_poison(thing.type) or fit.is_poison(other.type):
        return ctx.poison(node.span)
    if isinstance(other.type, RefType):
        assert isinstance(thing.type, RefType)
        if ctx.world.kinds[thing.type.kind].family != ctx.world.kinds[other.type.kind].family:
            return ctx.error("RW0601", node.span, "two things of one family belong here")
    return core.Builtin(fit.FLAG, node.span, name, (thing, other))  # type: ignore[arg-type]


Make = Callable[[Context, syntax.Call], core.Expr]

FUNCTIONS: dict[str, tuple[int, int, Make]] = {
    "count": (1, 1, _count),
    "first": (1, 1, _first),
    "sum": (1, 1, _sum),
    "any": (1, 1, _any),
    "all": (1, 1, _all),
    "min": (1, 20, _extreme),
    "max": (1, 20, _extreme),
    "distinct": (1, 1, _distinct),
    "cycle": (3, 3, _ring),
    "rotated": (2, 2, _ring),
    "path": (3, 3, _ring),
    "next_of": (2, 2, _ring),
    "position": (2, 2, _ring),
    "reversed": (1, 1, _reversed),
    "top": (2, 2, _top),
    "abs": (1, 1, _abs),
    "power": (2, 2, _power),
    "round_up": (1, 2, _round),
    "round_down": (1, 2, _round),
    "round_near": (1, 2, _round),
    "subsets": (2, 2, _subsets),
    "known": (1, 1, _known),
    "was": (1, 1, _was),
    "says": (2, 2, _printed),
    "named_alike": (2, 2, _printed),
}

# What may be given by name.
NAMED = {"min": "default", "max": "default", "known": "to"}
