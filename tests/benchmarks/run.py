"""How fast Rulewright is, beside the simulators in `peers`: `make bench`.

Speeds belong to a machine, ratios of interleaved runs carry over. The ratios are compared with
those in `baseline.json`; `--bless` writes them anew. All times are processor times.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, ParamSpec, Protocol, TypeVar

from commands import timed_commands

from dsl.cache import FOLDER_VARIABLE
from dsl.check.program import check_program
from dsl.core import nodes as core
from dsl.diagnostics import Bag
from dsl.project import find, load
from dsl.project.files import forget_files
from interpreter.bundled import variants_dir
from interpreter.emit.python import print_python
from interpreter.engine.batch import BatchResult, play_batch
from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program

P = ParamSpec("P")
T = TypeVar("T")

HERE = Path(__file__).resolve().parent
BASELINE = HERE / "baseline.json"
STRATEGY = "setter"
DIGEST_GAMES = 200 + 20_000  # what monopoly.c plays before the games that it was asked for
SLACK = 0.8  # a ratio below this part of its baseline is a loss
GAMES = {"bid": 4, "card_game": 4, "classic": 4, "crooked_cash": 4, "deal": 4, "jackpot": 4}
HAND_MOD = """\
rule bench_hand: before set_up
    let holder = game.dealer
    for each c in top(13, [each c in table.draw where c is not Chance])
        move c to holder.hand
    for each c in Chance
        move c to holder.hand
    holder.went_out = yes
    end game
replace define player.final_score: money = player.hand_score
"""


@dataclass(slots=True)
class Report:
    """What was measured: `ratios` are compared with the baseline."""

    ratios: dict[str, float] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)

    def ratio(self, name: str, values: list[float], bar: float | None = None) -> None:
        """Notes and prints the median of the ratios of some pairs of runs."""
        value = statistics.median(values)
        self.ratios[name] = round(value, 4)
        spread = f"{min(values):.3f} to {max(values):.3f}"
        wanted = "" if bar is None else f", wanted {bar:g}: {'yes' if value >= bar else 'NO'}"
        print(f"  {name}: {value:.3f} ({spread} in {len(values)} pairs{wanted})", flush=True)

    def number(self, name: str, value: float, unit: str, bar: str = "") -> None:
        """Notes and prints a number that belongs to this machine."""
        self.numbers[name] = value
        print(f"  {name}: {value:,.4g} {unit}{bar}", flush=True)


# ---------------------------------------------------------------- games


def program_of(
    name: str, players: int, folder: Path | None = None, mods: tuple[str, ...] = ()
) -> core.Program:
    """A checked variant."""
    bag = Bag()
    folders = [variants_dir(), *([folder] if folder is not None else [])]
    merged = load.load_merged(find.Library(folders), name, bag=bag, mods=mods)
    program = check_program(merged, players, bag, scenarios=False) if merged is not None else None
    if program is None:
        raise SystemExit(f"{name} is not fit for play: {[one.message for one in bag.sorted()][:3]}")
    return program


@dataclass(frozen=True, slots=True)
class Table:
    """A variant at which games are played with one strategy on all seats, from game `first` on."""

    program: core.Program
    engine: PythonEngine | NativeEngine
    strategy: str

    def play(self, first: int, games: int) -> BatchResult:
        """Plays some games."""
        seats = [self.strategy] * self.program.players
        limit = self.program.phase_limit
        if isinstance(self.engine, PythonEngine):
            return play_batch(self.engine, first, games, seats, phase_limit=limit)
        return self.engine.play_batch(first, games, seats, phase_limit=limit)


def table_of(
    program: core.Program, strategy: str, *, native: bool = False, measures: bool = False
) -> Table:
    """A table with an engine."""
    options = Options(strategies=(strategy,), host=False, measures=measures)
    flat = lower_program(program, options)
    return Table(program, NativeEngine(flat) if native else PythonEngine(flat), strategy)


def timed(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> tuple[T, float]:
    """What some work gives, and how long it takes."""
    start = time.process_time()
    given = work(*args, **kwargs)
    return given, time.process_time() - start


def seconds(work: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> float:
    """How long some work takes."""
    return timed(work, *args, **kwargs)[1]


def sized(games: int, scale: float) -> int:
    """So many games, as long as the runs are to be."""
    return max(1, round(games * scale))


# ---------------------------------------------------------------- against the peers


class Peer(Protocol):
    """A simulator in Python."""

    def run(self, seed: int, games: int) -> object: ...


def peer_module() -> Peer:
    """The simulator in Python, with trades."""
    sys.path.insert(0, str(HERE / "peers"))
    before, sys.argv = sys.argv, ["monopoly.py", "1", "1", "1"]
    module: Any = import_module("monopoly")
    sys.argv = before
    peer: Peer = module
    return peer


def peer_in_c(folder: Path) -> Path | None:
    """The simulator in C, compiled with trades; None without a compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    target = folder / "monopoly"
    source = HERE / "peers" / "monopoly.c"
    command = [compiler, "-O3", "-march=native", "-DTRADES=1", str(source), "-o", str(target)]
    done = subprocess.run(command, capture_output=True, check=False)
    return target if done.returncode == 0 else None


