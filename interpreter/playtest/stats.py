"""The little statistics that a report needs: intervals, a test of fairness, distributions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Share:
    """A share of games with its 95 % interval. Where a game has several winners they share it, so
    `wins` may be broken."""

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


def share_of(wins: float, games: int, fair: float) -> Share:
    """The share of the games that `wins` are, with the interval of Wilson."""
    if games == 0:
        return Share(wins, 0, 0.0, 0.0, 1.0, fair)
    share = wins / games
    square = Z95 * Z95
    middle = share + square / (2 * games)
    reach = Z95 * math.sqrt(share * (1 - share) / games + square / (4 * games * games))
    whole = 1 + square / games
    return Share(
        wins,
        games,
        share,
        max(0.0, (middle - reach) / whole),
        min(1.0, (middle + reach) / whole),
        fair,
    )


@dataclass(frozen=True, slots=True)
class Fairness:
    """A chi-square test of wins against what everybody's fair share would be.

    `p`: how often a fair game would give at least this difference by chance. None where there are
    too few games to say anything.
    """

    statistic: float
    freedom: int
    p: float | None


LEAST_EXPECTED = 5


def fairness(wins: Sequence[float], fair: Sequence[float]) -> Fairness:
    """Tests wins against fair shares, which add up to 1."""
    games = sum(wins)
    expected = [games * share for share in fair]
    freedom = len(wins) - 1
    if freedom < 1 or min(expected) < LEAST_EXPECTED:
        return Fairness(0.0, freedom, None)
    statistic = sum((n - e) ** 2 / e for n, e in zip(wins, expected, strict=True))
    return Fairness(statistic, freedom, chi_square_p(statistic, freedom))


def chi_square_p(statistic: float, freedom: int) -> float:
    """The probability that a chi-square variable is at least this large.

    The closed forms of the upper incomplete gamma function at whole and half numbers.
    """
    if statistic <= 0:
        return 1.0
    half = statistic / 2
    if freedom % 2:
        total, power = math.erfc(math.sqrt(half)), 0.5
    else:
        total, power = math.exp(-half), 1.0
    log_half = math.log(half)
    while power < freedom / 2 - 1e-9:
        total += math.exp(power * log_half - half - math.lgamma(power + 1))
        power += 1
    return min(1.0, total)


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
