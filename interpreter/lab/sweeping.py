"""Figures over a range of values: as tables, as a plot of signs, and as rows."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import TextIO

from rich.console import Console
from rich.text import Text

from interpreter.lab.knobs import Knob
from interpreter.playtest.estimates import Estimate, is_share
from interpreter.playtest.grids import heading, make_grid

PLOT_WIDTH = 44
WIDEST = 30


@dataclass(frozen=True, slots=True)
class Point:
    """What was seen at some values of the knobs, by the ids of figures."""

    values: tuple[str, ...]
    games: int
    figures: dict[str, Estimate]


@dataclass(frozen=True, slots=True)
class Sweep:
    """All points, in the order of the values; the last knob runs fastest."""

    title: str
    knobs: tuple[Knob, ...]
    shown: tuple[str, ...]
    points: tuple[Point, ...]


def combinations(knobs: Sequence[Knob]) -> Iterator[tuple[str, ...]]:
    """All values of the knobs with each other; the last one runs fastest."""
    yield from product(*(knob.values for knob in knobs))


def turned(knobs: Sequence[Knob], values: Sequence[str]) -> dict[str, str]:
    """Switches and fields with their values, at some values of the knobs."""
    found: dict[str, str] = {}
    for knob, value in zip(knobs, values, strict=True):
        found |= knob.set_to(value)
    return found


def show_sweep(sweep: Sweep, console: Console) -> None:
    """Prints a table and, for each figure, a plot with its intervals."""
    console.print(Text(sweep.title, style="bold"))
    names = [knob.name for knob in sweep.knobs]
    what = ", ".join(names)
    grid = make_grid(what if len(what) <= WIDEST else "", *sweep.shown, "games")
    for point in sweep.points:
        told = [_told(id_, point.figures[id_]) for id_ in sweep.shown]
        grid.add_row(", ".join(point.values), *told, f"{point.games:,}")
    console.print(grid)
    for id_ in sweep.shown:
        estimates = [point.figures[id_] for point in sweep.points]
        bounds = _bounds(estimates)
        if bounds is None:
            continue
        low, high = (number_of(id_, bound) for bound in bounds)
        heading(console, f"{id_}: from {low} on the left to {high} on the right")
        width = max(len(", ".join(point.values)) for point in sweep.points)
        for point, estimate in zip(sweep.points, estimates, strict=True):
            line = _line(estimate, *bounds)
            console.print(Text(f"  {', '.join(point.values):>{width}}  {line}"), soft_wrap=True)


def _told(id_: str, estimate: Estimate) -> str:
    low, high = (
        "?" if bound is None else number_of(id_, bound) for bound in (estimate.low, estimate.high)
    )
    value = "not reached" if estimate.value is None else number_of(id_, estimate.value)
    return f"{value} ({low} to {high})"


def number_of(id_: str, value: float) -> str:
    """A figure as people read it."""
    if is_share(id_):
        return f"{100 * value:.1f} %"
    return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.4g}"


def _bounds(estimates: Sequence[Estimate]) -> tuple[float, float] | None:
    """The least and the greatest that has to be drawn."""
    lows = [each.low for each in estimates if each.low is not None]
    highs = [each.high for each in estimates if each.high is not None]
    return (min(lows), max(highs)) if lows and highs else None


def _line(estimate: Estimate, low: float, high: float) -> str:
    """An interval with its value in it, between the bounds of a plot."""

    def place(value: float) -> int:
        return round((value - low) / max(high - low, 1e-12) * (PLOT_WIDTH - 1))

    start = 0 if estimate.low is None else place(estimate.low)
    end = PLOT_WIDTH - 1 if estimate.high is None else place(estimate.high)
    signs = [" "] * start + ["─"] * (end - start + 1) + [" "] * (PLOT_WIDTH - 1 - end)
    if estimate.value is not None:
        signs[place(estimate.value)] = "●"
    return "".join(signs).rstrip()


# ---------------------------------------------------------------- for programs


def write_rows(sweep: Sweep, file: TextIO) -> None:
    """A row for each point and figure."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(
        [*(knob.name for knob in sweep.knobs), "games", "figure", "value", "low", "high"]
    )
    for point in sweep.points:
        for id_, each in point.figures.items():
            row = [*point.values, point.games, id_, each.value, each.low, each.high]
            writer.writerow(["" if cell is None else cell for cell in row])


def as_json(sweep: Sweep) -> dict[str, object]:
    """The sweep as plain values."""
    names = [knob.name for knob in sweep.knobs]
    return {
        "format": 1,
        "knobs": [{"name": knob.name, "values": list(knob.values)} for knob in sweep.knobs],
        "points": [
            {
                "values": dict(zip(names, point.values, strict=True)),
                "games": point.games,
                "figures": {id_: asdict(each) for id_, each in point.figures.items()},
            }
            for point in sweep.points
        ],
    }
