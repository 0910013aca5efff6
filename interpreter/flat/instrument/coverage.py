"""Coverage: how often every rule, option and answer ran, as one measure column."""

from __future__ import annotations

import collections
from collections.abc import Iterator, Mapping

from interpreter.flat.context.instruments import Counter
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat


class Coverage(Counter):
    """Counts what runs in one measure column, a cell for each thing that can run."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def count(self, what: str) -> list[flat.Stmt]:
        """The counting of one thing that can run."""
        number = self._numbers.setdefault(what, len(self._numbers))
        return [flat.AddCell("coverage", build.num(number), build.num(1))]

    def declare(self, out: flat.Program) -> None:
        """The column of all counts."""
        out.coverage = tuple(self._numbers)
        cells = (0,) * max(1, len(self._numbers))
        out.columns["coverage"] = flat.ColumnDecl("coverage", flat.INT, cells, "measure")


def never(counts: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    """What was counted and never ran, and how it is called. An option that is counted in each of
    its windows is named once if it was never taken, and else with the windows that lacked it.
    """
    everywhere: collections.Counter[str] = collections.Counter()
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
