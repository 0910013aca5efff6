"""What is known about the things that a line goes through: `each m in g.members` says that the
group of m is g. So conditions are tested further out, and those that hold anyway not at all.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from dsl.core import nodes as core
from dsl.core import types as t
from dsl.source import Span
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import defines, rewrite, sets
from interpreter.flat.plan.core_tree import uses_usual, walk
from interpreter.flat.plan.substitute import substitute


@dataclass(frozen=True, slots=True)
class Facts:
    """`names`: the variables; `own`: the names that are the seat; `same`: fields and what they are;
    `true`: conditions that hold; `items`: what the line goes through, from the widest source."""

    names: frozenset[str]
    own: frozenset[str]
    same: tuple[tuple[core.Field, core.Local], ...] = ()
    true: tuple[core.Expr, ...] = ()
    items: tuple[core.Generator, ...] = ()


def flattened(low: Lowering, generator: core.Generator) -> core.Generator:
    """The same items from the widest source, with all conditions in one."""
    while True:
        source = rewrite.expanded(low, generator.source) or generator.source
        if not isinstance(source, core.Fold) or source.kind not in ("set", "row"):
            return generator
        inner = source.generators[0]
        plain = isinstance(source.value, core.Local) and source.value.name == inner.variable
        if len(source.generators) > 1 or source.key is not None or not plain:
            return generator
        item = core.Local(inner.variable_type, source.span, generator.variable)
        where = inner.where and substitute(inner.where, {inner.variable: item})
        if where is None:
            where = generator.where
        elif generator.where is not None:
            where = core.Logic(t.FlagType(), source.span, "and", where, generator.where)
        generator = replace(generator, source=inner.source, where=where)


def facts_of(low: Lowering, generators: tuple[core.Generator, ...], own: frozenset[str]) -> Facts:
    """What generators say about their items."""
    same: list[tuple[core.Field, core.Local]] = []
    true: list[core.Expr] = []
    items = tuple(flattened(low, generator) for generator in generators)
    for generator in items:
        for condition in sets.conjuncts(generator.where):
            true += _implied(low, condition)
            match condition:
                case core.Compare(op="is", left=core.Field() as field, right=core.Local() as other):
                    subject = field.subject
                    if isinstance(subject, core.Local) and subject.name == generator.variable:
                        same.append((field, other))
                case _:
                    pass
    names = frozenset(generator.variable for generator in generators)
    return Facts(names, own, tuple(same), tuple(true), items)


def _implied(low: Lowering, condition: core.Expr) -> list[core.Expr]:
    """A condition that holds, and what holds with it: all that a derived one is worked out of, and
    the opposite of whatever would forbid it."""
    found = [condition]
    if not isinstance(condition, core.CallDefine):
        return found
    (variant, *others) = defines.applicable(low, condition)
    if others or variant.lets or not all(_forbids(but) for but in variant.buts):
        return found
    values = {name: arg for (name, _), arg in zip(variant.params, condition.args, strict=True)}
    opposites = [core.Not(t.FlagType(), but.span, but.condition) for but in variant.buts]
    for part in (*sets.conjuncts(variant.base), *opposites):
        found += _implied(low, substitute(part, values))
    return found


def _forbids(but: core.But) -> bool:
    """Whether an exception can only make a condition untrue."""
    no = isinstance(but.value, core.Const) and but.value.value == 0
    return no and not uses_usual(but.condition)


def narrowed(facts: Facts, conditions: list[core.Expr]) -> tuple[core.Expr, ...]:
    """Conditions in the simplest words, without those that hold anyway."""
    found: list[core.Expr] = []
    for condition in conditions:
        bound = {node.variable for node in walk(condition) if isinstance(node, core.Generator)}
        if not bound & facts.names:
            condition = _in_simplest_words(facts, condition)
            if holds(facts, condition):
                continue
        found.append(condition)
    return tuple(found)


def holds(facts: Facts, condition: core.Expr) -> bool:
    """Whether a condition is one of those that hold anyway."""
    return any(alike(facts, condition, fact) for fact in facts.true)


def _in_simplest_words(facts: Facts, expr: Any) -> Any:
    if isinstance(expr, core.Field):
        for field, other in facts.same:
            if alike(facts, expr, field):
                return other
    if isinstance(expr, tuple):
        return tuple(_in_simplest_words(facts, item) for item in expr)
    if not isinstance(expr, (core.ExprBase, core.Generator)):
        return expr
    changes = {}
    for part in fields(expr):
        old = getattr(expr, part.name)
        if isinstance(old, (core.ExprBase, core.Generator, tuple)):
            new = _in_simplest_words(facts, old)
            if new != old:
                changes[part.name] = new
    return replace(expr, **changes) if changes else expr


def alike(facts: Facts, one: Any, other: Any) -> bool:
    """Whether two expressions are alike, wherever they stand; all names of the seat are one."""
    if isinstance(one, core.Local) and isinstance(other, core.Local):
        return one.name == other.name or {one.name, other.name} <= facts.own
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(
            alike(facts, *pair) for pair in zip(one, other, strict=True)
        )
    if not is_dataclass(one) or isinstance(one, (Span, t.Type)):
        return isinstance(one, (Span, t.Type)) or bool(one == other)
    return all(
        alike(facts, getattr(one, part.name), getattr(other, part.name)) for part in fields(one)
    )
