"""The types of flat core."""

from __future__ import annotations

from dsl.records import value


@value
class Int:
    """A 32-bit number; flags are 0 and 1."""


@value
class Set:
    """A set of indices 0..bits-1."""

    bits: int


@value
class Row:
    """Up to `cap` numbers in order. As a local it is scratch that ends with its function."""

    cap: int


FlatType = Int | Set | Row
INT = Int()
