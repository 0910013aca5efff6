"""Where a game was stopped, and what led there: its last phase is played again, with every
statement of the rules traced. A game that nobody asks about pays nothing for it.
"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, cast

from dsl.source import Span
from interpreter.session.asked import Asked
from interpreter.session.compile import CompiledGame
from interpreter.session.records import PhaseRecord
from interpreter.session.tape import Need, Tape

if TYPE_CHECKING:
    from interpreter.flat.instrument.tracing import Mark

FLAVOUR = "stepped"
OFTEN = 100
"""What happens oftener than this in one phase is named."""
MOST_NAMED = 3


@dataclass(frozen=True, slots=True)
class Step:
    """A statement that was running. `what`: the rule, option, event or phase in which it stands;
    `place`: the file and line."""

    what: str
    place: str

    def __str__(self) -> str:
        return f"{self.what} ({self.place})"


@dataclass(frozen=True, slots=True)
class Fault:
    """What stopped a game that no rule ended.

    `words`: what went wrong. `chain`: the statements that were running, from the one that did it to
    the phase; empty where no statement did. `declared`: where that which must always hold stands.
    `often`: rules and options that came again and again in the last phase, and how often.
    """

    words: str
    chain: tuple[Step, ...]
    declared: str | None = None
    often: tuple[tuple[Step, int], ...] = ()

    @property
    def rule(self) -> str | None:
        """The rule, option, event or phase that did it, or that came again and again."""
        return self._first.what if self._first else None

    @property
    def place(self) -> str | None:
        """The file and line of the statement that did it."""
        return self._first.place if self._first else None

    @property
    def _first(self) -> Step | None:
        return next(iter((*self.chain, *(step for step, _ in self.often))), None)

    def lines(self) -> list[str]:
        """Where it happened and what led there, for people: a line for each statement. Those that
        come again, as in rules that set each other off, are there once."""
        times = Counter(self.chain)
        found = [
            f"{'by' if number else 'in'} {_often(step, times[step])}"
            for number, step in enumerate(times)
        ]
        if self.declared is not None:
            found.append(f"declared in {self.declared}")
        if self.often:
            again = ", ".join(f"{step} {times:,} times" for step, times in self.often)
            found.append(f"again and again {again}")
        return found


def _often(step: Step, times: int) -> str:
    return str(step) if times == 1 else f"{step}, {times} deep"


def find_fault(compiled: CompiledGame, record: PhaseRecord, words: str, broken: int = 0) -> Fault:
    """Plays the last phase of a game once more, up to where it was stopped.

    `broken`: the number of the condition that did not hold after it. Must be called where the rules
    are at hand: the flavour that is traced by statements may have to be compiled.
    """
    steps = _Steps(compiled, broken)
    steps.play(record)
    declared = None
    if broken:
        span = compiled.facts.rules.get(("always", compiled.facts.always[broken - 1]))
        if span is not None:
            declared = place_of(span)
    often = tuple((step, n) for step, n in steps.fired.most_common(MOST_NAMED) if n > OFTEN)
    return Fault(words, steps.chain, declared, () if broken else often)


@dataclass(slots=True)
class _Steps:
    """Listens to a phase. `open`: the functions of the rules that are running, outermost first,
    each with its last statement; `chain`: those that were running when it happened, innermost
    first."""

    compiled: CompiledGame
    broken: int
    chain: tuple[Step, ...] = ()
    fired: Counter[Step] = field(default_factory=Counter)
    open: dict[FrameType, Step] = field(default_factory=dict)
    is_broken: bool = False

    def play(self, record: PhaseRecord) -> None:
        """Plays a phase again, with its answers."""
        module = self.compiled.module(FLAVOUR)
        engine = self.compiled.engine(FLAVOUR)
        tape = Tape(engine, module.program, _stop, lambda: None)
        tape.start(record.before, record.log)
        marks = cast("list[Mark]", module.program.marks)
        steps = [Step(mark.what, place_of(mark.span)) for mark in marks]
        fired = [_fired(mark) for mark in marks]

        def hear(number: int, *_: object) -> None:
            if self.broken:
                self._watch(engine.check_always())
            match marks[number].kind:
                case "step":
                    self._step(steps[number], sys._getframe(1))
                case "fault":
                    self._step(None, sys._getframe(1))
                    self.chain = self._now()
                case "rule" | "watch" | "option":
                    self.fired[fired[number]] += 1
                case _:
                    pass

        if self.broken and engine.check_always() == self.broken:
            return
        engine.on_trace(hear)
        with suppress(Need):
            engine.run_phase()
        if self.broken:
            self._watch(engine.check_always())

    def _step(self, step: Step | None, frame: FrameType | None) -> None:
        """A statement is about to run in a function: those that it was called by are still open."""
        innermost = frame
        calling: set[FrameType] = set()
        while frame is not None:
            calling.add(frame)
            frame = frame.f_back
        self.open = {each: known for each, known in self.open.items() if each in calling}
        if step is not None and innermost is not None:
            self.open[innermost] = step

    def _watch(self, number: int) -> None:
        """Remembers who broke it last: what is mended before the phase is over was not broken."""
        is_broken = number == self.broken
        if is_broken and not self.is_broken:
            self.chain = self._now()
        self.is_broken = is_broken

    def _now(self) -> tuple[Step, ...]:
        return tuple(reversed(self.open.values()))


def _fired(mark: Mark) -> Step:
    what = "option" if mark.kind == "option" else "rule"
    return Step(f"{what} {mark.what.partition('@')[0]}", place_of(mark.span))


def place_of(span: Span) -> str:
    """The file and line of a place in the rules."""
    return f"{span.source.name}:{span.source.position(span.start)[0]}"


def _stop(asked: Asked) -> int:
    raise Need(asked)
