"""Playouts in Python: the rest of a game from the end of a phase, among strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.emit.state import Field
from interpreter.engine.python_engine import GAME_OVER, PHASE_LIMIT, PythonEngine
from interpreter.session.compile import CompiledGame

FLAVOUR = "bare"
"""Has the same state without what only hosts and samplers need."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a playout ended. `is_over`: by a rule of the game, not because it was long enough.
    `winners`: as bits, of a game that is over. `scores`: what decides the game, by seat, as it
    stood at the end."""

    is_over: bool
    winners: int
    scores: tuple[int, ...]


class Finisher:
    """Plays games on from saved states of another program of the same rules."""

    def __init__(self, compiled: CompiledGame, source: Sequence[Field]) -> None:
        self.limit = compiled.program.phase_limit
        self.engine = compiled.engine(FLAVOUR)
        self._moved = Moved(source, self.engine.fields)
        self._seated: list[str | None] = [None] * compiled.program.players

    def finish(self, words: list[int], strategies: Sequence[str], phases: int) -> Outcome | None:
        """Plays on from a saved state for at most so many phases; None after a fault."""
        engine = self.engine
        engine.load(self._moved.words(words))
        for seat, strategy in enumerate(strategies):
            if strategy != self._seated[seat]:
                engine.seat(seat, strategy)
                self._seated[seat] = strategy
        return outcome(engine, engine.play(min(self.limit, engine.scalar("phases") + phases)))


def outcome(engine: PythonEngine, code: int) -> Outcome | None:
    """How a game stands in an engine after a phase that ended with this code; None after a
    fault."""
    if code not in (PHASE_LIMIT, GAME_OVER):
        return None
    is_over = code == GAME_OVER
    scores = tuple(engine.score(seat) for seat in range(engine.program.players))
    return Outcome(is_over, engine.winners() if is_over else 0, scores)


class Moved:
    """Puts saved states of one program into the order of another that has no further fields."""

    def __init__(self, source: Sequence[Field], target: Sequence[Field]) -> None:
        wanted = {field.name for field in target}
        self._slices: list[tuple[int, int]] = []
        self._rows: list[tuple[int, bool]] = []
        at = 0
        for field in source:
            if field.kind == "rows":
                self._rows.append((field.count, field.name in wanted))
                continue
            if field.name in wanted:
                if self._slices and self._slices[-1][1] == at:
                    self._slices[-1] = (self._slices[-1][0], at + field.count)
                else:
                    self._slices.append((at, at + field.count))
            at += field.count
        self._fixed = at
        kept = [field.name for field in source if field.name in wanted]
        if kept != [field.name for field in target]:
            raise ValueError("The two programs are not of the same rules.")

    def words(self, saved: list[int]) -> list[int]:
        """A state of the source as one of the target."""
        moved: list[int] = []
        for start, stop in self._slices:
            moved += saved[start:stop]
        at = self._fixed
        for count, is_wanted in self._rows:
            start = at
            for _ in range(count):
                at += 1 + saved[at]
            if is_wanted:
                moved += saved[start:at]
        return moved
