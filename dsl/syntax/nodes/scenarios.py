"""Nodes of strategies and scenarios, and the whole script."""

from __future__ import annotations

from typing import Literal

from dsl.records import record
from dsl.source import Span
from dsl.syntax.nodes.declarations import (
    AddFields,
    Always,
    ChoiceDecl,
    DeclBase,
    Define,
    EventDecl,
    ExceptionDecl,
    Forbid,
    KindDecl,
    Measure,
    Option,
    Param,
    Phase,
    PrepParam,
    Remove,
    Routine,
    RuleDecl,
    SetSwitch,
    SwitchDecl,
    ThingDecl,
    UnitDecl,
    WatchDecl,
    Window,
)
from dsl.syntax.nodes.expressions import Arg, Clause, Expr, Name, Node
from dsl.syntax.nodes.statements import Block, Command, Let


@record
class WithThe(Node):
    """`most EXPR` or `least EXPR`, the first key decides."""

    extreme: Literal["most", "least"]
    value: Expr


@record
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


@record
class StrategyFor(Node):
    """What is answered to one or more questions, windows by their names."""

    questions: tuple[Name, ...]
    lets: tuple[Let, ...]
    preferences: tuple[Preference, ...]


@record
class Strategy(DeclBase):
    name: Name
    base: Name | None
    parts: tuple[StrategyFor, ...]


@record
class Saying(DeclBase):
    """`saying player holds card`: a sentence for scenarios and what it means."""

    subject: Param
    verb: Name
    object: Param | None
    preps: tuple[PrepParam, ...]
    body: Block


@record
class Said(Node):
    """A queued answer, perhaps `at` the question that it is for. No value is `pass`."""

    value: Expr | None
    question: Name | None


@record
class SaidLine(Node):
    """`red: buy, 100`: queued answers of a seat, or results of `luck`."""

    who: Name
    answers: tuple[Said, ...]


@record
class Given(Node):
    """What there is before something happens."""

    block: Block


@record
class When(Node):
    """What happens, with the answers to what is asked. Without a command the play goes on that
    was stopped before. `stop`: the question up to which it is played."""

    command: Command | None
    stop: Name | None
    said: tuple[SaidLine, ...]


@record
class Then(Node):
    """What is expected; commands are sayings."""

    expected: Block


@record
class Scenario(DeclBase):
    title: str
    seats: tuple[Name, ...]
    mods: tuple[Name, ...]
    profile: Name | None
    switches: tuple[SetSwitch, ...]
    steps: tuple[Given | When | Then, ...]


@record
class Replace(DeclBase):
    declaration: Decl


Decl = (
    KindDecl
    | ThingDecl
    | ChoiceDecl
    | UnitDecl
    | SwitchDecl
    | AddFields
    | Define
    | ExceptionDecl
    | Routine
    | EventDecl
    | RuleDecl
    | WatchDecl
    | Always
    | Phase
    | Measure
    | Window
    | Option
    | Forbid
    | Remove
    | SetSwitch
    | Strategy
    | Saying
    | Scenario
    | Replace
)
"""All declarations there are."""


@record
class Script(Node):
    """A whole file. `unread`: the declarations and lines that could not be read."""

    declarations: tuple[Decl, ...]
    unread: tuple[Span, ...] = ()
