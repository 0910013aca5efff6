"""Puts expressions in the place of locals."""

from __future__ import annotations

from dataclasses import fields, replace

from dsl.core import nodes as core


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
        case _ if core.is_expr(value):
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
