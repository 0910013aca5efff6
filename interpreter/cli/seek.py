"""`rulewright seek`."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import TextIO

import click

from interpreter.cli.codes import FINDINGS, INTERRUPTED
from interpreter.cli.consoles import report_console
from interpreter.cli.options import Wish, game_options
from interpreter.cli.output import Output
from interpreter.cli.progress import Progress
from interpreter.cli.stopping import stopping
from interpreter.cli.turning import Turning, checked_ids, knobs_of, run_options
from interpreter.lab.knobs import Knob
from interpreter.lab.sampling import Sample
from interpreter.lab.seeking import Sought, seek, words_of
from interpreter.lab.sweeping import Point, Sweep, number_of, show_sweep
from interpreter.playtest.estimates import Estimate
from interpreter.playtest.machine import EngineName

_GOAL = re.compile(r"([a-z][a-z0-9_.]*) ?= ?(-?\d+(?:\.\d+)?) ?(%?)")


def _goal(_: click.Context, __: click.Parameter, value: str) -> tuple[str, float]:
    match = _GOAL.fullmatch(value.strip())
    if match is None:
        raise click.BadParameter("write FIGURE=NUMBER, such as turns.median=120 or place.1=25%")
    return match[1], float(match[2]) / (100 if match[3] else 1)


class _Stopped(Exception):
    """Ctrl-C was pressed."""


@click.command()
@click.argument("name", metavar="NAME|PATH")
@click.option(
    "--over",
    "knobs",
    metavar="X=A..B/N",
    multiple=True,
    required=True,
    callback=knobs_of,
    help="What is turned: a switch or a field of a thing, between two whole numbers; N values are "
    "looked at first.",
)
@click.option(
    "--goal",
    metavar="FIGURE=NUMBER",
    required=True,
    callback=_goal,
    help="What is wanted: turns.median=120, place.1=25%.",
)
@click.option(
    "--step",
    type=click.IntRange(min=1),
    default=1,
    metavar="N",
    show_default=True,
    help="How far values are from each other.",
)
@run_options(2_000, "How many games are played at each value, at first.")
@click.option("--json", "json_file", metavar="FILE", help="Write it as JSON; - for stdout.")
@game_options
def seek_command(
    name: str,
    knobs: tuple[Knob, ...],
    goal: tuple[str, float],
    step: int,
    games: int,
    bots: str | None,
    seed: int,
    workers: int | None,
    engine: EngineName | None,
    json_file: str | None,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> int:
    """Find the values of a switch or of a number of the data at which a figure reaches a goal.

    Ends with 1 where no value does.
    """
    if len(knobs) > 1:
        raise click.UsageError("One thing is turned at a time; `sweep` turns several.")
    (knob,) = knobs
    grid = _grid(knob, step)
    figure, wanted = goal
    wish = Wish(name, mods, switches, profile, players)
    samples: dict[int, Sample] = {}
    json_out = Output(json_file)
    with (
        json_out,
        Turning(wish, bots, seed, workers, engine) as turning,
        stopping() as stop,
        Progress(3 * len(grid) * games) as progress,
    ):

        def look(value: int, at_least: int) -> Estimate:
            sample = samples.get(value)
            if sample is None:
                sample = samples[value] = turning.sample(knob.set_to(str(value)))
            done = sum(each.games for each in samples.values()) - sample.games
            if sample.games < at_least:
                sample.play(
                    at_least - sample.games,
                    on_games=lambda _: progress.advance(done + sample.games),
                    should_stop=stop.is_set,
                )
            if stop.is_set():
                raise _Stopped
            checked_ids(sample, [figure])
            return sample.figure(figure)

        try:
            sought = seek(look, grid, wanted, games, step)
        except _Stopped:
            click.echo("Interrupted.", err=True)
            return INTERRUPTED
        said = words_of(sought, knob.name, figure, lambda value: number_of(figure, value))
        json_out.write(lambda file: _write_json(file, sought, knob.name, figure, said))
    points = tuple(
        Point((str(value),), samples[value].games, {figure: seen}) for value, seen in sought.points
    )
    sweep = Sweep(f"{name}: {figure} over {knob.name}", (knob,), (figure,), points)
    console = report_console(is_taken=json_file == "-")
    show_sweep(sweep, console)
    console.print(f"\n{said}", soft_wrap=True)
    if json_out.error is not None:
        raise json_out.error
    return 0 if sought.answers else FINDINGS


def _grid(knob: Knob, step: int) -> list[int]:
    try:
        values = [int(value) for value in knob.values]
    except ValueError:
        raise click.UsageError("Only between whole numbers can be looked for a value.") from None
    first = min(values)
    grid = sorted({first + round((value - first) / step) * step for value in values})
    if len(grid) < 2:
        raise click.UsageError("There is nothing between these values.")
    return grid


def _write_json(file: TextIO, sought: Sought, name: str, figure: str, said: str) -> None:
    written = {
        "format": 1,
        "knob": name,
        "figure": figure,
        "goal": sought.goal,
        "answers": [asdict(each) for each in sought.answers],
        "points": [{"at": at, **asdict(seen)} for at, seen in sought.points],
        "said": said,
    }
    json.dump(written, file, indent=2, ensure_ascii=False)
    file.write("\n")
