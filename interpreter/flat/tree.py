"""Going through and changing flat programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace

from interpreter.flat import nodes as flat


def map_body(body: flat.Body, change: Callable[[flat.Stmt], flat.Body]) -> flat.Body:
    """A body with every statement replaced by what `change` makes of it, inner ones first."""
    out: list[flat.Stmt] = []
    for stmt in body:
        match stmt:
            case flat.If(then=then, other=other):
                stmt = replace(stmt, then=map_body(then, change), other=map_body(other, change))
            case flat.While() | flat.ForRange() | flat.ForSet() | flat.ForRow() | flat.ForTable():
                stmt = replace(stmt, body=map_body(stmt.body, change))
            case _:
                pass
        out += change(stmt)
    return tuple(out)


def all_nodes(value: object) -> Iterator[object]:
    """Every node of a body or node, itself included."""
    if isinstance(value, tuple):
        for item in value:
            yield from all_nodes(item)
    elif is_dataclass(value) and not isinstance(value, type):
        yield value
        for part in fields(value):
            inner = getattr(value, part.name)
            if isinstance(inner, (tuple, flat.Expr, flat.Stmt)):
                yield from all_nodes(inner)
