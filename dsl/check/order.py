"""In which order rules run: the data of `rulewright explain-order`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from dsl.core import nodes as core
from dsl.source import Span


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
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


def _orders(program: core.Program) -> Iterator[Order]:
    for routine in program.routines.values():
        names = [name for name, _ in routine.params]
        steps = [
            *_hooks("instead of", routine.insteads, names),
            *_hooks("before", routine.befores, names),
            *_itself(routine.body, routine.doc, routine.span),
            *_hooks("after", routine.afters, names),
        ]
        what: Literal["event", "routine"] = "event" if routine.is_event else "routine"
        yield Order(routine.name, what, tuple(steps), routine.doc, routine.span)
    for phase in program.phases.values():
        steps = [
            *_hooks("before", phase.befores, []),
            *_itself(phase.body, phase.doc, phase.span),
            *_hooks("after", phase.afters, []),
        ]
        yield Order(phase.name, "phase", tuple(steps), phase.doc, phase.span)
    for window in program.windows.values():
        yield _window(program, window)
    for watch in program.watches:
        condition = _plain(watch.condition.span)
        step = OrderStep("after", watch.rule, watch.layer, (), condition, watch.doc, watch.span)
        yield Order(watch.rule, "watch", (step,), watch.doc, watch.span)


def _window(program: core.Program, window: core.Window) -> Order:
    steps = []
    for name in window.options:
        option = program.options[name]
        steps.append(OrderStep("after", name, option.layer, (), None, option.doc, option.span))
    return Order(window.name, "window", tuple(steps), window.doc, window.span)


def _itself(body: core.Block, doc: str, span: Span) -> Iterator[OrderStep]:
    if body:
        yield OrderStep("itself", None, "", (), None, doc, span)


def _hooks(
    timing: Literal["instead of", "before", "after"],
    hooks: tuple[core.Hook, ...],
    names: list[str],
) -> Iterator[OrderStep]:
    for hook in hooks:
        patterns = tuple(f"{names[pattern.position]}: {pattern.kind}" for pattern in hook.patterns)
        condition = None if hook.condition is None else _plain(hook.condition.span)
        yield OrderStep(timing, hook.rule, hook.layer, patterns, condition, hook.doc, hook.span)


def _plain(span: Span) -> str:
    return " ".join(span.text.split())
