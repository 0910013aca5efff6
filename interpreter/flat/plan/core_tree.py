"""Going through the core: what lies below a node, and which locals it uses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from dsl.core import nodes as core
from dsl.core import types as t

_NODES = (
    core.Expr, core.Stmt, core.Generator, core.HeadLet, core.HeadNeeds, core.HeadPick, core.Answer,
    core.Hook, core.But,
)  # fmt: skip

# By class: the fields that may hold nodes, the last one first, and whether it is one of nodes.
_PARTS: dict[type, tuple[str, ...]] = {}
_IS_NODE: dict[type, bool] = {}


def children(node: object) -> list[object]:
    """The core nodes directly below a node."""
    return _below(node)[::-1]


def _below(node: object) -> list[object]:
    """The same, the last one first."""
    kind = type(node)
    parts = _PARTS.get(kind)
    if parts is None:
        names = [part.name for part in fields(kind)] if is_dataclass(kind) else []
        parts = _PARTS[kind] = tuple(name for name in reversed(names) if name not in _PLAIN)
    found: list[object] = []
    todo = [getattr(node, name) for name in parts][::-1]
    while todo:
        value = todo.pop()
        kind = type(value)
        if kind is tuple:
            todo += value
            continue
        is_node = _IS_NODE.get(kind)
        if is_node is None:
            is_node = _IS_NODE[kind] = issubclass(kind, _NODES)
        if is_node:
            found.append(value)
    return found


_PLAIN = ("type", "span", "name", "doc", "layer")


def walk(node: object) -> Iterator[object]:
    """A node and all core nodes below it."""
    todo = [node]
    while todo:
        now = todo.pop()
        yield now
        todo += _below(now)


def free_locals(*nodes: object) -> dict[str, t.Type]:
    """The locals that expressions use and do not bring in themselves, in order of first use."""
    bound: set[str] = set()
    used: dict[str, t.Type] = {}
    for node in nodes:
        for part in walk(node):
            match part:
                case core.Local(type=type_, name=name):
                    used.setdefault(name, type_)
                case core.Generator(variable=name):
                    bound.add(name)
                case core.HeadLet(name=name) | core.HeadPick(name=name):
                    bound.add(name)
                case _:
                    pass
    return {name: type_ for name, type_ in used.items() if name not in bound}


def uses_usual(node: object) -> bool:
    """Whether `usual` stands in a node."""
    return any(isinstance(part, core.Usual) for part in walk(node))
