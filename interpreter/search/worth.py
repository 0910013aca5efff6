"""What the end of a playout is worth to a seat."""

from __future__ import annotations

from interpreter.search.finish import Outcome

STANDING = 0.3
"""How much the standing in points counts beside winning."""


class Worth:
    """Values of playouts at one question, between 0 and 1.

    A game that is over counts by who has won; how far ahead or behind the seat is in points
    counts too, so that playouts tell answers apart sooner. A game that was cut off counts by points
    alone.
    """

    def __init__(self, seat: int, standing: float = STANDING) -> None:
        self.seat = seat
        self.weight = standing
        self._widest = 1

    def of(self, outcome: Outcome) -> float:
        """The value of a playout."""
        others = [score for seat, score in enumerate(outcome.scores) if seat != self.seat]
        ahead = outcome.scores[self.seat] - max(others, default=0)
        self._widest = max(self._widest, abs(ahead))
        standing = 0.5 + 0.5 * ahead / self._widest
        if not outcome.is_over:
            return standing
        winners = outcome.winners
        won = 1 / winners.bit_count() if winners >> self.seat & 1 else 0.0
        return (1 - self.weight) * won + self.weight * standing
