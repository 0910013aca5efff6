"""The verifier of flat core: what must be true of every program that lowering or a pass leaves.

Printers take it for granted, so a pass that breaks it makes programs that are wrong in silence:
a local that nobody set is an error in Python and 0 in WebAssembly. Tests run it between passes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from interpreter.flat.analysis.components import callees, closing_calls
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import all_nodes, parts_of, set_names
from interpreter.flat.passes.recursion_guard import DEPTH, ROOT
from interpreter.flat.pipeline import Fact
from interpreter.flat.plan.numbering import FAULT, GAME_OVER

LOWEST, HIGHEST = -(1 << 31), (1 << 31) - 1


class Malformed(Exception):
    """A program that is none. Its text says what is wrong, one thing a line."""


def verify(program: flat.Program, holds: Collection[Fact]) -> None:
    """Raises Malformed if a program is not what it must be where these facts hold."""
    wrong = [*_declared(program), *_referred(program)]
    for name, function in program.functions.items():
        wrong += [f"{name}: {words}" for words in _of_function(program, function, holds)]
    wrong += _exits(program) if "exits" in holds else ()
    wrong += _unguarded(program) if "guarded" in holds else ()
    if wrong:
        raise Malformed("\n".join(dict.fromkeys(wrong)))


# ---------------------------------------------------------------- the program


def _declared(program: flat.Program) -> Iterator[str]:
    """What is wrong with names and cells."""
    groups = (program.scalars, program.columns, program.rows, program.tables, program.functions)
    for group in groups:
        yield from (f"{key} is called {one.name}" for key, one in group.items() if key != one.name)
    places = [name for group in groups[:4] for name in group]
    yield from (f"two things are called {name}" for name in places if places.count(name) > 1)
    for scalar in program.scalars.values():
        yield from _fits(scalar.name, scalar.type, (scalar.initial,))
    for column in program.columns.values():
        yield from _fits(column.name, column.type, column.initial)
    for table in program.tables.values():
        yield from _fits(table.name, table.type, table.values)
    for rows in program.rows.values():
        if len(rows.initial) != rows.count or any(len(row) > rows.cap for row in rows.initial):
            yield f"{rows.name} has other rows than it says"


def _fits(name: str, type_: flat.FlatType, values: tuple[int, ...]) -> Iterator[str]:
    low, high = (0, (1 << type_.bits) - 1) if isinstance(type_, flat.Set) else (LOWEST, HIGHEST)
    if any(not low <= value <= high for value in values):
        yield f"{name} has values that do not fit its type"


def _referred(program: flat.Program) -> Iterator[str]:
    """What is wrong with what is named outside of functions."""
    for table, names in program.dispatch.items():
        if any(name not in program.functions for name in names):
            yield f"{table} names functions that are none"
        elif len({_signature(program.functions[name]) for name in names}) > 1:
            yield f"the functions of {table} take or give different things"
    for strategy, sites in program.strategies.items():
        for site, name in sites.items():
            if site not in program.sites or name not in program.functions:
                yield f"{strategy} answers {site} with {name}: there is no such site or function"


def _signature(function: flat.Function) -> object:
    return tuple(type_ for _, type_ in function.params), function.gives


def _exits(program: flat.Program) -> Iterator[str]:
    """Exits that nobody catches."""
    nodes = [node for one in program.functions.values() for node in all_nodes(one.body)]
    caught = {GAME_OVER, FAULT, 0} | {node.catch for node in nodes if isinstance(node, flat.Do)}
    for node in nodes:
        if isinstance(node, flat.Exit) and isinstance(node.code, flat.Num):
            code = node.code.value
            if code not in caught:
                yield f"the exit {code} is caught nowhere"


def _unguarded(program: flat.Program) -> Iterator[str]:
    """Circles of calls through functions that do not count their depth."""
    counting = {
        name
        for name, function in program.functions.items()
        if any(
            isinstance(node, flat.SetScalar) and node.name == DEPTH
            for node in all_nodes(function.body)
        )
    } - {ROOT}
    graph = {
        name: [
            one
            for one in callees(program, function)
            if one in program.functions and one not in counting
        ]
        for name, function in program.functions.items()
        if name not in counting
    }
    for caller, called in closing_calls(graph, ()):
        yield f"{caller} calls {called} in a circle without counting"


# ---------------------------------------------------------------- functions


def _of_function(
    program: flat.Program, function: flat.Function, holds: Collection[Fact]
) -> list[str]:
    names = [name for name, _ in function.params]
    wrong = ["two parameters have one name"] if len(set(names)) < len(names) else []
    checking = _Checking(program, function, holds)
    goes_on = checking.body(function.body, frozenset(names), None)
    if function.gives is not None and goes_on is not None and not function.exits:
        wrong.append("it comes to its end without giving anything")
    return [*wrong, *checking.wrong]


_Set = frozenset[str]
"""The locals that are set on some way: a flag may say later whether one was."""


def _joined(ways: Iterable[_Set | None]) -> _Set | None:
    """What is set where ways meet; None of those that lead nowhere."""
    there = [way for way in ways if way is not None]
    return frozenset().union(*there) if there else None


def _set_in(body: flat.Body) -> _Set:
    """What the rounds of a loop before may have set."""
    return frozenset(set_names(all_nodes(body)))


class _Checking:
    """Goes through a function in the order in which it runs."""

    def __init__(
        self, program: flat.Program, function: flat.Function, holds: Collection[Fact]
    ) -> None:
        self.program = program
        self.function = function
        self.holds = holds
        self.types: dict[str, flat.FlatType] = dict(function.params)
        self.wrong: list[str] = []

    def say(self, words: str) -> None:
        self.wrong.append(words)

    # ------------------------------------------------------------ statements

    def body(self, body: flat.Body, known: _Set, breaks: list[_Set] | None) -> _Set | None:
        """The locals that are set behind a body; None if nothing behind it is reached. `breaks`:
        takes what is set where the loop around it is left; None outside of loops."""
        now: _Set | None = known
        for stmt in body:
            if now is None:
                return None
            now = self.stmt(stmt, now, breaks)
        return now

    def stmt(self, stmt: flat.Stmt, known: _Set, breaks: list[_Set] | None) -> _Set | None:
        for part in parts_of(stmt):
            value = getattr(stmt, part)
            if flat.is_expr(value):
                self.type(value, known)
            elif part == "values":
                for one in value:
                    self.type(one, known)
        match stmt:
            case flat.If(then=then, other=other):
                ways = [self.body(then, known, breaks), self.body(other, known, breaks)]
                return _joined(ways)
            case flat.While(condition=condition, body=inner):
                left: list[_Set] = []
                end = self.body(inner, known | _set_in(inner), left)
                return _joined(left if condition == flat.Num(1) else [*left, known, end])
            case flat.ForRange() | flat.ForSet() | flat.ForRow() | flat.ForTable():
                self.is_of(stmt.name, flat.INT)
                left = [known]
                end = self.body(stmt.body, known | {stmt.name} | _set_in(stmt.body), left)
                return _joined([*left, end])
            case flat.Break() | flat.Continue():
                if breaks is None:
                    self.say("a jump out of no loop")
                elif isinstance(stmt, flat.Break):
                    breaks.append(known)
                return None
            case flat.Give() | flat.Exit() | flat.Return():
                self.leaves(stmt, known)
                return None
            case _:
                self.sets(stmt, known)
                return known | self.named(stmt)

    def named(self, stmt: flat.Stmt) -> _Set:
        """The local that a statement sets."""
        match stmt:
            case flat.SetVar(name=name, type=type_):
                self.is_of(name, type_)
                return frozenset((name,))
            case flat.NewRow(name=name, cap=cap):
                self.is_of(name, flat.Row(cap))
                return frozenset((name,))
            case flat.Do(result=str(name), result_type=type_):
                self.is_of(name, type_)
                return frozenset((name,))
            case _:
                return frozenset()

    def is_of(self, name: str, type_: flat.FlatType) -> None:
        """A local has one type in all of a function."""
        if not _same(self.types.setdefault(name, type_), type_):
            self.say(f"{name} is {self.types[name]} and {type_}")

    def leaves(self, stmt: flat.Stmt, known: _Set) -> None:
        match stmt:
            case flat.Return(value=value):
                if "codes" not in self.holds and "exits" in self.holds:
                    self.say("a return before exits are codes")
                elif value is not None and not self.function.exits:
                    self.fits("what is returned", self.type(value, known), self.function.gives)
            case flat.Give(value=value):
                self.only_before(stmt)
                self.fits("what is given", self.type(value, known), self.function.gives)
            case _:
                self.only_before(stmt)

    def only_before(self, stmt: flat.Stmt) -> None:
        if "exits" not in self.holds:
            self.say(f"{type(stmt).__name__} where exits are codes")

    def sets(self, stmt: flat.Stmt, known: _Set) -> None:
        """What is wrong with a statement that goes on."""
        match stmt:
            case flat.WriteMarker():
                self.say("a note of a write is left")
            case flat.SetVar(value=value, type=type_):
                self.fits(stmt.name, self.type(value, known), type_)
            case flat.SetScalar(name=name, value=value, type=type_):
                found = self.program.scalars.get(name)
                self.fits(f"scalar {name}", found.type if found else None, type_)
                self.fits(name, self.type(value, known), type_)
            case flat.SetCell(column=name, value=value, type=type_):
                self.fits(f"column {name}", self.column(name), type_)
                self.fits(name, self.type(value, known), type_)
            case flat.AddCell(column=name):
                self.fits(f"column {name}", self.column(name), flat.INT)
            case flat.RowShuffle(keys=name):
                table = self.program.tables.get(name)
                self.fits(f"table {name}", table.type if table else None, flat.Set(64))
            case flat.Do(call=call, result=result, result_type=type_):
                self.only_before(stmt)
                gives = self.called(call, known)
                if result is not None:
                    self.fits(result, gives, type_)
            case _:
                pass

    def column(self, name: str) -> flat.FlatType | None:
        found = self.program.columns.get(name)
        return found.type if found else None

    def fits(self, what: str, found: flat.FlatType | None, wanted: flat.FlatType | None) -> None:
        if found is None or wanted is None or not _fits_in(found, wanted):
            self.say(f"{what} is {found}, not {wanted}")

    # ------------------------------------------------------------ expressions

    def type(self, expr: flat.Expr, known: _Set) -> flat.FlatType | None:
        """The type of an expression, once all in it is looked at; None for nothing."""
        kinds = [self.type(part, known) for part in _operands(expr)]
        match expr:
            case flat.Num(value=value):
                if not LOWEST <= value <= HIGHEST:
                    self.say(f"{value} is too large")
                return flat.INT
            case flat.Bits(value=value, bits=bits):
                if not 0 <= value < 1 << bits:
                    self.say(f"{value:#x} is no set of {bits}")
                return flat.Set(bits)
            case flat.Var(name=name, type=type_):
                if name not in known:
                    self.say(f"{name} is read before it is set")
                elif not _same(self.types.get(name, type_), type_):
                    self.say(f"{name} is {self.types[name]}, not {type_}")
                return type_
            case flat.Scalar(name=name, type=type_):
                found = self.program.scalars.get(name)
                self.fits(f"scalar {name}", found.type if found else None, type_)
                return type_
            case flat.Cell(column=name, type=type_):
                table = self.program.tables.get(name)
                self.fits(f"column {name}", table.type if table else self.column(name), type_)
                self.place(expr)
                return type_
            case flat.RowAt(column=name, cap=cap):
                rows = self.program.rows.get(name)
                if rows is None or rows.cap != cap:
                    self.say(f"there are no rows {name} of {cap}")
                return flat.Row(cap)
            case flat.Choose():
                if isinstance(kinds[1], flat.Set):
                    return self.set_of("|", kinds[1], kinds[2])
                self.fits("one of a choice", kinds[1], kinds[2])
                return kinds[1]
            case flat.SetBin(op=op):
                return self.set_of(op, kinds[0], kinds[1])
            case flat.Within() | flat.SameSet():
                self.set_of("&", kinds[0], kinds[1])
                return flat.INT
            case flat.Single(bits=bits):
                return flat.Set(bits)
            case flat.Call() | flat.CallBy() | flat.AskSeat():
                return self.called(expr, known)
            case _:
                return flat.INT

    def set_of(
        self, op: str, left: flat.FlatType | None, right: flat.FlatType | None
    ) -> flat.FlatType | None:
        """The type of two sets together."""
        if not isinstance(left, flat.Set) or not isinstance(right, flat.Set):
            self.say(f"{left} {op} {right}: both must be sets")
            return left if isinstance(left, flat.Set) else right
        if op == "-":
            return left
        return flat.Set((min if op == "&" else max)(left.bits, right.bits))

    def place(self, cell: flat.Cell) -> None:
        """A constant place is there."""
        if isinstance(cell.index, flat.Num):
            table, column = (
                self.program.tables.get(cell.column),
                self.program.columns.get(cell.column),
            )
            size = len(table.values) if table else len(column.initial) if column else 0
            if not 0 <= cell.index.value < size:
                self.say(f"{cell.column} has no place {cell.index.value}")

    def called(self, call: flat.Expr, known: _Set) -> flat.FlatType | None:
        """What a call gives, once what it is given fits."""
        given: list[flat.FlatType | None]
        match call:
            case flat.Call(function=name, args=args):
                names: tuple[str, ...] = (name,)
                given = [self.type(arg, known) for arg in args]
            case flat.CallBy(table=table, args=args):
                names = self.program.dispatch.get(table, ())
                given = [self.type(arg, known) for arg in args]
            case flat.AskSeat(site=site, args=args):
                if site not in self.program.sites:
                    self.say(f"there is no site {site}")
                answers = self.program.strategies.values()
                names = tuple(sites[site] for sites in answers if site in sites)
                given = [flat.INT, *(self.type(arg, known) for arg in args)]
            case _:
                self.say("a call of nothing")
                return None
        found = [self.program.functions.get(name) for name in names]
        for name, function in zip(names, found, strict=True):
            wanted = None if function is None else [type_ for _, type_ in function.params]
            if wanted is None:
                self.say(f"there is no function {name}")
            elif len(wanted) != len(given):
                self.say(f"{name} takes {len(wanted)}, and is given {len(given)}")
            else:
                for type_, one in zip(wanted, given, strict=True):
                    self.fits(f"what {name} takes", one, type_)
        first = next((function for function in found if function is not None), None)
        if isinstance(call, flat.AskSeat):
            return flat.INT
        if first is None or first.exits:
            return flat.INT
        return first.gives


def _same(one: flat.FlatType, other: flat.FlatType) -> bool:
    """Whether a value of one type can stand for the other: all rows are addresses."""
    return one == other or (isinstance(one, flat.Row) and isinstance(other, flat.Row))


def _fits_in(found: flat.FlatType, wanted: flat.FlatType) -> bool:
    """Whether a value fits where another type stands: a set may be of fewer."""
    if isinstance(found, flat.Set) and isinstance(wanted, flat.Set):
        return found.bits <= wanted.bits
    return _same(found, wanted)


def _operands(expr: flat.Expr) -> list[flat.Expr]:
    """The parts of an expression; not the arguments of calls, which are looked at with them."""
    if isinstance(expr, (flat.Call, flat.CallBy, flat.AskSeat)):
        first = [getattr(expr, part) for part in parts_of(expr) if part != "args"]
    else:
        first = [getattr(expr, part) for part in parts_of(expr)]
    return [part for part in first if flat.is_expr(part)]


__all__ = ["Malformed", "verify"]
