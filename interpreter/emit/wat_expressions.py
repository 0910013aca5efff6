"""Prints the expressions of flat core as WebAssembly text, in plain stack order."""

from __future__ import annotations

from interpreter.emit.names import checked
from interpreter.emit.random_words import STREAM_ADD, STREAM_FACTOR
from interpreter.emit.state import MASK64, words_of
from interpreter.emit.wat_places import Params, Places, results, set_all, times, type_width
from interpreter.flat.ir import nodes as n

_COMPARE = {"==": "eq", "!=": "ne", "<": "lt_s", "<=": "le_s", ">": "gt_s", ">=": "ge_s"}
_PLAIN = {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "<<": "shl", ">>": "shr_s"}
_FLAGS = (n.And, n.Or, n.Not, n.Has, n.IsEmpty, n.Within, n.SameSet, n.RowHas)
_LEAVES = (n.Var, n.Num, n.Scalar)


class Expressions(Places):
    """Text of expressions."""

    # ------------------------------------------------------------ values

    def flag(self, expr: n.Expr) -> str:
        """Code that leaves 0 or 1."""
        if isinstance(expr, _FLAGS) or (isinstance(expr, n.Bin) and expr.op in _COMPARE):
            return self.code(expr)
        if isinstance(expr, n.Num):
            return f"i32.const {int(expr.value != 0)}"
        return f"{self.code(expr)} i32.const 0 i32.ne"

    def num(self, expr: n.Num) -> str:
        if not -0x80000000 <= expr.value <= 0x7FFFFFFF:
            raise ValueError(f"{expr.value} does not fit into 32 bits.")
        return f"i32.const {expr.value:d}"

    def bits(self, expr: n.Bits) -> str:
        width = self.width(expr)
        if not 0 <= expr.value < 1 << 64 * width:
            raise ValueError(f"A set of {expr.bits} cannot be {expr.value:#x}.")
        words = [expr.value >> 64 * word & MASK64 for word in range(width)]
        return " ".join([f"i64.const {word:#x}" for word in words])

    def var(self, expr: n.Var) -> str:
        names = self.local_words(expr.name, type_width(expr.type))
        return " ".join([f"local.get {name}" for name in names])

    def scalar(self, expr: n.Scalar) -> str:
        cells = self.layout.scalars[expr.name]
        if cells.words == 0:
            return f"i32.const 0 i32.load offset={cells.address}"
        return " ".join(
            [
                f"i32.const 0 i64.load offset={cells.address + 8 * word}"
                for word in range(cells.words)
            ]
        )

    def cell(self, expr: n.Cell) -> str:
        cells = self.cells(expr.column)
        address, offset = self.address(cells, expr.index)
        if isinstance(expr.index, n.Num) and expr.column not in self.layout.columns:
            table = self.program.tables[expr.column]
            if isinstance(table.type, n.Int):
                return f"i32.const {table.values[expr.index.value]:d}"
        if cells.words == 0:
            return f"{address} i32.load offset={offset}"
        if cells.words == 1:
            load = f"{address} i64.load offset={offset}"
            return f"{load} i32.wrap_i64" if expr.column in self.measures else load
        at = self.temporary()
        loads = [
            f"local.get {at} i64.load offset={offset + 8 * word}" for word in range(cells.words)
        ]
        return f"{address} local.set {at} {' '.join(loads)}"

    def row(self, expr: n.Expr) -> str:
        """Code for the address of a row."""
        if isinstance(expr, n.RowAt):
            rows = self.layout.rows[expr.column]
            if isinstance(expr.index, n.Num):
                return f"i32.const {rows.address + rows.stride * expr.index.value}"
            return f"{self.code(expr.index)} {times(rows.stride)} i32.const {rows.address} i32.add"
        if isinstance(expr, n.Var) and isinstance(expr.type, n.Row):
            return f"local.get {self.local(expr.name)}"
        raise ValueError(f"{type(expr).__name__} is no row.")

    def row_count(self, expr: n.RowCount) -> str:
        return f"{self.row(expr.row)} i32.load"

    def row_item(self, expr: n.RowItem) -> str:
        return (
            f"{self.row(expr.row)} {self.code(expr.position)} {times(4)} i32.add i32.load offset=4"
        )

    def row_has(self, expr: n.RowHas) -> str:
        find = f"{self.code(expr.item)} {self.row(expr.row)} call $.row_find"
        return f"{find} i32.const 0 i32.ge_s"

    def bin(self, expr: n.Bin) -> str:
        left, right = self.code(expr.left), self.code(expr.right)
        op = _PLAIN.get(expr.op)
        if op is not None:
            return f"{left} {right} i32.{op}"
        if expr.op in _COMPARE:
            if expr.op == "==" and expr.right == n.Num(0):
                return f"{left} i32.eqz"
            return f"{left} {right} i32.{_COMPARE[expr.op]}"
        if expr.op in ("min", "max"):
            one, other = self.temporary(), self.temporary()
            sign = "lt_s" if expr.op == "min" else "gt_s"
            pair = f"{left} local.tee {one} {right} local.tee {other}"
            return f"{pair} local.get {one} local.get {other} i32.{sign} select"
        if isinstance(expr.right, n.Num) and expr.right.value > 0:
            return self.divide_by(expr.op, left, expr.right.value)
        return f"{left} {right} call $.{'floor_div' if expr.op == '//' else 'floor_mod'}"

    def divide_by(self, op: str, left: str, by: int) -> str:
        """Division by a positive constant, rounded down."""
        if by & by - 1 == 0:
            if op == "//":
                return f"{left} i32.const {by.bit_length() - 1} i32.shr_s"
            return f"{left} i32.const {by - 1} i32.and"
        quick = _multiplied(by)
        if quick is not None:
            factor, add, shift = quick
            divided = (
                f"i64.extend_i32_s i64.const {factor} i64.mul i64.const {add} i64.add "
                f"i64.const {shift} i64.shr_s i32.wrap_i64"
            )
            if op == "//":
                return f"{left} {divided}"
            one = self.temporary()
            return (
                f"{left} local.tee {one} local.get {one} {divided} i32.const {by} i32.mul i32.sub"
            )
        one, other = self.temporary(), self.temporary()
        if op == "//":
            divided = f"{left} local.tee {one} i32.const {by} i32.div_s local.tee {other}"
            too_high = f"local.get {other} i32.const {by} i32.mul local.get {one} i32.gt_s"
            return f"{divided} {too_high} i32.sub"
        rest = f"{left} i32.const {by} i32.rem_s local.tee {one}"
        return f"{rest} local.get {one} i32.const 31 i32.shr_s i32.const {by} i32.and i32.add"

    def mul_div(self, expr: n.MulDiv) -> str:
        value, times, plus, by = (
            f"{self.code(part)} i64.extend_i32_s"
            for part in (expr.value, expr.times, expr.plus, expr.by)
        )
        added = "" if expr.plus == n.Num(0) else f" {plus} i64.add"
        return f"{value} {times} i64.mul{added} {by} i64.div_s i32.wrap_i64"

    def both(self, expr: n.And) -> str:
        if is_cheap(expr.right, 3, read_indices(expr.left)):
            return f"{self.flag(expr.left)} {self.flag(expr.right)} i32.and"
        right = self.flag(expr.right)
        return f"{self.code(expr.left)} if (result i32) {right} else i32.const 0 end"

    def either(self, expr: n.Or) -> str:
        if is_cheap(expr.right, 3, read_indices(expr.left)):
            return f"{self.flag(expr.left)} {self.flag(expr.right)} i32.or"
        right = self.flag(expr.right)
        return f"{self.code(expr.left)} if (result i32) i32.const 1 else {right} end"

    def negation(self, expr: n.Not) -> str:
        return f"{self.code(expr.operand)} i32.eqz"

    def choose(self, expr: n.Choose) -> str:
        width = self.width(expr)
        if width == 0:
            then, other = self.code(expr.then), self.code(expr.other)
            known = read_indices(expr.condition)
            if is_cheap(expr.then, 2, known) and is_cheap(expr.other, 2, known):
                return f"{then} {other} {self.flag(expr.condition)} select"
        else:
            then, other = self.of_width(expr.then, width), self.of_width(expr.other, width)
        result = " ".join(["i64"] * width) or "i32"
        return f"{self.code(expr.condition)} if (result {result}) {then} else {other} end"

    # ------------------------------------------------------------ sets

    def set_bin(self, expr: n.SetBin) -> str:
        width = self.width(expr)
        op = {
            "&": "i64.and",
            "|": "i64.or",
            "-": "i64.const -1 i64.xor i64.and",
        }[expr.op]
        if self.width(expr.left) == self.width(expr.right) == 1:
            return f"{self.code(expr.left)} {self.code(expr.right)} {op}"
        before, left, right = self.pair(expr.left, expr.right, width)
        return before + " ".join(
            [
                f"local.get {one} local.get {other} {op}"
                for one, other in zip(left, right, strict=True)
            ]
        )

    def pair(self, left: n.Expr, right: n.Expr, width: int) -> tuple[str, list[str], list[str]]:
        first, one = self.held(left, width)
        second, other = self.held(right, width)
        return f"{first} {second} ", one, other

    def single(self, expr: n.Single) -> str:
        width = self.width(expr)
        if isinstance(expr.index, n.Num):
            index = expr.index.value
            return self.bits(n.Bits(1 << index if index >= 0 else 0, expr.bits))
        if width == 1 and not expr.may_be_none:
            return f"i64.const 1 {self.code(expr.index)} i64.extend_i32_u i64.shl"
        at = self.temporary()
        shifted = f"i64.extend_i32_u local.get {at} i64.extend_i32_u i64.shl"
        if width == 1:
            return f"{self.code(expr.index)} local.tee {at} i32.const 0 i32.ge_s {shifted}"
        return f"{self.code(expr.index)} local.set {at} " + " ".join(
            [
                f"local.get {at} i32.const 6 i32.shr_s i32.const {word} i32.eq {shifted}"
                for word in range(width)
            ]
        )

    def has(self, expr: n.Has) -> str:
        width = self.width(expr.set)
        constant = expr.index.value if isinstance(expr.index, n.Num) else None
        if constant is not None and constant >= 64 * width:
            raise ValueError(f"A set of {64 * width} cannot hold {constant}.")
        if width == 1:
            text = self.code(expr.set)
            if constant is not None:
                return f"{text} i64.const {1 << constant:#x} i64.and i64.const 0 i64.ne"
            shift = f"{self.code(expr.index)} i64.extend_i32_u i64.shr_u"
            return f"{text} {shift} i32.wrap_i64 i32.const 1 i32.and"
        before, names = self.held(expr.set, width)
        if constant is not None:
            test = f"i64.const {1 << constant % 64:#x} i64.and i64.const 0 i64.ne"
            return f"{before} local.get {names[constant // 64]} {test}"
        at = self.temporary()
        text = f"{before} {self.code(expr.index)} local.set {at} local.get {names[-1]}"
        for word in range(width - 2, -1, -1):
            kept = self.temporary("i64")
            below = f"local.get {at} i32.const {64 * word + 64} i32.lt_u"
            text += f" local.set {kept} local.get {names[word]} local.get {kept} {below} select"
        shift = f"local.get {at} i64.extend_i32_u i64.shr_u"
        return f"{text} {shift} i32.wrap_i64 i32.const 1 i32.and"

    def is_empty(self, expr: n.IsEmpty) -> str:
        return self.code(expr.set) + " i64.or" * (self.width(expr.set) - 1) + " i64.eqz"

    def within(self, expr: n.Within) -> str:
        return self.is_empty(n.IsEmpty(n.SetBin("-", expr.left, expr.right)))

    def same_set(self, expr: n.SameSet) -> str:
        width = max(self.width(expr.left), self.width(expr.right))
        if width == 1:
            return f"{self.code(expr.left)} {self.code(expr.right)} i64.eq"
        before, left, right = self.pair(expr.left, expr.right, width)
        differ = [
            f"local.get {one} local.get {other} i64.xor"
            for one, other in zip(left, right, strict=True)
        ]
        return before + " ".join(differ) + " i64.or" * (width - 1) + " i64.eqz"

    def count(self, expr: n.Count) -> str:
        width = self.width(expr.set)
        if width == 1:
            return f"{self.code(expr.set)} i64.popcnt i32.wrap_i64"
        before, names = self.held(expr.set, width)
        counts = " ".join([f"local.get {name} i64.popcnt" for name in names])
        return f"{before} {counts}{' i64.add' * (width - 1)} i32.wrap_i64"

    def first(self, expr: n.First) -> str:
        width = self.width(expr.set)
        if width == 1:
            held = self.temporary("i64")
            low = f"{self.code(expr.set)} local.tee {held} i64.ctz i32.wrap_i64"
            return f"{low} i32.const -1 local.get {held} i64.const 0 i64.ne select"
        before, names = self.held(expr.set, width)
        text = "i32.const -1"
        for word in range(width - 1, -1, -1):
            low = f"local.get {names[word]} i64.ctz i32.wrap_i64 i32.const {64 * word} i32.add"
            test = f"local.get {names[word]} i64.const 0 i64.ne"
            text = f"{test} if (result i32) {low} else {text} end"
        return f"{before} {text}"

    def next(self, expr: n.Next) -> str:
        if self.width(expr.set) > 1:
            raise ValueError("The next member of a wide set.")
        some, later = self.temporary("i64"), self.temporary("i64")
        above = f"i64.const -2 {self.code(expr.index)} i64.extend_i32_u i64.shl i64.and"
        held = f"{self.code(expr.set)} local.tee {some} {above} local.tee {later}"
        from_there = f"{held} local.get {some} local.get {later} i64.const 0 i64.ne select"
        empty = f"i32.const -1 local.get {some} i64.const 0 i64.ne select"
        return f"{from_there} i64.ctz i32.wrap_i64 {empty}"

    # ------------------------------------------------------------ calls and chance

    def args(self, params: Params, args: tuple[n.Expr, ...]) -> str:
        if len(args) != len(params):
            raise ValueError(f"{len(args)} values for {len(params)} parameters.")
        return " ".join(
            [
                self.row(arg) if isinstance(kind, n.Row) else self.of_width(arg, words_of(kind))
                for arg, (_, kind) in zip(args, params, strict=True)
            ]
        )

    def refuse_exit(self, name: str) -> None:
        self.effects += 1
        if name in self.exits and not self.call_may_exit:
            raise ValueError(f"{name} can leave early: a Do calls it, not an expression.")
        self.call_may_exit = False

    def call(self, expr: n.Call) -> str:
        self.refuse_exit(expr.function)
        function = self.program.functions[expr.function]
        return f"{self.args(function.params, expr.args)} {self.run_function(function)}"

    def run_function(self, function: n.Function) -> str:
        """Code for a call, when its arguments are on the stack."""
        self.called.add(function.name)
        return f"call ${checked(function.name)}"

    def call_by(self, expr: n.CallBy) -> str:
        names = self.program.dispatch[expr.table]
        self.refuse_exit(names[0])
        before, held = self.hold(self.program.functions[names[0]].params, expr.args)
        at = self.temporary()
        call = self.one_of(names, f"local.get {at}", held)
        return f"{self.code(expr.index)} local.set {at} {before} {call}"

    def ask_seat(self, expr: n.AskSeat) -> str:
        names = self.functions_by_site[expr.site]
        if not names:
            return f"{self.code(expr.seat)} drop unreachable i32.const 0"
        self.refuse_exit(names[0])
        before, held = self.hold(self.program.functions[names[0]].params, (expr.seat, *expr.args))
        strategy = f"{held[0]} {times(4)} i32.load offset={self.layout.seats}"
        return f"{before} {self.one_of(names, strategy, held)}"

    def hold(self, params: Params, args: tuple[n.Expr, ...]) -> tuple[str, list[str]]:
        """Code that puts arguments into locals, and code for each of their words."""
        text: list[str] = []
        held: list[str] = []
        for arg, (_, kind) in zip(args, params, strict=True):
            if isinstance(kind, n.Row):
                names, code = [self.temporary()], self.row(arg)
            else:
                width = words_of(kind)
                names, code = self.words(width) or [self.temporary()], self.of_width(arg, width)
            text.append(code + set_all(names))
            held += [f"local.get {name}" for name in names]
        return " ".join(text), held

    def one_of(self, names: tuple[str, ...], index: str, args: list[str]) -> str:
        """A call of one of several functions of one type: by a jump, which costs less than a call
        through a table."""
        different = list(dict.fromkeys(names))
        pushed = " ".join(args)
        if len(different) == 1:
            return f"{pushed} {self.run_function(self.program.functions[different[0]])}"
        label = self.label()
        places = [f"$to{label}.{different.index(name)}" for name in names]
        result = results(self.program.functions[names[0]])
        parts = [f"block $end{label} {result}"]
        parts += [f"block $to{label}.{number}" for number in reversed(range(len(different)))]
        parts.append(
            f"block $none{label} {index} br_table {' '.join(places)} $none{label} end unreachable"
        )
        for name in different:
            call = self.run_function(self.program.functions[name])
            parts.append(f"end {pushed} {call} br $end{label}")
        return " ".join(parts) + " end"

    def draw(self, expr: n.Draw) -> str:
        """A draw, written out: most calls would cost more than what they do."""
        self.effects += 1
        number = self.code(expr.n)
        place = self.stream(expr.stream)
        word = self.temporary("i64")
        step = f"i64.const {STREAM_FACTOR} i64.mul i64.const {STREAM_ADD} i64.add"
        draw = f"{place} {place} i64.load {step} local.tee {word} i64.store"
        return f"{number} {draw} i64.extend_i32_u local.get {word} {_SCALE}"

    def stream(self, stream: int) -> str:
        if not 0 <= stream < self.layout.streams.count:
            raise ValueError(f"There is no stream {stream}.")
        return f"i32.const {self.layout.streams.address + 8 * stream}"

    def bot_draw(self, expr: n.BotDraw) -> str:
        self.effects += 1
        return f"{self.code(expr.seat)} {self.code(expr.n)} call $.bot_draw"


