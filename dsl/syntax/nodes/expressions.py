"""Nodes of expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from dsl.records import record
from dsl.source import Span

if TYPE_CHECKING:
    from typing_extensions import TypeIs


@record
class Node:
    """Anything with a place in a script. `span` covers the node's own significant tokens."""

    span: Span


@record
class Name(Node):
    """A written word: `card`, `Street`."""

    text: str


@record
class ExprBase(Node):
    """An expression."""


@record
class Number(ExprBase):
    value: int


@record
class Percent(ExprBase):
    """`10%`, a number of hundredths."""

    value: int


@record
class Text(ExprBase):
    """A text with holes: `"{player} has less"` has parts `[expr player, " has less"]`."""

    parts: tuple[str | Expr, ...]


@record
class Literal_(ExprBase):
    """`yes`, `no`, `none`, `usual`."""

    word: Literal["yes", "no", "none", "usual"]


@record
class NameExpr(ExprBase):
    name: str


@record
class KindExpr(ExprBase):
    """A bare kind: all its entities, or after `is` a kind test."""

    name: str


@record
class Dot(ExprBase):
    """`subject.name`, with `args` where brackets follow (None without brackets)."""

    subject: Expr
    name: Name
    args: tuple[Arg, ...] | None


@record
class Index(ExprBase):
    """`table[key]`."""

    subject: Expr
    key: Expr


@record
class Call(ExprBase):
    """`name(arg, ...)`."""

    name: Name
    args: tuple[Arg, ...]


@record
class New(ExprBase):
    """`new Claim(payer: p, ...)`."""

    kind: Name
    args: tuple[Arg, ...]


@record
class ListExpr(ExprBase):
    """`[a, b]`, or `[query]` as its only item."""

    items: tuple[Expr, ...]


@record
class Clause(Node):
    """`each x in LIST where COND`."""

    variable: Name
    source: Expr
    where: Expr | None


@record
class Query(ExprBase):
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
class Binary(ExprBase):
    op: BinaryOp
    left: Expr
    right: Expr


@record
class Unary(ExprBase):
    op: Literal["not", "-"]
    operand: Expr


@record
class Conditional(ExprBase):
    """`then_value if condition else else_value`."""

    then_value: Expr
    condition: Expr
    else_value: Expr


@record
class Range(ExprBase):
    """`low..high step n`, both ends included."""

    low: Expr
    high: Expr
    step: Expr | None


@record
class ErrorExpr(ExprBase):
    """What could not be read; already reported."""


@record
class Arg(Node):
    """An argument; `name` where it was written `name: value`."""

    name: Name | None
    value: Expr


Expr = (
    Number
    | Percent
    | Text
    | Literal_
    | NameExpr
    | KindExpr
    | Dot
    | Index
    | Call
    | New
    | ListExpr
    | Query
    | Binary
    | Unary
    | Conditional
    | Range
    | ErrorExpr
)
"""All expressions there are. What goes by their class names each of them, so that the type checker
tells where a new one must be placed."""


def is_expr(value: object) -> TypeIs[Expr]:
    """Whether something is an expression of whatever class."""
    return isinstance(value, ExprBase)
