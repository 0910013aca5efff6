"""Runs the scenarios of one program in its Python engine: what is given, what happens, what is
expected.

Play that waits at a question is a call of the engine that has not come back: what is expected
there is looked at from inside it, and answers that a later `when` gives let it go on.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import NoReturn

from dsl.core import nodes as core
from dsl.core.types import RefType
from dsl.source import Span
from interpreter.engine.python_engine import FAULT, PythonEngine
from interpreter.flat.instrument.tracing import Mark
from interpreter.flat.ir.nodes import SEALED, Program, Site
from interpreter.flat.program.scenarios import (
    LUCK_LINE,
    LUCK_SAID,
    Expectation,
    SaidInfo,
    ScenarioInfo,
    StepInfo,
)
from interpreter.flat.stmt.luck import SCRIPTED_NONE
from interpreter.scenario.answering import QueuedAnswers, as_said, is_pass
from interpreter.scenario.judging import Judge
from interpreter.scenario.results import Failure, ScenarioResult
from interpreter.session.answers import Answering
from interpreter.session.asked import Asked, Given
from interpreter.session.facts import Facts
from interpreter.session.state import LiveState
from interpreter.session.tape import ALWAYS, NO_QUESTIONS, SCRIPTED_LUCK, register_name
from interpreter.session.trace import Teller, TraceLine
from interpreter.session.values import Values, element_kind, members
from interpreter.session.view import Sight

IMPOSSIBLE_LUCK = "a scripted result of luck is not possible"
WATCHES = "run_watches"
MOST_ANSWERS = 30


class ScenarioFailed(Exception):
    """Unwinds the scenario that is running."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


class Looked(Exception):
    """Unwinds play that waits at a question, when all has been looked at."""


