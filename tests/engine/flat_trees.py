"""Random flat programs, built as trees from a seed, that keep every promise of flat core.

Numbers stay within 32 bits, indices within bounds, rows within their room; everything else is
left to chance: effects inside indices, early exits inside loops, sets of one word and of three.
"""

from __future__ import annotations

from collections.abc import Callable

from flat_expressions import BITS, CAP, LIMIT, PLAYERS, ExpressionGrower, Scope, Shape

from interpreter.flat.ir import nodes as n
from interpreter.flat.passes.exits import settle_exits

FUEL = 150  # calls per phase

Body = list[n.Stmt]


def grown_program(seed: int, size: int) -> n.Program:
    """The program of this seed; `size` bounds how many functions and statements it has."""
    return _Grower(seed, size).program()


class _Grower(ExpressionGrower):
    """Grows functions, statement by statement."""

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
        keys = tuple(pick.getrandbits(64) for _ in range(12))
        made.tables["keys"] = n.Table("keys", n.Set(64), keys)
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
                n.If(some, self.shuffled(row)),
            ]
        return [self.random.choice(changes)]

    def shuffled(self, row: n.Expr) -> tuple[n.Stmt, ...]:
        """Only things that have keys can be shuffled."""
        room = range(self.random.randrange(CAP + 1))
        things = [n.RowPush(row, self.below(12, 1)) for _ in room]
        return n.RowClear(row), *things, n.RowShuffle(row, self.random.randrange(2), "keys")

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
        some = self.set(self.random.choice(BITS), 2)
        is_down = self.random.random() < 0.3
        return [n.ForSet("i", some, self.loop_body(depth), descending=is_down)]

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
