"""Sums over pairs of numbers, and what they say about a difference.

Definitions and sources: docs/metrics.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from operator import mul

from interpreter.playtest.stats import Z95

ALPHA = 0.05


@dataclass(slots=True)
class Pairs:
    """Sums over pairs of numbers, of one side and of the other: of themselves, of their squares and
    of their products.

    `is_share`: each number is a part of a whole, and so their difference at most 1. Then two pairs
    are added that differ by 1, one in each direction: where few pairs differ, the plain interval is
    too narrow (Agresti and Min 2005).
    """

    is_share: bool = False
    count: int = 0
    one: float = 0
    other: float = 0
    one_square: float = 0
    other_square: float = 0
    product: float = 0

    def add(self, one: float, other: float, times: int = 1) -> None:
        """Adds a pair that was seen so many times."""
        self.count += times
        self.one += times * one
        self.other += times * other
        self.one_square += times * one * one
        self.other_square += times * other * other
        self.product += times * one * other

    def extend(self, one: Sequence[float], other: Sequence[float]) -> None:
        """Adds many pairs, given side by side."""
        self.count += len(one)
        self.one += sum(one)
        self.other += sum(other)
        self.one_square += sum(map(mul, one, one))
        self.other_square += sum(map(mul, other, other))
        self.product += sum(map(mul, one, other))

    @property
    def means(self) -> tuple[float, float]:
        """The mean of each side."""
        return self.one / self.count, self.other / self.count

    @property
    def difference(self) -> float:
        """The mean of the other side less that of the one."""
        return (self.other - self.one) / self.count

    @property
    def variance(self) -> float:
        """The variance of the differences."""
        squares = self.one_square + self.other_square - 2 * self.product
        if self.is_share:
            return (squares + 2) / (self.count + 2) - self.difference**2
        spare = squares / self.count - self.difference**2
        return max(0.0, spare) * self.count / max(1, self.count - 1)

    @property
    def error(self) -> float:
        """The standard error of the difference."""
        return math.sqrt(self.variance / self.count)

    def interval(self, reach: float = Z95) -> tuple[float, float]:
        """The interval of the difference, so many standard errors to each side."""
        return self.difference - reach * self.error, self.difference + reach * self.error

    @property
    def p(self) -> float:
        """How often a difference of nothing would look at least as large by chance."""
        if self.error > 0:
            return math.erfc(abs(self.difference) / self.error / math.sqrt(2))
        return 1.0 if self.difference == 0 else 0.0

    @property
    def saved(self) -> float | None:
        """How many times as many games would have been needed with different luck on both sides:
        the sum of both variances over that of the difference. None where no pair differs."""
        squares = self.one_square + self.other_square - 2 * self.product
        differing = squares / self.count - self.difference**2
        each = [
            square / self.count - mean**2
            for square, mean in zip((self.one_square, self.other_square), self.means, strict=True)
        ]
        return sum(each) / differing if differing > 1e-12 else None


def holm(ps: Sequence[float]) -> list[float]:
    """The p-values for all tests of a family together (Holm 1979): below `ALPHA` are those that may
    be called found, with at most that chance that any of them is none."""
    order = sorted(range(len(ps)), key=lambda at: ps[at])
    adjusted = [1.0] * len(ps)
    worst = 0.0
    for rank, at in enumerate(order):
        worst = max(worst, min(1.0, ps[at] * (len(ps) - rank)))
        adjusted[at] = worst
    return adjusted


def reach_at_any_time(count: int, alpha: float, planned: int) -> float:
    """How many standard errors an interval has to each side that may be looked at after every pair.

    The asymptotic confidence sequence of the normal mixture (Robbins 1970; Waudby-Smith et al.
    2024), narrowest about a quarter of the way to `planned` pairs: with `r = count * mixing` it is
    the root of `(1 + 1 / r) * log((r + 1) / alpha**2)`.
    """
    wanted = -2 * math.log(alpha)
    mixing = (wanted + math.log(wanted + 1)) / max(1.0, planned / 4)
    ratio = count * mixing
    return math.sqrt((1 + 1 / ratio) * math.log((ratio + 1) / alpha**2))
