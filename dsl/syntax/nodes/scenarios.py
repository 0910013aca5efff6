"""Nodes of strategies and scenarios, and the whole script."""

from __future__ import annotations

from typing import Literal

from dsl.records import record
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
class SaidLine(Node):
    """`red: buy, 100`: queued answers of a seat, or of `luck`. None is `pass`."""

    who: Name
    answers: tuple[Expr | None, ...]


@record
class May(Stmt):
    """`red may build(street: x)` / `red may not build(...), "reason"`."""

    who: Expr
    negative: bool
    option: Name
    args: tuple[Arg, ...]
    reason: Text | None


@record
class Step(Node):
    """One `when` with its answers, or one `then` with what is expected (commands are sayings)."""

    command: Command | None
    said: tuple[SaidLine, ...]
    expected: Block


@record
class Scenario(Decl):
    title: str
    seats: tuple[Name, ...]
    mods: tuple[Name, ...]
    switches: tuple[SetSwitch, ...]
    given: Block
    steps: tuple[Step, ...]


@record
class Script(Node):
    """A whole file."""

    declarations: tuple[Decl, ...]
