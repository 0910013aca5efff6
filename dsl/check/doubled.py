"""Two mods that change one thing at one happening: a field is set twice, a payment made twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from dsl.check import keys
from dsl.check.exclusion import can_both_apply
from dsl.check.world import World
from dsl.core import nodes as core
from dsl.core.types import IntType
from dsl.core.walking import walk
from dsl.diagnostics import Bag
from dsl.source import Span


def report_doubled(bag: Bag, world: World, program: core.Program) -> None:
    """Warn of rules of two mods that can both run at one happening and set the same field, or pay
    or move amounts between the same two; setting it to the same value is no clash."""
    if len(program.mods) < 2:
        return
    routines, phases = program.routines.values(), program.phases.values()
    happenings = [
        *((routine.befores, routine.afters) for routine in routines),
        *((phase.befores, phase.afters) for phase in phases),
    ]
    for befores, afters in happenings:
        hooks = [hook for hook in (*befores, *afters) if hook.layer in program.mods]
        for one, other in combinations(hooks, 2):
            if one.layer == other.layer or not can_both_apply(world, one, other):
                continue
            _report(bag, program, one, other)


def _report(bag: Bag, program: core.Program, one: core.Hook, other: core.Hook) -> None:
    first, second = _changes(program, one), _changes(program, other)
    for key in first.keys() & second.keys():
        (value, place), (other_value, other_place) = first[key], second[key]
        if value is not None and value == other_value:
            continue
        bag.warning(
            "RW0853",
            other_place,
            f"`{one.rule}` of `{one.layer}` and `{other.rule}` of `{other.layer}` change the same "
            "thing here, one after the other",
            also=[(place, f"the other one, of `{one.layer}`")],
            help="if both are not meant to happen, let their heads exclude each other",
        )
        return


_Change = tuple[str | None, Span]


def _changes(program: core.Program, hook: core.Hook) -> Mapping[str, _Change]:
    """What the body changes itself, under a key that is equal for rules that change the same: with
    the value that is set, where it is known before play, and the place."""
    names = {local: f"~{place}" for place, (local, _) in enumerate(hook.params)}
    return dict(_found(program, hook.body, names))


def _found(
    program: core.Program, body: core.Block, names: dict[str, str]
) -> Iterator[tuple[str, _Change]]:
    for stmt in walk(body):
        if isinstance(stmt, core.SetField):
            key = keys.key_of((stmt.subject, stmt.key), names)
            value = f"{stmt.value.value}" if isinstance(stmt.value, core.Const) else None
            yield f"{stmt.column} of {key}", (value, stmt.span)
        elif isinstance(stmt, core.MoveUnits):
            key = keys.key_of((stmt.from_subject, stmt.to_subject), names)
            yield f"{stmt.from_column} to {stmt.to_column} of {key}", (None, stmt.span)
        elif isinstance(stmt, core.Call):
            params = program.routines[stmt.routine].params
            if any(isinstance(type_, IntType) and type_.unit for _, type_ in params):
                parties = tuple(
                    arg
                    for (_, type_), arg in zip(params, stmt.args, strict=True)
                    if not isinstance(type_, IntType)
                )
                yield f"{stmt.routine} of {keys.key_of(parties, names)}", (None, stmt.span)
