"""Nodes of written types."""

from __future__ import annotations

from dsl.records import record
from dsl.syntax.nodes.expressions import Expr, Name, Node


@record
class TypeNodeBase(Node):
    """A written type."""


@record
class WordType(TypeNodeBase):
    """`flag`, `text`, `money`, a unit."""

    name: str


@record
class KindType(TypeNodeBase):
    """A kind or a declared choice."""

    name: str


@record
class RangeType(TypeNodeBase):
    low: Expr
    high: Expr
    step: Expr | None


@record
class OptionalType(TypeNodeBase):
    """`T?`."""

    inner: TypeNode


@record
class ChoiceType(TypeNodeBase):
    """`a | b | c`, written on the spot; each a word."""

    values: tuple[Name, ...]


@record
class ListType(TypeNodeBase):
    """`list of T up to N` (in the order of the data), or `row of T up to N` (`ordered`: keeps its
    own order).
    """

    ordered: bool

    element: TypeNode
    bound: Expr | None


@record
class MapType(TypeNodeBase):
    """`T per KEY`: a dense table; KEY is a kind, a choice or a range."""

    value: TypeNode
    key: TypeNode


TypeNode = WordType | KindType | RangeType | OptionalType | ChoiceType | ListType | MapType
"""All written types there are."""
