"""The random bot: any legal answer, evenly where the answers can be listed; at any-time windows it
acts now and then.
"""

from __future__ import annotations

from dsl.core import nodes as core
from interpreter.flat.ask import heads, lines, windows
from interpreter.flat.ask.greedy import random_set
from interpreter.flat.ask.heads import SEAT
from interpreter.flat.ask.questions import AnswerHead, AskedSite, registers
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import sets
from interpreter.flat.expr.exprs import lower
from interpreter.flat.incremental import waking
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.stmt import luck

ACT_ONE_IN = 8  # at a window where it may pass
TRIES = 4  # per option before it takes the first legal one


def random_function(low: Lowering, site: AskedSite) -> str:
    """The random bot's answer function at a site."""
    name = low.names.of(f"bot_random_{site.asked.site}", flat.RANDOM, site.asked.site)
    if name in low.out.functions:
        return name
    low.add(name, site.asked.params, (), flat.INT, "any legal answer")
    form = site.core_site.form
    if form == "about":
        body = _one_of(low, site)
    elif form == "window":
        body = _at_window(low, site)
    else:
        body = _pick(low, site)
    low.out.functions[name].body = tuple(body)
    return name


def _draw(n: flat.Expr) -> flat.Expr:
    return flat.BotDraw(SEAT, n)


def _one_of(low: Lowering, site: AskedSite) -> list[flat.Stmt]:
    n = flat.Var("n")
    legal = [
        build.equal(flat.Call(answer.refuse, site.asked.args), build.num(0))
        for answer in site.answers
    ]
    count: list[flat.Stmt] = [flat.SetVar("n", build.num(0))]
    count += [
        flat.If(test, (flat.SetVar("n", build.binary("+", n, build.num(1))),)) for test in legal
    ]
    choose: list[flat.Stmt] = []
    for answer, test in zip(site.answers, legal, strict=True):
        take = flat.If(build.equal(n, build.num(0)), (flat.Give(build.num(answer.number)),))
        choose.append(flat.If(test, (take, flat.SetVar("n", build.binary("-", n, build.num(1))))))
    nobody = flat.If(build.equal(n, build.num(0)), (flat.Give(build.num(0)),))
    del low
    return [*count, nobody, flat.SetVar("n", _draw(n)), *choose, flat.Give(build.num(0))]


def _pick(low: Lowering, site: AskedSite) -> list[flat.Stmt]:
    assert site.pick is not None
    decline: list[flat.Stmt] = []
    if site.may_pass:
        decline.append(flat.If(build.negate(_draw(build.num(4))), (flat.Give(build.num(0)),)))
    answer = site.answers[0]
    return [
        *decline,
        *_attempt(low, site, answer),
        *lines.first_legal(low, site),
        flat.Give(build.num(0)),
    ]


def _attempt(low: Lowering, site: AskedSite, answer: AnswerHead) -> list[flat.Stmt]:
    """Picks at random; gives the answer's number if it came out legal."""
    stmts: list[flat.Stmt] = []
    env = answer.env
    values: list[flat.Expr] = []
    tests: list[flat.Expr] = []
    for item in answer.head:
        if isinstance(item, core.HeadLet):
            more, env = heads.head_let(low, env, item.name, item.value)
            stmts += _under(tests, more)
        elif isinstance(item, core.HeadPick):
            more, value, possible = _random_value(low, env, item)
            local, type_ = heads.pick_param(low, item)
            zero: flat.Expr = (
                flat.Bits(0, type_.bits) if isinstance(type_, flat.Set) else build.num(-1)
            )
            stmts.append(flat.SetVar(local, zero, type_))
            take = [*more, flat.If(possible, (flat.SetVar(local, value, type_),))]
            stmts += _under(tests, take)
            env = env.bind(item.name, flat.Var(local, type_))
            values.append(flat.Var(local, type_))
            if item.form != "some":
                tests = [*tests, flat.Bin(">=", flat.Var(local), build.num(0))]
    legal = build.equal(flat.Call(answer.refuse, (*site.asked.args, *values)), build.num(0))
    places = registers(low, answer.head)
    done: list[flat.Stmt] = [
        flat.SetScalar(place.name, value, place.type)
        for place, value in zip(places, values, strict=True)
    ]
    done.append(flat.Give(build.num(answer.number)))
    return [*stmts, flat.If(build.all_of([*tests, legal]), tuple(done))]


