"""The syntax tree of a rules script: what was written, unresolved, every node with its span."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dsl.source import Span


@dataclass(frozen=True, slots=True)
class Node:
    """Anything with a place in a script. `span` covers the node's own significant tokens."""

    span: Span


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A written word: `deed`, `Street`."""

    text: str


# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Expr(Node):
    """An expression."""


@dataclass(frozen=True, slots=True)
class Number(Expr):
    value: int


@dataclass(frozen=True, slots=True)
class Percent(Expr):
    """`10%`, a number of hundredths."""

    value: int


@dataclass(frozen=True, slots=True)
class Text(Expr):
    """A text with holes: `"{player} has less"` has parts `[expr player, " has less"]`."""

    parts: tuple[str | Expr, ...]


@dataclass(frozen=True, slots=True)
class Literal_(Expr):
    """`yes`, `no`, `none`, `usual`."""

    word: Literal["yes", "no", "none", "usual"]


@dataclass(frozen=True, slots=True)
class NameExpr(Expr):
    name: str


@dataclass(frozen=True, slots=True)
class KindExpr(Expr):
    """A bare kind: all its entities, or after `is` a kind test."""

    name: str


@dataclass(frozen=True, slots=True)
class Dot(Expr):
    """`subject.name`, with `args` where brackets follow (None without brackets)."""

    subject: Expr
    name: Name
    args: tuple[Arg, ...] | None


@dataclass(frozen=True, slots=True)
class Index(Expr):
    """`table[key]`."""

    subject: Expr
    key: Expr


@dataclass(frozen=True, slots=True)
class Call(Expr):
    """`name(arg, ...)`."""

    name: Name
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class New(Expr):
    """`new Claim(payer: p, ...)`."""

    kind: Name
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class ListExpr(Expr):
    """`[a, b]`, or `[query]` as its only item."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Clause(Node):
    """`each x in LIST where COND`."""

    variable: Name
    source: Expr
    where: Expr | None


@dataclass(frozen=True, slots=True)
class Query(Expr):
    """`VALUE for each x in LIST where COND for each .. by KEY`; `value` None gives the x of the
    last clause.
    """

    value: Expr | None
    clauses: tuple[Clause, ...]
    by: Expr | None


BinaryOp = Literal[
    "+",
    "-",
    "*",
    "/",
    "and",
    "or",
    "otherwise",
    "is",
    "is not",
    "<",
    "<=",
    ">",
    ">=",
    "in",
    "not in",
]


@dataclass(frozen=True, slots=True)
class Binary(Expr):
    op: BinaryOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Unary(Expr):
    op: Literal["not", "-"]
    operand: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Expr):
    """`then_value if condition else else_value`."""

    then_value: Expr
    condition: Expr
    else_value: Expr


@dataclass(frozen=True, slots=True)
class Range(Expr):
    """`low..high step n`, both ends included."""

    low: Expr
    high: Expr
    step: Expr | None


@dataclass(frozen=True, slots=True)
class ErrorExpr(Expr):
    """What could not be read; already reported."""


@dataclass(frozen=True, slots=True)
class Arg(Node):
    """An argument; `name` where it was written `name: value`."""

    name: Name | None
    value: Expr


# ---------------------------------------------------------------- types


@dataclass(frozen=True, slots=True)
class TypeNode(Node):
    """A written type."""


@dataclass(frozen=True, slots=True)
class WordType(TypeNode):
    """`flag`, `text`, `money`, a unit."""

    name: str


@dataclass(frozen=True, slots=True)
class KindType(TypeNode):
    """A kind or a declared choice."""

    name: str


@dataclass(frozen=True, slots=True)
class RangeType(TypeNode):
    low: Expr
    high: Expr
    step: Expr | None


@dataclass(frozen=True, slots=True)
class OptionalType(TypeNode):
    """`T?`."""

    inner: TypeNode


