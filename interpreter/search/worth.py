"""What the end of a playout is worth to a seat."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.search.finish import Outcome

STANDING = 0.3
"""How much the standing in points counts beside winning."""


class Worth:
    """Values of playouts at one question, between 0 and 1.

    A game that is over counts by who has won, and by how far ahead or behind the seat is in points,
    so that playouts tell answers apart sooner. One that was cut off counts by points alone.
    """

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self._usual = 1.0

    def learn(self, outcomes: Iterable[Outcome | None]) -> None:
        """Takes from some playouts how far apart points usually are."""
        gaps = [abs(self._ahead(outcome)) for outcome in outcomes if outcome is not None]
        self._usual = max(1.0, sum(gaps) / max(1, len(gaps)))

    def of(self, outcome: Outcome | None) -> float:
        """The value of a playout; of one that went wrong, nothing."""
        if outcome is None:
            return 0.0
        ahead = self._ahead(outcome)
        standing = 0.5 + 0.5 * ahead / (abs(ahead) + self._usual)
        if not outcome.is_over:
            return standing
        winners = outcome.winners
        won = 1 / winners.bit_count() if winners >> self.seat & 1 else 0.0
        return (1 - STANDING) * won + STANDING * standing

    def _ahead(self, outcome: Outcome) -> int:
        others = [score for seat, score in enumerate(outcome.scores) if seat != self.seat]
        return outcome.scores[self.seat] - max(others, default=0)
