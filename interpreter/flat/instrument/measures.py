"""Measures: counters that rules declare, kept in columns that are no part of the game."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dsl.core import nodes as core
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat


@dataclass(slots=True)
class _Measured:
    """The hooks of measures by what they hook, and measures by the name of their hook."""

    hooks: dict[str, list[tuple[core.Hook, Literal["before", "after"]]]] = field(
        default_factory=dict
    )
    measures: dict[str, core.Measure] = field(default_factory=dict)


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
        measured = low.own(_Measured)
        measured.hooks.setdefault(measure.routine, []).append((measure.hook, measure.timing))
        measured.measures[measure.hook.rule] = measure


def hooks(low: Lowering, routine: str) -> list[tuple[core.Hook, Literal["before", "after"]]]:
    """The measures that hook a routine or phase."""
    return low.own(_Measured).hooks.get(routine, [])


def body(low: Lowering, env: Env, hook: core.Hook) -> flat.Body | None:
    """The counting of a measure's hook; None for an ordinary rule."""
    measure = low.own(_Measured).measures.get(hook.rule)
    if measure is None or measure.hook is not hook:
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
