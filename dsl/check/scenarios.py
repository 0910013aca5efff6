"""Scenarios: worked examples of a rule, with the answers and the luck they need."""

from __future__ import annotations

from dsl.check import fit, strategies, texts
from dsl.check.context import Context, Place
from dsl.check.merged import RankedDecl
from dsl.core import nodes as core
from dsl.core.types import ChoiceType, RefType, SetType, Type
from dsl.diagnostics import suggest
from dsl.records import record
from dsl.syntax import nodes as syntax

LUCK = "luck"


@record
class ScenarioHeader:
    """What must be put together for a scenario before it can be checked."""

    title: str
    seats: tuple[str, ...]
    mods: tuple[str, ...]
    switches: tuple[syntax.SetSwitch, ...]


def scenario_header(decl: syntax.Scenario) -> ScenarioHeader:
    """The seats, mods and switches that a scenario asks for."""
    return ScenarioHeader(
        decl.title,
        tuple(name.text for name in decl.seats),
        tuple(name.text for name in decl.mods),
        decl.switches,
    )


def check_scenarios(ctx: Context) -> tuple[core.Scenario, ...]:
    """All scenarios whose seats and mods are those of this program, or some of them."""
    for ranked in ctx.world.merged.declarations:
        if isinstance(ranked.decl, syntax.Scenario):
            _check_header(ctx, ranked.decl)
    return tuple(
        _scenario(ctx, ranked, ranked.decl)
        for ranked in ctx.world.merged.declarations
        if isinstance(ranked.decl, syntax.Scenario) and _is_meant(ctx, ranked.decl)
    )


def _check_header(ctx: Context, decl: syntax.Scenario) -> None:
    """Seats that no game has, and switches that are not there."""
    seats = [seat for seat, _ in ctx.world.merged.seats]
    for seat in decl.seats:
        if seat.text not in seats:
            near = suggest(seat.text, seats)
            ctx.error(
                "RW0905",
                seat.span,
                f"there is no seat `{seat.text}`",
                help=f"did you mean `{near}`?" if near else "the seats are " + ", ".join(seats),
            )
    for setting in decl.switches:
        if setting.name.text not in ctx.world.switches:
            near = suggest(setting.name.text, ctx.world.switches)
            ctx.error(
                "RW0519",
                setting.name.span,
                f"there is no switch `{setting.name.text}`",
                help=f"did you mean `{near}`?" if near else None,
            )


def _is_meant(ctx: Context, decl: syntax.Scenario) -> bool:
    header = scenario_header(decl)
    merged = ctx.world.merged
    here = {seat for seat, _ in merged.seats[: ctx.world.players]}
    return set(header.seats) <= here and set(header.mods) <= set(merged.mods)


def _scenario(ctx: Context, ranked: RankedDecl, decl: syntax.Scenario) -> core.Scenario:
    number = ctx.place.number("scenario")
    place = Place(decl.title, f"scenario.{number}", ranked.layer, "scenario")
    inner = ctx.placed(place)
    given = inner.block(decl.given)
    steps: list[core.ScenarioStep] = []
    for step in decl.steps:
        if step.command is not None:
            steps.append(_when(inner, step))
        elif steps:
            last = steps[-1]
            expected = tuple(part for node in step.expected for part in _expected(inner, node))
            steps[-1] = core.ScenarioStep(
                last.act, last.said, last.luck, (*last.expected, *expected)
            )
    return core.Scenario(decl.title, given, tuple(steps), decl.span)


def _when(ctx: Context, step: syntax.Step) -> core.ScenarioStep:
    assert step.command is not None
    act = ctx.child().block((step.command,))
    said: dict[str, list[core.SaidAnswer]] = {}
    luck: list[core.Expr] = []
    seats = [seat for seat, _ in ctx.world.merged.seats[: ctx.world.players]]
    for line in step.said:
        who = line.who.text
        if who == LUCK:
            luck += [_value(ctx, answer) for answer in line.answers if answer is not None]
        elif who in seats:
            said.setdefault(who, []).extend(_answer(ctx, line, node) for node in line.answers)
        else:
            near = suggest(who, [*seats, LUCK])
            ctx.error(
                "RW0905",
                line.who.span,
                f"nobody called `{who}` plays in this scenario",
                help=f"did you mean `{near}`?" if near else "the seats are " + ", ".join(seats),
            )
    answers = tuple((who, tuple(found)) for who, found in said.items())
    return core.ScenarioStep(act, answers, tuple(luck), ())


