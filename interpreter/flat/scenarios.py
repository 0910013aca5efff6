"""Scenarios as functions: what is given, every `when`, every `then`; and what the host needs to
tell of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.core import nodes as core
from dsl.core import types as t
from dsl.source import Span
from interpreter.flat import build, heads, sets, strategies
from interpreter.flat import nodes as flat
from interpreter.flat.context import FAULT, Env, Lowering
from interpreter.flat.exprs import lower
from interpreter.flat.frames import Frame
from interpreter.flat.marks import Mark
from interpreter.flat.questions import AnswerHead, AskedSite
from interpreter.flat.statements import lower_block

# Results of luck that sayings give, and those of a line `luck:`, which come after them.
LUCK_SAID, LUCK_LINE = "luck_said", "luck_line"


@dataclass(frozen=True, slots=True)
class SaidInfo:
    """A queued answer: its name (None: pass or a plain value), functions of its arguments and
    value.
    """

    name: str | None
    args: tuple[tuple[str | None, flat.TextPart], ...]
    value: flat.TextPart | None
    span: Span


@dataclass(frozen=True, slots=True)
class StepInfo:
    """`act` and `check` are function names; `said` by seat id."""

    act: str
    check: str
    said: tuple[tuple[str, tuple[SaidInfo, ...]], ...]


@dataclass(frozen=True, slots=True)
class ScenarioInfo:
    title: str
    given: str
    steps: tuple[StepInfo, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Expectation:
    span: Span
    shown: tuple[tuple[str, flat.TextPart], ...]
    reason: flat.TextInfo | None = None
    reasons: tuple[flat.TextInfo, ...] = ()
    negative: bool = False
    text: str = field(default="")


def add_scenarios(low: Lowering) -> None:
    """The functions of all scenarios; their descriptions go to `out.scenarios`."""
    low.out.scalars["failed"] = flat.ScalarDecl("failed", flat.INT, -1, "scratch")
    low.out.scalars["refusal"] = flat.ScalarDecl("refusal", flat.INT, 0, "scratch")
    low.out.sites["luck"] = flat.Site("luck", "luck", "pick", (), (), False)
    for row in (LUCK_SAID, LUCK_LINE):
        low.out.rows[row] = flat.RowsDecl(row, 1, 64, ((),))
    for number, scenario in enumerate(low.program.scenarios, 1):
        given = f"scenario_{number}_given"
        low.add(
            given, (), lower_block(low, Frame(scenario.title), Env(), scenario.given), None, "given"
        )
        steps = tuple(
            _step(low, f"scenario_{number}_{position}", step)
            for position, step in enumerate(scenario.steps, 1)
        )
        low.out.scenarios.append(ScenarioInfo(scenario.title, given, steps, scenario.span))


def _step(low: Lowering, tag: str, step: core.ScenarioStep) -> StepInfo:
    act, check = f"{tag}_when", f"{tag}_then"
    script = [flat.RowPush(_script(LUCK_LINE), lower(low, Env(), value)) for value in step.luck]
    low.add(act, (), (*script, *lower_block(low, Frame(tag), Env(), step.act)), None, "when")
    low.add(check, (), lower_block(low, Frame(tag), Env(), step.expected), None, "then")
    said = tuple(
        (
            seat,
            tuple(
                _said(low, f"{tag}_{seat_number}_{n}", answer) for n, answer in enumerate(answers)
            ),
        )
        for seat_number, (seat, answers) in enumerate(step.said)
    )
    return StepInfo(act, check, said)


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
    return SaidInfo(answer.name, args, value, answer.span)


def scenario_statement(low: Lowering, frame: Frame, env: Env, stmt: core.Stmt) -> list[flat.Stmt]:
    """Statements that stand only in scenarios and sayings."""
    match stmt:
        case core.Expect(condition=condition):
            number = len(low.out.expectations)
            low.out.expectations.append(
                Expectation(condition.span, _shown(low, env, number, condition))
            )
            return _fail_if(build.negate(lower(low, env, condition)), number)
        case core.MayAnswer():
            return _may(low, env, stmt)
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


def _may(low: Lowering, env: Env, stmt: core.MayAnswer) -> list[flat.Stmt]:
    """Whether a seat may answer so now: asked of the option's first window without parameters.

    A traced program says with a mark why not: the number of the expectation, that of the reason,
    then what the functions of the reason take.
    """
    option, site, answer = _meant(low, stmt)
    number = len(low.out.expectations)
    preference = core.Preference(option.name, stmt.args, None, (), None, (), stmt.span)
    name = f"may_{number}"
    low.add(
        name,
        site.asked.params,
        (*strategies.legal_with(low, site, preference), flat.Give(build.NO)),
        flat.INT,
    )
    who = lower(low, env, stmt.who)
    scope = tuple(_assumed(low, who, type_) for _, type_ in site.core_site.scope)
    stmts: list[flat.Stmt] = [flat.SetScalar("refusal", build.num(0))]
    picks = [item for item in answer.head if isinstance(item, core.HeadPick)]
    given = dict(stmt.args)
    reasons: tuple[flat.TextInfo, ...] = ()
    if all(pick.name in given for pick in picks):
        values = [
            sets.lower_set(low, env, given[pick.name])
            if pick.form == "some"
            else lower(low, env, given[pick.name])
            for pick in picks
        ]
        stmts.append(flat.SetScalar("refusal", flat.Call(answer.refuse, (who, *scope, *values))))
        reasons = heads.reason_texts(low, site.asked, answer.env, f"may_{number}", answer.head)
        stmts += _refusal_mark(low, stmt, number, (who, *scope, *values))
    reason = flat.TextInfo(stmt.reason.key, ()) if stmt.reason is not None else None
    low.out.expectations.append(
        Expectation(stmt.span, (), reason, reasons, stmt.negative, stmt.span.text)
    )
    legal = flat.Call(name, (who, *scope))
    return [*stmts, *_fail_if(legal if stmt.negative else build.negate(legal), number)]


def _meant(low: Lowering, stmt: core.MayAnswer) -> tuple[core.Option, AskedSite, AnswerHead]:
    """The option and the window: where it differs by window, the first one without parameters."""
    found: list[tuple[core.Option, str]] = [
        (option, window)
        for option in low.program.options.values()
        if option.name.partition("@")[0] == stmt.option
        for window in option.windows
    ]
    plain = [(option, w) for option, w in found if not low.program.windows[w].params]
    option, window = (plain or found)[0]
    site: AskedSite = low.window_site(window)
    return option, site, next(one for one in site.answers if one.name == option.name)


def _assumed(low: Lowering, who: flat.Expr, type_: t.Type) -> flat.Expr:
    """What a window is assumed to give: the player himself, or the first entity there is."""
    if not isinstance(type_, t.RefType):
        return build.num(type_.low if isinstance(type_, t.IntType) else 0)
    if type_.kind == low.program.player_kind:
        return who
    family = low.program.kinds[type_.kind].family
    if family in low.layout.live:
        bits = low.program.families[family].size
        return flat.First(flat.Scalar(low.layout.live[family], flat.Set(bits)))
    return build.num(low.program.kinds[type_.kind].members[0])


def _refusal_mark(
    low: Lowering, stmt: core.MayAnswer, number: int, args: tuple[flat.Expr, ...]
) -> list[flat.Stmt]:
    if not low.options.trace:
        return []
    low.out.marks.append(Mark("may", stmt.option, stmt.span, ()))
    values = (build.num(number), flat.Scalar("refusal"), *args)
    return [flat.Trace(len(low.out.marks) - 1, values)]