def speed_in_c(program: Path, games: int) -> float:
    """Games per second of the simulator in C. It starts with some games for its digests."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(program), str(games), "1"], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (games + DIGEST_GAMES) / took


def against_python(report: Report, program: core.Program, pairs: int, scale: float) -> None:
    """The Python engine and the simulator in Python, one after the other."""
    peer = peer_module()
    table = table_of(program, STRATEGY)
    ours, theirs = sized(120, scale), sized(240, scale)
    table.play(0, 20)
    peer.run(1, 20)
    ratios: list[float] = []
    speeds: list[float] = []
    decisions: list[float] = []
    for pair in range(pairs):
        first = pair * ours
        result, took = timed(table.play, first, ours)
        beside = seconds(peer.run, 1 + first, theirs)
        speeds.append(ours / took)
        decisions.append(sum(result.scalars["questions"]) / took)
        ratios.append(ours / took / (theirs / beside))
    report.ratio("python engine / monopoly.py", ratios, 0.5)
    report.number("python engine, setter", statistics.median(speeds), "games/s")
    report.number("python engine, setter, decisions", statistics.median(decisions), "per second")


def against_all(report: Report, program: core.Program, pairs: int, scale: float) -> None:
    """The native engine with statistics, beside both simulators."""
    peer = peer_module()
    table = table_of(program, STRATEGY, native=True, measures=True)
    table.play(0, 200)
    beside_python: list[float] = []
    beside_c: list[float] = []
    speeds: list[float] = []
    decisions: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        in_c = peer_in_c(Path(folder))
        for pair in range(pairs):
            games, theirs = sized(3000, scale), sized(240, scale)
            result, took = timed(table.play, pair * games, games)
            speeds.append(games / took)
            decisions.append(sum(result.scalars["questions"]) / took)
            beside = seconds(peer.run, 1 + pair * theirs, theirs)
            beside_python.append(speeds[-1] / (theirs / beside))
            if in_c is not None:
                beside_c.append(speeds[-1] / speed_in_c(in_c, sized(8000, scale)))
    report.ratio("native engine / monopoly.py", beside_python, 15)
    if beside_c:
        report.ratio("native engine / monopoly.c", beside_c, 0.5)
    else:
        print("  no C compiler: monopoly.c is left out")
    report.number("native engine, setter", statistics.median(speeds), "games/s")
    report.number("native engine, setter, decisions", statistics.median(decisions), "per second")


# ---------------------------------------------------------------- all games


def all_games(report: Report, names: Sequence[str], scale: float) -> None:
    """Decisions and games per second of games, with the random policy."""
    for name in names:
        players = GAMES[name]
        program = program_of(name, players)
        for native in (False, True) if NATIVE else (False,):
            table = table_of(program, "random", native=native)
            games = sized(20 if native else 2, scale)
            table.play(0, 1)
            result, took = timed(table.play, 0, games)
            asked = sum(result.scalars["questions"])
            engine = "native" if native else "python"
            report.number(f"{name}, random, {engine}", asked / took, "decisions/s")


def deal_for_two(report: Report, scale: float) -> None:
    """Deal with the random policy, two players."""
    table = table_of(program_of("deal", 2), "random")
    table.play(0, 2)
    games = sized(20, scale)
    took = seconds(table.play, 0, games)
    report.number("deal for two, random, python", games / took, "games/s", " (wanted 60)")


def hand_of_fifteen(report: Report) -> None:
    """Scoring a hand of 15 cards, two of them wild."""
    with tempfile.TemporaryDirectory() as folder:
        rules = Path(folder) / "mods" / "bench_hand" / "rules"
        rules.mkdir(parents=True)
        (rules / "bench_hand.rules").write_text(HAND_MOD, encoding="utf-8")
        (rules.parent / "mod.yaml").write_text(
            'mod: bench_hand\ntitle: "A hand"\ndescription: "For the stopwatch."\n',
            encoding="utf-8",
        )
        program = program_of("card_game", 3, Path(folder), ("bench_hand",))
    table = table_of(program, "random")
    engine = table.engine
    engine.new_game(1)
    engine.run_phase()
    times = 20
    took = seconds(lambda: [engine.score(0) for _ in range(times)]) / times
    report.number("a hand of 15 cards, 2 wild", took * 1000, "ms", " (wanted under 1)")


def start_up(report: Report, rounds: int) -> None:
    """From rules to a printed module without caches, and whole commands on the wall."""
    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get(FOLDER_VARIABLE)
        os.environ[FOLDER_VARIABLE] = folder
        forget_files()
        took = seconds(lambda: print_python(lower_program(program_of("classic", 4), Options())))
        if before is None:
            del os.environ[FOLDER_VARIABLE]
        else:
            os.environ[FOLDER_VARIABLE] = before
    report.number("classic, from rules to Python", took, "s", " (wanted under 1)")
    for one in timed_commands(rounds):
        verdict = "yes" if one.seconds < one.wanted else "NO"
        report.number(one.name, one.seconds, "s", f" (wanted under {one.wanted:g}: {verdict})")


def memory(report: Report) -> None:
    """The memory of this process at its highest, all games in it."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    report.number("memory of this process", peak, "MB")


