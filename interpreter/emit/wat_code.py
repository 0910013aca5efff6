"""Prints the functions and statements of flat core as WebAssembly text."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.emit.layout import Cells, Layout, row_bytes
from interpreter.emit.names import checked
from interpreter.emit.state import words_of
from interpreter.emit.wat_control import Control, Loop
from interpreter.emit.wat_inlining import inlined_functions
from interpreter.emit.wat_places import results, set_all, split_words, type_width, value_types
from interpreter.flat.ir import nodes as n

DEEPEST = 2
"""How many functions are put into each other."""

_LEAVE = "\0"
"""Stands for what a function does before it returns, which is known when all of it is printed."""


class WatCode(Control):
    """Prints one function after the other."""

    def __init__(self, program: n.Program, layout: Layout) -> None:
        super().__init__(program, layout)
        self.inlined = inlined_functions(program)
        self.active: list[str] = []
        self.start(n.Function("", (), ()))

    def start(self, function: n.Function) -> None:
        self.current = function
        self.locals, self.temporaries = {}, []
        self.lines: list[str] = []
        self.loops: list[Loop] = []
        self.labels = 0
        self.row_places: dict[str, int] = {}
        self.frame = 0

    def function(self, function: n.Function) -> list[str]:
        """The lines of one function, its comment included."""
        if isinstance(function.gives, n.Row):
            raise ValueError(f"{function.name}: a function cannot give a row.")
        self.start(function)
        self.body(function.body, "  ")
        if not (function.body and isinstance(function.body[-1], n.Return)):
            self.line("  ", _LEAVE + _zeros(function))
        leave = "local.get $.frame global.set $.stack " if self.frame else ""
        lines = [line.replace(_LEAVE, leave).rstrip() for line in self.lines]
        return [*self.head(), *[line for line in lines if line], ")"]

    def head(self) -> list[str]:
        function = self.current
        params = [
            f"(param {name} {kind})"
            for param, flat in function.params
            for name, kind in _typed(self.local(param), flat)
        ]
        names = {self.local(param) for param, _ in function.params}
        locals_ = [
            f"(local {name} {kind})"
            for local, flat in self.locals.items()
            if local not in names
            for name, kind in _typed(local, flat)
        ]
        locals_ += [f"(local $.{i} {kind})" for i, kind in enumerate(self.temporaries)]
        if self.frame:
            locals_.append("(local $.frame i32)")
        lines = [f";; {line}" for line in _comment(function.comment)]
        parts = [f"(func ${checked(function.name)}", *params, results(function)]
        lines.append(" ".join([part for part in parts if part]))
        if locals_:
            lines.append("  " + " ".join(locals_))
        if self.frame:
            lines.append(f"  i32.const {self.frame} call $.enter local.set $.frame")
        return lines

    def declare(self, name: str, kind: n.FlatType) -> None:
        """Notes a local; ValueError for one that has another type already."""
        local = self.local(name)
        known = self.locals.get(local)
        if known is None:
            params = dict(self.current.params)
            known = self.locals[local] = params.get(name, kind)
        if type_width(known) != type_width(kind):
            raise ValueError(f"{self.current.name}: {name} has two types.")

    def body(self, body: n.Body, indent: str) -> None:
        for statement in body:
            STATEMENTS[type(statement)](self, statement, indent)

    def run_function(self, function: n.Function) -> str:
        """A call, or the body of a function that is put where it is called."""
        if function.name not in self.inlined or len(self.active) >= DEEPEST:
            return super().run_function(function)
        held = (self.current, self.prefix, self.lines, self.loops)
        self.active.append(f"$return{self.label()}")
        self.current, self.prefix = function, f"{checked(function.name)}."
        self.lines, self.loops = [], []
        names: list[str] = []
        for name, kind in function.params:
            self.declare(name, kind)
            names += self.local_words(name, type_width(kind))
        self.body(function.body, "")
        if not (function.body and isinstance(function.body[-1], n.Return)):
            self.line("", _zeros(function))
        text = " ".join([line for line in self.lines if line.strip()])
        label = self.active.pop()
        self.current, self.prefix, self.lines, self.loops = held
        return f"{set_all(names)} block {label} {results(function)} {text} end"

    def whole(self, expr: n.Expr) -> None:
        """Says that the expression printed next may be a call that returns a code."""
        self.call_may_exit = isinstance(expr, n.Call | n.CallBy)

    # ------------------------------------------------------------ storing

    def set_var(self, stmt: n.SetVar, indent: str) -> None:
        if isinstance(stmt.type, n.Row):
            raise ValueError(f"{stmt.name}: a row is not assigned.")
        self.declare(stmt.name, stmt.type)
        width = words_of(stmt.type)
        self.whole(stmt.value)
        text = self.of_width(stmt.value, width)
        names = self.local_words(stmt.name, width)
        self.line(indent, text + set_all(names))

    def set_scalar(self, stmt: n.SetScalar, indent: str) -> None:
        self.store(self.layout.scalars[stmt.name], n.Num(0), stmt.value, indent)

    def set_cell(self, stmt: n.SetCell, indent: str) -> None:
        cells = self.layout.columns[stmt.column]
        if stmt.column in self.measures:
            self.store_measure(cells, stmt.index, stmt.value, indent)
        else:
            self.store(cells, stmt.index, stmt.value, indent)

    def store(self, cells: Cells, index: n.Expr, value: n.Expr, indent: str) -> None:
        """Value before index, as in Python, wherever the order could matter."""
        effects = self.effects
        text = self.of_width(value, cells.words)
        address, offset = self.address(cells, index)
        if cells.words <= 1:
            kind = "i64" if cells.words else "i32"
            store = f"{kind}.store offset={offset}"
            if effects == self.effects:
                self.line(indent, f"{address} {text} {store}")
            else:
                held = self.temporary(kind)
                self.line(indent, f"{text} local.set {held} {address} local.get {held} {store}")
            return
        names = self.words(cells.words)
        at = self.temporary()
        self.line(indent, text + set_all(names))
        stores = [
            f"local.get {at} local.get {name} i64.store offset={offset + 8 * word}"
            for word, name in enumerate(names)
        ]
        self.line(indent, f"{address} local.set {at} {' '.join(stores)}")

    def store_measure(self, cells: Cells, index: n.Expr, value: n.Expr, indent: str) -> None:
        held = self.temporary()
        text = self.of_width(value, 0)
        address, offset = self.address(cells, index)
        put = f"{address} local.get {held} i64.extend_i32_s i64.store offset={offset}"
        self.line(indent, f"{text} local.set {held} {put}")

    def add_cell(self, stmt: n.AddCell, indent: str) -> None:
        cells = self.layout.columns[stmt.column]
        address, offset = self.address(cells, stmt.index)
        at = self.temporary()
        kind = "i64" if cells.words else "i32"
        place = f"{address} local.tee {at} local.get {at} {kind}.load offset={offset}"
        value = self.of_width(stmt.value, 0)
        if cells.words:
            is_plain = isinstance(stmt.value, n.Num)
            value = f"i64{value[3:]}" if is_plain else f"{value} i64.extend_i32_s"
        self.line(indent, f"{place} {value} {kind}.add {kind}.store offset={offset}")

    # ------------------------------------------------------------ calls

    def return_(self, stmt: n.Return, indent: str) -> None:
        gives = self.current.gives
        if self.current.exits:
            gives = n.INT
        text = ""
        if stmt.value is not None:
            if gives is None:
                raise ValueError(f"{self.current.name} gives nothing.")
            self.whole(stmt.value)
            text = self.of_width(stmt.value, words_of(gives))
        else:
            text = _zeros(self.current)
        if not self.active:
            self.line(indent, f"{text} {_LEAVE}return".lstrip())
        elif stmt is self.current.body[-1]:
            self.line(indent, text)
        else:
            self.line(indent, f"{text} br {self.active[-1]}")

    def run(self, stmt: n.Run, indent: str) -> None:
        self.whole(stmt.value)
        self.line(indent, self.code(stmt.value) + self.drops(stmt.value))

    def drops(self, expr: n.Expr) -> str:
        name = None
        if isinstance(expr, n.Call):
            name = expr.function
        elif isinstance(expr, n.CallBy):
            name = self.program.dispatch[expr.table][0]
        if name is not None:
            function = self.program.functions[name]
            if not function.exits and function.gives is None:
                return ""
        return " drop" * max(1, self.width(expr))

    # ------------------------------------------------------------ rows

    def new_row(self, stmt: n.NewRow, indent: str) -> None:
        self.declare(stmt.name, n.Row(stmt.cap))
        place = self.row_places.get(stmt.name)
        if place is None:
            place = self.row_places[stmt.name] = self.frame
            self.frame += -(-row_bytes(stmt.cap) // 8) * 8
        name = self.local(stmt.name)
        address = f"local.get $.frame i32.const {place} i32.add local.tee {name}"
        self.line(indent, f"{address} i32.const 0 i32.store")

    def cap(self, row: n.Expr) -> str:
        """The room of a row, as the functions that add to it want it."""
        if isinstance(row, n.RowAt):
            return f"i32.const {self.layout.rows[row.column].cap}"
        assert isinstance(row, n.Var)
        assert isinstance(row.type, n.Row)
        return f"i32.const {row.type.cap}"

    def row_push(self, stmt: n.RowPush, indent: str) -> None:
        row, item = self.row(stmt.row), self.code(stmt.item)
        if stmt.top:
            text = f"{row} i32.const 0 {item} {self.cap(stmt.row)} call $.row_insert"
        else:
            text = f"{row} {item} {self.cap(stmt.row)} call $.row_push"
        self.line(indent, text)

    def row_insert(self, stmt: n.RowInsert, indent: str) -> None:
        row, position, item = self.row(stmt.row), self.code(stmt.position), self.code(stmt.item)
        self.line(indent, f"{row} {position} {item} {self.cap(stmt.row)} call $.row_insert")

    def row_set(self, stmt: n.RowSet, indent: str) -> None:
        item = self.temporary()
        value = f"{self.code(stmt.item)} local.set {item}"
        place = f"{self.row(stmt.row)} {self.code(stmt.position)} {_FOUR} i32.add"
        self.line(indent, f"{value} {place} local.get {item} i32.store offset=4")

    def row_remove(self, stmt: n.RowRemove, indent: str) -> None:
        self.line(indent, f"{self.code(stmt.item)} {self.row(stmt.row)} call $.row_remove")

    def row_clear(self, stmt: n.RowClear, indent: str) -> None:
        self.line(indent, f"{self.row(stmt.row)} i32.const 0 i32.store")

    def row_shuffle(self, stmt: n.RowShuffle, indent: str) -> None:
        row, stream = self.row(stmt.row), self.stream(stmt.stream)
        keys = self.layout.tables[stmt.keys].address
        self.line(indent, f"{row} {stream} i32.const {keys} call $.row_shuffle")

    def trace(self, stmt: n.Trace, indent: str) -> None:
        """Texts stay in Python: only what a value does on the way is kept."""
        for value in stmt.values:
            effects = self.effects
            text = self.code(value)
            if effects != self.effects:
                self.line(indent, text + self.drops(value))


_FOUR = "i32.const 2 i32.shl"


def _typed(local: str, kind: n.FlatType) -> list[tuple[str, str]]:
    return list(zip(split_words(local, type_width(kind)), value_types(kind), strict=True))


def _zeros(function: n.Function) -> str:
    """What a function gives that comes to its end."""
    gives = n.INT if function.exits else function.gives
    return "" if gives is None else " ".join([f"{kind}.const 0" for kind in value_types(gives)])


def _comment(text: str) -> list[str]:
    return ["".join(c if c.isprintable() else "?" for c in line) for line in text.splitlines()]


_W = WatCode

STATEMENTS: dict[type[n.Stmt], Callable[[WatCode, Any, str], None]] = {
    n.SetVar: _W.set_var,
    n.SetScalar: _W.set_scalar,
    n.SetCell: _W.set_cell,
    n.AddCell: _W.add_cell,
    n.If: _W.if_,
    n.While: _W.while_,
    n.ForRange: _W.for_range,
    n.ForSet: _W.for_set,
    n.ForRow: _W.for_row,
    n.ForTable: _W.for_table,
    n.Break: _W.break_,
    n.Continue: _W.continue_,
    n.Return: _W.return_,
    n.Run: _W.run,
    n.NewRow: _W.new_row,
    n.RowPush: _W.row_push,
    n.RowInsert: _W.row_insert,
    n.RowSet: _W.row_set,
    n.RowRemove: _W.row_remove,
    n.RowClear: _W.row_clear,
    n.RowShuffle: _W.row_shuffle,
    n.Trace: _W.trace,
}
