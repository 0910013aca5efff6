"""Keeps in a local what a function works out and needs again: Python looks everything up anew.

`x[i]` is printed as `(part1 := x[i])` the first time and as `part1` from then on. Only where that
is cheaper, by a rough count of what each way costs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from dsl.records import value
from interpreter.flat.analysis.effects import Effects
from interpreter.flat.analysis.values import Walk
from interpreter.flat.ir import nodes as n
from interpreter.flat.ir.tree import changed, parts_of

_KEPT = (n.Scalar, n.Cell, n.SetBin, n.Single, n.Choose, n.MulDiv, n.Count, n.First)
_SUMS = ("+", "-", "*", "//", "%", "min", "max", "&", "|", "<<", ">>")
_LOCAL = 2  # what it costs to read a local, in some unit
_STORE = 4  # to note a value in one
_ROUNDS = 4  # how often a loop goes round
_TAKEN = 0.35  # how often a branch is taken


@value
class Keep(n.ExprBase):
    """A value, noted in a temporary."""

    name: str
    value: n.Expr


@value
class Kept(n.ExprBase):
    """What was noted."""

    name: str
    value: n.Expr


PythonExpr = n.Expr | Keep | Kept
"""What stands in a function that is printed as Python."""


@dataclass(eq=False, slots=True)
class _Note:
    """What is known of a value that may be needed again. `saved`: what keeping it would save."""

    loops: int
    branches: int
    saved: float = 0.0
    name: str = ""


@value
class _First(n.ExprBase):
    """Where such a value is worked out."""

    value: n.Expr
    note: _Note


@value
class _Again(n.ExprBase):
    """Where it is needed again."""

    value: n.Expr
    note: _Note


def keep_values(program: n.Program, effects: Effects, function: n.Function) -> tuple[n.Body, int]:
    """A function's body with values kept, and how many."""
    keeping = _Keeping(program, effects)
    body = keeping.body(function.body)
    if not keeping.worth:
        return function.body, 0
    settling = _Settling()
    return settling.settled(body), settling.kept


class _Settling:
    """Decides what is kept, now that all is known."""

    def __init__(self) -> None:
        self.kept = 0

    def settled(self, value: Any) -> Any:
        """A node as it is printed."""
        match value:
            case tuple():
                return tuple([self.settled(item) for item in value])
            case _First(value=inner, note=note):
                if note.saved <= _STORE:
                    return self.settled(inner)
                return Keep(self._name(note), self.settled(inner))
            case _Again(value=inner, note=note):
                return inner if note.saved <= _STORE else Kept(self._name(note), inner)
            case _ if n.is_expr(value) or n.is_stmt(value):
                changes = {}
                for part in parts_of(value):
                    old = getattr(value, part)
                    new = self.settled(old)
                    if new is not old:
                        changes[part] = new
                return changed(value, **changes) if changes else value
            case _:
                return value

    def _name(self, note: _Note) -> str:
        if not note.name:
            self.kept += 1
            note.name = f"part{self.kept}"
        return note.name


class _Keeping(Walk):
    worth = False
    """Whether anything is kept at all."""

    def known(self, expr: n.Expr, number: int) -> n.Expr | None:
        holder = self.now.holders.get(number)
        if holder is None or not isinstance(expr, (*_KEPT, n.Bin)):
            return None
        if isinstance(holder, tuple):
            if self.read(f".{holder[0]}") != number:
                return None
            self.worth = True
            return n.Var(*holder)
        assert isinstance(holder, _Note)
        often = _ROUNDS ** (self.loops - holder.loops) * _TAKEN ** (self.branches - holder.branches)
        holder.saved += often * (_cost(expr) - _LOCAL)
        self.worth = self.worth or holder.saved > _STORE
        return cast(n.Expr, _Again(expr, holder))

    def seen(self, expr: n.Expr, number: int) -> n.Expr:
        if isinstance(expr, _KEPT) or (isinstance(expr, n.Bin) and expr.op in _SUMS):
            self.now.holders[number] = note = _Note(self.loops, self.branches)
            return cast(n.Expr, _First(expr, note))
        return expr


def _cost(expr: n.Expr) -> int:
    """What working out an expression costs, in some unit."""
    match expr:
        case n.Num() | n.Bits() | n.Var():
            return 2
        case n.Scalar():
            return 4
        case n.Cell(index=index):
            return 11 + _cost(index)
        case n.Bin(left=left, right=right):
            return 6 + _cost(left) + _cost(right)
        case n.SetBin(left=left, right=right):
            return 12 + _cost(left) + _cost(right)
        case n.Choose(condition=condition, then=then, other=other):
            return 3 + _cost(condition) + (_cost(then) + _cost(other)) // 2
        case _:
            return 15
