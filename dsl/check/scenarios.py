"""Scenarios: worked examples of a rule, with the answers and the luck they need."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.check import fit, said, switches
from dsl.check.context import Context, Place
from dsl.check.expected import check_expected
from dsl.check.merged import RankedDecl
from dsl.core import nodes as core
from dsl.diagnostics import suggest
from dsl.records import record
from dsl.source import Span
from dsl.syntax import nodes as syntax

LUCK = "luck"


@record
class ScenarioHeader:
    """What must be put together for a scenario before it can be checked."""

    title: str
    seats: tuple[str, ...]
    mods: tuple[str, ...]
    profile: str | None
    switches: tuple[syntax.SetSwitch, ...]


def scenario_header(decl: syntax.Scenario) -> ScenarioHeader:
    """The seats, mods, profile and switches that a scenario asks for."""
    return ScenarioHeader(
        decl.title,
        tuple(name.text for name in decl.seats),
        tuple(name.text for name in decl.mods),
        None if decl.profile is None else decl.profile.text,
        decl.switches,
    )


def check_scenarios(ctx: Context) -> tuple[core.Scenario, ...]:
    """All scenarios whose seats and mods are those of this program, or some of them."""
    for ranked in ctx.world.merged.declarations:
        if isinstance(ranked.decl, syntax.Scenario):
            _check_header(ctx, ranked.decl)
    switched = (info.value for info in ctx.world.switches.values())
    if any(value is not None and fit.is_poison(value.type) for value in switched):
        return ()  # what they say of these rules would be held against others
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
        else:
            switches.check_value(ctx, setting.name.text, setting.value)


def _is_meant(ctx: Context, decl: syntax.Scenario) -> bool:
    header = scenario_header(decl)
    merged = ctx.world.merged
    here = {seat for seat, _ in merged.seats[: ctx.world.players]}
    return set(header.seats) <= here and set(header.mods) <= set(merged.mods)


def _scenario(ctx: Context, ranked: RankedDecl, decl: syntax.Scenario) -> core.Scenario:
    number = ctx.place.number("scenario")
    place = Place(decl.title, f"scenario.{number}", ranked.layer, "scenario")
    inner = ctx.placed(place)
    is_played = False
    steps: list[core.ScenarioStep] = []
    for round_ in _rounds(decl):
        is_played = is_played or round_.when is not None
        steps.append(_step(inner, round_, is_played=is_played))
    return core.Scenario(decl.title, tuple(steps), decl.span)


@record
class _Round:
    """A `when` with what is given before it and expected after it, or a `then` without one."""

    given: syntax.Block
    when: syntax.When | None
    then: syntax.Then | None
    span: Span


def _rounds(decl: syntax.Scenario) -> Iterator[_Round]:
    """The parts of a scenario, one look each."""
    given: syntax.Block = ()
    when: syntax.When | None = None
    for line in decl.steps:
        match line:
            case syntax.Given():
                if when is not None:
                    yield _Round(given, when, None, when.span)
                    given, when = (), None
                given += line.block
            case syntax.When():
                if when is not None:
                    yield _Round(given, when, None, when.span)
                    given = ()
                when = line
            case syntax.Then():
                yield _Round(given, when, line, line.span if when is None else when.span)
                given, when = (), None
    if when is not None:
        yield _Round(given, when, None, when.span)


def _step(ctx: Context, round_: _Round, *, is_played: bool) -> core.ScenarioStep:
    setup = ctx.block(round_.given)
    when, then = round_.when, round_.then
    command = None if when is None else when.command
    act = None if command is None else ctx.child().block((command,))
    answers: dict[str, list[core.SaidAnswer]] = {}
    luck: list[core.Expr] = []
    for line in () if when is None else when.said:
        if line.who.text == LUCK:
            luck += [value for one in line.answers for value in _result(ctx, one)]
        elif _plays(ctx, line.who):
            found = answers.setdefault(line.who.text, [])
            found += [said.check_said(ctx, one) for one in line.answers]
    stop = None if when is None or when.stop is None else said.question_of(ctx, when.stop)
    nodes = () if then is None else then.expected
    expected = tuple(
        part for node in nodes for part in check_expected(ctx, node, stop, is_played=is_played)
    )
    return core.ScenarioStep(
        setup,
        act,
        when is not None and command is None,
        stop,
        tuple((who, tuple(found)) for who, found in answers.items()),
        tuple(luck),
        expected,
        round_.span,
    )


def _plays(ctx: Context, who: syntax.Name) -> bool:
    seats = [seat for seat, _ in ctx.world.merged.seats[: ctx.world.players]]
    if who.text in seats:
        return True
    near = suggest(who.text, [*seats, LUCK])
    ctx.error(
        "RW0905",
        who.span,
        f"nobody called `{who.text}` plays in this scenario",
        help=f"did you mean `{near}`?" if near else "the seats are " + ", ".join(seats),
    )
    return False


def _result(ctx: Context, one: syntax.Said) -> list[core.Expr]:
    """A result of luck."""
    if one.value is None or one.question is not None:
        ctx.error("RW0901", one.span, "luck is asked nothing: its results come in their order")
        return []
    return [said.check_value(ctx, one.value)]
