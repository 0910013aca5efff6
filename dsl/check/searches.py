"""Searches over all subsets: only queries can go through so many cases."""

from __future__ import annotations

from dsl.check.keys import walk
from dsl.core import nodes as core
from dsl.diagnostics import Bag


def check_searches(bag: Bag, program: core.Program) -> None:
    """Report searches that are stored or passed on: there are too many cases for a list."""
    parts = (program.defines, program.routines, program.phases, program.options)
    sources: set[int] = set()
    for node in walk(tuple(part for named in parts for part in named.values())):
        if isinstance(node, core.Generator):
            sources.add(id(node.source))
        elif isinstance(node, core.Builtin) and node.name == "subsets" and id(node) not in sources:
            bag.error(
                "RW0623",
                node.span,
                f"`{node.name}` can only be gone through in a query",
                help=f"write `max(... for each x in {node.span.text})`, or `any(...)`",
            )