_SCALE = "i64.const 32 i64.shr_u i64.mul i64.const 32 i64.shr_u i32.wrap_i64"
"""From a limit and a word, both 64 bits wide, to a number below the limit."""


def _multiplied(by: int) -> tuple[int, int, int] | None:
    """Factor, summand and shift that divide any 32-bit number, rounded down; None if these are not
    exact for it.

    With the factor too large by a part e of `by`, quotients are wrong by less than e / 2**bits of a
    part; the summand is half a part.
    """
    bits = by.bit_length()
    shift = 31 + bits
    factor = -(-(1 << shift) // by)
    error = factor * by - (1 << shift)
    if 2 * error >= 1 << bits:
        return None
    return factor, (1 << shift) // (2 * by), shift


def is_cheap(expr: n.Expr, depth: int = 3, known: frozenset[n.Expr] = frozenset()) -> bool:
    """Whether computing this needlessly costs less than a jump, and can do no harm.

    `known`: indices of cells that are read anyway.
    """
    if isinstance(expr, _LEAVES):
        return isinstance(expr.type, n.Int) if not isinstance(expr, n.Num) else True
    if depth == 0:
        return False
    if isinstance(expr, n.Cell):
        return isinstance(expr.type, n.Int) and (
            isinstance(expr.index, n.Num) or expr.index in known
        )
    if isinstance(expr, n.Bin):
        if expr.op in ("//", "%", "min", "max"):
            return False
        return is_cheap(expr.left, depth - 1, known) and is_cheap(expr.right, depth - 1, known)
    if isinstance(expr, n.Not):
        return is_cheap(expr.operand, depth - 1, known)
    return False


def read_indices(expr: n.Expr) -> frozenset[n.Expr]:
    """The indices of cells that are read whenever this is computed."""
    match expr:
        case n.Cell(index=index):
            return read_indices(index) | ({index} if isinstance(index, n.Var) else frozenset())
        case n.Bin(left=left, right=right) | n.SetBin(left=left, right=right):
            return read_indices(left) | read_indices(right)
        case n.And(left=left) | n.Or(left=left):
            return read_indices(left)
        case n.Choose(condition=condition):
            return read_indices(condition)
        case n.Not(operand=operand):
            return read_indices(operand)
        case _:
            return frozenset()


_E = Expressions

Expressions.printers = {
    n.Num: _E.num,
    n.Bits: _E.bits,
    n.Var: _E.var,
    n.Scalar: _E.scalar,
    n.Cell: _E.cell,
    n.RowAt: _E.row,
    n.RowCount: _E.row_count,
    n.RowItem: _E.row_item,
    n.RowHas: _E.row_has,
    n.Bin: _E.bin,
    n.MulDiv: _E.mul_div,
    n.And: _E.both,
    n.Or: _E.either,
    n.Not: _E.negation,
    n.Choose: _E.choose,
    n.SetBin: _E.set_bin,
    n.Single: _E.single,
    n.Has: _E.has,
    n.IsEmpty: _E.is_empty,
    n.Within: _E.within,
    n.SameSet: _E.same_set,
    n.Count: _E.count,
    n.First: _E.first,
    n.Next: _E.next,
    n.Call: _E.call,
    n.CallBy: _E.call_by,
    n.AskSeat: _E.ask_seat,
    n.Draw: _E.draw,
    n.BotDraw: _E.bot_draw,
}
