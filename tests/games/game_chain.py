"""Classic as a Markov chain, worked out from its data and rules without any of Rulewright's code.

A step is a landing, a card that moves nobody, or a failed try to leave Jail. With each state goes
the space where the token lands as it gets there, if it does.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

State = tuple[str, int, int]
"""What: `at` a space after a landing, `done` with its card, or `jailed`. Then the space, and the
doubles thrown in this turn or the failed tries."""

Steps = dict[State, Fraction]
JAILED: State = ("jailed", 10, 0)


class Chain:
    """The chain of one token. `pays`: it pays to leave Jail at once; else it tries for doubles."""

    def __init__(self, variant_yaml: Path, *, pays: bool) -> None:
        things = yaml.safe_load(variant_yaml.read_text(encoding="utf-8"))["things"]
        self.spaces: list[dict[str, Any]] = things["spaces"]
        self.pays = pays
        self.index = {space["id"]: number for number, space in enumerate(self.spaces)}
        self.decks: dict[str, list[dict[str, Any]]] = {}
        for card in things["cards"]:
            if card["kind"] != "LeaveJail":
                self.decks.setdefault(card["deck"], []).extend([card] * card.get("copies", 1))
        self.states: list[State] = []
        self.moves: dict[State, Steps] = {}
        waiting: list[State] = [("at", 0, 0)]
        while waiting:
            state = waiting.pop()
            if state not in self.moves:
                self.states.append(state)
                self.moves[state] = self._steps(state)
                waiting += self.moves[state]

    # ------------------------------------------------------------ the rules

    def _steps(self, state: State) -> Steps:
        what, space, number = state
        steps: Steps = {}
        if what == "at" and self.spaces[space]["kind"] == "GoToJail":
            return {JAILED: Fraction(1)}
        if what == "at" and self.spaces[space]["kind"] == "CardSpace":
            deck = self.decks[self.spaces[space]["deck"]]
            for card in deck:
                _add(steps, self._carried_out(card, space, number), Fraction(1, len(deck)))
            return steps
        for first in range(1, 7):
            for second in range(1, 7):
                after = self._thrown(state, first, second)
                _add(steps, after, Fraction(1, 36))
        return steps

    def _carried_out(self, card: dict[str, Any], space: int, doubles: int) -> State:
        kind = card["kind"]
        if kind == "AdvanceTo":
            return ("at", self.index[card["target"]], doubles)
        if kind in ("NextTransport", "NextUtility"):
            return ("at", self._next(kind.removeprefix("Next"), space), doubles)
        if kind == "BackSteps":
            return ("at", space - card["steps"], doubles)
        return JAILED if kind == "ToJail" else ("done", space, doubles)

    def _next(self, kind: str, space: int) -> int:
        around = [*range(space + 1, len(self.spaces)), *range(space)]
        return next(other for other in around if self.spaces[other]["kind"] == kind)

    def _thrown(self, state: State, first: int, second: int) -> State:
        what, space, number = state
        to = (space + first + second) % len(self.spaces)
        if what == "jailed" and not self.pays:
            if first != second and number < 2:
                return ("jailed", space, number + 1)
            return ("at", to, 0)
        doubles = number + 1 if what != "jailed" else 1
        if first != second:
            return ("at", to, 0)
        return JAILED if doubles == 3 else ("at", to, doubles)

    # ------------------------------------------------------------ what follows

    def landing(self, state: State) -> int | None:
        """Where the token lands as it gets into a state."""
        what, space, number = state
        return space if what == "at" or (what == "jailed" and number == 0) else None

    def stationary(self) -> list[float]:
        """How often each state is visited in the long run."""
        size = len(self.states)
        rows = self._matrix()
        equations = [
            [rows[column][row] - (row == column) for column in range(size)] + [0.0]
            for row in range(size)
        ]
        equations[-1] = [1.0] * size + [1.0]
        return [row[0] for row in solved(equations, 1)]

    def _matrix(self) -> list[list[float]]:
        place = {state: number for number, state in enumerate(self.states)}
        rows = [[0.0] * len(self.states) for _ in self.states]
        for state, steps in self.moves.items():
            for after, chance in steps.items():
                rows[place[state]][place[after]] += float(chance)
        return rows

    def shares(self) -> list[float]:
        """The share of each space in all landings."""
        total = [0.0] * len(self.spaces)
        for state, often in zip(self.states, self.stationary(), strict=True):
            space = self.landing(state)
            if space is not None:
                total[space] += often
        return [often / sum(total) for often in total]

    def covariance_per_landing(self) -> list[list[float]]:
        """How the counts of landings scatter around their shares, per landing, in the long run.

        Landings of a walk depend on each other, so their counts scatter less or more than those of
        as many throws of a die with 40 sides: the central limit theorem for Markov chains.
        """
        often, shares, rows = self.stationary(), self.shares(), self._matrix()
        size, spaces = len(self.states), len(self.spaces)
        gains = []
        for state in self.states:
            gain = [0.0] * spaces
            at = self.landing(state)
            if at is not None:
                gain = [(at == space) - share for space, share in enumerate(shares)]
            gains.append(gain)
        # The sum over all later steps of what is to be expected of the gains: (I - P + 1 pi) h = g.
        equations = [
            [(row == column) - rows[row][column] + often[column] for column in range(size)]
            + gains[row]
            for row in range(size)
        ]
        later = solved(equations, spaces)
        landings = sum(
            often[n] for n, state in enumerate(self.states) if self.landing(state) is not None
        )
        matrix = [[0.0] * spaces for _ in range(spaces)]
        for weight, gain, total in zip(often, gains, later, strict=True):
            for i in range(spaces):
                for j in range(spaces):
                    both = gain[i] * total[j] + total[i] * gain[j] - gain[i] * gain[j]
                    matrix[i][j] += weight * both / landings
        return matrix


def _add(steps: Steps, state: State, chance: Fraction) -> None:
    steps[state] = steps.get(state, Fraction(0)) + chance


# ---------------------------------------------------------------- numbers


def solved(equations: list[list[float]], columns: int) -> list[list[float]]:
    """Gauss: the rows of X in A X = B, given A and B beside each other."""
    rows = [list(row) for row in equations]
    size = len(rows)
    for step in range(size):
        best = max(range(step, size), key=lambda row: abs(rows[row][step]))
        rows[step], rows[best] = rows[best], rows[step]
        pivot = rows[step][step]
        top = [value / pivot for value in rows[step]]
        rows[step] = top
        for other in range(size):
            factor = rows[other][step]
            if other != step and factor:
                rows[other] = [
                    value - factor * up for value, up in zip(rows[other], top, strict=True)
                ]
    return [row[size : size + columns] for row in rows]


def distance(counts: list[int], shares: list[float], covariance: list[list[float]]) -> float:
    """The squared distance of counts from their expectation, in their own scatter: chi-square with
    one degree of freedom less than there are counts."""
    landings = sum(counts)
    off = [count - landings * share for count, share in zip(counts, shares, strict=True)][:-1]
    rows = [
        [covariance[i][j] * landings for j in range(len(off))] + [off[i]] for i in range(len(off))
    ]
    return sum(value * row[0] for value, row in zip(off, solved(rows, 1), strict=True))


def chi_square_tail(value: float, freedom: int) -> float:
    """The probability of more than this value: the upper regularised gamma function."""
    a, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    scale = math.exp(-x + a * math.log(x) - math.lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        for n in _counting():
            term *= x / (a + n)
            total += term
            if term < total * 1e-15:
                return 1 - total * scale
    b = x + 1 - a
    c, d = 1e300, 1 / b
    result = d
    for n in _counting():
        step = -n * (n - a)
        b += 2
        d = 1 / (step * d + b)
        c = b + step / c
        result *= d * c
        if abs(d * c - 1) < 1e-15:
            return result * scale
    raise AssertionError


def _counting() -> Iterator[int]:
    yield from range(1, 100_000)
