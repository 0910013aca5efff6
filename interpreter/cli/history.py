"""`rulewright history`, and the place of a history."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

import click
from rich.console import Console
from rich.text import Text

from interpreter.bundled import variants_dir
from interpreter.cli.consoles import report_console
from interpreter.cli.defaults import named_folder
from interpreter.cli.games import the_library
from interpreter.cli.output import Output
from interpreter.lab.history import NoHistory, Run, Shift, read_runs, shifts
from interpreter.lab.sweeping import number_of
from interpreter.playtest.grids import heading, make_grid

SHOWN = ("turns.mean", "limit", "place.gap")
FILE = "history.sqlite"


def history_file(name: str) -> Path:
    """Where the history of a variant lies: beside it; of those that come with Rulewright, in the
    user's data folder."""
    folder = named_folder(name, the_library())
    if folder is None:
        raise click.UsageError(f"There is no variant `{name}`.")
    if not folder.path.resolve().is_relative_to(variants_dir().resolve()):
        return folder.path / FILE
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "rulewright" / folder.name / FILE


@click.command()
@click.argument("name", metavar="NAME|PATH")
@click.option(
    "--diff",
    nargs=2,
    type=click.IntRange(min=1),
    metavar="N M",
    help="What differs between two lines, by their numbers.",
)
@click.option("--json", "json_file", metavar="FILE", help="Write it as JSON; - for stdout.")
def history_command(name: str, diff: tuple[int, int] | None, json_file: str | None) -> int:
    """List what playtests with --keep have said of a variant: a line for each meaning of its rules
    and each line-up."""
    file = history_file(name)
    if not file.exists():
        raise click.UsageError(f"Nothing is kept of `{name}`: `rulewright playtest {name} --keep`.")
    try:
        runs = read_runs(file)
    except NoHistory as error:
        raise click.UsageError(f"{error}.") from None
    json_out = Output(json_file)
    console = report_console(is_taken=json_file == "-")
    with json_out:
        if diff is None:
            written: object = {"format": 1, "runs": [asdict(run) for run in runs]}
            _show(name, runs, console)
        else:
            one, other = (_numbered(runs, number) for number in diff)
            found = shifts(one, other)
            written = {"format": 1, "a": one.number, "b": other.number,
                       "figures": [asdict(each) for each in found]}  # fmt: skip
            _show_diff(one, other, found, console)
        json_out.write(lambda out: print(json.dumps(written, indent=2), file=out))
    if json_out.error is not None:
        raise json_out.error
    return 0


def _numbered(runs: list[Run], number: int) -> Run:
    for run in runs:
        if run.number == number:
            return run
    known = ", ".join(str(run.number) for run in runs)
    raise click.UsageError(f"There is no line {number}; there are {known}.")


def _show(name: str, runs: list[Run], console: Console) -> None:
    console.print(Text(f"{name}: what playtests have said", style="bold"))
    grid = make_grid("", "rules", "bots", "games", *SHOWN)
    for run in runs:
        rules = f"{run.meaning[:8]} {run.options}".strip()
        told = [_told(run, id_) for id_ in SHOWN]
        bots = ", ".join(run.bots)
        grid.add_row(f"{run.number}  {run.time[:10]}", rules, bots, f"{run.games:,}", *told)
    console.print(grid)


def _told(run: Run, id_: str) -> str:
    seen = run.figures.get(id_)
    return "" if seen is None or seen.value is None else number_of(id_, seen.value)


def _show_diff(one: Run, other: Run, found: list[Shift], console: Console) -> None:
    console.print(Text(f"Lines {one.number} and {other.number}", style="bold"))
    for run in (one, other):
        text = f"  {run.number}  {run.time[:16]}  {run.meaning[:8]} {run.options}"
        console.print(Text(f"{text}  {', '.join(run.bots)}  {run.games:,} games"), soft_wrap=True)
    heading(console, "What differs")
    grid = make_grid("", str(one.number), str(other.number), "p")
    for each in found:
        values = [
            "?" if side.value is None else number_of(each.id, side.value)
            for side in (each.one, each.other)
        ]
        p = "" if each.p is None else "< 0.0001" if each.p < 0.0001 else f"{each.p:.4f}"
        grid.add_row(each.id, *values, p)
    console.print(grid)
    sure = [each.id for each in found if each.p is not None and each.p < 0.05]
    if one.meaning == other.meaning:
        console.print("  The rules mean the same in both.")
    console.print(f"  More than chance: {', '.join(sure) or 'nothing'}.", soft_wrap=True)
