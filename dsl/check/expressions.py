"""The type of every expression: one function per node, by its class."""

from __future__ import annotations

from collections.abc import Callable

from dsl.check import build, constants, fit, functions, members, names, operators, queries, texts
from dsl.check.context import Context
from dsl.core import nodes as core
from dsl.core.types import MOST_COUNTED, IntType, MapType, RefType, SeqType, Type, none_value
from dsl.diagnostics import Edit, Fix, suggest
from dsl.syntax import nodes as syntax


def infer_expression(ctx: Context, node: syntax.Expr, expected: Type | None) -> core.Expr:
    """The expression with its type."""
    function = _FUNCTIONS.get(type(node))
    if function is None:
        return ctx.poison(node.span)
    return function(ctx, node, expected)


def _number(ctx: Context, node: syntax.Number, expected: Type | None) -> core.Expr:
    if node.value > MOST_COUNTED:
        return ctx.error("RW0624", node.span, "the largest number there is is 2,147,483,647")
    written = node.span.text.replace("_", "")
    if written != str(node.value) and written.isdigit():
        _remark_zeros(ctx, node)
    return core.Const(IntType(node.value, node.value), node.span, node.value)


def _remark_zeros(ctx: Context, node: syntax.Number) -> None:
    help_ = f"write `{node.value}`"
    ctx.bag.warning(
        "RW9005",
        node.span,
        "a number is written without zeros in front",
        help=help_,
        fix=Fix(help_, (Edit(node.span, str(node.value)),)),
    )


def _percent(ctx: Context, node: syntax.Percent, expected: Type | None) -> core.Expr:
    return ctx.error(
        "RW0617",
        node.span,
        "a percentage is always a part of something",
        help=f"write `price * {node.value}%`",
    )


def _text(ctx: Context, node: syntax.Text, expected: Type | None) -> core.Expr:
    return texts.text_of(ctx, node, f"{ctx.place.key}.text.{ctx.place.number('text')}")


def _literal(ctx: Context, node: syntax.Literal_, expected: Type | None) -> core.Expr:
    if node.word in ("yes", "no"):
        return build.flag(node.word == "yes", node.span)
    if node.word == "usual":
        if ctx.place.usual is None:
            return ctx.error(
                "RW0705",
                node.span,
                "`usual` only means something in a `but` line",
                help="it is the value without that line",
            )
        return core.Usual(ctx.place.usual, node.span)
    if expected is None or fit.is_poison(expected):
        if expected is not None:
            return ctx.poison(node.span)
        return ctx.error("RW0610", node.span, "nothing says what could be none here")
    if not fit.can_be_optional(expected):
        return ctx.error("RW0602", node.span, f"{fit.describe(expected)} must be here, not none")
    type_ = fit.optional(expected)
    return core.Const(type_, node.span, none_value(type_))


def _list(ctx: Context, node: syntax.ListExpr, expected: Type | None) -> core.Expr:
    return queries.infer_list(ctx, node, expected)


def _query(ctx: Context, node: syntax.Query, expected: Type | None) -> core.Expr:
    return queries.infer_query(ctx, node, expected, node.span)


