"""Same seed, same game: in another process, under another hash seed, in any number of pieces, with
any number of workers."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from game_rigs import FITTING, RANDOM, Setup, rig

from dsl.cache import FOLDER_VARIABLE
from interpreter.engine.batch import BatchResult, merge_results
from interpreter.engine.native_engine import NATIVE

SETUPS = (
    Setup("classic", 4), Setup("cthulhu", 3, FITTING["cthulhu"]), Setup("crooked_cash", 3),
    Setup("jackpot", 4), Setup("bid", 3), Setup("deal", 3), Setup("card_game", 3),
)  # fmt: skip
ENGINES = ("python", "native") if NATIVE else ("python",)


def line_up(setup: Setup) -> list[str]:
    """Random and written strategies."""
    ready = rig(setup)
    return ready.seats(*ready.written[-2:], RANDOM)


def facts_of_all(games: int) -> dict[str, list[object]]:
    """For each set-up and engine the digests of its games, and a hash of its program."""
    facts: dict[str, list[object]] = {}
    for setup in SETUPS:
        ready = rig(setup)
        for engine in ENGINES:
            result = ready.play(engine, 0, games, line_up(setup))
            text = (ready.python if engine == "python" else ready.native).text
            rules = ready.core.digest
            facts[f"{setup} {engine}"] = [
                hashlib.sha256(text.encode()).hexdigest(), rules,
                [f"{digest:016x}" for digest in result.digests],
                hashlib.sha256(repr(result.measures).encode()).hexdigest(),
            ]  # fmt: skip
    return facts


def test_other_processes_play_the_same_games(tmp_path: Path) -> None:
    command = [sys.executable, str(Path(__file__).absolute()), "2"]
    outputs = []
    for hash_seed in ("1", "4242"):
        environment = os.environ | {
            "PYTHONHASHSEED": hash_seed,
            "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
            FOLDER_VARIABLE: str(tmp_path / hash_seed),
        }
        done = subprocess.run(
            command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        outputs.append(json.loads(done.stdout))
    assert outputs[0] == outputs[1]
    assert outputs[0] == json.loads(json.dumps(facts_of_all(2)))


def cut(setup: Setup, engine: str, sizes: list[int], *, workers: int = 1) -> BatchResult:
    """Games in pieces of these sizes, played last piece first, or at the same time."""
    seats = line_up(setup)
    pieces = []
    for size in sizes:
        pieces.append((sum(count for _, count in pieces), size))
    ready = rig(setup)

    def play(piece: tuple[int, int]) -> BatchResult:
        return ready.play(engine, *piece, seats)

    if workers == 1:
        return merge_results([play(piece) for piece in reversed(pieces)])
    with ThreadPoolExecutor(workers) as pool:
        return merge_results(pool.map(play, pieces))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_games_do_not_depend_on_how_they_are_cut(setup: Setup, engine: str) -> None:
    games = 6 if engine == "python" else 60
    whole = cut(setup, engine, [games])
    assert whole.games == games
    assert len(set(whole.digests)) == games
    assert cut(setup, engine, [1, games - 3, 2]) == whole
    assert cut(setup, engine, [games // 2, games // 2]) == whole


@pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
@pytest.mark.parametrize("setup", SETUPS[:3], ids=str)
def test_threads_play_the_same_games(setup: Setup) -> None:
    rig(setup).native  # noqa: B018 - made once, before the threads need it
    whole = cut(setup, "native", [40])
    assert cut(setup, "native", [7, 1, 12, 9, 11], workers=3) == whole


@pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
def test_more_games_than_one_call_holds_are_the_same_games() -> None:
    setup = SETUPS[3]
    assert cut(setup, "native", [2100]) == cut(setup, "native", [1000, 1024, 76])


def test_another_seed_gives_other_games() -> None:
    ready = rig(SETUPS[0])
    seats = line_up(SETUPS[0])
    one = ready.play(ENGINES[-1], 0, 10, seats, seed=1)
    other = ready.play(ENGINES[-1], 0, 10, seats, seed=2)
    assert not set(one.digests) & set(other.digests)


if __name__ == "__main__":
    print(json.dumps(facts_of_all(int(sys.argv[1]))))
