"""Conditions that another one of the same line implies are not tested: whoever has the price of the
dearest of some things and more besides has that of any of them.
"""

from __future__ import annotations

from dsl.core import nodes as core
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import rewrite, sets
from interpreter.flat.expr.facts import Facts, alike, flattened, holds
from interpreter.flat.plan.substitute import substitute


def without_weaker(
    low: Lowering, facts: Facts, conditions: tuple[core.Expr, ...]
) -> tuple[core.Expr, ...]:
    """The conditions without those that follow from another one of them."""
    kept = list(conditions)
    for weak in conditions:
        others = [one for one in kept if one is not weak]
        if any(_implies(low, facts, strong, weak) for strong in others):
            kept = others
    return tuple(kept)


def _implies(low: Lowering, facts: Facts, strong: core.Expr, weak: core.Expr) -> bool:
    """Whether both say that the same is at least so much, and the one asks for no less."""
    more = rewrite.expanded(low, strong) or strong
    less = rewrite.expanded(low, weak) or weak
    if not isinstance(more, core.Compare) or not isinstance(less, core.Compare):
        return False
    if (more.op, less.op) != (">=", ">=") or not alike(facts, more.left, less.left):
        return False
    return _at_most(low, facts, less.right, more.right)


def _at_most(low: Lowering, facts: Facts, small: core.Expr, great: core.Expr) -> bool:
    """Whether a number is never greater than another one, as far as that is plain."""
    if alike(facts, small, great):
        return True
    match great:
        case core.Arith(op="+", left=left, right=core.Const(value=int(more))):
            return more >= 0 and _at_most(low, facts, small, left)
        case core.CallDefine():
            words = rewrite.expanded(low, great)
            return words is not None and _at_most(low, facts, small, words)
        case core.Fold(kind="max", generators=(every,), value=value):
            wide = flattened(low, every)
            return any(
                alike(facts, small, substitute(value, {wide.variable: _named(item)}))
                for item in facts.items
                if _is_among(low, facts, item, wide)
            )
        case _:
            return False


def _named(item: core.Generator) -> core.Local:
    return core.Local(item.variable_type, item.source.span, item.variable)


def _is_among(low: Lowering, facts: Facts, item: core.Generator, wide: core.Generator) -> bool:
    """Whether what a line goes through is among the things that a query goes through."""
    some, every = item.source, wide.source
    if not isinstance(some, core.AllOf) or not isinstance(every, core.AllOf):
        return False
    kinds = low.program.kinds
    if not set(kinds[some.kind].members) <= set(kinds[every.kind].members):
        return False
    conditions = sets.conjuncts(wide.where)
    return all(holds(facts, substitute(one, {wide.variable: _named(item)})) for one in conditions)
