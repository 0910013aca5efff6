"""Phases, watches and invariants: the driver around the rules."""

from __future__ import annotations

from dsl.core import nodes as core
from interpreter.flat.context.env import Env
from interpreter.flat.context.frames import Frame
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr.exprs import lower, read_field
from interpreter.flat.instrument import measures
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan import faults
from interpreter.flat.plan.numbering import goes_on
from interpreter.flat.program.happenings import Happenings, hook_calls
from interpreter.flat.stmt import watches
from interpreter.flat.stmt.statements import lower_block


def declare(low: Lowering) -> None:
    """The scalars every program has."""
    phases = list(low.program.phases)
    seats = flat.Set(low.program.players)
    for name, type_, initial, role in (
        ("phase", flat.INT, phases.index(low.program.first_phase), "state"),
        ("phases", flat.INT, 0, "state"),
        ("over", flat.INT, 0, "state"),
        ("fault", flat.INT, -1, "state"),
        ("questions", flat.INT, 0, "scratch"),
        ("fuel", flat.INT, low.program.act_limit, "scratch"),
        ("depth", flat.INT, 0, "scratch"),
        ("pending", flat.INT, 0, "scratch"),
        ("ending", flat.INT, -1, "scratch"),
        ("always", seats, 0, "scratch"),
    ):
        low.out.scalars[name] = flat.ScalarDecl(name, type_, initial, role)  # type: ignore[arg-type]
    low.out.columns["bot_count"] = flat.ColumnDecl(
        "bot_count", flat.INT, (0,) * low.program.players, "state"
    )


def add_phases(low: Lowering, happenings: Happenings) -> None:
    """A function for every phase, and the one that runs the phase that is next."""
    branch: flat.Body = ()
    for number, phase in reversed(list(enumerate(low.program.phases.values()))):
        call = flat.Do(flat.Call(_phase(low, happenings, phase), ()))
        branch = (flat.If(build.equal(flat.Scalar("phase"), build.num(number)), (call,), branch),)
    start = [
        flat.SetScalar("phases", build.binary("+", flat.Scalar("phases"), build.num(1))),
        flat.SetScalar("fuel", build.num(low.program.act_limit)),
        flat.SetScalar("depth", build.num(0)),
    ]
    if low.has_waiting_watches:
        start.append(flat.SetScalar("pending", build.num(0)))
    low.add("run_phase", (), (*start, *branch), None, "one phase, to its end")


def _phase(low: Lowering, happenings: Happenings, phase: core.Phase) -> str:
    name = low.names.fresh(f"phase_{low.safe(phase.name)}")
    body = low.names.fresh(f"do_phase_{low.safe(phase.name)}")
    frame = Frame(phase.name, kind="phase")
    measured = measures.hooks(low, phase.name)
    opening = (
        *hook_calls(happenings, phase, phase.befores),
        *hook_calls(happenings, phase, tuple(hook for hook, at in measured if at == "before")),
    )
    low.add(body, (), (*opening, *lower_block(low, frame, Env(), phase.body)), None, phase.name)
    label = low.label(phase.name)
    run: flat.Stmt = flat.Do(flat.Call(body, ()), catch=label)
    stmts: list[flat.Stmt] = [run]
    if watches.end_phases(low):
        stmts = [flat.SetScalar("in_phase", build.YES), run, flat.SetScalar("in_phase", build.NO)]
    closing = (
        *hook_calls(happenings, phase, phase.afters),
        *hook_calls(happenings, phase, tuple(hook for hook, at in measured if at == "after")),
    )
    if closing and phase.name in low.numbers.ended:
        behind = low.names.fresh(f"behind_phase_{low.safe(phase.name)}")
        low.add(behind, (), closing, None, f"rules after {phase.name}")
        closing = (flat.Do(flat.Call(behind, ()), catch=label),)
    stmts += closing
    stmts += watches.run_watches(low)
    stmts += lower_block(low, frame, Env(), phase.then)
    stmts += watches.run_watches(low)
    stmts += _give_back(low)
    if not goes_on(phase.then):
        stmts += low.game_over(phase.name)
    low.add(name, (), tuple(stmts), None)
    return name


