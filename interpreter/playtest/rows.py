"""The CSV of a run: one row per game, in order, with nothing in it that differs between two runs
of the same games."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import TextIO

from interpreter.engine.batch import BatchResult
from interpreter.engine.python_engine import GAME_OVER, PHASE_LIMIT
from interpreter.engine.seating import line_up
from interpreter.playtest.ends import Endings
from interpreter.playtest.tally import FIRST, UNKNOWN, end_numbers


class RowWriter:
    """Writes the rows of batches as they come. `seats`: their ids; `bots`: who plays."""

    def __init__(
        self,
        file: TextIO,
        seats: Sequence[str],
        bots: Sequence[str],
        endings: Endings,
        *,
        seed: int,
        has_scores: bool,
    ) -> None:
        self._writer = csv.writer(file, lineterminator="\n")
        self._seats = list(seats)
        self._bots = list(bots)
        self._endings = endings
        self._seed = seed
        self._has_scores = has_scores
        heads = ["game", "seed", "end", "winners", "leaders", "turns", "decisions", "first"]
        for column in ("bot", "place", *(["score"] if has_scores else [])):
            heads += [f"{column}_{seat}" for seat in self._seats]
        self._writer.writerow(heads)

    def write(self, result: BatchResult) -> None:
        """Writes a row for each game of a batch."""
        for game, number in enumerate(end_numbers(result)):
            self._writer.writerow(self._row(result, game, number))

    def _row(self, result: BatchResult, game: int, number: int) -> list[object]:
        players, code = len(self._seats), result.ends[game]
        winners = self._named(result.winners[game])
        firsts = result.scalars.get(FIRST)
        first = UNKNOWN if firsts is None else firsts[game]
        is_known = first != UNKNOWN
        row: list[object] = [
            result.first + game,
            self._seed,
            self._endings.word(code, number),
            winners if code == GAME_OVER else "",
            winners if code == PHASE_LIMIT else "",
            result.scalars["phases"][game],
            result.scalars["questions"][game],
            self._seats[first] if is_known else "",
            *line_up(self._bots, result.first + game, players),
            *((seat - first) % players + 1 if is_known else "" for seat in range(players)),
        ]
        if self._has_scores:
            row += result.scores[game * players : (game + 1) * players]
        return row

    def _named(self, bits: int) -> str:
        return "+".join(seat for number, seat in enumerate(self._seats) if bits >> number & 1)
