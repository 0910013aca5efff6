"""Expressions of flat core."""

from __future__ import annotations

from typing import Literal

from dsl.records import value
from interpreter.flat.ir.nodes.types import INT, FlatType


@value
class Expr:
    """An expression without effects, except for `Call`."""


@value
class Num(Expr):
    value: int


@value
class Bits(Expr):
    """A constant set."""

    value: int
    bits: int


@value
class Var(Expr):
    """A local or parameter."""

    name: str
    type: FlatType = INT


@value
class Scalar(Expr):
    """A state scalar (`Program.scalars`)."""

    name: str
    type: FlatType = INT


@value
class Cell(Expr):
    """One element of a column or constant table (`Program.columns`, `Program.tables`). The index is
    in bounds.
    """

    column: str
    index: Expr
    type: FlatType = INT


@value
class RowAt(Expr):
    """One row of a row column: only as operand of the row nodes and ForRow."""

    column: str
    index: Expr
    cap: int


@value
class RowCount(Expr):
    row: Expr


@value
class RowItem(Expr):
    """Item at a position that is there."""

    row: Expr
    position: Expr


@value
class RowHas(Expr):
    row: Expr
    item: Expr


IntOp = Literal[
    "+", "-", "*", "//", "%", "min", "max", "&", "|", "<<", ">>", "==", "!=", "<", "<=", ">", ">="
]


@value
class Bin(Expr):
    """On numbers. `//` and `%` round towards minus infinity; comparisons give 0 or 1."""

    op: IntOp
    left: Expr
    right: Expr


@value
class MulDiv(Expr):
    """`(value * times + plus) // by` without overflow in between, all non-negative; `by` > 0."""

    value: Expr
    times: Expr
    plus: Expr
    by: Expr


@value
class And(Expr):
    """Short-circuit; operands are flags."""

    left: Expr
    right: Expr


@value
class Or(Expr):
    left: Expr
    right: Expr


@value
class Not(Expr):
    operand: Expr


@value
class Choose(Expr):
    """`then if condition else other`, evaluating only one."""

    condition: Expr
    then: Expr
    other: Expr


@value
class SetBin(Expr):
    """`&` both, `|` either, `-` in the left, not in the right."""

    op: Literal["&", "|", "-"]
    left: Expr
    right: Expr


@value
class Single(Expr):
    """The set of one index; of a negative one, the empty set when `may_be_none`."""

    index: Expr
    bits: int
    may_be_none: bool = False


@value
class Has(Expr):
    """Whether an index (not negative) is in a set."""

    set: Expr
    index: Expr


@value
class IsEmpty(Expr):
    set: Expr


@value
class Within(Expr):
    """Whether every member of left is in right."""

    left: Expr
    right: Expr


@value
class SameSet(Expr):
    left: Expr
    right: Expr


@value
class Count(Expr):
    set: Expr


@value
class First(Expr):
    """The lowest member, -1 of the empty set."""

    set: Expr


@value
class Next(Expr):
    """The lowest member above an index (0..bits-1), or if there is none the lowest of all, -1 of
    the empty set; of sets of up to 64."""

    set: Expr
    index: Expr


@value
class Call(Expr):
    function: str
    args: tuple[Expr, ...]


@value
class CallBy(Expr):
    """Calls the function at an index of a function table (`Program.dispatch`)."""

    table: str
    index: Expr
    args: tuple[Expr, ...]


@value
class AskSeat(Expr):
    """Calls the answer function of a site for a seat: a compiled strategy, or whatever the host put
    there.

    The first argument of the function is the seat, then `args`. What it gives and which answer
    registers it sets is said at `Site`.
    """

    site: str
    seat: Expr
    args: tuple[Expr, ...]


@value
class Draw(Expr):
    """The next number 0..n-1 of a random stream; n > 0.

    Streams are 64-bit words: s = s * 6364136223846793005 + 1442695040888963407; result (s >> 32) *
    n >> 32.
    """

    stream: int
    n: Expr


@value
class BotDraw(Expr):
    """A draw for a seat's own decisions, keyed by (seat, number of its drawing questions), not by a
    stream.
    """

    seat: Expr
    n: Expr
