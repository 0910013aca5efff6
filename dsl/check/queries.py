"""Lists, rows and queries: `[each d in Card where ..]`, `first(..)`, `sum(.. for each ..)`."""

from __future__ import annotations

from dataclasses import replace

from dsl.check import arithmetic, constants, fit, names, narrowing, operators
from dsl.check.context import Context
from dsl.core import nodes as core
from dsl.core.types import FlagType, IntType, MapType, RefType, SeqType, SetType, Type
from dsl.source import Span
from dsl.syntax import nodes as syntax

Clauses = tuple[Context, tuple[core.Generator, ...]]


def clauses(ctx: Context, nodes: tuple[syntax.Clause, ...]) -> Clauses:
    """The generators of a query, and the context in which its value is read."""
    inner = ctx.child()
    found: list[core.Generator] = []
    for node in nodes:
        inner, generator = clause(inner, node)
        found.append(generator)
    return inner, tuple(found)


def clause(ctx: Context, node: syntax.Clause) -> tuple[Context, core.Generator]:
    """One `each x in LIST where COND`, and the context in which x is known."""
    source = collection(ctx, node.source)
    element = fit.element_of(source.type) or fit.POISON
    inner = ctx.child()
    info = inner.declare(node.variable, element)
    plain = core.Generator(info.name, element, source, None)
    if not isinstance(source, core.AllOf):
        inside = core.Contains(
            fit.FLAG, node.span, core.Local(element, node.span, info.name), source
        )
        inner.learn(inside)
    _learn_answers(inner, plain, node.variable.span)
    if node.where is None:
        return inner, plain
    generator = replace(plain, where=inner.flag(node.where))
    assert generator.where is not None
    inner = inner.assuming(generator.where)
    _learn_answers(inner, generator, node.variable.span)
    return inner, generator


def _learn_answers(inner: Context, generator: core.Generator, span: Span) -> None:
    """Whoever is gone through like those who were asked in secret has an answer in the table."""
    one = core.Local(generator.variable_type, span, generator.variable)
    for info in inner.scope.names.values():
        type_ = info.type
        if isinstance(type_, MapType) and (
            narrowing.answered_key(info.name, generator) in inner.scope.facts
        ):
            answer = core.Lookup(type_.value, span, core.Local(type_, span, info.name), one)
            inner.scope.facts |= narrowing.narrow(answer, fit.opened(type_.value), inner.effects)


def collection(ctx: Context, node: syntax.Expr, expected: Type | None = None) -> core.Expr:
    """The expression, which must be a list, a row or a range."""
    expr = ctx.infer(node, expected)
    if fit.element_of(expr.type) is None:
        hint = None
        if isinstance(expr.type, RefType) and isinstance(node, syntax.NameExpr):
            hint = f"a list of one is `[{node.name}]`"
        return ctx.error(
            "RW0606",
            node.span,
            f"a list, a row or a range belongs here, not {fit.describe(expr.type)}",
            help=hint,
        )
    return expr


def as_query(node: syntax.Expr) -> syntax.Query | None:
    """The query that is written, with or without square brackets."""
    if isinstance(node, syntax.Query):
        return node
    if isinstance(node, syntax.ListExpr) and len(node.items) == 1:
        return as_query(node.items[0])
    return None


def open_query(
    ctx: Context, node: syntax.Expr
) -> tuple[Context, tuple[core.Generator, ...], core.Expr, core.Expr | None]:
    """The parts of a query, or of a plain list as a query of all its items: context for the value,
    generators, the value, and the key that orders."""
    query = as_query(node)
    if query is None:
        source = collection(ctx, node)
        element = fit.element_of(source.type) or fit.POISON
        name = ctx.scope.namer.fresh("each")
        value = core.Local(element, node.span, name)
        return ctx, (core.Generator(name, element, source, None),), value, None
    inner, generators = clauses(ctx, query.clauses)
    key = None if query.by is None else inner.number(query.by)
    if query.value is None:
        info = inner.scope.names[query.clauses[-1].variable.text]
        return inner, generators, inner.local(info, query.span), key
    return inner, generators, inner.infer(query.value), key


