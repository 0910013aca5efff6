"""Coverage: how often every rule, option and answer ran, as one measure column."""

from __future__ import annotations

from interpreter.flat import build
from interpreter.flat import nodes as flat
from interpreter.flat.context import Lowering


def cover(low: Lowering, what: str) -> list[flat.Stmt]:
    """The counting of one thing that can run; nothing where coverage is off."""
    if not low.options.coverage:
        return []
    number = low.covered.setdefault(what, len(low.covered))
    return [flat.AddCell("coverage", build.num(number), build.num(1))]


def declare(low: Lowering) -> None:
    """The column of all counts, once everything that can run is known."""
    if low.options.coverage:
        low.out.coverage = tuple(low.covered)
        cells = (0,) * max(1, len(low.covered))
        low.out.columns["coverage"] = flat.ColumnDecl("coverage", flat.INT, cells, "measure")
