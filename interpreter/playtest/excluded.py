"""What can't happen under the switches of a variant: no report says that it never did.

An option or an answer that always needs what is never so, and a rule that waits `whenever` for
something that nothing in the game changes.
"""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core import nodes as core
from dsl.core.changes import Changes
from dsl.core.walking import walk


def excluded(program: core.Program) -> frozenset[str]:
    """The labels of coverage (`option waste`, `answer failed_try.pay_now`, `rule last_one_left`)
    of what is excluded."""
    return frozenset((*_options(program), *_answers(program), *_watches(program)))


def _options(program: core.Program) -> Iterator[str]:
    for option in program.options.values():
        if _is_refused(option.head):
            yield f"option {option.name}"


def _answers(program: core.Program) -> Iterator[str]:
    for body in _bodies(program):
        for node in walk(body):
            if isinstance(node, core.AskAbout):
                question = node.site.split("/")[-1]
                for answer in node.answers:
                    if _is_refused(answer.head):
                        yield f"answer {question}.{answer.name}"


def _is_refused(head: tuple[core.HeadItem, ...]) -> bool:
    """Switches are known: what they refuse needs a plain `no`."""
    return any(
        isinstance(item, core.HeadNeeds)
        and isinstance(item.condition, core.Const)
        and not item.condition.value
        for item in head
    )


def _bodies(program: core.Program) -> Iterator[object]:
    for phase in program.phases.values():
        yield (phase.body, phase.then, phase.befores, phase.afters)
    for routine in program.routines.values():
        yield (routine.body, routine.befores, routine.insteads, routine.afters)
    yield tuple(option.body for option in program.options.values())
    yield tuple(watch.body for watch in program.watches)


def _watches(program: core.Program) -> Iterator[str]:
    """Rules whose condition looks only at what stays as it was set up."""
    changes = Changes(program)
    phases = (
        (phase.body, phase.then, *(hook.body for hook in (*phase.befores, *phase.afters)))
        for phase in program.phases.values()
    )
    played = tuple(stmt for bodies in phases for body in bodies for stmt in body)
    changed = changes.made_by(played)
    for watch in program.watches:
        if watch.ends and not changes.made_true_by(watch.condition) & changed:
            yield f"rule {watch.rule}"
