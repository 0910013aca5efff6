"""The core program: declarations, statements and expressions, all names resolved, all types known.

Identities are indices into families (a root kind with all its sub-kinds). A local has a name that
is unique in its routine. Nothing here is nested in the surface sense: exceptions are merged into
their define, refusals into the head of their answer, hooks into the event they belong to, switches
are constants.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dsl.core.types import Type
from dsl.source import Span

# ---------------------------------------------------------------- expressions


@dataclass(frozen=True, slots=True)
class Expr:
    """An expression with its type."""

    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Const(Expr):
    """A number, flag, identity, choice or none as its number."""

    value: int


@dataclass(frozen=True, slots=True)
class Local(Expr):
    name: str


@dataclass(frozen=True, slots=True)
class Field(Expr):
    """A field of an entity: data, state, or how many a purse holds. `column` names a `Column`."""

    column: str
    subject: Expr


@dataclass(frozen=True, slots=True)
class Lookup(Expr):
    """`table[key]`; `table` has a MapType (a `Field`, or the answers of a gather as a `Local`)."""

    table: Expr
    key: Expr


@dataclass(frozen=True, slots=True)
class ZoneItems(Expr):
    """What lies in a zone of a holder: a SetType, or a SeqType (first is on top) where the zone is
    ordered.
    """

    zone: str
    holder: Expr


@dataclass(frozen=True, slots=True)
class HolderOf(Expr):
    """The holder in whose `zone` the thing lies, or none (the `as` name of a zone)."""

    zone: str
    thing: Expr


@dataclass(frozen=True, slots=True)
class CallDefine(Expr):
    """A derived value; the variant for the subject's kind is chosen by `Define.variants`."""

    define: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Usual(Expr):
    """Inside a but-line: the value without this line."""


ArithOp = Literal["+", "-", "*", "/", "min", "max"]


@dataclass(frozen=True, slots=True)
class Arith(Expr):
    """`/` rounds down."""

    op: ArithOp
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class MulDiv(Expr):
    """`value * times / by`, rounded down, up or to the nearest, to a multiple of `unit`."""

    value: Expr
    times: Expr
    by: Expr
    rounding: Literal["down", "up", "near"]
    unit: int


