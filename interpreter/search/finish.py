"""Playouts in Python: the rest of a game from the end of a phase, among strategies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.emit.state import Field
from interpreter.engine.python_engine import GAME_OVER, PHASE_LIMIT, PythonEngine
from interpreter.session.compile import CompiledGame

FLAVOUR = "bare"
"""Has the same state without what only hosts and samplers need."""

LOOKED_AT, LONG_ENOUGH = 4, 100
"""In how many games, and for how many phases of each, it is looked at how points change."""

MOST_OF_ALL = 2 / 3


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

    def finish(
        self,
        words: list[int],
        strategies: Sequence[str],
        phases: int,
        before: tuple[int, ...] | None = None,
    ) -> Outcome | None:
        """Plays on from a saved state for at most so many phases, or until the points are no
        longer those `before`; None after a fault."""
        engine = self.engine
        engine.load(self._moved.words(words))
        self._seat(strategies)
        limit = min(self.limit, engine.scalar("phases") + phases)
        if before is None:
            return outcome(engine, engine.play(limit))
        code = PHASE_LIMIT
        while code == PHASE_LIMIT and engine.scalar("phases") < limit and points(engine) == before:
            code = engine.run_phase()
        return outcome(engine, code)

    def _seat(self, strategies: Sequence[str]) -> None:
        for seat, strategy in enumerate(strategies):
            if strategy != self._seated[seat]:
                self.engine.seat(seat, strategy)
                self._seated[seat] = strategy

    def counts_in_rounds(self, strategies: Sequence[str]) -> bool:
        """Whether points stay as they are for two laps or longer and then change for most at once,
        as where hands are counted: seen in some games of these strategies."""
        engine, players = self.engine, self.engine.program.players
        self._seat([strategies[seat % len(strategies)] for seat in range(players)])
        changes: list[int] = []
        phases = 0
        for game in range(LOOKED_AT):
            engine.new_game(0, game)
            before, code = points(engine), PHASE_LIMIT
            for _ in range(LONG_ENOUGH):
                code = engine.run_phase()
                phases += 1
                now = points(engine)
                if now != before:
                    changes.append(sum(a != b for a, b in zip(before, now, strict=True)))
                    before = now
                if code != PHASE_LIMIT:
                    break
        return (
            len(changes) >= LOOKED_AT
            and 2 * len(changes) * players < phases
            and sum(changes) >= MOST_OF_ALL * players * len(changes)
        )


def outcome(engine: PythonEngine, code: int) -> Outcome | None:
    """How a game stands in an engine after a phase that ended with this code; None after a
    fault."""
    if code not in (PHASE_LIMIT, GAME_OVER):
        return None
    is_over = code == GAME_OVER
    return Outcome(is_over, engine.winners() if is_over else 0, points(engine))


def points(engine: PythonEngine) -> tuple[int, ...]:
    """What decides the game, by seat, as it stands in an engine."""
    return tuple(engine.score(seat) for seat in range(engine.program.players))


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
