"""Statements of flat core."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.flat.nodes.expressions import Expr
from interpreter.flat.nodes.types import INT, FlatType


@dataclass(frozen=True, slots=True)
class Stmt:
    """A statement."""


Body = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class SetVar(Stmt):
    name: str
    value: Expr
    type: FlatType = INT


@dataclass(frozen=True, slots=True)
class SetScalar(Stmt):
    name: str
    value: Expr
    type: FlatType = INT


@dataclass(frozen=True, slots=True)
class SetCell(Stmt):
    column: str
    index: Expr
    value: Expr
    type: FlatType = INT


@dataclass(frozen=True, slots=True)
class AddCell(Stmt):
    """`column[index] += value`, numbers only."""

    column: str
    index: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class If(Stmt):
    condition: Expr
    then: Body
    other: Body = ()


@dataclass(frozen=True, slots=True)
class While(Stmt):
    condition: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class ForRange(Stmt):
    """`name` from `low` up to and including `high`, by `step` > 0; the bounds are taken once."""

    name: str
    low: Expr
    high: Expr
    step: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class ForSet(Stmt):
    """Over the members, ascending, of a set taken once."""

    name: str
    set: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class ForRow(Stmt):
    """Over a row, which the body does not change."""

    name: str
    row: Expr
    body: Body


@dataclass(frozen=True, slots=True)
class ForTable(Stmt):
    """Over one line of a constant table of equal lines: `width` cells from `index` * `width`."""

    name: str
    table: str
    index: Expr
    width: int
    body: Body


@dataclass(frozen=True, slots=True)
class Break(Stmt):
    """Out of the innermost loop."""


@dataclass(frozen=True, slots=True)
class Continue(Stmt):
    """On with the innermost loop."""


@dataclass(frozen=True, slots=True)
class Return(Stmt):
    value: Expr | None = None


@dataclass(frozen=True, slots=True)
class Run(Stmt):
    """An expression for its effects only."""

    value: Expr


@dataclass(frozen=True, slots=True)
class NewRow(Stmt):
    """A local row, empty."""

    name: str
    cap: int


@dataclass(frozen=True, slots=True)
class RowPush(Stmt):
    """At the end, or in front with `top`. There is room."""

    row: Expr
    item: Expr
    top: bool = False


@dataclass(frozen=True, slots=True)
class RowInsert(Stmt):
    """Puts `item` before `position` (0..count). There is room."""

    row: Expr
    position: Expr
    item: Expr


@dataclass(frozen=True, slots=True)
class RowSet(Stmt):
    row: Expr
    position: Expr
    item: Expr


@dataclass(frozen=True, slots=True)
class RowRemove(Stmt):
    """Takes out the first item of this value, if it is there."""

    row: Expr
    item: Expr


@dataclass(frozen=True, slots=True)
class RowClear(Stmt):
    row: Expr


@dataclass(frozen=True, slots=True)
class RowShuffle(Stmt):
    """Fisher-Yates from the end, with draws of a stream."""

    row: Expr
    stream: int


@dataclass(frozen=True, slots=True)
class Trace(Stmt):
    """What happened, for people: `mark` indexes `Program.marks`. Only in traced programs."""

    mark: int
    values: tuple[Expr, ...]


# Exits: `Do` and `Give` are what lowering writes; the pass `exits` turns them into the nodes above.


@dataclass(frozen=True, slots=True)
class Do(Stmt):
    """Calls a function for its effects; leaves with its code unless that is 0 or `catch`.

    `result`: the local that takes what the function gives.
    """

    call: Expr
    result: str | None = None
    result_type: FlatType = INT
    catch: int = 0


@dataclass(frozen=True, slots=True)
class Give(Stmt):
    """Ends a function that gives a value."""

    value: Expr


@dataclass(frozen=True, slots=True)
class Exit(Stmt):
    """Leaves with a code (1 game over, 2 fault, 3.. the labels)."""

    code: Expr
