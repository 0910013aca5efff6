"""What printed Python takes as given, besides a few builtins: so its text has only numbers, names
and plain statements.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from struct import Struct
from typing import ClassVar

from interpreter.emit.names import PIECE_BITS
from interpreter.emit.random_words import MASK64, STREAM_ADD, STREAM_FACTOR
from interpreter.engine.seeding import mix
from interpreter.flat.plan.keys import ITEM_BITS

_MOST = 8000  # sets that are remembered at a time
_BATCH = 32  # draws that are made at once
_LANE = 128  # bits of one of them while they are made
_PIECE = (1 << PIECE_BITS) - 1


@cache
def set_members(bits: int, start: int = 0) -> tuple[tuple[int, ...], ...]:
    """The members of all sets of so many bits, counted from `start`."""
    found: list[tuple[int, ...]] = [()]
    for member in range(start, start + bits):
        found += [(*some, member) for some in found]
    return tuple(found)


class Members(dict[int, tuple[int, ...]]):
    """The members of wide sets, remembered. A set that is new is put together from pieces of a few
    bits, whose members are in tables that all sets share.
    """

    pieces: ClassVar[list[tuple[tuple[int, ...], ...]]] = []

    def __missing__(self, some: int) -> tuple[int, ...]:
        if len(self) >= _MOST:
            self.clear()
        found: tuple[int, ...] = ()
        rest = some
        for table in self.pieces:
            found += table[rest & _PIECE]
            rest >>= PIECE_BITS
            if not rest:
                self[some] = found
                return found
        known = self.pieces
        Members.pieces = [*known, set_members(PIECE_BITS, len(known) * PIECE_BITS)]
        return self[some]


class Lowest(dict[int, int]):
    """The lowest members of wide sets, remembered; -1 of the empty set."""

    def __missing__(self, some: int) -> int:
        if len(self) >= _MOST:
            self.clear()
        self[some] = found = (some & -some).bit_length() - 1
        return found


def _lanes() -> tuple[int, int, int]:
    """Numbers that make a batch of the words of a stream from the one before, side by side in one
    long number, the last word lowest; and one that takes the high half of each.
    """
    factor, add, factors, adds, high = 1, 0, 0, 0, 0
    for _ in range(_BATCH):
        factor = factor * STREAM_FACTOR & MASK64
        add = (add * STREAM_FACTOR + STREAM_ADD) & MASK64
        factors = factors << _LANE | factor
        adds = adds << _LANE | add
        high = high << _LANE | 0xFFFFFFFF << 32
    return factors, adds, high


_FACTORS, _ADDS, _HIGH = _lanes()
_third_words = Struct(f"<{'8xI4x' * _BATCH}").unpack  # of each lane, where the draws are
_BACK = pow(STREAM_FACTOR, -1, 1 << 64)


def next_draws(word: int, n: int) -> tuple[int, tuple[int, ...]]:
    """The word of a stream after a batch of draws below n, and the draws, the first one last."""
    words = word * _FACTORS + _ADDS
    drawn = (words & _HIGH) * n
    return words & MASK64, _third_words(drawn.to_bytes(_BATCH * _LANE // 8, "little"))


def word_before(word: int, draws: int) -> int:
    """The word of a stream so many draws ago."""
    for _ in range(draws):
        word = (word - STREAM_ADD) * _BACK & MASK64
    return word


def shuffled(row: list[int], keys: Sequence[int], high: int, low: int) -> list[int]:
    """The things of a row in an order of luck that follows from two draws and the key of each."""
    word = (high << 32) + low
    numbers = [mix(word + keys[item] & MASK64) for item in row]
    found = [(number >> ITEM_BITS, item) for number, item in zip(numbers, row, strict=True)]
    return [item for _, item in sorted(found)]


HELPERS = {
    "set_members": set_members,
    "Members": Members,
    "Lowest": Lowest,
    "next_draws": next_draws,
    "word_before": word_before,
    "shuffled": shuffled,
}
