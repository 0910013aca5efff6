"""Expressions of flat core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dsl.records import value
from interpreter.flat.ir.nodes.types import INT, FlatType

if TYPE_CHECKING:
    from typing_extensions import TypeIs


@value
class ExprBase:
    """An expression without effects, except for `Call`."""


@value
class Num(ExprBase):
    value: int


@value
class Bits(ExprBase):
    """A constant set."""

    value: int
    bits: int


@value
class Var(ExprBase):
    """A local or parameter."""

    name: str
    type: FlatType = INT


@value
class Scalar(ExprBase):
    """A state scalar (`Program.scalars`)."""

    name: str
    type: FlatType = INT


@value
class Cell(ExprBase):
    """One element of a column or constant table (`Program.columns`, `Program.tables`). The index is
    in bounds.
    """

    column: str
    index: Expr
    type: FlatType = INT


@value
class RowAt(ExprBase):
    """One row of a row column: only as operand of the row nodes and ForRow."""

    column: str
    index: Expr
    cap: int


@value
class RowCount(ExprBase):
    row: Expr


@value
class RowItem(ExprBase):
    """Item at a position that is there."""

    row: Expr
    position: Expr


@value
class RowHas(ExprBase):
    row: Expr
    item: Expr


IntOp = Literal[
    "+", "-", "*", "//", "%", "min", "max", "&", "|", "<<", ">>", "==", "!=", "<", "<=", ">", ">="
]


@value
class Bin(ExprBase):
    """On numbers. `//` and `%` round towards minus infinity; comparisons give 0 or 1."""

    op: IntOp
    left: Expr
    right: Expr


@value
class MulDiv(ExprBase):
    """`(value * times + plus) // by` without overflow in between, all non-negative; `by` > 0."""

    value: Expr
    times: Expr
    plus: Expr
    by: Expr


@value
class And(ExprBase):
    """Short-circuit; operands are flags."""

    left: Expr
    right: Expr


@value
class Or(ExprBase):
    left: Expr
    right: Expr


@value
class Not(ExprBase):
    operand: Expr


@value
class Choose(ExprBase):
    """`then if condition else other`, evaluating only one."""

    condition: Expr
    then: Expr
    other: Expr


@value
class SetBin(ExprBase):
    """`&` both, `|` either, `-` in the left, not in the right."""

    op: Literal["&", "|", "-"]
    left: Expr
    right: Expr


@value
class Single(ExprBase):
    """The set of one index; of a negative one, the empty set when `may_be_none`."""

    index: Expr
    bits: int
    may_be_none: bool = False


@value
class Has(ExprBase):
    """Whether an index (not negative) is in a set."""

    set: Expr
    index: Expr


@value
class IsEmpty(ExprBase):
    set: Expr


@value
class Within(ExprBase):
    """Whether every member of left is in right."""

    left: Expr
    right: Expr


@value
class SameSet(ExprBase):
    left: Expr
    right: Expr


@value
class Count(ExprBase):
    set: Expr


@value
class First(ExprBase):
    """The lowest member, -1 of the empty set."""

    set: Expr


@value
class Next(ExprBase):
    """The lowest member above an index (0..bits-1), or if there is none the lowest of all, -1 of
    the empty set; of sets of up to 64."""

    set: Expr
    index: Expr


@value
class Call(ExprBase):
    function: str
    args: tuple[Expr, ...]


@value
class CallBy(ExprBase):
    """Calls the function at an index of a function table (`Program.dispatch`)."""

    table: str
    index: Expr
    args: tuple[Expr, ...]


@value
class AskSeat(ExprBase):
    """Calls the answer function of a site for a seat: a compiled strategy, or whatever the host put
    there.

    The first argument of the function is the seat, then `args`. What it gives and which answer
    registers it sets is said at `Site`.
    """

    site: str
    seat: Expr
    args: tuple[Expr, ...]


@value
class Draw(ExprBase):
    """The next number 0..n-1 of a random stream; n > 0.

    Streams are 64-bit words: s = s * 6364136223846793005 + 1442695040888963407; result (s >> 32) *
    n >> 32.
    """

    stream: int
    n: Expr


@value
class BotDraw(ExprBase):
    """A draw for a seat's own decisions, keyed by (seat, number of its drawing questions), not by a
    stream.
    """

    seat: Expr
    n: Expr


Expr = (
    Num
    | Bits
    | Var
    | Scalar
    | Cell
    | RowAt
    | RowCount
    | RowItem
    | RowHas
    | Bin
    | MulDiv
    | And
    | Or
    | Not
    | Choose
    | SetBin
    | Single
    | Has
    | IsEmpty
    | Within
    | SameSet
    | Count
    | First
    | Next
    | Call
    | CallBy
    | AskSeat
    | Draw
    | BotDraw
)
"""All expressions there are. What goes by their class names each of them, so that the type checker
tells where a new one must be placed."""


def is_expr(value: object) -> TypeIs[Expr]:
    """Whether something is an expression of whatever class."""
    return isinstance(value, ExprBase)
