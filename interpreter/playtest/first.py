"""Notes for each game who had the first turn, so that wins can be told by place in the order.

The first player is who stands in the field that a phase hands on to the next player, when such a
phase begins for the first time. The note is scratch: it changes no game.
"""

from __future__ import annotations

from dsl.core import nodes as core
from dsl.core.types import RefType
from interpreter.emit.layout import RECORDED
from interpreter.flat.context.layout import Layout
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.core_tree import walk
from interpreter.playtest.tally import FIRST


def note_first(program: core.Program, out: flat.Program) -> None:
    """Adds the note to a lowered program."""
    if FIRST not in RECORDED or FIRST in out.scalars:
        return
    layout = Layout(program, flat.Program(program.variant, program.players))
    driver = out.functions["run_phase"]
    for number, phase in enumerate(program.phases.values()):
        column = _handed_on(program, phase)
        if column is None or layout.fields[column].shape != "scalar":
            continue
        out.scalars[FIRST] = flat.ScalarDecl(FIRST, flat.INT, -1, "scratch")
        is_first = flat.And(
            flat.Bin("<", flat.Scalar(FIRST), flat.Num(0)),
            flat.Bin("==", flat.Scalar("phase"), flat.Num(number)),
        )
        note = flat.SetScalar(FIRST, flat.Scalar(layout.fields[column].name))
        driver.body = (flat.If(is_first, (note,)), *driver.body)


def _handed_on(program: core.Program, phase: core.Phase) -> str | None:
    """The field of a thing, with a player in it, that a phase sets when it is over."""
    for stmt in phase.then:
        for node in walk(stmt):
            if (
                isinstance(node, core.SetField)
                and isinstance(node.subject, core.Const)
                and _is_player(program, program.columns[node.column].type)
            ):
                return node.column
    return None


def _is_player(program: core.Program, type_: object) -> bool:
    return isinstance(type_, RefType) and type_.kind == program.player_kind
