"""Searches over all subsets: only queries can go through so many cases."""

from __future__ import annotations

from dsl.check.gathered import Gathered, pieces
from dsl.core import nodes as core
from dsl.diagnostics import Bag


def check_searches(bag: Bag, program: core.Program, nodes: Gathered) -> None:
    """Report searches that are stored or passed on: there are too many cases for a list."""
    parts = (*(define.variants for define in program.defines.values()), *pieces(program))
    sources = {id(generator.source) for generator in nodes.of(core.Generator, *parts)}
    for node in nodes.of(core.Builtin, *parts):
        if node.name == "subsets" and id(node) not in sources:
            bag.error(
                "RW0623",
                node.span,
                f"`{node.name}` can only be gone through in a query",
                help=f"write `max(... for each x in {node.span.text})`, or `any(...)`",
            )
