"""The chi-square distribution, and how large an effect a test by it finds."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache


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


def power_of(effect: float, freedom: int, bound: float) -> float:
    """The probability that a noncentral chi-square variable is at least `bound`: chi-square ones
    of growing freedom, weighted by the law of Poisson."""
    half = effect / 2
    most = int(half + 12 * math.sqrt(half + 1)) + 20
    return sum(
        math.exp(n * math.log(half) - half - math.lgamma(n + 1))
        * chi_square_p(bound, freedom + 2 * n)
        for n in range(most)
    )


@lru_cache
def noncentrality(freedom: int, level: float, power: float) -> float:
    """The effect (the square of its length in standard errors) that a test at this level finds
    with this probability."""
    bound = _solved(lambda x: -chi_square_p(x, freedom), -level)
    return _solved(lambda effect: power_of(effect, freedom, bound), power)


def _solved(growing: Callable[[float], float], wanted: float) -> float:
    """Where a growing function of positive numbers reaches a value."""
    low, high = 1e-9, 1.0
    while growing(high) < wanted:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if growing(middle) < wanted else (low, middle)
    return (low + high) / 2
