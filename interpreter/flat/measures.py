"""Measures: counters that rules declare, kept in columns that are no part of the game."""

from __future__ import annotations

from typing import Literal

from dsl.core import nodes as core
from interpreter.flat import build
from interpreter.flat import nodes as flat
from interpreter.flat.context import Env, Lowering


def declare(low: Lowering) -> None:
    """Declares the counters of all measures, where measures are compiled in."""
    if not low.options.measures:
        return
    for number, measure in enumerate(low.program.measures.values(), 1):
        cells = 1
        for _, size in measure.axes:
            cells *= size
        column = f"measure_{number}"
        low.out.columns[column] = flat.ColumnDecl(column, flat.INT, (0,) * cells, "measure")
        low.out.measures[measure.name] = flat.MeasureInfo(
            measure.name, measure.title, column, measure.axes
        )
        low.measured.setdefault(measure.routine, []).append((measure.hook, measure.timing))
        low.measure_of[id(measure.hook)] = measure


def hooks(low: Lowering, routine: str) -> list[tuple[core.Hook, Literal["before", "after"]]]:
    """The measures that hook a routine or phase."""
    return low.measured.get(routine, [])


def body(low: Lowering, env: Env, hook: core.Hook) -> flat.Body | None:
    """The counting of a measure's hook; None for an ordinary rule."""
    measure = low.measure_of.get(id(hook))
    if measure is None:
        return None
    index: flat.Expr = build.num(0)
    for per, (_, size) in zip(measure.per, measure.axes, strict=True):
        position = low.expr(env, per)
        bounded = build.binary(
            "max", build.num(0), build.binary("min", position, build.num(size - 1))
        )
        index = build.binary("+", build.binary("*", index, build.num(size)), bounded)
    column = low.out.measures[measure.name].column
    return (flat.AddCell(column, index, low.expr(env, measure.value)),)