@dataclass(frozen=True, slots=True)
class ChoiceType(TypeNode):
    """`a | b | c`, written on the spot; each a word."""

    values: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class ListType(TypeNode):
    """`list of T up to N` (in the order of the data), or `row of T up to N` (`ordered`: keeps its
    own order).
    """

    ordered: bool

    element: TypeNode
    bound: Expr | None


@dataclass(frozen=True, slots=True)
class MapType(TypeNode):
    """`T per KEY`: a dense table; KEY is a kind, a choice or a range."""

    value: TypeNode
    key: TypeNode


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Stmt(Node):
    """A statement."""


Block = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Let(Stmt):
    name: Name
    value: Expr


@dataclass(frozen=True, slots=True)
class PrepArg(Node):
    """`from player`."""

    preposition: str
    value: Expr


@dataclass(frozen=True, slots=True)
class Command(Stmt):
    """`verb [object [extra, ...]] [prep value]*`.

    `move 1 house from a to b` has object `1` and extra `(house,)`; a saying `red owns x, y` has
    verb `red`, object `owns`, extras `(x, y)`: what the words are is decided when names are
    resolved.
    """

    verb: Name
    object: Expr | None
    extras: tuple[Expr, ...]
    preps: tuple[PrepArg, ...]


@dataclass(frozen=True, slots=True)
class Get(Stmt):
    """`get x from COMMAND`."""

    name: Name
    command: Command


@dataclass(frozen=True, slots=True)
class Assign(Stmt):
    """`player.space = go`; a bare local may be set too."""

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class OpenWindow(Stmt):
    command: Command


@dataclass(frozen=True, slots=True)
class If(Stmt):
    """`branches` are (condition, block) in order; `otherwise` the else block."""

    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class ForEach(Stmt):
    clause: Clause
    by: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Repeat(Stmt):
    body: Block
    until: Expr


@dataclass(frozen=True, slots=True)
class Bullet(Node):
    """One named answer; its body's leading `needs` and `let` lines are the answer's legality."""

    name: Name
    body: Block


@dataclass(frozen=True, slots=True)
class AskAbout(Stmt):
    """`ask player about purchase` with bullets."""

    asked: Expr
    question: Name
    bullets: tuple[Bullet, ...]


@dataclass(frozen=True, slots=True)
class Count(Node):
    """How many are picked: `low..high`, or exactly `low` where high is None."""

    low: Expr
    high: Expr | None


@dataclass(frozen=True, slots=True)
class Question(Node):
    """`which [COUNT] NAME to QUESTION[, if any,] in LIST [where C] [such that D]` or `how much NAME
    to QUESTION in RANGE`.

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


@dataclass(frozen=True, slots=True)
class Ask(Stmt):
    """`body` None: the picked name holds from here to the end of the block around it."""

    asked: Expr
    question: Question
    body: Block | None
    otherwise: Block | None


@dataclass(frozen=True, slots=True)
class Secretly(Stmt):
    """`secretly ask each p in LIST where C QUESTION` and what follows when all have answered."""

    asked: Clause
    question: Question
    body: Block


@dataclass(frozen=True, slots=True)
class Luck(Stmt):
    """`luck picks x in LIST weighing W`."""

    name: Name
    source: Expr
    weight: Expr | None


@dataclass(frozen=True, slots=True)
class OptionWhich(Stmt):
    """A line at the head of an option: `which [COUNT] NAME in LIST ...`."""

    picked: Name
    count: Count | None
    source: Expr
    where: Expr | None
    such_that: Expr | None


@dataclass(frozen=True, slots=True)
class OptionHowMuch(Stmt):
    """A line at the head of an option: `how much NAME in RANGE`."""

    picked: Name
    source: Expr


@dataclass(frozen=True, slots=True)
class Needs(Stmt):
    condition: Expr
    reason: Text | None


@dataclass(frozen=True, slots=True)
class Expect(Stmt):
    """In scenarios and sayings: a condition that must hold."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class End(Stmt):
    """`end turn`: leaves the innermost running routine or phase of that name."""

    name: Name


