"""Nodes of written types."""

from __future__ import annotations

from dsl.records import record
from dsl.syntax.nodes.expressions import Expr, Name, Node


@record
class TypeNode(Node):
    """A written type."""


@record
class WordType(TypeNode):
    """`flag`, `text`, `money`, a unit."""

    name: str


@record
class KindType(TypeNode):
    """A kind or a declared choice."""

    name: str


@record
class RangeType(TypeNode):
    low: Expr
    high: Expr
    step: Expr | None


@record
class OptionalType(TypeNode):
    """`T?`."""

    inner: TypeNode


@record
class ChoiceType(TypeNode):
    """`a | b | c`, written on the spot; each a word."""

    values: tuple[Name, ...]


@record
class ListType(TypeNode):
    """`list of T up to N` (in the order of the data), or `row of T up to N` (`ordered`: keeps its
    own order).
    """

    ordered: bool

    element: TypeNode
    bound: Expr | None


@record
class MapType(TypeNode):
    """`T per KEY`: a dense table; KEY is a kind, a choice or a range."""

    value: TypeNode
    key: TypeNode
