"""Bots that search: for any seat of any variant, from what the seat can see.

`mc:50` tries every candidate in 50 playouts (flat Monte Carlo); `ismcts:200` grows a tree over its
own next answers in 200 playouts (information set Monte Carlo tree search).
"""

from __future__ import annotations

import json
import random
import zlib
from abc import ABC, abstractmethod

from interpreter.engine.native_engine import NATIVE
from interpreter.search.candidates import Key
from interpreter.search.playouts import Playouts
from interpreter.search.tree import Edge, Node
from interpreter.search.worth import Worth
from interpreter.session.answers import Asked, Given
from interpreter.session.compile import CompiledGame
from interpreter.session.decision import Bot, Decision
from interpreter.session.view import View
from interpreter.session.answers import Answer


class SearchBot(ABC):
    """A bot that samples what its seat can't see and plays on from there."""

    def __init__(self, number: int, *, seed: int = 0, native: bool = NATIVE, phases: int = 1000,
                 strategies=()) -> None:
        self.number = number
        self.seed = seed
        self.native = native
        self.phases = phases
        self.strategies = strategies
        self._compiled: CompiledGame | None = None
        self._playouts: Playouts | None = None

    def __call__(self, view: View, decision: Decision) -> Answer:
        course = decision.course()
        if self._compiled is not course.compiled or self._playouts is None:
            self._compiled = course.compiled
            self._playouts = Playouts(course.compiled, self.strategies, native=self.native, phases=self.phases)
        self._playouts.follow(course)
        seed = self._seed(view, decision)
        found = self._playouts.listed(seed)
        chosen = list(found.values())
        if len(found) > 1:
            chosen = self.ranked(self._playouts, found, seed)
        for given in chosen:
            answer = decision.written(given)
            if decision.why_not(answer) is None:
                return answer
        return decision.answers()[0]

    def _seed(self, view: View, decision: Decision) -> int:
        """A number for each thing that the seat can see, so that bots need no memory."""
        seen = json.dumps([view, decision.question, decision.scope], sort_keys=True)
        return zlib.crc32(seen.encode()) << 20 ^ self.seed << 52

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
                outcome = playouts.answer(seed + number, given)
                totals[key] += 0.0 if outcome is None else worth.of(outcome)
        order = sorted(found, key=lambda key: -totals[key])
        return [found[key] for key in order]


class Ismcts(SearchBot):
    """Grows a tree over the answers of the seat in this phase."""

    exploring = 0.4
    standing = 0.3
    def ranked(self, playouts: Playouts, found: dict[Key, Given], seed: int) -> list[Given]:
        worth = Worth(playouts.seat, self.standing)
        root = Node()
        keys = list(found)
        for _ in range(self.number):
            node: Node | None = root
            path: list[Edge] = []

            def choose(asked: Asked) -> Given | None:
                nonlocal node
                if node is None:
                    return None
                if node is root:
                    options = found
                    key, edge = node.take(keys, self.exploring)
                else:
                    if node.visits < 2:
                        return None
                    return None
                path.append(edge)
                node = edge.node
                return options[key]
            # each answer goes through the same samples
            key, edge = root.take(keys, self.exploring)
            outcome = playouts.answer(seed + edge.visits, found[key])
            if outcome is None:
                edge.add(0.0)
                continue
            edge.add(worth.of(outcome))
        order = sorted(keys, key=lambda key: (-root.edges[key].visits, -root.edges[key].mean) if key in root.edges else (0, 0))
        return [found[key] for key in order]


def make_bot(name: str) -> Bot:
    kind, _, number = name.partition(":")
    return {"mc": MonteCarlo, "ismcts": Ismcts}[kind](int(number))
