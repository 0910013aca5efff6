"""`rulewright sweep`."""

from __future__ import annotations

import json
from functools import partial
from math import prod
from typing import TextIO

import click

from interpreter.cli.codes import INTERRUPTED
from interpreter.cli.consoles import report_console
from interpreter.cli.options import Wish, game_options, listed
from interpreter.cli.output import Output
from interpreter.cli.progress import Progress
from interpreter.cli.stopping import stopping
from interpreter.cli.turning import Turning, checked_ids, knobs_of, run_options
from interpreter.lab.knobs import Knob
from interpreter.lab.sampling import Sample
from interpreter.lab.sweeping import (
    Point,
    Sweep,
    as_json,
    combinations,
    show_sweep,
    turned,
    write_rows,
)
from interpreter.playtest.machine import EngineName

SHOWN = "turns.mean,turns.median,place.1"


@click.command()
@click.argument("name", metavar="NAME|PATH")
@click.option(
    "--over",
    "knobs",
    metavar="X=A..B/N",
    multiple=True,
    required=True,
    callback=knobs_of,
    help="What is turned, and to which values: a switch (starting_cash=700..3500/8: eight values) "
    "or a field of a thing (new_york.price=120,160,200). Several: all with each other.",
)
@click.option(
    "--show",
    metavar="FIGURES",
    default=SHOWN,
    show_default=True,
    help="The ids of the figures that are shown, with commas between them.",
)
@run_options(2_000, "How many games are played at each point.")
@click.option("--csv", "csv_file", metavar="FILE", help="Write one row per figure; - for stdout.")
@click.option("--json", "json_file", metavar="FILE", help="Write it as JSON; - for stdout.")
@game_options
def sweep_command(
    name: str,
    knobs: tuple[Knob, ...],
    show: str,
    games: int,
    bots: str | None,
    seed: int,
    workers: int | None,
    engine: EngineName | None,
    csv_file: str | None,
    json_file: str | None,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> int:
    """Play a game over a range of values of its switches and data, and show how figures follow.

    All points have the same seed: they differ by what is turned, not by luck.
    """
    if json_file == csv_file == "-":
        raise click.UsageError("Only one of --json and --csv can go to stdout.")
    if len({knob.name for knob in knobs}) < len(knobs):
        raise click.UsageError("Each --over turns something else.")
    shown = tuple(listed(show))
    wish = Wish(name, mods, switches, profile, players)
    count = prod(len(knob.values) for knob in knobs)
    points: list[Point] = []
    csv_out, json_out = Output(csv_file), Output(json_file)
    with csv_out, json_out:
        with (
            Turning(wish, bots, seed, workers, engine) as turning,
            stopping() as stop,
            Progress(count * games) as progress,
        ):
            for values in combinations(knobs):
                sample = turning.sample(turned(knobs, values))
                advance = partial(_advance, progress, len(points) * games, sample)
                sample.play(games, on_games=advance, should_stop=stop.is_set)
                if stop.is_set():
                    break
                checked_ids(sample, shown)
                figures = {id_: sample.figure(id_) for id_ in shown}
                points.append(Point(values, sample.games, figures))
        title = f"{name}: {shown[0] if len(shown) == 1 else f'{len(shown)} figures'} over "
        title += ", ".join(knob.name for knob in knobs)
        sweep = Sweep(title, knobs, shown, tuple(points))
        csv_out.write(lambda file: write_rows(sweep, file))
        json_out.write(lambda file: _write_json(file, sweep))
    if points:
        show_sweep(sweep, report_console(is_taken="-" in (csv_file, json_file)))
    for output in (csv_out, json_out):
        if output.error is not None:
            raise output.error
    return 0 if len(points) == count else INTERRUPTED


def _advance(progress: Progress, before: int, sample: Sample, _: int) -> None:
    progress.advance(before + sample.games)


def _write_json(file: TextIO, sweep: Sweep) -> None:
    json.dump(as_json(sweep), file, indent=2, ensure_ascii=False)
    file.write("\n")
