"""The flat program of a variant as playtests play it. Loads neither printers nor engines."""

from __future__ import annotations

from dataclasses import replace

from dsl.core import nodes as core
from interpreter.flat import nodes as flat
from interpreter.flat.context import Options
from interpreter.flat.lower import lower_program
from interpreter.playtest.first import note_first

PLAYTEST = Options(host=False, measures=True, coverage=True)


def playtest_program(
    source: core.Program, strategies: tuple[str, ...] | None = None
) -> flat.Program:
    """What is printed for playtests: with all that reports tell, and without hosts and strategies
    that nobody plays."""
    program = lower_program(source, replace(PLAYTEST, strategies=strategies))
    note_first(source, program)
    return program
