"""Which expressions have the same value: one walk through a finished function, in the order in
which it runs. Everything that is worked out gets a number; what has the same number has the same
value.

A write gives what it writes a new number; behind branches and loops only what holds on every way
is known. So a pass can take what is known already.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import count
from typing import Any

from interpreter.flat.analysis.effects import ALL, Effects
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import LOOPS, changed, parts_of

_EITHER_WAY = ("+", "*", "&", "|", "min", "max", "==", "!=")
_KEYED = (
    flat.Bin, flat.MulDiv, flat.And, flat.Or, flat.Not, flat.Choose, flat.SetBin, flat.Single,
    flat.Has, flat.IsEmpty, flat.Within, flat.SameSet, flat.Count, flat.First,
    flat.Next,
)  # fmt: skip
_OPERANDS: dict[type, tuple[str, ...]] = {
    flat.RowHas: ("item", "row"),
    flat.RowSet: ("item", "row", "position"),
    flat.RowRemove: ("item", "row"),
}
_Key = tuple[Any, ...]
Holder = object


@dataclass(slots=True)
class State:
    """What is known at one point. `named`: the numbers of locals (with a dot in front) and
    scalars; `cells`: those of cells, by column and number of the index; `origin`: since when the
    others are as they are; `holders`: by number, what holds a value.
    """

    named: dict[str, int]
    cells: dict[str, dict[int, int]]
    origin: dict[str, int]
    holders: dict[int, Holder]

    def copy(self) -> State:
        """The same, to be changed on its own."""
        cells = {column: dict(known) for column, known in self.cells.items()}
        return State(dict(self.named), cells, dict(self.origin), dict(self.holders))


class Numbers:
    """Numbers for values: the same for the same operation on the same values."""

    def __init__(self) -> None:
        self._fresh = count(1)
        self._known: dict[_Key, int] = {}
        self.constants: dict[int, int] = {}

    def fresh(self) -> int:
        """A value of which nothing is known."""
        return next(self._fresh)

    def of(self, key: _Key) -> int:
        """The number of what this key says."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = next(self._fresh)
        return known

    def constant(self, value: int) -> int:
        """The number of a constant."""
        number = self.of(("constant", value))
        self.constants[number] = value
        return number


