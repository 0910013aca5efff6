"""Which questions are answered by chance: those that a strategy does not speak of."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core import nodes as core

_NOBODY_PASSES = ("exactly one", "until nobody can")


def left_to_chance(program: core.Program) -> dict[str, tuple[str, ...]]:
    """For each strategy the questions that it answers at random. A window that it does not speak of
    is passed, where that is possible."""
    asked = dict.fromkeys(site.question for site in _answered(program))
    found: dict[str, tuple[str, ...]] = {}
    for strategy in program.strategies.values():
        told = {program.sites[name].question for name in strategy.sites if name in program.sites}
        found[strategy.name] = tuple(question for question in asked if question not in told)
    return found


def _answered(program: core.Program) -> Iterator[core.Site]:
    """The places where something has to be answered."""
    for site in program.sites.values():
        if site.window is None or program.windows[site.window].closing in _NOBODY_PASSES:
            yield site
