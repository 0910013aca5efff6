"""A run is the same games with any executor, any number of workers and either engine."""

from __future__ import annotations

import io
import tracemalloc
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from interpreter.emit.layout import RECORDED
from interpreter.engine.batch import BatchResult
from interpreter.engine.native_engine import NATIVE
from interpreter.playtest.conduct import Conductor, WrongPlan
from interpreter.playtest.report import Report, as_json
from interpreter.playtest.rows import RowWriter
from interpreter.playtest.runner import InlineExecutor
from interpreter.session.compile import CompiledGame

Make = Callable[..., Conductor]

needs_native = pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")


def played(conductor: Conductor, executor: Executor | None = None) -> tuple[Report, str]:
    """The report of a run and its CSV."""
    file = io.StringIO()
    rows = RowWriter(
        file,
        conductor.setting.seats,
        conductor.setting.bots,
        conductor.endings,
        seed=conductor.setting.seed,
        has_scores=conductor.has_scores,
    )
    report = conductor.conduct(executor=executor, on_batch=rows.write)
    return report, file.getvalue()


def said(report: Report) -> dict[str, object]:
    """The report without how fast it was."""
    return {name: value for name, value in as_json(report, []).items() if name != "speed"}


@pytest.fixture(scope="session")
def reference(race: CompiledGame) -> tuple[dict[str, object], str]:
    """180 games in this thread."""
    from interpreter.playtest.conduct import Plan
    from interpreter.playtest.printing import print_machine

    report, rows = played(
        Conductor(race, Plan(180, seed=5, engine="python", workers=1), print_machine),
        InlineExecutor(),
    )
    return said(report), rows


def test_rows_are_in_order_and_whole(reference: tuple[dict[str, object], str]) -> None:
    head, *rows = reference[1].splitlines()
    assert head == (
        "game,seed,end,winners,leaders,turns,decisions,first,bot_ann,bot_ben,bot_cleo,"
        "place_ann,place_ben,place_cleo,score_ann,score_ben,score_cleo"
    )
    assert [int(row.split(",")[0]) for row in rows] == list(range(180))
    assert {row.split(",")[2] for row in rows} == {"rule arrival"}


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_threads_and_processes_play_the_same(
    race: CompiledGame,
    conductor: Make,
    reference: tuple[dict[str, object], str],
    workers: int,
) -> None:
    for executor in (ThreadPoolExecutor(workers), ProcessPoolExecutor(workers)):
        with executor:
            plan = conductor(race, games=180, seed=5, engine="python", workers=workers)
            report, rows = played(plan, executor)
        assert rows == reference[1]
        assert said(report) == reference[0]


@needs_native
@pytest.mark.parametrize("workers", [1, 3])
def test_engines_play_the_same(
    race: CompiledGame,
    conductor: Make,
    reference: tuple[dict[str, object], str],
    workers: int,
) -> None:
    report, rows = played(conductor(race, games=180, seed=5, engine="native", workers=workers))
    assert rows == reference[1]
    assert said(report) == reference[0]


@needs_native
def test_native_runs_in_processes_too(
    race: CompiledGame, conductor: Make, reference: tuple[dict[str, object], str]
) -> None:
    with ProcessPoolExecutor(2) as executor:
        plan = conductor(race, games=180, seed=5, engine="native", workers=2)
        _, rows = played(plan, executor)
    assert rows == reference[1]


def test_a_longer_run_begins_with_the_shorter_one(
    race: CompiledGame, conductor: Make, reference: tuple[dict[str, object], str]
) -> None:
    _, rows = played(conductor(race, games=50, seed=5, engine="python", workers=2))
    assert reference[1].startswith(rows)
    assert played(conductor(race, games=50, seed=6))[1] != rows


def test_stopping_keeps_what_was_played(
    race: CompiledGame, conductor: Make, reference: tuple[dict[str, object], str]
) -> None:
    seen: list[BatchResult] = []
    plan = conductor(race, games=10_000_000, seed=5, engine="python", workers=2)
    report = plan.conduct(
        executor=InlineExecutor(), on_batch=seen.append, should_stop=lambda: len(seen) >= 3
    )
    assert report.games == sum(result.games for result in seen)
    assert 0 < report.games < 10_000
    assert [result.first for result in seen] == [
        sum(each.games for each in seen[:number]) for number in range(len(seen))
    ]
    assert report.setting.asked == 10_000_000


def test_stopping_before_the_first_game(race: CompiledGame, conductor: Make) -> None:
    report = conductor(race, games=10, workers=1).conduct(should_stop=lambda: True)
    assert report.games == 0
    assert report.turns is None


@needs_native
def test_memory_does_not_grow_with_the_games(race: CompiledGame, conductor: Make) -> None:
    def peak(games: int) -> int:
        plan = conductor(race, games=games, engine="native", workers=1)
        tracemalloc.start()
        plan.conduct()
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    peak(3_000)
    assert peak(40_000) < peak(5_000) + 300_000


def test_mistakes_of_workers_are_not_swallowed(race: CompiledGame, conductor: Make) -> None:
    plan = conductor(race, games=10, engine="python", workers=1)
    object.__setattr__(plan.setting, "bots", ("nobody",) * 3)
    for executor in (InlineExecutor(), ThreadPoolExecutor(1)):
        with executor:
            report = plan.conduct(executor=executor)
        assert [(end.kind, end.games) for end in report.ends] == [("bug", 10)]
        assert "nobody" in report.crashes[0][1].summary


def test_plans_that_cannot_be(race: CompiledGame, conductor: Make) -> None:
    with pytest.raises(WrongPlan, match="did you mean `runner`"):
        conductor(race, bots=["runer"])
    with pytest.raises(WrongPlan, match="At least one game"):
        conductor(race, games=0)


def test_all_strategies_play(race: CompiledGame, conductor: Make) -> None:
    assert conductor(race).setting.bots == ("walker", "runner")
    assert conductor(race, bots=["random"]).setting.bots == ("random",)


@needs_native
def test_who_had_the_first_turn_is_noted(
    race: CompiledGame, conductor: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("emit.layout", "engine.batch", "playtest.first"):
        name = f"interpreter.{module}.RECORDED"
        monkeypatch.setattr(name, (*dict.fromkeys((*RECORDED, "first")),))
    fresh = CompiledGame(race.facts, None, race.source)
    reports = []
    for engine in ("python", "native"):
        plan = conductor(fresh, games=60, engine=engine, workers=1)
        reports.append(plan.conduct())
    assert said(reports[0]) == said(reports[1])
    places = reports[0].won.by_place
    assert places is not None
    # In this game the first seat begins.
    assert [row.share for row in places.rows] == [row.share for row in reports[0].won.by_seat.rows]
