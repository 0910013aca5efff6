"""Prints the functions and statements of flat core as Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.emit.names import ModuleNames
from interpreter.emit.python_expressions import ATOM, CHOICE, SUM, ZERO, PythonExpressions
from interpreter.emit.python_keeping import Keep, Kept, PythonExpr, keep_values
from interpreter.flat.analysis.effects import Effects
from interpreter.flat.ir import nodes as n
from interpreter.flat.ir.tree import all_nodes
from interpreter.flat.passes.simplify import is_pure

_INLINE_RANGE = 12
_LOCAL = (n.Var, n.Num, Keep, Kept)
_PREPARED_RANGE = 512


class PythonCode(PythonExpressions):
    """Prints one function after the other; collects the constants that the module must define."""

    def __init__(self, program: n.Program, names: ModuleNames) -> None:
        super().__init__(program, names)
        self.effects = Effects(program)
        self.lines: list[str] = []
        self.written: set[str] = set()
        self.gives = False
        self.traced = False

    def function(self, function: n.Function) -> list[str]:
        """The lines of one function, its comment included."""
        if isinstance(function.gives, n.Row):
            raise ValueError(f"{function.name}: a function cannot give a row.")
        self.lines, self.written = [], set()
        body, self.parts = keep_values(self.program, self.effects, function)
        self.gives = function.gives is not None or function.exits
        self.body(body, "    ")
        if self.gives and not (function.body and always_returns(function.body[-1])):
            self.lines.append("    return 0")
        name = self.names.functions[function.name]
        params = ", ".join(self.names.local(param) for param, _ in function.params)
        head = comment_lines(function.comment)
        head.append(f"def {name}({params}):")
        if self.written:
            head.append(f"    nonlocal {', '.join(sorted(self.written))}")
        return head + self.lines

    def body(self, body: n.Body, indent: str) -> None:
        if not body:
            self.lines.append(f"{indent}pass")
        for statement in body:
            STATEMENTS[type(statement)](self, statement, indent)

    # ------------------------------------------------------------ statements

    def assign(self, target: str, old: n.Expr, value: n.Expr, indent: str) -> None:
        """`x = e`, or `x += e` where the old value comes first in a sum or set operation, though
        not for a cell whose index costs Python less to look up again than to keep.
        """
        adds = not (isinstance(old, n.Cell) and isinstance(old.index, _LOCAL))
        if adds and isinstance(value, n.Bin | n.SetBin) and _changes(value, old):
            if not (isinstance(value, n.SetBin) and value.op == "-"):
                self.lines.append(f"{indent}{target} {value.op}= {self.value(value.right, CHOICE)}")
                return
            self.lines.append(f"{indent}{target} &= {self.others(value.right)}")
            return
        text = self.whole(value) if type(old) is n.Var else self.value(value, CHOICE)
        self.lines.append(f"{indent}{target} = {text}")

    def set_var(self, stmt: n.SetVar, indent: str) -> None:
        if isinstance(stmt.type, n.Row):
            raise ValueError(f"{stmt.name}: a row is not assigned.")
        name = self.names.local(stmt.name)
        self.assign(name, n.Var(stmt.name, stmt.type), stmt.value, indent)

    def set_scalar(self, stmt: n.SetScalar, indent: str) -> None:
        name = self.names.scalars[stmt.name]
        self.written.add(name)
        self.assign(name, n.Scalar(stmt.name, stmt.type), stmt.value, indent)

    def set_cell(self, stmt: n.SetCell, indent: str) -> None:
        column, index, value = self.names.columns[stmt.column], stmt.index, stmt.value
        if is_pure(index) and is_pure(value):
            old = n.Cell(stmt.column, index, stmt.type)
            is_again = isinstance(value, n.Bin | n.SetBin) and value.left == old
            place = self.value(_again(index) if is_again else index)
            self.assign(f"{column}[{place}]", old, value, indent)
        else:
            cell = f"{column}[{self.value(index)}]"
            self.lines.append(f"{indent}{cell} = {self.value(value, CHOICE)}")

    def add_cell(self, stmt: n.AddCell, indent: str) -> None:
        old, value = n.Cell(stmt.column, stmt.index), stmt.value
        changed: n.Expr
        if isinstance(value, n.Num) and value.value < 0:
            changed = n.Bin("-", old, n.Num(-value.value))
        elif isinstance(value, n.Bin) and value.op == "-" and value.left == ZERO:
            changed = n.Bin("-", old, value.right)
        else:
            changed = n.Bin("+", old, value)
        cell = f"{self.names.columns[stmt.column]}[{self.value(_again(stmt.index))}]"
        self.assign(cell, old, changed, indent)

    def if_(self, stmt: n.If, indent: str, word: str = "if") -> None:
        inner = indent + "    "
        then, other, condition = stmt.then, stmt.other, stmt.condition
        if not then and other:
            then, other, condition = other, (), n.Not(condition)
        self.lines.append(f"{indent}{word} {self.truth(condition, CHOICE)}:")
        self.body(then, inner)
        if len(other) == 1 and isinstance(other[0], n.If):
            self.if_(other[0], indent, "elif")
        elif other:
            self.lines.append(f"{indent}else:")
            self.body(other, inner)

    def while_(self, stmt: n.While, indent: str) -> None:
        self.lines.append(f"{indent}while {self.truth(stmt.condition, CHOICE)}:")
        self.body(stmt.body, indent + "    ")

    def for_range(self, stmt: n.ForRange, indent: str) -> None:
        name = self.names.local(stmt.name)
        self.lines.append(f"{indent}for {name} in {self.range(stmt)}:")
        self.body(stmt.body, indent + "    ")

    def range(self, stmt: n.ForRange) -> str:
        low, high, step = stmt.low, stmt.high, stmt.step
        if isinstance(low, n.Num) and isinstance(high, n.Num) and isinstance(step, n.Num):
            numbers = range(low.value, high.value + 1, step.value)
            if len(numbers) <= _INLINE_RANGE:
                return str(tuple(numbers))
            if len(numbers) <= _PREPARED_RANGE:
                sign = "" if low.value >= 0 else "minus_"
                name = f"FROM_{sign}{abs(low.value)}_TO_{high.value}"
                if step.value != 1:
                    name += f"_BY_{step.value}"
                return self.constant(("range", numbers), name, f"tuple({numbers})")
        parts = [self.value(low, CHOICE), self.end(high)]
        if step == n.Num(1):
            if low == ZERO:
                del parts[0]
        else:
            parts.append(self.value(step, CHOICE))
        return f"range({', '.join(parts)})"

    def end(self, high: n.Expr) -> str:
        """One more than the last number."""
        if isinstance(high, n.Num):
            return str(high.value + 1)
        if isinstance(high, n.Bin) and high.op == "-" and high.right == n.Num(1):
            return self.value(high.left, CHOICE)
        return f"{self.value(high, SUM)} + 1"

    def for_set(self, stmt: n.ForSet, indent: str) -> None:
        name = self.names.local(stmt.name)
        members = self.members(stmt.set, descending=stmt.descending)
        bound = _bound(stmt.set)
        if bound is not None and members is not None:
            some = f"if {self.value(bound)}:"
            if not self.lines or self.lines[-1].strip() != some:
                self.lines.append(f"{indent}{some}")
                indent += "    "
        elif members is None:
            some, again = self.named(stmt.set)
            self.lines.append(f"{indent}if {some}:")
            indent += "    "
            members = self.members_of(again, self.bits_of(stmt.set))
            if stmt.descending:
                members = f"({members})[::-1]"
        self.lines.append(f"{indent}for {name} in {members}:")
        self.body(stmt.body, indent + "    ")

    def members(self, some: n.Expr, *, descending: bool) -> str | None:
        """The members of a constant set, or of a small one from a table; None for others."""
        if isinstance(some, n.Bits) and some.bits <= _PREPARED_RANGE:
            found = tuple(index for index in range(some.bits) if some.value >> index & 1)
            found = found[::-1] if descending else found
            if len(found) <= _INLINE_RANGE:
                return str(found)
            name = f"MEMBERS_OF_{some.value:x}" + ("_DOWN" if descending else "")
            return self.constant(("members", found), name, str(found))
        bits = self.small_bits(some)
        if bits is None:
            return None
        table = self.reversed_table(bits) if descending else self.members_table(bits)
        return f"{table}[{self.value(some)}]"

    def for_row(self, stmt: n.ForRow, indent: str) -> None:
        self.lines.append(f"{indent}for {self.names.local(stmt.name)} in {self.value(stmt.row)}:")
        self.body(stmt.body, indent + "    ")

    def for_table(self, stmt: n.ForTable, indent: str) -> None:
        table, width = self.names.tables[stmt.table], stmt.width
        size = len(self.program.tables[stmt.table].values)
        line = f"{table}[i : i + {width}]"
        lines, body = f"{table}_BY_{width}", stmt.body
        if body and body[0] == n.If(n.Bin("<", n.Var(stmt.name), ZERO), (n.Break(),)):
            line, lines, body = f"until_none({line})", f"{table}_LINES", body[1:]
        definition = f"tuple([{line} for i in range(0, {size}, {width})])"
        lines = self.constant((line, width), lines, definition)
        name = self.names.local(stmt.name)
        self.lines.append(f"{indent}for {name} in {lines}[{self.value(stmt.index)}]:")
        self.body(body, indent + "    ")

    def break_(self, _: n.Break, indent: str) -> None:
        self.lines.append(f"{indent}break")

    def continue_(self, _: n.Continue, indent: str) -> None:
        self.lines.append(f"{indent}continue")

    def return_(self, stmt: n.Return, indent: str) -> None:
        if stmt.value is not None:
            self.lines.append(f"{indent}return {self.whole(stmt.value)}")
        else:
            self.lines.append(f"{indent}return 0" if self.gives else f"{indent}return")

    def run(self, stmt: n.Run, indent: str) -> None:
        self.lines.append(f"{indent}{self.whole(stmt.value)}")

    def new_row(self, stmt: n.NewRow, indent: str) -> None:
        self.lines.append(f"{indent}{self.names.local(stmt.name)} = []")

    def row_push(self, stmt: n.RowPush, indent: str) -> None:
        row, item = self.value(stmt.row, ATOM), self.value(stmt.item, CHOICE)
        self.lines.append(f"{indent}{row}.{'insert(0, ' if stmt.top else 'append('}{item})")

    def row_insert(self, stmt: n.RowInsert, indent: str) -> None:
        row, args = self.value(stmt.row, ATOM), self.args((stmt.position, stmt.item))
        self.lines.append(f"{indent}{row}.insert({args})")

    def row_set(self, stmt: n.RowSet, indent: str) -> None:
        row, position = self.value(stmt.row, ATOM), self.value(stmt.position)
        self.lines.append(f"{indent}{row}[{position}] = {self.value(stmt.item, CHOICE)}")

    def row_remove(self, stmt: n.RowRemove, indent: str) -> None:
        item, item_again = self.shared(stmt.item)
        row, row_again = self.shared(stmt.row)
        self.lines.append(f"{indent}if {item} in {row}:")
        self.lines.append(f"{indent}    {row_again}.remove({item_again})")

    def row_clear(self, stmt: n.RowClear, indent: str) -> None:
        self.lines.append(f"{indent}{self.value(stmt.row, ATOM)}.clear()")

    def row_shuffle(self, stmt: n.RowShuffle, indent: str) -> None:
        row, keys = self.value(stmt.row, CHOICE), self.names.tables[stmt.keys]
        self.lines.append(f"{indent}shuffle({row}, {stmt.stream}, {keys})")

    def trace(self, stmt: n.Trace, indent: str) -> None:
        self.traced = True
        values = "".join([f", {self.value(value, CHOICE)}" for value in stmt.values])
        self.lines.append(f"{indent}trace({stmt.mark}{values})")


def _changes(value: n.Bin | n.SetBin, old: n.Expr) -> bool:
    """Whether a value is the old one with something done to it, for which Python has a sign."""
    return value.left == old and value.op in "+-&|"


def _bound(some: n.Expr) -> n.Scalar | None:
    """A scalar that has all members of a set: where it is empty, as most are, there is no loop."""
    match some:
        case n.Scalar():
            return some
        case n.SetBin(op="&", left=left, right=n.Scalar() as right) if _may_wait(left):
            return right
        case n.SetBin(op="&", left=left, right=right) if _may_wait(right):
            return _bound(left)
        case _:
            return None


def _may_wait(expr: n.Expr) -> bool:
    """Whether a value need not be worked out: it does nothing, and nothing is noted inside it."""
    return is_pure(expr) and not any(isinstance(node, Keep) for node in all_nodes(expr))


def _again(index: PythonExpr) -> PythonExpr:
    """An index that has been worked out, where it is needed once more."""
    return Kept(index.name, index.value) if isinstance(index, Keep) else index


def always_returns(statement: n.Stmt) -> bool:
    """Whether nothing after this statement can run."""
    if isinstance(statement, n.If):
        then, other = statement.then, statement.other
        return bool(then and other) and always_returns(then[-1]) and always_returns(other[-1])
    return isinstance(statement, n.Return)


def comment_lines(text: str) -> list[str]:
    """Text as comment lines, whatever signs are in it."""
    lines = ("".join(c if c.isprintable() else "?" for c in line) for line in text.splitlines())
    return [f"# {line}".rstrip() for line in lines]


_P = PythonCode

STATEMENTS: dict[type[n.Stmt], Callable[[PythonCode, Any, str], None]] = {
    n.SetVar: _P.set_var,
    n.SetScalar: _P.set_scalar,
    n.SetCell: _P.set_cell,
    n.AddCell: _P.add_cell,
    n.If: _P.if_,
    n.While: _P.while_,
    n.ForRange: _P.for_range,
    n.ForSet: _P.for_set,
    n.ForRow: _P.for_row,
    n.ForTable: _P.for_table,
    n.Break: _P.break_,
    n.Continue: _P.continue_,
    n.Return: _P.return_,
    n.Run: _P.run,
    n.NewRow: _P.new_row,
    n.RowPush: _P.row_push,
    n.RowInsert: _P.row_insert,
    n.RowSet: _P.row_set,
    n.RowRemove: _P.row_remove,
    n.RowClear: _P.row_clear,
    n.RowShuffle: _P.row_shuffle,
    n.Trace: _P.trace,
}
