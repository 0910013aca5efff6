"""Statements of the core, and the heads of answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dsl.core.nodes.expressions import Expr, Generator, TextOf
from dsl.core.types import Type
from dsl.records import record
from dsl.source import Span

if TYPE_CHECKING:
    from typing_extensions import TypeIs


@record
class HeadLet:
    name: str
    value: Expr


@record
class HeadNeeds:
    """A condition, and the reason of the refusal (a plain one is made from the condition where none
    was written).
    """

    condition: Expr
    reason: TextOf
    span: Span


@record
class HeadPick:
    """One picked value. `form`: `one` entity or value of `source`; `some` (a set, from `low` to
    `high` of them, with `such_that` on the whole, refused for `reason`); `amount` a number of a
    RangeOf."""

    form: Literal["one", "some", "amount"]
    name: str
    type: Type
    source: Expr
    item: str  # the local that `where` names one candidate by; `name` where one thing is picked
    where: Expr | None
    such_that: Expr | None
    reason: TextOf | None
    low: Expr | None
    high: Expr | None
    span: Span


HeadItem = HeadLet | HeadNeeds | HeadPick


@record
class StmtBase:
    """A statement; `span` is what the trace shows."""

    span: Span


@record
class Let(StmtBase):
    """Brings in a local, or sets one that is there (`fresh` False)."""

    name: str
    value: Expr
    fresh: bool


@record
class SetField(StmtBase):
    """Sets state that is not held by anyone. `key` for a table field."""

    column: str
    subject: Expr
    key: Expr | None
    value: Expr


@record
class MoveUnits(StmtBase):
    """Moves `amount` from one purse to another of the same unit. `guarded`: the checker proved it
    is there.
    """

    amount: Expr
    from_column: str
    from_subject: Expr
    to_column: str
    to_subject: Expr
    guarded: bool


@record
class MoveThings(StmtBase):
    """Moves one thing, a set or a row into a zone; `under` puts at the bottom of an ordered zone,
    else on top.
    """

    things: Expr
    zone: str
    holder: Expr
    under: bool


@record
class Exchange(StmtBase):
    """Two things change places (zones, holders and positions), or two purses change contents."""

    left: Expr
    right: Expr


@record
class Shuffle(StmtBase):
    zone: str
    holder: Expr


@record
class Make(StmtBase):
    """Takes a free entity of a pool kind into local `name` and sets its fields."""

    name: str
    kind: str
    fields: tuple[tuple[str, Expr], ...]


@record
class Drop(StmtBase):
    thing: Expr


@record
class Call(StmtBase):
    """Calls a routine, event or phase-independent procedure; `result` names the local that takes
    what it gives.
    """

    routine: str
    args: tuple[Expr, ...]
    result: str | None
    fresh: bool


@record
class AsUsual(StmtBase):
    """In an instead-rule: what would have happened; `args` has every parameter of the event.

    `gives`: it is of a routine that gives something, which is then given, too.
    """

    args: tuple[Expr, ...]
    gives: bool


@record
class If(StmtBase):
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block


@record
class ForEach(StmtBase):
    """Over a snapshot of the source; `key` orders it (least first)."""

    generator: Generator
    key: Expr | None
    body: Block


@record
class Repeat(StmtBase):
    body: Block
    until: Expr


@record
class Luck(StmtBase):
    """A draw from a named stream: uniform over the source, or weighted."""

    name: str
    type: Type
    source: Expr
    weight: Expr | None
    item: str  # the local that `weight` names one candidate by
    stream: str


@record
class Answer:
    """One named answer of an AskAbout. `label`: how it is put to the player."""

    name: str
    head: tuple[HeadItem, ...]
    body: Block
    span: Span
    label: TextOf | None = None


@record
class AskAbout(StmtBase):
    """`label`: how the question is put; `shows`: what is at stake."""

    site: str
    asked: Expr
    answers: tuple[Answer, ...]
    label: TextOf | None = None
    shows: TextOf | None = None


@record
class Ask(StmtBase):
    """A pick; with nothing to pick the `otherwise` runs. `may_decline`: it may also be answered
    with none. `label`, `shows`: as of an AskAbout.
    """

    site: str
    asked: Expr
    pick: HeadPick
    may_decline: bool
    body: Block
    otherwise: Block
    label: TextOf | None = None
    shows: TextOf | None = None


@record
class Gather(StmtBase):
    """Secret and simultaneous. `asked` says whom; in `body` the local `pick.name` is a table by the
    asked family. `label`, `shows`: as of an AskAbout.
    """

    site: str
    asked: Generator
    pick: HeadPick
    table: str  # the local of the table of answers
    table_type: Type
    body: Block
    label: TextOf | None = None
    shows: TextOf | None = None


@record
class OpenWindow(StmtBase):
    site: str
    window: str
    args: tuple[Expr, ...]


@record
class End(StmtBase):
    """Leaves the innermost running routine or phase `label`; `game` ends the game."""

    label: str


@record
class NextPhase(StmtBase):
    phase: str


@record
class Return(StmtBase):
    value: Expr


@record
class Reveal(StmtBase):
    """Lets `to` (None: everyone) know a hidden field of one entity."""

    column: str
    subject: Expr
    to: Expr | None


@record
class Say(StmtBase):
    """A line of the log. `to` None: everyone reads it.

    `form`: a `line` of its own; the `sentence` of the block that it heads; or `nothing` is said of
    that. `otherwise`: what those read who can't see all that the text shows.
    """

    text: TextOf
    to: Expr | None
    form: Literal["line", "sentence", "nothing"] = "line"
    otherwise: TextOf | None = None


@record
class Expect(StmtBase):
    """Scenarios only."""

    condition: Expr


@record
class ScriptLuck(StmtBase):
    """Sayings only: queues results of luck."""

    values: Expr


@record
class PlayPhase(StmtBase):
    """Sayings only: runs a phase to its end."""

    phase: str


Stmt = (
    Let
    | SetField
    | MoveUnits
    | MoveThings
    | Exchange
    | Shuffle
    | Make
    | Drop
    | Call
    | AsUsual
    | If
    | ForEach
    | Repeat
    | Luck
    | AskAbout
    | Ask
    | Gather
    | OpenWindow
    | End
    | NextPhase
    | Return
    | Reveal
    | Say
    | Expect
    | ScriptLuck
    | PlayPhase
)
"""All statements there are."""

Block = tuple[Stmt, ...]


def is_stmt(value: object) -> TypeIs[Stmt]:
    """Whether something is a statement of whatever class."""
    return isinstance(value, StmtBase)