def _under(tests: list[flat.Expr], stmts: list[flat.Stmt]) -> list[flat.Stmt]:
    test = build.all_of(tests)
    return stmts if test == build.YES else [flat.If(test, tuple(stmts))]


def _random_value(
    low: Lowering, env: Env, pick: core.HeadPick
) -> tuple[list[flat.Stmt], flat.Expr, flat.Expr]:
    """Statements, a random value, and whether there is one."""
    if pick.form == "some":
        stmts, members = random_set(low, env, pick)
        return stmts, members, build.YES
    if heads.of_entities(pick):
        name = low.temp("among")
        bits = low.layout.bits(sets.element_kind(pick.source.type))
        among = flat.Var(name, flat.Set(bits))
        draw = flat.Call(luck.member_at(low, bits), (among, _draw(flat.Count(among))))
        found = flat.SetVar(name, heads.candidates(low, env, pick), flat.Set(bits))
        return [found], draw, build.negate(build.is_empty(among))
    if isinstance(pick.source, core.RangeOf):
        least, many = low.temp("least"), low.temp("many")
        step = lower(low, env, pick.source.step)
        span = build.binary(
            "//", build.binary("-", lower(low, env, pick.source.high), flat.Var(least)), step
        )
        value = build.binary("+", flat.Var(least), build.binary("*", _draw(flat.Var(many)), step))
        return [
            flat.SetVar(least, lower(low, env, pick.source.low)),
            flat.SetVar(many, build.binary("+", span, build.num(1))),
        ], value, flat.Bin(">", flat.Var(many), build.num(0))  # fmt: skip
    row = low.temp("among")
    items = flat.Var(row, flat.Row(64))
    variable = low.temp("item")
    generator = core.Generator(variable, pick.type, pick.source, None)
    fill = low.iterate(env, generator, lambda inner: [flat.RowPush(items, inner.names[variable])])
    take = flat.RowItem(items, _draw(flat.RowCount(items)))
    return [flat.NewRow(row, 64), *fill], take, flat.Bin(">", flat.RowCount(items), build.num(0))


def _always_ask(low: Lowering) -> list[flat.Stmt]:
    """A bot that draws may answer otherwise the next time though nothing has changed."""
    seats = flat.Set(low.program.players)
    always = flat.Scalar("always", seats)
    me = flat.Single(SEAT, low.program.players)
    return [flat.SetScalar("always", build.set_or(always, me), seats)]


def _at_window(low: Lowering, site: AskedSite) -> list[flat.Stmt]:
    if not site.answers:
        return [flat.Give(build.num(0))]
    args = site.asked.args
    stmts: list[flat.Stmt] = _always_ask(low) if site.wake is not None else []
    tries = 1
    if site.may_pass:
        window = low.program.windows[site.core_site.window or site.core_site.name]
        one_in = ACT_ONE_IN if waking.is_any_time(window) else 2
        stmts.append(flat.If(_draw(build.num(one_in)), (flat.Give(build.num(0)),)))
    else:
        tries = TRIES * len(site.answers)
        nothing = build.negate(flat.Call(windows.anything(low, site), args))
        stmts.append(flat.If(nothing, (flat.Give(build.num(0)),)))
    which, given = flat.Var("which"), flat.Var("given")
    branch: flat.Body = ()
    for index, answer in reversed(list(enumerate(site.answers))):
        base = f"try_{site.asked.site}_{low.safe(answer.name)}"
        name = low.names.of(base, site.asked.site, answer.name)
        if name not in low.out.functions:
            low.add(name, site.asked.params, (), flat.INT, "a random try")
            low.out.functions[name].body = (*_attempt(low, site, answer), flat.Give(build.num(0)))
        test = build.equal(which, build.num(index))
        branch = (flat.If(test, (flat.SetVar("given", flat.Call(name, args)),), branch),)
    attempt = (
        flat.SetVar("which", _draw(build.num(len(site.answers)))),
        flat.SetVar("given", build.num(0)),
        *branch,
        flat.If(given, (flat.Give(given),)),
    )
    stmts.append(flat.ForRange("tries", build.num(1), build.num(tries), build.num(1), attempt))
    if not site.may_pass:
        stmts += lines.first_legal(low, site)
    return [*stmts, flat.Give(build.num(0))]
