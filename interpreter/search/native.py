"""Playouts in WebAssembly from the middle of a phase."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from interpreter.emit.layout import Cells, decoded, encoded
from interpreter.engine.native_engine import NativeEngine
from interpreter.engine.python_engine import GAME_OVER, PHASE_LIMIT
from interpreter.flat.nodes import Program
from interpreter.search import replaying
from interpreter.search.finish import Outcome
from interpreter.session.answers import Given
from interpreter.session.values import members


class NativePlayouts(NativeEngine):
    """A program `with_replay`. First `start`, then `sample`, then `simulate` any number of times.

    Nothing but `simulate` may be called of what engines do: the start image is that of a phase.
    """

    def __init__(self, program: Program, text: str, limit: int) -> None:
        super().__init__(program, text=text)
        self._places = replaying.sample_places(program, self.layout)
        self._strategies = list(program.strategies)
        self._limit = limit
        self._first = 0
        self._phases = 0
        self._image = self.layout.image - self.layout.state
        names = [field.name for field in self.layout.fields]
        self._phases_at = names.index("phases")  # scalars come first

    def start(
        self, words: list[int], log: Iterable[tuple[Given, Sequence[bool]]], seat: int
    ) -> bool:
        """The state before the phase, the answers up to the question, each with whether a pick is
        a set, and the seat that is asked. False if the log is too long to be played natively."""
        numbers: list[int] = []
        for given, sets in log:
            numbers += _flat(given, sets)
        if len(numbers) > replaying.LOG_SIZE // 2:
            return False
        self._game.write(self.layout.image, self._state(words))
        self._first = len(numbers)
        self._phases = words[self._phases_at]
        self._write_log(0, numbers)
        everybody = (1 << self.program.players) - 1
        self._set("always", everybody)
        self._set(replaying.FIRST, self._first)
        self._set(replaying.SEAT, seat)
        return True

    def sample(
        self,
        words: list[int],
        gathered: Mapping[str, Sequence[int]],
        line_up: Sequence[str],
        seat: int,
    ) -> None:
        """The state at the question as it could be, what others have answered there in secret, by
        column, and who plays each seat from there on."""
        game, layout = self._game, self.layout
        game.write(self._places.sample, self._state(words))
        for name, at in self._places.gathered:
            game.write(at, encoded(gathered[name], layout.columns[name].words))
        numbers = [self._strategies.index(name) for name in line_up]
        self._set(replaying.STAND_IN, numbers[seat])
        numbers[seat] = self._strategies.index(replaying.REPLAY)
        game.write(layout.line_up, encoded(numbers, 0))

    def simulate(
        self, answers: Iterable[tuple[Given, Sequence[bool]]], phases: int
    ) -> Outcome | None:
        """Plays on from the question with some answers of the seat, at most for so many phases
        after this one; None after a fault."""
        numbers: list[int] = []
        for given, sets in answers:
            numbers += _flat(given, sets)
        self._write_log(self._first, numbers)
        limit = min(self._limit, self._phases + 1 + phases)
        code = self.call(replaying.SIMULATE, limit, self._first + len(numbers))
        if code not in (PHASE_LIMIT, GAME_OVER):
            return None
        record, results = self.layout.record, self.layout.results
        data = self._game.read(results, record.size)
        scores = decoded(data[record.scores : record.scores + 4 * self.program.players], 0)
        is_over = code == GAME_OVER
        winners = decoded(data[record.winners : record.winners + 8], 1)[0] if is_over else 0
        return Outcome(is_over, winners, tuple(scores))

    # ------------------------------------------------------------ memory

    def _set(self, scalar: str, value: int) -> None:
        """Writes a scratch scalar into the image with which every playout begins."""
        cells = self.layout.scalars.get(scalar)
        if cells is not None:
            self._game.write(cells.address + self._image, encoded((value,), cells.words))

    def _write_log(self, at: int, numbers: list[int]) -> None:
        cells = self.layout.columns[replaying.LOG]
        self._game.write(cells.address + self._image + 4 * at, encoded(numbers, 0))

    def _state(self, words: list[int]) -> bytes:
        """A saved state as it lies in the memory."""
        layout = self.layout
        data = bytearray(layout.scratch - layout.state)
        place = 0
        for field in layout.fields:
            if field.kind == "rows":
                rows = layout.rows[field.name]
                for index in range(rows.count):
                    count = words[place] + 1
                    start = rows.address + rows.stride * index - layout.state
                    data[start : start + 4 * count] = encoded(words[place : place + count], 0)
                    place += count
                continue
            cells: Cells = self._cells(field.kind, field.name)
            piece = encoded(words[place : place + field.count], cells.words)
            start = cells.address - layout.state
            data[start : start + len(piece)] = piece
            place += field.count
        return bytes(data)


def _flat(given: Given, sets: Sequence[bool]) -> list[int]:
    """An answer as the player of a log reads it."""
    if given.number == 0:
        return [0, 0, 0]
    singles = [value for value, is_set in zip(given.picks, sets, strict=True) if not is_set]
    found = [members(value) for value, is_set in zip(given.picks, sets, strict=True) if is_set]
    numbers = [given.number, len(singles), *singles, len(found)]
    for things in found:
        numbers += (len(things), *things)
    return numbers