@dataclass(frozen=True, slots=True)
class NextPhase(Stmt):
    """`next turn`, in a phase's `then` block."""

    name: Name


@dataclass(frozen=True, slots=True)
class Return(Stmt):
    value: Expr


@dataclass(frozen=True, slots=True)
class AsUsual(Stmt):
    args: tuple[Arg, ...]


@dataclass(frozen=True, slots=True)
class ErrorStmt(Stmt):
    """What could not be read; already reported."""


# ---------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Decl(Node):
    """A declaration; `doc` is the comment block right above it, without its dashes."""

    doc: str


@dataclass(frozen=True, slots=True)
class StateField(Node):
    """`name: TYPE [starts VALUE], traits`; without `starts` it is data."""

    name: Name
    type: TypeNode
    starts: Expr | None
    traits: tuple[Trait, ...]
    doc: str


@dataclass(frozen=True, slots=True)
class HolderField(Node):
    """`name: holds WHAT [as BACK] [up to N] [starts VALUE], traits`."""

    name: Name
    what: Name
    back: Name | None
    bound: Expr | None
    starts: Expr | None
    traits: tuple[Trait, ...]
    doc: str


Field = StateField | HolderField


@dataclass(frozen=True, slots=True)
class Trait(Node):
    word: Literal["ordered", "endless", "fanned", "seen", "count hidden"]
    by: str | None


@dataclass(frozen=True, slots=True)
class KindDecl(Decl):
    name: Name
    base: Name | None
    plural: Name | None
    pool: Expr | None
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class ThingDecl(Decl):
    name: Name
    base: Name | None
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class ChoiceDecl(Decl):
    name: Name
    values: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class UnitDecl(Decl):
    name: Name
    plural: Name | None


@dataclass(frozen=True, slots=True)
class SwitchDecl(Decl):
    """`question` is the text shown for it."""

    name: Name
    type: TypeNode
    default: Expr
    question: Text | None


@dataclass(frozen=True, slots=True)
class AddFields(Decl):
    owner: Name
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Param(Node):
    name: Name
    type: TypeNode | None


@dataclass(frozen=True, slots=True)
class PrepParam(Node):
    preposition: str
    param: Param


@dataclass(frozen=True, slots=True)
class Head(Node):
    """`subject.name(params)`; subject and params None where absent."""

    subject: Param | None
    name: Name
    params: tuple[Param, ...]


@dataclass(frozen=True, slots=True)
class But(Node):
    """`but NAME: VALUE if CONDITION`."""

    name: Name
    value: Expr
    condition: Expr


@dataclass(frozen=True, slots=True)
class Define(Decl):
    head: Head
    type: TypeNode
    lets: tuple[Let, ...]
    base: Expr
    buts: tuple[But, ...]


@dataclass(frozen=True, slots=True)
class ExceptionDecl(Decl):
    """`exception to HEAD` with its lines."""

    head: Head
    lets: tuple[Let, ...]
    buts: tuple[But, ...]


@dataclass(frozen=True, slots=True)
class Signature(Node):
    """`verb [param] [prep param]*`; its key is (verb, has param, prepositions)."""

    verb: Name
    param: Param | None
    preps: tuple[PrepParam, ...]


@dataclass(frozen=True, slots=True)
class Routine(Decl):
    signature: Signature
    gives: TypeNode | None
    body: Block


@dataclass(frozen=True, slots=True)
class EventDecl(Decl):
    """An event; `body` is what happens by itself (often nothing)."""

    signature: Signature
    body: Block


@dataclass(frozen=True, slots=True)
class RuleDecl(Decl):
    name: Name
    timing: Literal["before", "after", "instead of"]
    signature: Signature
    condition: Expr | None
    ahead_of: Name | None
    body: Block


@dataclass(frozen=True, slots=True)
class WatchDecl(Decl):
    """`rule NAME: whenever CONDITION`."""

    name: Name
    condition: Expr
    body: Block


