"""Nodes of expressions."""

from __future__ import annotations

from typing import Literal

from dsl.source import Span
from dsl.treenode import node


@node
class Node:
    """Anything with a place in a script. `span` covers the node's own significant tokens."""

    span: Span


@node
class Name(Node):
    """A written word: `card`, `Street`."""

    text: str


@node
class Expr(Node):
    """An expression."""


@node
class Number(Expr):
    value: int


@node
class Percent(Expr):
    """`10%`, a number of hundredths."""

    value: int


@node
class Text(Expr):
    """A text with holes: `"{player} has less"` has parts `[expr player, " has less"]`."""

    parts: tuple[str | Expr, ...]


@node
class Literal_(Expr):
    """`yes`, `no`, `none`, `usual`."""

    word: Literal["yes", "no", "none", "usual"]


@node
class NameExpr(Expr):
    name: str


@node
class KindExpr(Expr):
    """A bare kind: all its entities, or after `is` a kind test."""

    name: str


@node
class Dot(Expr):
    """`subject.name`, with `args` where brackets follow (None without brackets)."""

    subject: Expr
    name: Name
    args: tuple[Arg, ...] | None


@node
class Index(Expr):
    """`table[key]`."""

    subject: Expr
    key: Expr


@node
class Call(Expr):
    """`name(arg, ...)`."""

    name: Name
    args: tuple[Arg, ...]


@node
class New(Expr):
    """`new Claim(payer: p, ...)`."""

    kind: Name
    args: tuple[Arg, ...]


@node
class ListExpr(Expr):
    """`[a, b]`, or `[query]` as its only item."""

    items: tuple[Expr, ...]


@node
class Clause(Node):
    """`each x in LIST where COND`."""

    variable: Name
    source: Expr
    where: Expr | None


@node
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


@node
class Binary(Expr):
    op: BinaryOp
    left: Expr
    right: Expr


@node
class Unary(Expr):
    op: Literal["not", "-"]
    operand: Expr


@node
class Conditional(Expr):
    """`then_value if condition else else_value`."""

    then_value: Expr
    condition: Expr
    else_value: Expr


@node
class Range(Expr):
    """`low..high step n`, both ends included."""

    low: Expr
    high: Expr
    step: Expr | None


@node
class ErrorExpr(Expr):
    """What could not be read; already reported."""


@node
class Arg(Node):
    """An argument; `name` where it was written `name: value`."""

    name: Name | None
    value: Expr
