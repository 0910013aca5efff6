"""A whole flat program: functions, state, tables, and what a host needs to know."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from dsl.records import value
from dsl.source import Span
from interpreter.flat.ir.nodes.statements import Body
from interpreter.flat.ir.nodes.types import FlatType


@dataclass(slots=True)
class Function:
    """`exits`: returns a code (0: go on), and what it `gives` is in the result register."""

    name: str
    params: tuple[tuple[str, FlatType], ...]
    body: Body
    gives: FlatType | None = None
    exits: bool = False
    comment: str = ""


@value
class ScalarDecl:
    """`role`: `state` is saved and hashed; `scratch` is neither."""

    name: str
    type: FlatType
    initial: int
    role: Literal["state", "scratch"]


@value
class ColumnDecl:
    """`initial` has one number (or set, as int) per cell. `free`: cells of endless purses, not
    saved nor hashed.
    """

    name: str
    type: FlatType
    initial: tuple[int, ...]
    role: Literal["state", "scratch", "measure"]
    free: tuple[int, ...] = ()


@value
class RowsDecl:
    name: str
    count: int
    cap: int
    initial: tuple[tuple[int, ...], ...]


@value
class Table:
    """Constant numbers or sets."""

    name: str
    type: FlatType
    values: tuple[int, ...]


@value
class PickInfo:
    """One picked value of an answer.

    `kind`: `set` one member of the set that `candidates` gives; `some` a subset of it; `range` a
    number from `low` to `high` by `step`; `row` an item of the row column `candidates` fills
    (register row `answer_row`). The functions take the seat, the scope, then the picks before this
    one. `register`: where the answer function leaves it: ("int", k) or ("set", k). `reason`: why a
    set is refused that has the right number of members; its functions take this pick too.
    """

    name: str
    kind: Literal["set", "some", "range", "row"]
    candidates: str | None
    low: str | None
    high: str | None
    step: str | None
    register: tuple[Literal["int", "set"], int]
    type: object = None  # the core type of the picked value
    reason: TextInfo | None = None


@value
class TextPart:
    """A hole of a text: a function of the same parameters that gives the number to show, and its
    core type.
    """

    function: str
    type: object
    is_printed: bool = False  # shown is what is printed on it
    together: int = 0  # neighbours of one number fill one hole


@value
class TextInfo:
    key: str
    parts: tuple[str | TextPart, ...]


@value
class AnswerInfo:
    """One named answer or option. `refuse` takes seat, scope, picks and gives 0 or the number of a
    reason (from 1). `label`: how it is put to the player.
    """

    name: str
    number: int
    picks: tuple[PickInfo, ...]
    refuse: str
    reasons: tuple[TextInfo, ...]
    label: TextInfo | None = None


@value
class Asking:
    """Where a question stands. Of one that asks several: `listing`, the function that puts them
    into `answer_row`, in order, and `own`, the place in the scope of the one who is asked. Of a
    window: its `closing`."""

    span: Span
    listing: str | None
    own: int | None
    closing: str | None = None


@value
class Site:
    """A place where a question is asked, as the host sees it.

    The answer function gives: form `about` and `window`, the number of the answer (0: pass); form
    `pick` and `gather` 1, with the value in its register (0: declined). `asking`: what scenarios
    know besides. `prompt`: how the question is put; `passes`: what passing is called, the first
    one counts whose function gives 1 or is none. `shows`: a text whose holes are what is at stake.
    """

    name: str
    question: str
    form: Literal["about", "pick", "gather", "window"]
    scope: tuple[tuple[str, FlatType, object], ...]  # name, flat type, core type
    answers: tuple[AnswerInfo, ...]
    may_pass: bool
    asking: Asking | None = None
    prompt: TextInfo | None = None
    passes: tuple[tuple[str | None, TextInfo], ...] = ()
    shows: TextInfo | None = None


RANDOM = "random"
"""The strategy that every variant has."""


REFRESH = "refresh"
"""The function that works out anew what is maintained in scratch: called once a state was put in
place, also the one that games start with."""


SEALED = "host__sealed"
"""The site of no question: in programs for hosts it is passed once all have been asked in secret,
and the host may wait there for their answers."""


@value
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
    too_deep: Body = ()  # what ends a game in which rules set each other off without end
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
