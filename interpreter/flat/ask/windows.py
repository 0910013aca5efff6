"""Windows: who is asked, in which order, how often; and what the options do.

An any-time window without parameters keeps a bit per seat: a seat that passed is asked again only
when something it read has changed, or when its answers are not a compiled strategy's (`always`).
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl.core import nodes as core
from interpreter.flat.ask import heads, lines
from interpreter.flat.ask.heads import SEAT, Asked
from interpreter.flat.ask.questions import (
    AskedSite,
    add_site,
    count_question,
    declare_answer,
    registers,
)
from interpreter.flat.context.env import Env, Params
from interpreter.flat.context.frames import Frame
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.incremental import waking
from interpreter.flat.incremental.reads import MORE, OwnSubjects, reads_of
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import all_nodes
from interpreter.flat.plan import faults
from interpreter.flat.stmt import watches
from interpreter.flat.stmt.statements import call_args, lower_block


def open_window(low: Lowering, env: Env, stmt: core.OpenWindow) -> list[flat.Stmt]:
    """`open WINDOW`."""
    window = low.program.windows[stmt.window]
    name = window_function(low, window, stmt.site)
    before, args = call_args(low, env, stmt.args)
    call = flat.Do(flat.Call(name, args))
    wake = waking.wake_scalar(low, window)
    if wake is None:
        return [*before, call]
    seats = flat.Set(low.program.players)
    someone = build.either(
        build.negate(build.is_empty(waking.everything(low, wake))),
        build.negate(build.is_empty(flat.Scalar("always", seats))),
    )
    return [flat.If(someone, (call,))]


def window_function(low: Lowering, window: core.Window, site_name: str) -> str:
    """The function that asks at a window until it closes."""
    name = low.names.of(f"window_{low.safe(window.name)}", window.name)
    if name in low.out.functions:
        return name
    params, env = low.env_of(window.params)
    low.add(name, params, (), None, f"{window.name}: {window.closing}")
    site = _declare(low, window, site_name, params)
    low.out.functions[name].body = _asking_loop(low, window, site, env, params)
    return name


def _declare(low: Lowering, window: core.Window, site_name: str, params: Params) -> AskedSite:
    known = low.program.sites[site_name]
    tag = low.site_tag(site_name, window=window.name)
    asked_params = (("seat", flat.INT), *params)
    env = Env().bind("me", SEAT)
    for (name, _), param in zip(window.params, params, strict=True):
        env = env.bind(name, flat.Var(*param))
    asked = Asked(tag, asked_params, env)
    may_pass = window.closing not in ("exactly one", "until nobody can")
    site = AskedSite(
        core.Site(known.name, window.name, "window", window.params, window.name, known.span),
        asked, [], may_pass, wake=waking.wake_scalar(low, window), closing=window.closing,
    )  # fmt: skip
    infos: list[flat.AnswerInfo] = []
    for number, option_name in enumerate(window.options, 1):
        option = low.program.options[option_name]
        option_env = _option_env(window, option, env)
        head, info = declare_answer(
            low,
            asked,
            option_env,
            f"{tag}_{low.safe(option.name)}",
            number,
            option.name,
            option.head,
            option.label,
        )
        site.answers.append(head)
        infos.append(info)
    add_site(low, site, infos, window.asked, window.label, window.passes, window.shows)
    return site


def _option_env(window: core.Window, option: core.Option, env: Env) -> Env:
    """The names of an option for what the window gives: the seat, then by name or by place."""
    inner = env.bind(option.params[0][0], SEAT)
    given = option.params[1:]
    names = [name for name, _ in window.params]
    for position, (name, _) in enumerate(given):
        source = name if name in names else names[position]
        inner = inner.bind(name, env.names[source])
    return inner


@dataclass(frozen=True, slots=True)
class _Asking:
    """A window being made. `args`: what it gives besides the seat; `act`: what carries out an
    answer."""

    low: Lowering
    window: core.Window
    site: AskedSite
    args: tuple[flat.Expr, ...]
    act: str

    def ask(self, seat: flat.Expr) -> list[flat.Stmt]:
        """Asks a seat."""
        asking = flat.SetVar("given", flat.AskSeat(self.site.asked.site, seat, self.args))
        return [count_question(), asking] if self.site.may_pass else [asking]

    def did(self, seat: flat.Expr) -> list[flat.Stmt]:
        """Carries out its answer."""
        call = flat.Do(flat.Call(self.act, (flat.Var("given"), seat, *self.args)))
        counting = [] if self.site.may_pass else [count_question()]
        return [*counting, call, *watches.run_watches(self.low)]

    def once_more(self) -> list[flat.Stmt]:
        """Counts the acts of a window that goes on after them."""
        rounds = flat.Var("rounds")
        limit = self.low.fault(faults.not_closed(self.window.name))
        return [
            flat.SetVar("rounds", build.binary("+", rounds, build.num(1))),
            flat.If(flat.Bin(">", rounds, build.num(self.low.program.act_limit)), limit),
        ]


def _asking_loop(
    low: Lowering, window: core.Window, site: AskedSite, env: Env, params: Params
) -> flat.Body:
    args = tuple(flat.Var(*param) for param in params)
    asking = _Asking(low, window, site, args, _act_function(low, window, site))
    if site.wake is not None:
        return _any_time_loop(asking, env, site.wake)
    once = window.closing == "once each"
    given, acted = flat.Var("given"), flat.Var("acted")

    def visit(inner: Env) -> list[flat.Stmt]:
        seat = inner.names[window.asked.variable]
        did = asking.did(seat)
        did += [] if once else [flat.SetVar("acted", build.YES), flat.Break()]
        ask = [*asking.ask(seat), flat.If(flat.Bin("!=", given, build.NO), tuple(did))]
        if not site.may_pass:
            return [flat.If(_may_answer(low, site, seat, args), tuple(ask))]
        return ask

    loop = low.iterate(env, window.asked, visit)
    if once:
        return tuple(loop)
    none_yet = flat.SetVar("acted", build.NO)
    if window.closing in ("exactly one", "until one acts"):
        return (none_yet, *loop)
    done = flat.If(build.equal(acted, build.NO), (flat.Break(),))
    start = flat.SetVar("rounds", build.NO)
    return (start, flat.While(build.YES, (none_yet, *loop, done, *asking.once_more())))


def _any_time_loop(asking: _Asking, env: Env, wake: str) -> flat.Body:
    """Asks the first in order that has bits, and from the start again after each act."""
    low, given = asking.low, flat.Var("given")
    start = (flat.SetVar("rounds", build.NO), waking.wake_always(low, wake))
    match low.iterate(env, asking.window.asked, lambda _: [flat.Break()]):
        case [flat.ForTable(body=(flat.Break(),)) as loop]:
            may: flat.Expr = build.YES
        case [
            flat.ForTable(body=(flat.If(condition=may, then=(flat.Break(),), other=()),)) as loop
        ]:
            pass
        case _:
            return (*start, flat.While(build.YES, _one_by_one(asking, env, wake)))
    search = waking.next_awake(low, wake, loop)
    if search is None:
        return (*start, flat.While(build.YES, _one_by_one(asking, env, wake)))
    _wake_when_asked(asking, wake, may)
    seat = flat.Var(loop.name)
    did = (waking.wake_always(low, wake), *asking.did(seat), *asking.once_more())
    sleeps = (waking.asleep(low, wake, seat),)
    round_: flat.Body = (
        *asking.ask(seat),
        flat.If(flat.Bin("!=", given, build.NO), did, sleeps),
    )
    if may != build.YES:
        round_ = (flat.If(may, round_, sleeps),)
    return (*start, flat.While(build.YES, (*search, *round_)))


def _wake_when_asked(asking: _Asking, wake: str, may: flat.Expr) -> None:
    """Who `may` not be asked loses his bits too: he gets them back when that changes."""
    low, asked = asking.low, asking.window.asked
    tested = {
        node.column if isinstance(node, flat.Cell) else node.name
        for node in all_nodes(may)
        if isinstance(node, (flat.Cell, flat.Scalar))
    }
    for read in reads_of(low, asked, OwnSubjects(frozenset({asked.variable})), MORE):
        place = low.layout.fields.get(read.key)
        if place is None or place.name in tested:
            waking.for_good(low, wake, read, None)


def _one_by_one(asking: _Asking, env: Env, wake: str) -> flat.Body:
    """One round of those who have bits, up to the first who acts."""
    low, acted = asking.low, flat.Var("acted")

    def visit(inner: Env) -> list[flat.Stmt]:
        seat = inner.names[asking.window.asked.variable]
        did = (
            waking.wake_always(low, wake),
            *asking.did(seat),
            flat.SetVar("acted", build.YES),
            flat.Break(),
        )
        nobody = build.is_empty(waking.everything(low, wake))
        passed = (waking.asleep(low, wake, seat), flat.If(nobody, (flat.Break(),)))
        answer = flat.If(flat.Bin("!=", flat.Var("given"), build.NO), did, passed)
        return [flat.If(waking.is_awake(low, wake, seat), (*asking.ask(seat), answer))]

    return (
        flat.SetVar("acted", build.NO),
        *low.iterate(env, asking.window.asked, visit),
        flat.If(build.equal(acted, build.NO), (flat.Break(),)),
        *asking.once_more(),
    )


def _may_answer(
    low: Lowering, site: AskedSite, seat: flat.Expr, args: tuple[flat.Expr, ...]
) -> flat.Expr:
    """Whether a seat that must answer is asked. A compiled strategy says itself whether anything
    is legal: it gives 0 only if nothing is."""
    compiled = flat.Not(flat.Has(flat.Scalar("always", flat.Set(low.program.players)), seat))
    return build.either(compiled, flat.Call(anything(low, site), (seat, *args)))


def anything(low: Lowering, site: AskedSite) -> str:
    """The function that says whether a seat has any legal option here."""
    name = low.names.of(f"any_{site.asked.site}", "any", site.asked.site)
    if name not in low.out.functions:
        low.add(name, site.asked.params, (), flat.INT, "whether there is a legal answer")
        low.out.functions[name].body = (*lines.first_legal(low, site), flat.Give(build.num(0)))
    return name


def _act_function(low: Lowering, window: core.Window, site: AskedSite) -> str:
    """The function that carries out an answer, its picks in the registers."""
    name = low.names.of(f"act_{low.safe(window.name)}", window.name)
    params = (("given", flat.INT), *site.asked.params)
    low.add(name, params, (), None)
    branch: flat.Body = ()
    for answer, option_name in reversed(list(zip(site.answers, window.options, strict=True))):
        option = low.program.options[option_name]
        function = _option_function(low, option)
        given = tuple(answer.env.names[name_] for name_, _ in option.params[1:])
        call = flat.Do(flat.Call(function, (SEAT, *given, *registers(low, option.head))))
        test = build.equal(flat.Var("given"), build.num(answer.number))
        branch = (flat.If(test, (call,), branch),)
    low.out.functions[name].body = branch
    return name


def _option_function(low: Lowering, option: core.Option) -> str:
    """What an option does: its lets again, then its body."""
    name = low.names.of(f"option_{low.safe(option.name)}", option.name)
    if name in low.out.functions:
        return name
    params, env = low.env_of(option.params)
    pick_params: list[tuple[str, flat.FlatType]] = []
    stmts: list[flat.Stmt] = list(low.counter.count(f"option {option.name}"))
    low.add(name, params, (), None, option.name)
    for item in option.head:
        if isinstance(item, core.HeadPick):
            param = heads.pick_param(low, item)
            pick_params.append(param)
            env = env.bind(item.name, flat.Var(*param))
        elif isinstance(item, core.HeadLet):
            lets, env = heads.head_let(low, env, item.name, item.value)
            stmts += lets
    body = lower_block(low, Frame(option.name, kind="option"), env, option.body)
    stmts += low.tracer.within(f"option {option.name}", [*low.tracer.option(env, option), *body])
    low.out.functions[name].params = (*params, *pick_params)
    low.out.functions[name].body = tuple(stmts)
    return name
