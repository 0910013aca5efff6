"""The tree of an information set search: what a seat has answered, and how that went.

Nodes are told apart by the answers of the seat alone. In every sample only some answers are
possible; each counts how often it could have been taken (Cowling, Powley, Whitehouse: Information
Set Monte Carlo Tree Search, 2012).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from interpreter.search.candidates import Key

EXPLORING = 0.4


@dataclass(slots=True)
class Edge:
    """An answer at a node: how often it was taken and could have been, and what came of it."""

    node: Node
    visits: int = 0
    available: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float:
        """What the answer was worth on average."""
        return self.total / self.visits if self.visits else 0.0

    def add(self, value: float) -> None:
        """Counts a playout."""
        self.visits += 1
        self.total += value
        self.squares += value * value


@dataclass(slots=True)
class Node:
    """A question that the seat is asked after certain answers of its own."""

    edges: dict[Key, Edge] = field(default_factory=dict)
    visits: int = 0

    def take(self, keys: list[Key], exploring: float = EXPLORING) -> tuple[Key, Edge]:
        """One of the answers that are possible, by UCB1: those not tried yet come first, in
        order."""
        best: tuple[float, Key, Edge] | None = None
        for key in keys:
            edge = self.edges.get(key)
            if edge is None:
                edge = self.edges[key] = Edge(Node())
            edge.available += 1
            if edge.visits == 0:
                rank = math.inf
            else:
                chance = math.log(max(edge.available, 2)) / edge.visits
                rank = edge.mean + exploring * math.sqrt(chance)
            if best is None or rank > best[0]:
                best = rank, key, edge
        assert best is not None
        return best[1], best[2]