def _range(ctx: Context, node: syntax.Range, expected: Type | None) -> core.Expr:
    low, high = ctx.number(node.low), ctx.number(node.high)
    step = core.Const(IntType(1, 1), node.span, 1) if node.step is None else ctx.number(node.step)
    type_ = operators.common(ctx, low, high, node.span)
    if not isinstance(type_, IntType) or not isinstance(step.type, IntType):
        return ctx.poison(node.span)
    if not constants.is_above_zero(ctx, step):
        return ctx.error("RW0617", step.span, "the step of a range is above 0")
    bound = max(0, (type_.high - type_.low) // max(1, step.type.low) + 1)
    element = IntType(type_.low, type_.high, type_.unit or step.type.unit)
    return core.RangeOf(SeqType(element, bound), node.span, low, high, step)


def _index(ctx: Context, node: syntax.Index, expected: Type | None) -> core.Expr:
    table = ctx.infer(node.subject)
    if fit.is_poison(table.type):
        return table
    if not isinstance(table.type, MapType):
        help_ = None
        if isinstance(table.type, SeqType):
            value = fit.plain(table.type.element)
            help_ = f"declare a table to look things up: `{value} per 0..{table.type.bound}`"
        return ctx.error(
            "RW0606",
            node.subject.span,
            f"only a table has entries, not {fit.describe(table.type)}",
            help=help_,
        )
    key_type = table.type.key
    key = ctx.infer(node.key, key_type)
    key = key if key.type == key_type else ctx.coerce(key, key_type)
    if fit.is_poison(key.type):
        return ctx.poison(node.span)
    if isinstance(table, core.SeqOf):
        return _constant_table(table, table.type, key, node)
    return ctx.scope.narrowed(core.Lookup(table.type.value, node.span, table, key))


def _constant_table(
    table: core.SeqOf, type_: MapType, key: core.Expr, node: syntax.Index
) -> core.Expr:
    """A switch that is a table: a chain of conditions, or one value where the key is known."""
    low = type_.key.low if isinstance(type_.key, IntType) else 0
    found = table.items[-1]
    for offset in range(len(table.items) - 2, -1, -1):
        here = core.Const(type_.key, node.span, low + offset)
        condition = build.compare("is", key, here, node.span)
        found = build.conditional(type_.value, condition, table.items[offset], found, node.span)
    return found


def _new(ctx: Context, node: syntax.New, expected: Type | None) -> core.Expr:
    kind = ctx.world.kinds.get(node.kind.text)
    if kind is None:
        near = suggest(node.kind.text, ctx.world.kinds)
        return ctx.error(
            "RW0502",
            node.kind.span,
            f"there is no kind `{node.kind.text}`",
            help=f"did you mean `{near}`?" if near else None,
        )
    if kind.pool is None:
        return ctx.error(
            "RW0618",
            node.span,
            f"{fit.a(kind.name)} can't be made in play",
            also=[(kind.span, "declared here")],
            help=f"declare it `kind {kind.name}, made in play up to ...`",
        )
    if ctx.prelude is None:
        return ctx.error(
            "RW0709",
            node.span,
            "something new can only be made by a command",
            help=f"write `let x = new {kind.name}(...)` on a line of its own",
        )
    return _made(ctx, node, kind.name)


def _made(ctx: Context, node: syntax.New, kind: str) -> core.Expr:
    wanted = {
        column.field: column
        for column in ctx.world.columns.values()
        if column.kind == kind and column.role != "purse"
    }
    given: list[tuple[str, core.Expr]] = []
    seen: set[str] = set()
    for arg in node.args:
        word = arg.name.text if arg.name is not None else None
        column = wanted.get(word or "")
        if word is None or column is None or word in seen:
            near = suggest(word or "", wanted)
            ctx.error(
                "RW0611",
                arg.span,
                f"`{word}` is given twice"
                if word in seen
                else f"{fit.a(kind)} has no `{word}`"
                if word
                else f"say which part of the {kind} this is",
                help=f"did you mean `{near}`?" if near else None,
            )
            ctx.infer(arg.value)
            continue
        seen.add(word)
        given.append((column.name, ctx.value(arg.value, column.type)))
    missing = [
        name
        for name, column in wanted.items()
        if name not in seen and column.starts.get(kind) is None
    ]
    if missing:
        ctx.error(
            "RW0611",
            node.span,
            f"{fit.a(kind)} needs " + " and ".join(f"`{name}`" for name in missing) + " too",
            also=[(wanted[missing[0]].span, "declared here")],
        )
    for name, column in wanted.items():
        start = column.starts.get(kind)
        if name not in seen and start is not None:
            given.append((column.name, ctx.at(type(ctx.scope)()).value(start, column.type)))
    local = ctx.scope.namer.fresh(fit.kind_word(kind))
    assert ctx.prelude is not None
    ctx.prelude.append(core.Make(node.span, local, kind, tuple(given)))
    return core.Local(RefType(kind), node.span, local)


Function = Callable[..., core.Expr]

_FUNCTIONS: dict[type[syntax.Expr], Function] = {
    syntax.Number: _number,
    syntax.Percent: _percent,
    syntax.Text: _text,
    syntax.Literal_: _literal,
    syntax.NameExpr: names.infer_name,
    syntax.KindExpr: names.infer_kind,
    syntax.Dot: members.infer_dot,
    syntax.Index: _index,
    syntax.Call: functions.infer_call,
    syntax.New: _new,
    syntax.ListExpr: _list,
    syntax.Query: _query,
    syntax.Binary: operators.infer_binary,
    syntax.Unary: operators.infer_unary,
    syntax.Conditional: operators.infer_conditional,
    syntax.Range: _range,
}
