"""What a playtest is to hold: `place.gap < 5pp`, `limit < 0.1%`, `turns.median in 100..140`."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dsl.diagnostics.suggest import did_you_mean
from interpreter.playtest.estimates import Estimate, is_share

Verdict = Literal["holds", "fails", "not enough games"]

_ORDER = re.compile(r"([a-z][\w.]*) *(<=|>=|<|>) *(-?\d+(?:\.\d+)?) ?(%|pp)?")
_RANGE = re.compile(r"([a-z][\w.]*) +in +(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?) ?(%|pp)?")


class WrongAssertion(ValueError):
    """A line that asserts nothing that can be told; the message says why."""


@dataclass(frozen=True, slots=True)
class Assertion:
    """That a figure lies between two bounds; the lowest or the highest may be without end."""

    text: str
    figure: str
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Judged:
    """What a run says of an assertion. `needed`: about how many games would tell, where they are
    not enough."""

    assertion: Assertion
    estimate: Estimate
    verdict: Verdict
    needed: int | None


def parse_assertion(text: str) -> Assertion:
    """Reads an assertion. Raises WrongAssertion."""
    said = " ".join(text.split())
    if (match := _ORDER.fullmatch(said)) is not None:
        bound = float(match[3]) / (100 if match[4] else 1)
        is_upper = match[2].startswith("<")
        bounds = (-math.inf, bound) if is_upper else (bound, math.inf)
        return _checked(Assertion(said, match[1], *bounds), has_sign=bool(match[4]))
    if (match := _RANGE.fullmatch(said)) is not None:
        low, high = (float(match[at]) / (100 if match[4] else 1) for at in (2, 3))
        return _checked(Assertion(said, match[1], low, high), has_sign=bool(match[4]))
    raise WrongAssertion(
        f'write FIGURE < NUMBER or FIGURE in A..B, such as "place.gap < 5pp", not `{text}`'
    )


def _checked(assertion: Assertion, *, has_sign: bool) -> Assertion:
    if is_share(assertion.figure) != has_sign:
        what = "no part of the games: leave the sign out" if has_sign else "a part: write 5% or 5pp"
        raise WrongAssertion(f"`{assertion.text}`: {assertion.figure} is {what}")
    if assertion.low > assertion.high:
        raise WrongAssertion(f"`{assertion.text}`: nothing lies between these bounds")
    return assertion


def check_assertions(assertions: Sequence[Assertion], known: Sequence[str]) -> None:
    """Raises WrongAssertion where one is about a figure that there is not."""
    for each in assertions:
        if each.figure not in known:
            help_line = did_you_mean(each.figure, known) or f"there are {', '.join(known)}"
            raise WrongAssertion(f"there is no figure `{each.figure}`; {help_line}")


def judge(assertion: Assertion, seen: Estimate, games: int) -> Judged:
    """What so many games say of a figure: by the whole of its 95 % interval."""
    low = -math.inf if seen.low is None and seen.value is not None else seen.low
    high = math.inf if seen.high is None else seen.high
    low = math.inf if low is None else low  # longer than can be told
    if assertion.low <= low and high <= assertion.high:
        return Judged(assertion, seen, "holds", None)
    if low > assertion.high or high < assertion.low:
        return Judged(assertion, seen, "fails", None)
    return Judged(assertion, seen, "not enough games", _needed(assertion, seen, games))


def _needed(assertion: Assertion, seen: Estimate, games: int) -> int | None:
    """With intervals that shrink as the root of the number of games."""
    if seen.value is None or seen.low is None or seen.high is None:
        return None
    away = min(abs(seen.value - bound) for bound in (assertion.low, assertion.high))
    if not away:
        return None
    needed = games * (max(seen.value - seen.low, seen.high - seen.value) / away) ** 2
    return max(games + 1, int(float(f"{needed:.1e}")))


def words_of(judged: Judged) -> str:
    """A line for people."""
    seen, figure = judged.estimate, judged.assertion.figure

    def told(value: float | None) -> str:
        if value is None:
            return "?"
        return f"{100 * value:.2f} %" if is_share(figure) else f"{value:,.4g}"

    line = f"{judged.assertion.text}: {judged.verdict}"
    line += f" ({told(seen.value)}; {told(seen.low)} to {told(seen.high)})"
    if judged.verdict != "not enough games":
        return line
    return f"{line}; about {judged.needed:,} would tell" if judged.needed else line


def as_json(judged: Judged) -> dict[str, object]:
    """It as plain values."""
    seen = judged.estimate
    return {
        "assertion": judged.assertion.text,
        "figure": judged.assertion.figure,
        "verdict": judged.verdict,
        "value": seen.value,
        "low": seen.low,
        "high": seen.high,
        "games_needed": judged.needed,
    }
