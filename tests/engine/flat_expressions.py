"""Random expressions of flat core that keep its promises."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from interpreter.flat.ir import nodes as n

BITS = (1, 9, 33, 64, 65, 150)
LIMIT = 1000  # state and locals stay below this in size
PLAYERS = 3
CAP = 6

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


class ExpressionGrower:
    """Grows expressions for the function whose scope it is in."""

    def __init__(self, seed: int, size: int) -> None:
        self.random = random.Random(seed)
        self.size = size
        self.callable: list[Shape] = []
        self.scope = Scope(Shape("", (), None, False))
        self.calls_allowed = True
        self.rows_frozen = False
        self.made = n.Program(f"grown {seed}", PLAYERS)

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
        if bits <= 64 and self.random.random() < 0.3:
            return n.Next(some, self.below(bits, depth)), bits + 1
        return (n.Count(some) if self.random.random() < 0.5 else n.First(some)), bits + 1

    def of_row(self, depth: int) -> Bounded:
        row = self.row()
        return (n.RowCount(row), CAP) if self.random.random() < 0.4 else (self.item(row), LIMIT)

    def mul_div(self, depth: int) -> Bounded:
        parts = [n.Bin("%", self.number(depth)[0], n.Num(1 << 15)) for _ in range(3)]
        by = n.Bin("+", parts[2], n.Num(1 << 8))
        return n.MulDiv(parts[0], parts[1], parts[2], by), 1 << 22

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
