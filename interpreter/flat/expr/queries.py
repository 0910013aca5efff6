"""Queries: what is counted, summed, found. Set algebra where it can be, else one loop in a function
of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import constants, facts, ordered, rewrite, sets
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import all_nodes
from interpreter.flat.plan.core_tree import free_locals, uses_usual, walk

UNROLLED = 3  # entities up to which a query is written out as one expression
WRITTEN_OUT = 10  # entities up to which a loop may be written out
LONGEST = 400  # nodes of a loop that is written out


def lower_fold(low: Lowering, env: Env, fold: core.Fold) -> flat.Expr:
    """The value of a query. Rows are made by `ordered.row_into`."""
    of_data = constants.known_query(low, env, fold)
    if of_data is not None:
        return of_data
    simplest = _in_any_order(low, fold)
    if len(simplest.generators) == 1 and isinstance(simplest.generators[0].source.type, t.SetType):
        found = _by_algebra(low, env, simplest, simplest.generators[0])
        if found is None:
            found = _unrolled(low, env, simplest, simplest.generators[0])
        if found is not None:
            return found
    gives = low.layout.flat_type(fold.type) if fold.kind == "set" else flat.INT
    loop: Callable[[Env], list[flat.Stmt]] = lambda inner: _loop(low, inner, simplest)  # noqa: E731
    return low.outline(f"{fold.kind}_of", fold, env, gives, loop)


def _in_any_order(low: Lowering, fold: core.Fold) -> core.Fold:
    """A query that gives the same in whatever order it is gone through, without going around."""
    if not low.does("straight") or fold.kind not in (
        "any",
        "all",
        "count",
        "sum",
        "min",
        "max",
        "set",
        "distinct",
    ):
        return fold
    return replace(fold, generators=tuple(_straight(low, one) for one in fold.generators))


def _straight(low: Lowering, generator: core.Generator) -> core.Generator:
    """The same items, but not those of a ring from one of them on."""
    inner = facts.flattened(low, generator)
    source = rewrite.expanded(low, inner.source) or inner.source
    if isinstance(source, core.Builtin) and source.name == "rotated":
        return _straight(low, replace(inner, source=source.args[0]))
    return generator


def _kept_outside(
    low: Lowering, env: Env, fold: core.Fold
) -> tuple[list[flat.Stmt], Env, core.Fold]:
    """What a query works out again and again though it is the same for all items, worked out
    before: parts of its conditions that speak of none of them."""
    if not low.does("outside"):
        return [], env, fold
    items = {generator.variable for generator in fold.generators}
    if any(isinstance(node, core.Const) and node.value < 0 for node in walk(fold)):
        return [], env, fold
    before: list[flat.Stmt] = []
    names: dict[str, flat.Expr] = {}

    def change(expr: core.Expr) -> core.Expr:
        locals_ = free_locals(expr)
        if isinstance(expr, (core.Local, core.Const)) or not locals_:
            return expr
        sure = all(
            not isinstance(type_, t.RefType) or not type_.optional for type_ in locals_.values()
        )
        if not sure or set(locals_) & items or uses_usual(expr) or isinstance(expr.type, _WHOLE):
            return expr
        value = low.expr(env, expr)
        if build.is_atom(value):
            return expr
        name = low.temp("same")
        before.append(flat.SetVar(name, value))
        names[name] = flat.Var(name)
        return core.Local(expr.type, expr.span, name)

    if not isinstance(fold.value, core.Compare):
        return [], env, fold
    value = replace(fold.value, left=change(fold.value.left), right=change(fold.value.right))
    return before, replace(env, names={**env.names, **names}), replace(fold, value=value)


_WHOLE = (t.SetType, t.SeqType, t.MapType, t.TextType)


def _by_algebra(
    low: Lowering, env: Env, fold: core.Fold, generator: core.Generator
) -> flat.Expr | None:
    plain = isinstance(fold.value, core.Local) and fold.value.name == generator.variable
    conditions = sets.conjuncts(generator.where)
    if fold.kind == "any":
        conditions = [*conditions, *sets.conjuncts(fold.value)]
    elif fold.kind == "first":
        if not plain or fold.key is not None:
            return None
    elif fold.kind == "set":
        if not plain:
            return None
    elif fold.kind not in ("count", "all"):
        return None
    members, rest = sets.filtered(low, env, generator.source, generator.variable, conditions)
    if rest:
        return None
    match fold.kind:
        case "count":
            return build.count(members)
        case "any":
            return build.negate(build.is_empty(members))
        case "first":
            return flat.First(members)
        case "set":
            return members
        case _:
            return _all(low, env, fold.value, generator.variable, members)


def _unrolled(
    low: Lowering, env: Env, fold: core.Fold, generator: core.Generator
) -> flat.Expr | None:
    """A query over a few entities that are known before play, such as the dice, written out."""
    if not low.does("unrolled") or fold.kind not in ("sum", "any", "all", "count"):
        return None
    if not isinstance(generator.source, core.AllOf):
        return None
    members = sets.lower_set(low, env, generator.source)
    if not isinstance(members, flat.Bits) or not 0 < members.value.bit_count() <= UNROLLED:
        return None
    if any(isinstance(node, core.Fold) for node in walk(fold.value)):
        return None
    result: flat.Expr | None = None
    for member in range(members.bits):
        if not members.value >> member & 1:
            continue
        inner = env.bind(generator.variable, build.num(member))
        test = build.all_of(low.expr(inner, one) for one in sets.conjuncts(generator.where))
        value = build.YES if fold.kind == "count" else low.expr(inner, fold.value)
        if fold.kind == "any":
            part = build.both(test, value)
            result = part if result is None else build.either(result, part)
        elif fold.kind == "all":
            part = build.either(build.negate(test), value)
            result = part if result is None else build.both(result, part)
        else:
            part = build.choose(test, value, build.num(0))
            result = part if result is None else build.binary("+", result, part)
    return result


def same_everywhere(low: Lowering, env: Env, fold: core.Fold) -> flat.Expr | None:
    """`distinct(..) is 1` for a few known entities: every value is that of the first."""
    generator = fold.generators[0]
    if (
        not low.does("unrolled")
        or fold.kind != "distinct"
        or len(fold.generators) > 1
        or generator.where is not None
    ):
        return None
    if not isinstance(generator.source, core.AllOf):
        return None
    members = sets.lower_set(low, env, generator.source)
    if not isinstance(members, flat.Bits) or not 0 < members.value.bit_count() <= UNROLLED:
        return None
    known = [member for member in range(members.bits) if members.value >> member & 1]
    values = [low.expr(env.bind(generator.variable, build.num(one)), fold.value) for one in known]
    return build.all_of(build.equal(values[0], value) for value in values[1:])


def _all(
    low: Lowering, env: Env, value: core.Expr, variable: str, members: flat.Expr
) -> flat.Expr | None:
    result: flat.Expr = build.YES
    for condition in sets.conjuncts(value):
        algebra = sets.as_set(low, env, variable, condition)
        if algebra is None:
            return None
        inside, fitting = algebra
        test = (
            build.within(members, fitting)
            if inside
            else build.is_empty(build.set_and(members, fitting))
        )
        result = build.both(result, test)
    return result


def _loop(low: Lowering, env: Env, fold: core.Fold) -> list[flat.Stmt]:
    match fold.kind:
        case "any" | "all":
            return _quantifier(low, env, fold)
        case "first" if fold.key is None:
            visit: ordered.Visit = lambda inner: [flat.Give(low.expr(inner, fold.value))]  # noqa: E731
            return [
                *_nested(low, env, fold.generators, visit),
                flat.Give(build.num(t.none_value(fold.type))),
            ]
        case "first" | "min" | "max":
            return _extreme(low, env, fold)
        case "set" | "distinct":
            return _collect(low, env, fold)
        case _:
            total = flat.Var("total")

            def add(inner: Env) -> list[flat.Stmt]:
                amount = build.YES if fold.kind == "count" else low.expr(inner, fold.value)
                return [flat.SetVar("total", build.binary("+", total, amount))]

            return [
                flat.SetVar("total", build.num(0)),
                *_nested(low, env, fold.generators, add),
                flat.Give(total),
            ]


def _quantifier(low: Lowering, env: Env, fold: core.Fold) -> list[flat.Stmt]:
    wanted = fold.kind == "any"
    before, env, fold = _kept_outside(low, env, fold)

    def visit(inner: Env) -> list[flat.Stmt]:
        value = low.expr(inner, fold.value)
        return [
            flat.If(value if wanted else build.negate(value), (flat.Give(build.num(int(wanted))),))
        ]

    return [
        *before,
        *_nested(low, env, fold.generators, visit),
        flat.Give(build.num(int(not wanted))),
    ]


def _extreme(low: Lowering, env: Env, fold: core.Fold) -> list[flat.Stmt]:
    by_key = fold.kind == "first"
    better: flat.IntOp = ">" if fold.kind == "max" else "<"
    best, value, none = flat.Var("best"), flat.Var("value"), flat.Var("none_yet")

    def visit(inner: Env) -> list[flat.Stmt]:
        measured = low.expr(inner, fold.key if by_key and fold.key is not None else fold.value)
        take: list[flat.Stmt] = [flat.SetVar("best", value), flat.SetVar("none_yet", build.NO)]
        if by_key:
            take.append(flat.SetVar("item", low.expr(inner, fold.value)))
        return [
            flat.SetVar("value", measured),
            flat.If(build.either(none, flat.Bin(better, value, best)), tuple(take)),
        ]

    if by_key:
        start: flat.Expr = build.num(t.none_value(fold.type))
    else:
        start = low.expr(env, fold.default) if fold.default is not None else build.num(0)
    return [
        flat.SetVar("item" if by_key else "best", start),
        *([flat.SetVar("best", build.num(0))] if by_key else []),
        flat.SetVar("none_yet", build.YES),
        *_nested(low, env, fold.generators, visit),
        flat.Give(flat.Var("item") if by_key else best),
    ]


def _collect(low: Lowering, env: Env, fold: core.Fold) -> list[flat.Stmt]:
    if fold.kind == "set":
        bits = low.layout.bits(sets.element_kind(fold.type))
    else:
        bits = value_range(low, fold.value.type)
    found = flat.Var("found", flat.Set(bits))
    shift = build.num(-fold.value.type.low if isinstance(fold.value.type, t.IntType) else 0)

    def visit(inner: Env) -> list[flat.Stmt]:
        value = build.binary("+", low.expr(inner, fold.value), shift)
        added = build.set_or(found, sets.single(value, fold.value.type, bits))
        return [flat.SetVar("found", added, flat.Set(bits))]

    return [
        flat.SetVar("found", build.empty(bits), flat.Set(bits)),
        *_nested(low, env, fold.generators, visit),
        flat.Give(found if fold.kind == "set" else build.count(found)),
    ]


def _nested(
    low: Lowering, env: Env, generators: tuple[core.Generator, ...], visit: ordered.Visit
) -> list[flat.Stmt]:
    """A loop over the generators of a query; a short one over a few known entities written out."""
    generators = tuple(_without_row(low, generator) for generator in generators)
    first = generators[0]
    is_short = low.does("unrolled") and isinstance(first.source, core.AllOf)
    if len(generators) > 1 or not is_short:
        return ordered.nested(low, env, generators, visit, pure=True)
    conditions = sets.conjuncts(first.where)
    members, rest = sets.filtered(low, env, first.source, first.variable, conditions)
    if not isinstance(members, flat.Bits) or not 0 < members.value.bit_count() <= WRITTEN_OUT:
        return ordered.nested(low, env, generators, visit, pure=True)
    out: list[flat.Stmt] = []
    for member in range(members.bits):
        if not members.value >> member & 1:
            continue
        inner = env.bind(first.variable, build.num(member))
        test = build.all_of(low.expr(inner, condition) for condition in rest)
        if test != build.NO:
            body = tuple(visit(inner))
            out += body if test == build.YES else (flat.If(test, body),)
        nodes = list(all_nodes(tuple(out)))
        if len(nodes) > LONGEST or any(isinstance(node, _LONG) for node in nodes):
            return ordered.nested(low, env, generators, visit, pure=True)
    return out


def _without_row(low: Lowering, generator: core.Generator) -> core.Generator:
    """A query changes nothing, so that a row need not be made before it is gone through."""
    if not low.does("straight") or not isinstance(generator.source.type, t.SeqType):
        return generator
    return facts.flattened(low, generator)


_LONG = (flat.Call, flat.While, flat.ForSet, flat.ForRange, flat.ForRow, flat.ForTable)


def value_range(low: Lowering, type_: t.Type) -> int:
    """How many values a type has."""
    match type_:
        case t.RefType(kind):
            return low.layout.bits(kind)
        case t.ChoiceType(values=values):
            return len(values)
        case t.IntType(bottom, top):
            return top - bottom + 1
        case _:
            return 2


def contains_by_search(
    low: Lowering, env: Env, item: core.Expr, collection: core.Expr
) -> flat.Expr:
    """Whether a value is among the items of a collection that is only gone through."""
    variable = "looked_at"
    element = collection.type.element if isinstance(collection.type, t.SeqType) else item.type
    span = collection.span
    seen = core.Local(element, span, variable)
    test = core.Compare(t.FlagType(), span, "is", seen, item)
    generator = core.Generator(variable, element, collection, None)
    return lower_fold(
        low, env, core.Fold(t.FlagType(), span, "any", (generator,), test, None, None)
    )
