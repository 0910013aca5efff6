"""Statements of flat core."""

from __future__ import annotations

from dsl.records import value
from interpreter.flat.ir.nodes.expressions import Expr
from interpreter.flat.ir.nodes.types import INT, FlatType


@value
class Stmt:
    """A statement."""


Body = tuple[Stmt, ...]


@value
class SetVar(Stmt):
    name: str
    value: Expr
    type: FlatType = INT


@value
class SetScalar(Stmt):
    name: str
    value: Expr
    type: FlatType = INT


@value
class SetCell(Stmt):
    column: str
    index: Expr
    value: Expr
    type: FlatType = INT


@value
class AddCell(Stmt):
    """`column[index] += value`, numbers only."""

    column: str
    index: Expr
    value: Expr


@value
class If(Stmt):
    condition: Expr
    then: Body
    other: Body = ()


@value
class While(Stmt):
    condition: Expr
    body: Body


@value
class ForRange(Stmt):
    """`name` from `low` up to and including `high`, by `step` > 0; the bounds are taken once."""

    name: str
    low: Expr
    high: Expr
    step: Expr
    body: Body


@value
class ForSet(Stmt):
    """Over the members of a set taken once, ascending, or from the last one down."""

    name: str
    set: Expr
    body: Body
    descending: bool = False


@value
class ForRow(Stmt):
    """Over a row, which the body does not change."""

    name: str
    row: Expr
    body: Body


@value
class ForTable(Stmt):
    """Over one line of a constant table of equal lines: `width` cells from `index` * `width`."""

    name: str
    table: str
    index: Expr
    width: int
    body: Body


@value
class Break(Stmt):
    """Out of the innermost loop."""


@value
class Continue(Stmt):
    """On with the innermost loop."""


@value
class Return(Stmt):
    value: Expr | None = None


@value
class Run(Stmt):
    """An expression for its effects only."""

    value: Expr


@value
class NewRow(Stmt):
    """A local row, empty."""

    name: str
    cap: int


@value
class RowPush(Stmt):
    """At the end, or in front with `top`. There is room."""

    row: Expr
    item: Expr
    top: bool = False


@value
class RowInsert(Stmt):
    """Puts `item` before `position` (0..count). There is room."""

    row: Expr
    position: Expr
    item: Expr


@value
class RowSet(Stmt):
    row: Expr
    position: Expr
    item: Expr


@value
class RowRemove(Stmt):
    """Takes out the first item of this value, if it is there."""

    row: Expr
    item: Expr


@value
class RowClear(Stmt):
    row: Expr


@value
class RowShuffle(Stmt):
    """Puts the things of a row into an order of luck: that of numbers which follow from two draws
    of a stream and from the key of each thing, its cell in the table `keys`. So things keep their
    order when others come between them."""

    row: Expr
    stream: int
    keys: str


@value
class Trace(Stmt):
    """What happened, for people: `mark` indexes `Program.marks`. Only in traced programs."""

    mark: int
    values: tuple[Expr, ...]


# Exits: `Do` and `Give` are what lowering writes; the pass `exits` turns them into the nodes above.


@value
class Do(Stmt):
    """Calls a function for its effects; leaves with its code unless that is 0 or `catch`.

    `result`: the local that takes what the function gives.
    """

    call: Expr
    result: str | None = None
    result_type: FlatType = INT
    catch: int = 0


@value
class Give(Stmt):
    """Ends a function that gives a value."""

    value: Expr


@value
class Exit(Stmt):
    """Leaves with a code (1 game over, 2 fault, 3.. the labels)."""

    code: Expr
