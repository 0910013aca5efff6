"""Measures and rules `after` what may be left early: they do not come then. A warning each."""

from __future__ import annotations

from dsl.check.merged import Merged
from dsl.check.order import Ends
from dsl.core import nodes as core
from dsl.diagnostics import Bag

GAME = "game"


def report_leaving(bag: Bag, merged: Merged, program: core.Program) -> None:
    """Warn of a measure of the variant or its mods that misses what ends a turn or the game, and of
    a rule that does not come where the turn is ended. (That nothing comes after the end of the game
    is what a rule may count on.)"""
    own = {merged.variant, *merged.mods}
    ends = Ends(program)
    for measure in program.measures.values():
        if measure.timing == "after" and measure.hook.layer in own:
            _look(bag, program, ends, measure.routine, measure.hook, "measure")
    for name, routine in program.routines.items():
        for hook in routine.afters:
            if hook.layer in own:
                _look(bag, program, ends, name, hook, "rule")


def _look(
    bag: Bag, program: core.Program, ends: Ends, name: str, hook: core.Hook, what: str
) -> None:
    routine = program.routines.get(name)
    if routine is None:
        return
    inside = (routine.body, *(each.body for each in (*routine.befores, *routine.insteads)))
    left = [end for end in ends.of(inside) if end != routine.verb]
    if what == "rule":
        left = [end for end in left if end != GAME]
    if not left:
        return
    verb, them = routine.verb, " or ".join(f"`{end}`" for end in left)
    would = "miss that" if what == "measure" else "not come"
    cure = "count `before` it, or also at what ends it" if what == "measure" else "hook `before` it"
    bag.warning(
        "RW0722",
        hook.span,
        f"something inside of `{verb}` may end the {them}, and this {what} would {would}",
        also=[(routine.span, f"`{verb}` is declared here")],
        help=cure,
    )
