"""Last passes over all functions: writes become wake bits and watch tests; circles through rules
count their depth.
"""

from __future__ import annotations

from interpreter.flat import build, faults, maintained, memo, waking, watches
from interpreter.flat import nodes as flat
from interpreter.flat.components import callees, closing_calls, targets
from interpreter.flat.context import Lowering
from interpreter.flat.reads import Wrote, reads_of
from interpreter.flat.tree import map_body


def settle_writes(low: Lowering) -> None:
    """Replaces every note of a write by what has to follow it. Conditions that follow a write are
    lowered before the first of them is put behind one: by then all is known that is read."""
    watched: dict[str, list[int]] = {}
    for number, watch in enumerate(low.program.watches):
        for read in reads_of(low, watch.condition):
            watched.setdefault(read.key, []).append(number)
    looks = {
        number: watches.look(low, number + 1)
        for number, watch in enumerate(low.program.watches)
        if watch.ends
    }
    upkeep = maintained.upkeep_of(low, {*watched, *waking.waited_for(low)})
    known = frozenset(low.kept_reads)

    def follow(stmt: flat.Stmt) -> flat.Body:
        if not isinstance(stmt, Wrote):
            return (stmt,)
        numbers = watched.get(stmt.key, [])
        waits = any(number not in looks for number in numbers)
        return (
            *maintained.after_write(low, upkeep, stmt),
            *memo.after_write(upkeep.remembered, stmt),
            *waking.after_write(low, stmt),
            *(looks[number] for number in numbers if number in looks),
            *((flat.SetScalar("pending", build.YES),) if waits else ()),
        )

    for function in list(low.out.functions.values()):
        function.body = map_body(function.body, follow)
    assert known == low.kept_reads, "a kept value was read for the first time behind a write"


# ---------------------------------------------------------------- depth


def settle_depth(low: Lowering) -> None:
    """Counts the depth of the calls that close a circle; before functions are put into each other,
    which depends on what else is compiled in."""
    program = low.out
    graph = {name: callees(program, function) for name, function in program.functions.items()}
    closing = closing_calls(graph, [name for name in ("run_phase",) if name in graph])
    depth = flat.Scalar("depth")
    for name, function in program.functions.items():
        if not any(caller == name for caller, _ in closing):
            continue

        def guard(stmt: flat.Stmt, name: str = name) -> flat.Body:
            if not isinstance(stmt, flat.Do):
                return (stmt,)
            if not any((name, called) in closing for called in targets(program, stmt.call)):
                return (stmt,)
            return (
                flat.SetScalar("depth", build.binary("+", depth, build.num(1))),
                flat.If(
                    flat.Bin(">", depth, build.num(faults.DEEPEST)), low.fault(faults.ENDLESS_RULES)
                ),
                stmt,
                flat.SetScalar("depth", build.binary("-", depth, build.num(1))),
            )

        function.body = map_body(function.body, guard)
