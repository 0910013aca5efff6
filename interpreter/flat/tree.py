"""Going through and changing flat programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from interpreter.flat import nodes as flat

LOOPS = (flat.While, flat.ForRange, flat.ForSet, flat.ForRow, flat.ForTable)
ACTING = (flat.Do, flat.Run, flat.AskSeat, flat.CallBy)
"""What may do anything: a call of a function that is not known to be only an expression."""

_PARTS: dict[type, tuple[str, ...]] = {}


def parts_of(node: flat.Expr | flat.Stmt) -> tuple[str, ...]:
    """The fields of a node that may hold nodes."""
    kind = type(node)
    known = _PARTS.get(kind)
    if known is None:
        plain = ("str", "int", "bool", "IntOp", "FlatType")
        known = tuple(
            part.name
            for part in fields(node)
            if part.type not in plain and not str(part.type).startswith(("Literal", "str"))
        )
        _PARTS[kind] = known
    return known


_Node = TypeVar("_Node")
_FIELDS: dict[type, tuple[str, ...]] = {}


def changed(node: _Node, **changes: Any) -> _Node:
    """A node with some parts changed; the node itself where they are what they were."""
    if all(getattr(node, part) is new for part, new in changes.items()):
        return node
    kind: Any = type(node)
    known = _FIELDS.get(kind)
    if known is None:
        known = _FIELDS[kind] = tuple([part.name for part in fields(kind)])
    made: _Node = kind(*[changes.get(part, getattr(node, part)) for part in known])
    return made


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


def all_nodes(value: object) -> Iterator[flat.Expr | flat.Stmt]:
    """Every node of a body or node, itself included, in no set order."""
    stack: list[object] = [value]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is tuple:
            stack.extend(item)  # type: ignore[arg-type]
            continue
        parts = _PARTS.get(kind)
        if parts is None:
            if not isinstance(item, (flat.Expr, flat.Stmt)):
                continue
            parts = parts_of(item)
        yield item  # type: ignore[misc]
        stack += [getattr(item, part) for part in parts]


def rebuild(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same nodes with every expression and statement replaced, inner ones first."""
    if isinstance(value, tuple):
        new = tuple([rebuild(item, change) for item in value])
        return (
            new if any(one is not other for one, other in zip(new, value, strict=True)) else value
        )
    parts = _PARTS.get(type(value))
    if parts is None:
        if not isinstance(value, (flat.Expr, flat.Stmt)):
            return value
        parts = parts_of(value)
    changes: dict[str, Any] = {}
    for part in parts:
        old = getattr(value, part)
        made = rebuild(old, change)
        if made is not old:
            changes[part] = made
    return change(changed(value, **changes) if changes else value)


def set_names(nodes: Iterable[flat.Expr | flat.Stmt]) -> Iterator[str]:
    """The locals that nodes set, once for every time."""
    for node in nodes:
        match node:
            case flat.SetVar(name=name) | flat.NewRow(name=name) | flat.ForRange(name=name):
                yield name
            case flat.ForSet(name=name) | flat.ForRow(name=name) | flat.ForTable(name=name):
                yield name
            case flat.Do(result=str(name)):
                yield name
            case _:
                pass
