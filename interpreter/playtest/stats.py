"""The little statistics that a report needs: intervals, tests of fairness, distributions.

Definitions and sources: docs/metrics.md.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from interpreter.playtest.chi_square import chi_square_p, noncentrality

Z95 = 1.959963984540054
SURE = 0.01
"""The level of the tests."""
POWER = 0.8
"""In how many runs an effect that "would have been seen" would have been."""


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games with its 95 % interval. Where a game has several winners they share it, so
    `wins` may be broken. `fair`: the share of all seats that were held."""

    wins: float
    games: int
    share: float
    low: float
    high: float
    fair: float

    @property
    def is_off(self) -> bool:
        """Whether the fair share lies outside the interval."""
        return self.games > 0 and not self.low <= self.fair <= self.high


@dataclass(frozen=True, slots=True)
class Fairness:
    """A test of wins against the fair shares, with the variance that was seen.

    `p`: how often a fair game would give at least this difference by chance. `visible`: by how much
    a single row would have to be off its fair share to be found in four of five such runs (the
    mean over the rows). Both are None where there are too few games to say anything.
    """

    statistic: float
    freedom: int
    p: float | None
    visible: float | None


@dataclass(frozen=True, slots=True)
class Seen:
    """Games that came out alike: how many, which part of the win each row had, and which part of
    the seats."""

    times: int
    won: tuple[float, ...]
    held: tuple[float, ...]


LEAST_EXPECTED = 5


def shares_of(seen: Iterable[Seen], rows: int) -> tuple[list[Share], Fairness]:
    """The share of the games of each row, and a test whether all are fair."""
    sums = _Sums(rows)
    for each in seen:
        sums.add(each)
    return [sums.share(row) for row in range(rows)], sums.fairness()


class _Sums:
    """Sums over games: of what was won and held, and of all products."""

    def __init__(self, rows: int) -> None:
        self.rows = rows
        self.games = 0
        self.won = [0.0] * rows
        self.held = [0.0] * rows
        self.won_won = [0.0] * rows
        self.won_held = [0.0] * rows
        self.held_held = [0.0] * rows
        self.beyond = [[0.0] * rows for _ in range(rows)]

    def add(self, seen: Seen) -> None:
        """Adds games that came out alike."""
        times, won, held = seen.times, seen.won, seen.held
        self.games += times
        beyond = [one - other for one, other in zip(won, held, strict=True)]
        for row in range(self.rows):
            self.won[row] += times * won[row]
            self.held[row] += times * held[row]
            self.won_won[row] += times * won[row] ** 2
            self.won_held[row] += times * won[row] * held[row]
            self.held_held[row] += times * held[row] ** 2
            for other in range(row + 1):
                self.beyond[row][other] += times * beyond[row] * beyond[other]

    def share(self, row: int) -> Share:
        """The interval of Wilson for as many games as would have the variance that was seen."""
        if not self.games:
            return Share(0.0, 0, 0.0, 0.0, 1.0, 1 / self.rows)
        wins, fair = self.won[row], self.held[row] / self.games
        share = wins / self.games
        low, high = wilson(share, self._worth(row, share))
        return Share(wins, self.games, share, low, high, fair)

    def _worth(self, row: int, share: float) -> float:
        """How many games with one winner each would have the variance that was seen about what the
        seats held let expect."""
        if not self.held[row]:
            return self.games
        pull = self.won[row] / self.held[row]
        squares = self.won_won[row] - 2 * pull * self.won_held[row] + pull**2 * self.held_held[row]
        usual = self.games * share * (1 - share)
        return self.games * usual / squares if squares > 1e-9 and usual > 1e-9 else self.games

    def fairness(self) -> Fairness:
        """The test of Wald: what was won beyond what was held, measured by its own variance. To
        that one more win of each row is added, so that rows which never win have a variance."""
        free = self.rows - 1
        if free < 1 or min(self.held) < LEAST_EXPECTED:
            return Fairness(0.0, max(free, 0), None, None)
        games = self.games
        mean = [(one - other) / games for one, other in zip(self.won, self.held, strict=True)]
        fair = [held / games for held in self.held]
        spread = [
            [
                self.beyond[row][col] / games
                - mean[row] * mean[col]
                + ((row == col) - fair[row] - fair[col] + self.rows * fair[row] * fair[col]) / games
                for col in range(row + 1)
            ]
            for row in range(free)
        ]
        root = _cholesky(spread)
        statistic = games * _length(root, mean[:free])
        needed = noncentrality(free, SURE, POWER)
        visible = [
            math.sqrt(needed / (games * _length(root, _only(row, fair)[:free])))
            for row in range(self.rows)
        ]
        return Fairness(statistic, free, chi_square_p(statistic, free), sum(visible) / len(visible))


def _only(row: int, fair: Sequence[float]) -> list[float]:
    """One row off by 1, which the others make up for by their fair shares."""
    rest = 1 - fair[row]
    return [1.0 if each == row else -fair[each] / rest for each in range(len(fair))]


def _cholesky(matrix: Sequence[Sequence[float]]) -> list[list[float]]:
    """The lower root of a positive symmetric matrix, given by its lower half."""
    root: list[list[float]] = []
    for row, numbers in enumerate(matrix):
        root.append([])
        for col, number in enumerate(numbers):
            left = number - sum(root[row][k] * root[col][k] for k in range(col))
            root[row].append(left / root[col][col] if col < row else math.sqrt(left))
    return root


