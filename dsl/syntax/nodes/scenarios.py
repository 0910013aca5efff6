"""Nodes of strategies and scenarios, and the whole script."""

from __future__ import annotations

from typing import Literal

from dsl.records import record
from dsl.source import Span
from dsl.syntax.nodes.declarations import Decl, Param, PrepParam, SetSwitch
from dsl.syntax.nodes.expressions import Arg, Clause, Expr, Name, Node, Text
from dsl.syntax.nodes.statements import Block, Command, Let, Stmt


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
class Strategy(Decl):
    name: Name
    base: Name | None
    parts: tuple[StrategyFor, ...]


@record
class Saying(Decl):
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
class May(Stmt):
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
class WasAsked(Stmt):
    """`red is asked purchase` / `red is not asked purchase`."""

    who: Expr
    negative: bool
    question: Name


@record
class GameIs(Stmt):
    """`the game is over` / `the game goes on`."""

    over: bool


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
class Scenario(Decl):
    title: str
    seats: tuple[Name, ...]
    mods: tuple[Name, ...]
    profile: Name | None
    switches: tuple[SetSwitch, ...]
    steps: tuple[Given | When | Then, ...]


@record
class Script(Node):
    """A whole file. `unread`: the declarations and lines that could not be read."""

    declarations: tuple[Decl, ...]
    unread: tuple[Span, ...] = ()
