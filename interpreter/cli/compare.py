"""`rulewright compare`."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TextIO

import click

from interpreter.cli.codes import INTERRUPTED
from interpreter.cli.consoles import report_console
from interpreter.cli.defaults import defaults_of, is_given
from interpreter.cli.games import compiled_game, the_library
from interpreter.cli.options import Wish, game_options, listed, playing_options, version
from interpreter.cli.output import Output
from interpreter.cli.progress import Progress
from interpreter.cli.stopping import stopping
from interpreter.engine.seeding import MOST_GAMES
from interpreter.lab.comparing import (
    Comparing,
    Comparison,
    NotComparable,
    Until,
    compare,
    parse_until,
)
from interpreter.lab.saying import as_json, show_comparison
from interpreter.playtest.conduct import Conductor, Plan, WrongPlan
from interpreter.playtest.machine import EngineName
from interpreter.playtest.printing import print_machine
from interpreter.session.compile import CompiledGame
from interpreter.session.request import DEFAULT_PLAYERS

DEFAULT_PAIRS = 10_000


def _until(_: click.Context, __: click.Parameter, value: str | None) -> Until | None:
    try:
        return None if value is None else parse_until(value)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


@click.command()
@click.argument("name", metavar="A")
@click.argument("other", metavar="[B]", required=False)
@click.option(
    "--games",
    type=click.IntRange(2, MOST_GAMES),
    default=DEFAULT_PAIRS,
    show_default=True,
    metavar="N",
    help="How many pairs of games each line-up plays.",
)
@click.option(
    "--bots",
    "line_ups",
    metavar="BOTS",
    multiple=True,
    help="Who plays, with commas between them; several times for several line-ups. "
    "[default: the strategies of the variant]",
)
@click.option("--alone", is_flag=True, help="Also each of these strategies on all seats.")
@click.option(
    "--until",
    metavar="SURE",
    callback=_until,
    help="Stop as soon as the length is known to within so many turns (1turn), shares of wins to "
    "within so many points (0.5pp), or any difference is found.",
)
@playing_options
@click.option("--json", "json_file", metavar="FILE", help="Write it as JSON; - for stdout.")
@click.option("--full", is_flag=True, help="Show all that changed, not just the largest.")
@game_options
def compare_command(
    name: str,
    other: str | None,
    games: int,
    line_ups: tuple[str, ...],
    alone: bool,
    until: Until | None,
    seed: int,
    workers: int | None,
    engine: EngineName | None,
    json_file: str | None,
    full: bool,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> int:
    """Play two versions of a game with the same luck, and tell what differs and by how much.

    A is played as it is, and against it B (or A again) with the mods, switches and profile that are
    named: `rulewright compare classic --set starting_cash=1000`.
    """
    if other is None and not (mods or switches or profile):
        raise click.UsageError("Name what is to be compared: B, --with, --set or --profile.")
    defaults = defaults_of(name, the_library())
    line_ups = line_ups or ((",".join(defaults.bots),) if defaults.bots else ())
    seed = seed if is_given("seed") or defaults.seed is None else defaults.seed
    usual = max((len(listed(bots)) for bots in line_ups), default=DEFAULT_PLAYERS)
    wish = Wish(
        name, defaults.mods, players=players or defaults.players,
        usual=usual if usual > 1 else DEFAULT_PLAYERS,
    )  # fmt: skip
    one = compiled_game(wish, None, warns=defaults)
    changed = Wish(other or name, (*defaults.mods, *mods), switches, profile, one.program.players)
    sides = (one, compiled_game(changed, None, warns=defaults))
    plan = Plan(games, None, seed, engine, workers, version=version())
    plans = (plan, replace(plan, profile=profile, chosen=switches))
    try:
        tables = _tables(sides, line_ups, alone=alone)
        ready = [_ready(sides, plans, bots) for bots in tables]
    except (WrongPlan, NotComparable) as error:
        raise click.UsageError(str(error)) from None
    json_out = Output(json_file)
    with json_out:
        comparison = _compare(ready, games, until)
        json_out.write(lambda file: _write_json(file, comparison))
    show_comparison(comparison, report_console(is_taken=json_file == "-"), full=full)
    if json_out.error is not None:
        raise json_out.error
    whole = [each.is_early or each.pairs == games for each in comparison.line_ups]
    return 0 if all(whole) and len(whole) == len(ready) else INTERRUPTED


def _tables(
    sides: Sequence[CompiledGame], line_ups: Sequence[str], *, alone: bool
) -> list[list[str] | None]:
    """Who plays: each line-up by itself; None are all strategies of the variant."""
    tables: list[list[str] | None] = [listed(bots) for bots in line_ups] or [None]
    if alone:
        known = [bot for bot in sides[0].facts.strategies if bot != "random"]
        named = dict.fromkeys(bot for bots in tables for bot in bots or known)
        tables += [[bot] for bot in named]
    return tables


def _ready(
    sides: Sequence[CompiledGame], plans: Sequence[Plan], bots: list[str] | None
) -> Comparing:
    conductors = [
        Conductor(game, replace(plan, bots=bots), print_machine)
        for game, plan in zip(sides, plans, strict=True)
    ]
    return Comparing(conductors[0], conductors[1])


def _compare(ready: Sequence[Comparing], games: int, until: Until | None) -> Comparison:
    played = 0

    def count(progress: Progress) -> Callable[[int], None]:
        def advance(pairs: int) -> None:
            nonlocal played
            played += pairs
            progress.advance(played)

        return advance

    with stopping() as stop, Progress(games * len(ready), "pairs") as progress:
        return compare(ready, games, until=until, on_pairs=count(progress), should_stop=stop.is_set)


def _write_json(file: TextIO, comparison: Comparison) -> None:
    json.dump(as_json(comparison), file, indent=2, ensure_ascii=False)
    file.write("\n")
