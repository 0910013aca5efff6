"""Playouts in WebAssembly from the middle of a phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from interpreter.emit.layout import decoded, encoded
from interpreter.engine.native_engine import NativeEngine
from interpreter.engine.python_engine import GAME_OVER, PHASE_LIMIT
from interpreter.flat.ir.nodes import Program
from interpreter.search import replaying
from interpreter.search.finish import Outcome
from interpreter.session.asked import Given
from interpreter.session.values import members

Numbered = tuple[Given, Sequence[bool]]
"""An answer, and of each pick whether it is a set."""


class NativePlayouts(NativeEngine):
    """A program `with_replay`. First `start`, then `take_sample`, then `simulate`, any number of
    times.

    Of what engines do nothing else may be called: the start image is that of a phase. `limit`: of
    the phases of a game.
    """

    def __init__(self, program: Program, text: str, limit: int) -> None:
        super().__init__(program, text=text)
        self._limit = limit
        self._places = replaying.sample_places(program, self.layout)
        self._strategies = list(program.strategies)
        self._image = self.layout.image - self.layout.state
        names = [field.name for field in self.layout.fields]
        self._phases_at = names.index("phases")  # scalars come first
        self._first = 0
        self._phases = 0

    def start(self, words: list[int], log: Iterable[Numbered], seat: int) -> bool:
        """The state before the phase, the answers in it up to the question, and the seat that is
        asked there. False if the log is too long to be played natively."""
        numbers = [number for answer in log for number in numbers_of(*answer)]
        if len(numbers) > replaying.LOG_SIZE // 2:
            return False
        self._begin_with(words)
        self._first = len(numbers)
        self._phases = words[self._phases_at]
        self._write_log(0, numbers)
        self._set("always", (1 << self.program.players) - 1)
        self._set(replaying.FIRST, self._first)
        self._set(replaying.SEAT, seat)
        return True

    def packed(
        self,
        words: list[int],
        gathered: Mapping[str, Sequence[int]],
        line_up: Sequence[str],
        points: Sequence[int],
        seat: int,
    ) -> bytes:
        """A sample as it lies in the memory: the state at the question, what others have answered
        there in secret, by column, who plays each seat from there on, and the points of each."""
        places = self._places
        data = bytearray(places.size)
        state = self._state(words)
        data[: len(state)] = state
        for name, at in places.gathered:
            cells = encoded(gathered[name], self.layout.columns[name].words)
            data[at - places.sample : at - places.sample + len(cells)] = cells
        numbers = [self._strategies.index(name) for name in line_up]
        numbers.append(numbers[seat])
        numbers[seat] = self._strategies.index(replaying.REPLAY)
        at = places.line_up - places.sample
        data[at : at + 4 * len(numbers)] = encoded(numbers, 0)
        at = places.points - places.sample
        data[at : at + 4 * len(points)] = encoded(points, 0)
        return bytes(data)

    def take_sample(self, packed: bytes) -> None:
        """Puts a sample in place for the playouts that follow."""
        self._game.write(self._places.sample, packed)

    def simulate(
        self, tried: Sequence[Sequence[Numbered]], phases: int, *, is_counted: bool
    ) -> list[Outcome | None]:
        """Plays on from the question, once with each of some rows of answers of the seat, at most
        for so many phases after this one and, with `is_counted`, until points have changed. None
        stands for a fault."""
        found: list[Outcome | None] = []
        for start in range(0, len(tried), replaying.MOST_AT_ONCE):
            part = tried[start : start + replaying.MOST_AT_ONCE]
            found += self._simulate(part, phases, is_counted=is_counted)
        return found

    def _simulate(
        self, tried: Sequence[Sequence[Numbered]], phases: int, *, is_counted: bool
    ) -> Iterator[Outcome | None]:
        numbers: list[int] = []
        parts: list[int] = []
        for answers in tried:
            parts.append(self._first + len(numbers))
            numbers += [number for answer in answers for number in numbers_of(*answer)]
            parts.append(self._first + len(numbers))
        if parts[-1] > replaying.LOG_SIZE:
            raise ValueError("There are too many answers to be tried at once.")
        self._write_log(self._first, numbers)
        self._game.write(self._places.parts, encoded(parts, 0))
        limit = min(self._limit, self._phases + 1 + phases)
        self.call(replaying.SIMULATE, limit, len(tried), int(is_counted))
        record, players = self.layout.record, self.program.players
        data = self._game.read(self.layout.results, record.size * len(tried))
        for at in range(0, len(data), record.size):
            code, *_ = decoded(data[at : at + 4], 0)
            if code not in (PHASE_LIMIT, GAME_OVER):
                yield None
                continue
            scores = decoded(data[at + record.scores : at + record.scores + 4 * players], 0)
            winners, *_ = decoded(data[at + record.winners : at + record.winners + 8], 1)
            is_over = code == GAME_OVER
            yield Outcome(is_over, winners if is_over else 0, tuple(scores))

    # ------------------------------------------------------------ memory

    def _set(self, scalar: str, value: int) -> None:
        """Writes a scratch scalar into the image with which every playout begins."""
        cells = self.layout.scalars.get(scalar)
        if cells is not None:
            self._game.write(cells.address + self._image, encoded((value,), cells.words))

    def _write_log(self, at: int, numbers: list[int]) -> None:
        cells = self.layout.columns[replaying.LOG]
        self._game.write(cells.address + self._image + 4 * at, encoded(numbers, 0))

    def _begin_with(self, words: list[int]) -> None:
        """Makes a state the image, together with what is worked out of it and kept."""
        layout, game = self.layout, self._game
        self.load(words)
        game.write(layout.image, game.read(layout.state, layout.live_size))

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
            cells = self._cells(field.kind, field.name)
            piece = encoded(words[place : place + field.count], cells.words)
            start = cells.address - layout.state
            data[start : start + len(piece)] = piece
            place += field.count
        return bytes(data)


def numbers_of(given: Given, sets: Sequence[bool]) -> list[int]:
    """An answer as the player of a log reads it; of each pick whether it is a set."""
    if given.number == 0:
        return [0, 0, 0]
    singles = [value for value, is_set in zip(given.picks, sets, strict=True) if not is_set]
    found = [members(value) for value, is_set in zip(given.picks, sets, strict=True) if is_set]
    numbers = [given.number, len(singles), *singles, len(found)]
    for things in found:
        numbers += (len(things), *things)
    return numbers
