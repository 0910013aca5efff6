"""Nodes of written types."""

from __future__ import annotations

from dsl.syntax.nodes.expressions import Expr, Name, Node
from dsl.treenode import node


@node
class TypeNode(Node):
    """A written type."""


@node
class WordType(TypeNode):
    """`flag`, `text`, `money`, a unit."""

    name: str


@node
class KindType(TypeNode):
    """A kind or a declared choice."""

    name: str


@node
class RangeType(TypeNode):
    low: Expr
    high: Expr
    step: Expr | None


@node
class OptionalType(TypeNode):
    """`T?`."""

    inner: TypeNode


@node
class ChoiceType(TypeNode):
    """`a | b | c`, written on the spot; each a word."""

    values: tuple[Name, ...]


@node
class ListType(TypeNode):
    """`list of T up to N` (in the order of the data), or `row of T up to N` (`ordered`: keeps its
    own order).
    """

    ordered: bool

    element: TypeNode
    bound: Expr | None


@node
class MapType(TypeNode):
    """`T per KEY`: a dense table; KEY is a kind, a choice or a range."""

    value: TypeNode
    key: TypeNode
