"""Plays two versions of a game with the same luck, and says what differs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Literal

from interpreter.emit.layout import BATCH_GAMES
from interpreter.engine.batch import BatchResult
from interpreter.lab.figures import CellTally, Figure, PairTally, Table, pair_cells
from interpreter.lab.paired import ALPHA, Pairs, holm, reach_at_any_time
from interpreter.playtest.conduct import Conductor
from interpreter.playtest.machine import Chunk, play_chunk
from interpreter.playtest.report import Setting
from interpreter.playtest.runner import InlineExecutor, in_order, make_executor, never
from interpreter.playtest.stats import Z95

BATCHES = 200
"""Into so many batches the pairs of a run are cut, where they are enough."""
LEAST_LOOK = 400
"""After so many pairs is looked for the first time whether it is enough."""


class NotComparable(ValueError):
    """Two versions that can't be played with the same luck; the message says why."""


@dataclass(frozen=True, slots=True)
class Until:
    """When a run may stop before all its pairs are played: once the length is known to `within` so
    many turns, or the shares of wins to so much; or once a difference is `found`."""

    what: Literal["turns", "share", "found"]
    within: float = 0.0


_UNTIL = re.compile(r"(\d+(?:\.\d+)?) ?(turns?|pp|%)")


def parse_until(text: str) -> Until:
    """`1turn`, `0.5pp` or `found`. Raises ValueError."""
    if text.strip() == "found":
        return Until("found")
    match = _UNTIL.fullmatch(text.strip())
    if match is None or float(match[1]) <= 0:
        raise ValueError("say how sure the run is to be: 2turns, 0.5pp, or found")
    if match[2].startswith("turn"):
        return Until("turns", float(match[1]))
    return Until("share", float(match[1]) / 100)


@dataclass(frozen=True, slots=True)
class Change:
    """A figure on both sides. `low` to `high`: the 95 % interval of the difference, wider where the
    run could stop at any time; `p`: for all headlines, or all counted
    things, of the line-up together (Holm); `saved`: how
    many times as many games would have been needed without the same luck."""

    figure: Figure
    one: float
    other: float
    difference: float
    low: float
    high: float
    p: float
    saved: float | None

    @property
    def alone(self) -> float:
        """The p-value of this figure alone."""
        error = (self.high - self.low) / (2 * Z95)
        if not error:
            return 1.0 if not self.difference else 0.0
        return math.erfc(abs(self.difference) / error / math.sqrt(2))

    @property
    def is_found(self) -> bool:
        """Whether it is more than chance."""
        return self.p < ALPHA

    @property
    def least(self) -> float:
        """The part of the larger side that it comes to at least, by the interval."""
        return min(abs(self.low), abs(self.high)) / max(abs(self.one), abs(self.other), 1e-12)

    @property
    def within(self) -> float:
        """No further than this both sides are apart, by the interval."""
        return max(abs(self.low), abs(self.high))


