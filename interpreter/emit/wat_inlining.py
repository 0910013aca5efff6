"""Which functions WebAssembly code has where they are called instead of calling them.

Flat core has taken in what it can without a jump out of the middle of a loop, which Python does not
have and WebAssembly has.
"""

from __future__ import annotations

from collections import Counter

from interpreter.flat.ir import nodes as n
from interpreter.flat.ir.tree import all_nodes

SMALL = 30
"""The most nodes of a function that is put wherever it is called."""

ONCE = 1500
"""The most nodes of one that is called in one place."""


def inlined_functions(program: n.Program) -> set[str]:
    """The names of the functions; none of them calls itself, in whatever way."""
    calls: dict[str, set[str]] = {}
    uses: Counter[str] = Counter()
    sizes: dict[str, int] = {}
    rows: set[str] = set()
    for name, function in program.functions.items():
        called = calls[name] = set()
        sizes[name] = 0
        for node in all_nodes(function.body):
            sizes[name] += 1
            match node:
                case n.Call(function=other):
                    called.add(other)
                    uses[other] += 1
                case n.CallBy(table=table):
                    called.update(program.dispatch[table])
                case n.AskSeat(site=site):
                    called.update(functions[site] for functions in program.strategies.values())
                case n.NewRow():
                    rows.add(name)
                case _:
                    pass
    return {
        name
        for name, size in sizes.items()
        if (size <= SMALL or (size <= ONCE and uses[name] == 1))
        and name not in rows
        and not _reaches(calls, name)
    }


def _reaches(calls: dict[str, set[str]], name: str) -> bool:
    """Whether a function can come to be called by itself."""
    seen: set[str] = set()
    waiting = list(calls[name])
    while waiting:
        other = waiting.pop()
        if other == name:
            return True
        if other not in seen:
            seen.add(other)
            waiting += calls.get(other, ())
    return False
