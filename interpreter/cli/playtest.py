"""`rulewright playtest`."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TextIO

import click
from rich.console import Console

from dsl.diagnostics.suggest import did_you_mean
from interpreter.cli.games import compiled_game
from interpreter.cli.options import Wish, game_options, listed, version
from interpreter.cli.progress import Progress
from interpreter.engine.native_engine import NATIVE
from interpreter.playtest.ends import endings_of
from interpreter.playtest.machine import EngineName, Ready, make_ready
from interpreter.playtest.remarks import remarks
from interpreter.playtest.report import Setting, Speed, as_json, make_report
from interpreter.playtest.rows import RowWriter
from interpreter.playtest.runner import Run, default_workers, make_executor, play
from interpreter.playtest.show import show
from interpreter.playtest.tally import Tally
from interpreter.session.compile import CompiledGame

DEFAULT_GAMES = 1_000
RANDOM = "random"
PLAIN_WIDTH = 100


@click.command()
@click.argument("name", metavar="NAME|PATH")
@click.option(
    "--games",
    type=click.IntRange(min=1),
    default=DEFAULT_GAMES,
    show_default=True,
    metavar="N",
    help="How many games are played.",
)
@click.option(
    "--bots",
    metavar="BOTS",
    help="Who plays, with commas between them: strategies of the variant, or `random`. Fewer than "
    "players are taken again from the first. [default: the strategies of the variant]",
)
@click.option(
    "--seed",
    type=int,
    default=0,
    show_default=True,
    metavar="N",
    help="The seed of the run: the same seed, the same games.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1, max=1024),
    metavar="W",
    help="How many games are played at a time. [default: the number of processors]",
)
@click.option(
    "--engine",
    type=click.Choice(["native", "python"]),
    help="What plays the games. [default: native, where wasmtime is installed]",
)
@click.option("--json", "json_file", metavar="FILE", help="Write the report as JSON; - for stdout.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write one row per game; - for stdout.")
@click.option("--full", is_flag=True, help="Show all rows of the tables.")
@game_options
def playtest_command(
    name: str,
    games: int,
    bots: str | None,
    seed: int,
    workers: int | None,
    engine: EngineName | None,
    json_file: str | None,
    csv_file: str | None,
    full: bool,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> None:
    """Play many games among bots, and report who wins, how long it takes and what never happens.

    The bots move on by a seat from game to game, so that luck of the seat is no one's. Ctrl-C
    ends the run early, with a report of what has been played.
    """
    if json_file == csv_file == "-":
        raise click.UsageError("Only one of --json and --csv can go to stdout.")
    wanted_bots = None if bots is None else listed(bots)
    if wanted_bots is not None and players is None and len(wanted_bots) > 1:
        players = len(wanted_bots)
    game = compiled_game(Wish(name, mods, switches, profile, players))
    chosen_engine = _engine(engine)
    ready = make_ready(game, chosen_engine)
    line_up = _line_up(ready, wanted_bots, game.program.players)
    workers = workers or default_workers()
    setting = _setting(game, profile, switches, line_up, seed, games)
    with ExitStack() as stack:
        json_out = _opened(json_file, stack)
        csv_out = _opened(csv_file, stack)
        tally, seconds = _play(game, ready, setting, workers, csv_out, stack)
        speed = _speed(chosen_engine, workers, seconds, tally)
        endings = endings_of(ready.program, game.program, game.facts.always)
        report = make_report(setting, tally, ready, game.facts, endings, speed)
        found = remarks(report)
        if json_out is not None:
            json.dump(as_json(report, found), json_out, indent=2, ensure_ascii=False)
            json_out.write("\n")
    is_taken = "-" in (json_file, csv_file)
    show(report, found, _console(is_taken=is_taken), texts=game.program.texts, full=full)


# ---------------------------------------------------------------- what is played


def _engine(wanted: EngineName | None) -> EngineName:
    if wanted == "native" and not NATIVE:
        raise click.UsageError(
            "The native engine needs the package wasmtime: pip install 'rulewright[native]', or "
            "leave --engine out."
        )
    if wanted is not None:
        return wanted
    if not NATIVE:
        click.echo("wasmtime is not installed, so the slower Python engine plays.", err=True)
        return "python"
    return "native"


def _line_up(ready: Ready, wanted: Sequence[str] | None, players: int) -> tuple[str, ...]:
    """Who plays each seat in the first game."""
    known = list(ready.program.strategies)
    names = wanted if wanted is not None else [each for each in known if each != RANDOM]
    names = list(names) or [RANDOM]
    for each in names:
        if each not in known:
            near = did_you_mean(each, known) or f"there are {', '.join(known)}"
            raise click.UsageError(f"There is no bot `{each}`; {near}")
    if wanted is not None and len(names) > players:
        raise click.UsageError(f"{len(names)} bots are too many for {players} players.")
    return tuple(names[seat % len(names)] for seat in range(players))


def _setting(
    game: CompiledGame,
    profile: str | None,
    switches: tuple[tuple[str, str], ...],
    bots: tuple[str, ...],
    seed: int,
    games: int,
) -> Setting:
    program = game.program
    player = program.kinds[program.player_kind]
    ids = program.families[player.family].ids
    return Setting(
        variant=program.variant,
        title=program.title,
        mods=program.mods,
        profile=profile,
        chosen=switches,
        switches=program.switches,
        players=program.players,
        seats=tuple(ids[member] for member in player.members),
        bots=bots,
        seed=seed,
        asked=games,
        rules=program.digest,
        version=version(),
    )


# ---------------------------------------------------------------- the run


def _play(
    game: CompiledGame,
    ready: Ready,
    setting: Setting,
    workers: int,
    csv_out: TextIO | None,
    stack: ExitStack,
) -> tuple[Tally, float]:
    run = Run(ready.machine, setting.bots, setting.asked, setting.seed, game.program.phase_limit)
    tally = Tally(setting.players)
    rows = None
    if csv_out is not None:
        endings = endings_of(ready.program, game.program, game.facts.always)
        has_scores = "score" in ready.program.functions
        rows = RowWriter(csv_out, setting.seats, endings, seed=setting.seed, has_scores=has_scores)
    stop = stack.enter_context(_stopping())
    progress = stack.enter_context(Progress(setting.asked))
    start = time.perf_counter()
    executor = stack.enter_context(make_executor(ready.machine.engine, workers))
    for result in play(run, executor, workers=workers, should_stop=stop.is_set):
        tally.add(result)
        if rows is not None:
            rows.write(result)
        progress.advance(tally.games)
    return tally, time.perf_counter() - start


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """Ctrl-C sets the event; a second one ends the process at once."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def interrupted(*_: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, interrupted)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


def _speed(engine: str, workers: int, seconds: float, tally: Tally) -> Speed:
    decisions = sum(length * games for length, games in tally.decisions.items())
    per = 1 / seconds if seconds > 0 else 0.0
    return Speed(engine, workers, seconds, tally.games * per, decisions * per)


# ---------------------------------------------------------------- where it goes


def _opened(name: str | None, stack: ExitStack) -> TextIO | None:
    if name is None:
        return None
    if name == "-":
        return sys.stdout
    try:
        return stack.enter_context(Path(name).open("w", encoding="utf-8", newline=""))
    except OSError as error:
        raise click.UsageError(f"`{name}` can't be written: {error.strerror}.") from None


def _console(*, is_taken: bool) -> Console:
    """Where the report for people goes: stderr, if stdout has another."""
    stream = sys.stderr if is_taken else sys.stdout
    return Console(file=stream, width=None if stream.isatty() else PLAIN_WIDTH, highlight=False)
