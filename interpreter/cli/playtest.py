"""`rulewright playtest`."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TextIO

import click

from dsl.core import nodes as core
from interpreter.cli.codes import FINDINGS, INTERRUPTED, REFUSED, UNDECIDED
from interpreter.cli.completing import complete_variants
from interpreter.cli.consoles import report_console
from interpreter.cli.crash import Crashed
from interpreter.cli.defaults import defaults_of, is_given
from interpreter.cli.games import compiled_game, the_library
from interpreter.cli.options import Wish, game_options, listed, quiet_option, version
from interpreter.cli.output import Output
from interpreter.cli.progress import Progress
from interpreter.cli.stopping import stopping
from interpreter.cli.telling import write_no_more
from interpreter.engine.batch import BatchResult
from interpreter.engine.native_engine import NATIVE
from interpreter.engine.seeding import MOST_GAMES, MOST_SEED
from interpreter.playtest.asserting import (
    Assertion,
    Judged,
    WrongAssertion,
    check_assertions,
    judge,
    parse_assertion,
    words_of,
)
from interpreter.playtest.asserting import as_json as judged_json
from interpreter.playtest.conduct import Conductor, Plan, WrongPlan
from interpreter.playtest.estimates import Estimate, known_ids
from interpreter.playtest.machine import EngineName, Printed, Wanted
from interpreter.playtest.remarks import remarks
from interpreter.playtest.report import Report, as_json
from interpreter.playtest.rows import RowWriter
from interpreter.playtest.show import show, show_lines, show_remarks
from interpreter.session.request import DEFAULT_PLAYERS

DEFAULT_GAMES = 1_000


def _assertions(
    _: click.Context, __: click.Parameter, value: tuple[str, ...]
) -> tuple[Assertion, ...]:
    try:
        return tuple(parse_assertion(text) for text in value)
    except WrongAssertion as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.argument("name", metavar="NAME|PATH", shell_complete=complete_variants)
@click.option(
    "--games",
    type=click.IntRange(1, MOST_GAMES),
    default=DEFAULT_GAMES,
    show_default=True,
    metavar="N",
    help="How many games are played.",
)
@click.option(
    "--bots",
    metavar="BOTS",
    help="Who plays, with commas between them: strategies of the variant, `random`, or bots that "
    "search, such as `ismcts:200`. They say how many play, unless --players does; fewer or more "
    "than players sit at the table by turns. [default: the strategies of the variant]",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
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
    help="What plays the games. [default: native, where wasmtime is installed and no bot searches]",
)
@click.option("--json", "json_file", metavar="FILE", help="Write the report as JSON; - for stdout.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write one row per game; - for stdout.")
@click.option("--full", is_flag=True, help="Show all rows of the tables.")
@click.option("--keep", is_flag=True, help="Write the headlines into the history of the variant.")
@click.option(
    "--from",
    "from_file",
    metavar="FILE",
    help="A saved game: who wins from there. What the seat that is asked can't know is dealt anew.",
)
@click.option(
    "--assert",
    "assertions",
    metavar="WHAT",
    multiple=True,
    callback=_assertions,
    help='What is to hold: "place.gap < 5pp", "limit < 0.1%", "turns.median in 100..140". Several '
    "times for several. Ends with 1 if one fails, with 4 if more games are needed to tell.",
)
@click.option(
    "--shake",
    is_flag=True,
    help="Draw switches, mods, players and bots by lot, and report only what goes wrong: faults, "
    "broken conditions, endless games, differences of the engines.",
)
@click.option(
    "--game",
    type=click.IntRange(min=0),
    metavar="K",
    help="With --shake: nothing is drawn, and just the game of that number is played.",
)
@click.option(
    "--alone",
    is_flag=True,
    help="Play as many games of each bot on all seats too, and say first what depends on it.",
)
@click.option("--language", default="en", metavar="LANG", help="The language of names and titles.")
@quiet_option
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
    keep: bool,
    from_file: str | None,
    assertions: tuple[Assertion, ...],
    shake: bool,
    game: int | None,
    alone: bool,
    language: str,
    quiet: bool,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> int:
    """Play many games among bots, and report who wins, how long it takes and what never happens.

    The bots sit in all orders from game to game, so that luck of the seat is no one's. Ctrl-C ends
    the run early, with a report of what has been played.
    """
    if json_file == csv_file == "-":
        raise click.UsageError("Only one of --json and --csv can go to stdout.")
    defaults = defaults_of(name, the_library())
    wanted_bots = listed(bots) if bots is not None else list(defaults.bots) or None
    if bots is None and players is None:
        players = defaults.players
    mods = mods if is_given("mods") else defaults.mods
    seed = seed if is_given("seed") or defaults.seed is None else defaults.seed
    if quiet and shake:
        raise click.UsageError("--shake says only what goes wrong anyway: leave --quiet out.")
    if shake:
        from interpreter.cli.shaking import shake_variant

        if csv_file is not None or engine is not None or alone or assertions or keep:
            raise click.UsageError(
                "--shake goes with none of --csv, --engine, --alone, --assert and --keep."
            )
        wish = Wish(name, mods, switches, profile, players)
        raise click.exceptions.Exit(
            shake_variant(wish, games, game, wanted_bots, seed, workers, json_file)
        )
    if from_file is not None:
        from interpreter.cli.from_here import playtest_from

        if csv_file is not None or engine is not None or assertions or alone or keep:
            raise click.UsageError(
                "--from goes with none of --csv, --engine, --alone, --assert and --keep."
            )
        wish = Wish(name, mods, switches, profile, players)
        console = report_console(is_taken=json_file == "-")
        return playtest_from(wish, from_file, games, wanted_bots, seed, Output(json_file), console)
    if game is not None:
        raise click.UsageError("--game goes with --shake; `rulewright play` has a --game too.")
    if engine is None and not NATIVE:
        click.echo("wasmtime is not installed, so the slower Python engine plays.", err=True)
    usual = len(wanted_bots) if wanted_bots and len(wanted_bots) > 1 else DEFAULT_PLAYERS
    wish = Wish(name, mods, switches, profile, players, language, usual=usual)
    compiled = compiled_game(wish, None, warns=defaults)
    plan = Plan(games, wanted_bots, seed, engine, workers, profile, switches, version())
    try:
        conductor = Conductor(compiled, plan, print_one_machine)
        check_assertions(assertions, known_ids(conductor.setting.seats, conductor.setting.bots))
    except (WrongPlan, WrongAssertion) as error:
        raise click.UsageError(str(error)) from None
    json_out, csv_out = Output(json_file), Output(csv_file)
    with json_out, csv_out:
        report = _conduct(conductor, csv_out, is_quiet=quiet)
        csv_out.close()
        found = remarks(report)
        if alone:
            found[:0] = _depending(conductor, report, is_quiet=quiet)
        judged = _judged(report, assertions)
        json_out.write(lambda file: _write_json(file, report, found, judged))
        json_out.close()
    is_taken = "-" in (json_file, csv_file)
    console = report_console(is_taken=is_taken)
    try:
        if quiet:
            show_remarks(found, console)
        else:
            show(report, found, console, texts=compiled.program.texts, full=full)
        if judged:
            show_lines("What was asserted", [words_of(each) for each in judged], console)
    except BrokenPipeError:
        write_no_more(sys.stderr if is_taken else sys.stdout)
    for number, crash in report.crashes[:1]:
        raise Crashed(f"game {number}: {crash.summary}", crash.details)
    for output in (json_out, csv_out):
        if output.error is not None:
            raise output.error
    if keep and report.games:
        _keep(name, report, compiled.meaning)
    if report.cut is not None:
        click.echo(f"Error: {report.games:,} games were played; {report.cut}.", err=True)
        return REFUSED
    if report.games < report.setting.asked:
        return INTERRUPTED
    verdicts = {each.verdict for each in judged}
    return FINDINGS if "fails" in verdicts else UNDECIDED if "not enough games" in verdicts else 0


def _keep(name: str, report: Report, meaning: str) -> None:
    """Adds a line to the history of a variant."""
    from interpreter.cli.history import history_file
    from interpreter.lab.history import NoHistory, add_run

    file = history_file(name)
    file.parent.mkdir(parents=True, exist_ok=True)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        add_run(file, report, meaning, now)
    except NoHistory as error:
        raise click.UsageError(f"{error}.") from None


def _judged(report: Report, assertions: Sequence[Assertion]) -> list[Judged]:
    nothing = Estimate(None, None, None)
    return [
        judge(each, report.estimates.get(each.figure, nothing), report.games) for each in assertions
    ]


def _write_json(file: TextIO, report: Report, found: list[str], judged: Sequence[Judged]) -> None:
    written = as_json(report, found) | {"assertions": [judged_json(each) for each in judged]}
    json.dump(written, file, indent=2, ensure_ascii=False)
    file.write("\n")


def print_one_machine(program: core.Program, engine: EngineName, strategies: Wanted) -> Printed:
    """Prints what is not cached: only then the lowering and the printers are imported."""
    from interpreter.playtest.printing import print_machine

    return print_machine(program, engine, strategies)


def _conduct(conductor: Conductor, csv_out: Output, *, is_quiet: bool) -> Report:
    """Plays, with a progress bar, rows for the CSV and an eye on Ctrl-C."""
    setting = conductor.setting
    rows: list[RowWriter] = []

    def head(file: TextIO) -> None:
        writer = RowWriter(
            file,
            setting.seats,
            setting.bots,
            conductor.endings,
            seed=setting.seed,
            has_scores=conductor.has_scores,
        )
        rows.append(writer)

    csv_out.write(head)
    with stopping() as stop, Progress(setting.asked, is_quiet=is_quiet) as progress:

        def take(result: BatchResult) -> None:
            csv_out.write(lambda _: rows[0].write(result))
            progress.advance(result.first + result.games)

        return conductor.conduct(on_batch=take, should_stop=stop.is_set)


def _depending(conductor: Conductor, mixed: Report, *, is_quiet: bool) -> list[str]:
    """What depends on who plays: each bot plays as many games on all seats."""
    from interpreter.playtest.alone import differing

    found = {}
    for bot in dict.fromkeys(conductor.setting.bots):
        plan = replace(conductor.plan, bots=[bot])
        own = Conductor(conductor.game, plan, print_one_machine)
        found[bot] = _conduct(own, Output(None), is_quiet=is_quiet)
    return differing(mixed, found)