@dataclass(frozen=True, slots=True)
class LineUp:
    """What a line-up of bots has shown. `headlines`: all of them; `changes`: of all that the rules
    count, what was found to differ, the largest first; `counted`: out of how many. `is_early`: it
    was stopped because that was enough."""

    bots: tuple[str, ...]
    pairs: int
    headlines: tuple[Change, ...]
    changes: tuple[Change, ...]
    counted: int
    is_early: bool

    @property
    def turns(self) -> Change:
        """The change of the length."""
        return self.headlines[0]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two versions and what each line-up has shown. `asked`: how many pairs for each."""

    one: Setting
    other: Setting
    asked: int
    line_ups: tuple[LineUp, ...]


@dataclass(frozen=True, slots=True)
class _Two:
    """The same games of both sides."""

    one: Chunk
    other: Chunk


def _play_two(two: _Two) -> tuple[BatchResult, BatchResult]:
    return play_chunk(two.one), play_chunk(two.other)


class Comparing:
    """Two versions that are ready to be played. Raises NotComparable where they can't be."""

    def __init__(self, one: Conductor, other: Conductor) -> None:
        first, second = self.settings = (one.setting, other.setting)
        if first.players != second.players:
            raise NotComparable(
                f"One side has {first.players} players, the other {second.players}; "
                "with --players both have as many."
            )
        if first.bots != second.bots:
            missing = sorted({*first.bots} ^ {*second.bots})
            raise NotComparable(
                f"{' and '.join(missing)} can't play on both sides; name bots that can with --bots."
            )
        self._sides = (one, other)
        self._limit = min(side.game.program.phase_limit for side in self._sides)
        program = one.game.program
        family = program.kinds[program.player_kind].family
        names = program.names[family]
        self._table = Table(tuple(zip(first.seats, names, strict=False)), first.bots)

    def line_up(
        self,
        games: int,
        *,
        until: Until | None = None,
        executor: Executor | None = None,
        on_pairs: Callable[[int], None] | None = None,
        should_stop: Callable[[], bool] = never,
    ) -> LineUp:
        """Plays so many pairs of games and says what differs. `on_pairs`: told how many more."""
        one, other = self._sides
        headlines, cells = PairTally(self._table), (CellTally(), CellTally())
        is_enough = False
        with ExitStack() as stack:
            workers = one.workers
            if executor is None:
                engine = one.engine if other.engine == "native" else other.engine
                executor = stack.enter_context(make_executor(engine, workers))
            ahead = 1 if isinstance(executor, InlineExecutor) else 2 * workers
            twos = self._twos(games)
            played = 0
            for results in in_order(
                lambda: next(twos, None), _play_two, executor, ahead, should_stop
            ):
                headlines.add(*results)
                for tally, result in zip(cells, results, strict=True):
                    tally.add(result)
                played += results[0].games
                if on_pairs is not None:
                    on_pairs(results[0].games)
                if until is not None and LEAST_LOOK <= played < games:
                    is_enough = _is_enough(headlines, until, games)
                    if is_enough:
                        break
        if not headlines.turns.count:
            return LineUp(self._table.bots, 0, (), (), 0, False)
        return self._judged(headlines, cells, None if until is None else games, is_early=is_enough)

    def _twos(self, games: int) -> Iterator[_Two]:
        size = min(BATCH_GAMES, max(1, games // BATCHES))
        for first in range(0, games, size):
            chunks = [
                Chunk(
                    side.ready.machine,
                    first,
                    min(size, games - first),
                    self._table.bots,
                    side.setting.seed,
                    self._limit,
                )
                for side in self._sides
            ]
            yield _Two(*chunks)

    def _judged(
        self,
        tally: PairTally,
        cells: tuple[CellTally, CellTally],
        planned: int | None,
        *,
        is_early: bool,
    ) -> LineUp:
        one, other = self._sides
        pairs = tally.turns.count
        known = tally.headlines()
        reach = Z95 if planned is None else reach_at_any_time(pairs, ALPHA, planned)
        counted = dict(
            pair_cells(
                cells[0].cells(one.ready, one.game.program),
                cells[1].cells(other.ready, other.game.program),
                pairs,
            )
        )
        heads, things = (_changes(each, reach) for each in (known, counted))
        found = sorted((each for each in things if each.is_found), key=lambda each: -each.least)
        return LineUp(
            self._table.bots, pairs, tuple(heads), tuple(found), len(counted), is_early
        )  # fmt: skip


def _p(pairs: Pairs, reach: float) -> float:
    """The p-value; where a run could be stopped at any time, that of the wider interval."""
    if not pairs.error:
        return pairs.p
    return math.erfc(abs(pairs.difference) / pairs.error * Z95 / reach / math.sqrt(2))


def _changes(pairs: Mapping[Figure, Pairs], reach: float) -> list[Change]:
    """The changes of a family of figures, whose p-values are for all of them together."""
    ps = holm([_p(each, reach) for each in pairs.values()])
    return [
        Change(figure, *each.means, each.difference, *each.interval(reach), p, each.saved)
        for (figure, each), p in zip(pairs.items(), ps, strict=True)
    ]


def _is_enough(tally: PairTally, until: Until, games: int) -> bool:
    """Whether what was played answers the question, by intervals that hold whenever one looks."""
    turns = tally.turns
    if until.what == "turns":
        return reach_at_any_time(turns.count, ALPHA, games) * turns.error <= until.within
    heads = tally.headlines()
    if until.what == "share":
        reach = reach_at_any_time(turns.count, ALPHA, games)
        return all(reach * each.error <= until.within for each in heads.values() if each.is_share)
    reach = reach_at_any_time(turns.count, ALPHA / len(heads), games)
    return any(abs(each.difference) > reach * each.error for each in heads.values())


def compare(
    line_ups: Sequence[Comparing],
    games: int,
    *,
    until: Until | None = None,
    executor: Executor | None = None,
    on_pairs: Callable[[int], None] | None = None,
    should_stop: Callable[[], bool] = never,
) -> Comparison:
    """All line-ups, one after the other; those that were not begun when it is stopped are left
    out."""
    found: list[LineUp] = []
    for each in line_ups:
        if should_stop():
            break
        found.append(
            each.line_up(
                games,
                until=until,
                executor=executor,
                on_pairs=on_pairs,
                should_stop=should_stop,
            )
        )
    one, other = line_ups[0].settings
    return Comparison(one, other, games, tuple(found))
