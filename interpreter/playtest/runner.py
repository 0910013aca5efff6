"""Plays a run on any executor, chunk by chunk, and hands the results on in the order of the games.

Only a few chunks wait at a time, so memory does not grow with the number of games. How games are
cut into chunks depends on the clock; what comes out of them does not.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

from interpreter.emit.layout import BATCH_GAMES
from interpreter.engine.batch import BatchResult
from interpreter.playtest.machine import Chunk, EngineName, Machine, play_chunk

P = ParamSpec("P")
T = TypeVar("T")
Task = TypeVar("Task")

SECONDS_PER_CHUNK = 0.25
FIRST_CHUNK = {"python": 4, "native": 64}


@dataclass(frozen=True, slots=True)
class Run:
    """The games `first`, `first + 1`, ... of a seed. `bots`: who plays, seated anew in each game.
    `is_searched`: search bots are among them."""

    machine: Machine
    bots: tuple[str, ...]
    games: int
    seed: int
    phase_limit: int
    first: int = 0
    is_searched: bool = False


def default_workers() -> int:
    """The number of processors that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def make_executor(engine: EngineName, workers: int) -> Executor:
    """The usual executor: threads for the native engine, which lets go of the interpreter lock."""
    if engine == "native":
        return ThreadPoolExecutor(workers)
    if workers == 1:
        return InlineExecutor()
    return ProcessPoolExecutor(workers, initializer=_follow_the_parent)


def _follow_the_parent() -> None:
    """A worker leaves Ctrl-C to its parent, and ends with it, however that ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def end_with_it() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=end_with_it, daemon=True).start()


class InlineExecutor(Executor):
    """Does everything at once, in this thread."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Runs a function and gives a future that is done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001
            future.set_exception(error)
        return future


def never() -> bool:
    """Goes on to the end."""
    return False


def play(
    run: Run,
    executor: Executor,
    *,
    workers: int,
    should_stop: Callable[[], bool] = never,
) -> Iterator[BatchResult]:
    """The results of a run in the order of its games.

    `workers`: how many chunks the executor plays at a time. Once `should_stop` says so, the chunks
    that are being played are the last ones, and no game between them is missing.
    """
    chunks = _Chunks(run, workers)
    ahead = 1 if isinstance(executor, InlineExecutor) else 2 * workers
    for result, seconds in in_order(chunks.next, _timed, executor, ahead, should_stop):
        chunks.learn(result.games, seconds)
        yield result


def in_order(
    next_task: Callable[[], Task | None],
    work: Callable[[Task], T],
    executor: Executor,
    ahead: int,
    should_stop: Callable[[], bool] = never,
) -> Iterator[T]:
    """What comes of tasks, in their order; None is behind the last. At most `ahead` of them wait at
    a time, and once `should_stop` says so, those that are being worked on are the last ones."""
    waiting: deque[Future[T]] = deque()
    try:
        while True:
            while len(waiting) < ahead and (task := next_task()) is not None and not should_stop():
                waiting.append(executor.submit(work, task))
            if not waiting:
                return
            if should_stop():
                for future in reversed(waiting):
                    future.cancel()
            future = waiting.popleft()
            if future.cancelled():
                return
            yield future.result()
    finally:
        for future in waiting:
            future.cancel()


def _timed(chunk: Chunk) -> tuple[BatchResult, float]:
    start = time.perf_counter()
    result = play_chunk(chunk)
    return result, time.perf_counter() - start


class _Chunks:
    """Cuts a run into chunks that take about as long each."""

    def __init__(self, run: Run, workers: int) -> None:
        self._run = run
        self._workers = workers
        self._next = run.first
        self._least = 1 if run.is_searched else FIRST_CHUNK[run.machine.engine]
        self._size = self._least

    def next(self) -> Chunk | None:
        """The chunk that is to be played next; None after the last. The last ones are smaller, so
        that all workers end together."""
        run = self._run
        left = run.first + run.games - self._next
        if left <= 0:
            return None
        games = min(self._size, max(1, left // (2 * self._workers), self._least), left)
        chunk = Chunk(run.machine, self._next, games, run.bots, run.seed, run.phase_limit)
        self._next += games
        return chunk

    def learn(self, games: int, seconds: float) -> None:
        """Chunks grow to the wanted time, at most to the double at once."""
        wanted = int(games * SECONDS_PER_CHUNK / max(seconds, 1e-6))
        self._size = max(1, min(wanted, 2 * games, BATCH_GAMES))
