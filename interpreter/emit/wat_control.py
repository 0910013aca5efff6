"""Prints branches and loops of flat core as WebAssembly text.

A condition is printed as jumps, not as a value: the compiler behind this does not thread jumps. A
loop tests at its end, and a short one that is known to run a few times is written out.
"""

from __future__ import annotations

from interpreter.emit.wat_expressions import Expressions, is_cheap, read_indices
from interpreter.emit.wat_places import set_all
from interpreter.flat.ir import nodes as n
from interpreter.flat.ir.tree import all_nodes

WRITTEN_OUT = 24
"""The most rounds of a loop that is written out."""

MOST_NODES = 260
"""The most nodes of all rounds together."""


class Loop:
    """A loop that is being printed."""

    def __init__(self, label: int) -> None:
        self.label = label
        self.broken = False
        self.continued = False


class Control(Expressions):
    """Branches and loops; `body` prints what is in them."""

    lines: list[str]
    loops: list[Loop]

    def body(self, body: n.Body, indent: str) -> None:
        """Prints statements one after the other."""
        raise NotImplementedError

    def declare(self, name: str, kind: n.FlatType) -> None:
        """Notes a local."""
        raise NotImplementedError

    def line(self, indent: str, text: str) -> None:
        self.lines.append(indent + text)

    # ------------------------------------------------------------ conditions

    def jump(self, condition: n.Expr, target: str, when: bool) -> str:
        """Code that jumps to a label if the condition is as wanted, and else goes on."""
        match condition:
            case n.Not(operand=operand):
                return self.jump(operand, target, not when)
            case n.Num(value=value):
                return f"br {target}" if bool(value) is when else ""
            case n.And(left=left, right=right) | n.Or(left=left, right=right):
                if is_cheap(right, 3, read_indices(left)):
                    pass
                elif isinstance(condition, n.Or) is when:
                    return f"{self.jump(left, target, when)} {self.jump(right, target, when)}"
                else:
                    skip = f"$skip{self.label()}"
                    first = self.jump(left, skip, not when)
                    return f"block {skip} {first} {self.jump(right, target, when)} end"
            case _:
                pass
        text = self.code(condition)
        return f"{text} br_if {target}" if when else f"{text} i32.eqz br_if {target}"

    def if_(self, stmt: n.If, indent: str) -> None:
        then, other, condition = stmt.then, stmt.other, stmt.condition
        if not then and other:
            then, other, condition = other, (), n.Not(condition)
        if not _is_compound(condition):
            self.line(indent, f"{self.code(condition)} if")
            self.body(then, indent + "  ")
            if other:
                self.line(indent, "else")
                self.body(other, indent + "  ")
            self.line(indent, "end")
            return
        label = self.label()
        if other:
            self.line(indent, f"block $end{label}")
        self.line(indent, f"block $no{label}")
        self.line(indent, f"  {self.jump(condition, f'$no{label}', False)}")
        self.body(then, indent + "  ")
        if other:
            if not isinstance(then[-1], n.Return | n.Break | n.Continue):
                self.line(indent, f"  br $end{label}")
            self.line(indent, "end")
            self.body(other, indent + "  ")
        self.line(indent, "end")

    # ------------------------------------------------------------ loops

    def open(self, indent: str, before: str) -> Loop:
        """The start of a loop that `before` may leave before the first round."""
        loop = Loop(self.label())
        self.loops.append(loop)
        self.line(indent, f"block $out{loop.label} {before.replace('@out', f'$out{loop.label}')}")
        self.line(indent, f"loop $on{loop.label}")
        return loop

    def close(self, body: n.Body, indent: str, step: str) -> None:
        """The body of the loop, and its step, which jumps to `@on` for one more round."""
        loop = self.loops[-1]
        self.round(body, indent + "  ")
        self.line(indent, f"  {step.replace('@on', f'$on{loop.label}')}")
        self.line(indent, "end end")
        self.loops.pop()

    def round(self, body: n.Body, indent: str) -> None:
        """The body of the innermost loop once, with a place where `continue` goes."""
        loop = self.loops[-1]
        loop.continued = False
        at = len(self.lines)
        self.body(body, indent)
        if loop.continued:
            self.lines.insert(at, f"{indent}block $next{loop.label}")
            self.line(indent, "end")

    def break_(self, _: n.Break, indent: str) -> None:
        loop = self.loops[-1]
        loop.broken = True
        self.line(indent, f"br $out{loop.label}")

    def continue_(self, _: n.Continue, indent: str) -> None:
        loop = self.loops[-1]
        loop.continued = True
        self.line(indent, f"br $next{loop.label}")

    def write_out(self, starts: list[str], body: n.Body, indent: str) -> None:
        """The rounds of a loop one after the other; each starts with setting its local. Where
        there is none, what the body sets may be read behind it all the same: it has to be known.
        """
        loop = Loop(self.label())
        self.loops.append(loop)
        at = len(self.lines)
        for start in starts:
            self.line(indent, start)
            self.round(body, indent)
        if not starts:
            self.round(body, indent)
            del self.lines[at:]
        elif loop.broken:
            self.lines.insert(at, f"{indent}block $out{loop.label}")
            self.line(indent, "end")
        self.loops.pop()

    def while_(self, stmt: n.While, indent: str) -> None:
        self.open(indent, self.jump(stmt.condition, "@out", False))
        self.close(stmt.body, indent, self.jump(stmt.condition, "@on", True))

    def for_range(self, stmt: n.ForRange, indent: str) -> None:
        self.declare(stmt.name, n.INT)
        name = self.local(stmt.name)
        rounds = _numbers(stmt)
        if rounds is not None and is_short(len(rounds), stmt.body):
            starts = [f"i32.const {number} local.set {name}" for number in rounds]
            self.write_out(starts, stmt.body, indent)
            return
        now = self.temporary()
        before = f"{self.of_width(stmt.low, 0)} local.set {now}"
        high, before = self.once(stmt.high, before)
        step, before = self.once(stmt.step, before)
        self.line(indent, before)
        self.open(indent, f"local.get {now} {high} i32.gt_s br_if @out")
        self.line(indent, f"  local.get {now} local.set {name}")
        left = f"{high} local.get {now} i32.sub {step} i32.ge_u"
        add = f"local.get {now} {step} i32.add local.set {now}"
        self.close(stmt.body, indent, f"{left} {add} br_if @on")

    def once(self, expr: n.Expr, before: str) -> tuple[str, str]:
        """Code for a value that is taken once, and what must run before it."""
        if isinstance(expr, n.Num):
            return self.code(expr), before
        name = self.temporary()
        return f"local.get {name}", f"{before} {self.of_width(expr, 0)} local.set {name}"

    def for_set(self, stmt: n.ForSet, indent: str) -> None:
        self.declare(stmt.name, n.INT)
        item = self.local(stmt.name)
        if isinstance(stmt.set, n.Bits):
            value = stmt.set.value
            members = [bit for bit in range(value.bit_length()) if value >> bit & 1]
            if stmt.descending:
                members.reverse()
            if is_short(len(members), stmt.body):
                starts = [f"i32.const {member} local.set {item}" for member in members]
                self.write_out(starts, stmt.body, indent)
                return
        width = self.width(stmt.set)
        names = self.words(width)
        self.line(indent, self.of_width(stmt.set, width) + set_all(names))
        left = " ".join([f"local.get {name}" for name in names]) + " i64.or" * (width - 1)
        self.open(indent, f"{left} i64.eqz br_if @out")
        take = _take_highest if stmt.descending else _take_lowest
        order = range(width) if stmt.descending else range(width - 1, -1, -1)
        last, *others = [
            (names[number], take(names[number], item, 64 * number)) for number in order
        ]
        text = last[1]
        for word, taking in others:
            text = f"local.get {word} i64.const 0 i64.ne if {taking} else {text} end"
        self.line(indent, f"  {text}")
        self.close(stmt.body, indent, f"{left} i64.const 0 i64.ne br_if @on")

    def for_row(self, stmt: n.ForRow, indent: str) -> None:
        self.declare(stmt.name, n.INT)
        at, end = self.temporary(), self.temporary()
        before = f"{self.row(stmt.row)} local.tee {at} local.get {at} i32.load {_FOUR} i32.add"
        self.line(indent, f"{before} local.set {end}")
        self.open(indent, f"local.get {at} local.get {end} i32.ge_u br_if @out")
        self.line(indent, f"  local.get {at} i32.load offset=4 local.set {self.local(stmt.name)}")
        step = f"local.get {at} i32.const 4 i32.add local.tee {at}"
        self.close(stmt.body, indent, f"{step} local.get {end} i32.lt_u br_if @on")

    def for_table(self, stmt: n.ForTable, indent: str) -> None:
        cells = self.layout.tables[stmt.table]
        self.declare(stmt.name, self.program.tables[stmt.table].type)
        names = self.local_words(stmt.name, cells.words)
        kind = "i64" if cells.words else "i32"
        at = self.temporary()
        size = stmt.width * cells.stride

        def loads(item: int) -> str:
            place = cells.address + cells.stride * item
            return " ".join(
                [
                    f"local.get {at} {kind}.load offset={place + 8 * word} local.set {name}"
                    for word, name in enumerate(names)
                ]
            )

        start = f"{self.code(stmt.index)} i32.const {size} i32.mul"
        if is_short(stmt.width, stmt.body):
            self.line(indent, f"{start} local.set {at}")
            self.write_out([loads(item) for item in range(stmt.width)], stmt.body, indent)
            return
        end = self.temporary()
        self.line(indent, f"{start} local.tee {at} i32.const {size} i32.add local.set {end}")
        self.open(indent, "" if stmt.width else "br @out")
        self.line(indent, f"  {loads(0)}")
        step = f"local.get {at} i32.const {cells.stride} i32.add local.tee {at}"
        self.close(stmt.body, indent, f"{step} local.get {end} i32.lt_u br_if @on")


