"""Flat core: what every printer can take. No closures, exceptions, slices or nested data.

Values are `Int` (32 bits, signed), `Set` (bits of a family) or `Row` (up to `cap` integers). All
state is in named scalars, columns and row columns of fixed size. A function returns one value, or
nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

# ---------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class Int:
    """A 32-bit number; flags are 0 and 1."""


@dataclass(frozen=True, slots=True)
class Set:
    """A set of indices 0..bits-1."""

    bits: int


@dataclass(frozen=True, slots=True)
class Row:
    """Up to `cap` numbers in order. As a local it is scratch that ends with its function."""

    cap: int


FlatType = Int | Set | Row
INT = Int()

# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression without effects, except for `Call`."""


@dataclass(frozen=True, slots=True)
class Num(Expr):
    value: int


@dataclass(frozen=True, slots=True)
class Bits(Expr):
    """A constant set."""

    value: int
    bits: int


@dataclass(frozen=True, slots=True)
class Var(Expr):
    """A local or parameter."""

    name: str
    type: FlatType = INT


@dataclass(frozen=True, slots=True)
class Scalar(Expr):
    """A state scalar (`Program.scalars`)."""

    name: str
    type: FlatType = INT


@dataclass(frozen=True, slots=True)
class Cell(Expr):
    """One element of a column or constant table (`Program.columns`, `Program.tables`). The index is
    in bounds.
    """

    column: str
    index: Expr
    type: FlatType = INT


@dataclass(frozen=True, slots=True)
class RowAt(Expr):
    """One row of a row column: only as operand of the row nodes and ForRow."""

    column: str
    index: Expr
    cap: int


@dataclass(frozen=True, slots=True)
class RowCount(Expr):
    row: Expr


@dataclass(frozen=True, slots=True)
class RowItem(Expr):
    """Item at a position that is there."""

    row: Expr
    position: Expr


@dataclass(frozen=True, slots=True)
class RowHas(Expr):
    row: Expr
    item: Expr


IntOp = Literal[
    "+", "-", "*", "//", "%", "min", "max", "&", "|", "<<", ">>", "==", "!=", "<", "<=", ">", ">="
]


@dataclass(frozen=True, slots=True)
class Bin(Expr):
    """On numbers. `//` and `%` round towards minus infinity; comparisons give 0 or 1."""

    op: IntOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class MulDiv(Expr):
    """`value * times // by` without overflow in between, all non-negative; `by` > 0."""

    value: Expr
    times: Expr
    by: Expr


@dataclass(frozen=True, slots=True)
class And(Expr):
    """Short-circuit; operands are flags."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Or(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not(Expr):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Choose(Expr):
    """`then if condition else other`, evaluating only one."""

    condition: Expr
    then: Expr
    other: Expr


@dataclass(frozen=True, slots=True)
class SetBin(Expr):
    """`&` both, `|` either, `-` in the left, not in the right."""

    op: Literal["&", "|", "-"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Single(Expr):
    """The set of one index; of a negative one, the empty set when `may_be_none`."""

    index: Expr
    bits: int
    may_be_none: bool = False


@dataclass(frozen=True, slots=True)
class Has(Expr):
    """Whether an index (not negative) is in a set."""

    set: Expr
    index: Expr


@dataclass(frozen=True, slots=True)
class IsEmpty(Expr):
    set: Expr


@dataclass(frozen=True, slots=True)
class Within(Expr):
    """Whether every member of left is in right."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class SameSet(Expr):
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Count(Expr):
    set: Expr


@dataclass(frozen=True, slots=True)
class First(Expr):
    """The lowest member, -1 of the empty set."""

    set: Expr


@dataclass(frozen=True, slots=True)
class Call(Expr):
    function: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class CallBy(Expr):
    """Calls the function at an index of a function table (`Program.dispatch`)."""

    table: str
    index: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class AskSeat(Expr):
    """Calls the answer function of a site for a seat: a compiled strategy, or whatever the host put
    there.

    The first argument of the function is the seat, then `args`. What it gives and which answer
    registers it sets is said at `Site`.
    """

    site: str
    seat: Expr
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Draw(Expr):
    """The next number 0..n-1 of a random stream; n > 0.

    Streams are 64-bit words: s = s * 6364136223846793005 + 1442695040888963407; result (s >> 32) *
    n >> 32.
    """

    stream: int
    n: Expr


@dataclass(frozen=True, slots=True)
class BotDraw(Expr):
    """A draw for a seat's own decisions, keyed by (seat, number of its drawing questions), not by a
    stream.
    """

    seat: Expr
    n: Expr


# ---------------------------------------------------------------- statements


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


# ---------------------------------------------------------------- the program


