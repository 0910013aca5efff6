"""`whenever`: a rule that comes when its condition turns true.

What only ends something is looked at after every write of what its condition reads; everything
else at the next question, the end of an option and the end of the phase. A condition that stays
true does not fire again: whether it held when it was looked at last is a part of the state. It is
also looked at when its body is done, so that a body that makes it false can come again at once.
"""

from __future__ import annotations

from dsl.core import nodes as core
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr.exprs import lower
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.core_tree import walk


def function(number: int) -> str:
    """The function with the body of a watch; numbers are from 1."""
    return f"watch_{number}"


def declare(low: Lowering, number: int) -> None:
    """The scalar that says whether the condition held when it was looked at last. Where the body
    ends the game there is no second time."""
    if not _ends_the_game(low.program.watches[number - 1]):
        low.out.scalars[_held(number)] = flat.ScalarDecl(_held(number), flat.INT, 0, "state")


def look(low: Lowering, number: int, fired: flat.Body = ()) -> flat.Stmt:
    """Runs the body if the condition has turned true. `fired`: what is done before that."""
    watch: core.Watch = low.program.watches[number - 1]
    holds = lower(low, Env(), watch.condition)
    run: flat.Body = (*fired, flat.Do(flat.Call(function(number), ())))
    held = _held(number)
    if _ends_the_game(watch):
        return flat.If(holds, run)
    turned: flat.Body = (flat.SetScalar(held, build.YES), *run)
    if not watch.ends:
        again = lower(low, Env(), watch.condition)
        turned = (*turned, flat.If(build.negate(again), (flat.SetScalar(held, build.NO),)))
    is_new = build.negate(flat.Scalar(held))
    return flat.If(holds, (flat.If(is_new, turned),), (flat.SetScalar(held, build.NO),))


def run_watches(low: Lowering) -> list[flat.Stmt]:
    """Looks at the watches that wait, if anything that they read was written."""
    if not low.has_waiting_watches:
        return []
    return [flat.If(flat.Scalar("pending"), (flat.Do(flat.Call("run_watches", ())),))]


def end_phases(low: Lowering) -> bool:
    """Whether any watch ends a phase: it has to know then whether that is running."""
    nodes = (node for watch in low.program.watches for stmt in watch.body for node in walk(stmt))
    return any(isinstance(node, core.End) and node.label != "game" for node in nodes)


def _held(number: int) -> str:
    return f"held_{number}"


def _ends_the_game(watch: core.Watch) -> bool:
    return any(isinstance(stmt, core.End) and stmt.label == "game" for stmt in watch.body)
