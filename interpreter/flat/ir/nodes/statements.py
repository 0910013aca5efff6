"""Statements of flat core."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.records import value
from interpreter.flat.ir.nodes.expressions import Expr, SetBin
from interpreter.flat.ir.nodes.types import INT, FlatType

if TYPE_CHECKING:
    from typing_extensions import TypeIs


@value
class StmtBase:
    """A statement."""


@value
class SetVar(StmtBase):
    name: str
    value: Expr
    type: FlatType = INT


@value
class SetScalar(StmtBase):
    name: str
    value: Expr
    type: FlatType = INT


@value
class SetCell(StmtBase):
    column: str
    index: Expr
    value: Expr
    type: FlatType = INT


@value
class AddCell(StmtBase):
    """`column[index] += value`, numbers only."""

    column: str
    index: Expr
    value: Expr


@value
class If(StmtBase):
    condition: Expr
    then: Body
    other: Body = ()


@value
class While(StmtBase):
    condition: Expr
    body: Body


@value
class ForRange(StmtBase):
    """`name` from `low` up to and including `high`, by `step` > 0; the bounds are taken once."""

    name: str
    low: Expr
    high: Expr
    step: Expr
    body: Body


@value
class ForSet(StmtBase):
    """Over the members of a set taken once, ascending, or from the last one down."""

    name: str
    set: Expr
    body: Body
    descending: bool = False


@value
class ForRow(StmtBase):
    """Over a row, which the body does not change."""

    name: str
    row: Expr
    body: Body


@value
class ForTable(StmtBase):
    """Over one line of a constant table of equal lines: `width` cells from `index` * `width`."""

    name: str
    table: str
    index: Expr
    width: int
    body: Body


@value
class Break(StmtBase):
    """Out of the innermost loop."""


@value
class Continue(StmtBase):
    """On with the innermost loop."""


@value
class Return(StmtBase):
    value: Expr | None = None


@value
class Run(StmtBase):
    """An expression for its effects only."""

    value: Expr


@value
class NewRow(StmtBase):
    """A local row, empty."""

    name: str
    cap: int


@value
class RowPush(StmtBase):
    """At the end, or in front with `top`. There is room."""

    row: Expr
    item: Expr
    top: bool = False


@value
class RowInsert(StmtBase):
    """Puts `item` before `position` (0..count). There is room."""

    row: Expr
    position: Expr
    item: Expr


@value
class RowSet(StmtBase):
    row: Expr
    position: Expr
    item: Expr


@value
class RowRemove(StmtBase):
    """Takes out the first item of this value, if it is there."""

    row: Expr
    item: Expr


@value
class RowClear(StmtBase):
    row: Expr


@value
class RowShuffle(StmtBase):
    """Puts the things of a row into an order of luck: that of numbers which follow from two draws
    of a stream and from the key of each thing, its cell in the table `keys`. So things keep their
    order when others come between them."""

    row: Expr
    stream: int
    keys: str


@value
class Trace(StmtBase):
    """What happened, for people: `mark` indexes `Program.marks`. Only in traced programs."""

    mark: int
    values: tuple[Expr, ...]


# Exits: `Do` and `Give` are what lowering writes; the pass `exits` turns them into the nodes above.


@value
class Do(StmtBase):
    """Calls a function for its effects; leaves with its code unless that is 0 or `catch`.

    `result`: the local that takes what the function gives.
    """

    call: Expr
    result: str | None = None
    result_type: FlatType = INT
    catch: int = 0


@value
class Give(StmtBase):
    """Ends a function that gives a value."""

    value: Expr


@value
class Exit(StmtBase):
    """Leaves with a code (1 game over, 2 fault, 3.. the labels)."""

    code: Expr


@value
class WriteMarker(StmtBase):
    """State was written. `seats`: the seats whose own part it was (a Set), None where it belongs to
    nobody; what a thing has belongs to the seat that holds it.

    Stands only inside lowering; `settle_writes` turns it into wake bits and watch tests, or
    nothing.
    """

    key: str
    seats: Expr | None
    grew: bool | None = None  # whether a purse was filled, a flag set, an entity made; or not
    left: Expr | None = None  # of a move: the seats of the place that was left
    thing: Expr | None = None  # of a move: what was moved
    subject: Expr | None = None  # whose field it was; None where any may have been written

    @property
    def concerned(self) -> Expr | None:
        """All seats whose part it was."""
        if self.seats is None or self.left is None:
            return self.seats
        return SetBin("|", self.left, self.seats)


Stmt = (
    SetVar
    | SetScalar
    | SetCell
    | AddCell
    | If
    | While
    | ForRange
    | ForSet
    | ForRow
    | ForTable
    | Break
    | Continue
    | Return
    | Run
    | NewRow
    | RowPush
    | RowInsert
    | RowSet
    | RowRemove
    | RowClear
    | RowShuffle
    | Trace
    | Do
    | Give
    | Exit
    | WriteMarker
)
"""All statements there are."""

Body = tuple[Stmt, ...]


def is_stmt(value: object) -> TypeIs[Stmt]:
    """Whether something is a statement of whatever class."""
    return isinstance(value, StmtBase)
