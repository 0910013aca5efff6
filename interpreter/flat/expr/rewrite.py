"""Rewriting core expressions: a call of a small derived value as the expression it stands for."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.core import nodes as core
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import defines
from interpreter.flat.plan.core_tree import walk
from interpreter.flat.plan.substitute import substitute


@dataclass(slots=True)
class _Expansions:
    """What calls have been rewritten to; the calls are kept, so that their ids stay theirs."""

    known: dict[int, tuple[core.Expr, core.Expr]] = field(default_factory=dict)


def expanded(low: Lowering, condition: core.Expr) -> core.Expr | None:
    """The expression of a derived condition, where the call is of one without exceptions and its
    arguments are simple. The same call always gives the same expression, so that functions made for
    it are shared.
    """
    if not isinstance(condition, core.CallDefine) or not low.does("expanded"):
        return None
    known = low.own(_Expansions).known.get(id(condition))
    if known is not None:
        return known[1]
    found = defines.single_expression(low, condition)
    if found is None:
        return None
    variant, base = found
    for (name, _), arg in zip(variant.params, condition.args, strict=True):
        uses = sum(isinstance(node, core.Local) and node.name == name for node in walk(base))
        if uses > 1 and not isinstance(arg, (core.Local, core.Const)):
            return None
    values = {name: arg for (name, _), arg in zip(variant.params, condition.args, strict=True)}
    result = substitute(base, values)
    low.own(_Expansions).known[id(condition)] = (condition, result)
    return result