class Walk:
    """Goes through one function. A pass is a subclass that says what stands where something is
    known, and where it is worked out.
    """

    def __init__(self, program: flat.Program, effects: Effects) -> None:
        self.program = program
        self.effects = effects
        self.numbers = Numbers()
        self.state: State | None = State({}, {}, {}, {})
        self.loops = 0
        self.branches = 0

    # ------------------------------------------------------------ for passes

    def known(self, expr: flat.Expr, number: int) -> flat.Expr | None:
        """What stands in the place of an expression; None if it has to be worked out."""
        return None

    def seen(self, expr: flat.Expr, number: int) -> flat.Expr:
        """What stands in the place of an expression that is worked out here."""
        return expr

    # ------------------------------------------------------------ state

    @property
    def now(self) -> State:
        """What is known where the walk is."""
        assert self.state is not None
        return self.state

    def read(self, name: str) -> int:
        """The number of a local or scalar."""
        known = self.now.named.get(name)
        if known is None:
            known = self.now.named[name] = self._at_start(self.now, name)
        return known

    def _at_start(self, state: State, name: str) -> int:
        origin = 0 if name[0] == "." else state.origin.get(ALL, 0)
        return self.numbers.of(("start", name, origin))

    def read_cell(self, column: str, index: int) -> int:
        """The number of a cell."""
        if column in self.program.tables:
            return self.numbers.of(("table", column, index))
        cells = self.now.cells.setdefault(column, {})
        known = cells.get(index)
        if known is None:
            origin = self.now.origin
            key = ("cell", column, index, origin.get(ALL, 0), origin.get(column, 0))
            known = cells[index] = self.numbers.of(key)
        return known

    def write(self, name: str, number: int) -> None:
        """A local or scalar has a new value."""
        self.now.named[name] = number

    def write_cell(self, column: str, index: int, number: int) -> None:
        """A cell has a new value. Cells at other constant places keep theirs."""
        constants = self.numbers.constants
        kept = {
            other: known
            for other, known in self.now.cells.get(column, {}).items()
            if index in constants and other in constants and index != other
        }
        self.now.origin[column] = self.numbers.fresh()
        self.now.cells[column] = {**kept, index: number}

    def forget(self, names: Iterable[str]) -> None:
        """Something has written these."""
        state = self.now
        for name in names:
            if name == ALL:
                state.named = {key: known for key, known in state.named.items() if key[0] == "."}
                state.cells = {}
                state.origin = {ALL: self.numbers.fresh()}
            elif name in self.program.columns:
                state.cells.pop(name, None)
                state.origin[name] = self.numbers.fresh()
            else:
                state.named[name] = self.numbers.fresh()

    def joined(self, one: State | None, other: State | None) -> State | None:
        """What is known behind two ways, of which one or none goes on."""
        if one is None or other is None:
            return one or other
        named: dict[str, int] = {}
        for name in one.named.keys() | other.named.keys():
            known = one.named.get(name) or self._at_start(one, name)
            same = known == (other.named.get(name) or self._at_start(other, name))
            named[name] = known if same else self.numbers.fresh()
        origin = dict(one.origin)
        for name in one.origin.keys() | other.origin.keys():
            if one.origin.get(name) != other.origin.get(name):
                origin[name] = self.numbers.fresh()
        cells = {
            column: _same(known, other.cells.get(column)) for column, known in one.cells.items()
        }
        return State(named, cells, origin, _same(one.holders, other.holders))

    # ------------------------------------------------------------ expressions

    def expr(self, expr: flat.Expr) -> tuple[flat.Expr, int]:
        """An expression as it stands from now on, and the number of its value."""
        numbers: dict[int, int] = {}
        number = self._number(expr, numbers)
        if number:
            return self._plain(expr, numbers), number
        match expr:
            case flat.And() | flat.Or() | flat.Choose():
                return self._acting_choice(expr)
            case _:
                made: flat.Expr = self._with_parts(expr)
        self.forget(self.effects.of_node(expr))
        return made, self.numbers.fresh()

    def _number(self, expr: flat.Expr, numbers: dict[int, int]) -> int:
        """The number of an expression that only reads, 0 of another; notes those of its parts."""
        match expr:
            case flat.Num(value=value) | flat.Bits(value=value):
                number = self.numbers.constant(value)
            case flat.Var(name=name, type=type_):
                number = 0 if isinstance(type_, flat.Row) else self.read(f".{name}")
            case flat.Scalar(name=name):
                number = self.read(name)
            case flat.Cell(column=column, index=index):
                at = self._number(index, numbers)
                number = at and self.read_cell(column, at)
            case _ if isinstance(expr, _KEYED):
                parts = [self._number(getattr(expr, part), numbers) for part in _operands(expr)]
                op = getattr(expr, "op", "")
                if op in _EITHER_WAY:
                    parts.sort()
                number = self.numbers.of((type(expr), op, *parts)) if all(parts) else 0
            case _:
                number = 0
        numbers[id(expr)] = number
        return number

    def _plain(self, expr: flat.Expr, numbers: dict[int, int]) -> flat.Expr:
        """An expression that only reads, as it stands from now on."""
        if isinstance(expr, (flat.Num, flat.Bits)):
            return expr
        number = numbers[id(expr)]
        found = self.known(expr, number)
        if found is not None:
            return found
        changes: dict[str, Any] = {}
        sure = self.now.holders
        for part in _operands(expr):
            old = getattr(expr, part)
            if part == "right" and _is_taken_out(expr):
                new: flat.Expr = changed(old, index=self._plain(old.index, numbers))
            else:
                new = self._plain(old, numbers)
            if new is not old:
                changes[part] = new
            if isinstance(expr, (flat.And, flat.Or, flat.Choose)):
                if part in ("left", "condition"):
                    sure = self.now.holders
                self.now.holders = dict(sure)
        return self.seen(changed(expr, **changes), number)

    def _with_parts(self, expr: Any) -> Any:
        """A node with its parts worked out one after the other."""
        changes: dict[str, Any] = {}
        for part in _operands(expr):
            old = getattr(expr, part)
            if isinstance(old, tuple):
                changes[part] = tuple([self.expr(item)[0] for item in old])
            elif old is not None:
                changes[part] = self.expr(old)[0]
        return changed(expr, **changes)

    def _acting_choice(self, expr: flat.And | flat.Or | flat.Choose) -> tuple[flat.Expr, int]:
        """Where only one of the parts may be worked out, and one of them acts."""
        first, *others = _operands(expr)
        changes = {first: self.expr(getattr(expr, first))[0]}
        before = self.now
        after: State | None = before if len(others) == 1 else None
        for part in others:
            self.state = before.copy()
            changes[part] = self.expr(getattr(expr, part))[0]
            after = self.joined(after, self.state)
        self.state = after
        made: flat.Expr = changed(expr, **changes)
        return made, self.numbers.fresh()

    def condition(self, expr: flat.Expr) -> tuple[flat.Expr, State | None, State | None]:
        """A condition, and what is known where it holds and where it does not."""
        match expr:
            case flat.Not(operand=operand):
                new, yes, no = self.condition(operand)
                return (expr if new is operand else flat.Not(new)), no, yes
            case flat.And(left=left, right=right):
                one, self.state, left_no = self.condition(left)
                if self.state is None:
                    return one, None, left_no
                two, yes, right_no = self.condition(right)
                return flat.And(one, two), yes, self.joined(left_no, right_no)
            case flat.Or(left=left, right=right):
                one, left_yes, self.state = self.condition(left)
                if self.state is None:
                    return one, left_yes, None
                two, right_yes, no = self.condition(right)
                return flat.Or(one, two), self.joined(left_yes, right_yes), no
            case _:
                new, _number = self.expr(expr)
                return new, self.now, self.now.copy()

    # ------------------------------------------------------------ statements

    def body(self, body: flat.Body) -> flat.Body:
        """Statements, up to where nothing goes on."""
        out: list[flat.Stmt] = []
        for stmt in body:
            if self.state is None:
                break
            out.append(self.stmt(stmt))
        return tuple(out)

    def stmt(self, stmt: flat.Stmt) -> flat.Stmt:
        """A statement as it stands from now on."""
        match stmt:
            case flat.SetVar(name=name, value=value):
                new, number = self.expr(value) if not _adds_to(stmt) else self._added(value)
                self.write(f".{name}", number)
                self.now.holders[number] = (name, stmt.type)
                return changed(stmt, value=new)
            case flat.SetScalar(name=name, value=value):
                new, number = self.expr(value) if not _adds_to(stmt) else self._added(value)
                self.write(name, number)
                return changed(stmt, value=new)
            case flat.SetCell():
                return self._set_cell(stmt)
            case flat.AddCell(column=column, index=index, value=value):
                at, place = self.expr(index)
                new, number = self.expr(value)
                added = self.numbers.of(
                    (flat.Bin, "+", *sorted((self.read_cell(column, place), number)))
                )
                self.write_cell(column, place, added)
                return changed(stmt, index=at, value=new)
            case flat.If():
                return self._if(stmt)
            case flat.Return() | flat.Break() | flat.Continue():
                new_stmt: flat.Stmt = self._with_parts(stmt)
                self.state = None
                return new_stmt
            case _ if isinstance(stmt, LOOPS):
                return self._loop(stmt)
            case _:
                made: flat.Stmt = self._with_parts(stmt)
                self.forget(self.effects.of_node(stmt))
                return made

    def _added(self, value: Any) -> tuple[flat.Expr, int]:
        """The value of `x += y`: x stays what it is."""
        number = self._number(value, {})
        if _is_taken_out(value):
            right: flat.Expr = changed(value.right, index=self.expr(value.right.index)[0])
        else:
            right = self.expr(value.right)[0]
        return changed(value, right=right), number or self.numbers.fresh()

    def _set_cell(self, stmt: flat.SetCell) -> flat.Stmt:
        if _adds_to(stmt):
            at, place = self.expr(stmt.index)
            new, number = self._added(stmt.value)
            new = changed(new, left=flat.Cell(stmt.column, at, stmt.type))
        else:
            new, number = self.expr(stmt.value)
            at, place = self.expr(stmt.index)
        self.write_cell(stmt.column, place, number)
        return changed(stmt, index=at, value=new)

    def _if(self, stmt: flat.If) -> flat.Stmt:
        condition, yes, no = self.condition(stmt.condition)
        self.branches += 1
        self.state = yes
        then = self.body(stmt.then)
        after = self.state
        self.state = no
        other = self.body(stmt.other)
        self.branches -= 1
        self.state = self.joined(after, self.state)
        return flat.If(condition, then, other)

    def _loop(self, stmt: Any) -> flat.Stmt:
        """A loop: what it writes is not known at the start of a round, nor behind it."""
        changes: dict[str, Any] = {}
        if not isinstance(stmt, flat.While):
            for part in _operands(stmt):
                changes[part] = self.expr(getattr(stmt, part))[0]
        self.forget(self.effects.of_loop(stmt))
        behind = self.now.copy()
        self.loops += 1
        if isinstance(stmt, flat.While):
            changes["condition"], self.state, _no = self.condition(stmt.condition)
        changes["body"] = self.body(stmt.body)
        self.loops -= 1
        self.state = behind
        made: flat.Stmt = changed(stmt, **changes)
        return made


