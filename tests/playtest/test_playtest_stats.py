"""Intervals, the test of fairness and distributions, against values from tables and by hand."""

from __future__ import annotations

import math
import random

import pytest

from interpreter.playtest.stats import (
    chi_square_p,
    fairness,
    histogram,
    share_of,
    spread_of,
)


@pytest.mark.parametrize(
    ("statistic", "freedom", "p"),
    [
        (3.841459, 1, 0.05),
        (6.634897, 1, 0.01),
        (5.991465, 2, 0.05),
        (7.814728, 3, 0.05),
        (11.344867, 3, 0.01),
        (14.067140, 7, 0.05),
        (16.918978, 9, 0.05),
        (27.877165, 9, 0.001),
        (24.995790, 15, 0.05),
        (0.0, 4, 1.0),
    ],
)
def test_chi_square_is_that_of_the_tables(statistic: float, freedom: int, p: float) -> None:
    assert chi_square_p(statistic, freedom) == pytest.approx(p, rel=1e-5)


def test_chi_square_does_not_overflow() -> None:
    assert chi_square_p(5_000.0, 3) == pytest.approx(0.0, abs=1e-300)
    assert 0 <= chi_square_p(1e-12, 7) <= 1


def test_chi_square_agrees_with_sampling() -> None:
    luck = random.Random(1)
    beyond = sum(sum(luck.gauss(0, 1) ** 2 for _ in range(5)) >= 6.0 for _ in range(20_000))
    assert beyond / 20_000 == pytest.approx(chi_square_p(6.0, 5), abs=0.012)


def test_interval_of_wilson() -> None:
    share = share_of(30, 100, 0.25)
    assert (share.low, share.high) == pytest.approx((0.2189, 0.3958), abs=1e-4)
    assert not share.is_off
    assert share_of(0, 50, 0.25).low == pytest.approx(0)
    assert share_of(50, 50, 0.25).high == pytest.approx(1)
    assert share_of(40, 100, 0.25).is_off


def test_no_games_say_nothing() -> None:
    share = share_of(0, 0, 0.25)
    assert (share.low, share.high) == (0.0, 1.0)
    assert not share.is_off
    assert fairness([0, 0], [0.5, 0.5]).p is None
    assert spread_of({}) is None
    assert histogram({}) == []


def test_fairness_against_unequal_shares() -> None:
    assert fairness([50, 100, 50], [0.25, 0.5, 0.25]).p == 1.0
    unfair = fairness([90, 60, 50], [0.25, 0.5, 0.25])
    assert unfair.p is not None
    assert unfair.p < 1e-6
    assert fairness([4, 3, 3], [0.25, 0.5, 0.25]).p is None


def test_spread_is_that_of_the_sorted_numbers() -> None:
    luck = random.Random(2)
    numbers = sorted(luck.randrange(1, 300) for _ in range(999))
    counts = {number: numbers.count(number) for number in set(numbers)}
    spread = spread_of(counts)
    assert spread is not None
    assert spread.median == numbers[499]
    assert spread.p5 == numbers[math.ceil(0.05 * 999) - 1]
    assert spread.p95 == numbers[math.ceil(0.95 * 999) - 1]
    assert (spread.least, spread.most, spread.count) == (numbers[0], numbers[-1], 999)
    assert spread.mean == pytest.approx(sum(numbers) / 999)


def test_histogram_has_round_bars_and_loses_nothing() -> None:
    counts = {3: 1, 17: 2, 44: 3, 97: 4}
    bars = histogram(counts)
    assert sum(bar.count for bar in bars) == 10
    assert [bars[0].low, bars[0].high] == [0, 9]
    assert bars[-1].low <= 97 <= bars[-1].high
    assert len(bars) <= 11
    assert [(bar.low, bar.high, bar.count) for bar in histogram({7: 5})] == [(7, 7, 5)]
