"""Going through nodes, of the core and of any other tree that is made of records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from dsl.core.types import Type
from dsl.records import Getter, getter
from dsl.source import Span


def walk(node: object) -> Iterator[object]:
    """The node and all nodes in it, of expressions and of statements."""
    todo = [node]
    while todo:
        now = todo.pop()
        kind = type(now)
        if kind is tuple:
            todo += now[::-1]  # type: ignore[index]
            continue
        parts = GETTERS[kind] if kind in GETTERS else look_up(kind)
        if parts is not None:
            yield now
            todo += parts(now)


def children(node: object) -> Iterable[object]:
    """The parts of a node, or the members of a tuple, in which there may be further nodes."""
    kind = type(node)
    if kind is tuple:
        return node  # type: ignore[return-value]
    parts = GETTERS[kind] if kind in GETTERS else look_up(kind)
    return () if parts is None else parts(node)


# By class: what gives the parts of a node in which there may be further nodes, the last one first,
# so that a walk takes the first one from the end of what is to be done. None: it is no node.
GETTERS: dict[type[Any], Getter | None] = {}


def look_up(kind: type[Any]) -> Getter | None:
    """What belongs into `GETTERS`, and is put there."""
    is_node = is_dataclass(kind) and not issubclass(kind, (Type, Span))
    GETTERS[kind] = getter(parts_of(kind)[::-1]) if is_node else None
    return GETTERS[kind]


_NAMES: dict[type[Any], tuple[str, ...]] = {}


def parts_of(kind: type[Any]) -> tuple[str, ...]:
    """The fields of a node class that may hold further nodes."""
    known = _NAMES.get(kind)
    if known is None:
        names = [item.name for item in fields(kind) if item.name not in ("span", "type")]
        known = _NAMES[kind] = tuple(names)
    return known
