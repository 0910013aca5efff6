"""Bots that search: for any seat of any variant, from what the seat can see. See docs/bots.md.

`mc:50` tries every candidate in 50 playouts (flat Monte Carlo); `ismcts:200` grows a tree over its
own answers in 200 playouts (information set Monte Carlo tree search).
"""

from __future__ import annotations

import json
import threading
import zlib
from abc import ABC, abstractmethod
from collections.abc import Sequence

from interpreter.engine.native_engine import NATIVE
from interpreter.search.candidates import MOST, Key
from interpreter.search.names import parse_bot
from interpreter.search.playouts import Playouts, Reply
from interpreter.search.tree import Edge, Node
from interpreter.search.worth import Worth
from interpreter.session.asked import Answer, Given
from interpreter.session.compile import CompiledGame
from interpreter.session.course import Course
from interpreter.session.decision import Bot, Decision
from interpreter.session.view import View

MOST_ACTS = 12
"""After so many answers at one window in one phase only what strategies would answer is tried:
what costs nothing could go on for ever."""

PHASES = 7
"""How many phases per player a playout lasts at most: what comes later is left to the points."""

FIRST = 4  # samples from which the search learns how far apart points are
AT_ONCE = 8  # answers that are tried in the same sample, beside the usual one
DEEPER = 120  # how often an answer is tried before the answers after it are looked at one by one
LEAST, OFTEN = 6, 15  # candidates: so many in any case, more if each can be tried so often
_MOST_KEPT = 4


class SearchBot(ABC):
    """A bot that samples what its seat can't see and plays on from there.

    `number`: how many playouts, see each kind of bot. `seed`: for equal views and equal seeds the
    answers are equal. `strategies` and `native`: see `Playouts`. `phases`: the most phases of a
    playout, by default `PHASES` for each player.
    """

    def __init__(
        self,
        number: int,
        *,
        seed: int = 0,
        strategies: Sequence[str] = (),
        native: bool = NATIVE,
        phases: int | None = None,
    ) -> None:
        if number < 1:
            raise ValueError("A search needs at least one playout.")
        self.number = number
        self.seed = seed
        self.strategies = tuple(strategies)
        self.native = native
        self.phases = phases

    def __call__(self, view: View, decision: Decision) -> Answer:
        course = decision.course()
        playouts = self._playouts(course.compiled)
        playouts.follow(course)
        seed = self._number(view, decision)
        found = playouts.listed(seed, self.most if _acts(course) < MOST_ACTS else 0)
        order = self.ranked(playouts, found, seed) if len(found) > 1 else list(found.values())
        for given in order:
            answer = decision.written(given)
            if decision.why_not(answer) is None:
                return answer
        return decision.answers()[0]

    def _playouts(self, compiled: CompiledGame) -> Playouts:
        phases = self.phases or PHASES * compiled.program.players
        for kept, phases_kept, strategies, native, playouts in _KEPT.playouts:
            if (
                kept is compiled
                and phases_kept == phases
                and strategies == self.strategies
                and native is self.native
            ):
                return playouts
        playouts = Playouts(compiled, self.strategies, native=self.native, phases=phases)
        _KEPT.playouts.insert(0, (compiled, phases, self.strategies, self.native, playouts))
        del _KEPT.playouts[_MOST_KEPT:]
        return playouts

    def _number(self, view: View, decision: Decision) -> int:
        """The seed of the first sample: it depends on what the seat sees and on nothing else."""
        seen = json.dumps([view, decision.question, decision.scope], sort_keys=True)
        return (zlib.crc32(seen.encode()) << 20) + (self.seed << 52)

    @property
    def most(self) -> int:
        """How many candidates are tried at most."""
        return MOST

    @abstractmethod
    def ranked(self, playouts: Playouts, found: dict[Key, Given], seed: int) -> list[Given]:
        """Candidates, the best first. The first one of those found is the usual answer."""


