"""A game in which an engine breaks is one game: the others are played, reported and kept."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.cli.commands import run
from interpreter.engine.native_engine import NATIVE, NativeEngine, NativeError
from interpreter.engine.python_engine import PythonEngine
from interpreter.playtest.conduct import Conductor
from interpreter.playtest.remarks import remarks
from interpreter.playtest.report import as_json
from interpreter.playtest.runner import InlineExecutor
from interpreter.search.bots import MonteCarlo
from interpreter.session.compile import CompiledGame

Make = Callable[..., Conductor]
BAD = 7
needs_native = pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
GAMES = Path(__file__).parent / "games"


def break_engines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both engines break in one game, wherever it is in its batch."""
    new_game, play_batch = PythonEngine.new_game, NativeEngine.play_batch

    def breaking(engine: PythonEngine, seed: int, game_index: int = 0) -> None:
        new_game(engine, seed, game_index)
        if game_index == BAD:
            raise IndexError("no such cell")

    def trapping(engine: NativeEngine, first: int, games: int, *args: object, **options: object):  # type: ignore[no-untyped-def]
        if first <= BAD < first + games:
            raise NativeError("wasm trap: out of bounds memory access", BAD)
        return play_batch(engine, first, games, *args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(PythonEngine, "new_game", breaking)
    monkeypatch.setattr(NativeEngine, "play_batch", trapping)


@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=needs_native)])
def test_the_rest_is_as_if_nothing_had_been(
    race: CompiledGame, conductor: Make, monkeypatch: pytest.MonkeyPatch, engine: str
) -> None:
    made = conductor(race, games=30, seed=5, engine=engine, workers=1)
    whole: list[tuple[int, int, int]] = []
    parts: list[tuple[int, int, int]] = []

    def rows(into: list[tuple[int, int, int]]) -> Callable[..., None]:
        return lambda batch: into.extend(
            zip(batch.ends, batch.winners, batch.scalars["phases"], strict=True)
        )

    made.conduct(executor=InlineExecutor(), on_batch=rows(whole))
    with monkeypatch.context() as patch:
        break_engines(patch)
        report = made.conduct(executor=InlineExecutor(), on_batch=rows(parts))
    assert [row for game, row in enumerate(parts) if game != BAD] == [
        row for game, row in enumerate(whole) if game != BAD
    ]
    assert parts[BAD][0] == -2
    assert {end.reason: end.games for end in report.ends if end.kind == "bug"} == {
        "bug: the engine broke": 1
    }
    assert sum(end.games for end in report.ends) == report.games == 30
    assert report.turns is not None
    assert sum(bar.count for bar in report.turns.bars) == 29
    [(game, crash)] = report.crashes
    assert game == BAD
    assert "Traceback" in crash.details
    assert f"(game {BAD}: {crash.summary})" in remarks(report)[0]
    assert as_json(report, [])["crashes"] == [{"game": BAD, "error": crash.summary}]


def test_a_bot_that_breaks_is_one_game(
    race: CompiledGame, conductor: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    honest = MonteCarlo.__call__

    def breaking(self: MonteCarlo, view: object, decision: object) -> object:
        course = decision.course()  # type: ignore[attr-defined]
        if course.game == 2:
            raise NativeError("wasm trap", 0)
        return honest(self, view, decision)  # type: ignore[arg-type]

    monkeypatch.setattr(MonteCarlo, "__call__", breaking)
    report = conductor(race, games=4, bots=["mc:1", "walker"], workers=1).conduct()
    assert report.games == 4
    assert report.won.games == 3
    assert [game for game, _ in report.crashes] == [2]


def test_what_the_machine_lacks_is_no_broken_game(
    race: CompiledGame, conductor: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(PythonEngine, "new_game", full)
    with pytest.raises(MemoryError):
        conductor(race, games=3, engine="python", workers=1).conduct()


@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=needs_native)])
def test_files_and_report_are_there_and_the_bug_is_told(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    engine: str,
) -> None:
    break_engines(monkeypatch)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    rows, report = tmp_path / "games.csv", tmp_path / "report.json"
    words = ["playtest", str(GAMES / "race"), "--games", "20", "--engine", engine, "--workers", "1"]
    assert run([*words, "--csv", str(rows), "--json", str(report)]) == 3
    out, err = capsys.readouterr()
    assert "bug: the engine broke" in out
    assert f"This is a bug in Rulewright, not in your rules: game {BAD}: " in err
    ends = [row["end"] for row in csv.DictReader(rows.open(encoding="utf-8"))]
    assert len(ends) == 20
    assert [n for n, end in enumerate(ends) if end == "bug: the engine broke"] == [BAD]
    assert json.loads(report.read_text(encoding="utf-8"))["crashes"][0]["game"] == BAD
    [details] = tmp_path.glob("rulewright-bug-*.txt")
    assert "Traceback" in details.read_text(encoding="utf-8")
