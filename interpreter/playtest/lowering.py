"""The flat program of a variant as playtests play it. Loads neither printers nor engines."""

from __future__ import annotations

from dataclasses import replace

from dsl.core import nodes as core
from interpreter.flat.context.options import Options
from interpreter.flat.ir import nodes as flat
from interpreter.flat.lower import lower_program
from interpreter.playtest.first import note_first

PLAYTEST = Options(host=False, measures=True, coverage=True)


def playtest_program(
    source: core.Program,
    strategies: tuple[str, ...] | None = None,
    *,
    without: frozenset[str] = frozenset(),
    after: str | None = None,
) -> flat.Program:
    """What is printed for playtests: with all that reports tell, and without hosts and strategies
    that nobody plays. `without`: what is left out of all that is there for speed; `after`: the pass
    behind which it stays as it is."""
    options = replace(PLAYTEST, strategies=strategies, without=without)
    program = lower_program(source, options, after=after)
    note_first(source, program)
    return program
