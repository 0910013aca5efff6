"""The types of the core. Every type has a bound, so that every state has a fixed layout."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Type:
    """A core type."""


@dataclass(frozen=True, slots=True)
class IntType(Type):
    low: int
    high: int
    unit: str | None = None
    optional: bool = False


@dataclass(frozen=True, slots=True)
class FlagType(Type):
    """Yes (1) or no (0)."""


@dataclass(frozen=True, slots=True)
class RefType(Type):
    """One entity of a kind, as its index in the kind's family; none is -1."""

    kind: str
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ChoiceType(Type):
    """One of some words, as its position; none is -1. `name` is None where written on the spot."""

    name: str | None
    values: tuple[str, ...]
    optional: bool = False


@dataclass(frozen=True, slots=True)
class SetType(Type):
    kind: str


@dataclass(frozen=True, slots=True)
class SeqType(Type):
    """A row of up to `bound` values in an order of its own."""

    element: Type
    bound: int


@dataclass(frozen=True, slots=True)
class MapType(Type):
    """A dense table: one value for every key (RefType of a fixed kind, ChoiceType, FlagType or
    IntType).
    """

    value: Type
    key: Type


@dataclass(frozen=True, slots=True)
class TextType(Type):
    """A text for people; never state."""


@dataclass(frozen=True, slots=True)
class PoisonType(Type):
    """The type of what has already been reported; fits everything."""


def none_value(type_: Type) -> int:
    """How `none` is written as a number: one below the lowest value of the type."""
    return type_.low - 1 if isinstance(type_, IntType) else -1