def infer_list(ctx: Context, node: syntax.ListExpr, expected: Type | None) -> core.Expr:
    """`[a, b]`, `[query]`."""
    query = as_query(node)
    if query is not None:
        return infer_query(ctx, query, expected, node.span)
    if isinstance(expected, MapType):
        expected = SeqType(expected.value, len(node.items))
    if not node.items:
        return _empty(ctx, node, expected)
    wanted = fit.element_of(expected) if expected is not None else None
    items = _items(ctx, node, wanted)
    type_ = items[0].type
    for item in items[1:]:
        joint = operators.joined(ctx, type_, item.type)
        if joint is None:
            return ctx.error(
                "RW0601",
                item.span,
                f"all in a list must be of one type: {fit.describe(type_)}, "
                f"and {fit.describe(item.type)}",
                also=[(items[0].span, "the first one")],
            )
        type_ = joint
    if fit.is_poison(type_):
        return ctx.poison(node.span)
    coerced = tuple(ctx.coerce(item, type_) for item in items)
    if isinstance(type_, RefType) and not isinstance(expected, SeqType):
        return core.SetOf(SetType(type_.kind), node.span, coerced)
    return core.SeqOf(SeqType(type_, len(items)), node.span, coerced)


def _items(ctx: Context, node: syntax.ListExpr, wanted: Type | None) -> list[core.Expr]:
    found: dict[int, core.Expr] = {}
    later = [i for i, item in enumerate(node.items) if not names.means_something(ctx, item)]
    for index, item in enumerate(node.items):
        if index not in later:
            found[index] = ctx.infer(item, wanted)
    if wanted is None and found:
        wanted = next(iter(found.values())).type
    for index in later:
        hint = wanted if wanted is None else fit.optional(wanted)
        found[index] = ctx.infer(node.items[index], hint)
    return [found[index] for index in range(len(node.items))]


def _empty(ctx: Context, node: syntax.ListExpr, expected: Type | None) -> core.Expr:
    if isinstance(expected, SeqType):
        return core.SeqOf(SeqType(expected.element, 0), node.span, ())
    if isinstance(expected, SetType):
        return core.SetOf(expected, node.span, ())
    return ctx.error(
        "RW0610",
        node.span,
        "a list of what?",
        help="an empty list can only stand where the kind of its items is known",
    )


def infer_query(ctx: Context, node: syntax.Query, expected: Type | None, span: Span) -> core.Expr:
    """The items of a query, as a list or, where they have an order of their own, as a row."""
    _, generators, value, key = open_query(ctx, node)
    if fit.is_poison(value.type) or any(fit.is_poison(g.source.type) for g in generators):
        return ctx.poison(span)
    plain = key is None and all(isinstance(g.source.type, SetType) for g in generators)
    if isinstance(value.type, RefType) and plain:
        return core.Fold(SetType(value.type.kind), span, "set", generators, value, None, None)
    type_ = SeqType(value.type, generated(ctx, generators))
    return core.Fold(type_, span, "row", generators, value, key, None)


def generated(ctx: Context, generators: tuple[core.Generator, ...]) -> int:
    """How many bindings there are at most."""
    bound = 1
    for generator in generators:
        source = generator.source
        written = len(source.items) if isinstance(source, core.SetOf) else fit.MOST
        bound = fit.clamp(bound * min(written, ctx.bound(source.type)))
    return bound


# ---------------------------------------------------------------- folds


def fold_count(ctx: Context, node: syntax.Expr, span: Span) -> core.Expr:
    """`count(..)`."""
    _, generators, value, _ = open_query(ctx, node)
    if fit.is_poison(value.type):
        return ctx.poison(span)
    type_ = IntType(0, generated(ctx, generators))
    return core.Fold(type_, span, "count", generators, value, None, None)


def fold_first(ctx: Context, node: syntax.Expr, span: Span) -> core.Expr:
    """`first(..)`: none where there is nothing, unless it is known that there is something."""
    _, generators, value, key = open_query(ctx, node)
    if fit.is_poison(value.type):
        return value
    if not fit.can_be_optional(value.type):
        return ctx.error(
            "RW0601",
            span,
            f"`first` gives one thing, number or word, not {fit.describe(value.type)}",
        )
    made = core.Fold(fit.optional(value.type), span, "first", generators, value, key, None)
    if gives_something(ctx, generators):
        return replace(made, type=fit.opened(value.type))
    return ctx.scope.narrowed(made)


def gives_something(ctx: Context, generators: tuple[core.Generator, ...]) -> bool:
    """Whether a query certainly has something: by what it goes through, or by what is known."""
    if narrowing.some_key(generators) in ctx.scope.facts:
        return True
    return all(
        generator.where is None and is_never_empty(ctx, generator.source)
        for generator in generators
    )


