"""The end of lowering: notes of writes become wake bits and watch tests."""

from __future__ import annotations

from interpreter.flat.context.lowering import Lowering
from interpreter.flat.incremental import maintained, memo, waking
from interpreter.flat.incremental.reads import reads_of
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import map_body
from interpreter.flat.plan.keeping import KeptReads
from interpreter.flat.stmt import watches


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
    known = frozenset(low.own(KeptReads).defines)

    def follow(stmt: flat.Stmt) -> flat.Body:
        if not isinstance(stmt, flat.WriteMarker):
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
    assert known == low.own(KeptReads).defines, (
        "a kept value was read for the first time behind a write"
    )
