"""Nodes of written types."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.syntax.nodes.expressions import Expr, Name, Node


@dataclass(frozen=True, slots=True)
class TypeNode(Node):
    """A written type."""


@dataclass(frozen=True, slots=True)
class WordType(TypeNode):
    """`flag`, `text`, `money`, a unit."""

    name: str


@dataclass(frozen=True, slots=True)
class KindType(TypeNode):
    """A kind or a declared choice."""

    name: str


@dataclass(frozen=True, slots=True)
class RangeType(TypeNode):
    low: Expr
    high: Expr
    step: Expr | None


@dataclass(frozen=True, slots=True)
class OptionalType(TypeNode):
    """`T?`."""

    inner: TypeNode


@dataclass(frozen=True, slots=True)
class ChoiceType(TypeNode):
    """`a | b | c`, written on the spot; each a word."""

    values: tuple[Name, ...]


@dataclass(frozen=True, slots=True)
class ListType(TypeNode):
    """`list of T up to N` (in the order of the data), or `row of T up to N` (`ordered`: keeps its
    own order).
    """

    ordered: bool

    element: TypeNode
    bound: Expr | None


@dataclass(frozen=True, slots=True)
class MapType(TypeNode):
    """`T per KEY`: a dense table; KEY is a kind, a choice or a range."""

    value: TypeNode
    key: TypeNode