def _operands(node: flat.Expr | flat.Stmt) -> tuple[str, ...]:
    """The parts of a node in the order in which they are worked out."""
    kind = type(node)
    known = _OPERANDS.get(kind)
    if known is None:
        known = tuple([part for part in parts_of(node) if part not in ("op", "body")])
        _OPERANDS[kind] = known
    return known


def _is_taken_out(expr: flat.Expr) -> bool:
    """Whether a set is all but one member of another: that member is no set of its own."""
    match expr:
        case flat.SetBin(op="-", right=flat.Single(may_be_none=False)):
            return True
        case _:
            return False


def _adds_to(stmt: flat.SetVar | flat.SetScalar | flat.SetCell) -> bool:
    """Whether a statement is `x += y`, or with another operation."""
    value = stmt.value
    if not isinstance(value, (flat.Bin, flat.SetBin)) or value.op not in ("+", "-", "&", "|"):
        return False
    match stmt, value.left:
        case flat.SetVar(name=name), flat.Var(name=old):
            return name == old
        case flat.SetScalar(name=name), flat.Scalar(name=old):
            return name == old
        case flat.SetCell(column=column, index=index), flat.Cell(column=old, index=place):
            return column == old and index == place
        case _:
            return False


def _same(one: dict[int, Any], other: dict[int, Any] | None) -> dict[int, Any]:
    """What two ways have in common."""
    if other is None:
        return {}
    return {key: value for key, value in one.items() if key in other and other[key] == value}