@dataclass(slots=True)
class Function:
    """`exits`: returns a code (0: go on), and what it `gives` is in the result register."""

    name: str
    params: tuple[tuple[str, FlatType], ...]
    body: Body
    gives: FlatType | None = None
    exits: bool = False
    comment: str = ""


@dataclass(frozen=True, slots=True)
class ScalarDecl:
    """`role`: `state` is saved and hashed; `scratch` is neither."""

    name: str
    type: FlatType
    initial: int
    role: Literal["state", "scratch"]


@dataclass(frozen=True, slots=True)
class ColumnDecl:
    """`initial` has one number (or set, as int) per cell. `free`: cells of endless purses, not
    saved nor hashed.
    """

    name: str
    type: FlatType
    initial: tuple[int, ...]
    role: Literal["state", "scratch", "measure"]
    free: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RowsDecl:
    name: str
    count: int
    cap: int
    initial: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """Constant numbers or sets."""

    name: str
    type: FlatType
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PickInfo:
    """One picked value of an answer.

    `kind`: `set` one member of the set that `candidates` gives; `some` a subset of it; `range` a
    number from `low` to `high` by `step`; `row` an item of the row column `candidates` fills
    (register row `answer_row`). The functions take the seat, the scope, then the picks before this
    one. `register`: where the answer function leaves it: ("int", k) or ("set", k).
    """

    name: str
    kind: Literal["set", "some", "range", "row"]
    candidates: str | None
    low: str | None
    high: str | None
    step: str | None
    register: tuple[Literal["int", "set"], int]
    type: object = None  # the core type of the picked value


@dataclass(frozen=True, slots=True)
class TextPart:
    """A hole of a text: a function of the same parameters that gives the number to show, and its
    core type.
    """

    function: str
    type: object


@dataclass(frozen=True, slots=True)
class TextInfo:
    key: str
    parts: tuple[str | TextPart, ...]


@dataclass(frozen=True, slots=True)
class AnswerInfo:
    """One named answer or option. `refuse` takes seat, scope, picks and gives 0 or the number of a
    reason (from 1).
    """

    name: str
    number: int
    picks: tuple[PickInfo, ...]
    refuse: str
    reasons: tuple[TextInfo, ...]


@dataclass(frozen=True, slots=True)
class Site:
    """A place where a question is asked, as the host sees it.

    The answer function gives: form `about` and `window`, the number of the answer (0: pass); form
    `pick` and `gather` 1, with the value in its register (0: declined). `drawing`: strategies that
    draw here.
    """

    name: str
    question: str
    form: Literal["about", "pick", "gather", "window"]
    scope: tuple[tuple[str, FlatType, object], ...]  # name, flat type, core type
    answers: tuple[AnswerInfo, ...]
    may_pass: bool


SEALED = "host__sealed"
"""The site of no question: in programs for hosts it is passed once all have been asked in secret,
and the host may wait there for their answers."""


@dataclass(frozen=True, slots=True)
class MeasureInfo:
    """`column` is the measure column; `axes` as in the core."""

    name: str
    title: str
    column: str
    axes: tuple[tuple[str, int], ...]


@dataclass(slots=True)
class Program:
    """A whole flat program. Function names, columns and so on are made by the compiler, never by a
    designer.
    """

    name: str
    players: int
    scalars: dict[str, ScalarDecl] = field(default_factory=dict)
    columns: dict[str, ColumnDecl] = field(default_factory=dict)
    rows: dict[str, RowsDecl] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    dispatch: dict[str, tuple[str, ...]] = field(default_factory=dict)
    strategies: dict[str, dict[str, str]] = field(
        default_factory=dict
    )  # strategy -> site -> function
    sites: dict[str, Site] = field(default_factory=dict)
    streams: tuple[str, ...] = ()
    marks: list[object] = field(default_factory=list)
    labels: dict[int, str] = field(default_factory=dict)  # exit code -> phase or routine
    faults: list[str] = field(default_factory=list)  # number -> what went wrong, in words
    endings: list[str] = field(default_factory=list)  # scalar `ending` -> rule or phase
    measures: dict[str, MeasureInfo] = field(default_factory=dict)
    remembered: dict[str, str] = field(
        default_factory=dict
    )  # scalar of a `was(..)` -> function of its value now
    knowledge: dict[str, str] = field(
        default_factory=dict
    )  # core column -> column of who knows it, a bit per seat
    scenarios: list[Any] = field(default_factory=list)  # `scenarios.ScenarioInfo`
    expectations: list[Any] = field(default_factory=list)  # `scenarios.Expectation`, by number
    coverage: tuple[
        str, ...
    ] = ()  # what the cells of the measure column `coverage` count: "rule offer", ...
