"""Intervals, tests of fairness and distributions: from tables, by hand and by lot."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import pytest

from interpreter.playtest.chi_square import chi_square_p, noncentrality, power_of
from interpreter.playtest.stats import (
    Fairness,
    Seen,
    Share,
    histogram,
    lasting_of,
    shares_of,
    spread_of,
    wilson,
)

THIRDS = (1 / 3, 1 / 3, 1 / 3)


def single(wins: Sequence[int], held: Sequence[float]) -> tuple[list[Share], Fairness]:
    """Games with one winner each."""
    rows = range(len(wins))
    seen = [
        Seen(times, tuple(float(row == winner) for row in rows), tuple(held))
        for winner, times in enumerate(wins)
    ]
    return shares_of(seen, len(wins))


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


def test_power_agrees_with_sampling_and_with_tables() -> None:
    luck = random.Random(3)
    shift = math.sqrt(8.0)
    beyond = sum(
        (luck.gauss(0, 1) + shift) ** 2 + sum(luck.gauss(0, 1) ** 2 for _ in range(2)) >= 7.815
        for _ in range(20_000)
    )
    assert beyond / 20_000 == pytest.approx(power_of(8.0, 3, 7.815), abs=0.012)
    # Cohen's tables: one degree of freedom at 0.05 with power 0.8, (1.95996 + 0.84162) squared.
    assert noncentrality(1, 0.05, 0.8) == pytest.approx(7.849, abs=2e-3)


def test_interval_of_wilson() -> None:
    shares, _ = single([30, 70], [0.25, 0.75])
    assert (shares[0].low, shares[0].high) == pytest.approx((0.2189, 0.3958), abs=1e-4)
    assert not shares[0].is_off
    assert wilson(0.0, 50)[0] == pytest.approx(0)
    assert wilson(1.0, 50)[1] == pytest.approx(1)
    assert single([40, 60], [0.25, 0.75])[0][0].is_off


def test_no_games_say_nothing() -> None:
    shares, test = shares_of([], 2)
    assert (shares[0].low, shares[0].high) == (0.0, 1.0)
    assert not shares[0].is_off
    assert (test.p, test.visible) == (None, None)
    assert spread_of({}) is None
    assert lasting_of({}, {}) is None
    assert histogram({}) == []


def test_with_single_winners_the_test_is_near_that_of_pearson() -> None:
    wins, fair = [270, 510, 220], [0.25, 0.5, 0.25]
    expected = [1000 * share for share in fair]
    pearson = sum((one - two) ** 2 / two for one, two in zip(wins, expected, strict=True))
    test = single(wins, fair)[1]
    assert test.freedom == 2
    # The variance is that of what was seen instead of what was expected.
    seen = sum((one - two) ** 2 / one for one, two in zip(wins, expected, strict=True))
    assert test.statistic == pytest.approx(seen, rel=0.02)
    assert test.statistic == pytest.approx(pearson, rel=0.1)


def test_fairness_against_unequal_shares() -> None:
    assert single([50, 100, 50], [0.25, 0.5, 0.25])[1].p == pytest.approx(1.0)
    unfair = single([90, 60, 50], [0.25, 0.5, 0.25])[1]
    assert unfair.p is not None
    assert unfair.p < 1e-6
    assert single([4, 3, 3], THIRDS)[1].p is None


def test_shared_wins_vary_less() -> None:
    """All three share every other win: half the variance is gone, and the interval with it."""
    alone = single([100, 100, 100], THIRDS)[0][0]
    seen = [Seen(50, tuple(float(row == n) for row in range(3)), THIRDS) for n in range(3)]
    shared = shares_of([*seen, Seen(150, THIRDS, THIRDS)], 3)[0][0]
    assert (shared.share, shared.games) == pytest.approx((alone.share, alone.games))
    ratio = (shared.high - shared.low) / (alone.high - alone.low)
    assert ratio == pytest.approx(math.sqrt(0.5), abs=0.01)


def test_seats_held_are_no_luck() -> None:
    """A bot with two seats in every other game: what it wins with them is expected to differ."""
    two, one = (2 / 3, 1 / 3), (1 / 3, 2 / 3)
    seen = [
        Seen(100, (1.0, 0.0), two),
        Seen(50, (0.0, 1.0), two),
        Seen(50, (1.0, 0.0), one),
        Seen(100, (0.0, 1.0), one),
    ]
    shares, test = shares_of(seen, 2)
    assert shares[0].fair == pytest.approx(0.5)
    assert test.p == pytest.approx(1.0)
    # The variance given the seats held is 2/9, of which 1/4 would be the variance without them.
    width = shares[0].high - shares[0].low
    plain = single([150, 150], [0.5, 0.5])[0][0]
    assert width / (plain.high - plain.low) == pytest.approx(math.sqrt(8 / 9), abs=0.005)


def test_what_would_have_been_seen_is_seen_in_four_of_five_runs() -> None:
    luck = random.Random(5)
    visible = single([250] * 4, [0.25] * 4)[1].visible
    assert visible is not None
    found = 0
    for run in range(400):
        off = visible if run % 2 else -visible
        rest = (0.75 - off) / 3
        counted = Counter(luck.choices(range(4), [0.25 + off, rest, rest, rest], k=1000))
        p = single([counted[row] for row in range(4)], [0.25] * 4)[1].p
        found += p is not None and p < 0.01
    assert 0.74 < found / 400 < 0.86


@pytest.mark.parametrize("shared", [0.0, 0.1, 0.5])
def test_intervals_cover_what_they_promise(shared: float) -> None:
    luck = random.Random(7)
    strength = [0.4, 0.35, 0.25]
    truth = 0.4 * (1 - shared) + shared / 3
    held = (truth, 1 - truth, 0.0)
    covered = 0
    for _ in range(3000):
        wins: Counter[tuple[float, ...]] = Counter()
        for _ in range(200):
            winner = luck.choices(range(3), strength)[0]
            alone = tuple(float(row == winner) for row in range(3))
            wins[THIRDS if luck.random() < shared else alone] += 1
        share = shares_of([Seen(times, won, held) for won, times in wins.items()], 3)[0][0]
        covered += share.low <= truth <= share.high
    assert 0.935 <= covered / 3000 <= 0.965


# ---------------------------------------------------------------- how long


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


def test_without_games_cut_off_it_is_the_plain_mean() -> None:
    luck = random.Random(4)
    numbers = [luck.randrange(1, 300) for _ in range(500)]
    lasting = lasting_of(Counter(numbers), {})
    assert lasting is not None
    mean = sum(numbers) / 500
    error = math.sqrt(sum((each - mean) ** 2 for each in numbers) / 500 / 500)
    assert lasting.mean == pytest.approx(mean)
    assert (lasting.low, lasting.high) == pytest.approx(
        (mean - 1.959964 * error, mean + 1.959964 * error), rel=1e-3
    )
    spread = spread_of(Counter(numbers))
    assert spread is not None
    assert (lasting.p5, lasting.median, lasting.p95) == (spread.p5, spread.median, spread.p95)
    assert lasting.share_after(100) == pytest.approx(sum(each > 100 for each in numbers) / 500)


def test_games_cut_off_last_at_least_so_long() -> None:
    """By hand: 10 games, one over at 2, one cut at 3, four over at 5, the others cut at 8."""
    lasting = lasting_of({2: 1, 5: 4}, {3: 1, 8: 4})
    assert lasting is not None
    after_two = Fraction(9, 10)
    after_five = after_two * Fraction(4, 8)
    assert lasting.going == ((2, pytest.approx(0.9)), (5, pytest.approx(float(after_five))))
    assert lasting.mean == pytest.approx(2 + 0.9 * 3 + float(after_five) * 3)
    assert (lasting.count, lasting.cut, lasting.longest) == (10, 5, 8)
    assert (lasting.p5, lasting.p25, lasting.median, lasting.p75) == (2, 5, 5, None)
    assert [lasting.share_after(time) for time in (1, 2, 4, 5, 9)] == pytest.approx(
        [1, 0.9, 0.9, 0.45, 0.45]
    )


def test_the_mean_is_known_in_spite_of_games_that_are_cut_off() -> None:
    """Lengths by lot, cut at 60 or, by accident, earlier: the mean of the first 60 is covered."""
    luck = random.Random(6)
    truth = sum(0.98**n for n in range(60))
    covered = 0
    for _ in range(1000):
        ended: Counter[int] = Counter()
        cut: Counter[int] = Counter()
        for _ in range(150):
            length = 1 + int(math.log(luck.random()) / math.log(0.98))
            accident = luck.randrange(1, 200)
            last = min(length, accident, 60)
            (ended if length <= min(accident, 60) else cut)[last] += 1
        lasting = lasting_of(ended, cut)
        assert lasting is not None
        covered += lasting.low <= truth <= lasting.high
    assert 0.93 <= covered / 1000 <= 0.965


def test_histogram_has_round_bars_and_loses_nothing() -> None:
    counts = {3: 1, 17: 2, 44: 3, 97: 4}
    bars = histogram(counts)
    assert sum(bar.count for bar in bars) == 10
    assert [bars[0].low, bars[0].high] == [0, 9]
    assert bars[-1].low <= 97 <= bars[-1].high
    assert len(bars) <= 11
    assert [(bar.low, bar.high, bar.count) for bar in histogram({7: 5})] == [(7, 7, 5)]
