"""The CSV of a run: one row per game, in order, with nothing in it that differs between two runs
of the same games."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import TextIO

from interpreter.engine.batch import BatchResult
from interpreter.engine.python_engine import GAME_OVER
from interpreter.playtest.ends import Endings
from interpreter.playtest.tally import end_numbers


class RowWriter:
    """Writes the rows of batches as they come. `seats`: their ids."""

    def __init__(
        self, file: TextIO, seats: Sequence[str], endings: Endings, *, seed: int, has_scores: bool
    ) -> None:
        self._writer = csv.writer(file, lineterminator="\n")
        self._seats = list(seats)
        self._endings = endings
        self._seed = seed
        self._has_scores = has_scores
        scores = [f"score_{seat}" for seat in self._seats] if has_scores else []
        self._writer.writerow(["game", "seed", "end", "winners", "turns", "decisions", *scores])

    def write(self, result: BatchResult) -> None:
        """Writes a row for each game of a batch."""
        players = len(self._seats)
        turns, decisions = result.scalars["phases"], result.scalars["questions"]
        for game, number in enumerate(end_numbers(result)):
            code = result.ends[game]
            row: list[object] = [
                result.first + game,
                self._seed,
                self._endings.word(code, number),
                self._winners(result.winners[game]) if code == GAME_OVER else "",
                turns[game],
                decisions[game],
            ]
            if self._has_scores:
                row += result.scores[game * players : (game + 1) * players]
            self._writer.writerow(row)

    def _winners(self, bits: int) -> str:
        return "+".join(seat for number, seat in enumerate(self._seats) if bits >> number & 1)
