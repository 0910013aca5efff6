"""What a run adds up to: counts that take the same memory for ten games and for ten million."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import compress, cycle, islice

from interpreter.emit.ends import BROKEN, CRASHED, FAULT, GAME_OVER
from interpreter.engine.batch import BatchResult, Crash

FIRST = "first"
"""The scalar with the seat that had the first turn; recorded, where a program has it."""

UNKNOWN = -1

MOST_EXAMPLES = 20


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game that was played to its end came out.

    `turn`: by how many seats the bots had moved on. `first`: the seat that had the first turn, or
    UNKNOWN. `winners`: bits of seats.
    """

    turn: int
    first: int
    winners: int

    def seats(self) -> list[int]:
        """The seats that have won."""
        return [seat for seat in range(self.winners.bit_length()) if self.winners >> seat & 1]


@dataclass(slots=True)
class Tally:
    """The sums over some games of a run for `players`.

    `ends`: by code and number of the reason. `examples`: for each end that neither a rule nor a
    crash made, its first games. `outcomes`: of games that ended by a rule, with the sums of the
    scores of each seat in `scores`. `turns` and `decisions`: how often each length was seen, over
    all games but those in `crashes`, by their index.
    """

    players: int
    games: int = 0
    ends: Counter[tuple[int, int]] = field(default_factory=Counter)
    examples: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    outcomes: Counter[Outcome] = field(default_factory=Counter)
    scores: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    turns: Counter[int] = field(default_factory=Counter)
    decisions: Counter[int] = field(default_factory=Counter)
    measures: dict[str, list[int]] = field(default_factory=dict)
    crashes: dict[int, Crash] = field(default_factory=dict)

    def add(self, result: BatchResult) -> None:
        """Adds the games of a batch."""
        numbers = list(end_numbers(result))
        self.games += result.games
        self.ends.update(zip(result.ends, numbers, strict=True))
        self.crashes |= result.crashes
        self._add_examples(result, numbers)
        has_length = [code != CRASHED for code in result.ends]
        self.turns.update(compress(result.scalars["phases"], has_length))
        self.decisions.update(compress(result.scalars["questions"], has_length))
        for name, sums in result.measures.items():
            known = self.measures.setdefault(name, [0] * len(sums))
            for index, number in enumerate(sums):
                known[index] += number
        self._add_outcomes(result)

    def _add_examples(self, result: BatchResult, numbers: list[int]) -> None:
        if result.ends.count(GAME_OVER) == result.games:
            return
        for at, (code, number) in enumerate(zip(result.ends, numbers, strict=True)):
            if code not in (GAME_OVER, CRASHED):
                known = self.examples.setdefault((code, number), [])
                if len(known) < MOST_EXAMPLES:
                    known.append(result.first + at)

    def _add_outcomes(self, result: BatchResult) -> None:
        """Without a step of Python for every game, as far as that goes: workers wait for it."""
        players = self.players
        firsts = result.scalars.get(FIRST) or [UNKNOWN] * result.games
        turn = result.first % players
        turns = islice(cycle(range(players)), turn, turn + result.games)
        is_over = [code == GAME_OVER for code in result.ends]
        keys = list(compress(zip(turns, firsts, result.winners, strict=True), is_over))
        for key, times in Counter(keys).items():
            self.outcomes[Outcome(*key)] += times
        by_seat = [result.scores[seat::players] for seat in range(players)]
        rows: dict[tuple[int, int], list[tuple[int, ...]]] = defaultdict(list)
        for (turn, first, _), scores in zip(
            keys, compress(zip(*by_seat, strict=True), is_over), strict=True
        ):
            rows[turn, first].append(scores)
        for group, scores_of in rows.items():
            sums = self.scores.setdefault(group, [0] * players)
            for seat, scores in enumerate(zip(*scores_of, strict=True)):
                sums[seat] += sum(scores)

    @property
    def decided(self) -> int:
        """How many games ended by a rule of the game."""
        return self.outcomes.total()


def end_numbers(result: BatchResult) -> Iterator[int]:
    """For each game the number of the reason of its end: of a rule, a fault or a condition."""
    endings = result.scalars.get("ending") or [UNKNOWN] * result.games
    faults = result.scalars["fault"]
    for code, ending, fault in zip(result.ends, endings, faults, strict=True):
        if code == GAME_OVER:
            yield ending
        elif code in (FAULT, BROKEN):
            yield fault
        else:
            yield UNKNOWN
