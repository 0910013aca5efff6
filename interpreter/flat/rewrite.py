"""Rewriting core expressions: a call of a small derived value as the expression it stands for."""

from __future__ import annotations

from dataclasses import fields, replace

from dsl.core import nodes as core
from interpreter.flat import defines
from interpreter.flat.context import Lowering, walk


def substitute(expr: core.Expr, values: dict[str, core.Expr]) -> core.Expr:
    """An expression with locals replaced by other expressions."""
    if isinstance(expr, core.Local):
        found = values.get(expr.name)
        return found if found is not None else expr
    changes: dict[str, object] = {}
    for part in fields(expr):
        old = getattr(expr, part.name)
        new = _inside(old, values)
        if new is not old:
            changes[part.name] = new
    return replace(expr, **changes) if changes else expr  # type: ignore[arg-type]


def _inside(value: object, values: dict[str, core.Expr]) -> object:
    match value:
        case core.Expr():
            return substitute(value, values)
        case core.Generator(source=source, where=where):
            inner = substitute(where, values) if where is not None else None
            new_source = substitute(source, values)
            if new_source is source and inner is where:
                return value
            return replace(value, source=new_source, where=inner)
        case tuple():
            new = tuple(_inside(item, values) for item in value)
            return (
                new
                if any(one is not other for one, other in zip(new, value, strict=True))
                else value
            )
        case _:
            return value


def expanded(low: Lowering, condition: core.Expr) -> core.Expr | None:
    """The expression of a derived condition, where the call is of one without exceptions and its
    arguments are simple. The same call always gives the same expression, so that functions made for
    it are shared.
    """
    if not isinstance(condition, core.CallDefine):
        return None
    known = low.expansions.get(id(condition))
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
    low.expansions[id(condition)] = (condition, result)
    return result
