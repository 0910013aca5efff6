"""Figures of one version of a game, each with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import ExitStack

from interpreter.emit.layout import BATCH_GAMES
from interpreter.lab.comparing import BATCHES
from interpreter.lab.figures import CellTally
from interpreter.playtest.conduct import Conductor
from interpreter.playtest.estimates import Estimate, Estimates
from interpreter.playtest.machine import Chunk, play_chunk
from interpreter.playtest.runner import InlineExecutor, in_order, make_executor, never
from interpreter.playtest.stats import Z95
from interpreter.playtest.tally import Tally


class Sample:
    """Games of one version that were played, as far as figures are asked of them."""

    def __init__(self, conductor: Conductor) -> None:
        self._conductor = conductor
        setting = conductor.setting
        self._tally = Tally(setting.players, setting.bots)
        self._cells = CellTally()
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
        try:
            return self._figures.figure(id_)
        except KeyError:
            return self._counted(id_)

    def ids(self) -> list[str]:
        """The ids of all figures."""
        one = self._conductor
        cells = self._cells.cells(one.ready, one.game.program)
        return [*self._figures.ids(), *(figure.id for figure in cells)]

    @property
    def _figures(self) -> Estimates:
        setting = self._conductor.setting
        return Estimates(self._tally, setting.seats, setting.bots)

    def _counted(self, id_: str) -> Estimate:
        one = self._conductor
        for figure, line in self._cells.cells(one.ready, one.game.program).items():
            if figure.id == id_:
                mean = sum(line) / len(line)
                spread = sum((each - mean) ** 2 for each in line) / max(1, len(line) - 1)
                reach = Z95 * math.sqrt(spread / len(line))
                return Estimate(mean, mean - reach, mean + reach)
        raise KeyError(id_)