def _length(root: Sequence[Sequence[float]], vector: Sequence[float]) -> float:
    """The square of a vector in the measure of the inverse matrix."""
    solved: list[float] = []
    for row, number in enumerate(vector):
        left = number - sum(root[row][k] * solved[k] for k in range(row))
        solved.append(left / root[row][row])
    return sum(each * each for each in solved)


def wilson(share: float, games: float) -> tuple[float, float]:
    """The 95 % interval of Wilson for a share of so many games."""
    square = Z95 * Z95
    middle = share + square / (2 * games)
    reach = Z95 * math.sqrt(share * (1 - share) / games + square / (4 * games * games))
    whole = 1 + square / games
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


# ---------------------------------------------------------------- how long


@dataclass(frozen=True, slots=True)
class Spread:
    """How whole numbers are spread: mean, least, most and the values that so many percent reach."""

    count: int
    mean: float
    least: int
    p5: int
    p25: int
    median: int
    p75: int
    p95: int
    most: int


def spread_of(counts: Mapping[int, int]) -> Spread | None:
    """The spread of numbers that are given with how often each was seen; None of no numbers."""
    total = sum(counts.values())
    if total == 0:
        return None
    ordered = sorted(counts.items())
    mean = sum(value * times for value, times in ordered) / total
    p5, p25, median, p75, p95 = quantiles(ordered, total, (0.05, 0.25, 0.5, 0.75, 0.95))
    return Spread(total, mean, ordered[0][0], p5, p25, median, p75, p95, ordered[-1][0])


def quantiles(ordered: Sequence[tuple[int, int]], total: int, wanted: Sequence[float]) -> list[int]:
    """For each wanted part (ascending) the least value that so many numbers do not exceed."""
    found: list[int] = []
    seen = 0
    for value, times in ordered:
        seen += times
        while len(found) < len(wanted) and seen >= wanted[len(found)] * total:
            found.append(value)
    return found


@dataclass(frozen=True, slots=True)
class Lasting:
    """How long games last, where some were cut off: those count as games that last at least so
    long.

    `mean`, with its 95 % interval `low` to `high`: of the time up to `longest`, the longest game
    that was seen; it is the plain mean where none was cut. `cut`: how many games were cut. The
    quantiles are None where too many games were cut to know them. `going`: after each time at
    which games ended the share of those that go on.
    """

    count: int
    cut: int
    mean: float
    low: float
    high: float
    least: int
    p5: int | None
    p25: int | None
    median: int | None
    p75: int | None
    p95: int | None
    longest: int
    going: tuple[tuple[int, float], ...]

    def share_after(self, time: int) -> float:
        """The share of games that last longer than this."""
        at = bisect_right(self.going, time, key=lambda step: step[0])
        return self.going[at - 1][1] if at else 1.0


def lasting_of(ended: Mapping[int, int], cut: Mapping[int, int]) -> Lasting | None:
    """The product-limit estimate from the times at which games ended or were cut off, with how
    often each was seen; None of no games."""
    count, cut_off = sum(ended.values()), sum(cut.values())
    if not count + cut_off:
        return None
    times = sorted(ended.keys() | cut.keys())
    at_risk, going = count + cut_off, 1.0
    steps: list[tuple[int, float]] = []
    risks: list[tuple[int, int]] = []
    for time in times:
        over = ended.get(time, 0)
        if over:
            going *= 1 - over / at_risk
            steps.append((time, going))
            risks.append((over, at_risk))
        at_risk -= over + cut.get(time, 0)
    longest = times[-1]
    mean, error = _restricted(steps, risks, longest)
    p5, p25, median, p75, p95 = (
        next((time for time, left in steps if left <= 1 - part + 1e-12), None)
        for part in (0.05, 0.25, 0.5, 0.75, 0.95)
    )
    return Lasting(
        count + cut_off, cut_off, mean, mean - Z95 * error, mean + Z95 * error,
        times[0], p5, p25, median, p75, p95, longest, tuple(steps),
    )  # fmt: skip


def _restricted(
    steps: Sequence[tuple[int, float]], risks: Sequence[tuple[int, int]], longest: int
) -> tuple[float, float]:
    """The mean time up to `longest`, and its standard error."""
    ends = [*(time for time, _ in steps), longest][1:]
    beyond, variance = 0.0, 0.0
    for (time, going), end, (over, at_risk) in reversed(list(zip(steps, ends, risks, strict=True))):
        beyond += going * (end - time)
        if at_risk > over:
            variance += beyond**2 * over / (at_risk * (at_risk - over))
    first = steps[0][0] if steps else longest
    return first + beyond, math.sqrt(variance)


@dataclass(frozen=True, slots=True)
class Bar:
    """Numbers from `low` to `high`, and how often they were seen."""

    low: int
    high: int
    count: int


def histogram(counts: Mapping[int, int], most_bars: int = 10) -> list[Bar]:
    """Bars of one round width over all the numbers."""
    if not counts:
        return []
    least, most = min(counts), max(counts)
    width = _round_width((most - least) // most_bars + 1)
    start = least // width * width
    bars = [0] * ((most - start) // width + 1)
    for value, times in counts.items():
        bars[(value - start) // width] += times
    return [
        Bar(start + width * number, start + width * (number + 1) - 1, count)
        for number, count in enumerate(bars)
    ]


def _round_width(least: int) -> int:
    """The next of 1, 2, 5, 10, 20, 50, ..."""
    power = 1
    while True:
        for step in (1, 2, 5):
            if step * power >= least:
                return step * power
        power *= 10
