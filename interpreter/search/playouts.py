"""Playouts from an open question: a sample, the answers of the seat, strategies for the rest."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from interpreter.engine.native_engine import NATIVE
from interpreter.engine.python_engine import PHASE_LIMIT
from interpreter.engine.seeding import mix
from interpreter.flat.ir.nodes import RANDOM
from interpreter.search.candidates import MOST, Candidates, Key
from interpreter.search.finish import Finisher, Moved, Outcome, outcome, points
from interpreter.search.hidden import GATHERED
from interpreter.search.native import NativePlayouts
from interpreter.search.replica import Enough, Replica
from interpreter.session.asked import Asked, Given
from interpreter.session.compile import CompiledGame
from interpreter.session.course import Course
from interpreter.session.modules import Module
from interpreter.session.records import Entry
from interpreter.session.view import View

NATIVE_NAME = "search-native"
MOST_KEPT = 1024


class Reply(NamedTuple):
    """An answer of the seat, and the site where it was asked."""

    site: str
    given: Given


@dataclass(frozen=True, slots=True)
class Sample:
    """A state at the question as it could be; what others have answered there in secret, by
    column; who plays each seat from there on; and the points of each."""

    words: list[int]
    gathered: dict[str, list[int]]
    line_up: list[str]
    points: tuple[int, ...]


class Playouts:
    """Samples and playouts at a question.

    `strategies`: who stands in for the seats; each sample draws one for each seat. By default all
    written strategies, or the random one if there is none. `native`: whether WebAssembly may be
    used. `phases`: after how many more phases a playout is cut off; where points are counted in
    rounds (`is_counted`), it is once they have been.
    """

    def __init__(
        self,
        compiled: CompiledGame,
        strategies: Sequence[str] = (),
        *,
        native: bool = NATIVE,
        phases: int = 1000,
    ) -> None:
        self.replica = Replica(compiled)
        known = [name for name in self.replica.flat.strategies if name != RANDOM]
        self.strategies = list(strategies) or known or [RANDOM]
        self.phases = phases
        self.candidates = Candidates(self.replica.answering, self.replica.state)
        fields = self.replica.engine.fields
        self._native: NativePlayouts | None = None
        self._finisher = Finisher(compiled, fields)
        self.is_counted = self._finisher.counts_in_rounds(self.strategies)
        if native:
            module = native_module(compiled)
            self._native = NativePlayouts(module.program, module.text, compiled.program.phase_limit)
            self._moved = Moved(fields, self._native.layout.fields)
        self._compiled = compiled
        self._is_native = False
        self._packed: dict[int, bytes] = {}
        self._seed: int | None = None  # of the sample that lies in the native memory

    def follow(self, course: Course) -> None:
        """Goes to a question of a game."""
        replica = self.replica
        replica.follow(course)
        self._packed.clear()
        self._seed = None
        self._is_native = False
        if self._native is not None:
            log = ((entry.given, self._sets(entry)) for entry in replica.log)
            before = self._moved.words(replica.before)
            self._is_native = self._native.start(before, log, self.seat)

    @property
    def seat(self) -> int:
        """The number of the seat that is asked."""
        return self.replica.asked.seat

    @property
    def site(self) -> str:
        """The site of the question."""
        return self.replica.asked.site.name

    def _sets(self, reply: Reply | Entry) -> list[bool]:
        """Which picks of an answer are sets."""
        if reply.given.number == 0:
            return []
        picks = self.replica.flat.sites[reply.site].answers[reply.given.number - 1].picks
        return [pick.register[0] == "set" for pick in picks]

    # ------------------------------------------------------------ samples

    def view(self, seed: int) -> View:
        """What the seat sees in a sample: the same as in the game."""
        self.replica.sample(seed, self._line_up(seed))
        return self.replica.look(self.seat)

    def listed(self, seed: int, most: int = MOST) -> dict[Key, Given]:
        """Candidates for the answer; first what the strategies would answer."""
        replica = self.replica
        replica.sample(seed, self._line_up(seed))
        first = [replica.of_strategy(name, replica.asked) for name in self.strategies]
        return self.candidates.listed(replica.asked, first, random.Random(mix(seed)), most)

    def sample(self, seed: int) -> Sample:
        """A way it could be."""
        replica = self.replica
        line_up = self._line_up(seed)
        replica.sample(seed, line_up)
        gathered = {
            name: list(replica.hidden.column(name))
            for name, column in replica.flat.columns.items()
            if name.startswith(GATHERED) and column.role == "scratch"
        }
        return Sample(replica.engine.save(), gathered, line_up, replica.points)

    def _line_up(self, seed: int) -> list[str]:
        rng = random.Random(mix(seed + 1))
        players = self._compiled.program.players
        return [rng.choice(self.strategies) for _ in range(players)]

    # ------------------------------------------------------------ playouts

    def play(self, seed: int, tried: Sequence[Sequence[Reply]]) -> list[Outcome | None]:
        """The ends of playouts in one sample. Each begins with a row of answers of the seat; after
        them a strategy plays it too. None stands for a playout that went wrong."""
        if self._native is not None and self._is_native:
            if seed != self._seed:
                self._native.take_sample(self._sample_for(self._native, seed))
                self._seed = seed
            rows = [[(reply.given, self._sets(reply)) for reply in replies] for replies in tried]
            return self._native.simulate(rows, self.phases, is_counted=self.is_counted)
        return [self._play(seed, replies) for replies in tried]

    def _sample_for(self, native: NativePlayouts, seed: int) -> bytes:
        packed = self._packed.get(seed)
        if packed is None:
            found = self.sample(seed)
            words = self._moved.words(found.words)
            packed = native.packed(words, found.gathered, found.line_up, found.points, self.seat)
            if len(self._packed) < MOST_KEPT:
                self._packed[seed] = packed
        return packed

    def _play(self, seed: int, replies: Sequence[Reply]) -> Outcome | None:
        waiting = [reply.given for reply in reversed(replies)]
        replica, line_up = self.replica, self._line_up(seed)
        code = replica.play_on(seed, line_up, lambda _: waiting.pop() if waiting else None)
        before = replica.points if self.is_counted else None
        if code != PHASE_LIMIT or before not in (None, points(replica.engine)):
            return outcome(replica.engine, code)
        return self._finisher.finish(replica.engine.save(), line_up, self.phases, before)

    def next_question(
        self, seed: int, replies: Sequence[Reply], most: int = MOST
    ) -> tuple[str, dict[Key, Given]] | None:
        """The site where the seat is asked next in a sample after some answers, and candidates;
        None if it is asked nothing more in this phase."""
        waiting = [reply.given for reply in reversed(replies)]
        found: list[tuple[str, dict[Key, Given]]] = []

        def choose(asked: Asked) -> Given | None:
            if waiting:
                return waiting.pop()
            first = [self.replica.of_strategy(name, asked) for name in self.strategies]
            rng = random.Random(mix(seed))
            options = self.candidates.listed(asked, first, rng, most)
            if options:
                found.append((asked.site.name, options))
            raise Enough

        self.replica.play_on(seed, self._line_up(seed), choose)
        return found[0] if found else None


def native_module(compiled: CompiledGame) -> Module:
    """The program printed as WebAssembly, from the cache or newly made."""

    def make() -> Module:
        from interpreter.search.printing import print_native

        return print_native(compiled.source())

    return compiled.made(NATIVE_NAME, make)
