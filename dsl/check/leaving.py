"""Measures `after` what may be left early: they miss what ends the turn or the game.

A warning each. A rule may count on it that nothing comes once the turn is over; what is counted
should not.
"""

from __future__ import annotations

from dsl.check.merged import Merged
from dsl.check.order import Ends
from dsl.core import nodes as core
from dsl.diagnostics import Bag


def report_leaving(bag: Bag, merged: Merged, program: core.Program) -> None:
    """Warn of such measures of the variant and its mods."""
    own = {merged.variant, *merged.mods}
    ends = Ends(program)
    for measure in program.measures.values():
        routine = program.routines.get(measure.routine)
        if measure.timing != "after" or measure.hook.layer not in own or routine is None:
            continue
        inside = (routine.body, *(each.body for each in (*routine.befores, *routine.insteads)))
        left = [end for end in ends.of(inside) if end != routine.verb]
        if left:
            verb, them = routine.verb, " or ".join(f"`{end}`" for end in left)
            bag.warning(
                "RW0722",
                measure.hook.span,
                f"something inside of `{verb}` may end the {them}, and this measure misses that",
                also=[(routine.span, f"`{verb}` is declared here")],
                help="count `before` it, or also at what ends it",
            )
