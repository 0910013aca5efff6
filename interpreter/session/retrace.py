"""Phases run again in the traced program, to tell what happened in them."""

from __future__ import annotations

from contextlib import suppress

from interpreter.session.answers import Asked
from interpreter.session.compile import CompiledGame
from interpreter.session.records import Entry
from interpreter.session.state import LiveState
from interpreter.session.tape import Need, Tape
from interpreter.session.trace import Teller, TraceLine
from interpreter.session.values import Values
from interpreter.session.view import Sight


class Retrace:
    """The traced program of a variant, ready to run phases again."""

    def __init__(self, compiled: CompiledGame, values: Values) -> None:
        module = compiled.module("traced")
        self.engine = compiled.engine("traced")
        self.marks = module.program.marks
        state = LiveState(self.engine, values)
        self.teller = Teller(state, Sight(state, module.program.knowledge), compiled.facts)
        self.tape = Tape(self.engine, module.program, _stop, lambda: None)
        self._lines: list[TraceLine] = []
        self.engine.on_trace(self._hear)

    def phase(self, before: list[int], log: list[Entry]) -> list[TraceLine]:
        """What happened in a phase, up to its end or to the first question not in the log."""
        self._lines = []
        self.tape.start(before, log)
        with suppress(Need):
            self.engine.run_phase()
        return self._lines

    def _hear(self, mark: int, *values: object) -> None:
        found = self.marks[mark]
        self._lines.append(self.teller.line(found, values, self.tape.cursor))  # type: ignore[arg-type]
        self.teller.hears(found, values)  # type: ignore[arg-type]


def _stop(asked: Asked) -> int:
    raise Need(asked)