class GroupRunner:
    """The scenarios of one program. `met`: the things that rules were about, as kind and id."""

    def __init__(self, facts: Facts, program: Program, engine: PythonEngine) -> None:
        self.facts = facts
        self.program = program
        self.engine = engine
        self.values = Values(facts.program)
        state = LiveState(engine, self.values)
        sight = Sight(state, program.knowledge)
        self.answering = Answering(engine, program, facts, self.values, sight)
        self.queued = QueuedAnswers(engine, self.answering)
        self.judge = Judge(self.answering, self.queued)
        self.teller = Teller(state, sight, facts)
        self.met: set[tuple[str, str]] = set()
        self._steps: list[StepInfo] = []  # those that are still to come
        self._step: StepInfo | None = None
        self._queues: list[list[SaidInfo]] = []
        self._asked: set[tuple[str, int]] = set()  # since the last `when`
        self._waiting: set[tuple[str, int]] = set()  # asked before it, and still to answer
        self._lines: list[TraceLine] = []
        self._last_refusal: dict[int, str] = {}
        self._luck_given: list[int] = []
        self._luck_drawn = 0
        self._came_early = False  # to where play is to stop
        engine.on_trace(self._hear)
        for seat in range(program.players):
            answers = {
                name: partial(self._answer, site, seat)
                for name, site in program.sites.items()
                if name not in NO_QUESTIONS
            }
            engine.seat(seat, answers)
        specials = {SCRIPTED_LUCK: self._luck, SEALED: lambda *_: 0}
        engine.seat(0, {name: answer for name, answer in specials.items() if name in program.sites})

    def run(self, scenario: ScenarioInfo, given: str) -> ScenarioResult:
        """One scenario; `given`: what it starts from, as it is written."""
        failure: Failure | None = None
        try:
            self._play(scenario)
        except ScenarioFailed as failed:
            failure = failed.failure
        except Looked:
            pass
        program = self.facts.program
        return ScenarioResult(
            scenario.title, program.variant, program.mods, scenario.span, given, failure
        )

    # ------------------------------------------------------------ steps

    def _start(self, scenario: ScenarioInfo) -> None:
        self.engine.new_game(0)
        self.engine.set_scalar(ALWAYS, (1 << self.program.players) - 1)
        self._lines = []
        self._steps = list(scenario.steps)
        self._step = None
        self._queues = [[] for _ in range(self.program.players)]
        self._asked, self._waiting = set(), set()
        self._luck_given, self._luck_drawn = [], 0
        self._came_early = False

    def _play(self, scenario: ScenarioInfo) -> None:
        self._start(scenario)
        while self._steps:
            step = self._steps.pop(0)
            self._call(step.given, step.span, "given")
            if step.act is not None:
                if self.engine.scalar("over"):
                    self._fail("the game is over: nothing can happen after its end", step.span)
                self._begin(step)
                self._call(step.act, step.span, "when")
                if WATCHES in self.program.functions and self.engine.scalar("pending"):
                    self._call(WATCHES, step.span, "when")
                assert self._step is not None
                step = self._step  # of the answers with which play went on
                self._check_leftovers(step)
            self._look(step, None)

    def _begin(self, step: StepInfo) -> None:
        """What is needed while a step is played."""
        self._step = step
        self._last_refusal = {}
        for scalar, function in self.program.remembered.items():
            self.engine.set_scalar(scalar, self.engine.function(function)() or 0)
        said = dict(step.said)
        self._queues = [list(said.get(seat, ())) for seat in self._seat_ids()]
        self._asked, self._waiting = set(), set()
        self._lines = []
        self._luck_given, self._luck_drawn = [], 0
        self._came_early = False
        self._call(step.luck, step.span, "luck")

    def _look(self, step: StepInfo, stop: Asked | None) -> None:
        """Checks what a step expects; `stop`: the question at which play waits."""
        for check in step.checks:
            if isinstance(check, str):
                self._call(check, step.span, "then")
                continue
            found = self.judge.check(check, stop, frozenset(self._asked))
            if found is not None:
                written = " ".join(check.span.text.split())
                self._fail(found.message, check.span, found.answers, expected=written)

    def _seat_ids(self) -> list[str]:
        program = self.facts.program
        kind = program.kinds[program.player_kind]
        return [self.values.id_of(kind.name, member) for member in kind.members]

    def _call(self, function: str, span: Span, part: str) -> None:
        self.engine.set_scalar("failed", -1)
        code = self.engine.function(function)() or 0
        if code != FAULT:
            return
        number = self.engine.scalar("failed")
        if number >= 0:
            raise self._failed_expectation(self.program.expectations[number])
        fault = self.engine.scalar("fault")
        words = self.program.faults[fault] if fault >= 0 else "a rule went wrong"
        if words == IMPOSSIBLE_LUCK and self._luck_given:
            words = f"{_ordinal(len(self._luck_given))} given result of luck, "
            words = f"the {words}{self._luck_given[-1]}, is not possible there"
        self._fail(f"in `{part}`: {words}", span)

    # ------------------------------------------------------------ failures

    def _fail(
        self,
        message: str,
        span: Span | None,
        answers: Iterable[str] = (),
        *,
        expected: str | None = None,
    ) -> NoReturn:
        lines = tuple(self._lines)
        raise ScenarioFailed(
            Failure(message, span, expected, (), tuple(answers), lines, self._notes())
        )

    def _notes(self) -> tuple[str, ...]:
        """What may explain a failure: that luck went on by itself after what was given of it, and
        that play did not stop because something was still to come."""
        found: list[str] = []
        given, drawn = len(self._luck_given), self._luck_drawn
        if given and drawn:
            is_are = "result of luck was" if given == 1 else "results of luck were"
            found.append(f"the {given} given {is_are} used up, and {drawn} more drawn by chance")
        stop = None if self._step is None else self._step.stop
        if stop is not None and self._came_early:
            found.append(
                f"play came to `{stop}`, and did not stop there before all answers and results "
                "of luck that were given were used"
            )
        return tuple(found)

    def _failed_expectation(self, expected: Expectation) -> ScenarioFailed:
        got: list[tuple[str, str]] = []
        for text, part in expected.shown:
            number = self.engine.function(part.function)()
            got.append((" ".join(text.split()), self.values.shown(part.type, number)))
        message = "what is expected does not hold"
        written = " ".join(expected.span.text.split())
        return ScenarioFailed(
            Failure(
                message, expected.span, written, tuple(got), (), tuple(self._lines), self._notes()
            )
        )

    def _check_leftovers(self, step: StepInfo) -> None:
        for seat, queue in enumerate(self._queues):
            if queue:
                self._fail(self._left_over(seat, queue[0]), queue[0].span)
        count = sum(len(script) for script in self._scripts())
        for script in self._scripts():
            script.clear()
        if count:
            words = "1 result of luck was" if count == 1 else f"{count} results of luck were"
            self._fail(f"{words} not used", step.span)
        if step.stop is not None:
            over = ": the game was over before" if self.engine.scalar("over") else ""
            self._fail(f"play never came to `{step.stop}`{over}", step.span)

    def _left_over(self, seat: int, said: SaidInfo) -> str:
        who, refusal = self._seat_ids()[seat], self._last_refusal.get(seat)
        if refusal is not None:
            return f"{who} could never answer `{_words(said)}`: {refusal}"
        return f"{who} was never asked for `{_words(said)}`"

    # ------------------------------------------------------------ luck and answers

    def _scripts(self) -> list[list[int]]:
        return [self.engine.row(name, 0) for name in (LUCK_SAID, LUCK_LINE)]

    def _luck(self, *_: object) -> int:
        for script in self._scripts():
            if script:
                self._luck_given.append(script[0])
                return script.pop(0)
        self._luck_drawn += 1
        return SCRIPTED_NONE

    def _answer(self, site: Site, seat: int, _: int, *args: object) -> int:
        asked = Asked(site, seat, args)
        if self._waits_at(site):
            self._wait(asked)
        if (site.question, seat) in self._waiting:
            self._waiting.remove((site.question, seat))
        else:
            self._asked.add((site.question, seat))
        queue = self._queues[seat]
        refusal = None
        if queue:
            fit = self.queued.fit(asked, queue[0])
            if fit.given is not None:
                said = queue.pop(0)
                if is_pass(said):
                    self._tell(asked, f"{self._name(seat)} passes at `{site.question}`")
                return self._give(site, fit.given)
            refusal = fit.why_not
            if refusal is not None:
                self._last_refusal[seat] = refusal
                if not (site.form == "window" and site.may_pass):
                    self._misfit(asked, queue[0], refusal)
        given = self.queued.unsaid(asked)
        if given is None:
            self._unanswered(asked)
        self._tell_unsaid(asked, given)
        return self._give(site, given)

    def _waits_at(self, site: Site) -> bool:
        """Whether play is to stop here: at the question that was named, when all that was queued
        has been used."""
        assert self._step is not None
        if self._step.stop != site.question:
            return False
        is_ready = not any(self._queues) and not any(self._scripts())
        self._came_early = self._came_early or not is_ready
        return is_ready

    def _wait(self, asked: Asked) -> None:
        """Looks at what is expected here, and goes on with the answers that come next."""
        assert self._step is not None
        self._look(self._step, asked)
        if not self._steps:
            raise Looked
        waiting = {(asked.site.question, seat) for seat in self.judge.seats(asked)}
        self._begin(self._steps.pop(0))
        self._waiting = waiting

    def _give(self, site: Site, given: Given) -> int:
        if given.number:
            picks = site.answers[given.number - 1].picks
            for pick, value in zip(picks, given.picks, strict=True):
                self.engine.set_scalar(register_name(pick.register), value)
        return given.number

    def _unanswered(self, asked: Asked) -> NoReturn:
        who, question = self._seat_ids()[asked.seat], asked.site.question
        queue = self._queues[asked.seat]
        if queue:
            self._misfit(asked, queue[0], None)
        self._fail(
            f"{who} was asked `{question}`, and the scenario gives no answer",
            None,
            self._legal(asked),
        )

    def _misfit(self, asked: Asked, said: SaidInfo, why_not: str | None) -> NoReturn:
        who, question = self._seat_ids()[asked.seat], asked.site.question
        what = f"{who} was asked `{question}`; the answer `{_words(said)}`"
        message = f"{what} is refused: {why_not}" if why_not else f"{what} is none to it"
        self._fail(message, said.span, self._legal(asked))

    def _legal(self, asked: Asked) -> list[str]:
        return [as_said(answer) for answer in self.answering.listed(asked, MOST_ANSWERS)]

    # ------------------------------------------------------------ what is traced

    def _name(self, seat: int) -> str:
        return self.values.shown(RefType(self.facts.program.player_kind), seat)

    def _tell_unsaid(self, asked: Asked, given: Given) -> None:
        """What a seat did for which the scenario says nothing; passes of several in one line."""
        who, question = self._name(asked.seat), asked.site.question
        if given.number:
            answer = self.queued.written(asked.site, given)
            self._tell(asked, f"{who}: {answer} at `{question}` (not said)")
            return
        last = self._lines[-1] if self._lines else None
        if last is not None and (last.kind, last.what) == ("pass", question):
            names = last.text.removesuffix(f" pass at `{question}`")
            names = names.removesuffix(f" passes at `{question}`")
            if who in names.split(", "):
                return
            self._lines.pop()
            who = f"{names}, {who}"
        word = "pass" if "," in who else "passes"
        self._tell(asked, f"{who} {word} at `{question}`", kind="pass")

    def _tell(self, asked: Asked, text: str, kind: str = "answer") -> None:
        asking = asked.site.asking
        assert asking is not None
        number, _ = asking.span.source.position(asking.span.start)
        line = TraceLine(kind, asked.site.question, text, (), asking.span.source.name, number, 0)
        self._lines.append(line)

    def _hear(self, number: int, *values: object) -> None:
        mark: Mark = self.program.marks[number]  # type: ignore[assignment]
        self._lines.append(self.teller.line(mark, values, 0))
        if mark.kind == "rule":
            self._meet(mark, values)

    def _meet(self, mark: Mark, values: tuple[object, ...]) -> None:
        for (_, type_), value in zip(mark.parts, values, strict=True):
            kind = element_kind(type_)
            if kind is None or not isinstance(value, int) or value < 0:
                continue
            family = self.facts.program.kinds[kind].family
            things = [value] if isinstance(type_, RefType) else members(value)
            ids = self.facts.program.families[family].ids
            self.met.update((family, ids[thing]) for thing in things)


def _ordinal(number: int) -> str:
    ends = {1: "st", 2: "nd", 3: "rd"}
    is_teen = 10 < number % 100 < 14
    return f"{number}{'th' if is_teen else ends.get(number % 10, 'th')}"


def _words(said: SaidInfo) -> str:
    aim = "" if said.question is None else f" at {said.question}"
    if is_pass(said):
        return f"pass{aim}"
    return " ".join(said.span.text.split()) + aim


def written_given(scenario: core.Scenario) -> str:
    """What a scenario starts from, as it is written: the lines of its `given`s."""
    if not scenario.steps or not scenario.steps[0].given:
        return ""
    source = scenario.span.source
    first, _ = source.position(scenario.span.start)
    last, _ = source.position(scenario.span.end)
    lines = [source.line(number) for number in range(first, last + 1)]
    kept: list[str] = []
    inside = False
    for line in lines:
        words = line.split()
        if not words or words[0].startswith("--"):
            continue
        if words[0] in ("when", "then"):
            break
        if words[0] == "given":
            inside = True
            if len(words) > 1:
                kept.append(" ".join(words[1:]))
        elif inside:
            kept.append(" ".join(words))
    return "\n".join(kept)
