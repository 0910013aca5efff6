"""Where printed WebAssembly code finds things: locals, cells, rows, and how wide a value is.

Numbers are i32. A set is one i64 per 64 bits, the lowest word first, and takes that many places on
the stack, as parameters, locals and results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from interpreter.emit.layout import Cells, Layout
from interpreter.emit.names import checked
from interpreter.emit.state import words_of
from interpreter.flat.ir import nodes as n

Params = tuple[tuple[str, n.FlatType], ...]
ROW = -1
"""The width of a row: its address."""


class Places:
    """Keeps the locals of the function that is printed.

    `printers` has a method for each kind of expression.
    """

    printers: ClassVar[dict[type[n.Expr], Callable[[Any, Any], str]]] = {}

    def __init__(self, program: n.Program, layout: Layout) -> None:
        self.program = program
        self.layout = layout
        self.measures = {c.name for c in program.columns.values() if c.role == "measure"}
        self.exits = {name for name, function in program.functions.items() if function.exits}
        self.functions_by_site = _site_tables(program)
        self.locals: dict[str, n.FlatType] = {}
        self.temporaries: list[str] = []
        self.called: set[str] = set()
        self.effects = 0
        self.labels = 0
        self.prefix = ""
        self.call_may_exit = False

    # ------------------------------------------------------------ places

    def temporary(self, kind: str = "i32") -> str:
        """A new local of this function."""
        name = f"$.{len(self.temporaries)}"
        self.temporaries.append(kind)
        return name

    def label(self) -> int:
        """A number for labels that no other has in this function."""
        self.labels += 1
        return self.labels

    def words(self, count: int) -> list[str]:
        return [self.temporary("i64") for _ in range(count)]

    def width(self, expr: n.Expr) -> int:
        """Words of a set, 0 for a number, ROW for a row."""
        if isinstance(expr, (n.Var, n.Scalar, n.Cell)):
            return type_width(expr.type)
        if isinstance(expr, n.Bits | n.Single):
            return max(1, -(-expr.bits // 64))
        if isinstance(expr, n.SetBin):
            widths = (self.width(expr.left), self.width(expr.right))
            return min(widths) if expr.op == "&" else max(widths)
        if isinstance(expr, n.Choose):
            return max(self.width(expr.then), self.width(expr.other))
        if isinstance(expr, n.Call):
            return self.result_width(expr.function)
        if isinstance(expr, n.CallBy):
            return self.result_width(self.program.dispatch[expr.table][0])
        return ROW if isinstance(expr, n.RowAt) else 0

    def result_width(self, name: str) -> int:
        function = self.program.functions[name]
        if function.exits or function.gives is None:
            return 0
        return type_width(function.gives)

    def of_width(self, expr: n.Expr, width: int) -> str:
        """The value of an expression in exactly this many words."""
        text = self.code(expr)
        has = self.width(expr)
        if has == width:
            return text
        if has < 1 or has > width:
            raise ValueError(f"{type(expr).__name__}: {has} words where {width} belong.")
        return text + " i64.const 0" * (width - has)

    def held(self, expr: n.Expr, width: int) -> tuple[str, list[str]]:
        """Code that puts the lowest words of a set into locals, and the locals."""
        if (has := self.width(expr)) > width:
            before, names = self.held(expr, has)
            return before, names[:width]
        if isinstance(expr, n.Var) and has == width:
            return "", self.local_words(expr.name, width)
        names = self.words(width)
        return f"{self.of_width(expr, width)}{set_all(names)}", names

    def local(self, name: str) -> str:
        """A local of the function whose body is printed, wherever that is put."""
        return f"${self.prefix}{checked(name)}"

    def local_words(self, name: str, width: int) -> list[str]:
        return split_words(self.local(name), width)

    def cells(self, name: str) -> Cells:
        cells = self.layout.columns.get(name)
        return cells if cells is not None else self.layout.tables[name]

    def address(self, cells: Cells, index: n.Expr) -> tuple[str, int]:
        """Code for an address, and the offset to add to it."""
        if isinstance(index, n.Num):
            if not 0 <= index.value < cells.count:
                raise ValueError(f"There is no cell {index.value}.")
            return "i32.const 0", cells.address + cells.stride * index.value
        return f"{self.code(index)} {times(cells.stride)}", cells.address

    def code(self, expr: n.Expr) -> str:
        """Code that leaves the value on the stack."""
        return self.printers[type(expr)](self, expr)


def type_width(kind: n.FlatType) -> int:
    return ROW if isinstance(kind, n.Row) else words_of(kind)


def split_words(name: str, width: int) -> list[str]:
    """The locals for the words of a value."""
    return [name] if width <= 1 else [f"{name}.{word}" for word in range(width)]


def results(function: n.Function) -> str:
    """The results of a function as a type use."""
    if function.exits:
        return "(result i32)"
    if function.gives is not None:
        return f"(result {' '.join(value_types(function.gives))})"
    return ""


def value_types(kind: n.FlatType) -> list[str]:
    return ["i64"] * words_of(kind) or ["i32"]


def set_all(names: list[str]) -> str:
    return "".join([f" local.set {name}" for name in reversed(names)])


def times(size: int) -> str:
    if size & size - 1 == 0:
        return f"i32.const {size.bit_length() - 1} i32.shl"
    return f"i32.const {size} i32.mul"


def _site_tables(program: n.Program) -> dict[str, tuple[str, ...]]:
    return {
        site: tuple(functions[site] for functions in program.strategies.values())
        for site in program.sites
    }
