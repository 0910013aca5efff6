"""In which order rules run: the data of `rulewright explain-order`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from dsl.core import nodes as core
from dsl.core.changes import Changes
from dsl.core.walking import walk
from dsl.records import record
from dsl.source import Span


@record
class OrderStep:
    """One rule, or the body itself (`rule` is None), at its place."""

    timing: Literal["instead of", "before", "itself", "after"]
    rule: str | None
    layer: str
    # The kinds it asks for, by the names of the parameters: "space: Tax".
    patterns: tuple[str, ...]
    condition: str | None
    doc: str
    span: Span
    # What may be over when it has run, so that later steps don't come: "turn", "game".
    ends: tuple[str, ...] = ()
    # The earlier rules before which its condition must hold already: they may make it true.
    already_before: tuple[str, ...] = ()


@record
class Order:
    """All that runs when something happens. An `instead of` that applies replaces what follows it,
    unless it says `as usual`."""

    name: str
    what: Literal["routine", "event", "phase", "window", "watch"]
    steps: tuple[OrderStep, ...]
    doc: str
    span: Span


def explain_order(program: core.Program, name: str | None = None) -> tuple[Order, ...]:
    """The order for every routine, event and phase that a rule hooks, for all windows (their
    options) and watches; or for the one with this name, hooked or not."""
    found = tuple(_orders(program))
    if name is None:
        return tuple(order for order in found if len(order.steps) > 1 or order.what == "watch")
    return tuple(o for o in found if name in (o.name, o.name.partition(" ")[0]))


def _bodies(program: core.Program) -> Iterator[tuple[str, tuple[core.Block, ...]]]:
    """What runs in routines, with all that hooks them, and in windows, by their names."""
    for name, routine in program.routines.items():
        hooks = (*routine.insteads, *routine.befores, *routine.afters)
        yield name, (routine.body, *(hook.body for hook in hooks))
    for name, window in program.windows.items():
        yield name, tuple(program.options[option].body for option in window.options)


class Ends:
    """What bodies may end: phases, the game, or routines around them."""

    def __init__(self, program: core.Program) -> None:
        self.program = program
        self._of: dict[str, frozenset[str]] = {}
        is_changed = True
        while is_changed:
            is_changed = False
            for name, bodies in _bodies(program):
                found = frozenset(self._in(bodies)) - {name}
                if found != self._of.get(name):
                    self._of[name] = found
                    is_changed = True

    def _in(self, body: object) -> Iterator[str]:
        for node in walk(body):
            if isinstance(node, core.End):
                yield node.label
            elif isinstance(node, core.NextPhase):
                yield "phase"
            elif isinstance(node, core.Call):
                yield from self._of.get(node.routine, ())
            elif isinstance(node, core.OpenWindow):
                yield from self._of.get(node.window, ())

    def of(self, body: object) -> tuple[str, ...]:
        """The names of what a body may end, as they are written."""
        return tuple(sorted({label.partition(" ")[0] for label in self._in(body)}))


def _orders(program: core.Program) -> Iterator[Order]:
    ends, changes = Ends(program), Changes(program)
    for routine in program.routines.values():
        names = [name for name, _ in routine.params]
        steps = [
            *_hooks("instead of", routine.insteads, names, ends, changes),
            *_hooks("before", routine.befores, names, ends, changes),
            *_itself(routine.body, routine.doc, routine.span, ends),
            *_hooks("after", routine.afters, names, ends, changes),
        ]
        what: Literal["event", "routine"] = "event" if routine.is_event else "routine"
        yield Order(routine.name, what, tuple(steps), routine.doc, routine.span)
    for phase in program.phases.values():
        steps = [
            *_hooks("before", phase.befores, [], ends, changes),
            *_itself(phase.body, phase.doc, phase.span, ends),
            *_hooks("after", phase.afters, [], ends, changes),
        ]
        yield Order(phase.name, "phase", tuple(steps), phase.doc, phase.span)
    for window in program.windows.values():
        yield _window(program, window)
    for watch in program.watches:
        condition = _plain(watch.condition.span)
        step = OrderStep(
            "after", watch.rule, watch.layer, (), condition, watch.doc, watch.span,
            ends.of(watch.body),
        )  # fmt: skip
        yield Order(watch.rule, "watch", (step,), watch.doc, watch.span)


def _window(program: core.Program, window: core.Window) -> Order:
    steps = []
    for name in window.options:
        option = program.options[name]
        steps.append(OrderStep("after", name, option.layer, (), None, option.doc, option.span))
    return Order(window.name, "window", tuple(steps), window.doc, window.span)


def _itself(body: core.Block, doc: str, span: Span, ends: Ends) -> Iterator[OrderStep]:
    if body:
        yield OrderStep("itself", None, "", (), None, doc, span, ends.of(body))


def _hooks(
    timing: Literal["instead of", "before", "after"],
    hooks: tuple[core.Hook, ...],
    names: list[str],
    ends: Ends,
    changes: Changes,
) -> Iterator[OrderStep]:
    earlier = {} if timing == "instead of" else changes.changed_heads(hooks)
    for at, hook in enumerate(hooks):
        patterns = tuple(f"{names[pattern.position]}: {pattern.kind}" for pattern in hook.patterns)
        condition = None if hook.condition is None else _plain(hook.condition.span)
        yield OrderStep(
            timing, hook.rule, hook.layer, patterns, condition, hook.doc, hook.span,
            ends.of(hook.body), tuple(hooks[before].rule for before in earlier.get(at, ())),
        )  # fmt: skip


def _plain(span: Span) -> str:
    return " ".join(span.text.split())
