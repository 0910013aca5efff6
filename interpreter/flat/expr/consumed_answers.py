"""Answers that at once take away what was picked: `which token in player.tokens`, and the first
thing that the option does is to drop the token. A line that found the only one is done, and need
not be looked at again before another one comes.
"""

from __future__ import annotations

from dsl.core import nodes as core
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import sets

SILENT = (core.Let, core.SetField, core.MoveUnits, core.MoveThings, core.Drop)


def is_taken(low: Lowering, option: core.Option, generator: core.Generator) -> bool:
    """Whether an option surely takes the picked item out of what a generator goes through, before
    anything can happen that the game goes on from in another way."""
    if not low.does("taken"):
        return False
    if any(watch.ends and not _ends_game(watch) for watch in low.program.watches):
        return False
    return _in_body(low, option.body, generator.variable, generator)


def _ends_game(watch: core.Watch) -> bool:
    acts = [stmt for stmt in watch.body if not isinstance(stmt, core.Say)]
    return all(isinstance(stmt, core.End) and stmt.label == "game" for stmt in acts)


def _in_body(low: Lowering, body: core.Block, name: str, generator: core.Generator) -> bool:
    for stmt in body:
        if _takes(stmt, name, generator):
            return True
        if isinstance(stmt, core.Call):
            return _in_call(low, stmt, name, generator)
        if not isinstance(stmt, SILENT) or (isinstance(stmt, core.Let) and stmt.name == name):
            return False
    return False


def _in_call(low: Lowering, call: core.Call, name: str, generator: core.Generator) -> bool:
    routine = low.program.routines[call.routine]
    if routine.befores or routine.insteads:
        return False
    for (parameter, _), arg in zip(routine.params, call.args, strict=True):
        if isinstance(arg, core.Local) and arg.name == name:
            return _in_body(low, routine.body, parameter, generator)
    return False


def _takes(stmt: core.Stmt, name: str, generator: core.Generator) -> bool:
    match stmt:
        case core.Drop(thing=core.Local(name=thing)):
            return thing == name
        case core.MoveThings(things=core.Local(name=thing), zone=zone):
            source = generator.source
            return thing == name and isinstance(source, core.ZoneItems) and source.zone != zone
        case core.SetField(
            column=column, subject=core.Local(name=thing), value=core.Const(value=value)
        ):
            return thing == name and _wanted(generator, column) == 1 - value
        case _:
            return False


def _wanted(generator: core.Generator, column: str) -> int | None:
    """What a flag of the items must be, as a number."""
    for one in sets.conjuncts(generator.where):
        flag = one.operand if isinstance(one, core.Not) else one
        if isinstance(flag, core.Field) and flag.column == column:
            item = flag.subject
            if isinstance(item, core.Local) and item.name == generator.variable:
                return int(not isinstance(one, core.Not))
    return None
