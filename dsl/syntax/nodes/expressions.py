"""Nodes of expressions."""

from __future__ import annotations

from typing import Literal

from dsl.records import record
from dsl.source import Span


@record
class Node:
    """Anything with a place in a script. `span` covers the node's own significant tokens."""

    span: Span


@record
class Name(Node):
    """A written word: `card`, `Street`."""

    text: str


@record
class Expr(Node):
    """An expression."""


@record
class Number(Expr):
    value: int


@record
class Percent(Expr):
    """`10%`, a number of hundredths."""

    value: int


@record
class Text(Expr):
    """A text with holes: `"{player} has less"` has parts `[expr player, " has less"]`."""

    parts: tuple[str | Expr, ...]


@record
class Literal_(Expr):
    """`yes`, `no`, `none`, `usual`."""

    word: Literal["yes", "no", "none", "usual"]


@record
class NameExpr(Expr):
    name: str


@record
class KindExpr(Expr):
    """A bare kind: all its entities, or after `is` a kind test."""

    name: str


@record
class Dot(Expr):
    """`subject.name`, with `args` where brackets follow (None without brackets)."""

    subject: Expr
    name: Name
    args: tuple[Arg, ...] | None


@record
class Index(Expr):
    """`table[key]`."""

    subject: Expr
    key: Expr


@record
class Call(Expr):
    """`name(arg, ...)`."""

    name: Name
    args: tuple[Arg, ...]


@record
class New(Expr):
    """`new Claim(payer: p, ...)`."""

    kind: Name
    args: tuple[Arg, ...]


@record
class ListExpr(Expr):
    """`[a, b]`, or `[query]` as its only item."""

    items: tuple[Expr, ...]


@record
class Clause(Node):
    """`each x in LIST where COND`."""

    variable: Name
    source: Expr
    where: Expr | None


@record
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


@record
class Binary(Expr):
    op: BinaryOp
    left: Expr
    right: Expr


@record
class Unary(Expr):
    op: Literal["not", "-"]
    operand: Expr


@record
class Conditional(Expr):
    """`then_value if condition else else_value`."""

    then_value: Expr
    condition: Expr
    else_value: Expr


@record
class Range(Expr):
    """`low..high step n`, both ends included."""

    low: Expr
    high: Expr
    step: Expr | None


@record
class ErrorExpr(Expr):
    """What could not be read; already reported."""


@record
class Arg(Node):
    """An argument; `name` where it was written `name: value`."""

    name: Name | None
    value: Expr
