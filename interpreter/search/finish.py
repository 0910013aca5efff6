"""The rest of a game from the end of a phase, among strategies: natively where that is possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.emit.state import Field
from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import GAME_OVER, PHASE_LIMIT, PythonEngine
from interpreter.session.compile import CompiledGame
from interpreter.session.modules import Module
from interpreter.session.store import keep, read_kept

FLAVOUR = "bare"
"""Has the same state without what only hosts and samplers need."""
NATIVE_NAME = "search-native"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a playout ended. `is_over`: by a rule of the game, not because it was long enough.
    `winners`: as bits, of a game that is over. `scores`: what decides the game, by seat, as it
    stood at the end."""

    is_over: bool
    winners: int
    scores: tuple[int, ...]


class Finisher:
    """Plays games on from saved states of another program of the same rules.

    `native`: whether WebAssembly may be used; by default where it is there.
    """

    def __init__(
        self, compiled: CompiledGame, source: Sequence[Field], *, native: bool = NATIVE
    ) -> None:
        self.players = compiled.program.players
        self.limit = compiled.program.phase_limit
        self.engine: NativeEngine | PythonEngine
        if native:
            module = _native_module(compiled)
            self.engine = NativeEngine(module.program, text=module.text)
            fields = self.engine.layout.fields
        else:
            self.engine = compiled.engine(FLAVOUR)
            fields = self.engine.fields
        self._moved = _Moved(source, fields)
        self._seated: list[str | None] = [None] * self.players

    def finish(self, words: list[int], strategies: Sequence[str], phases: int) -> Outcome | None:
        """Plays on from a saved state for at most so many phases; None after a fault."""
        engine = self.engine
        engine.load(self._moved.words(words))
        for seat, strategy in enumerate(strategies):
            if strategy != self._seated[seat]:
                engine.seat(seat, strategy)
                self._seated[seat] = strategy
        code = engine.play(min(self.limit, engine.scalar("phases") + phases))
        if code not in (PHASE_LIMIT, GAME_OVER):
            return None
        return outcome(engine, self.players, code)


def outcome(engine: NativeEngine | PythonEngine, players: int, code: int) -> Outcome | None:
    """How a game stands in an engine after a phase that ended with this code."""
    if code not in (PHASE_LIMIT, GAME_OVER):
        return None
    is_over = code == GAME_OVER
    winners = engine.winners() if is_over else 0
    return Outcome(is_over, winners, tuple(engine.score(seat) for seat in range(players)))


class _Moved:
    """Puts saved states of one program into the order of another that has no further fields."""

    def __init__(self, source: Sequence[Field], target: Sequence[Field]) -> None:
        wanted = {field.name: field for field in target}
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


def _native_module(compiled: CompiledGame) -> Module:
    """The program printed as WebAssembly, from the cache or newly made."""
    name = f"{compiled.key}.{NATIVE_NAME}" if compiled.key is not None else None
    found = read_kept(name, Module) if name is not None else None
    if found is None:
        from interpreter.search.printing import print_native

        found = print_native(compiled.source())
        if name is not None:
            keep(name, found)
    return found
