"""Figures of a run by their ids, each with its interval. Definitions: docs/metrics.md."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from interpreter.emit.ends import CRASHED, GAME_OVER, PHASE_LIMIT
from interpreter.playtest.standings import by_bot, by_place, by_seat
from interpreter.playtest.stats import Z95, Lasting, Share, lasting_of, wilson
from interpreter.playtest.tally import Tally

_PART = re.compile(r"turns\.p(\d{1,2})")
GROUPS = ("place", "seat", "bot")


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval. `value` None: too many games were cut off to know it; `low`
    or `high` None: there is no bound on that side."""

    value: float | None
    low: float | None
    high: float | None

    @property
    def error(self) -> float | None:
        """About the standard error; None where there is none."""
        if self.low is None or self.high is None:
            return None
        return (self.high - self.low) / (2 * Z95)


def is_share(id_: str) -> bool:
    """Whether a figure is a part of the games."""
    return id_.partition(".")[0] in ("limit", "faults", *GROUPS)


def known_ids(seats: Sequence[str], bots: Sequence[str]) -> list[str]:
    """The ids of the figures that there can be; of places only where it is known who begins."""
    found = ["turns.mean", "turns.median", *(f"turns.p{part}" for part in (5, 25, 75, 95))]
    found += ["limit", "faults"]
    places = [str(place) for place in range(1, len(seats) + 1)]
    groups = zip(GROUPS, (places, seats, dict.fromkeys(bots)), strict=True)
    for group, names in groups:
        if len(names) > 1:
            found += [f"{group}.{name}" for name in (*names, "gap")]
    return found


class Estimates:
    """The figures of a tally; `seats`: the ids of the seats, `bots`: who was named to play."""

    def __init__(self, tally: Tally, seats: Sequence[str], bots: Sequence[str]) -> None:
        self._tally = tally
        self._seats = tuple(seats)
        self._bots = tuple(dict.fromkeys(bots))
        self._lasting: Lasting | None = None

    def figure(self, id_: str) -> Estimate:
        """A figure by its id. Raises KeyError where there is none such, ValueError of no games."""
        if id_ == "turns.mean":
            known = self._lengths()
            return Estimate(known.mean, known.low, known.high)
        match = _PART.fullmatch(id_.replace("turns.median", "turns.p50"))
        if match is not None:
            return self._quantile(int(match[1]) / 100)
        if id_ == "limit":
            return self._ended(PHASE_LIMIT)
        if id_ == "faults":
            return self._ended(None)
        group, _, name = id_.partition(".")
        shares = dict(self._shares(group))
        if name == "gap" and len(shares) > 1:
            return _gap(list(shares.values()))
        return Estimate(shares[name].share, shares[name].low, shares[name].high)

    def all(self) -> dict[str, Estimate]:
        """All figures by their ids; none of no games."""
        lasting = self._tally.turns or self._tally.cut_turns
        return {id_: self.figure(id_) for id_ in self.ids()} if lasting else {}

    def ids(self) -> list[str]:
        """The ids of all figures."""
        without = [group for group in GROUPS if not dict(self._shares(group))]
        known = known_ids(self._seats, self._bots)
        return [id_ for id_ in known if id_.partition(".")[0] not in without]

    def _lengths(self) -> Lasting:
        if self._lasting is None:
            self._lasting = lasting_of(self._tally.turns, self._tally.cut_turns)
        if self._lasting is None:
            raise ValueError("no game was played")
        return self._lasting

    def _quantile(self, part: float) -> Estimate:
        """The interval of Brookmeyer and Crowley (1982): all lengths that so large a part of the
        games may well not exceed."""
        known = self._lengths()
        reach = Z95 * math.sqrt(part * (1 - part) / known.count)
        value, low, high = (
            next((time for time, left in known.going if left <= bound + 1e-12), None)
            for bound in (1 - part, 1 - part + reach, 1 - part - reach)
        )
        return Estimate(value, low, high)

    def _ended(self, code: int | None) -> Estimate:
        """Games with one kind of end; None: that had to be stopped."""
        usual = (GAME_OVER, PHASE_LIMIT, CRASHED)
        times = sum(
            n
            for (end, _), n in self._tally.ends.items()
            if end == code or (code is None and end not in usual)
        )
        share = times / self._tally.games
        return Estimate(share, *wilson(share, self._tally.games))

    def _shares(self, group: str) -> Iterator[tuple[str, Share]]:
        """The shares of wins by place, seat or bot, by their ids."""
        won, seats = self._tally.decided, self._seats
        names: Sequence[str] = seats
        if group == "place":
            standings = by_place(won, len(seats), has_scores=False)
            names = [str(place) for place in range(1, len(seats) + 1)]
        elif group == "seat":
            standings = by_seat(won, seats, has_scores=False)
        elif group == "bot":
            standings, names = by_bot(won, self._bots, has_scores=False), self._bots
        else:
            standings = None
        if standings is not None:
            yield from ((name, row.share) for name, row in zip(names, standings.rows, strict=True))


def _gap(shares: Sequence[Share]) -> Estimate:
    """How far the greatest share is above the least. Its interval holds for all pairs together
    (Bonferroni), with the variance of the difference of two parts of a whole."""
    reach = _reach(len(shares) * (len(shares) - 1) // 2)
    low, high = 0.0, 0.0
    for one, other in permutations(shares, 2):
        away = one.share - other.share
        spare = max(0.0, one.share + other.share - away**2)
        error = math.sqrt(spare / max(1, one.games))
        low, high = max(low, away - reach * error), max(high, away + reach * error)
    value = max(each.share for each in shares) - min(each.share for each in shares)
    return Estimate(value, low, high)


def _reach(pairs: int) -> float:
    """How many standard errors leave one of twenty outside for so many intervals together."""
    low, high = 0.0, 10.0
    for _ in range(60):
        middle = (low + high) / 2
        outside = math.erfc(middle / math.sqrt(2)) * pairs
        low, high = (middle, high) if outside > 0.05 else (low, middle)
    return high
