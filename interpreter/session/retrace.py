"""Phases run again in the traced program, to tell what happened in them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from interpreter.session.asked import Asked
from interpreter.session.compile import CompiledGame
from interpreter.session.nesting import Nesting
from interpreter.session.records import Entry
from interpreter.session.state import LiveState
from interpreter.session.tape import Need, Tape
from interpreter.session.trace import EFFECTS, SILENT, Teller, TraceLine
from interpreter.session.values import Values
from interpreter.session.view import Sight

if TYPE_CHECKING:
    from interpreter.flat.instrument.tracing import Mark


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
        self._heard: list[tuple[Mark, tuple[object, ...]]] = []
        self._nesting = Nesting()
        self.engine.on_trace(self._hear)

    def phase(self, before: list[int], log: list[Entry]) -> list[TraceLine]:
        """What happened in a phase, up to its end or to the first question not in the log."""
        self._lines, self._heard, self._nesting = [], [], Nesting()
        self.tape.start(before, log)
        with suppress(Need):
            self.engine.run_phase()
        for number in self._nesting.open_lines():
            self._tell_again(number)
        return self._lines

    def _hear(self, mark: int, *values: object) -> None:
        found: Mark = self.marks[mark]  # type: ignore[assignment]
        nesting = self._nesting
        if found.kind not in SILENT:
            line = self.teller.line(found, values, self.tape.cursor)
            if found.kind in EFFECTS and nesting.covers and not line.is_detail:
                line = self.teller.covered(line, found, values)
            self._lines.append(replace(line, depth=nesting.depth, running=nesting.running))
            self._heard.append((found, values))
        for number in nesting.follow(found.kind, found.what, len(self._lines) - 1):
            self._tell_again(number)

    def _tell_again(self, number: int) -> None:
        """What a player did with things that only he could see, and that all can see behind it,
        such as a card that he has played."""
        line, (mark, values) = self._lines[number], self._heard[number]
        texts = self.teller.again(mark, values, line.texts)
        self._lines[number] = replace(line, texts=texts)


def _stop(asked: Asked) -> int:
    raise Need(asked)