_FOUR = "i32.const 2 i32.shl"


def is_short(rounds: int, body: n.Body) -> bool:
    """Whether a loop is written out."""
    if rounds > WRITTEN_OUT:
        return False
    return rounds * sum(1 for _ in all_nodes(body)) <= MOST_NODES


def _numbers(stmt: n.ForRange) -> range | None:
    low, high, step = stmt.low, stmt.high, stmt.step
    if isinstance(low, n.Num) and isinstance(high, n.Num) and isinstance(step, n.Num):
        return range(low.value, high.value + 1, step.value)
    return None


def _is_compound(condition: n.Expr) -> bool:
    match condition:
        case n.Not(operand=operand):
            return _is_compound(operand)
        case n.And(left=left, right=right) | n.Or(left=left, right=right):
            return not is_cheap(right, 3, read_indices(left))
        case _:
            return False


def _take_lowest(word: str, item: str, base: int) -> str:
    add = f" i32.const {base} i32.add" if base else ""
    take = f"local.get {word} i64.ctz i32.wrap_i64{add} local.set {item}"
    less = f"local.get {word} i64.const 1 i64.sub"
    return f"{take} local.get {word} {less} i64.and local.set {word}"


def _take_highest(word: str, item: str, base: int) -> str:
    place = f"i32.const {base + 63} local.get {word} i64.clz i32.wrap_i64 i32.sub"
    take = f"{place} local.set {item}"
    without = f"local.get {word} i64.const 1 local.get {item} i64.extend_i32_u i64.shl i64.xor"
    return f"{take} {without} local.set {word}"
