"""Where everything lies in the linear memory of a WebAssembly engine.

From address 0: a guard, the state, the scratch (both set back by copying their start image), the
image, seats, measures, constant tables, the stack of local rows, and the results of a batch. All
sizes follow from the declarations, so the memory is one block that never grows.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass

from interpreter.emit.state import BOT_COUNT, state_fields, words_of
from interpreter.flat.ir.nodes import Program

GUARD = 64
PAGE = 65536
STACK_BYTES = 1 << 18
BATCH_GAMES = 1024
"""The most games that one call plays: its results fit into the memory."""

RECORDED = ("phase", "phases", "questions", "fault", "ending", "first")
"""The scalars that are recorded at the end of each game, where the program declares them."""


@dataclass(frozen=True, slots=True)
class Cells:
    """A run of equal cells; `words` 64-bit words each, 0 for a 32-bit number."""

    address: int
    count: int
    words: int

    @property
    def stride(self) -> int:
        return 8 * self.words or 4


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a count and `cap` 32-bit items each."""

    address: int
    count: int
    cap: int

    @property
    def stride(self) -> int:
        return row_bytes(self.cap)


@dataclass(frozen=True, slots=True)
class Record:
    """The result of one game: offsets of its parts and its size in bytes."""

    code: int
    scalars: dict[str, int]
    scores: int
    winners: int
    digest: int
    size: int


def row_bytes(cap: int) -> int:
    return 4 + 4 * cap


class Layout:
    """The addresses of a program."""

    def __init__(self, program: Program) -> None:
        self._end = GUARD
        self._image = bytearray()
        self._tables = bytearray()
        self.scalars: dict[str, Cells] = {}
        self.columns: dict[str, Cells] = {}
        self.rows: dict[str, Rows] = {}
        self.tables: dict[str, Cells] = {}
        self.fields = state_fields(program)
        self.state = GUARD
        self._place_state(program)
        self.scratch = self._align(8)
        self._place_scratch(program)
        self.live_size = self._align(8) - self.state
        self._image += bytes(self.live_size - len(self._image))
        self.image = self._take(self.live_size)
        self.line_up = self._take(4 * program.players * BATCH_GAMES)
        self.seats = self._take(4 * program.players)
        self.game = self._take(4)
        self.measures = self._align(8)
        for column in program.columns.values():
            if column.role == "measure":
                self.columns[column.name] = self._cells(len(column.initial), 1)
        self.measures_size = self._end - self.measures
        self.constants = self._align(8)
        self._place_tables(program)
        self.stack = self._align(8)
        self.stack_end = self.stack + STACK_BYTES
        self._end = self.stack_end
        self.record = _record(program)
        self.results = self._take(self.record.size * BATCH_GAMES, 8)
        self.size = self._end
        self.pages = -(-self.size // PAGE)

    @property
    def memory_bytes(self) -> int:
        """What the memory of an engine takes."""
        return self.pages * PAGE

    def segments(self) -> list[tuple[int, bytes]]:
        """What the memory holds at the start."""
        image = bytes(self._image)
        return [(self.state, image), (self.image, image), (self.constants, bytes(self._tables))]

    def _place_state(self, program: Program) -> None:
        for field in self.fields:
            words = words_of(field.type)
            if field.kind == "scalar":
                initial = (program.scalars[field.name].initial,)
                self.scalars[field.name] = self._filled(initial, words)
            elif field.kind == "column":
                self.columns[field.name] = self._filled(program.columns[field.name].initial, words)
            elif field.kind == "rows":
                self._place_rows(field.name, field.cap, program.rows[field.name].initial)
            else:
                cells = self._filled((0,) * field.count, words)
                if field.kind == "streams":
                    self.streams = cells
                else:
                    self.keys = cells
        if not program.streams:
            self.streams = Cells(self._align(8), 0, 1)
        if BOT_COUNT not in program.columns:
            self.keys = Cells(self._align(8), 0, 1)

    def _place_rows(self, name: str, cap: int, initial: tuple[tuple[int, ...], ...]) -> None:
        self.rows[name] = Rows(self._align(4), len(initial), cap)
        for row in initial:
            if len(row) > cap:
                raise ValueError(f"{name}: a row of {len(row)} items, and room for {cap}.")
            self._fill((len(row), *row, *(0,) * (cap - len(row))), 0)

    def _place_scratch(self, program: Program) -> None:
        for scalar in program.scalars.values():
            if scalar.role == "scratch":
                self.scalars[scalar.name] = self._filled((scalar.initial,), words_of(scalar.type))
        for column in program.columns.values():
            if column.role == "scratch":
                self.columns[column.name] = self._filled(column.initial, words_of(column.type))

    def _place_tables(self, program: Program) -> None:
        for table in program.tables.values():
            words = words_of(table.type)
            address = self._align(8 if words else 4)
            self._tables += bytes(address - self.constants - len(self._tables))
            data = encoded(table.values, words)
            self._tables += data
            self._end += len(data)
            self.tables[table.name] = Cells(address, len(table.values), words)

    def _filled(self, values: tuple[int, ...], words: int) -> Cells:
        cells = Cells(self._align(8 if words else 4), len(values), words)
        self._fill(values, words)
        return cells

    def _fill(self, values: Iterable[int], words: int) -> None:
        self._image += bytes(self._end - self.state - len(self._image))
        data = encoded(values, words)
        self._image += data
        self._end += len(data)

    def _cells(self, count: int, words: int) -> Cells:
        cells = Cells(self._align(8), count, words)
        self._end += cells.stride * count
        return cells

    def _align(self, size: int) -> int:
        self._end = -(-self._end // size) * size
        return self._end

    def _take(self, size: int, align: int = 8) -> int:
        address = self._align(align)
        self._end += size
        return address


def encoded(values: Iterable[int], words: int) -> bytes:
    """Values as they lie in memory. Raises ValueError for one that does not fit."""
    values = tuple(values)
    try:
        if words == 0:
            return struct.pack(f"<{len(values)}i", *values)
        return b"".join([value.to_bytes(8 * words, "little") for value in values])
    except (struct.error, OverflowError):
        raise ValueError(f"A value is out of bounds: {values}.") from None


def decoded(data: bytes, words: int) -> list[int]:
    """The values of a piece of memory."""
    if words == 0:
        return list(struct.unpack(f"<{len(data) // 4}i", data))
    if words == 1:
        return list(struct.unpack(f"<{len(data) // 8}Q", data))
    size = 8 * words
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]


def _record(program: Program) -> Record:
    declared = [name for name in RECORDED if name in program.scalars]
    scalars = {name: 4 + 4 * index for index, name in enumerate(declared)}
    scores = 4 + 4 * len(declared)
    winners = -(-(scores + 4 * program.players) // 8) * 8
    return Record(0, scalars, scores, winners, winners + 8, winners + 16)