# ---------------------------------------------------------------- the whole


def compare(report: Report) -> bool:
    """Prints the ratios beside their baseline; says whether none was lost."""
    if not BASELINE.exists():
        print("\nno baseline yet: --bless writes one")
        return True
    known: dict[str, float] = json.loads(BASELINE.read_text(encoding="utf-8"))
    kept = True
    print("\nratio, baseline, change")
    for name, value in report.ratios.items():
        before = known.get(name)
        if before is None:
            print(f"  {name}: {value:.3f}, new")
            continue
        lost = value < before * SLACK
        kept = kept and not lost
        change = 100 * (value / before - 1)
        print(f"  {name}: {value:.3f}, {before:.3f}, {change:+.0f} %{' LOST' if lost else ''}")
    return kept


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=9, help="pairs of runs per ratio")
    parser.add_argument("--scale", type=float, default=3, help="how long each run is")
    parser.add_argument("--rounds", type=int, default=7, help="runs per time of a command")
    parser.add_argument("--games", nargs="*", default=list(GAMES), choices=GAMES, metavar="GAME")
    parser.add_argument("--only-peers", action="store_true", help="leave the other games out")
    parser.add_argument("--bless", action="store_true", help="write the ratios as the baseline")
    parser.add_argument("--json", type=Path, help="write all that was measured to this file")
    given = parser.parse_args()
    report = Report()
    print("Classic, four players, trades on, every seat at every window")
    program = program_of("classic", 4)
    against_python(report, program, given.pairs, given.scale)
    if NATIVE:
        against_all(report, program, given.pairs, given.scale)
    if not given.only_peers:
        print("All games")
        all_games(report, given.games, given.scale)
        deal_for_two(report, given.scale)
        hand_of_fifteen(report)
        start_up(report, given.rounds)
        memory(report)
    kept = compare(report)
    if given.bless:
        BASELINE.write_text(json.dumps(report.ratios, indent=2) + "\n", encoding="utf-8")
    if given.json is not None:
        whole = {"ratios": report.ratios, "numbers": report.numbers}
        given.json.write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
