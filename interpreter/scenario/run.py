"""Runs the scenarios of a compiled group: given, then every `when` and what must hold then."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from dsl.core import nodes as core
from dsl.core.types import RefType
from dsl.source import Span
from interpreter.engine.python_engine import FAULT, PythonEngine
from interpreter.flat.luck import SCRIPTED_NONE
from interpreter.flat.marks import Mark
from interpreter.flat.nodes import SEALED, Program, Site
from interpreter.flat.scenarios import (
    LUCK_LINE,
    LUCK_SAID,
    Expectation,
    SaidInfo,
    ScenarioInfo,
    StepInfo,
)
from interpreter.scenario.answering import QueuedAnswers, is_pass
from interpreter.scenario.results import Failure, ScenarioResult
from interpreter.session.answers import Answering, Asked, Given
from interpreter.session.facts import Facts
from interpreter.session.state import LiveState
from interpreter.session.tape import ALWAYS, NO_QUESTIONS, SCRIPTED_LUCK, register_name
from interpreter.session.trace import Teller, TraceLine
from interpreter.session.values import Values, element_kind, members
from interpreter.session.view import Sight

MAY = "may"
IMPOSSIBLE_LUCK = "a scripted result of luck is not possible"
WATCHES = "run_watches"
MOST_ANSWERS = 30


class ScenarioFailed(Exception):
    """Unwinds the scenario that is running."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure


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
        self.teller = Teller(state, sight, facts)
        self.met: set[tuple[str, str]] = set()
        self._queues: list[list[SaidInfo]] = []
        self._lines: list[TraceLine] = []
        self._last_refusal: dict[int, str] = {}
        self._refusals: dict[int, tuple[int, tuple[object, ...]]] = {}
        self._step: StepInfo | None = None
        self._luck_given: list[int] = []
        self._luck_drawn = 0
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
        program = self.facts.program
        return ScenarioResult(
            scenario.title, program.variant, program.mods, scenario.span, given, failure
        )

    # ------------------------------------------------------------ steps

    def _play(self, scenario: ScenarioInfo) -> None:
        engine = self.engine
        engine.new_game(0)
        engine.set_scalar(ALWAYS, (1 << self.program.players) - 1)
        self._lines = []
        self._queues = [[] for _ in range(self.program.players)]
        self._step = None
        self._call(scenario.given, scenario.span, "given")
        for step in scenario.steps:
            self._step = step
            self._last_refusal = {}
            for scalar, function in self.program.remembered.items():
                engine.set_scalar(scalar, engine.function(function)() or 0)
            said = dict(step.said)
            seats = self._seat_ids()
            self._queues = [list(said.get(seat, ())) for seat in seats]
            self._lines = []
            self._luck_given, self._luck_drawn = [], 0
            self._call(step.act, scenario.span, "when")
            if WATCHES in self.program.functions and engine.scalar("pending"):
                self._call(WATCHES, scenario.span, "when")
            self._check_leftovers(scenario.span)
            self._refusals = {}
            self._call(step.check, scenario.span, "then")
            self._check_reasons()

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

    def _fail(self, message: str, span: Span | None, answers: Sequence[str] = ()) -> None:
        raise ScenarioFailed(
            Failure(
                message, span, answers=tuple(answers), trace=tuple(self._lines),
                notes=self._notes(),
            )
        )  # fmt: skip

    def _notes(self) -> tuple[str, ...]:
        """That luck went on by itself after what was given of it."""
        if not self._luck_given or not self._luck_drawn:
            return ()
        given, drawn = len(self._luck_given), self._luck_drawn
        is_are = "result of luck was" if given == 1 else "results of luck were"
        return (f"the {given} given {is_are} used up, and {drawn} more drawn by chance",)

    def _failed_expectation(self, expected: Expectation) -> ScenarioFailed:
        got: list[tuple[str, str]] = []
        for text, part in expected.shown:
            number = self.engine.function(part.function)()
            got.append((" ".join(text.split()), self.values.shown(part.type, number)))
        message = "what is expected does not hold"
        if expected.text:
            message = "this may be answered" if expected.negative else "this may not be answered"
            number = self.program.expectations.index(expected)
            reason = self._actual_reason(number, expected)
            if reason is not None and not expected.negative:
                message += f": {reason[1]}"
        written = " ".join(expected.span.text.split())
        return ScenarioFailed(
            Failure(
                message, expected.span, written, tuple(got), (), tuple(self._lines), self._notes()
            )
        )

    def _check_leftovers(self, span: Span) -> None:
        for seat, queue in enumerate(self._queues):
            if queue and not all(is_pass(said) for said in queue):
                said = next(one for one in queue if not is_pass(one))
                text = f"{self._seat_ids()[seat]} was never asked for `{_words(said)}`"
                refusal = self._last_refusal.get(seat)
                if refusal is not None:
                    text = (
                        f"{self._seat_ids()[seat]} could never answer `{_words(said)}`: {refusal}"
                    )
                self._fail(text, said.span)
        scripts = [self.engine.row(name, 0) for name in (LUCK_SAID, LUCK_LINE)]
        count = sum(len(script) for script in scripts)
        for script in scripts:
            script.clear()
        if count:
            words = "1 result of luck was" if count == 1 else f"{count} results of luck were"
            self._fail(f"{words} not used", span)

    # ------------------------------------------------------------ reasons

    def _actual_reason(self, number: int, expected: Expectation) -> tuple[str, str] | None:
        """Key and words of the reason for which an answer was refused, where it is known."""
        found = self._refusals.get(number)
        if found is None or not 0 < found[0] <= len(expected.reasons):
            return None
        reason, args = found
        text = expected.reasons[reason - 1]
        if text.key == "refused.pick":
            return text.key, "that can't be picked"
        asked = Asked(next(iter(self.program.sites.values())), int(args[0]), ())  # type: ignore[call-overload]
        return text.key, self.answering.text(asked, text, args[1:])  # type: ignore[arg-type]

    def _check_reasons(self) -> None:
        texts = self.facts.program.texts
        for number in self._refusals:
            expected: Expectation = self.program.expectations[number]
            if expected.reason is None or not expected.negative:
                continue
            actual = self._actual_reason(number, expected)
            if actual is None or actual[0] == expected.reason.key:
                continue
            wanted = texts.get(expected.reason.key, expected.reason.key)
            if texts.get(actual[0]) == wanted:
                continue
            raise ScenarioFailed(
                Failure(
                    "it is refused for another reason",
                    expected.span,
                    wanted,
                    (("the reason", actual[1]),),
                    (),
                    tuple(self._lines),
                )
            )

    # ------------------------------------------------------------ luck and answers

    def _luck(self, *_: object) -> int:
        for name in (LUCK_SAID, LUCK_LINE):
            script = self.engine.row(name, 0)
            if script:
                self._luck_given.append(script[0])
                return script.pop(0)
        self._luck_drawn += 1
        return SCRIPTED_NONE

    def _answer(self, site: Site, seat: int, _: int, *args: object) -> int:
        asked = Asked(site, seat, args)
        queue = self._queues[seat]
        may_wait = site.form == "window" and site.may_pass
        if not queue:
            if may_wait:
                return 0
            nothing = self._nothing(asked) if site.form == "gather" else None
            return self._unanswered(asked) if nothing is None else self._give(site, nothing)
        said = queue[0]
        fit = self.queued.fit(asked, said)
        if fit.given is None:
            if may_wait:
                if fit.why_not is not None:
                    self._last_refusal[seat] = fit.why_not
                return 0
            return self._misfit(asked, said, fit.why_not)
        queue.pop(0)
        return self._give(site, fit.given)

    def _give(self, site: Site, given: Given) -> int:
        if given.number:
            picks = site.answers[given.number - 1].picks
            for pick, value in zip(picks, given.picks, strict=True):
                self.engine.set_scalar(register_name(pick.register), value)
        return given.number

    def _nothing(self, asked: Asked) -> Given | None:
        """Who is not mentioned gives nothing when all are asked in secret, where that is legal."""
        info = asked.site.answers[0]
        if info.picks[0].kind not in ("some", "range"):
            return None
        given = Given(info.number, (0,))
        return given if self.answering.refusal(asked, given) == 0 else None

    def _unanswered(self, asked: Asked) -> int:
        who, question = self._seat_ids()[asked.seat], asked.site.question
        span = None
        self._fail(
            f"{who} was asked `{question}`, and the scenario gives no answer",
            span,
            self._legal(asked),
        )
        raise AssertionError

    def _misfit(self, asked: Asked, said: SaidInfo, why_not: str | None) -> int:
        who, question = self._seat_ids()[asked.seat], asked.site.question
        what = f"{who} was asked `{question}`; the answer `{_words(said)}`"
        message = f"{what} is refused: {why_not}" if why_not else f"{what} is none to it"
        self._fail(message, said.span, self._legal(asked))
        raise AssertionError

    def _legal(self, asked: Asked) -> list[str]:
        return [str(answer) for answer in self.answering.listed(asked, MOST_ANSWERS)]

    # ------------------------------------------------------------ what is traced

    def _hear(self, number: int, *values: object) -> None:
        mark: Mark = self.program.marks[number]  # type: ignore[assignment]
        if mark.kind == MAY:
            self._refusals[int(values[0])] = (int(values[1]), values[2:])  # type: ignore[call-overload]
            return
        self._lines.append(self.teller.line(mark, values, 0))
        self.teller.hears(mark, values)
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
    if is_pass(said):
        return "pass"
    if said.value is None and said.name is not None and not said.args:
        return said.name
    return " ".join(said.span.text.split())


def written_given(scenario: core.Scenario) -> str:
    """What a scenario starts from, as it is written: the lines of its `given`s."""
    if not scenario.given:
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
