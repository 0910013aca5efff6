"""Whether a change makes other games: those of bots, with and without it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from dsl.check.merged import Merged
from dsl.check.program import check_program
from dsl.diagnostics.record import Bag
from dsl.syntax import nodes as syntax
from interpreter.emit.python import print_python
from interpreter.engine.batch import play_batch
from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import APART, Options
from interpreter.flat.lower import lower_program
from interpreter.mutants.change import Mutant

GAMES = 100
OPTIONS = Options(host=False, without=APART)
RANDOM = "random"
# All that play comes to: no words, and nothing that only scenarios bring about.
PLAYED = Options(strategies=(RANDOM,), host=False, without=frozenset({"inline"}))

Digests = tuple[int, ...]


@dataclass(slots=True)
class Sample:
    """Games of a variant as it is, of each number of players, to compare others with. They are
    played when first asked for."""

    merged: Merged
    numbers: tuple[int, ...]
    seed: int
    _usual: dict[int, list[Digests]] = field(default_factory=dict)

    def is_same(self, mutant: Mutant) -> bool:
        """Whether games come by the place of a change, and all are the same with it."""
        if mutant.mark is None:
            return False
        changed = mutant.apply(self.merged)
        if not all(self._plays(changed, players) for players in self.numbers):
            return False
        marked = mutant.mark(self.merged)
        return any(self._plays(marked, players) is False for players in self.numbers)

    def _plain(self, players: int) -> list[Digests]:
        if players not in self._usual:
            self._usual[players] = list(self._games(self.merged, players))
        return self._usual[players]

    def _plays(self, merged: Merged, players: int) -> bool | None:
        """Whether a variant plays the usual games; None where it can't be played."""
        played = 0
        for mine, others in zip(self._games(merged, players), self._plain(players), strict=False):
            if mine != others:
                return False
            played += 1
        return True if played else None

    def _games(self, merged: Merged, players: int) -> Iterator[Digests]:
        """The final states of the games of each table: random players, and all written bots."""
        program = check_program(_without_scenarios(merged), players, Bag(), scenarios=False)
        if program is None:
            return
        flat = lower_program(program, OPTIONS)
        written = [name for name in flat.strategies if name != RANDOM]
        engine = NativeEngine(flat, cached=False) if NATIVE else PythonEngine(flat, cached=False)
        for names in filter(None, ([RANDOM], written)):
            seats = [names[seat % len(names)] for seat in range(players)]
            if isinstance(engine, PythonEngine):
                found = play_batch(
                    engine, 0, GAMES, seats, seed=self.seed, phase_limit=program.phase_limit,
                    reseat=True, digests=True,
                )  # fmt: skip
            else:
                found = engine.play_batch(
                    0, GAMES, seats, seed=self.seed, phase_limit=program.phase_limit,
                    reseat=True, digests=True,
                )  # fmt: skip
            yield tuple(found.digests)


def played(merged: Merged, players: int) -> str | None:
    """All that whoever plays a variant comes to, as text; None where it can't be played. Two may
    differ in how a question is put, and in what no play brings about, such as the end of a game
    that nobody leaves, and are the same here."""
    program = check_program(_without_scenarios(merged), players, Bag(), scenarios=False)
    return None if program is None else print_python(lower_program(program, PLAYED))


def _without_scenarios(merged: Merged) -> Merged:
    kept = (one for one in merged.declarations if not isinstance(one.decl, syntax.Scenario))
    return replace(merged, declarations=tuple(kept))
