"""Which questions bots answer by chance: those that their strategy does not speak of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dsl.core import nodes as core

_NOBODY_PASSES = ("exactly one", "until nobody can")


def left_to_chance(
    program: core.Program, bots: Iterable[str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every strategy among the bots with the questions that it answers at random, if any. A window
    that it does not speak of is passed, where that is possible."""
    for bot in dict.fromkeys(bots):
        strategy = program.strategies.get(bot)
        if strategy is not None:
            told = {program.sites[name].question for name in strategy.sites}
            asked = dict.fromkeys(site.question for site in _answered(program))
            missing = tuple(question for question in asked if question not in told)
            if missing:
                yield bot, missing


def _answered(program: core.Program) -> Iterator[core.Site]:
    """The places where something has to be answered."""
    for site in program.sites.values():
        if site.window is None or program.windows[site.window].closing in _NOBODY_PASSES:
            yield site
