"""Judges mutants of a variant or mod, on as many processors as there are."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from interpreter.mutants.bench import Bench, make_bench
from interpreter.mutants.change import Mutant
from interpreter.mutants.collect import collect, drawn
from interpreter.mutants.games import Sample
from interpreter.mutants.own import own_spans
from interpreter.mutants.report import Judged, MutantReport
from interpreter.scenario.groups import scenario_groups
from interpreter.scenario.results import ScenarioResult
from interpreter.session.request import DEFAULT_PLAYERS


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which mutants: of what, how many (None: all) in the order of a seed; `search_paths` and `std`
    make the library."""

    name: str | Path
    count: int | None
    seed: int
    search_paths: tuple[Path | str, ...]
    std: Path

    @property
    def library(self) -> Library:
        """Where names are looked up."""
        return Library(self.search_paths, self.std)


@dataclass(frozen=True, slots=True)
class Suite:
    """All that is needed to judge: the mutants in their order, and the scenarios, by group."""

    mutants: tuple[Mutant, ...]
    benches: tuple[Bench, ...]
    sample: Sample

    @property
    def failing(self) -> list[ScenarioResult]:
        """Scenarios that fail under the rules as they are: nothing can be said then."""
        return [one for bench in self.benches for one in bench.results if not one.passed]

    def judge(self, number: int) -> Judged:
        """What becomes of a mutant: the first scenario that notices it decides."""
        mutant = self.mutants[number]
        ordered = self._ordered(mutant)
        # Where no scenario comes by the place, play may.
        others = [bench for bench in self.benches if not any(bench is one for one in ordered)]
        for bench in ordered:
            verdict = bench.judge(mutant)
            if verdict.word in ("noticed", "refused"):
                return Judged(mutant, verdict.word, verdict.by)
            if verdict.word == "quiet":
                others.insert(0, bench)
        if all(bench.plays_alike(mutant) for bench in others):
            return Judged(mutant, "same program")
        return Judged(mutant, "same games" if self.sample.is_same(mutant) else "unnoticed")

    def _ordered(self, mutant: Mutant) -> list[Bench]:
        """The groups that come by the place of a mutant, the largest first; where none does, the
        largest of all."""
        ordered = sorted(self.benches, key=lambda bench: bench.scenarios, reverse=True)
        return [bench for bench in ordered if bench.runs(mutant)] or ordered[:1]


def make_suite(wanted: Wanted, bag: Bag) -> Suite | None:
    """The mutants and scenarios of a variant or mod; None where there are no scenarios, or, with
    errors in the bag, where something has mistakes."""
    library = wanted.library
    groups = scenario_groups(library, wanted.name, bag)
    benches = tuple(bench for group in groups if (bench := make_bench(library, group, bag)))
    if not benches or bag.has_errors:
        return None
    merged = benches[0].merged
    mutants = collect(merged, own_spans(library, groups[0], merged))
    fewest, most = merged.min_players, merged.max_players
    usual = max(fewest, min(most, DEFAULT_PLAYERS))
    sample = Sample(merged, tuple(sorted({fewest, usual, most})), wanted.seed)
    return Suite(tuple(drawn(mutants, wanted.seed)), benches, sample)


def never_told(_: int) -> None:
    """Nobody wants to know how far it is."""


def judge_mutants(
    wanted: Wanted, suite: Suite, *, workers: int, tell: Callable[[int], None] = never_told
) -> MutantReport:
    """Judges mutants in their order until as many as are wanted count: what the checker refuses and
    what changes nothing is set aside, and the next ones come in their places.

    `tell` is called with the number of those that count, whenever there is one more.
    """
    report = MutantReport(wanted.name, wanted.seed, len(suite.mutants))
    for judged in _all_judged(wanted, suite, workers):
        report.judged.append(judged)
        tell(report.counted)
        if wanted.count is not None and report.counted >= wanted.count:
            break
    return report


def _all_judged(wanted: Wanted, suite: Suite, workers: int) -> Iterator[Judged]:
    """The verdicts in the order of the mutants; only a few are worked on ahead."""
    if workers == 1:
        yield from map(suite.judge, range(len(suite.mutants)))
        return
    waiting: deque[Future[Judged]] = deque()
    numbers = iter(range(len(suite.mutants)))
    with ProcessPoolExecutor(workers, initializer=_open, initargs=(wanted,)) as pool:
        try:
            while True:
                _fill(waiting, numbers, pool, 2 * workers)
                if not waiting:
                    return
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _fill(
    waiting: deque[Future[Judged]], numbers: Iterator[int], pool: Executor, most: int
) -> None:
    while len(waiting) < most:
        number = next(numbers, None)
        if number is None:
            return
        waiting.append(pool.submit(_judge, number))


# The suite of a worker process; a process works for one run only.
_SUITES: list[Suite] = []


def _open(wanted: Wanted) -> None:
    suite = make_suite(wanted, Bag())
    assert suite is not None
    _SUITES.append(suite)


def _judge(number: int) -> Judged:
    return _SUITES[0].judge(number)
