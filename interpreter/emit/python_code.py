"""Prints the functions of a flat program as Python.

Every value is a plain int, never a bool: comparisons are printed as `1 if a < b else 0` where a
value is wanted (which costs no more) and bare where only truth counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.emit.names import ModuleNames
from interpreter.flat import nodes as n

# How tightly printed text binds, loosest first.
_CHOICE, _OR, _AND, _NOT, _COMPARE, _BITOR, _BITAND, _SHIFT, _SUM, _PRODUCT, _SIGN, _ATOM = range(
    1, 13
)
_BINARY = {
    "+": _SUM,
    "-": _SUM,
    "*": _PRODUCT,
    "//": _PRODUCT,
    "%": _PRODUCT,
    "&": _BITAND,
    "|": _BITOR,
    "<<": _SHIFT,
    ">>": _SHIFT,
}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_INLINE_RANGE = 12
_PREPARED_RANGE = 512

_ZERO = n.Num(0)
_Text = tuple[str, int]


class PythonCode:
    """Prints one function after the other; collects the constants that the module must define."""

    def __init__(self, program: n.Program, names: ModuleNames) -> None:
        self.program = program
        self.names = names
        self.constants: dict[tuple[Any, ...], tuple[str, str]] = {}  # key -> name, definition
        self.lines: list[str] = []
        self.written: set[str] = set()
        self.loops = 0
        self.parts = 0
        self.gives = False
        self.call_may_exit = False
        self.exits = {name for name, function in program.functions.items() if function.exits}

    # ------------------------------------------------------------ functions

    def function(self, function: n.Function) -> list[str]:
        """The lines of one function, its comment included."""
        if isinstance(function.gives, n.Row):
            raise ValueError(f"{function.name}: a function cannot give a row.")
        self.lines, self.written, self.loops, self.parts = [], set(), 0, 0
        self.gives = function.gives is not None or function.exits
        self.body(function.body, "    ")
        if self.gives and not (function.body and always_returns(function.body[-1])):
            self.lines.append("    return 0")
        name = self.names.functions[function.name]
        params = ", ".join(self.names.local(param) for param, _ in function.params)
        head = comment_lines(function.comment)
        head.append(f"def {name}({params}):")
        if self.written:
            head.append(f"    global {', '.join(sorted(self.written))}")
        return head + self.lines

    def body(self, body: n.Body, indent: str) -> None:
        if not body:
            self.lines.append(f"{indent}pass")
        for statement in body:
            STATEMENTS[type(statement)](self, statement, indent)

    # ------------------------------------------------------------ expressions

    def value(self, expr: n.Expr, level: int = 0) -> str:
        """The text of an expression, in brackets if it binds less than `level`."""
        text, binds = EXPRESSIONS[type(expr)](self, expr)
        return text if binds >= level else f"({text})"

    def truth(self, expr: n.Expr, level: int = 0) -> str:
        """Text that is true in Python's sense where the expression is not zero."""
        printer = CONDITIONS.get(type(expr))
        if printer is None:
            return self.value(expr, level)
        text, binds = printer(self, expr)
        return text if binds >= level else f"({text})"

    def flag(self, expr: n.Expr) -> _Text:
        """A condition as a value of 0 or 1."""
        return f"1 if {self.truth(expr, _OR)} else 0", _CHOICE

    def part(self) -> str:
        """A new temporary of this function."""
        self.parts += 1
        return f"part{self.parts}"

    def shared(self, expr: n.Expr, level: int = 0) -> tuple[str, str]:
        """Text for the first and for every later use of a value that is needed more than once."""
        if type(expr) in (n.Var, n.Num, n.Bits):
            text = self.value(expr, _ATOM)
            return text, text
        name = self.part()
        return f"({name} := {self.value(expr)})", name

    def num(self, expr: n.Num) -> _Text:
        return (str(expr.value), _ATOM) if expr.value >= 0 else (str(expr.value), _SIGN)

    def bits(self, expr: n.Bits) -> _Text:
        return (str(expr.value) if expr.value < 10 else hex(expr.value)), _ATOM

    def var(self, expr: n.Var) -> _Text:
        return self.names.local(expr.name), _ATOM

    def scalar(self, expr: n.Scalar) -> _Text:
        return self.names.scalars[expr.name], _ATOM

    def cell(self, expr: n.Cell) -> _Text:
        name = self.names.columns.get(expr.column)
        if name is not None:
            return f"{name}[{self.value(expr.index)}]", _ATOM
        table = self.program.tables[expr.column]
        if isinstance(expr.index, n.Num):
            value = table.values[expr.index.value]
            return str(value), _ATOM if value >= 0 else _SIGN
        return f"{self.names.tables[expr.column]}[{self.value(expr.index)}]", _ATOM

    def row_at(self, expr: n.RowAt) -> _Text:
        return f"{self.names.rows[expr.column]}[{self.value(expr.index)}]", _ATOM

    def row_count(self, expr: n.RowCount) -> _Text:
        return f"len({self.value(expr.row)})", _ATOM

    def row_item(self, expr: n.RowItem) -> _Text:
        return f"{self.value(expr.row, _ATOM)}[{self.value(expr.position)}]", _ATOM

    def row_has(self, expr: n.RowHas) -> _Text:
        return f"{self.value(expr.item, _BITOR)} in {self.value(expr.row, _BITOR)}", _COMPARE

    def bin(self, expr: n.Bin) -> _Text:
        binds = _BINARY.get(expr.op)
        if binds is not None:
            if expr.op == "-" and expr.left == _ZERO:
                return f"-{self.value(expr.right, _SIGN)}", _SIGN
            left, right = self.value(expr.left, binds), self.value(expr.right, binds + 1)
            return f"{left} {expr.op} {right}", binds
        if expr.op in _OPPOSITE:
            return self.flag(expr)
        sign = "<" if expr.op == "min" else ">"
        left, left_again = self.shared(expr.left)
        right, right_again = self.shared(expr.right)
        return f"{left_again} if {left} {sign} {right} else {right_again}", _CHOICE

    def compare(self, expr: n.Bin) -> _Text:
        if expr.op not in _OPPOSITE:
            return self.bin(expr)
        left, right = self.value(expr.left, _BITOR), self.value(expr.right, _BITOR)
        return f"{left} {expr.op} {right}", _COMPARE

    def mul_div(self, expr: n.MulDiv) -> _Text:
        value, times = self.value(expr.value, _PRODUCT), self.value(expr.times, _SIGN)
        return f"{value} * {times} // {self.value(expr.by, _SIGN)}", _PRODUCT

    def both(self, expr: n.And) -> _Text:
        return f"{self.truth(expr.left, _AND)} and {self.truth(expr.right, _AND)}", _AND

    def either(self, expr: n.Or) -> _Text:
        return f"{self.truth(expr.left, _OR)} or {self.truth(expr.right, _OR)}", _OR

    def negation(self, expr: n.Not) -> _Text:
        inner = expr.operand
        if isinstance(inner, n.Bin) and inner.op in _OPPOSITE:
            left, right = self.value(inner.left, _BITOR), self.value(inner.right, _BITOR)
            return f"{left} {_OPPOSITE[inner.op]} {right}", _COMPARE
        if isinstance(inner, n.RowHas):
            item, row = self.value(inner.item, _BITOR), self.value(inner.row, _BITOR)
            return f"{item} not in {row}", _COMPARE
        if isinstance(inner, n.SameSet):
            left, right = self.value(inner.left, _BITOR), self.value(inner.right, _BITOR)
            return f"{left} != {right}", _COMPARE
        if isinstance(inner, n.IsEmpty):
            return self.value(inner.set, _NOT), _NOT
        if isinstance(inner, n.Not):
            return self.truth(inner.operand, _NOT), _NOT
        return f"not {self.truth(inner, _NOT)}", _NOT

    def choose(self, expr: n.Choose) -> _Text:
        then, other = self.value(expr.then, _OR), self.value(expr.other, _CHOICE)
        return f"{then} if {self.truth(expr.condition, _OR)} else {other}", _CHOICE

    def choose_truth(self, expr: n.Choose) -> _Text:
        then, other = self.truth(expr.then, _OR), self.truth(expr.other, _CHOICE)
        return f"{then} if {self.truth(expr.condition, _OR)} else {other}", _CHOICE

    def set_bin(self, expr: n.SetBin) -> _Text:
        if expr.op == "-":
            return f"{self.value(expr.left, _BITAND)} & ~{self.value(expr.right, _SIGN)}", _BITAND
        binds = _BINARY[expr.op]
        left, right = self.value(expr.left, binds), self.value(expr.right, binds + 1)
        return f"{left} {expr.op} {right}", binds

    def single(self, expr: n.Single) -> _Text:
        if isinstance(expr.index, n.Num):
            index = expr.index.value
            return (hex(1 << index) if index >= 0 else "0"), _ATOM
        if not expr.may_be_none:
            return f"1 << {self.value(expr.index, _SUM)}", _SHIFT
        first, again = self.shared(expr.index)
        return f"1 << {again} if {first} >= 0 else 0", _CHOICE

    def has(self, expr: n.Has) -> _Text:
        return f"{self.value(expr.set, _SHIFT)} >> {self.value(expr.index, _SUM)} & 1", _BITAND

    def has_truth(self, expr: n.Has) -> _Text:
        if isinstance(expr.index, n.Num):
            return f"{self.value(expr.set, _BITAND)} & {hex(1 << expr.index.value)}", _BITAND
        return self.has(expr)

    def is_empty(self, expr: n.IsEmpty) -> _Text:
        return f"not {self.value(expr.set, _NOT)}", _NOT

    def within(self, expr: n.Within) -> _Text:
        if type(expr.left) in (n.Var, n.Bits):
            left = self.value(expr.left, _BITAND)
            return f"{left} & {self.value(expr.right, _SHIFT)} == {left}", _COMPARE
        return f"not {self.value(expr.left, _BITAND)} & ~{self.value(expr.right, _SIGN)}", _NOT

    def same_set(self, expr: n.SameSet) -> _Text:
        return f"{self.value(expr.left, _BITOR)} == {self.value(expr.right, _BITOR)}", _COMPARE

    def count(self, expr: n.Count) -> _Text:
        text = self.value(expr.set, _ATOM)
        return (f"({text})" if text[0].isdigit() else text) + ".bit_count()", _ATOM

    def first(self, expr: n.First) -> _Text:
        first, again = self.shared(expr.set)
        return f"({first} & -{again}).bit_length() - 1", _SUM

    def args(self, args: tuple[n.Expr, ...]) -> str:
        return ", ".join([self.value(arg, _CHOICE) for arg in args])

    def call(self, expr: n.Call) -> _Text:
        self.refuse_exit(expr.function)
        return f"{self.names.functions[expr.function]}({self.args(expr.args)})", _ATOM

    def call_by(self, expr: n.CallBy) -> _Text:
        self.refuse_exit(self.program.dispatch[expr.table][0])
        table = self.names.dispatch[expr.table]
        return f"{table}[{self.value(expr.index)}]({self.args(expr.args)})", _ATOM

    def refuse_exit(self, name: str) -> None:
        if name in self.exits and not self.call_may_exit:
            raise ValueError(f"{name} can leave early: a Do calls it, not an expression.")
        self.call_may_exit = False

    def ask_seat(self, expr: n.AskSeat) -> _Text:
        seat, again = self.shared(expr.seat)
        args = "".join([f", {self.value(arg, _CHOICE)}" for arg in expr.args])
        return f"{self.names.sites[expr.site]}[{seat}]({again}{args})", _ATOM

    def draw(self, expr: n.Draw) -> _Text:
        return f"draw({expr.stream}, {self.value(expr.n, _CHOICE)})", _ATOM

    def bot_draw(self, expr: n.BotDraw) -> _Text:
        return f"bot_draw({self.args((expr.seat, expr.n))})", _ATOM

    def whole(self, expr: n.Expr) -> str:
        """All of a statement's value: the only place where a call that returns a code may stand."""
        self.call_may_exit = isinstance(expr, n.Call | n.CallBy)
        text = self.value(expr, _CHOICE)
        self.call_may_exit = False
        return text

    # ------------------------------------------------------------ statements

    def assign(self, target: str, old: n.Expr, value: n.Expr, indent: str) -> None:
        """`x = e`, or `x += e` where the old value comes first in a sum or set operation."""
        if isinstance(value, n.Bin | n.SetBin) and value.left == old and value.op in "+-&|":
            if not (isinstance(value, n.SetBin) and value.op == "-"):
                self.lines.append(
                    f"{indent}{target} {value.op}= {self.value(value.right, _CHOICE)}"
                )
                return
            self.lines.append(f"{indent}{target} &= ~{self.value(value.right, _SIGN)}")
            return
        text = self.whole(value) if type(old) is n.Var else self.value(value, _CHOICE)
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
        cell = f"{self.names.columns[stmt.column]}[{self.value(stmt.index)}]"
        self.lines.append(f"{indent}{cell} = {self.value(stmt.value, _CHOICE)}")

    def add_cell(self, stmt: n.AddCell, indent: str) -> None:
        cell = f"{self.names.columns[stmt.column]}[{self.value(stmt.index)}]"
        value = stmt.value
        if isinstance(value, n.Num) and value.value < 0:
            self.lines.append(f"{indent}{cell} -= {-value.value}")
        elif isinstance(value, n.Bin) and value.op == "-" and value.left == _ZERO:
            self.lines.append(f"{indent}{cell} -= {self.value(value.right, _CHOICE)}")
        else:
            self.lines.append(f"{indent}{cell} += {self.value(stmt.value, _CHOICE)}")

    def if_(self, stmt: n.If, indent: str, word: str = "if") -> None:
        inner = indent + "    "
        then, other, condition = stmt.then, stmt.other, stmt.condition
        if not then and other:
            then, other, condition = other, (), n.Not(condition)
        self.lines.append(f"{indent}{word} {self.truth(condition, _CHOICE)}:")
        self.body(then, inner)
        if len(other) == 1 and isinstance(other[0], n.If):
            self.if_(other[0], indent, "elif")
        elif other:
            self.lines.append(f"{indent}else:")
            self.body(other, inner)

    def while_(self, stmt: n.While, indent: str) -> None:
        self.lines.append(f"{indent}while {self.truth(stmt.condition, _CHOICE)}:")
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
        parts = [self.value(low, _CHOICE), self.end(high)]
        if step == n.Num(1):
            if low == _ZERO:
                del parts[0]
        else:
            parts.append(self.value(step, _CHOICE))
        return f"range({', '.join(parts)})"

    def end(self, high: n.Expr) -> str:
        """One more than the last number."""
        if isinstance(high, n.Num):
            return str(high.value + 1)
        if isinstance(high, n.Bin) and high.op == "-" and high.right == n.Num(1):
            return self.value(high.left, _CHOICE)
        return f"{self.value(high, _SUM)} + 1"

    def for_set(self, stmt: n.ForSet, indent: str) -> None:
        self.loops += 1
        rest = "rest" if self.loops == 1 else f"rest{self.loops}"
        inner = indent + "    "
        self.lines += (
            f"{indent}{rest} = {self.value(stmt.set, _CHOICE)}",
            f"{indent}while {rest}:",
            f"{inner}bit = {rest} & -{rest}",
            f"{inner}{rest} ^= bit",
            f"{inner}{self.names.local(stmt.name)} = bit.bit_length() - 1",
        )
        if stmt.body:
            self.body(stmt.body, inner)
        self.loops -= 1

    def for_row(self, stmt: n.ForRow, indent: str) -> None:
        self.lines.append(f"{indent}for {self.names.local(stmt.name)} in {self.value(stmt.row)}:")
        self.body(stmt.body, indent + "    ")

    def for_table(self, stmt: n.ForTable, indent: str) -> None:
        table, width = self.names.tables[stmt.table], stmt.width
        size = len(self.program.tables[stmt.table].values)
        definition = f"tuple([{table}[i : i + {width}] for i in range(0, {size}, {width})])"
        lines = self.constant(("lines", table, width), f"{table}_BY_{width}", definition)
        name = self.names.local(stmt.name)
        self.lines.append(f"{indent}for {name} in {lines}[{self.value(stmt.index)}]:")
        self.body(stmt.body, indent + "    ")

    def constant(self, key: tuple[Any, ...], name: str, definition: str) -> str:
        known = self.constants.get(key)
        if known is None:
            known = self.constants[key] = (self.names.fresh(name), definition)
        return known[0]

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
        row, item = self.value(stmt.row, _ATOM), self.value(stmt.item, _CHOICE)
        self.lines.append(f"{indent}{row}.{'insert(0, ' if stmt.top else 'append('}{item})")

    def row_insert(self, stmt: n.RowInsert, indent: str) -> None:
        row, args = self.value(stmt.row, _ATOM), self.args((stmt.position, stmt.item))
        self.lines.append(f"{indent}{row}.insert({args})")

    def row_set(self, stmt: n.RowSet, indent: str) -> None:
        row, position = self.value(stmt.row, _ATOM), self.value(stmt.position)
        self.lines.append(f"{indent}{row}[{position}] = {self.value(stmt.item, _CHOICE)}")

    def row_remove(self, stmt: n.RowRemove, indent: str) -> None:
        item, item_again = self.shared(stmt.item)
        row, row_again = self.shared(stmt.row)
        self.lines.append(f"{indent}if {item} in {row}:")
        self.lines.append(f"{indent}    {row_again}.remove({item_again})")

    def row_clear(self, stmt: n.RowClear, indent: str) -> None:
        self.lines.append(f"{indent}{self.value(stmt.row, _ATOM)}.clear()")

    def row_shuffle(self, stmt: n.RowShuffle, indent: str) -> None:
        self.lines.append(f"{indent}shuffle({self.value(stmt.row, _CHOICE)}, {stmt.stream})")

    def trace(self, stmt: n.Trace, indent: str) -> None:
        values = "".join([f", {self.value(value, _CHOICE)}" for value in stmt.values])
        self.lines.append(f"{indent}trace({stmt.mark}{values})")


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


