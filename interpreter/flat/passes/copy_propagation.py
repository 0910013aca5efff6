"""Puts a value where it is used, if that is the only place and right behind; and one local in the
place of another that is the same. What is left of inlining are many locals that only hand on.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import all_nodes, changed, parts_of, rebuild, set_names
from interpreter.flat.passes.simplify import is_pure

_BODIES = ("body", "then", "other")
_CALLS = (flat.Call, flat.CallBy, flat.AskSeat)


def forward_values(program: flat.Program) -> None:
    """Takes locals out of every function that no reader would miss."""
    for function in program.functions.values():
        function.body = _Forwarding(function).body(function.body)


class _Forwarding:
    def __init__(self, function: flat.Function) -> None:
        nodes = list(all_nodes(function.body))
        self.times = Counter([*set_names(nodes), *[name for name, _ in function.params]])
        self.reads = Counter(node.name for node in nodes if isinstance(node, flat.Var))

    def body(self, body: flat.Body) -> flat.Body:
        out: list[flat.Stmt] = []
        rest = body
        while rest:
            stmt, rest = rest[0], rest[1:]
            without = self.without(stmt, rest) if isinstance(stmt, flat.SetVar) and rest else None
            if without is None:
                out.append(self.inside(stmt))
            else:
                rest = without
        return tuple(out)

    def inside(self, stmt: Any) -> flat.Stmt:
        """A statement with the bodies inside it done."""
        bodies = {part: self.body(getattr(stmt, part)) for part in _BODIES if hasattr(stmt, part)}
        made: flat.Stmt = changed(stmt, **bodies)
        return made

    def without(self, stmt: flat.SetVar, rest: flat.Body) -> flat.Body | None:
        """What follows on a local that is set, if it can do without it."""
        if self.times[stmt.name] > 1 or isinstance(stmt.type, flat.Row):
            return None
        if isinstance(stmt.value, flat.Var):
            return self.renamed(stmt.name, stmt.value, rest)
        first = rest[0]
        if self.reads[stmt.name] > 1 or not _takes(first, stmt):
            return None
        return (_with_value(first, stmt), *rest[1:])

    def renamed(self, name: str, same: flat.Var, rest: flat.Body) -> flat.Body | None:
        """Statements with one local in the place of another, if it stays as it is there."""
        nodes = list(all_nodes(rest))
        uses = sum(isinstance(node, flat.Var) and node.name == name for node in nodes)
        if uses < self.reads[name] or same.name in set_names(nodes):
            return None
        self.reads[same.name] += uses - 1
        made: flat.Body = rebuild(rest, lambda node: same if _is_local(node, name) else node)
        return made


def _is_local(node: object, name: str) -> bool:
    return isinstance(node, flat.Var) and node.name == name


def _takes(stmt: flat.Stmt, local: flat.SetVar) -> bool:
    """Whether a statement reads a local once before it does anything, and nothing comes between."""
    if isinstance(stmt, flat.While):
        return False
    values = [getattr(stmt, part) for part in parts_of(stmt) if part not in _BODIES]
    if not any(_is_local(node, local.name) for node in all_nodes(tuple(values))):
        return False
    if not is_pure(local.value):
        whole = stmt.value if isinstance(stmt, (flat.SetVar, flat.Return)) else None
        return _is_local(whole, local.name)
    return all(_is_read_first(value) for value in values)


def _is_read_first(value: Any) -> bool:
    """Whether all that is read in a value is read before it does anything."""
    if isinstance(value, _CALLS):
        return all(is_pure(getattr(value, part)) for part in parts_of(value))
    return is_pure(value)


def _with_value(stmt: flat.Stmt, local: flat.SetVar) -> flat.Stmt:
    """A statement with a value in the place of a local."""
    changes = {
        part: rebuild(
            getattr(stmt, part),
            lambda node: local.value if _is_local(node, local.name) else node,
        )
        for part in parts_of(stmt)
        if part not in _BODIES
    }
    return changed(stmt, **changes)
