"""Prints the expressions of flat core as Python.

Every value is a plain int, never a bool: comparisons are printed as `1 if a < b else 0` where a
value is wanted (which costs no more) and bare where only truth counts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.emit.names import PIECE_BITS, ModuleNames
from interpreter.emit.python_keeping import Keep, Kept, PythonExpr
from interpreter.flat.ir import nodes as n
from interpreter.flat.ir.tree import all_nodes
from interpreter.flat.passes.simplify import is_pure

# How tightly printed text binds, loosest first.
CHOICE, OR, AND, NOT, COMPARE, BITOR, BITXOR, BITAND, SHIFT, SUM, PRODUCT, SIGN, ATOM = range(1, 14)
_BINARY = {
    "+": SUM,
    "-": SUM,
    "*": PRODUCT,
    "//": PRODUCT,
    "%": PRODUCT,
    "&": BITAND,
    "|": BITOR,
    "<<": SHIFT,
    ">>": SHIFT,
}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}

_WIDE_PIECE = 14
_MOST_PIECES = 3
_ANY_BITS = 1 << 30
ZERO = n.Num(0)
Text = tuple[str, int]


class PythonExpressions:
    """Text of expressions; keeps the temporary locals of the function that is printed."""

    def __init__(self, program: n.Program, names: ModuleNames) -> None:
        self.program = program
        self.names = names
        self.constants: dict[tuple[Any, ...], tuple[str, str]] = {}  # key -> name, definition
        self.parts = 0
        self.most_bits = 0
        self.draws = [names.fresh(f"DRAWS_{at}") for at in range(len(program.streams))]
        self.below = _drawn_below(program)
        self.call_may_exit = False
        self.exits = {name for name, function in program.functions.items() if function.exits}

    def value(self, expr: PythonExpr, level: int = 0) -> str:
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

    def flag(self, expr: n.Expr) -> Text:
        """A condition as a value of 0 or 1."""
        return f"1 if {self.truth(expr, OR)} else 0", CHOICE

    def part(self) -> str:
        """A new temporary of this function."""
        self.parts += 1
        return f"part{self.parts}"

    def named(self, expr: n.Expr) -> tuple[str, str]:
        """The same for a value that is a whole condition."""
        if isinstance(expr, n.Scalar):
            return (text := self.value(expr)), text
        first, again = self.shared(expr)
        return first.removeprefix("(").removesuffix(")") if first != again else first, again

    def shared(self, expr: n.Expr, level: int = 0) -> tuple[str, str]:
        """Text for the first and for every later use of a value that is needed more than once."""
        if type(expr) in (n.Var, n.Num, n.Bits, Kept):
            text = self.value(expr, ATOM)
            return text, text
        if isinstance(expr, Keep):
            return self.value(expr), expr.name
        name = self.part()
        return f"({name} := {self.value(expr)})", name

    def constant(self, key: tuple[Any, ...], name: str, definition: str) -> str:
        known = self.constants.get(key)
        if known is None:
            known = self.constants[key] = (self.names.fresh(name), definition)
        return known[0]

    def small_bits(self, some: n.Expr) -> int | None:
        """The size of a set that is small enough for tables of all such sets."""
        bits = self.bits_of(some)
        return bits if bits <= PIECE_BITS else None

    def bits_of(self, some: n.Expr) -> int:
        """A bound of the bits of a set."""
        kind: n.FlatType | None = None
        if isinstance(some, n.Var | n.Scalar | n.Cell):
            kind = some.type
        elif isinstance(some, n.Bits | n.Single):
            return some.bits
        elif isinstance(some, Keep | Kept):
            return self.bits_of(some.value)
        elif isinstance(some, n.SetBin):
            left = self.bits_of(some.left)
            if some.op == "-":
                return left
            right = self.bits_of(some.right)
            return min(left, right) if some.op == "&" else max(left, right)
        elif isinstance(some, n.Choose):
            return max(self.bits_of(some.then), self.bits_of(some.other))
        elif isinstance(some, n.Call):
            kind = self.program.functions[some.function].gives
        return kind.bits if isinstance(kind, n.Set) else _ANY_BITS

    def members_table(self, bits: int) -> str:
        """The table of the members of every set of so many bits."""
        name = f"MEMBERS_{bits}"
        return self.constant(("members", bits), name, f"set_members({bits})")

    def reversed_table(self, bits: int) -> str:
        """The same, from the last member down."""
        definition = f"tuple([some[::-1] for some in {self.members_table(bits)}])"
        return self.constant(("reversed", bits), f"REVERSED_{bits}", definition)

    def members_of(self, some: str, bits: int) -> str:
        """The members of a wide set: those of a few pieces in a row, or looked up whole."""
        if bits > _WIDE_PIECE * _MOST_PIECES:
            return f"{self.constant(('memo', 'members'), 'MEMBERS', 'Members()')}[{some}]"
        pieces = []
        for start in range(0, bits, _WIDE_PIECE):
            size = min(_WIDE_PIECE, bits - start)
            name, definition = f"MEMBERS_{size}_FROM_{start}", f"set_members({size}, {start})"
            table = self.constant(("members from", start, size), name, definition)
            rest = f"{some} >> {start}" if start else some
            if start + size < bits:
                rest += f" & {hex((1 << size) - 1)}"
            pieces.append(f"{table}[{rest}]")
        return " + ".join(pieces)

    def lowest_memo(self) -> str:
        """What gives the lowest member of any set, and keeps it."""
        return self.constant(("memo", "lowest"), "LOWEST", "Lowest()")

    def only(self, index: str, bits: int) -> str:
        """The set of one member: looking it up costs half of a shift."""
        name, _ = self.constants.get(("only",), (self.names.fresh("BIT"), ""))
        self.most_bits = max(self.most_bits, bits)
        definition = f"tuple([1 << member for member in range({self.most_bits})])"
        self.constants["only",] = (name, definition)
        return f"{name}[{index}]"

    def all_but(self, index: n.Expr, bits: int) -> str:
        """The set of all members but one."""
        definition = f"tuple([{hex((1 << bits) - 1)} ^ 1 << member for member in range({bits})])"
        return f"{self.constant(('all but', bits), f'BUT_{bits}', definition)}[{self.value(index)}]"

    def lowest_table(self, bits: int) -> str:
        """The table of the lowest member of every set of so many bits."""
        members = self.members_table(bits)
        definition = f"tuple([some[0] if some else -1 for some in {members}])"
        return self.constant(("lowest", bits), f"LOWEST_{bits}", definition)

    def next_table(self, bits: int) -> str:
        """The table of the next member behind every place, of every set of so many bits."""
        lowest = self.lowest_table(bits)
        line = f"tuple([{lowest}[some & -2 << at or some] for at in range({bits})])"
        definition = f"tuple([{line} for some in range({1 << bits})])"
        return self.constant(("next", bits), f"NEXT_{bits}", definition)

    def num(self, expr: n.Num) -> Text:
        return (str(expr.value), ATOM) if expr.value >= 0 else (str(expr.value), SIGN)

    def bits(self, expr: n.Bits) -> Text:
        if not 0 <= expr.value < 1 << max(1, expr.bits):
            raise ValueError(f"A set of {expr.bits} cannot be {expr.value:#x}.")
        return (str(expr.value) if expr.value < 10 else hex(expr.value)), ATOM

    def var(self, expr: n.Var) -> Text:
        return self.names.local(expr.name), ATOM

    def scalar(self, expr: n.Scalar) -> Text:
        return self.names.scalars[expr.name], ATOM

    def cell(self, expr: n.Cell) -> Text:
        name = self.names.columns.get(expr.column)
        if name is not None:
            return f"{name}[{self.value(expr.index)}]", ATOM
        table = self.program.tables[expr.column]
        if isinstance(expr.index, n.Num):
            if not 0 <= expr.index.value < len(table.values):
                raise ValueError(f"{expr.column} has no cell {expr.index.value}.")
            value = table.values[expr.index.value]
            return str(value), ATOM if value >= 0 else SIGN
        if isinstance(expr.index, n.First) and self.small_bits(expr.index.set) is not None:
            return self.cell_of_first(self.names.tables[expr.column], expr.index.set), ATOM
        return f"{self.names.tables[expr.column]}[{self.value(expr.index)}]", ATOM

    def cell_of_first(self, table: str, some: n.Expr) -> str:
        """The cell of the lowest member of a small set, from a table of all such sets."""
        bits = self.bits_of(some)
        cells = f"[{table}[some[0]] if some else -1 for some in {self.members_table(bits)}]"
        name = self.constant(("cells", table, bits), f"{table}_OF_{bits}", f"tuple({cells})")
        return f"{name}[{self.value(some)}]"

    def row_at(self, expr: n.RowAt) -> Text:
        return f"{self.names.rows[expr.column]}[{self.value(expr.index)}]", ATOM

    def row_count(self, expr: n.RowCount) -> Text:
        return f"len({self.value(expr.row)})", ATOM

    def row_item(self, expr: n.RowItem) -> Text:
        return f"{self.value(expr.row, ATOM)}[{self.value(expr.position)}]", ATOM

    def row_has(self, expr: n.RowHas) -> Text:
        return f"{self.value(expr.item, BITOR)} in {self.value(expr.row, BITOR)}", COMPARE

    def bin(self, expr: n.Bin) -> Text:
        binds = _BINARY.get(expr.op)
        if binds is not None:
            if expr.op == "-" and expr.left == ZERO:
                return f"-{self.value(expr.right, SIGN)}", SIGN
            left, right = self.value(expr.left, binds), self.value(expr.right, binds + 1)
            return f"{left} {expr.op} {right}", binds
        if expr.op in _OPPOSITE:
            return self.flag(expr)
        sign = "<" if expr.op == "min" else ">"
        left, left_again = self.shared(expr.left)
        right, right_again = self.shared(expr.right)
        return f"{left_again} if {left} {sign} {right} else {right_again}", CHOICE

    def compare(self, expr: n.Bin) -> Text:
        if expr.op not in _OPPOSITE:
            return self.bin(expr)
        left, right = self.value(expr.left, BITOR), self.value(expr.right, BITOR)
        return f"{left} {expr.op} {right}", COMPARE

    def mul_div(self, expr: n.MulDiv) -> Text:
        value, times = self.value(expr.value, PRODUCT), self.value(expr.times, SIGN)
        product = f"{value} * {times}"
        if expr.plus != n.Num(0):
            product = f"({product} + {self.value(expr.plus, PRODUCT)})"
        return f"{product} // {self.value(expr.by, SIGN)}", PRODUCT

    def both(self, expr: n.And) -> Text:
        return f"{self.truth(expr.left, AND)} and {self.truth(expr.right, AND)}", AND

    def either(self, expr: n.Or) -> Text:
        return f"{self.truth(expr.left, OR)} or {self.truth(expr.right, OR)}", OR

    def negation(self, expr: n.Not) -> Text:
        inner = expr.operand
        if isinstance(inner, n.Bin) and inner.op in _OPPOSITE:
            left, right = self.value(inner.left, BITOR), self.value(inner.right, BITOR)
            return f"{left} {_OPPOSITE[inner.op]} {right}", COMPARE
        if isinstance(inner, n.RowHas):
            item, row = self.value(inner.item, BITOR), self.value(inner.row, BITOR)
            return f"{item} not in {row}", COMPARE
        if isinstance(inner, n.SameSet):
            left, right = self.value(inner.left, BITOR), self.value(inner.right, BITOR)
            return f"{left} != {right}", COMPARE
        if isinstance(inner, n.IsEmpty):
            return self.value(inner.set, NOT), NOT
        if isinstance(inner, n.Not):
            return self.truth(inner.operand, NOT), NOT
        return f"not {self.truth(inner, NOT)}", NOT

    def choose(self, expr: n.Choose) -> Text:
        then, other = self.value(expr.then, OR), self.value(expr.other, CHOICE)
        return f"{then} if {self.truth(expr.condition, OR)} else {other}", CHOICE

    def choose_truth(self, expr: n.Choose) -> Text:
        then, other = self.truth(expr.then, OR), self.truth(expr.other, CHOICE)
        return f"{then} if {self.truth(expr.condition, OR)} else {other}", CHOICE

    def set_bin(self, expr: n.SetBin) -> Text:
        if expr.op == "-" and isinstance(expr.left, n.Bits):
            return self.rest(expr.left, expr.right)
        if expr.op == "-":
            return f"{self.value(expr.left, BITAND)} & {self.others(expr.right)}", BITAND
        binds = _BINARY[expr.op]
        left, right = self.value(expr.left, binds), self.value(expr.right, binds + 1)
        return f"{left} {expr.op} {right}", binds

    def rest(self, every: n.Bits, some: n.Expr) -> Text:
        """A constant set without what is in another: from a table if that one is small."""
        bits = self.small_bits(some)
        if bits is not None and not isinstance(some, n.Single):
            name, least = f"REST_OF_{every.value:x}_{bits}", hex(every.value)
            definition = f"tuple([{least} & ~some for some in range({1 << bits})])"
            table = self.constant(("rest", every.value, bits), name, definition)
            return f"{table}[{self.value(some)}]", ATOM
        bits = every.value.bit_length()
        if every.value == (1 << bits) - 1 and self.bits_of(some) == bits:
            return f"{self.value(every)} ^ {self.value(some, BITAND)}", BITXOR
        return f"{self.value(every, BITAND)} & {self.others(some)}", BITAND

    def others(self, some: n.Expr) -> str:
        """What is not in a set."""
        if isinstance(some, n.Single) and not (some.may_be_none or isinstance(some.index, n.Num)):
            return self.all_but(some.index, some.bits)
        return f"~{self.value(some, SIGN)}"

    def single(self, expr: n.Single) -> Text:
        if isinstance(expr.index, n.Num):
            index = expr.index.value
            return (hex(1 << index) if index >= 0 else "0"), ATOM
        if not expr.may_be_none:
            return self.only(self.value(expr.index), expr.bits), ATOM
        first, again = self.shared(expr.index)
        return f"{self.only(again, expr.bits)} if {first} >= 0 else 0", CHOICE

    def among(self, some: n.Bits, index: n.Expr) -> Text:
        """Whether something is a member of a constant set: 0 or 1, from a table."""
        flags = tuple([some.value >> member & 1 for member in range(some.bits)])
        table = self.constant(("among", flags), f"IS_IN_{some.value:x}", str(flags))
        return f"{table}[{self.value(index)}]", ATOM

    def has(self, expr: n.Has) -> Text:
        if isinstance(expr.set, n.Bits):
            return self.among(expr.set, expr.index)
        return f"{self.value(expr.set, SHIFT)} >> {self.value(expr.index, SUM)} & 1", BITAND

    def has_truth(self, expr: n.Has) -> Text:
        if isinstance(expr.index, n.Num):
            return f"{self.value(expr.set, BITAND)} & {hex(1 << expr.index.value)}", BITAND
        if isinstance(expr.set, n.Bits):
            return self.among(expr.set, expr.index)
        bits = self.bits_of(expr.set)
        if bits < _ANY_BITS:
            one = self.only(self.value(expr.index), bits)
            return f"{self.value(expr.set, BITAND)} & {one}", BITAND
        return self.has(expr)

    def is_empty(self, expr: n.IsEmpty) -> Text:
        return f"not {self.value(expr.set, NOT)}", NOT

    def within(self, expr: n.Within) -> Text:
        left, again = self.shared(expr.left)
        return f"{left} & {self.value(expr.right, SHIFT)} == {again}", COMPARE

    def same_set(self, expr: n.SameSet) -> Text:
        return f"{self.value(expr.left, BITOR)} == {self.value(expr.right, BITOR)}", COMPARE

    def count(self, expr: n.Count) -> Text:
        text = self.value(expr.set, ATOM)
        return (f"({text})" if text[0].isdigit() else text) + ".bit_count()", ATOM

    def first(self, expr: n.First) -> Text:
        bits = self.small_bits(expr.set)
        if bits is not None:
            return f"{self.lowest_table(bits)}[{self.value(expr.set)}]", ATOM
        return f"{self.lowest_memo()}[{self.value(expr.set)}]", ATOM

    def next(self, expr: n.Next) -> Text:
        bits = self.small_bits(expr.set)
        if bits is not None:
            return (
                f"{self.next_table(bits)}[{self.value(expr.set)}][{self.value(expr.index)}]",
                ATOM,
            )
        some, again = self.shared(expr.set)
        later = f"{some} & -2 << {self.value(expr.index, SHIFT + 1)}"
        return f"{self.lowest_memo()}[{later} or {again}]", ATOM

    def keep(self, expr: Keep) -> Text:
        return f"({expr.name} := {self.value(expr.value)})", ATOM

    def kept(self, expr: Kept) -> Text:
        return expr.name, ATOM

    def args(self, args: tuple[n.Expr, ...]) -> str:
        return ", ".join([self.value(arg, CHOICE) for arg in args])

    def call(self, expr: n.Call) -> Text:
        self.refuse_exit(expr.function)
        return f"{self.names.functions[expr.function]}({self.args(expr.args)})", ATOM

    def call_by(self, expr: n.CallBy) -> Text:
        self.refuse_exit(self.program.dispatch[expr.table][0])
        table = self.names.dispatch[expr.table]
        return f"{table}[{self.value(expr.index)}]({self.args(expr.args)})", ATOM

    def refuse_exit(self, name: str) -> None:
        if name in self.exits and not self.call_may_exit:
            raise ValueError(f"{name} can leave early: a Do calls it, not an expression.")
        self.call_may_exit = False

    def ask_seat(self, expr: n.AskSeat) -> Text:
        seat, again = self.shared(expr.seat)
        args = "".join([f", {self.value(arg, CHOICE)}" for arg in expr.args])
        return f"{self.names.sites[expr.site]}[{seat}]({again}{args})", ATOM

    def draw(self, expr: n.Draw) -> Text:
        if not is_pure(expr.n):
            return f"draw({expr.stream}, {self.value(expr.n, CHOICE)})", ATOM
        drawn = f"({self.draws[expr.stream]} or draws({expr.stream})).pop()"
        if self.below.get(expr.stream):
            return drawn, ATOM
        return f"{drawn} * {self.value(expr.n, SIGN)} >> 32", SHIFT

    def bot_draw(self, expr: n.BotDraw) -> Text:
        return f"bot_draw({self.args((expr.seat, expr.n))})", ATOM

    def whole(self, expr: n.Expr) -> str:
        """All of a statement's value: the only place where a call that returns a code may stand."""
        self.call_may_exit = isinstance(expr, n.Call | n.CallBy)
        text = self.value(expr, CHOICE)
        self.call_may_exit = False
        return text


def _drawn_below(program: n.Program) -> dict[int, int]:
    """Of each stream that is drawn from the number that all draws are below; 0 if they differ."""
    found: dict[int, int] = {}
    for function in program.functions.values():
        for node in all_nodes(function.body):
            if isinstance(node, n.Draw | n.RowShuffle):
                below = getattr(node, "n", None)
                wanted = below.value if isinstance(below, n.Num) else 0
                found[node.stream] = wanted if found.get(node.stream, wanted) == wanted else 0
    return found


_Printer = Callable[[PythonExpressions, Any], Text]
_P = PythonExpressions

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

EXPRESSIONS: dict[type[PythonExpr], _Printer] = {
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
    n.Next: _P.next,
    n.Call: _P.call,
    n.CallBy: _P.call_by,
    n.AskSeat: _P.ask_seat,
    n.Draw: _P.draw,
    n.BotDraw: _P.bot_draw,
    Keep: _P.keep,
    Kept: _P.kept,
}
