"""Three passes for what is looked up again and again: what does not change is taken out of loops,
cells are looked up once, and sets of a constant table are gone through along a table.

Only where nothing in the loop or function can write the column: without calls that act.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace

from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import ACTING, LOOPS, all_nodes, map_body, rebuild, set_names


def hoist_cells(program: flat.Program) -> None:
    """Hoists cells out of the loops of every function."""
    for function in program.functions.values():
        function.body = map_body(function.body, _Hoisting(program, function).loop)


def share_cells(program: flat.Program) -> None:
    """The cells that a function looks up at its start and again later, looked up once."""
    for function in program.functions.values():
        function.body = _Hoisting(program, function).looked_up_once(function.body)


def tabulate_loops(program: flat.Program) -> None:
    """Loops over sets of a constant table as loops over a table of their members."""
    for function in program.functions.values():
        function.body = map_body(function.body, lambda stmt: _along_table(program, stmt))


OFTEN = 3
WIDEST = 8  # members of a constant set that a loop takes from a table


class _Hoisting:
    """The cells of one function that are put into locals of their own."""

    def __init__(self, program: flat.Program, function: flat.Function) -> None:
        self.program = program
        self.names = {name for name, _ in function.params}
        self.names.update(set_names(all_nodes(function.body)))

    def local(self, cell: flat.Cell) -> flat.Var:
        """A local for a cell."""
        number = 1
        while f"kept_{number}" in self.names:
            number += 1
        self.names.add(f"kept_{number}")
        return flat.Var(f"kept_{number}", cell.type)

    def loop(self, stmt: flat.Stmt) -> flat.Body:
        """A loop, behind the cells that it looks up and that stay."""
        if not isinstance(stmt, LOOPS) or not _surely_runs(stmt):
            return (stmt,)
        inside = list(all_nodes(stmt))
        if any(isinstance(node, ACTING) for node in inside):
            return (stmt,)
        cells: dict[flat.Cell, int] = {}
        for node in all_nodes(stmt.body):
            if isinstance(node, flat.Cell) and self._stays(node, inside):
                cells[node] = cells.get(node, 0) + 1
        before: list[flat.Stmt] = []
        names: dict[flat.Cell, flat.Var] = {}
        for cell in cells:
            names[cell] = self.local(cell)
            before.append(flat.SetVar(names[cell].name, cell, cell.type))
        if not names:
            return (stmt,)
        return (*before, replace(stmt, body=_put(stmt.body, names)))

    def looked_up_once(self, body: flat.Body) -> flat.Body:
        """A body, behind the cells that it looks up at its start and again later."""
        inside = list(all_nodes(body))
        if any(isinstance(node, ACTING) for node in inside):
            return body
        uses = Counter(node for node in inside if isinstance(node, flat.Cell))
        often = {
            cell for cell, count in uses.items() if count >= OFTEN and self._stays(cell, inside)
        }
        names: dict[flat.Cell, flat.Var] = {}
        for node in _surely_read(body):
            if node in often and node not in names:
                assert isinstance(node, flat.Cell)
                names[node] = self.local(node)
        before = [flat.SetVar(name.name, cell, cell.type) for cell, name in names.items()]
        return (*before, *_put(body, names)) if names else body

    def _stays(self, cell: flat.Cell, inside: Sequence[object]) -> bool:
        """A state cell whose place and value are the same all through the loop."""
        declared = self.program.columns.get(cell.column)
        if declared is None or declared.role != "state":
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


def _along_table(program: flat.Program, stmt: flat.Stmt) -> flat.Body:
    match stmt:
        case flat.ForSet(set=flat.Cell(column=column, index=index), descending=is_down) if (
            column in program.tables
        ):
            lines = [_members(value) for value in program.tables[column].values]
            if is_down:
                lines = [line[::-1] for line in lines]
            base = f"{column}_items{'_down' if is_down else ''}"
        case _:
            return (stmt,)
    width = max((len(line) for line in lines), default=0)
    if not 0 < width <= WIDEST:
        return (stmt,)
    cells = [cell for line in lines for cell in (*line, *[-1] * (width - len(line)))]
    name = build.table(program, base, flat.INT, tuple(cells))
    body = stmt.body
    if -1 in cells:
        ended = flat.Bin("<", flat.Var(stmt.name), flat.Num(0))
        body = (flat.If(ended, (flat.Break(),)), *body)
    return (flat.ForTable(stmt.name, name, index, width, body),)


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


def _members(value: int) -> list[int]:
    return [index for index in range(value.bit_length()) if value >> index & 1]


def _surely_read(body: flat.Body) -> Iterator[flat.Expr]:
    """The expressions that are worked out whenever a body starts, up to its first branch."""
    for stmt in body:
        match stmt:
            case flat.SetVar(value=value) | flat.SetScalar(value=value) | flat.Give(value=value):
                yield from _surely_part(value)
            case flat.If(condition=condition):
                yield from _surely_part(condition)
                return
            case _:
                return


def _surely_part(expr: flat.Expr) -> Iterator[flat.Expr]:
    yield expr
    match expr:
        case flat.And(left=first) | flat.Or(left=first) | flat.Choose(condition=first):
            yield from _surely_part(first)
        case _:
            for part in fields(expr):
                value = getattr(expr, part.name)
                if flat.is_expr(value):
                    yield from _surely_part(value)


def _put(body: flat.Body, names: dict[flat.Cell, flat.Var]) -> flat.Body:
    """The same body with cells replaced."""

    def change(node: object) -> object:
        return names.get(node, node) if isinstance(node, flat.Cell) else node

    found: flat.Body = rebuild(body, change)
    return found
