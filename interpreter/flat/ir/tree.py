"""Going through and changing flat programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from operator import is_
from typing import Any, TypeVar

from dsl.records import Getter, getter
from interpreter.flat.ir import nodes as flat

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
                stmt = changed(stmt, then=map_body(then, change), other=map_body(other, change))
            case flat.While() | flat.ForRange() | flat.ForSet() | flat.ForRow() | flat.ForTable():
                stmt = changed(stmt, body=map_body(stmt.body, change))
            case _:
                pass
        out += change(stmt)
    made = tuple(out)
    return body if len(made) == len(body) and all(map(is_, made, body)) else made


# By class: what gives the parts of a node that may hold nodes; None where there are none of it.
_GETTERS: dict[type, Getter | None] = {}


def _look_up(item: object) -> Getter | None:
    """What belongs into `_GETTERS`, and is put there."""
    kind = type(item)
    _GETTERS[kind] = getter(parts_of(item)) if flat.is_expr(item) or flat.is_stmt(item) else None
    return _GETTERS[kind]


def parts(item: object) -> Sequence[object]:
    """What a node has in those of its fields that may hold nodes; nothing, of anything else."""
    kind = type(item)
    found = _GETTERS[kind] if kind in _GETTERS else _look_up(item)
    return () if found is None else found(item)


def all_nodes(value: object) -> Iterator[flat.Expr | flat.Stmt]:
    """Every node of a body or node, itself included, in no set order."""
    stack: list[Any] = [value]
    while stack:
        item = stack.pop()
        kind = type(item)
        if kind is tuple:
            stack += item
            continue
        parts = _GETTERS[kind] if kind in _GETTERS else _look_up(item)
        if parts is not None:
            yield item
            stack += parts(item)


def rebuild(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same nodes with every expression and statement replaced, inner ones first."""
    kind = type(value)
    if kind is tuple:
        new = [rebuild(item, change) for item in value]
        return value if all(map(is_, new, value)) else tuple(new)
    parts = _GETTERS[kind] if kind in _GETTERS else _look_up(value)
    if parts is None:
        return value
    old = parts(value)
    if not old:
        return change(value)
    made = [rebuild(part, change) for part in old]
    if not all(map(is_, made, old)):
        value = changed(value, **dict(zip(_PARTS[kind], made, strict=True)))
    return change(value)


def renamed(node: Any, names: dict[str, str], values: dict[str, flat.Expr]) -> Any:
    """A node of which the parts are done, with other names for its own locals; `values`: what
    stands for some of them instead."""
    match node:
        case flat.Var(name=name, type=type_):
            found = values.get(name)
            return found if found is not None else flat.Var(names.get(name, name), type_)
        case flat.SetVar() | flat.NewRow() | flat.ForRange() | flat.ForSet():
            return changed(node, name=names.get(node.name, node.name))
        case flat.ForRow() | flat.ForTable():
            return changed(node, name=names.get(node.name, node.name))
        case flat.Do(result=str(result)):
            return changed(node, result=names.get(result, result))
        case _:
            return node


def set_names(nodes: Iterable[flat.Expr | flat.Stmt]) -> Iterator[str]:
    """The locals that nodes set, once for every time."""
    for node in nodes:
        if isinstance(node, _NAMING):
            yield node.name
        elif isinstance(node, flat.Do) and node.result is not None:
            yield node.result


_NAMING = (flat.SetVar, flat.NewRow, flat.ForRange, flat.ForSet, flat.ForRow, flat.ForTable)
