"""What a run adds up to: counts that take the same memory for ten games and for ten million."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import compress
from typing import TypeVar

from interpreter.emit.ends import BROKEN, CRASHED, FAULT, GAME_OVER, PHASE_LIMIT
from interpreter.engine.batch import BatchResult, Crash
from interpreter.engine.seating import seat_numbers

FIRST = "first"
"""The scalar with the seat that had the first turn; recorded, where a program has it."""

UNKNOWN = -1

MOST_EXAMPLES = 20

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game came out, by seat. `first`: the seat that had the first turn, or UNKNOWN.
    `winners`: bits of seats; where the game was cut off at the limit, of those who led."""

    first: int
    winners: int

    def seats(self) -> list[int]:
        """The seats that have won."""
        return [seat for seat in range(self.winners.bit_length()) if self.winners >> seat & 1]


@dataclass(frozen=True, slots=True)
class BotOutcome:
    """How a game came out, by bot. `held`: how many seats each bot had; `won`: the bots of the
    seats that have won, one for each such seat."""

    held: tuple[int, ...]
    won: tuple[int, ...]


@dataclass(slots=True)
class Winners:
    """How the games with one kind of end came out, and the sums of the scores: of each seat by the
    seat that began, and of each bot."""

    outcomes: Counter[Outcome] = field(default_factory=Counter)
    by_bot: Counter[BotOutcome] = field(default_factory=Counter)
    scores: dict[int, list[int]] = field(default_factory=dict)
    bot_scores: list[int] = field(default_factory=list)

    @property
    def games(self) -> int:
        """How many they were."""
        return self.outcomes.total()


class Tally:
    """The sums over some games of a run for `players` and the `bots` who were named for it.

    `ends`: by code and number of the reason. `examples`: for each end that neither a rule nor a
    crash made, its first games. `decided`: of games that ended by a rule; `cut`: of those at the
    limit, with who led there. `turns`: how often each length was seen in games that ended by a
    rule, and `cut_turns` in those that were stopped; `decisions`: in both. None of them has the
    games in `crashes`, by their index.
    """

    def __init__(self, players: int, bots: Sequence[str]) -> None:
        self.players = players
        self.names = tuple(dict.fromkeys(bots))
        self.games = 0
        self.ends: Counter[tuple[int, int]] = Counter()
        self.examples: dict[tuple[int, int], list[int]] = {}
        self.decided = Winners()
        self.cut = Winners()
        self.turns: Counter[int] = Counter()
        self.cut_turns: Counter[int] = Counter()
        self.decisions: Counter[int] = Counter()
        self.measures: dict[str, list[int]] = {}
        self.crashes: dict[int, Crash] = {}
        self._bots = tuple(self.names.index(bot) for bot in bots)

    def add(self, result: BatchResult) -> None:
        """Adds the games of a batch."""
        numbers = list(end_numbers(result))
        self.games += result.games
        self.ends.update(zip(result.ends, numbers, strict=True))
        self.crashes |= result.crashes
        self._add_examples(result, numbers)
        self._add_lengths(result)
        for name, sums in result.measures.items():
            known = self.measures.setdefault(name, [0] * len(sums))
            for index, number in enumerate(sums):
                known[index] += number
        self._add_winners(self.decided, result, GAME_OVER)
        if PHASE_LIMIT in result.ends:
            self._add_winners(self.cut, result, PHASE_LIMIT)

    def _tables(self, first: int, games: int) -> list[tuple[int, ...]]:
        """For each game the number of the name of the bot on each seat."""
        bots, players = self._bots, self.players
        tables = [seat_numbers(len(bots), game, players) for game in range(first, first + games)]
        if len(self.names) == len(bots):
            return tables
        return [tuple([bots[each] for each in table]) for table in tables]

    def _add_examples(self, result: BatchResult, numbers: list[int]) -> None:
        if result.ends.count(GAME_OVER) == result.games:
            return
        for at, (code, number) in enumerate(zip(result.ends, numbers, strict=True)):
            if code not in (GAME_OVER, CRASHED):
                known = self.examples.setdefault((code, number), [])
                if len(known) < MOST_EXAMPLES:
                    known.append(result.first + at)

    def _add_lengths(self, result: BatchResult) -> None:
        turns = result.scalars["phases"]
        is_over = [code == GAME_OVER for code in result.ends]
        is_cut = [code not in (GAME_OVER, CRASHED) for code in result.ends]
        self.turns.update(compress(turns, is_over))
        self.cut_turns.update(compress(turns, is_cut))
        has_length = [code != CRASHED for code in result.ends]
        self.decisions.update(compress(result.scalars["questions"], has_length))

    def _add_winners(self, into: Winners, result: BatchResult, code: int) -> None:
        """With few steps of Python for every game: workers wait for it."""
        wanted = [each == code for each in result.ends]
        firsts = result.scalars.get(FIRST) or [UNKNOWN] * result.games
        keys = compress(zip(firsts, result.winners, strict=True), wanted)
        for key, times in Counter(keys).items():
            into.outcomes[Outcome(*key)] += times
        by_seat = (result.scores[seat :: self.players] for seat in range(self.players))
        columns = [list(compress(scores, wanted)) for scores in by_seat]
        _add_by(into.scores, compress(firsts, wanted), columns)
        if len(self.names) < 2:
            return
        tables = self._tables(result.first, result.games)
        for (table, winners), times in Counter(
            compress(zip(tables, result.winners, strict=True), wanted)
        ).items():
            into.by_bot[_bot_outcome(table, winners, len(self.names))] += times
        sums: dict[tuple[int, ...], list[int]] = {}
        _add_by(sums, compress(tables, wanted), columns)
        into.bot_scores = into.bot_scores or [0] * len(self.names)
        for table, scores in sums.items():
            for bot, score in zip(table, scores, strict=True):
                into.bot_scores[bot] += score


@lru_cache(maxsize=1 << 10)
def _bot_outcome(table: tuple[int, ...], winners: int, names: int) -> BotOutcome:
    held = tuple(table.count(name) for name in range(names))
    won = sorted(bot for seat, bot in enumerate(table) if winners >> seat & 1)
    return BotOutcome(held, tuple(won))


def _add_by(into: dict[Key, list[int]], keys: Iterable[Key], columns: Sequence[list[int]]) -> None:
    """Adds rows of numbers, given by column, to the sums of their keys."""
    rows: dict[Key, list[tuple[int, ...]]] = defaultdict(list)
    for key, row in zip(keys, zip(*columns, strict=True), strict=True):
        rows[key].append(row)
    for key, found in rows.items():
        sums = into.setdefault(key, [0] * len(columns))
        for at, numbers in enumerate(zip(*found, strict=True)):
            sums[at] += sum(numbers)


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
