"""The tree of an information set search: what a seat has answered, and how that went.

Nodes are told apart by the answers of the seat alone; in each sample some of the answers at a node
are possible, and each counts how often it could have been taken (Cowling, Powley, Whitehouse:
Information Set Monte Carlo Tree Search, 2012).
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from interpreter.search.candidates import Key

EXPLORING = 0.12

PRIOR, PRIOR_VISITS = -0.08, 15
"""What is thought of an answer before it is tried, as if it had been tried so often: that it is
somewhat worse than the usual one."""


@dataclass(slots=True)
class Edge:
    """An answer at a node: how often it was taken and could have been, and how much better than
    the usual answer it was, in all."""

    node: Node
    visits: int = 0
    available: int = 0
    total: float = 0.0

    def add(self, better: float) -> None:
        """Counts a playout."""
        self.visits += 1
        self.total += better

    @property
    def better(self) -> float:
        """How much better than the usual answer it seems to be."""
        return (self.total + PRIOR * PRIOR_VISITS) / (self.visits + PRIOR_VISITS)

    @property
    def hoped(self) -> float:
        """How much better it could still turn out to be, by UCB1."""
        return self.better + EXPLORING * math.sqrt(math.log(self.available) / self.visits)


@dataclass(slots=True)
class Node:
    """A question that the seat is asked after certain answers of its own."""

    edges: dict[Key, Edge] = field(default_factory=dict)

    def take(self, keys: Iterable[Key], number: int = 1) -> list[tuple[Key, Edge]]:
        """Some of the answers that are possible: those never tried, in order, and then those that
        give most hope."""
        found: list[tuple[float, Key, Edge]] = []
        for key in keys:
            edge = self.edges.get(key)
            if edge is None:
                edge = self.edges[key] = Edge(Node())
            edge.available += 1
            hoped = math.inf if edge.visits == 0 else edge.hoped
            found.append((hoped, key, edge))
        found.sort(key=lambda one: -one[0])
        return [(key, edge) for _, key, edge in found[:number]]
