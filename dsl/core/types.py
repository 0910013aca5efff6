"""The types of the core. Every type has a bound, so that every state has a fixed layout."""

from __future__ import annotations

from dsl.records import value

MOST_COUNTED = (1 << 31) - 1
"""The largest number that the engines count with; the least is as far below 0."""


@value
class Type:
    """A core type."""


@value
class IntType(Type):
    low: int
    high: int
    unit: str | None = None
    optional: bool = False


@value
class FlagType(Type):
    """Yes (1) or no (0)."""


@value
class RefType(Type):
    """One entity of a kind, as its index in the kind's family; none is -1."""

    kind: str
    optional: bool = False


@value
class ChoiceType(Type):
    """One of some words, as its position; none is -1. `name` is None where written on the spot."""

    name: str | None
    values: tuple[str, ...]
    optional: bool = False


@value
class SetType(Type):
    kind: str


@value
class SeqType(Type):
    """A row of up to `bound` values in an order of its own."""

    element: Type
    bound: int


@value
class MapType(Type):
    """A dense table: one value for every key (RefType of a fixed kind, ChoiceType, FlagType or
    IntType).
    """

    value: Type
    key: Type


@value
class TextType(Type):
    """A text for people; never state."""


@value
class PoisonType(Type):
    """The type of what has already been reported; fits everything."""


def none_value(type_: Type) -> int:
    """How `none` is written as a number: one below the lowest value of the type."""
    return type_.low - 1 if isinstance(type_, IntType) else -1