class MonteCarlo(SearchBot):
    """Tries all candidates in the same `number` of samples and takes the best on average."""

    def ranked(self, playouts: Playouts, found: dict[Key, Given], seed: int) -> list[Given]:
        """The best on average first."""
        worth = Worth(playouts.seat)
        totals = dict.fromkeys(found, 0.0)
        for sample in range(seed, seed + self.number):
            tried = [[Reply(playouts.site, given)] for given in found.values()]
            outcomes = playouts.play(sample, tried)
            if sample == seed:
                worth.learn(outcomes)
            for key, outcome in zip(found, outcomes, strict=True):
                totals[key] += worth.of(outcome)
        order = sorted(found, key=lambda key: -totals[key])
        return [found[key] for key in order]


class Ismcts(SearchBot):
    """Grows a tree over the answers that the seat gives in this phase, in `number` playouts.

    What an answer is worth is compared in every sample with the usual answer in the same sample:
    luck that both meet counts for neither.
    """

    @property
    def most(self) -> int:
        """Few enough that each can be tried often."""
        return max(LEAST, min(MOST, self.number // OFTEN))

    def ranked(self, playouts: Playouts, found: dict[Key, Given], seed: int) -> list[Given]:
        """What seems better than the usual answer, then that, then the rest."""
        growing = _Growing(playouts, found, seed)
        while growing.done < self.number:
            growing.play(self.number - growing.done)
        return growing.ranked()


class _Growing:
    """A tree while it grows. The usual answer has no edge: it is what others are measured by."""

    def __init__(self, playouts: Playouts, found: dict[Key, Given], seed: int) -> None:
        self.playouts = playouts
        self.found = found
        self.sample = seed
        self.done = 0
        self.root = Node()
        self.usual, *self.others = found
        first = [
            playouts.play(seed - sample, [self._row(self.usual)])[0] for sample in range(FIRST)
        ]
        self.worth = Worth(playouts.seat)
        self.worth.learn(first)

    def play(self, most: int) -> None:
        """Playouts in one more sample: of the usual answer, and of those that give most hope."""
        self.sample += 1
        paths: list[list[Edge]] = []
        tried = [self._row(self.usual)]
        for key, edge in self.root.take(self.others, min(AT_ONCE, most)):
            path, replies = [edge], self._row(key)
            while path[-1].visits >= DEEPER:
                following = self.playouts.next_question(self.sample, replies)
                if following is None:
                    break
                site, options = following
                (key, edge), *_ = path[-1].node.take(options)
                path.append(edge)
                replies.append(Reply(site, options[key]))
            paths.append(path)
            tried.append(replies)
        usually, *values = [self.worth.of(end) for end in self.playouts.play(self.sample, tried)]
        for path, value in zip(paths, values, strict=True):
            for edge in path:
                edge.add(value - usually)
        self.done += len(tried)

    def ranked(self) -> list[Given]:
        """The answers by how much better than the usual one they seem to be."""
        better = {key: edge.better for key, edge in self.root.edges.items() if edge.visits}
        better[self.usual] = 0.0
        order = sorted(better, key=lambda key: -better[key])
        return [self.found[key] for key in order]

    def _row(self, key: Key) -> list[Reply]:
        return [Reply(self.playouts.site, self.found[key])]


def _acts(course: Course) -> int:
    """How often the seat has acted at the same window in this phase."""
    asked = course.asked
    return sum(
        entry.seat == asked.seat and entry.site == asked.site.name and entry.given.number > 0
        for entry in course.log
    )


class _Kept(threading.local):
    """Playouts of the variants that were searched last: their engines belong to one thread."""

    def __init__(self) -> None:
        self.playouts: list[tuple[CompiledGame, int, tuple[str, ...], bool, Playouts]] = []


_KEPT = _Kept()

# ---------------------------------------------------------------- by name

BOTS: dict[str, type[SearchBot]] = {"ismcts": Ismcts, "mc": MonteCarlo}


def make_bot(name: str, *, seed: int = 0) -> Bot:
    """A bot by its name: `ismcts:200`, `mc:50`; raises ValueError, in words, for others."""
    kind, number = parse_bot(name)
    return BOTS[kind](number, seed=seed)
