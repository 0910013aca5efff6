"""The call graph of a flat program: who calls whom, and which calls run in circles."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from interpreter.flat import nodes as flat
from interpreter.flat.tree import all_nodes

Graph = Mapping[str, set[str]]


def targets(program: flat.Program, call: object) -> tuple[str, ...]:
    """The functions that a call may run; none of the answers of seats."""
    match call:
        case flat.Call(function=name):
            return (name,)
        case flat.CallBy(table=table):
            return program.dispatch[table]
        case _:
            return ()


def callees(program: flat.Program, function: flat.Function) -> set[str]:
    """The functions that a function calls."""
    found: set[str] = set()
    for node in all_nodes(function.body):
        if isinstance(node, (flat.Call, flat.CallBy)):
            found.update(targets(program, node))
    return found


def callees_first(graph: Graph) -> list[str]:
    """All functions, callees before callers; within a circle as they come."""
    return [name for members in _connected(graph) for name in reversed(members)]


def _connected(graph: Graph) -> Iterator[list[str]]:
    """Strongly connected components (Tarjan), callees first, without recursion."""
    index: dict[str, int] = {}
    lowest: dict[str, int] = {}
    done: set[str] = set()
    stack: list[str] = []
    for root in list(graph):
        if root in index:
            continue
        work: list[tuple[str, Iterator[str]]] = [(root, iter(sorted(graph[root])))]
        index[root] = lowest[root] = len(index)
        stack.append(root)
        while work:
            node, going = work[-1]
            callee = next(going, None)
            if callee is not None:
                if callee not in index:
                    index[callee] = lowest[callee] = len(index)
                    stack.append(callee)
                    work.append((callee, iter(sorted(graph[callee]))))
                elif callee not in done:
                    lowest[node] = min(lowest[node], index[callee])
                continue
            work.pop()
            if work:
                lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
            if lowest[node] == index[node]:
                at = stack.index(node)
                members = stack[at:]
                del stack[at:]
                done.update(members)
                yield members


def closing_calls(graph: Graph, roots: list[str]) -> set[tuple[str, str]]:
    """The calls that close a circle, found by going down from the roots: without them no function
    could run again within itself."""
    found: set[tuple[str, str]] = set()
    state: dict[str, int] = {}  # 1 on the way down, 2 done
    for root in [*roots, *graph]:
        if root in state:
            continue
        state[root] = 1
        work: list[tuple[str, Iterator[str]]] = [(root, iter(sorted(graph[root])))]
        while work:
            node, going = work[-1]
            callee = next(going, None)
            if callee is None:
                state[node] = 2
                work.pop()
            elif callee not in state:
                state[callee] = 1
                work.append((callee, iter(sorted(graph[callee]))))
            elif state[callee] == 1:
                found.add((node, callee))
    return found