@dataclass(frozen=True, slots=True)
class Compare(Expr):
    """On numbers, identities, choices and sets (`is`, `is not` only)."""

    op: Literal["is", "is not", "<", "<=", ">", ">="]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Logic(Expr):
    """Short-circuit `and`, `or`."""

    op: Literal["and", "or"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not(Expr):
    operand: Expr


@dataclass(frozen=True, slots=True)
class Conditional(Expr):
    condition: Expr
    then_value: Expr
    else_value: Expr


@dataclass(frozen=True, slots=True)
class IsKind(Expr):
    """Whether an identity (possibly none) is of a kind."""

    subject: Expr
    kind: str


@dataclass(frozen=True, slots=True)
class AllOf(Expr):
    """All entities of a kind; of a pool kind, those in use. A SetType."""

    kind: str


@dataclass(frozen=True, slots=True)
class SetOf(Expr):
    """A set written out; none items are left out."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SeqOf(Expr):
    """A row written out."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class SetOp(Expr):
    """Union, difference, intersection of sets."""

    op: Literal["+", "-", "&"]
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Contains(Expr):
    """`item in collection` (set, row, zone, range)."""

    item: Expr
    collection: Expr


@dataclass(frozen=True, slots=True)
class RangeOf(Expr):
    """`low..high step n`, as a collection of numbers (SeqType)."""

    low: Expr
    high: Expr
    step: Expr


@dataclass(frozen=True, slots=True)
class Generator:
    """One `each variable in source where condition`."""

    variable: str
    variable_type: Type
    source: Expr
    where: Expr | None


FoldKind = Literal["count", "sum", "min", "max", "any", "all", "first", "set", "row", "distinct"]


@dataclass(frozen=True, slots=True)
class Fold(Expr):
    """A query and what is made of it.

    `count` how many; `sum`, `min`, `max` of `value` (min and max of nothing give `default`, or a
    fault); `any`, `all` of the flag `value`; `first` the first item, by the least `key` where there
    is one (none if there is none: the type is optional); `set` the items as a set; `row` the values
    in order, by `key`; `distinct` how many different values.
    """

    kind: FoldKind
    generators: tuple[Generator, ...]
    value: Expr
    key: Expr | None
    default: Expr | None


BuiltinName = Literal[
    "cycle",  # cycle(collection, item, n): the item n places on, around the end
    "rotated",  # rotated(collection, item): all items in order, starting with item (or the next present after it)
    "reversed",
    "path",  # path(collection, a, b): the items after a, up to and including b, going forward around the end
    "next_of",  # next_of(collection, item): the first one of a set after item, going around
    "position",  # position(collection, item), from 0
    "top",  # top(n, row): the first n as a row
    "subsets",  # subsets(set, n): search only
    "assignments",  # assignments(set, collection): search only
    "abs",
    "power",
    "was",  # in scenarios: the value before the last `when`
]


@dataclass(frozen=True, slots=True)
class Builtin(Expr):
    name: BuiltinName
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class TextOf(Expr):
    """A text for people: its message key, and parts that are literal or values to show."""

    key: str
    parts: tuple[str | Expr, ...]


# ---------------------------------------------------------------- heads of answers


@dataclass(frozen=True, slots=True)
class HeadLet:
    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class HeadNeeds:
    """A condition, and the reason of the refusal (a plain one is made from the condition where none
    was written).
    """

    condition: Expr
    reason: TextOf
    span: Span


@dataclass(frozen=True, slots=True)
class HeadPick:
    """One picked value. `form`: `one` entity or value of `source`; `some` (a set, from `low` to
    `high` of them, with `such_that` on the whole); `amount` a number of a RangeOf."""

    form: Literal["one", "some", "amount"]
    name: str
    type: Type
    source: Expr
    item: str  # the local that `where` names one candidate by (for `one` and `amount` it equals `name`)
    where: Expr | None
    such_that: Expr | None
    low: Expr | None
    high: Expr | None
    span: Span


HeadItem = HeadLet | HeadNeeds | HeadPick


# ---------------------------------------------------------------- statements


@dataclass(frozen=True, slots=True)
class Stmt:
    """A statement; `span` is what the trace shows."""

    span: Span


Block = tuple[Stmt, ...]


@dataclass(frozen=True, slots=True)
class Let(Stmt):
    """Brings in a local, or sets one that is there (`fresh` False)."""

    name: str
    value: Expr
    fresh: bool


@dataclass(frozen=True, slots=True)
class SetField(Stmt):
    """Sets state that is not held by anyone. `key` for a table field."""

    column: str
    subject: Expr
    key: Expr | None
    value: Expr


@dataclass(frozen=True, slots=True)
class MoveUnits(Stmt):
    """Moves `amount` from one purse to another of the same unit. `guarded`: the checker proved it
    is there.
    """

    amount: Expr
    from_column: str
    from_subject: Expr
    to_column: str
    to_subject: Expr
    guarded: bool


@dataclass(frozen=True, slots=True)
class MoveThings(Stmt):
    """Moves one thing, a set or a row into a zone; `under` puts at the bottom of an ordered zone,
    else on top.
    """

    things: Expr
    zone: str
    holder: Expr
    under: bool


@dataclass(frozen=True, slots=True)
class Exchange(Stmt):
    """Two things change places (zones, holders and positions), or two purses change contents."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Shuffle(Stmt):
    zone: str
    holder: Expr


@dataclass(frozen=True, slots=True)
class Make(Stmt):
    """Takes a free entity of a pool kind into local `name` and sets its fields."""

    name: str
    kind: str
    fields: tuple[tuple[str, Expr], ...]


@dataclass(frozen=True, slots=True)
class Drop(Stmt):
    thing: Expr


@dataclass(frozen=True, slots=True)
class Call(Stmt):
    """Calls a routine, event or phase-independent procedure; `result` names the local that takes
    what it gives.
    """

    routine: str
    args: tuple[Expr, ...]
    result: str | None
    fresh: bool


@dataclass(frozen=True, slots=True)
class AsUsual(Stmt):
    """In an instead-rule: what would have happened; `args` has every parameter of the event."""

    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class If(Stmt):
    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block


@dataclass(frozen=True, slots=True)
class ForEach(Stmt):
    """Over a snapshot of the source; `key` orders it (least first)."""

    generator: Generator
    key: Expr | None
    body: Block


@dataclass(frozen=True, slots=True)
class Repeat(Stmt):
    body: Block
    until: Expr


@dataclass(frozen=True, slots=True)
class Luck(Stmt):
    """A draw from a named stream: uniform over the source, or weighted."""

    name: str
    type: Type
    source: Expr
    weight: Expr | None
    item: str  # the local that `weight` names one candidate by
    stream: str


@dataclass(frozen=True, slots=True)
class Answer:
    """One named answer of an AskAbout."""

    name: str
    head: tuple[HeadItem, ...]
    body: Block
    span: Span


@dataclass(frozen=True, slots=True)
class AskAbout(Stmt):
    site: str
    asked: Expr
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Ask(Stmt):
    """A pick; with nothing to pick the `otherwise` runs. `may_decline`: it may also be answered
    with none.
    """

    site: str
    asked: Expr
    pick: HeadPick
    may_decline: bool
    body: Block
    otherwise: Block


@dataclass(frozen=True, slots=True)
class Gather(Stmt):
    """Secret and simultaneous. `asked` says whom; in `body` the local `pick.name` is a table by the
    asked family.
    """

    site: str
    asked: Generator
    pick: HeadPick
    table: str  # the local of the table of answers
    table_type: Type
    body: Block


@dataclass(frozen=True, slots=True)
class OpenWindow(Stmt):
    site: str
    window: str
    args: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class End(Stmt):
    """Leaves the innermost running routine or phase `label`; `game` ends the game."""

    label: str


@dataclass(frozen=True, slots=True)
class NextPhase(Stmt):
    phase: str


@dataclass(frozen=True, slots=True)
class Return(Stmt):
    value: Expr


@dataclass(frozen=True, slots=True)
class Reveal(Stmt):
    """Lets `to` (None: everyone) know a hidden field of one entity."""

    column: str
    subject: Expr
    to: Expr | None


@dataclass(frozen=True, slots=True)
class Say(Stmt):
    """A line of the log. `to` None: everyone reads it."""

    text: TextOf
    to: Expr | None


@dataclass(frozen=True, slots=True)
class Expect(Stmt):
    """Scenarios only."""

    condition: Expr


@dataclass(frozen=True, slots=True)
class MayAnswer(Stmt):
    """Scenarios only: whether an answer is (not) legal now, and why not."""

    who: Expr
    negative: bool
    option: str
    args: tuple[tuple[str, Expr], ...]
    reason: TextOf | None


@dataclass(frozen=True, slots=True)
class ScriptLuck(Stmt):
    """Sayings only: queues results of luck."""

    values: Expr


@dataclass(frozen=True, slots=True)
class PlayPhase(Stmt):
    """Sayings only: runs a phase to its end."""

    phase: str


# ---------------------------------------------------------------- declarations


@dataclass(frozen=True, slots=True)
class Family:
    """A root kind with all its entities, of all its sub-kinds. `pool`: taken and given back in
    play.
    """

    name: str
    ids: tuple[str, ...]
    pool: bool

    @property
    def size(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Kind:
    """`members` are indices into the family, ascending."""

    name: str
    family: str
    base: str | None
    members: tuple[int, ...]
    doc: str
    span: Span


Visibility = Literal["everyone", "owner", "nobody"]


@dataclass(frozen=True, slots=True)
class Column:
    """A field of a kind, laid out over its whole family (or, as a table field, family x key).

    `values` are the starting (or, for data, the only) numbers, one per entity (times keys);
    entities that do not have the field get none. Data of SetType holds bit sets as int. `endless`:
    entities whose purse never runs out.
    """

    name: str  # "Deed.price"
    field: str
    family: str
    kind: str
    type: Type
    role: Literal["data", "state", "purse"]
    values: tuple[int, ...] | tuple[tuple[int, ...], ...]
    seen_by: Visibility
    endless: tuple[int, ...]
    doc: str
    span: Span


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for things: one for each of `holders` (indices in `family`).

    `starts`: for each holder the things that lie there at the start (indices, top first).
    """

    name: str  # "Player.deeds"
    field: str
    family: str
    holders: tuple[int, ...]
    holds: str
    back: str | None
    ordered: bool
    fanned: bool
    bound: int
    seen_by: Visibility
    count_hidden: bool
    starts: tuple[tuple[int, ...], ...]
    doc: str
    span: Span


@dataclass(frozen=True, slots=True)
class But:
    label: str
    value: Expr
    condition: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class DefineVariant:
    """The lines of a define for one subject kind (None: no subject). The last but-line that applies
    wins.
    """

    kind: str | None
    params: tuple[tuple[str, Type], ...]
    lets: tuple[HeadLet, ...]
    base: Expr
    buts: tuple[But, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Define:
    """`variants`, narrowest kind first; the first whose kind fits the subject gives the value."""

    name: str
    type: Type
    variants: tuple[DefineVariant, ...]
    doc: str


@dataclass(frozen=True, slots=True)
class Pattern:
    """A parameter (by position) that must be of a kind."""

    position: int
    kind: str


@dataclass(frozen=True, slots=True)
class Hook:
    """One rule on a routine. `params` are the rule's own names for the routine's parameters."""

    rule: str
    params: tuple[tuple[str, Type], ...]
    patterns: tuple[Pattern, ...]
    condition: Expr | None
    body: Block
    layer: str
    doc: str
    span: Span


@dataclass(frozen=True, slots=True)
class Routine:
    """A routine or event with everything that hooks it, in the order in which it runs.

    `insteads`: the first whose patterns and condition hold replaces the rest; AsUsual goes on with
    the next one.
    """

    name: str  # "pay from to": the verb and its prepositions
    verb: str
    params: tuple[tuple[str, Type], ...]
    gives: Type | None
    body: Block
    befores: tuple[Hook, ...]
    insteads: tuple[Hook, ...]
    afters: tuple[Hook, ...]
    is_event: bool
    doc: str
    span: Span


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of play that ends where the game can be saved. Hookable by its name."""

    name: str
    body: Block
    then: Block
    befores: tuple[Hook, ...]
    afters: tuple[Hook, ...]
    doc: str
    span: Span


@dataclass(frozen=True, slots=True)
class Watch:
    """`whenever CONDITION`. `ends`: its body only ends something, so it fires at once."""

    rule: str
    condition: Expr
    body: Block
    ends: bool
    layer: str
    doc: str
    span: Span


@dataclass(frozen=True, slots=True)
class AlwaysCheck:
    name: str
    condition: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Option:
    """`params`: by-player first, then what the window gives, by name and type."""

    name: str
    windows: tuple[str, ...]
    params: tuple[tuple[str, Type], ...]
    head: tuple[HeadItem, ...]
    body: Block
    layer: str
    doc: str
    span: Span


@dataclass(frozen=True, slots=True)
class Window:
    """Who is asked, in order, and how it closes. `options` in order."""

    name: str
    params: tuple[tuple[str, Type], ...]
    asked: Generator
    closing: Literal[
        "until all pass", "until one acts", "until nobody can", "once each", "exactly one"
    ]
    options: tuple[str, ...]
    doc: str
    span: Span


@dataclass(frozen=True, slots=True)
class Measure:
    """After (or before) a routine: add `value` to the counter at `per`. `sizes` are the numbers of
    cells per axis; a per-value beyond its axis counts in the last cell."""

    name: str
    title: str
    routine: str  # a routine's or a phase's name
    timing: Literal["before", "after"]
    hook: Hook  # with an empty body
    value: Expr
    per: tuple[Expr, ...]
    axes: tuple[tuple[str, int], ...]  # (what the axis is: a kind, a choice, "number"; its size)


@dataclass(frozen=True, slots=True)
class Ranking:
    most: bool
    value: Expr


@dataclass(frozen=True, slots=True)
class Preference:
    """One line of a strategy at one site. `answer`: an option's or answer's name, `pass`, or
    `pick`.

    `args` give picked names their values; picks of the head that are not given are searched in
    order. For `pick` with `value` None the candidates of the question are searched.
    """

    answer: str
    args: tuple[tuple[str, Expr], ...]
    value: Expr | None
    generators: tuple[Generator, ...]
    condition: Expr | None
    ranking: tuple[Ranking, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Strategy:
    """What a strategy answers, by site. The seat that answers is the local `me` there. A site that
    is missing is answered at random among the legal answers. `lets` come before the preferences of
    a site.
    """

    name: str
    doc: str
    sites: dict[str, tuple[tuple[HeadLet, ...], tuple[Preference, ...]]]
    span: Span


@dataclass(frozen=True, slots=True)
class Site:
    """A place where a question is asked. `scope`: the locals in scope, which strategies and texts
    may read.
    """

    name: str  # unique: "offer/purchase"
    question: str  # "purchase": what strategies and scenarios call it
    form: Literal["about", "pick", "gather", "window"]
    scope: tuple[tuple[str, Type], ...]
    window: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class SaidAnswer:
    """A queued answer of a scenario: `pass`, a named answer with arguments, or a plain value."""

    name: str | None
    args: tuple[tuple[str | None, Expr], ...]
    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class ScenarioStep:
    """`act` runs with the queued answers (by seat id) and luck; then `expected` must hold."""

    act: Block
    said: tuple[tuple[str, tuple[SaidAnswer, ...]], ...]
    luck: tuple[Expr, ...]
    expected: Block


@dataclass(frozen=True, slots=True)
class Scenario:
    title: str
    given: Block
    steps: tuple[ScenarioStep, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Program:
    """A variant, with its mods, switches and number of players, ready to be lowered."""

    variant: str
    title: str
    mods: tuple[str, ...]
    switches: tuple[tuple[str, str], ...]
    players: int
    player_kind: str
    digest: str  # hash of all rules, data, switches and the number of players
    first_phase: str
    phase_limit: int
    act_limit: int
    families: dict[str, Family]
    kinds: dict[str, Kind]
    columns: dict[str, Column]
    zones: dict[str, Zone]
    defines: dict[str, Define]
    routines: dict[str, Routine]
    phases: dict[str, Phase]
    watches: tuple[Watch, ...]
    always: tuple[AlwaysCheck, ...]
    windows: dict[str, Window]
    options: dict[str, Option]
    measures: dict[str, Measure]
    strategies: dict[str, Strategy]
    sites: dict[str, Site]
    winners: Expr  # the define `winners`: a set of players
    scores: Expr | None  # with local `player`: the define `final_score`
    texts: dict[str, str]  # message key -> text in the language asked for
    names: dict[str, tuple[str, ...]]  # family -> shown name of each entity
    scenarios: tuple[Scenario, ...] = field(default=())