def is_never_empty(ctx: Context, source: core.Expr) -> bool:
    """Whether there is something in a list, a row or a range in every game."""
    match source:
        case core.AllOf(kind=kind):
            return not ctx.world.is_pool(kind) and ctx.bound(source.type) > 0
        case core.Builtin(name="rotated" | "reversed", args=(listed, *_)):
            return is_never_empty(ctx, listed)
        case core.Builtin(name="top", args=(number, listed)):
            return constants.is_above_zero(ctx, number) and is_never_empty(ctx, listed)
        case core.RangeOf(low=low, high=high):
            return is_at_most(ctx, low, high)
        case core.SeqOf(items=items):
            return bool(items)
        case core.SetOf(items=items):
            return any(not fit.is_optional(item.type) for item in items)
        case core.SetOp(op="+", left=left, right=right):
            return is_never_empty(ctx, left) or is_never_empty(ctx, right)
        case core.Conditional(then_value=one, else_value=other):
            return is_never_empty(ctx, one) and is_never_empty(ctx, other)
        case core.Fold(kind="set" | "row", generators=generators):
            return gives_something(ctx, generators)
        case _:
            return _has_data(ctx, source) or (
                narrowing.some_key((core.Generator("each", fit.POISON, source, None),))
                in ctx.scope.facts
            )


def is_at_most(ctx: Context, low: core.Expr, high: core.Expr) -> bool:
    """Whether the ends of a range are in their order: by their bounds, or by what is known."""
    if not isinstance(low.type, IntType) or not isinstance(high.type, IntType):
        return False
    if constants.span_of_data(ctx, low).high <= constants.span_of_data(ctx, high).low:
        return True
    return narrowing.guard_key(high, low) in ctx.scope.facts


def _has_data(ctx: Context, source: core.Expr) -> bool:
    """Whether a list or row of the data has something for whatever it is asked of."""
    if not isinstance(source, core.Field) or not isinstance(source.subject.type, RefType):
        return False
    values = ctx.world.data_of(source.column)
    if values is None or source.subject.type.kind not in ctx.world.kinds:
        return False
    members = ctx.world.members_of(source.subject.type.kind)
    found = [values[member] for member in members]
    return bool(found) and all(value for value in found)


def fold_sum(ctx: Context, node: syntax.Expr, span: Span) -> core.Expr:
    """`sum(..)`."""
    _, generators, value, _ = open_query(ctx, node)
    value = ctx.as_number(value)
    if not isinstance(value.type, IntType):
        return ctx.poison(span)
    times = generated(ctx, generators)
    each = constants.span_of_data(ctx, value)
    if fit.is_too_large(each.low * times, each.high * times):
        return arithmetic.too_large(ctx, span)
    low, high = min(0, each.low * times), max(0, each.high * times)
    type_ = IntType(fit.clamp(low), fit.clamp(high), value.type.unit)
    return core.Fold(type_, span, "sum", generators, value, None, None)


def fold_flag(ctx: Context, kind: core.FoldKind, node: syntax.Expr, span: Span) -> core.Expr:
    """`any(COND for each ..)`, `all(..)`; `any(each ..)` asks whether there is one."""
    query = as_query(node)
    if query is not None and query.value is None and kind == "any":
        _, generators = clauses(ctx, query.clauses)
        yes = core.Const(fit.FLAG, span, 1)
        return core.Fold(fit.FLAG, span, "any", generators, yes, None, None)
    _, generators, value, _ = open_query(ctx, node)
    if fit.is_poison(value.type):
        return ctx.poison(span)
    if not isinstance(value.type, FlagType):
        return ctx.error(
            "RW0601",
            value.span,
            f"`{kind}` asks a question of each: yes or no belongs here, "
            f"not {fit.describe(value.type)}",
            help=f"write `{kind}(x.is_so for each x in ...)`",
        )
    return core.Fold(fit.FLAG, span, kind, generators, value, None, None)


def fold_extreme(
    ctx: Context, kind: core.FoldKind, node: syntax.Expr, default: syntax.Expr | None, span: Span
) -> core.Expr:
    """`min(..)`, `max(..)` of a query or a row of numbers; of what may be empty with a default."""
    _, generators, value, _ = open_query(ctx, node)
    value = ctx.as_number(value)
    if not isinstance(value.type, IntType):
        return ctx.poison(span)
    if default is None and not gives_something(ctx, generators):
        return ctx.error(
            "RW0627",
            span,
            f"there may be nothing here, and then `{kind}` has no value",
            help="say what holds then at its end: `, default: 0)`; or ask first (`count(..) > 0`)",
        )
    type_: Type = value.type
    other = None
    if default is not None:
        other = ctx.number(default)
        type_ = operators.common(ctx, value, other, span)
    return core.Fold(type_, span, kind, generators, value, None, other)


def fold_distinct(ctx: Context, node: syntax.Expr, span: Span) -> core.Expr:
    """`distinct(..)`: how many different values."""
    _, generators, value, _ = open_query(ctx, node)
    if fit.is_poison(value.type):
        return ctx.poison(span)
    type_ = IntType(0, generated(ctx, generators))
    return core.Fold(type_, span, "distinct", generators, value, None, None)
