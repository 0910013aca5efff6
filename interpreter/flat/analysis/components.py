"""The call graph of a flat program: who calls whom, and which calls run in circles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import all_nodes

Graph = Mapping[str, Iterable[str]]


def targets(program: flat.Program, call: object) -> tuple[str, ...]:
    """The functions that a call may run; none of the answers of seats."""
    match call:
        case flat.Call(function=name):
            return (name,)
        case flat.CallBy(table=table):
            return program.dispatch[table]
        case _:
            return ()


def callees(program: flat.Program, function: flat.Function) -> tuple[str, ...]:
    """The functions that a function calls, in the order in which they are met."""
    return called(program, all_nodes(function.body))


def called(program: flat.Program, nodes: Iterable[object]) -> tuple[str, ...]:
    """The functions that are called in some nodes, in the order in which they are met."""
    found: dict[str, None] = {}
    for node in nodes:
        if isinstance(node, (flat.Call, flat.CallBy)):
            found.update(dict.fromkeys(targets(program, node)))
    return tuple(found)


def callees_first(graph: Graph, roots: Sequence[str] = ()) -> list[str]:
    """All functions, callees before callers; of a circle, the one that is reached first from the
    roots comes last.
    """
    return _went_down({name: sorted(called) for name, called in graph.items()}, roots)[0]


def closing_calls(graph: Graph, roots: Sequence[str]) -> set[tuple[str, str]]:
    """The calls that close a circle, found by going down from the roots, calls in their order:
    without them no function could run again within itself."""
    return _went_down(graph, roots)[1]


def _went_down(graph: Graph, roots: Sequence[str]) -> tuple[list[str], set[tuple[str, str]]]:
    order: list[str] = []
    closing: set[tuple[str, str]] = set()
    state: dict[str, int] = {}  # 1 on the way down, 2 done
    for root in [*roots, *graph]:
        if root in state:
            continue
        state[root] = 1
        work: list[tuple[str, Iterator[str]]] = [(root, iter(graph[root]))]
        while work:
            node, going = work[-1]
            callee = next(going, None)
            if callee is None:
                state[node] = 2
                order.append(node)
                work.pop()
            elif callee not in state:
                state[callee] = 1
                work.append((callee, iter(graph[callee])))
            elif state[callee] == 1:
                closing.add((node, callee))
    return order, closing
