"""Nodes of statements and questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dsl.records import record
from dsl.syntax.nodes.expressions import Arg, Clause, Expr, Name, Node, Text

if TYPE_CHECKING:
    from typing_extensions import TypeIs


@record
class StmtBase(Node):
    """A statement."""


@record
class Let(StmtBase):
    name: Name
    value: Expr


@record
class PrepArg(Node):
    """`from player`."""

    preposition: str
    value: Expr


@record
class Command(StmtBase):
    """`verb [object [extra, ...]] [prep value]*`.

    `move 1 chip from a to b` has object `1` and extra `(chip,)`; a saying `red owns x, y` has
    verb `red`, object `owns`, extras `(x, y)`: what the words are is decided when names are
    resolved.
    """

    verb: Name
    object: Expr | None
    extras: tuple[Expr, ...]
    preps: tuple[PrepArg, ...]


@record
class Get(StmtBase):
    """`get x from COMMAND`."""

    name: Name
    command: Command


@record
class Assign(StmtBase):
    """`player.space = go`; a bare local may be set too."""

    target: Expr
    value: Expr


@record
class OpenWindow(StmtBase):
    command: Command


@record
class If(StmtBase):
    """`branches` are (condition, block) in order; `otherwise` the else block."""

    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@record
class ForEach(StmtBase):
    clause: Clause
    by: Expr | None
    body: Block


@record
class Repeat(StmtBase):
    body: Block
    until: Expr


@record
class Bullet(Node):
    """One named answer; its body's leading `needs` and `let` lines are the answer's legality."""

    name: Name
    body: Block


@record
class AskAbout(StmtBase):
    """`ask player about purchase` with bullets."""

    asked: Expr
    question: Name
    label: Label | None
    shows: Shows | None
    bullets: tuple[Bullet, ...]


@record
class Count(Node):
    """How many are picked: `low..high`, or exactly `low` where high is None."""

    low: Expr
    high: Expr | None


@record
class Question(Node):
    """`which [COUNT] NAME to QUESTION[, if any,] in LIST [where C] [such that D[, "REASON"]]` or
    `how much NAME to QUESTION in RANGE`.

    For `which`, `picked` names the entity (without `count`) or the set picked (with it).
    """

    form: Literal["which", "how much"]
    picked: Name
    question: Name
    count: Count | None
    if_any: bool
    source: Expr
    where: Expr | None
    such_that: Expr | None
    reason: Text | None


@record
class Ask(StmtBase):
    """`body` None: the picked name holds from here to the end of the block around it."""

    asked: Expr
    question: Question
    body: Block | None
    otherwise: Block | None


@record
class Secretly(StmtBase):
    """`secretly ask each p in LIST where C QUESTION` and what follows when all have answered."""

    asked: Clause
    question: Question
    body: Block


@record
class Luck(StmtBase):
    """`luck picks x in LIST weighing W`."""

    name: Name
    source: Expr
    weight: Expr | None


@record
class OptionWhich(StmtBase):
    """A line at the head of an option: `which [COUNT] NAME in LIST ...`."""

    picked: Name
    count: Count | None
    source: Expr
    where: Expr | None
    such_that: Expr | None
    reason: Text | None


@record
class OptionHowMuch(StmtBase):
    """A line at the head of an option: `how much NAME in RANGE`."""

    picked: Name
    source: Expr


@record
class Needs(StmtBase):
    condition: Expr
    reason: Text | None


@record
class Expect(StmtBase):
    """In scenarios and sayings: a condition that must hold."""

    condition: Expr


@record
class End(StmtBase):
    """`end turn`: leaves the innermost running routine or phase of that name."""

    name: Name


@record
class NextPhase(StmtBase):
    """`next turn`, in a phase's `then` block."""

    name: Name


@record
class Return(StmtBase):
    value: Expr


@record
class AsUsual(StmtBase):
    args: tuple[Arg, ...]


@record
class Says(StmtBase):
    """`says "text" [otherwise "text"]`: the sentence of what the block belongs to; `text` None:
    `says nothing`.
    """

    text: Text | None
    otherwise: Text | None


@record
class Label(StmtBase):
    """`as "text"`: how an answer or a question is put to the player."""

    text: Text


@record
class Shows(StmtBase):
    """`shows card, table.pile`: what a question is about, for the front end to draw."""

    values: tuple[Expr, ...]


@record
class PassAs(Node):
    """`pass as "text" [if CONDITION]` in a window: what passing is called."""

    text: Text
    condition: Expr | None


@record
class May(StmtBase):
    """`red may build(street: x)` / `red may not build(...), "reason"`.

    `answer` and `args` are those of a `Preference`.
    """

    who: Expr
    negative: bool
    form: Literal["pass", "named", "pick"]
    answer: Name | None
    args: tuple[Arg, ...]
    reason: Text | None


@record
class WasAsked(StmtBase):
    """`red is asked purchase` / `red is not asked purchase`."""

    who: Expr
    negative: bool
    question: Name


@record
class GameIs(StmtBase):
    """`the game is over` / `the game goes on`."""

    over: bool


@record
class ErrorStmt(StmtBase):
    """What could not be read; already reported."""


Stmt = (
    Let
    | Command
    | Get
    | Assign
    | OpenWindow
    | If
    | ForEach
    | Repeat
    | AskAbout
    | Ask
    | Secretly
    | Luck
    | OptionWhich
    | OptionHowMuch
    | Needs
    | Expect
    | End
    | NextPhase
    | Return
    | AsUsual
    | Says
    | Label
    | Shows
    | May
    | WasAsked
    | GameIs
    | ErrorStmt
)
"""All statements there are."""

Block = tuple[Stmt, ...]


def is_stmt(value: object) -> TypeIs[Stmt]:
    """Whether something is a statement of whatever class."""
    return isinstance(value, StmtBase)
