"""What each function and each loop can write, the functions that they call included.

Only for finished programs, without `Do`. A question changes everything: who answers for a seat may
exchange what the seat does not know.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.flat.analysis.components import callees_first, targets
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import LOOPS, parts

ALL = "*"


@dataclass(slots=True)
class _Own:
    """What a piece of a function writes itself, and what it calls."""

    names: set[str] = field(default_factory=set)
    calls: set[str] = field(default_factory=set)

    def add(self, other: _Own) -> None:
        self.names |= other.names
        self.calls |= other.calls


class Effects:
    """The effects of a program: names of scalars, columns and row columns, those of locals
    with a dot in front, and `ALL`.
    """

    def __init__(self, program: flat.Program) -> None:
        self._program = program
        self._loops: dict[int, _Own] = {}
        own = {name: self._gather(one.body) for name, one in program.functions.items()}
        self._functions = _with_calls(own)

    def of_loop(self, loop: flat.Stmt) -> set[str]:
        """What a loop of one of the functions can write, its own local included."""
        own = self._loops[id(loop)]
        return own.names.union(*[self._functions[name] for name in own.calls])

    def of_node(self, node: flat.Expr | flat.Stmt) -> set[str]:
        """What one node can write, without its parts."""
        found = _written(node)
        return found.union(*[self._functions[name] for name in targets(self._program, node)])

    def _gather(self, body: object) -> _Own:
        found = _Own()
        stack: list[object] = [body]
        while stack:
            item = stack.pop()
            if isinstance(item, tuple):
                stack += item
            elif isinstance(item, LOOPS):
                inside = self._gather(parts(item))
                inside.names |= _written(item)
                self._loops[id(item)] = inside
                found.add(inside)
            else:
                stack += parts(item)
                if isinstance(item, _DOING):
                    found.names |= _written(item)
                    found.calls.update(targets(self._program, item))
        return found


def _with_calls(own: dict[str, _Own]) -> dict[str, frozenset[str]]:
    """The effects of functions and of all that they call."""
    names = {
        name: {effect for effect in one.names if effect[0] != "."} for name, one in own.items()
    }
    order = callees_first({name: one.calls for name, one in own.items()})
    changed = True
    while changed:
        changed = False
        for name in order:
            for called in own[name].calls:
                if not names[called] <= names[name]:
                    names[name] |= names[called]
                    changed = True
    return {
        name: frozenset((ALL,)) if ALL in one else frozenset(one) for name, one in names.items()
    }


_NOTHING: set[str] = set()
_DOING = (flat.Stmt, flat.Call, flat.CallBy, flat.AskSeat)


def _row(row: flat.Expr) -> set[str]:
    return {row.column} if isinstance(row, flat.RowAt) else _NOTHING


def _written(node: object) -> set[str]:
    match node:
        case flat.SetScalar(name=name) | flat.SetCell(column=name) | flat.AddCell(column=name):
            return {name}
        case flat.SetVar(name=name) | flat.NewRow(name=name) | flat.ForRange(name=name):
            return {f".{name}"}
        case flat.ForSet(name=name) | flat.ForRow(name=name) | flat.ForTable(name=name):
            return {f".{name}"}
        case flat.RowPush(row=row) | flat.RowInsert(row=row) | flat.RowSet(row=row):
            return _row(row)
        case flat.RowRemove(row=row) | flat.RowClear(row=row) | flat.RowShuffle(row=row):
            return _row(row)
        case flat.AskSeat():
            return {ALL}
        case _:
            return _NOTHING
