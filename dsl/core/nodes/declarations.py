"""Declarations of the core: what exists, what happens, who is asked."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from dsl.core.nodes.expressions import Expr, Generator, TextOf
from dsl.core.nodes.statements import Block, HeadItem, HeadLet, Say
from dsl.core.types import Type
from dsl.records import record
from dsl.source import Span


@record
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


@record
class Kind:
    """`members` are indices into the family, ascending."""

    name: str
    family: str
    base: str | None
    members: tuple[int, ...]
    doc: str
    span: Span


Visibility = Literal["everyone", "owner", "nobody"]


@record
class Column:
    """A field of a kind, laid out over its whole family (or, as a table field, family x key).

    `values` are the starting (or, for data, the only) numbers, one per entity (times keys);
    entities that do not have the field get none. Data of SetType holds bit sets as int. `endless`:
    entities whose purse never runs out. `most`: how much each entity's purse may hold, where that
    is not the same for all. `is_shown`: whether a table that is drawn has it.
    """

    name: str  # "Street.price"
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
    most: tuple[int, ...] = ()
    is_shown: bool = False


@record
class Zone:
    """A place for things: one for each of `holders` (indices in `family`).

    `starts`: for each holder the things that lie there at the start (indices, top first).
    `is_shown`: as of a column.
    """

    name: str  # "Player.cards"
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
    is_shown: bool = True


@record
class But:
    label: str
    value: Expr
    condition: Expr
    span: Span


@record
class DefineVariant:
    """The lines of a define for one subject kind (None: no subject). The last but-line that applies
    wins. `told`: everybody may know it, whatever hidden things it is worked out of.
    """

    kind: str | None
    params: tuple[tuple[str, Type], ...]
    lets: tuple[HeadLet, ...]
    base: Expr
    buts: tuple[But, ...]
    span: Span
    told: bool


@record
class Define:
    """`variants`, narrowest kind first; the first whose kind fits the subject gives the value."""

    name: str
    type: Type
    variants: tuple[DefineVariant, ...]
    doc: str


@record
class Pattern:
    """A parameter (by position) that must be of a kind."""

    position: int
    kind: str


@record
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


@record
class Routine:
    """A routine or event with everything that hooks it, in the order in which it runs.

    `insteads`: the first whose patterns and condition hold replaces the rest; AsUsual goes on with
    the next one. `says`: its sentence.
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
    says: Say | None = None


@record
class Phase:
    """A stretch of play that ends where the game can be saved. Hookable by its name."""

    name: str
    body: Block
    then: Block
    befores: tuple[Hook, ...]
    afters: tuple[Hook, ...]
    doc: str
    span: Span


@record
class Watch:
    """`whenever CONDITION`. `ends`: its body only ends something, so it fires at once."""

    rule: str
    condition: Expr
    body: Block
    ends: bool
    layer: str
    doc: str
    span: Span


@record
class AlwaysCheck:
    name: str
    condition: Expr
    span: Span


@record
class Option:
    """`params`: by-player first, then what the window gives, by name and type. `label`: how it is
    put to the player.
    """

    name: str
    windows: tuple[str, ...]
    params: tuple[tuple[str, Type], ...]
    head: tuple[HeadItem, ...]
    body: Block
    layer: str
    doc: str
    span: Span
    label: TextOf | None = None


@record
class Window:
    """Who is asked, in order, and how it closes. `options` in order.

    `label`: how its question is put; `passes`: what passing is called, the first one counts whose
    condition holds; `shows`: what is at stake.
    """

    name: str
    params: tuple[tuple[str, Type], ...]
    asked: Generator
    closing: Literal[
        "until all pass", "until one acts", "until nobody can", "once each", "exactly one"
    ]
    options: tuple[str, ...]
    doc: str
    span: Span
    label: TextOf | None = None
    passes: tuple[tuple[Expr | None, TextOf], ...] = ()
    shows: TextOf | None = None


@record
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


@record
class Ranking:
    most: bool
    value: Expr


@record
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


@record
class Strategy:
    """What a strategy answers, by site. The seat that answers is the local `me` there. A site that
    is missing is answered at random among the legal answers. `lets` come before the preferences of
    a site.
    """

    name: str
    doc: str
    sites: dict[str, tuple[tuple[HeadLet, ...], tuple[Preference, ...]]]
    span: Span


@record
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


@record
class SaidAnswer:
    """An answer in a scenario: `pass`, a named answer with arguments, or a plain value.
    `question`: the only one that it is for, if that is said."""

    name: str | None
    args: tuple[tuple[str | None, Expr], ...]
    value: Expr | None
    question: str | None
    span: Span


@record
class MayAnswer:
    """Whether a player is asked now, and an answer is legal or is refused; and why."""

    who: Expr
    negative: bool
    answer: SaidAnswer
    reason: TextOf | None
    span: Span


@record
class WasAsked:
    """Whether a player was (not) asked a question."""

    who: Expr
    negative: bool
    question: str
    span: Span


@record
class GameIs:
    """Whether the game is over, or goes on."""

    over: bool
    span: Span


Expected = Block | MayAnswer | WasAsked | GameIs
"""What stands under `then`; a block is made of `expect` lines."""


@record
class ScenarioStep:
    """One look, and what leads to it. `given` is set up first. Then `act` runs with the queued
    answers (by seat id) and luck, up to the question `stop`; without `act`, the play that waits
    goes on if there is `is_answer`, else nothing happens. Then all that is `expected` must hold."""

    given: Block
    act: Block | None
    is_answer: bool
    stop: str | None
    said: tuple[tuple[str, tuple[SaidAnswer, ...]], ...]
    luck: tuple[Expr, ...]
    expected: tuple[Expected, ...]
    span: Span


@record
class Scenario:
    title: str
    steps: tuple[ScenarioStep, ...]
    span: Span


@record
class Board:
    """How the table is drawn. `ring`: the family whose things lie in a ring, in as many `sides`;
    none where there is no board. `colours`: of things and seats, by id.
    """

    ring: str | None = None
    sides: int = 4
    colours: dict[str, str] = field(default_factory=dict)


@record
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
    said: dict[str, str]  # the same as the rules have them, without what is given by the key
    names: dict[str, tuple[str, ...]]  # family -> shown name of each entity
    printed: dict[str, tuple[str, ...]]  # family -> what is printed on each entity, or ""
    scenarios: tuple[Scenario, ...] = field(default=())
    board: Board = field(default_factory=Board)
    language: str = "en"  # of its texts
    forms: dict[str, dict[str, str]] = field(default_factory=dict)  # name -> form -> in that form
