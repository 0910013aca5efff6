"""Prints a variant for playtests, and says what its measures mean. Only for what is not cached."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator

from dsl.core import nodes as core
from dsl.core.types import ChoiceType, IntType
from interpreter.emit.python import print_python
from interpreter.emit.wat import print_wat
from interpreter.engine.native_engine import assemble
from interpreter.playtest.excluded import excluded
from interpreter.playtest.lowering import playtest_program
from interpreter.playtest.machine import EngineName, Meaning, Printed, Wanted
from interpreter.session.modules import without_bodies


def print_machine(source: core.Program, engine: EngineName, strategies: Wanted = None) -> Printed:
    """The printed program of a checked one, and what its measures mean."""
    program = playtest_program(source, strategies)
    text = print_wat(program, batch=True) if engine == "native" else print_python(program)
    code = assemble(text) if engine == "native" else text
    digest = hashlib.sha256(text.encode()).hexdigest()
    meanings = tuple(_meanings(source))
    return Printed(without_bodies(program), code, digest, meanings, excluded(source))


# ---------------------------------------------------------------- what measures mean


def _meanings(program: core.Program) -> Iterator[Meaning]:
    measures = list(program.measures.values())
    for measure in measures:
        each = next(
            (
                other.name
                for other in measures
                if other is not measure and _is_count(other) and _moment(other) == _moment(measure)
            ),
            None,
        )
        type_ = measure.value.type
        words = tuple(
            per.type.values if isinstance(per.type, ChoiceType) else () for per in measure.per
        )
        unit = type_.unit if isinstance(type_, IntType) else None
        is_count = _is_count(measure)
        said = tuple(per.span.text for per in measure.per)
        yield Meaning(measure.name, unit, is_count, None if is_count else each, said, words)


def _is_count(measure: core.Measure) -> bool:
    return isinstance(measure.value, core.Const) and measure.value.value == 1


def _moment(measure: core.Measure) -> tuple[object, ...]:
    """When a measure adds, and to which cell: measures that share it add together."""
    condition = measure.hook.condition
    return (
        measure.routine,
        measure.timing,
        measure.hook.patterns,
        None if condition is None else condition.span.text,
        tuple(per.span.text for per in measure.per),
    )
