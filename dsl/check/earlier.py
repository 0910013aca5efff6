"""Rules whose head an earlier rule of the same happening may make true: a warning each.

They are not set off by it, but who reads them one after the other may think so. Heads that exclude
each other are certainly meant so.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.check.exclusion import can_both_apply
from dsl.check.merged import Merged
from dsl.check.world import World
from dsl.core import nodes as core
from dsl.core.changes import Changes
from dsl.core.walking import walk
from dsl.diagnostics import Bag


def report_earlier(bag: Bag, world: World, merged: Merged, program: core.Program) -> None:
    """Warn of heads that an earlier rule may make true, where one of the two rules is of the
    variant or of its mods."""
    own = {merged.variant, *merged.mods}
    changes = Changes(program)
    for name, hooks, is_instead in _happenings(program):
        for at, earlier in changes.changed_heads(hooks).items():
            hook = hooks[at]
            for other in (hooks[before] for before in earlier):
                comes_to_it = not is_instead or _goes_on(other.body)
                if (
                    comes_to_it
                    and own & {hook.layer, other.layer}
                    and can_both_apply(world, hook, other)
                ):
                    _warn(bag, name, hook, other, is_instead)
                    break


def _happenings(program: core.Program) -> Iterator[tuple[str, tuple[core.Hook, ...], bool]]:
    """What happens, with the rules of each timing, and whether they run inside each other."""
    counted: dict[tuple[str, str], list[core.Hook]] = {}
    for measure in program.measures.values():
        counted.setdefault((measure.routine, measure.timing), []).append(measure.hook)
    for name, routine in program.routines.items():
        yield name, routine.insteads, True
        yield name, (*routine.befores, *counted.get((name, "before"), ())), False
        yield name, (*routine.afters, *counted.get((name, "after"), ())), False
    for name, phase in program.phases.items():
        yield name, (*phase.befores, *counted.get((name, "before"), ())), False
        yield name, (*phase.afters, *counted.get((name, "after"), ())), False


def _goes_on(body: core.Block) -> bool:
    return any(isinstance(node, core.AsUsual) for node in walk(body))


def _warn(bag: Bag, name: str, hook: core.Hook, other: core.Hook, is_instead: bool) -> None:
    assert hook.condition is not None
    verb = name.partition(" ")[0]
    word = hook.rule
    if is_instead:
        message = f"`{other.rule}` may make this true before its `as usual` comes to `{word}`"
        help_ = "if that is not meant, let the heads of both exclude each other"
    else:
        message = (
            f"`{other.rule}` may make this true before it is the turn of `{word}`, which needs it "
            f"at the `{verb}`, too"
        )
        help_ = (
            "what counts after the other rule is asked in the body, with an `if`; what counts at "
            f"the `{verb}` is plain where the heads of both exclude each other"
        )
    bag.warning(
        "RW0714",
        hook.condition.span,
        message,
        also=[(other.span, "this one runs earlier")],
        help=help_,
    )
