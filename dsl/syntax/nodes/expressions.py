"""Nodes of expressions."""

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
    """A written word: `card`, `Street`."""

    text: str


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
