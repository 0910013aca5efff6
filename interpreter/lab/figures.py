"""What is counted in pairs of games: length, ends, winners, and all that the rules measure.

A pair is a game of the same number, with the same seed, seats and bots, under two versions of the
rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, repeat
from operator import add

from dsl.core import nodes as core
from interpreter.emit.ends import CRASHED, GAME_OVER, PHASE_LIMIT
from interpreter.engine.batch import BatchResult
from interpreter.engine.seating import seat_numbers
from interpreter.lab.paired import Pairs
from interpreter.playtest.machine import Ready
from interpreter.playtest.standings import ordinal
from interpreter.playtest.tables import NUMBER, measured
from interpreter.playtest.tally import FIRST, UNKNOWN

COUNTED = {"rule": "Rule fired", "option": "Option taken", "answer": "Answer given"}
"""What engines count of the rules themselves, and what it is called."""
LEAST_COUNTED = 50
"""Of what was counted less often on both sides together nothing is said."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Something that is counted per game. `id`: the same in every run (`place.1`, `bot.greedy`);
    `unit`: `turns`, `share`, or that of a measure; None for a plain number."""

    id: str
    title: str
    unit: str | None

    @property
    def is_share(self) -> bool:
        """Whether it is a part of the games."""
        return self.unit == "share"


TURNS = Figure("turns.mean", "turns", "turns")
LIMIT = Figure("limit", "cut off at the limit", "share")
FAULTS = Figure("faults", "stopped by a fault", "share")
SHARED = Figure("shared", "won by several", "share")


@dataclass(frozen=True, slots=True)
class Table:
    """Who can sit at a table: ids and names of the seats, and the bots."""

    seats: tuple[tuple[str, str], ...]
    bots: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Each bot once."""
        return tuple(dict.fromkeys(self.bots))

    def figures(self) -> list[Figure]:
        """The headlines of its games but for the length, all of them shares."""
        places = [
            Figure(f"place.{place}", f"{ordinal(place)} place wins", "share")
            for place in range(1, len(self.seats) + 1)
        ]
        seats = [Figure(f"seat.{id_}", f"seat {name} wins", "share") for id_, name in self.seats]
        bots = [Figure(f"bot.{bot}", f"{bot} wins", "share") for bot in self.names]
        return [LIMIT, FAULTS, SHARED, *places, *seats, *(bots if len(bots) > 1 else ())]

    def parts(self, sitting: Sequence[int], first: int, end: int, winners: int) -> dict[str, float]:
        """What a game adds to each of them. `sitting`: the number of the bot on each seat."""
        if end == PHASE_LIMIT:
            return {LIMIT.id: 1.0}
        if end != GAME_OVER:
            return {FAULTS.id: 1.0}
        players = len(self.seats)
        won = [seat for seat in range(players) if winners >> seat & 1]
        found: dict[str, float] = {SHARED.id: float(len(won) > 1)}
        for seat in won:
            ids = [f"seat.{self.seats[seat][0]}", f"bot.{self.bots[sitting[seat]]}"]
            if first != UNKNOWN:
                ids.append(f"place.{(seat - first) % players + 1}")
            for id_ in ids:
                found[id_] = found.get(id_, 0.0) + 1 / len(won)
        return found


