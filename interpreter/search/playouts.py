"""Playouts from an open question: a sample, the answers of the seat, strategies for the rest."""

from __future__ import annotations

import random
from collections.abc import Sequence

from interpreter.engine.native_engine import NATIVE
from interpreter.engine.python_engine import PHASE_LIMIT
from interpreter.engine.seeding import mix
from interpreter.search.candidates import MOST, Candidates, Key
from interpreter.search.finish import Finisher, Outcome, outcome
from interpreter.search.replica import Choose, Enough, Replica
from interpreter.session.answers import Asked, Given
from interpreter.session.compile import CompiledGame
from interpreter.session.course import Course
from interpreter.session.view import View

RANDOM = "random"


class Playouts:
    """Samples and playouts at the question that a replica stands at.

    `strategies`: who stands in for the seats; each sample draws one for each seat. By default all
    written strategies, or the random one if there is none.
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
        self.finisher = Finisher(compiled, self.replica.engine.fields, native=native)
        self.candidates = Candidates(self.replica.answering, self.replica.state)
        self.players = compiled.program.players

    def follow(self, course: Course) -> None:
        """Goes to a question of a game."""
        self.replica.follow(course)

    @property
    def seat(self) -> int:
        """The number of the seat that is asked."""
        return self.replica.asked.seat

    # ------------------------------------------------------------ samples

    def view(self, seed: int) -> View:
        """What the seat sees in a sample: the same as in the game."""
        seen: list[View] = []

        def look(asked: Asked) -> None:
            seen.append(self.replica.look(asked.seat))
            raise Enough

        self.replica.play_on(seed, self._line_up(seed), _nothing, look)
        return seen[0]

    def listed(self, seed: int, most: int = MOST) -> dict[Key, Given]:
        """Candidates for the answer; first what the strategies would answer."""
        found: dict[Key, Given] = {}

        def look(asked: Asked) -> None:
            first = [self._of_strategy(asked, name) for name in self.strategies]
            rng = random.Random(mix(seed))
            found.update(self.candidates.listed(asked, first, rng, most))
            raise Enough

        self.replica.play_on(seed, self._line_up(seed), _nothing, look)
        return found

    def _of_strategy(self, asked: Asked, strategy: str) -> Given:
        player = self.replica.player(strategy)
        number = player[asked.site.name](asked.seat, *asked.args)
        return self.replica.tape.taken(asked.site, number)

    # ------------------------------------------------------------ playouts

    def play(self, seed: int, choose: Choose) -> Outcome | None:
        """The end of a playout in a sample; None if it went wrong."""
        strategies = self._line_up(seed)
        code = self.replica.play_on(seed, strategies, choose, None)
        engine = self.replica.engine
        if code == PHASE_LIMIT:
            return self.finisher.finish(engine.save(), strategies, self.phases)
        return outcome(engine, self.players, code)

    def answer(self, seed: int, given: Given) -> Outcome | None:
        """The end of a playout that begins with an answer; after it a strategy plays the seat."""
        waiting = [given]
        return self.play(seed, lambda _: waiting.pop() if waiting else None)

    def _line_up(self, seed: int) -> list[str]:
        rng = random.Random(mix(seed + 1))
        return [rng.choice(self.strategies) for _ in range(self.players)]


def _nothing(_: Asked) -> None:
    return None
