"""What the state of a program consists of and in which order it is saved and hashed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from interpreter.flat.ir.nodes import INT, FlatType, Int, Program, Row, Set

STREAM = Set(64)
"""Random streams and keys are 64-bit words without sign."""

BOT_COUNT = "bot_count"
"""The state column that counts each seat's own draws. Without it a program has no bot keys."""

FOLD_START = 0xCBF29CE484222325
FOLD_FACTOR = 0x100000001B3
MASK64 = 0xFFFFFFFFFFFFFFFF
_MASK32 = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class Field:
    """A part of the state: `count` values of one type, or `count` rows of at most `cap` each."""

    kind: Literal["scalar", "column", "streams", "keys", "rows"]
    name: str
    type: FlatType
    count: int
    cap: int = 0
    free: tuple[int, ...] = ()

    def label(self, index: int) -> str:
        return self.name if self.kind == "scalar" else f"{self.name}[{index}]"


def words_of(kind: FlatType) -> int:
    """How many 64-bit words a set takes; 0 for a number."""
    return max(1, -(-kind.bits // 64)) if isinstance(kind, Set) else 0


def state_fields(program: Program) -> list[Field]:
    """The declared state in its order: scalars, columns, streams, bot keys, rows."""
    fields = [
        Field("scalar", scalar.name, scalar.type, 1)
        for scalar in program.scalars.values()
        if scalar.role == "state"
    ]
    fields += [
        Field("column", column.name, column.type, len(column.initial), free=column.free)
        for column in program.columns.values()
        if column.role == "state"
    ]
    if program.streams:
        fields.append(Field("streams", "stream", STREAM, len(program.streams)))
    if BOT_COUNT in program.columns:
        fields.append(Field("keys", "bot_key", STREAM, program.players))
    fields += [
        Field("rows", rows.name, INT, rows.count, rows.cap) for rows in program.rows.values()
    ]
    for field in fields:
        if isinstance(field.type, Row):
            raise ValueError(f"{field.name}: rows are declared as row columns.")
    return fields


def saved_values(fields: Iterable[Field], words: list[int]) -> Iterator[tuple[Field, str, int]]:
    """The values of a saved state with their fields and labels: `cash[2]`, `pile[0] count`.

    Raises ValueError if the list is too short, too long or holds an impossible row.
    """
    place = 0
    try:
        for field in fields:
            for index in range(field.count):
                label = field.label(index)
                if field.kind != "rows":
                    yield field, label, words[place]
                    place += 1
                    continue
                count = words[place]
                if not 0 <= count <= field.cap:
                    raise ValueError(f"{label} has {count} items.")
                yield field, f"{label} count", count
                for position in range(count):
                    yield field, f"{label} item {position}", words[place + 1 + position]
                place += 1 + count
    except IndexError:
        raise ValueError("The saved state is too short.") from None
    if place != len(words):
        raise ValueError("The saved state is too long.")


def check_saved(fields: Iterable[Field], words: list[int]) -> None:
    """Raises ValueError unless this list can be a saved state of these fields."""
    for field, label, value in saved_values(fields, words):
        if type(value) is not int:
            raise ValueError(f"{label} is no number.")
        if isinstance(field.type, Int):
            fits = -0x80000000 <= value <= 0x7FFFFFFF
        else:
            assert isinstance(field.type, Set)
            fits = value >= 0 and value.bit_length() <= field.type.bits
        if not fits:
            raise ValueError(f"{label} cannot be {value}.")


def fold_state(fields: list[Field], words: list[int]) -> int:
    """The 64-bit digest of a saved state, the same on every engine.

    A number counts as 32 bits, a set as its 64-bit words from the lowest.
    """
    if any(words_of(field.type) > 1 for field in fields):
        words = list(_split(fields, words))
    digest = FOLD_START
    for word in words:
        if word < 0:
            word &= _MASK32
        digest = ((digest ^ word) * FOLD_FACTOR) & MASK64
        digest ^= digest >> 32
    return digest


def _split(fields: list[Field], words: list[int]) -> Iterator[int]:
    for field, _, value in saved_values(fields, words):
        for _ in range(words_of(field.type) - 1):
            yield value & MASK64
            value >>= 64
        yield value


def first_difference(fields: list[Field], left: list[int], right: list[int]) -> str | None:
    """The first field in which two saved states differ, in words; None if they are equal."""
    if left == right:
        return None
    pairs = zip(saved_values(fields, left), saved_values(fields, right), strict=False)
    for (_, label, one), (_, _, other) in pairs:
        if one != other:
            return f"{label}: {one} and {other}"
    return "one state is longer"
