"""How fast playtests are: the native engine beside the simulators in `peers`, with one worker and
with two, the whole command from a cold start, and its memory. `make bench` runs it after `run.py`.

Speeds belong to a machine, ratios of interleaved runs carry over: those are compared with the ones
in `native.json`, which `--bless` writes anew. Speeds on one core are by processor time; what is
said of the clock on the wall needs two processors that have nothing else to do.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from run import (
    DIGEST_GAMES,
    SLACK,
    STRATEGY,
    Report,
    peer_in_c,
    peer_module,
    program_of,
    seconds,
    sized,
    speed_in_c,
)

from dsl.cache import FOLDER_VARIABLE
from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.playtest.machine import Machine, Parts
from interpreter.playtest.printing import print_machine
from interpreter.playtest.runner import Run, play
from interpreter.playtest.tally import Tally

HERE = Path(__file__).resolve().parent
BASELINE = HERE / "native.json"
SCRIPT = Path(sys.executable).with_name("rulewright")
PLAYERS = 4
SEATS = (STRATEGY,) * PLAYERS


@dataclass(frozen=True, slots=True)
class Ours:
    """Classic as playtests play it, with all that the report tells, ready to be played."""

    machine: Machine
    engine: NativeEngine
    phase_limit: int

    def batch(self, first: int, games: int, *, checks: bool = False) -> None:
        """Plays games in this thread; `checks`: with a look at what must always hold."""
        self.engine.play_batch(
            first, games, SEATS, phase_limit=self.phase_limit, reseat=True, checks=checks
        )

    def run(self, first: int, games: int, workers: int) -> float:
        """Games per second on the wall of a run with so many workers, added up as for a report."""
        run = Run(self.machine, SEATS, games, 0, self.phase_limit, first)
        tally = Tally(PLAYERS, SEATS)
        with ThreadPoolExecutor(workers) as executor:
            executor.submit(int).result()
            start = time.perf_counter()
            for result in play(run, executor, workers=workers):
                tally.add(result)
            return games / (time.perf_counter() - start)


def ours() -> Ours:
    """Classic, printed and compiled."""
    program = program_of("classic", PLAYERS)
    printed = print_machine(program, "native", (STRATEGY,))
    assert isinstance(printed.code, bytes)
    engine = NativeEngine(printed.program, wasm=printed.code)
    ready = Ours(Machine("native", printed.digest, Parts(printed)), engine, program.phase_limit)
    ready.batch(0, 500)
    return ready


# ---------------------------------------------------------------- one core


def one_core(report: Report, game: Ours, in_c: Path | None, pairs: int, scale: float) -> None:
    """Games per second beside the simulators, run by run."""
    peer = peer_module()
    peer.run(1, 20)
    beside_python: list[float] = []
    beside_c: list[float] = []
    speeds: list[float] = []
    with_checks: list[float] = []
    for pair in range(pairs):
        games, theirs = sized(1000, scale), sized(100, scale)
        speeds.append(games / seconds(game.batch, pair * games, games))
        with_checks.append(games / seconds(game.batch, pair * games, games, checks=True))
        beside = seconds(peer.run, 1 + pair * theirs, theirs)
        beside_python.append(speeds[-1] / (theirs / beside))
        if in_c is not None:
            beside_c.append(speeds[-1] / speed_in_c(in_c, sized(5000, scale)))
    report.ratio("playtest / monopoly.py", beside_python, 15)
    if beside_c:
        report.ratio("playtest / monopoly.c", beside_c, 0.5)
    report.number("playtest, setter, one core", statistics.median(speeds), "games/s")
    report.number("... with invariants", statistics.median(with_checks), "games/s")


# ---------------------------------------------------------------- two workers


def wall_in_c(program: Path, games: int, copies: int) -> float:
    """Games per second on the wall of so many copies of the simulator in C together."""
    start = time.perf_counter()
    running = [
        subprocess.Popen([str(program), str(games), "1"], stdout=subprocess.DEVNULL)
        for _ in range(copies)
    ]
    for process in running:
        process.wait()
    return copies * (games + DIGEST_GAMES) / (time.perf_counter() - start)


def two_workers(report: Report, game: Ours, in_c: Path | None, pairs: int, games: int) -> None:
    """How much two workers add to one, beside what two copies of monopoly.c add to one. Over all
    rounds together as many games are played as were asked for."""
    share = max(2000, games // (2 * pairs))
    ours_by, theirs_by = [], []
    for pair in range(pairs):
        one = game.run(pair * share, share, 1)
        one_in_c = wall_in_c(in_c, 2 * share, 1) if in_c is not None else 1.0
        two = game.run(pair * share, share, 2)
        two_in_c = wall_in_c(in_c, 2 * share, 2) if in_c is not None else 2.0
        ours_by.append(two / one)
        theirs_by.append(two_in_c / one_in_c)
    ratios = [one / other for one, other in zip(ours_by, theirs_by, strict=True)]
    report.number("two workers instead of one", statistics.median(ours_by), "times the games/s")
    report.number(
        "two monopoly.c instead of one", statistics.median(theirs_by), "times the games/s"
    )
    report.ratio("scaling / scaling of monopoly.c", ratios, 0.9)


# ---------------------------------------------------------------- the whole command


@dataclass(frozen=True, slots=True)
class Whole:
    """What a run of the command took: seconds on the wall and of processors, highest memory."""

    wall: float
    cpu: float
    megabytes: float


def command(games: int, *args: str, cache: Path) -> Whole:
    """A playtest of Classic from its start to the end of its report."""
    words = [str(SCRIPT), "playtest", "classic", "--games", str(games), *args]
    start = time.perf_counter()
    process = subprocess.Popen(
        words,
        env=os.environ | {FOLDER_VARIABLE: str(cache)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)} failed")
    return Whole(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def cold_start(report: Report, rounds: int, games: int = 10_000) -> None:
    """Games with and without a cached module. The best of some rounds: noise only adds."""
    cached: list[Whole] = []
    bare: list[Whole] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            bare.append(command(games, cache=Path(folder)))
            cached.append(command(games, cache=Path(folder)))
    for name, runs, bar in (("cached module", cached, 1.5), ("no cache", bare, 3.0)):
        best = min(runs, key=lambda run: run.wall)
        report.number(
            f"{games:,} games, {name}", best.wall, "s on the wall", f" (wanted under {bar})"
        )
        cpu = min(run.cpu for run in runs)
        report.number(f"{games:,} games, {name}, processors", cpu, "s")


def flat_memory(report: Report, most: int) -> None:
    """The highest memory of runs of 10,000 games and more."""
    with tempfile.TemporaryDirectory() as folder:
        command(100, cache=Path(folder))
        for games in (10_000, 100_000, 1_000_000):
            if games <= most:
                run = command(games, "--workers", "2", cache=Path(folder))
                report.number(f"memory, {games:,} games", run.megabytes, "MB")


# ---------------------------------------------------------------- the whole


def compare(report: Report) -> bool:
    """Prints the ratios beside their baseline; says whether none was lost."""
    known = json.loads(BASELINE.read_text(encoding="utf-8")) if BASELINE.exists() else {}
    lost = False
    print("\nratio, baseline")
    for name, value in report.ratios.items():
        before = known.get(name)
        is_lost = before is not None and value < before * SLACK
        lost = lost or is_lost
        print(f"  {name}: {value:.3f}, {before}{' LOST' if is_lost else ''}")
    return not lost


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=9, help="pairs of runs per ratio")
    parser.add_argument("--scale", type=float, default=3, help="how long each run on one core is")
    parser.add_argument("--games", type=int, default=200_000, help="games with two workers")
    parser.add_argument("--rounds", type=int, default=3, help="runs of whole commands")
    parser.add_argument("--most", type=int, default=1_000_000, help="games of the longest command")
    parser.add_argument("--bless", action="store_true", help="write the ratios as the baseline")
    given = parser.parse_args()
    if not NATIVE:
        print("wasmtime is not installed")
        return 0
    report = Report()
    game = ours()
    with tempfile.TemporaryDirectory() as folder:
        in_c = peer_in_c(Path(folder))
        print("Classic, four players, trades on, statistics on")
        one_core(report, game, in_c, given.pairs, given.scale)
        two_workers(report, game, in_c, given.pairs, given.games)
    cold_start(report, given.rounds, min(10_000, given.most))
    flat_memory(report, given.most)
    kept = compare(report)
    if given.bless:
        BASELINE.write_text(json.dumps(report.ratios, indent=2) + "\n", encoding="utf-8")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
