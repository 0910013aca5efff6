"""Looks for the values at which a figure comes to a goal, though luck blurs each look at it.

First a coarse grid; then, between two points whose intervals lie on different sides of the goal, by
the straight line between them, until the interval at a point holds the goal. The answer is read off
a line through the points near it, with the interval that their errors leave.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from interpreter.playtest.estimates import Estimate
from interpreter.playtest.stats import Z95

MOST_ROUNDS = 8
EDGE = 0.15
"""As near to an end of a bracket, as a part of it, no point is put."""
SURE = 3.0
"""So many standard errors the figure at a value has to be away from the goal to be on one side of
it: with two, one of twenty looks would lead astray."""
MORE = 4
"""Where a look does not tell on which side of the goal it is, so many times as many games do."""

Look = Callable[[int, int], Estimate]
"""The figure at a value, from at least so many games."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A value at which the goal is reached, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Sought:
    """What was found between the first and the last of the `points`: values with the figure there,
    ascending. `nearest`: where the figure comes nearest to the goal, if there is no answer."""

    goal: float
    points: tuple[tuple[int, Estimate], ...]
    answers: tuple[Answer, ...]
    nearest: tuple[int, Estimate] | None


def seek(look: Look, grid: Sequence[int], goal: float, games: int, step: int = 1) -> Sought:
    """Looks at the values of a grid with so many games each, and between them. `step`: how far
    values are from each other at least."""
    search = _Search(look, goal, games, step, min(grid))
    for value in grid:
        search.look(value)
    if not search.brackets():
        search.look_around_nearest()
    answers = [search.answer(*bracket) for bracket in search.brackets()]
    answers += [search.touch(value) for value in search.touching()]
    answers.sort(key=lambda each: each.value)
    points = tuple(sorted(search.points.items()))
    nearest = None if answers else search.nearest()
    return Sought(goal, points, tuple(answers), nearest)


class _Search:
    def __init__(self, look: Look, goal: float, games: int, step: int, first: int) -> None:
        self.points: dict[int, Estimate] = {}
        self._look = look
        self._goal = goal
        self._games = games
        self._step = step
        self._first = first

    def look(self, value: int) -> int:
        """Looks at a value, longer where that does not tell on which side it is: -1, 0 or 1."""
        self.points[value] = self._look(value, self._games)
        if self.side(value) == 0:
            self.points[value] = self._look(value, MORE * self._games)
        return self.side(value)

    def side(self, value: int) -> int:
        """On which side of the goal the figure is at a value; 0 where that is not sure.
        A length that is not known, since too many games were cut off, is too long."""
        seen = self.points[value]
        if seen.value is None or seen.low is None:
            return 1
        wider = SURE / Z95
        if seen.value - wider * (seen.value - seen.low) > self._goal:
            return 1
        if seen.high is None:
            return 0
        return -1 if seen.value + wider * (seen.high - seen.value) < self._goal else 0

    def brackets(self) -> list[tuple[int, int]]:
        """Pairs of values, with none that is sure between them, on different sides."""
        sure = [value for value in sorted(self.points) if self.side(value)]
        return [(one, other) for one, other in pairwise(sure) if self.side(one) != self.side(other)]

    def touching(self) -> Iterator[int]:
        """Of values that may reach the goal without going past it, the nearest of each run."""
        run: list[int] = []
        inside = [range(low, high + 1) for low, high in self.brackets()]
        for value in [*sorted(self.points), None]:
            is_open = value is not None and self.side(value) == 0
            if value is not None and is_open and not any(value in each for each in inside):
                run.append(value)
            elif run:
                yield min(run, key=self._distance)
                run = []

    def nearest(self) -> tuple[int, Estimate]:
        """Where the figure comes nearest to the goal."""
        value = min(self.points, key=self._distance)
        return value, self.points[value]

    def _distance(self, value: int) -> float:
        seen = self.points[value].value
        return math.inf if seen is None else abs(seen - self._goal)

    def look_around_nearest(self) -> None:
        """Looks on both sides of the nearest value, closer and closer."""
        for _ in range(MOST_ROUNDS // 2):
            best, known = self.nearest()[0], sorted(self.points)
            at = known.index(best)
            for other in (*known[max(0, at - 1) : at], *known[at + 1 : at + 2]):
                middle = self._rounded((best + other) / 2)
                if middle not in self.points:
                    self.look(middle)
            if self.brackets():
                return

    def answer(self, low: int, high: int) -> Answer:
        """The value between two others at which the goal is reached."""
        for _ in range(MOST_ROUNDS):
            value = self._rounded(self._between(low, high))
            if value in self.points:
                break
            side = self.look(value)
            if side == 0:
                break
            if side == self.side(low):
                low = value
            else:
                high = value
        return self._read_off(low, high)

    def touch(self, value: int) -> Answer:
        """A value whose interval holds the goal while those beside it lie on one side."""
        known = sorted(self.points)
        at = known.index(value)
        return Answer(value, known[max(0, at - 1)], known[min(len(known) - 1, at + 1)])

    def _between(self, low: int, high: int) -> float:
        """Where the straight line between two points reaches the goal, not too near to either."""
        one, other = self.points[low].value, self.points[high].value
        part = 0.5
        if one is not None and other is not None and one != other:
            part = min(1 - EDGE, max(EDGE, (self._goal - one) / (other - one)))
        return low + part * (high - low)

    def _read_off(self, low: int, high: int) -> Answer:
        """By the line of least squares through all points of a bracket, each weighed by its error
        (inverse prediction)."""
        near = [
            (value - low, seen.value - self._goal, max(seen.error, 1e-9))
            for value, seen in sorted(self.points.items())
            if low <= value <= high and seen.value is not None and seen.error is not None
        ]
        if len(near) < 2:
            return Answer((low + high) / 2, low, high)
        weights = [1 / error**2 for *_, error in near]
        whole = sum(weights)
        middle = sum(w * x for w, (x, *_) in zip(weights, near, strict=True)) / whole
        height = sum(w * y for w, (_, y, _) in zip(weights, near, strict=True)) / whole
        square = sum(w * (x - middle) ** 2 for w, (x, *_) in zip(weights, near, strict=True))
        slope = (
            sum(w * (x - middle) * y for w, (x, y, _) in zip(weights, near, strict=True)) / square
        )
        if not slope:
            return Answer((low + high) / 2, low, high)
        away = -height / slope
        error = math.sqrt(1 / whole + away**2 / square) / abs(slope)
        first, last = min(self.points), max(self.points)
        value = min(float(last), max(float(first), low + middle + away))
        return Answer(value, max(first, value - Z95 * error), min(last, value + Z95 * error))

    def _rounded(self, value: float) -> int:
        return self._first + round((value - self._first) / self._step) * self._step


def words_of(sought: Sought, name: str, figure: str, told: Callable[[float], str]) -> str:
    """The answer in a sentence. `told`: a value of the figure for people."""
    if sought.answers:
        said = [
            f"{each.value:,.0f} ({each.low:,.0f} to {each.high:,.0f})" for each in sought.answers
        ]
        return f"{figure} is {told(sought.goal)} at {name} = {' and at '.join(said)}."
    assert sought.nearest is not None
    value, seen = sought.nearest
    if seen.value is None:
        return f"No value of {name} reaches {told(sought.goal)}: too many games are cut off."
    word = "lowest" if seen.value > sought.goal else "highest"
    return (
        f"No value of {name} reaches {told(sought.goal)}: {word} {told(seen.value)} near {value:,}."
    )
