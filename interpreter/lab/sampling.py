"""Figures of one version of a game, each with its interval."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack
from dataclasses import dataclass

from interpreter.emit.ends import PHASE_LIMIT
from interpreter.emit.layout import BATCH_GAMES
from interpreter.lab.comparing import BATCHES
from interpreter.lab.figures import CellTally
from interpreter.playtest.conduct import Conductor
from interpreter.playtest.machine import Chunk, play_chunk
from interpreter.playtest.runner import InlineExecutor, in_order, make_executor, never
from interpreter.playtest.standings import by_bot, by_place, by_seat
from interpreter.playtest.stats import Z95, Lasting, Share, lasting_of, wilson
from interpreter.playtest.tally import Tally

_PART = re.compile(r"turns\.p(\d{1,2})")


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


class Sample:
    """Games of one version that were played, as far as figures are asked of them."""

    def __init__(self, conductor: Conductor) -> None:
        self._conductor = conductor
        setting = conductor.setting
        self._tally = Tally(setting.players, setting.bots)
        self._cells = CellTally()
        self._lasting: Lasting | None = None
        self._size = 0

    @property
    def games(self) -> int:
        """How many they are."""
        return self._tally.games

    def play(
        self,
        games: int,
        *,
        executor: Executor | None = None,
        on_games: Callable[[int], None] | None = None,
        should_stop: Callable[[], bool] = never,
    ) -> None:
        """Plays so many more, those that follow on the ones that were played."""
        one = self._conductor
        chunks = self._chunks(games)
        with ExitStack() as stack:
            if executor is None:
                executor = stack.enter_context(make_executor(one.engine, one.workers))
            ahead = 1 if isinstance(executor, InlineExecutor) else 2 * one.workers
            for result in in_order(
                lambda: next(chunks, None), play_chunk, executor, ahead, should_stop
            ):
                self._tally.add(result)
                self._cells.add(result)
                if on_games is not None:
                    on_games(result.games)
        self._lasting = None

    def _chunks(self, games: int) -> Iterator[Chunk]:
        one = self._conductor
        self._size = self._size or min(BATCH_GAMES, max(1, games // BATCHES))
        start, size = self._tally.games, self._size
        for first in range(start, start + games, size):
            yield Chunk(
                one.ready.machine,
                first,
                min(size, start + games - first),
                one.setting.bots,
                one.setting.seed,
                one.game.program.phase_limit,
            )

    # ------------------------------------------------------------ figures

    def figure(self, id_: str) -> Estimate:
        """A figure by its id (docs/metrics.md). Raises KeyError where there is none such."""
        if id_ == "turns.mean":
            known = self.lasting
            return Estimate(known.mean, known.low, known.high)
        match = _PART.fullmatch(id_.replace("turns.median", "turns.p50"))
        if match is not None:
            return self._quantile(int(match[1]) / 100)
        if id_ == "limit":
            return self._part(PHASE_LIMIT)
        shares = dict(self._shares())
        if id_ in shares:
            return Estimate(shares[id_].share, shares[id_].low, shares[id_].high)
        return self._counted(id_)

    def ids(self) -> list[str]:
        """The ids of all figures."""
        one = self._conductor
        cells = self._cells.cells(one.ready, one.game.program)
        heads = ["turns.mean", "turns.median", "turns.p5", "turns.p95", "limit"]
        return [*heads, *dict(self._shares()), *(figure.id for figure in cells)]

    def _shares(self) -> Iterator[tuple[str, Share]]:
        """Who wins, by place, seat and bot."""
        setting, won = self._conductor.setting, self._tally.decided
        bots = tuple(dict.fromkeys(setting.bots))
        places = [str(place) for place in range(1, setting.players + 1)]
        for prefix, names, standings in (
            ("place", places, by_place(won, setting.players, has_scores=False)),
            ("seat", setting.seats, by_seat(won, setting.seats, has_scores=False)),
            ("bot", bots, by_bot(won, bots, has_scores=False)),
        ):
            rows = () if standings is None else standings.rows
            yield from (
                (f"{prefix}.{name}", row.share) for name, row in zip(names, rows, strict=False)
            )

    @property
    def lasting(self) -> Lasting:
        """How long games last."""
        if self._lasting is None:
            self._lasting = lasting_of(self._tally.turns, self._tally.cut_turns)
        if self._lasting is None:
            raise ValueError("no game was played")
        return self._lasting

    def _quantile(self, part: float) -> Estimate:
        """The interval of Brookmeyer and Crowley (1982): all lengths that so large a part of the
        games may well not exceed."""
        known = self.lasting
        reach = Z95 * math.sqrt(part * (1 - part) / known.count)
        value, low, high = (
            next((time for time, left in known.going if left <= bound + 1e-12), None)
            for bound in (1 - part, 1 - part + reach, 1 - part - reach)
        )
        return Estimate(value, low, high)

    def _part(self, code: int) -> Estimate:
        times = sum(n for (end, _), n in self._tally.ends.items() if end == code)
        share = times / self._tally.games
        return Estimate(share, *wilson(share, self._tally.games))

    def _counted(self, id_: str) -> Estimate:
        one = self._conductor
        for figure, line in self._cells.cells(one.ready, one.game.program).items():
            if figure.id == id_:
                mean = sum(line) / len(line)
                spread = sum((each - mean) ** 2 for each in line) / max(1, len(line) - 1)
                reach = Z95 * math.sqrt(spread / len(line))
                return Estimate(mean, mean - reach, mean + reach)
        raise KeyError(id_)