_Printer = Callable[[PythonCode, Any], _Text]
_P = PythonCode

CONDITIONS: dict[type[n.Expr], _Printer] = {
    n.Bin: _P.compare,
    n.And: _P.both,
    n.Or: _P.either,
    n.Not: _P.negation,
    n.Choose: _P.choose_truth,
    n.Has: _P.has_truth,
    n.IsEmpty: _P.is_empty,
    n.Within: _P.within,
    n.SameSet: _P.same_set,
    n.RowHas: _P.row_has,
}

EXPRESSIONS: dict[type[n.Expr], _Printer] = {
    n.Num: _P.num,
    n.Bits: _P.bits,
    n.Var: _P.var,
    n.Scalar: _P.scalar,
    n.Cell: _P.cell,
    n.RowAt: _P.row_at,
    n.RowCount: _P.row_count,
    n.RowItem: _P.row_item,
    n.RowHas: _P.flag,
    n.Bin: _P.bin,
    n.MulDiv: _P.mul_div,
    n.And: _P.flag,
    n.Or: _P.flag,
    n.Not: _P.flag,
    n.Choose: _P.choose,
    n.SetBin: _P.set_bin,
    n.Single: _P.single,
    n.Has: _P.has,
    n.IsEmpty: _P.flag,
    n.Within: _P.flag,
    n.SameSet: _P.flag,
    n.Count: _P.count,
    n.First: _P.first,
    n.Call: _P.call,
    n.CallBy: _P.call_by,
    n.AskSeat: _P.ask_seat,
    n.Draw: _P.draw,
    n.BotDraw: _P.bot_draw,
}

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
