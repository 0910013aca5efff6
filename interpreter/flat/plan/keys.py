"""Keys of things and streams for luck: numbers that follow from names alone.

So the luck of one thing stays what it was when others are added, taken away or counted in another
order, and two versions of a game can be played with the same luck.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b

ITEM_BITS = 20
"""The low bits of what a shuffle sorts by: they hold the number of the thing itself."""


@cache
def key_of(name: str) -> int:
    """A number of 64 bits that stands for a name."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little")
