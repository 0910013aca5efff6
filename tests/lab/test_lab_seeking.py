"""The search for a value, with figures whose truth is known."""

from __future__ import annotations

import random
from collections.abc import Callable
from math import sqrt

import pytest

from interpreter.lab.seeking import Look, seek, words_of
from interpreter.playtest.estimates import Estimate

GRID = list(range(0, 1001, 125))


def blurred(truth: Callable[[int], float], seed: int, noise: float = 20.0) -> Look:
    """A figure that is `truth`, give or take noise that falls with the number of games."""
    dice = random.Random(seed)

    def look(value: int, games: int) -> Estimate:
        error = noise / sqrt(games)
        seen = truth(value) + dice.gauss(0, error)
        return Estimate(seen, seen - 1.96 * error, seen + 1.96 * error)

    return look


def test_one_answer_is_covered() -> None:
    """Of 300 intervals at least nine of ten hold the truth, and they are worth having."""
    covered, widths = 0, []
    for seed in range(300):
        found = seek(blurred(lambda x: 200 - x / 10, seed), GRID, 137.7, 400)
        if len(found.answers) != 1:
            continue
        (answer,) = found.answers
        covered += answer.low <= 623 <= answer.high
        widths.append(answer.high - answer.low)
    assert len(widths) >= 290
    assert covered >= 0.9 * len(widths)
    assert sum(widths) / len(widths) < 40


def test_several_answers() -> None:
    """A parabola through 100 at 200 and at 800."""
    found = seek(blurred(lambda x: 10 + ((x - 500) / 100) ** 2 * 10, 1), GRID, 100, 400)
    assert [round(each.value, -2) for each in found.answers] == [200, 800]
    assert found.nearest is None
    said = words_of(found, "toll", "turns.mean", lambda value: f"{value:.0f}")
    assert said.startswith("turns.mean is 100 at toll = ")
    assert " and at " in said


@pytest.mark.parametrize(("sign", "word"), [(1, "lowest"), (-1, "highest")])
def test_no_answer(sign: int, word: str) -> None:
    """The valley lies between points of the grid, and is looked into."""
    valley = blurred(lambda x: sign * (30 + abs(x - 562) / 10), 2)
    found = seek(valley, GRID, 0, 400)
    assert not found.answers
    assert found.nearest is not None
    assert abs(found.nearest[0] - 562) < 40
    assert word in words_of(found, "toll", "x", lambda value: f"{value:.0f}")


def test_a_dip_between_two_points_is_found() -> None:
    found = seek(blurred(lambda x: 20 + abs(x - 560), 3, noise=5), GRID, 30, 400)
    assert [round(each.value, -1) for each in found.answers] == [550, 570]


def test_what_is_not_known_is_too_long() -> None:
    """Where most games are cut off there is no median."""

    def look(value: int, games: int) -> Estimate:
        if value > 500:
            return Estimate(None, None, None)
        return Estimate(value, value - 1, value + 1)

    found = seek(look, GRID, 300, 400)
    assert [round(each.value) for each in found.answers] == [300]
    nothing = seek(lambda *_: Estimate(None, None, None), GRID, 300, 400)
    assert "too many games are cut off" in words_of(nothing, "toll", "x", str)


def test_values_are_steps_apart() -> None:
    found = seek(blurred(lambda x: x / 10, 4), GRID, 33, 400, step=25)
    assert all(value % 25 == 0 for value, _ in found.points)
    assert found.answers
