"""Bots that search: for any seat of any variant, from what the seat can see.

`mc:50` tries every candidate in 50 playouts (flat Monte Carlo); `ismcts:200` grows a tree over its
own next answers in 200 playouts (information set Monte Carlo tree search).
"""

from __future__ import annotations

import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Sequence

from interpreter.engine.native_engine import NATIVE
from interpreter.search.candidates import Key
from interpreter.search.playouts import Playouts, Reply
from interpreter.search.tree import Edge, Node
from interpreter.search.worth import Worth
from interpreter.session.answers import Answer, Given
from interpreter.session.compile import CompiledGame
from interpreter.session.decision import Decision
from interpreter.session.view import View


class SearchBot(ABC):
    """A bot that samples what its seat can't see and plays on from there.

    `number`: how many playouts, see the kinds of bots. `strategies`, `native` and `phases`: see
    `Playouts`. For equal views and equal seeds its answers are equal.
    """

    def __init__(
        self,
        number: int,
        *,
        seed: int = 0,
        strategies: Sequence[str] = (),
        native: bool = NATIVE,
        phases: int = 1000,
    ) -> None:
        if number < 1:
            raise ValueError("A search needs at least one playout.")
        self.number = number
        self.seed = seed
        self.strategies = tuple(strategies)
        self.native = native
        self.phases = phases
        self._compiled: CompiledGame | None = None
        self._playouts: Playouts | None = None

    def __call__(self, view: View, decision: Decision) -> Answer:
        course = decision.course()
        playouts = self._playouts_of(course.compiled)
        playouts.follow(course)
        seed = self._number_of(view, decision)
        found = playouts.listed(seed)
        acts = sum(e.site==playouts.site and e.seat==playouts.seat and e.given.number>0 for e in course.log)
        if acts>=12: found=dict(list(found.items())[:2])
        order = self.ranked(playouts, found, seed) if len(found) > 1 else list(found.values())
        for given in order:
            answer = decision.written(given)
            if decision.why_not(answer) is None:
                return answer
        return decision.answers()[0]

    def _playouts_of(self, compiled: CompiledGame) -> Playouts:
        if self._playouts is None or self._compiled is not compiled:
            self._compiled = compiled
            self._playouts = Playouts(
                compiled, self.strategies, native=self.native, phases=self.phases
            )
        return self._playouts

    def _number_of(self, view: View, decision: Decision) -> int:
        """A seed that depends on what the seat sees and on nothing else."""
        seen = json.dumps([view, decision.question, decision.scope], sort_keys=True)
        return (zlib.crc32(seen.encode()) << 20) + (self.seed << 52)

    @abstractmethod
    def ranked(self, playouts: Playouts, found: dict[Key, Given], seed: int) -> list[Given]:
        """Candidates, the best first."""


class MonteCarlo(SearchBot):
    """Tries all candidates equally often, in the same samples, and takes the best on average."""

    def ranked(self, playouts: Playouts, found: dict[Key, Given], seed: int) -> list[Given]:
        worth = Worth(playouts.seat)
        totals = dict.fromkeys(found, 0.0)
        for number in range(self.number):
            for key, given in found.items():
                outcome = playouts.play(seed + number, [Reply(playouts.site, given)])
                totals[key] += 0.0 if outcome is None else worth.of(outcome)
        order = sorted(found, key=lambda key: -totals[key])
        return [found[key] for key in order]


class Ismcts(SearchBot):
    """Grows a tree over the answers of the seat in this phase."""

    exploring = 0.25
    standing = 0.3
    deeper = 10**9
    z = 1.0
    def ranked(self, playouts: Playouts, found: dict[Key, Given], seed: int) -> list[Given]:
        worth = Worth(playouts.seat, self.standing)
        root = Node()
        keys = list(found)
        base = found[keys[0]]
        bases = []
        def value_of(sample, replies):
            outcome = playouts.play(sample, replies)
            return 0.0 if outcome is None else worth.of(outcome)
        root.edges[keys[0]] = b = Edge(Node()); b.visits=10**9
        done=0
        while done<self.number:
            key, edge = root.take(keys, self.exploring)
            if key==keys[0]: 
                # base is the best bound: explore the best other
                key, edge = root.take(keys[1:], self.exploring)
            path = [edge]
            k=edge.visits
            sample = seed + k
            if k>=len(bases):
                bases.append(value_of(sample,[Reply(playouts.site, base)])); done+=1
            replies = [Reply(playouts.site, found[key])]
            while edge.visits >= self.deeper:
                following = playouts.next_question(sample, replies)
                if following is None: break
                asked, options = following
                if not options: break
                key, edge = edge.node.take(list(options), self.exploring)
                path.append(edge)
                replies.append(Reply(asked.site.name, options[key]))
            value = value_of(sample, replies)-bases[k]; done+=1
            for edge in path: edge.add(value)
        self.last=(found, root)
        def lcb(key):
            if key==keys[0]: return 0.0
            e=root.edges.get(key)
            if e is None or e.visits==0: return -9
            var=max(0.0,e.squares/e.visits-e.mean**2)
            return e.mean-self.z*((var+0.01)/e.visits)**0.5
        order = sorted(keys, key=lambda key: -lcb(key))
        return [found[key] for key in order]
