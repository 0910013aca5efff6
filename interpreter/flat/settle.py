"""Last passes over all functions: writes become wake bits and watch tests; circles through rules
count their depth.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core import nodes as core
from interpreter.flat import build, memo, waking
from interpreter.flat import nodes as flat
from interpreter.flat.context import Env, Lowering
from interpreter.flat.exprs import lower
from interpreter.flat.reads import Wrote, reads_of
from interpreter.flat.tree import all_nodes, map_body

DEPTH = 32


def settle_writes(low: Lowering) -> None:
    """Replaces every note of a write by what has to follow it."""
    watched: dict[str, list[int]] = {}
    for number, watch in enumerate(low.program.watches):
        for read in reads_of(low, watch.condition):
            watched.setdefault(read.key, []).append(number)

    def follow(stmt: flat.Stmt) -> flat.Body:
        if not isinstance(stmt, Wrote):
            return (stmt,)
        woken = (*memo.after_write(low, stmt), *waking.after_write(low, stmt))
        return (*woken, *_test_watches(low, watched.get(stmt.key, [])))

    for function in list(low.out.functions.values()):
        function.body = map_body(function.body, follow)


def _test_watches(low: Lowering, numbers: list[int]) -> list[flat.Stmt]:
    stmts: list[flat.Stmt] = []
    for number in numbers:
        watch: core.Watch = low.program.watches[number]
        if watch.ends:
            call = flat.Do(flat.Call(f"watch_{number + 1}", ()))
            stmts.append(flat.If(lower(low, Env(), watch.condition), (call,)))
    if any(not low.program.watches[number].ends for number in numbers):
        stmts.append(flat.SetScalar("pending", build.YES))
    return stmts


# ---------------------------------------------------------------- depth


def settle_depth(low: Lowering, guarded: set[str]) -> None:
    """Counts the depth of calls that lie on a circle, at the calls of routines and events."""
    graph = {name: _callees(low, function) for name, function in low.out.functions.items()}
    component = _components(graph)
    sizes: dict[int, int] = {}
    for number in component.values():
        sizes[number] = sizes.get(number, 0) + 1
    depth = flat.Scalar("depth")
    words = "rules set each other off without end"
    for name, function in low.out.functions.items():
        here = component[name]
        if sizes[here] == 1 and name not in graph[name]:
            continue

        def guard(stmt: flat.Stmt, here: int = here) -> flat.Body:
            if not isinstance(stmt, flat.Do):
                return (stmt,)
            called = _targets(low, stmt.call)
            if not any(target in guarded and component[target] == here for target in called):
                return (stmt,)
            return (
                flat.SetScalar("depth", build.binary("+", depth, build.num(1))),
                flat.If(flat.Bin(">", depth, build.num(DEPTH)), low.fault(words)),
                stmt,
                flat.SetScalar("depth", build.binary("-", depth, build.num(1))),
            )

        function.body = map_body(function.body, guard)


def _targets(low: Lowering, call: flat.Expr) -> tuple[str, ...]:
    match call:
        case flat.Call(function=name):
            return (name,)
        case flat.CallBy(table=table):
            return low.out.dispatch[table]
        case _:
            return ()


def _callees(low: Lowering, function: flat.Function) -> set[str]:
    found: set[str] = set()
    for node in all_nodes(function.body):
        if isinstance(node, (flat.Call, flat.CallBy)):
            found.update(_targets(low, node))
    return found


def _components(graph: dict[str, set[str]]) -> dict[str, int]:
    """Strongly connected components (Tarjan), without recursion."""
    index: dict[str, int] = {}
    lowest: dict[str, int] = {}
    component: dict[str, int] = {}
    stack: list[str] = []
    for root in graph:
        if root in index:
            continue
        work: list[tuple[str, Iterator[str]]] = [(root, iter(sorted(graph[root])))]
        index[root] = lowest[root] = len(index)
        stack.append(root)
        while work:
            node, callees = work[-1]
            for callee in callees:
                if callee not in index:
                    index[callee] = lowest[callee] = len(index)
                    stack.append(callee)
                    work.append((callee, iter(sorted(graph[callee]))))
                    break
                if callee not in component:
                    lowest[node] = min(lowest[node], index[callee])
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[node])
                if lowest[node] == index[node]:
                    number = len(component)
                    while True:
                        member = stack.pop()
                        component[member] = number
                        if member == node:
                            break
    return component
