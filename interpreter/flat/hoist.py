"""Takes what does not change out of loops: cells that a loop looks up again and again.

Only where nothing in the loop can write the column: a loop without calls that act.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

from interpreter.flat import nodes as flat
from interpreter.flat.tree import all_nodes, map_body

_LOOPS = (flat.While, flat.ForRange, flat.ForSet, flat.ForRow, flat.ForTable)


def hoist_cells(program: flat.Program) -> None:
    """Hoists cells out of the loops of every function."""
    for function in program.functions.values():
        if any(isinstance(node, _LOOPS) for node in all_nodes(function.body)):
            function.body = _Hoisting(program).body(function.body)


class _Hoisting:
    def __init__(self, program: flat.Program) -> None:
        self.program = program
        self.count = 0

    def body(self, body: flat.Body) -> flat.Body:
        return map_body(body, self._loop)

    def _loop(self, stmt: flat.Stmt) -> flat.Body:
        if not isinstance(stmt, _LOOPS):
            return (stmt,)
        if not _surely_runs(stmt):
            return (stmt,)
        inside = list(all_nodes(stmt))
        if any(isinstance(node, (flat.Do, flat.Run, flat.AskSeat, flat.CallBy)) for node in inside):
            return (stmt,)
        cells: dict[flat.Cell, int] = {}
        for node in all_nodes(stmt.body):
            if isinstance(node, flat.Cell) and self._stays(node, inside):
                cells[node] = cells.get(node, 0) + 1
        before: list[flat.Stmt] = []
        names: dict[flat.Cell, flat.Var] = {}
        for cell in cells:
            self.count += 1
            names[cell] = flat.Var(f"kept_{self.count}", cell.type)
            before.append(flat.SetVar(names[cell].name, cell, cell.type))
        if not names:
            return (stmt,)
        return (*before, replace(stmt, body=_put(stmt.body, names)))  # type: ignore[arg-type]

    def _stays(self, cell: flat.Cell, inside: list[object]) -> bool:
        """A state cell whose place and value are the same all through the loop."""
        if cell.column not in self.program.columns:
            return False
        if not isinstance(cell.index, (flat.Num, flat.Var, flat.Bin)):
            return False
        parts = list(all_nodes(cell.index))
        if not all(isinstance(part, (flat.Num, flat.Var, flat.Bin)) for part in parts):
            return False
        names = {part.name for part in parts if isinstance(part, flat.Var)}
        for node in inside:
            match node:
                case flat.SetVar(name=name) | flat.NewRow(name=name) if name in names:
                    return False
                case flat.ForRange(name=name) | flat.ForSet(name=name) if name in names:
                    return False
                case flat.ForRow(name=name) | flat.ForTable(name=name) if name in names:
                    return False
                case flat.SetCell(column=column) | flat.AddCell(column=column):
                    if column == cell.column:
                        return False
                case _:
                    pass
        return True


def _surely_runs(stmt: flat.Stmt) -> bool:
    """Whether the body runs at all, so that nothing is looked up in vain."""
    match stmt:
        case flat.ForSet(set=flat.Bits(value=value)):
            return value != 0
        case flat.ForRange(low=flat.Num(value=low), high=flat.Num(value=high)):
            return low <= high
        case flat.ForTable(width=width):
            return width > 0
        case _:
            return False


def _put(value: object, names: dict[flat.Cell, flat.Var]) -> object:
    """The same nodes with cells replaced."""
    if isinstance(value, tuple):
        return tuple(_put(item, names) for item in value)
    if isinstance(value, flat.Cell) and value in names:
        return names[value]
    if not is_dataclass(value) or isinstance(value, type):
        return value
    changes = {}
    for part in fields(value):
        old = getattr(value, part.name)
        if isinstance(old, (tuple, flat.Expr, flat.Stmt)):
            new = _put(old, names)
            if new is not old and new != old:
                changes[part.name] = new
    return replace(value, **changes) if changes else value  