@dataclass(frozen=True, slots=True)
class Always(Decl):
    name: Name
    condition: Expr


@dataclass(frozen=True, slots=True)
class Phase(Decl):
    """`then` always runs, also after `end NAME`; it says which phase is next."""

    name: Name
    body: Block
    then: Block | None


@dataclass(frozen=True, slots=True)
class Measure(Decl):
    name: Name
    title: Text | None
    timing: Literal["before", "after", "instead of"]
    signature: Signature
    condition: Expr | None
    value: Expr
    per: tuple[Expr, ...]


Closing = Literal[
    "until all pass", "until one acts", "until nobody can", "once each", "exactly one"
]


@dataclass(frozen=True, slots=True)
class Window(Decl):
    signature: Signature
    asked: Clause
    closing: Closing


@dataclass(frozen=True, slots=True)
class Option(Decl):
    name: Name
    windows: tuple[Name, ...]
    by: Param
    given: tuple[PrepParam, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class Forbid(Decl):
    """`forbid OPTION in WINDOW_OR_QUESTION if CONDITION, "reason"`."""

    option: Name
    place: Name
    condition: Expr
    reason: Text


@dataclass(frozen=True, slots=True)
class Replace(Decl):
    declaration: Decl


@dataclass(frozen=True, slots=True)
class Remove(Decl):
    """`remove rule NAME`, `remove exception LABEL to HEAD`."""

    what: str
    name: Name
    head: Head | None


@dataclass(frozen=True, slots=True)
class SetSwitch(Decl):
    name: Name
    value: Expr


# ---------------------------------------------------------------- strategies


@dataclass(frozen=True, slots=True)
class WithThe(Node):
    """`most EXPR` or `least EXPR`, the first key decides."""

    extreme: Literal["most", "least"]
    value: Expr


@dataclass(frozen=True, slots=True)
class Preference(Node):
    """One line of a strategy: the first that gives a legal answer is taken.

    `answer` is `pass`, a named answer with arguments, or `pick VALUE` (form "pick", one arg).
    """

    form: Literal["pass", "named", "pick"]
    answer: Name | None
    args: tuple[Arg, ...]
    clauses: tuple[Clause, ...]
    condition: Expr | None
    ranking: tuple[WithThe, ...]


@dataclass(frozen=True, slots=True)
class StrategyFor(Node):
    """What is answered to one or more questions, windows by their names."""

    questions: tuple[Name, ...]
    lets: tuple[Let, ...]
    preferences: tuple[Preference, ...]


@dataclass(frozen=True, slots=True)
class Strategy(Decl):
    name: Name
    base: Name | None
    parts: tuple[StrategyFor, ...]


# ---------------------------------------------------------------- scenarios


@dataclass(frozen=True, slots=True)
class Saying(Decl):
    """`saying player owns deed`: a sentence for scenarios and what it means."""

    subject: Param
    verb: Name
    object: Param | None
    preps: tuple[PrepParam, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class SaidLine(Node):
    """`red: buy, 100`: queued answers of a seat, or of `luck`. None is `pass`."""

    who: Name
    answers: tuple[Expr | None, ...]


@dataclass(frozen=True, slots=True)
class May(Stmt):
    """`red may build(street: x)` / `red may not build(...), "reason"`."""

    who: Expr
    negative: bool
    option: Name
    args: tuple[Arg, ...]
    reason: Text | None


@dataclass(frozen=True, slots=True)
class Step(Node):
    """One `when` with its answers, or one `then` with what is expected (commands are sayings)."""

    command: Command | None
    said: tuple[SaidLine, ...]
    expected: Block


@dataclass(frozen=True, slots=True)
class Scenario(Decl):
    title: str
    seats: tuple[Name, ...]
    mods: tuple[Name, ...]
    switches: tuple[SetSwitch, ...]
    given: Block
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Script(Node):
    """A whole file."""

    declarations: tuple[Decl, ...]
