"""Coverage: how often every rule, option and answer ran, as one measure column."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

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


def never(counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """What was counted and never ran, and how it is called. An option that is counted in each of
    its windows is named once if it was never taken, and else with the windows that lacked it.
    """
    everywhere: Counter[str] = Counter()
    for label, times in counts.items():
        everywhere[label.partition("@")[0]] += times
    named: set[str] = set()
    for label, times in counts.items():
        whole, _, window = label.partition("@")
        if times or whole in named:
            continue
        if everywhere[whole]:
            yield label, f"{whole.partition(' ')[2]} in {window}"
        else:
            named.add(whole)
            yield label, whole.partition(" ")[2]