def _give_back(low: Lowering) -> list[flat.Stmt]:
    """What of pools was made and lies in no zone is given back at the end of a phase: no local
    lives on that could mean it, however its routine was left. What holds something stays."""
    if not low.layout.live:
        return []
    name = "give_back"
    if name not in low.out.functions:
        low.add(name, (), (), None, "entities of pools that were abandoned")
        body = [stmt for family in low.layout.live for stmt in _give_back_family(low, family)]
        low.out.functions[name].body = tuple(body)
    return [flat.Do(flat.Call(name, ()))]


def _give_back_family(low: Lowering, family: str) -> list[flat.Stmt]:
    type_ = flat.Set(low.program.families[family].size)
    live = flat.Scalar(low.layout.live[family], type_)
    name = f"one_{low.safe(family)}"
    thing = flat.Var(name)
    holds = [
        build.negate(build.is_empty(low.layout.zones[zone.name].members(thing)))
        for zone in low.program.zones.values()
        if zone.family == family
    ]
    holds += [
        read_field(low, column.name, thing)
        for column in low.program.columns.values()
        if column.family == family and column.role == "purse" and column.name in low.layout.fields
    ]
    gone: flat.Body = (
        flat.SetScalar(live.name, flat.SetBin("-", live, flat.Single(thing, type_.bits)), type_),
        flat.WriteMarker(f"live:{family}", None),
    )
    for held_there in holds:
        gone = (flat.If(build.negate(held_there), gone),)
    if family in low.layout.held:
        place = flat.Cell(low.layout.held[family].place_column, thing)
        gone = (flat.If(build.equal(place, build.NONE), gone),)
    return [flat.ForSet(name, live, gone)]


def add_watches(low: Lowering) -> None:
    """A function for every watch, and one that looks at those that wait for the running act."""
    if watches.end_phases(low):
        low.out.scalars["in_phase"] = flat.ScalarDecl("in_phase", flat.INT, 0, "scratch")
    waiting: list[flat.Stmt] = []
    for number, watch in enumerate(low.program.watches, 1):
        fired = low.counter.count(f"rule {watch.rule}")
        traced = low.tracer.watch(watch)
        frame = Frame(watch.rule, is_watch=True)
        acts = [*traced, *lower_block(low, frame, Env(), watch.body)]
        body = (*fired, *low.tracer.within(f"rule {watch.rule}", acts))
        low.add(watches.function(number), (), body, None, watch.rule)
        watches.declare(low, number)
        if not watch.ends:
            waiting.append(watches.look(low, number, (flat.SetVar("again", build.YES),)))
    if waiting:
        limit = low.fault(faults.ENDLESS_WATCHES)
        rounds = flat.Var("rounds")
        round_: flat.Body = (
            flat.SetVar("again", build.NO),
            flat.SetScalar("pending", build.NO),
            *waiting,
            flat.If(build.negate(flat.Var("again")), (flat.Break(),)),
            flat.SetVar("rounds", build.binary("+", rounds, build.num(1))),
            flat.If(flat.Bin(">", rounds, build.num(low.program.act_limit)), limit),
        )
        start = flat.SetVar("rounds", build.NO)
        low.add("run_watches", (), (start, flat.While(build.YES, round_)), None)


def add_results(low: Lowering) -> None:
    """Who has won, the scores, and what must always hold."""
    from_player = Env({"player": flat.Var("player")})
    bits = low.layout.bits(low.program.player_kind)
    low.add("winners", (), (flat.Give(low.set_(Env(), low.program.winners)),), flat.Set(bits))
    scores = low.program.scores
    score: flat.Expr = lower(low, from_player, scores) if scores is not None else build.num(0)
    low.add("score", (("player", flat.INT),), (flat.Give(score),), flat.INT)
    checks = [
        flat.If(build.negate(lower(low, Env(), check.condition)), (flat.Give(build.num(number)),))
        for number, check in enumerate(low.program.always, 1)
    ]
    low.add(
        "check_always",
        (),
        (*checks, flat.Give(build.num(0))),
        flat.INT,
        "0, or the number of what fails",
    )