class PairTally:
    """The headlines of pairs of games at a table.

    Games that are cut off count as games of that length. Pairs in which an engine broke are left
    out.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._turns = Pairs()
        self._outcomes: Counter[tuple[tuple[int, ...], tuple[int, ...]]] = Counter()

    @property
    def turns(self) -> Pairs:
        """The lengths."""
        return self._turns

    def add(self, one: BatchResult, other: BatchResult) -> None:
        """Adds games of the same numbers. With few steps of Python for each: workers wait."""
        broken = CRASHED in one.ends or CRASHED in other.ends
        ran = [CRASHED not in ends for ends in zip(one.ends, other.ends, strict=True)]
        lengths = [result.scalars["phases"] for result in (one, other)]
        self._turns.extend(
            *([list(compress(each, ran)) for each in lengths] if broken else lengths)
        )
        bots, players = len(self._table.bots), len(self._table.seats)
        numbers = range(one.first, one.first + one.games)
        tables = (seat_numbers(bots, number, players) for number in numbers)
        outcomes = zip(*_outcomes(one), *_outcomes(other), strict=True)
        self._outcomes.update(compress(zip(tables, outcomes, strict=True), ran))

    def headlines(self) -> dict[Figure, Pairs]:
        """Each figure with its pairs: length, ends, and who wins by place, seat and bot."""
        found = {figure: Pairs(is_share=True) for figure in self._table.figures()}
        for (sitting, outcome), times in self._outcomes.items():
            one = self._table.parts(sitting, *outcome[:3])
            other = self._table.parts(sitting, *outcome[3:])
            for figure, pairs in found.items():
                pairs.add(one.get(figure.id, 0.0), other.get(figure.id, 0.0), times)
        return {TURNS: self._turns, **found}


def _outcomes(result: BatchResult) -> tuple[Iterable[int], Iterable[int], Iterable[int]]:
    firsts = result.scalars.get(FIRST) or repeat(UNKNOWN, result.games)
    return firsts, result.ends, result.winners


# ---------------------------------------------------------------- what the rules measure


class CellTally:
    """What is counted by the rules, and of them, as sums over batches of equally many games: pairs
    of such sums vary as much as pairs of games do."""

    def __init__(self) -> None:
        self._rows: list[list[int]] = []
        self._cells: list[Figure] = []
        self._games = 0
        self._per: list[dict[str, list[int]]] = []

    def add(self, result: BatchResult) -> None:
        """Adds a batch; the first says how many games a batch has, and others are left out."""
        self._games = self._games or result.games
        if result.games == self._games:
            self._per.append(result.measures)

    def cells(self, ready: Ready, program: core.Program) -> dict[Figure, list[float]]:
        """Of each thing that is counted, what it comes to per game in each batch."""
        found: dict[Figure, list[float]] = {}
        for figure, column, cell in _cells(ready, program):
            line = [sums[column][cell] / self._games for sums in self._per]
            known = found.get(figure)
            found[figure] = line if known is None else list(map(add, known, line))
        return found


def pair_cells(
    one: Mapping[Figure, Sequence[float]], other: Mapping[Figure, Sequence[float]], games: int
) -> Iterator[tuple[Figure, Pairs]]:
    """What both sides counted, but for what is rare in so many pairs of games; what only one of
    them knows was never counted on the other."""
    for figure in {**one, **other}:
        lines = [side.get(figure) for side in (one, other)]
        length = max(len(line) for line in lines if line is not None)
        pairs = Pairs()
        pairs.extend(*(line or (0.0,) * length for line in lines))
        if length > 1 and sum(map(abs, pairs.means)) * games >= LEAST_COUNTED:
            yield figure, pairs


def _cells(ready: Ready, program: core.Program) -> Iterator[tuple[Figure, str, int]]:
    """Each thing that is counted: what it is, in which column of measures, and which cell of it.
    Courses over time and measures by several things are left out."""
    for at, label in enumerate(ready.program.coverage):
        what, _, name = label.partition(" ")
        if what in COUNTED and label not in ready.excluded and name not in ready.program.measures:
            shown = f"{COUNTED[what]}: {name.replace('@', ' in ')}"
            yield Figure(f"{what}.{name}", shown, None), "coverage", at
    names: dict[str, str] = {}
    for each in measured(ready.program, program, ready.meanings, {}):
        column = ready.program.measures[each.name].column
        name = names.setdefault(each.title, each.name)  # with one title they are added up
        if not each.axes:
            yield Figure(f"measure.{name}", each.title, each.unit), column, 0
        elif len(each.axes) == 1 and each.axes[0].what != NUMBER:
            labels = dict(each.axes[0].cells)
            for cell, id_ in each.axes[0].ids:
                shown = f"{each.title}: {labels[cell]}"
                yield Figure(f"measure.{name}.{id_}", shown, each.unit), column, cell
