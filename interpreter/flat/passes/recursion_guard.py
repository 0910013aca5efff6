"""The pass that counts the depth of calls: rules that set each other off may not do so for ever."""

from __future__ import annotations

from interpreter.flat.analysis.components import callees, closing_calls, targets
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import map_body
from interpreter.flat.plan import faults

ROOT = "run_phase"
DEPTH = "depth"


def guard_recursion(program: flat.Program) -> None:
    """Counts the depth of the calls that close a circle; before functions are put into each other,
    which depends on what else is compiled in."""
    graph = {name: callees(program, function) for name, function in program.functions.items()}
    closing = closing_calls(graph, [name for name in (ROOT,) if name in graph])
    depth = flat.Scalar(DEPTH)
    for name, function in program.functions.items():
        if not any(caller == name for caller, _ in closing):
            continue

        def guard(stmt: flat.Stmt, name: str = name) -> flat.Body:
            if not isinstance(stmt, flat.Do):
                return (stmt,)
            if not any((name, called) in closing for called in targets(program, stmt.call)):
                return (stmt,)
            return (
                flat.SetScalar(DEPTH, build.binary("+", depth, build.num(1))),
                flat.If(flat.Bin(">", depth, build.num(faults.DEEPEST)), program.too_deep),
                stmt,
                flat.SetScalar(DEPTH, build.binary("-", depth, build.num(1))),
            )

        function.body = map_body(function.body, guard)