def _answer(ctx: Context, line: syntax.SaidLine, node: syntax.Expr | None) -> core.SaidAnswer:
    if node is None:
        return core.SaidAnswer(strategies.PASS, (), None, line.span)
    args: tuple[syntax.Arg, ...] = ()
    if isinstance(node, syntax.NameExpr):
        name = node.name
    elif isinstance(node, syntax.Call):
        name, args = node.name.text, node.args
    else:
        return core.SaidAnswer(None, (), _value(ctx, node), node.span)
    head = _head_of(ctx, name)
    if head is None:
        return core.SaidAnswer(None, (), _value(ctx, node), node.span)
    given = strategies.arguments(ctx, name, head[0], head[1], args)
    return core.SaidAnswer(name, given, None, node.span)


Head = tuple[tuple[core.HeadItem, ...], dict[str, tuple[str, Type]]]


def _head_of(ctx: Context, name: str) -> Head | None:
    """The head of the option or answer of this name."""
    info = ctx.world.options.get(name)
    if info is not None and info.core is not None:
        return info.core.head, info.names
    for site in ctx.world.sites.values():
        answer = site.answers.get(name)
        if answer is not None:
            return answer.head, answer.names
    return None


def _value(ctx: Context, node: syntax.Expr) -> core.Expr:
    """A value that is picked, or a result of luck: a word of a choice may stand alone."""
    if isinstance(node, syntax.NameExpr) and node.name not in ctx.world.entities:
        for site in ctx.world.sites.values():
            pick = site.pick
            type_ = None if pick is None else pick.type
            if isinstance(type_, ChoiceType) and node.name in type_.values:
                return ctx.infer(node, type_)
        for values in ctx.world.choices.values():
            if node.name in values:
                return ctx.infer(node, ChoiceType(None, values))
    if isinstance(node, syntax.ListExpr) and not node.items:
        return core.SetOf(SetType(""), node.span, ())
    return ctx.infer(node)


# ---------------------------------------------------------------- what is expected


def _expected(ctx: Context, node: syntax.Stmt) -> core.Block:
    if isinstance(node, syntax.May):
        return _may(ctx, node)
    if isinstance(node, syntax.Command):
        return ctx.child().block((node,))
    if isinstance(node, syntax.Expect):
        return (core.Expect(node.span, ctx.flag(node.condition)),)
    return ()


def _may(ctx: Context, node: syntax.May) -> core.Block:
    who = ctx.value(node.who, RefType("Player"))
    name = node.option.text
    head = _head_of(ctx, name)
    if head is not None and name not in ctx.world.options:
        ctx.error(
            "RW0906",
            node.option.span,
            f"`{name}` answers a question, and afterwards nobody is asked it any more",
            help="only options of windows can be asked for; an answer is given under `when`, "
            "where one that is refused makes the scenario fail",
        )
        return ()
    if head is None:
        near = suggest(name, ctx.world.options)
        ctx.error(
            "RW0906",
            node.option.span,
            f"there is no option `{name}`",
            help=f"did you mean `{near}`?" if near else None,
        )
        return ()
    args = strategies.arguments(ctx, name, head[0], head[1], node.args)
    reason = None if node.reason is None else _reason(ctx, node.reason, name, head)
    return (core.MayAnswer(node.span, who, node.negative, name, args, reason),)


def _reason(ctx: Context, node: syntax.Text, name: str, head: Head) -> core.TextOf:
    """The refusal that is meant, found by its words."""
    needs = [item for item in head[0] if isinstance(item, core.HeadNeeds)]
    wanted = texts.template_of(node)
    for item in needs:
        if ctx.world.texts.get(item.reason.key) == wanted:
            return item.reason
    known = [ctx.world.texts.get(item.reason.key, "") for item in needs]
    near = suggest(wanted, known)
    ctx.error(
        "RW0907",
        node.span,
        f"`{name}` is never refused with these words",
        help=f'did you mean "{near}"?'
        if near
        else "its reasons are " + ", ".join(f'"{text}"' for text in known)
        if known
        else None,
    )
    return core.TextOf(fit.TEXT, node.span, "", (wanted,))
