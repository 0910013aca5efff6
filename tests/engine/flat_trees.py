"""Random flat programs, built as trees from a seed, that keep every promise of flat core.

Numbers stay within 32 bits, indices within bounds, rows within their room; everything else is
left to chance: effects inside indices, early exits inside loops, sets of one word and of three.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from interpreter.flat import nodes as n
from interpreter.flat.exits import settle_exits

BITS = (1, 64, 65, 150)
LIMIT = 1000  # state and locals stay below this in size
PLAYERS = 3
CAP = 6
FUEL = 150  # calls per phase

Body = list[n.Stmt]
Bounded = tuple[n.Expr, int]


@dataclass
class Shape:
    """A function that may be called."""

    name: str
    params: tuple[tuple[str, n.FlatType], ...]
    gives: n.FlatType | None
    exits: bool


@dataclass
class Scope:
    """What the function being grown may use."""

    shape: Shape
    numbers: list[str] = field(default_factory=list)
    sets: dict[int, list[str]] = field(default_factory=dict)
    rows: list[str] = field(default_factory=list)
    loops: int = 0
    counters: int = 0


def grown_program(seed: int, size: int) -> n.Program:
    """The program of this seed; `size` bounds how many functions and statements it has."""
    return _Grower(seed, size).program()


class _Grower:
    def __init__(self, seed: int, size: int) -> None:
        self.random = random.Random(seed)
        self.size = size
        self.callable: list[Shape] = []
        self.scope = Scope(Shape("", (), None, False))
        self.calls_allowed = True
        self.rows_frozen = False
        self.made = n.Program(f"grown {seed}", PLAYERS)

    def program(self) -> n.Program:
        self.declare()
        plain = (("a", n.INT),)
        for number in range(1 + self.size // 8):
            kind = self.random.randrange(4)
            gives = self.random.choice((None, n.INT, *(n.Set(bits) for bits in BITS)))
            params: tuple[tuple[str, n.FlatType], ...] = plain
            if kind == 1:
                params = (("a", n.INT), ("b", n.Set(65)), ("c", n.Set(1)))
            elif kind == 2:
                params = (("a", n.INT), ("r", n.Row(CAP)))
            self.function(Shape(f"f{number}", params, gives, self.random.random() < 0.4))
        for number in range(3):
            self.function(Shape(f"value{number}", plain, n.INT, False))
            self.function(Shape(f"doing{number}", plain, n.INT, number == 1))
        self.made.dispatch["by_value"] = ("value0", "value1", "value2")
        self.made.dispatch["by_doing"] = ("doing0", "doing1", "doing2")
        seat = (("seat", n.INT), ("a", n.INT), ("b", n.Set(150)))
        for strategy in ("bold", "shy"):
            self.function(Shape(f"ask_{strategy}", seat, n.INT, False))
            self.made.strategies[strategy] = {"ask": f"ask_{strategy}"}
        self.made.sites["ask"] = n.Site("ask", "ask", "pick", (), (), True)
        self.function(Shape("run_phase", (), None, True))
        self.ends()
        settle_exits(self.made)
        return self.made

    def declare(self) -> None:
        made, pick = self.made, self.random
        for name in ("phases", "questions", "fault", "x", "y"):
            made.scalars[name] = n.ScalarDecl(name, n.INT, 0, "state")
        made.scalars["fuel"] = n.ScalarDecl("fuel", n.INT, FUEL, "scratch")
        made.columns["num"] = n.ColumnDecl("num", n.INT, tuple(range(-3, 5)), "state", free=(2, 7))
        made.columns["sums"] = n.ColumnDecl("sums", n.INT, (0,) * 5, "state")
        made.columns["seen"] = n.ColumnDecl("seen", n.INT, (0,) * 5, "measure")
        made.columns["spare"] = n.ColumnDecl("spare", n.INT, (1, 2, 3, 4), "scratch")
        made.columns["bot_count"] = n.ColumnDecl("bot_count", n.INT, (0,) * PLAYERS, "state")
        made.tables["facts"] = n.Table(
            "facts", n.INT, tuple(pick.randrange(-LIMIT, LIMIT) for _ in range(12))
        )
        for bits in BITS:
            kind = n.Set(bits)
            some = tuple(pick.getrandbits(bits) for _ in range(4))
            made.scalars[f"s{bits}"] = n.ScalarDecl(f"s{bits}", kind, some[0], "state")
            free = (1,) if bits == 150 else ()
            made.columns[f"c{bits}"] = n.ColumnDecl(f"c{bits}", kind, some, "state", free=free)
            made.tables[f"t{bits}"] = n.Table(f"t{bits}", kind, some)
        made.rows["pile"] = n.RowsDecl("pile", 3, CAP, ((1, 2, 3), (), (5, 5, -7, 8, 9, 10)))
        made.streams = ("dice", "deck")

    def ends(self) -> None:
        functions = self.made.functions
        functions["winners"] = n.Function(
            "winners", (), (n.Return(n.Single(self.number_of("x", PLAYERS), PLAYERS)),), n.Set(3)
        )
        functions["score"] = n.Function(
            "score",
            (("p", n.INT),),
            (n.Return(n.Bin("-", n.Scalar("y"), n.Var("p"))),),
            n.INT,
        )
        functions["check_always"] = n.Function(
            "check_always",
            (),
            (n.Return(n.Bin("==", n.Bin("%", n.Scalar("x"), n.Num(7)), n.Num(6))),),
            n.INT,
        )

    def number_of(self, scalar: str, below: int) -> n.Expr:
        return n.Bin("%", n.Scalar(scalar), n.Num(below))

    # ------------------------------------------------------------ functions

    def function(self, shape: Shape) -> None:
        self.scope = Scope(shape, sets={bits: [] for bits in BITS})
        body: Body = [
            n.If(n.Bin("<=", n.Scalar("fuel"), n.Num(0)), tuple(self.leave(shape, zero=True))),
            n.SetScalar("fuel", n.Bin("-", n.Scalar("fuel"), n.Num(1))),
        ]
        if shape.name == "run_phase":
            body.insert(0, n.SetScalar("phases", n.Bin("+", n.Scalar("phases"), n.Num(1))))
            body.insert(0, n.SetScalar("fuel", n.Num(FUEL)))
        for name, kind in shape.params:
            self.know(name, kind)
        for name in ("i", "j", "k"):
            body.append(n.SetVar(name, n.Num(self.random.randrange(-9, 10))))
            self.know(name, n.INT)
        for bits in BITS:
            value = n.Bits(self.random.getrandbits(bits), bits)
            body.append(n.SetVar(f"m{bits}", value, n.Set(bits)))
            self.know(f"m{bits}", n.Set(bits))
        if self.random.random() < 0.6:
            body.append(n.NewRow("line", CAP))
            self.scope.rows.append("line")
        if shape.name == "run_phase":
            for called in list(self.callable):
                body += self.do_call(called)
                body += self.statement(0)
        body += self.body(1 + self.random.randrange(2 + self.size // 4), 0)
        body += self.observe()
        body += self.leave(shape, zero=False) if self.random.random() < 0.8 else []
        self.made.functions[shape.name] = n.Function(
            shape.name, shape.params, tuple(body), shape.gives
        )
        if shape.name != "run_phase" and not shape.name.startswith("ask_"):
            self.callable.append(shape)

    def observe(self) -> Body:
        """Lets what a function computed show in the state."""
        shown: list[n.Expr] = [n.Var(name) for name in ("i", "j", "k")]
        for bits in BITS:
            some = n.Var(f"m{bits}", n.Set(bits))
            shown += (n.First(some), n.Count(some))
        return [n.AddCell("sums", self.below(5, 0), value) for value in shown]

    def know(self, name: str, kind: n.FlatType) -> None:
        if isinstance(kind, n.Set):
            self.scope.sets[kind.bits].append(name)
        elif isinstance(kind, n.Row):
            self.scope.rows.append(name)
        else:
            self.scope.numbers.append(name)

    def leave(self, shape: Shape, *, zero: bool) -> Body:
        """The end of a function, or of one of its branches."""
        if shape.gives is None:
            return [n.Return()]
        if isinstance(shape.gives, n.Set):
            bits = shape.gives.bits
            return [n.Give(n.Bits(0, bits) if zero else self.set(bits, 2))]
        return [n.Give(n.Num(0) if zero else self.small(2))]

    # ------------------------------------------------------------ statements

    def body(self, count: int, depth: int) -> Body:
        body: Body = []
        for _ in range(count):
            body += self.statement(depth)
        return body

    def statement(self, depth: int) -> Body:
        plain: list[Callable[[], Body]] = [
            *(self.set_number, self.set_set, self.set_scalar, self.set_cell, self.add_cell),
            *(self.break_or_continue, self.run),
        ]
        if not self.rows_frozen:
            plain += [self.row_change, self.row_change]
        if self.calls_allowed:
            plain += [self.do, self.do]
        nested: list[Callable[[int], Body]] = [
            *(self.if_, self.if_, self.while_, self.for_range, self.for_set, self.for_row),
            *(self.for_table, self.leave_early),
        ]
        if depth < 3 and self.random.random() < 0.4:
            return self.random.choice(nested)(depth + 1)
        return self.random.choice(plain)()

    def set_number(self) -> Body:
        return [n.SetVar(self.random.choice(("i", "j", "k")), self.small(3))]

    def set_set(self) -> Body:
        bits = self.random.choice(BITS)
        return [n.SetVar(f"m{bits}", self.set(bits, 3), n.Set(bits))]

    def set_scalar(self) -> Body:
        if self.random.random() < 0.5:
            return [n.SetScalar(self.random.choice("xy"), self.small(3))]
        bits = self.random.choice(BITS)
        return [n.SetScalar(f"s{bits}", self.set(bits, 3), n.Set(bits))]

    def set_cell(self) -> Body:
        if self.random.random() < 0.5:
            name, size = self.random.choice((("num", 8), ("spare", 4)))
            return [n.SetCell(name, self.below(size, 2), self.small(3))]
        bits = self.random.choice(BITS)
        return [n.SetCell(f"c{bits}", self.below(4, 2), self.set(bits, 3), n.Set(bits))]

    def add_cell(self) -> Body:
        column = self.random.choice(("sums", "seen"))
        return [n.AddCell(column, self.below(5, 2), self.small(2))]

    def break_or_continue(self) -> Body:
        if not self.scope.loops:
            return []
        way = n.Break() if self.random.random() < 0.5 else n.Continue()
        return [n.If(self.flag(2), (way,))]

    def run(self) -> Body:
        return [n.Run(self.small(2) if self.random.random() < 0.5 else self.set(150, 2))]

    def do(self) -> Body:
        may_leave = self.scope.shape.exits
        catch = self.random.choice((0, 0, 3, 4))
        names = [shape.name for shape in self.callable]
        if may_leave and "doing2" in names and self.random.random() < 0.3:
            call: n.Expr = n.CallBy("by_doing", self.below(3, 1), (self.small(1),))
            return [n.Do(call, self.random.choice((None, "i")), catch=catch)]
        fitting = [shape for shape in self.callable if may_leave or not shape.exits]
        return self.do_call(self.random.choice(fitting), catch) if fitting else []

    def do_call(self, shape: Shape, catch: int = 0) -> Body:
        call = self.call(shape, 2)
        if isinstance(shape.gives, n.Set):
            return [n.Do(call, f"m{shape.gives.bits}", shape.gives, catch)]
        result = "j" if shape.gives is not None and self.random.random() < 0.7 else None
        return [n.Do(call, result, catch=catch)]

    def row_change(self) -> Body:
        row = self.row()
        count = n.RowCount(row)
        with self.no_calls():
            room = n.Bin("<", count, n.Num(CAP))
            some = n.Bin(">", count, n.Num(0))
            where = n.Bin("%", self.small(1), n.Bin("max", count, n.Num(1)))
            before = n.Bin("%", self.small(1), n.Bin("+", count, n.Num(1)))
            changes: list[n.Stmt] = [
                n.If(room, (n.RowPush(row, self.small(2)),)),
                n.If(room, (n.RowPush(row, self.small(2), top=True),)),
                n.If(room, (n.RowInsert(row, before, self.small(1)),)),
                n.If(some, (n.RowSet(row, where, self.small(2)),)),
                n.RowRemove(row, self.small(1)),
                n.RowRemove(row, self.item(row)),
                n.RowClear(row),
                n.RowShuffle(row, self.random.randrange(2)),
            ]
        return [self.random.choice(changes)]

    def if_(self, depth: int) -> Body:
        then = self.body(self.random.randrange(3), depth)
        other = self.body(self.random.randrange(3), depth)
        return [n.If(self.flag(3), tuple(then), tuple(other))]

    def leave_early(self, depth: int) -> Body:
        shape = self.scope.shape
        if shape.exits and self.random.random() < 0.7:
            code: n.Expr = n.Num(self.random.choice((0, 1, 3, 3, 4, 4, 5)))
            if self.random.random() < 0.2:
                code = n.Bin("+", self.below(3, 1), n.Num(2))
            return [n.If(self.flag(2), (n.Exit(code),))]
        return [n.If(self.flag(2), tuple(self.leave(shape, zero=False)))]

    def while_(self, depth: int) -> Body:
        self.scope.counters += 1
        counter = f"w{self.scope.counters}"
        limit = n.Bin("<", n.Var(counter), n.Num(self.random.randrange(5)))
        step = n.SetVar(counter, n.Bin("+", n.Var(counter), n.Num(1)))
        body = self.loop_body(depth)
        condition = n.And(limit, self.flag(2)) if self.random.random() < 0.5 else limit
        return [n.SetVar(counter, n.Num(0)), n.While(condition, (step, *body))]

    def for_range(self, depth: int) -> Body:
        step: n.Expr = n.Num(1 + self.random.randrange(3))
        if self.random.random() < 0.3:
            step = n.Bin("+", self.below(3, 1), n.Num(1))
        if self.random.random() < 0.5:
            low: n.Expr = n.Num(self.random.randrange(-3, 4))
            high: n.Expr = n.Num(self.random.randrange(-3, 6))
        else:
            low, high = self.below(5, 2), self.below(7, 2)
        return [n.ForRange("k", low, high, step, self.loop_body(depth))]

    def for_set(self, depth: int) -> Body:
        return [n.ForSet("i", self.set(self.random.choice(BITS), 2), self.loop_body(depth))]

    def for_row(self, depth: int) -> Body:
        row = self.row()
        with self.no_calls(), self.frozen_rows():
            return [n.ForRow("j", row, self.loop_body(depth))]

    def for_table(self, depth: int) -> Body:
        if self.random.random() < 0.5:
            width = self.random.choice((1, 2, 3, 4))
            body = self.loop_body(depth)
            return [n.ForTable("j", "facts", self.below(12 // width, 2), width, body)]
        bits = self.random.choice(BITS)
        return [n.ForTable(f"m{bits}", f"t{bits}", self.below(2, 1), 2, self.loop_body(depth))]

    def loop_body(self, depth: int) -> n.Body:
        self.scope.loops += 1
        body = tuple(self.body(1 + self.random.randrange(3), depth))
        self.scope.loops -= 1
        return body

    @contextmanager
    def no_calls(self) -> Iterator[None]:
        before, self.calls_allowed = self.calls_allowed, False
        yield
        self.calls_allowed = before

    @contextmanager
    def frozen_rows(self) -> Iterator[None]:
        before, self.rows_frozen = self.rows_frozen, True
        yield
        self.rows_frozen = before

    # ------------------------------------------------------------ rows

    def row(self) -> n.Expr:
        if self.scope.rows and self.random.random() < 0.5:
            return n.Var(self.random.choice(self.scope.rows), n.Row(CAP))
        with self.no_calls():
            index = n.Num(self.random.randrange(3))
            return n.RowAt("pile", index if self.random.random() < 0.5 else self.below(3, 1), CAP)

    def item(self, row: n.Expr) -> n.Expr:
        """An item of a row, or a number if it is empty."""
        count = n.RowCount(row)
        with self.no_calls():
            place = n.Bin("%", self.small(1), n.Bin("max", count, n.Num(1)))
            return n.Choose(n.Bin(">", count, n.Num(0)), n.RowItem(row, place), self.small(1))

    # ------------------------------------------------------------ expressions

    def small(self, depth: int) -> n.Expr:
        """A number below LIMIT in size."""
        expr, bound = self.number(depth)
        if bound < LIMIT:
            return expr
        return n.Bin("%", expr, n.Num(self.random.choice((LIMIT - 1, 512, -(LIMIT - 1)))))

    def below(self, count: int, depth: int) -> n.Expr:
        if depth == 0 or self.random.random() < 0.3:
            edges = [edge for edge in (0, 63, 64, 127, 128, count - 1) if edge < count]
            number = self.random.choice((*edges, self.random.randrange(count)))
            return n.Num(number) if self.random.random() < 0.5 else self.hidden(number)
        return n.Bin("%", self.number(depth - 1)[0], n.Num(count))

    def hidden(self, number: int) -> n.Expr:
        """A number that no printer can see through."""
        return n.Bin("+", n.Bin("%", n.Scalar("phases"), n.Num(1)), n.Num(number))

    def number(self, depth: int) -> Bounded:
        """A number and a bound of its size."""
        if depth <= 0 or self.random.random() < 0.15:
            return self.leaf()
        return self.random.choice(
            (
                *(
                    self.sum,
                    self.sum,
                    self.product,
                    self.division,
                    self.division,
                    self.bitwise,
                    self.least,
                ),
                *(self.chosen, self.truth, self.truth, self.of_set, self.of_set, self.of_row),
                *(self.mul_div, self.called, self.called, self.drawn),
            )
        )(depth - 1)

    def leaf(self) -> Bounded:
        kind = self.random.randrange(6)
        if kind == 0 and self.scope.numbers:
            return n.Var(self.random.choice(self.scope.numbers)), LIMIT
        if kind == 1:
            return n.Scalar(self.random.choice("xy")), LIMIT
        if kind == 2:
            return n.Cell("num", n.Num(self.random.randrange(8))), LIMIT
        if kind == 3:
            return n.Cell("facts", n.Num(self.random.randrange(12))), LIMIT
        if kind == 4:
            where = n.Num(self.random.randrange(5))
            return n.Bin("%", n.Cell("sums", where), n.Num(LIMIT)), LIMIT
        value = self.random.choice((0, 1, -1, 2, self.random.randrange(-LIMIT, LIMIT)))
        return n.Num(value), abs(value)

    def sum(self, depth: int) -> Bounded:
        (left, one), (right, other) = self.number(depth), self.number(depth)
        if one + other > 1 << 29:
            return left, one
        return n.Bin(self.random.choice(("+", "-")), left, right), one + other

    def product(self, depth: int) -> Bounded:
        (left, one), (right, other) = self.number(depth), self.number(depth)
        if self.random.random() < 0.2 and one < 1 << 20:
            return n.Bin("<<", left, n.Num(self.random.randrange(6))), one * 32
        return (n.Bin("*", left, right), one * other) if one * other < 1 << 29 else (left, one)

    def division(self, depth: int) -> Bounded:
        left, bound = self.number(depth)
        op = self.random.choice(("//", "//", "%", "%", ">>"))
        if op == ">>":
            return n.Bin(">>", left, n.Num(self.random.randrange(10))), bound
        if self.random.random() < 0.6:
            value = self.random.choice((1, 2, 3, 7, 8, 10, 64, 100, -1, -2, -3, -8, -100))
            return n.Bin(op, left, n.Num(value)), max(bound, abs(value)) + 1
        right, by = self.number(depth)
        return n.Bin(op, left, n.Bin("|", right, n.Num(1))), max(bound, 2 * by) + 2

    def bitwise(self, depth: int) -> Bounded:
        (left, one), (right, other) = self.number(depth), self.number(depth)
        return n.Bin(self.random.choice(("&", "|")), left, right), 2 * max(one, other) + 1

    def least(self, depth: int) -> Bounded:
        (left, one), (right, other) = self.number(depth), self.number(depth)
        return n.Bin(self.random.choice(("min", "max")), left, right), max(one, other)

    def chosen(self, depth: int) -> Bounded:
        (left, one), (right, other) = self.number(depth), self.number(depth)
        return n.Choose(self.flag(depth), left, right), max(one, other)

    def truth(self, depth: int) -> Bounded:
        return self.flag(depth), 1

    def of_set(self, depth: int) -> Bounded:
        bits = self.random.choice(BITS)
        some = self.set(bits, depth)
        return (n.Count(some) if self.random.random() < 0.5 else n.First(some)), bits + 1

    def of_row(self, depth: int) -> Bounded:
        row = self.row()
        return (n.RowCount(row), CAP) if self.random.random() < 0.4 else (self.item(row), LIMIT)

    def mul_div(self, depth: int) -> Bounded:
        parts = [n.Bin("%", self.number(depth)[0], n.Num(1 << 15)) for _ in range(3)]
        by = n.Bin("+", parts[2], n.Num(1 << 8))
        return n.MulDiv(parts[0], parts[1], by), 1 << 22

    def drawn(self, depth: int) -> Bounded:
        if not self.calls_allowed:
            return self.leaf()
        n_ = n.Bin("+", self.below(10, depth), n.Num(1))
        kind = self.random.randrange(3)
        if kind == 0:
            return n.Draw(self.random.randrange(2), n_), 10
        if kind == 1:
            return n.BotDraw(self.below(PLAYERS, depth), n_), 10
        if "ask" not in self.made.sites or self.scope.shape.name.startswith("ask_"):
            return self.leaf()
        args = (self.small(depth), self.set(150, depth))
        return n.AskSeat("ask", self.below(PLAYERS, depth), args), LIMIT

    def called(self, depth: int) -> Bounded:
        names = [shape.name for shape in self.callable]
        if not self.calls_allowed:
            return self.leaf()
        if "value2" in names and self.random.random() < 0.4:
            return n.CallBy("by_value", self.below(3, depth), (self.small(depth),)), LIMIT
        fitting = [
            shape
            for shape in self.callable
            if shape.gives == n.INT and not shape.exits and not shape.name.startswith("doing")
        ]
        if not fitting:
            return self.leaf()
        return self.call(self.random.choice(fitting), depth), LIMIT

    def call(self, shape: Shape, depth: int) -> n.Expr:
        args: list[n.Expr] = []
        for _, kind in shape.params:
            if isinstance(kind, n.Set):
                args.append(self.set(kind.bits, depth))
            elif isinstance(kind, n.Row):
                args.append(self.row())
            else:
                args.append(self.small(depth))
        return n.Call(shape.name, tuple(args))

    def flag(self, depth: int) -> n.Expr:
        kind = self.random.randrange(9) if depth > 0 else 0
        if kind <= 1:
            op = self.random.choice(("==", "!=", "<", "<=", ">", ">="))
            return n.Bin(op, self.number(depth - 1)[0], self.number(depth - 1)[0])
        if kind == 2:
            return n.And(self.flag(depth - 1), self.flag(depth - 1))
        if kind == 3:
            return n.Or(self.flag(depth - 1), self.flag(depth - 1))
        if kind == 4:
            return n.Not(self.flag(depth - 1))
        bits = self.random.choice(BITS)
        some = self.set(bits, depth - 1)
        if kind == 5:
            return n.Has(some, self.below(bits, depth - 1))
        if kind == 6:
            return n.IsEmpty(some)
        if kind == 7:
            other = self.set(bits, depth - 1)
            return n.Within(some, other) if self.random.random() < 0.5 else n.SameSet(some, other)
        return n.RowHas(self.row(), self.small(depth - 1))

    def set(self, bits: int, depth: int) -> n.Expr:
        kind = self.random.randrange(9) if depth > 0 else self.random.randrange(4)
        if kind == 0:
            return n.Var(self.random.choice(self.scope.sets[bits]), n.Set(bits))
        if kind == 1:
            return n.Scalar(f"s{bits}", n.Set(bits))
        if kind == 2:
            return n.Bits(self.random.choice((0, self.random.getrandbits(bits))), bits)
        if kind == 3:
            name = self.random.choice("ct")
            return n.Cell(f"{name}{bits}", self.below(4, depth), n.Set(bits))
        if kind <= 5:
            op = self.random.choice(("&", "|", "-"))
            return n.SetBin(op, self.set(bits, depth - 1), self.set(bits, depth - 1))
        if kind == 6:
            index = self.below(bits, depth - 1)
            if self.random.random() < 0.5:
                return n.Single(n.Bin("-", index, n.Num(1)), bits, may_be_none=True)
            return n.Single(index, bits)
        fitting = [
            shape
            for shape in self.callable
            if shape.gives == n.Set(bits) and not shape.exits and self.calls_allowed
        ]
        if kind == 7 and fitting:
            return self.call(self.random.choice(fitting), depth - 1)
        return n.Choose(self.flag(depth - 1), self.set(bits, depth - 1), self.set(bits, depth - 1))
