"""The statistics of pairs: by hand, and by how often they are right."""

from __future__ import annotations

import random
from math import sqrt

import pytest

from interpreter.lab.paired import ALPHA, Pairs, holm, reach_at_any_time


def test_by_hand() -> None:
    """Differences 1, 3, 2, 2: mean 2, variance 2 / 3; the sides have the variances 1.25, 2.75."""
    pairs = Pairs()
    pairs.extend([4, 1, 2, 3], [5, 4, 4, 5])
    assert pairs.difference == 2
    assert pairs.means == (2.5, 4.5)
    assert pairs.variance == pytest.approx(2 / 3)
    assert pairs.error == pytest.approx(sqrt(1 / 6))
    low, high = pairs.interval(2)
    assert (low, high) == pytest.approx((2 - 2 / sqrt(6), 2 + 2 / sqrt(6)))
    assert pairs.saved == pytest.approx((1.25 + 0.25) / 0.5)


def test_one_by_one_is_the_same() -> None:
    dice = random.Random(3)
    two = [(dice.randrange(9), dice.randrange(9)) for _ in range(50)]
    one, other = Pairs(), Pairs()
    one.extend(*zip(*two, strict=True))
    for pair in two:
        other.add(*pair)
    assert one == other


def test_nothing_differs() -> None:
    pairs = Pairs()
    pairs.extend([3, 4], [3, 4])
    assert (pairs.interval(), pairs.p, pairs.saved) == ((0.0, 0.0), 1.0, None)
    shares = Pairs(is_share=True)
    shares.add(1, 1, times=1000)
    assert 0.001 < shares.interval()[1] < 0.005, "what was not seen may be there"


def test_holm() -> None:
    """The example of Holm's paper has this form: each p by how many are left, never falling."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@pytest.mark.parametrize(("share", "most"), [(0.25, 0.965), (0.01, 1.0)])
def test_intervals_of_shares_cover_the_difference(share: float, most: float) -> None:
    """2,000 runs of 300 pairs in which nine of ten games come out alike; where wins are rare too,
    the two pairs that are added weigh more than what was seen."""
    dice = random.Random(7)
    covered = 0
    for _ in range(2_000):
        pairs = Pairs(is_share=True)
        for _ in range(300):
            one = dice.random() < share
            pairs.add(one, one if dice.random() < 0.9 else dice.random() < share)
        low, high = pairs.interval()
        covered += low <= 0 <= high
    assert 0.935 <= covered / 2_000 <= most


def test_one_may_look_at_any_time() -> None:
    """600 runs of differences of nothing, looked at 200 times each: one in twenty is taken for
    something at most, where a plain interval takes one in three or more."""
    dice = random.Random(11)
    wrong, plainly_wrong = 0, 0
    for _ in range(600):
        pairs = Pairs()
        looks = []
        for _ in range(200):
            for _ in range(20):
                pairs.add(0, dice.gauss(0, 1))
            away = abs(pairs.difference) / pairs.error
            looks.append((away > reach_at_any_time(pairs.count, ALPHA, 4_000), away > 1.96))
        wrong += any(look for look, _ in looks[19:])
        plainly_wrong += any(look for _, look in looks[19:])
    assert wrong / 600 <= 0.05
    assert plainly_wrong / 600 > 0.2
