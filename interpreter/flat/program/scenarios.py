"""Scenarios as functions: what is given, every `when`, every `then`; and what the host needs to
tell of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl.core import nodes as core
from dsl.core import types as t
from dsl.source import Span
from interpreter.flat.context.env import Env
from interpreter.flat.context.frames import Frame
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import sets
from interpreter.flat.expr.exprs import lower
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.numbering import FAULT
from interpreter.flat.stmt.statements import lower_block

# Results of luck that sayings give, and those of a line `luck:`, which come after them.
LUCK_SAID, LUCK_LINE = "luck_said", "luck_line"


@dataclass(frozen=True, slots=True)
class SaidInfo:
    """An answer: its name (None: pass or a plain value), functions of its arguments and value, and
    the only question that it is for, if that is said.
    """

    name: str | None
    args: tuple[tuple[str | None, flat.TextPart], ...]
    value: flat.TextPart | None
    question: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class MayInfo:
    """Whether a player is asked where play waits and may answer so. `who`: the function that
    gives the seat; `reason`: the key of the refusal that is expected."""

    who: str
    negative: bool
    answer: SaidInfo
    reason: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class AskedInfo:
    """Whether a player was (not) asked a question."""

    who: str
    negative: bool
    question: str
    span: Span


Check = str | MayInfo | AskedInfo | core.GameIs
"""What is looked at: a function that fails, or what the host knows."""


@dataclass(frozen=True, slots=True)
class StepInfo:
    """A step of a scenario: `given` and `act` are function names, `said` is by seat id, `stop` the
    question up to which is played. Without `act` the play that waits goes on, if `is_answer`."""

    given: str
    act: str | None
    is_answer: bool
    stop: str | None
    said: tuple[tuple[str, tuple[SaidInfo, ...]], ...]
    luck: str
    checks: tuple[Check, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ScenarioInfo:
    title: str
    steps: tuple[StepInfo, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Expectation:
    """An `expect`, and functions of the two sides that it compares."""

    span: Span
    shown: tuple[tuple[str, flat.TextPart], ...]


def add_scenarios(low: Lowering) -> None:
    """The functions of all scenarios; their descriptions go to `out.scenarios`."""
    low.out.scalars["failed"] = flat.ScalarDecl("failed", flat.INT, -1, "scratch")
    low.out.sites["luck"] = flat.Site("luck", "luck", "pick", (), (), False)
    for row in (LUCK_SAID, LUCK_LINE):
        low.out.rows[row] = flat.RowsDecl(row, 1, 64, ((),))
    for number, scenario in enumerate(low.program.scenarios, 1):
        steps = tuple(
            _step(low, f"scenario_{number}_{position}", Frame(scenario.title), step)
            for position, step in enumerate(scenario.steps, 1)
        )
        low.out.scenarios.append(ScenarioInfo(scenario.title, steps, scenario.span))


def _step(low: Lowering, tag: str, frame: Frame, step: core.ScenarioStep) -> StepInfo:
    given, act, luck = f"{tag}_given", f"{tag}_when", f"{tag}_luck"
    low.add(given, (), lower_block(low, frame, Env(), step.given), None, "given")
    script = tuple(flat.RowPush(_script(LUCK_LINE), lower(low, Env(), one)) for one in step.luck)
    low.add(luck, (), script, None, "luck")
    if step.act is not None:
        low.add(act, (), lower_block(low, frame, Env(), step.act), None, "when")
    said = tuple(
        (
            seat,
            tuple(
                _said(low, f"{tag}_{seat_number}_{n}", answer) for n, answer in enumerate(answers)
            ),
        )
        for seat_number, (seat, answers) in enumerate(step.said)
    )
    checks = tuple(_check(low, f"{tag}_{n}", one) for n, one in enumerate(step.expected, 1))
    return StepInfo(
        given, act if step.act is not None else None, step.is_answer, step.stop, said, luck,
        checks, step.span,
    )  # fmt: skip


def _check(low: Lowering, tag: str, expected: core.Expected) -> Check:
    match expected:
        case core.MayAnswer():
            answer = _said(low, tag, expected.answer)
            reason = None if expected.reason is None else expected.reason.key
            who = _part(low, f"who_{tag}", expected.who).function
            return MayInfo(who, expected.negative, answer, reason, expected.span)
        case core.WasAsked():
            who = _part(low, f"who_{tag}", expected.who).function
            return AskedInfo(who, expected.negative, expected.question, expected.span)
        case core.GameIs():
            return expected
        case _:
            name = f"{tag}_then"
            low.add(name, (), lower_block(low, Frame(tag), Env(), expected), None, "then")
            return name


def _script(row: str) -> flat.Expr:
    return flat.RowAt(row, build.num(0), 64)


def _part(low: Lowering, name: str, expr: core.Expr, env: Env | None = None) -> flat.TextPart:
    if isinstance(expr.type, t.SetType) and not expr.type.kind:
        low.add(name, (), (flat.Give(build.num(0)),), flat.INT)
        return flat.TextPart(name, expr.type)
    match expr:
        case core.SeqOf(type=t.SeqType(element=t.RefType(kind=kind)), items=items):
            expr = core.SetOf(t.SetType(kind), expr.span, items)
        case _:
            pass
    gives = low.layout.flat_type(expr.type)
    inner = env or Env()
    value = (
        sets.lower_set(low, inner, expr)
        if isinstance(expr.type, t.SetType)
        else lower(low, inner, expr)
    )
    low.add(name, (), (flat.Give(value),), gives)
    return flat.TextPart(name, expr.type)


def _said(low: Lowering, tag: str, answer: core.SaidAnswer) -> SaidInfo:
    args = tuple(
        (name, _part(low, f"said_{tag}_{n}", value)) for n, (name, value) in enumerate(answer.args)
    )
    value = _part(low, f"said_{tag}", answer.value) if answer.value is not None else None
    return SaidInfo(answer.name, args, value, answer.question, answer.span)


def scenario_statement(low: Lowering, frame: Frame, env: Env, stmt: core.Stmt) -> list[flat.Stmt]:
    """Statements that stand only in scenarios and sayings."""
    match stmt:
        case core.Expect(condition=condition):
            number = len(low.out.expectations)
            low.out.expectations.append(
                Expectation(condition.span, _shown(low, env, number, condition))
            )
            return _fail_if(build.negate(lower(low, env, condition)), number)
        case core.ScriptLuck(values=values):
            variable = low.temp("item")
            element = values.type.element if isinstance(values.type, t.SeqType) else values.type
            if not isinstance(values.type, (t.SeqType, t.SetType)):
                return [flat.RowPush(_script(LUCK_SAID), lower(low, env, values))]
            generator = core.Generator(variable, element, values, None)
            return low.iterate(
                env,
                generator,
                lambda inner: [flat.RowPush(_script(LUCK_SAID), inner.names[variable])],
            )
        case core.PlayPhase(phase=phase):
            number = list(low.program.phases).index(phase)
            return [flat.SetScalar("phase", build.num(number)), flat.Do(flat.Call("run_phase", ()))]
        case _:
            del frame
            raise AssertionError("not a statement of scenarios")


def _fail_if(test: flat.Expr, number: int) -> list[flat.Stmt]:
    return [
        flat.If(test, (flat.SetScalar("failed", build.num(number)), flat.Exit(build.num(FAULT))))
    ]


def _shown(
    low: Lowering, env: Env, number: int, condition: core.Expr
) -> tuple[tuple[str, flat.TextPart], ...]:
    if not isinstance(condition, core.Compare) or any(
        not isinstance(v, flat.Num) for v in env.names.values()
    ):
        return ()
    shown: list[tuple[str, flat.TextPart]] = []
    for side, expr in (("left", condition.left), ("right", condition.right)):
        if not isinstance(expr.type, t.SeqType):
            shown.append((expr.span.text, _part(low, f"shown_{number}_{side}", expr, env)))
    return tuple(shown)
