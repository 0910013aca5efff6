"""Choosing a set without going through all sets: take items in order until it is legal, then leave
out what it can.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.ask import heads
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import ordered, sets
from interpreter.flat.expr.exprs import lower
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.stmt import luck

GoOn = Callable[[Env, str], list[flat.Stmt]]


def greedy_pick(
    low: Lowering, env: Env, pick: core.HeadPick, ranking: tuple[core.Ranking, ...], go_on: GoOn
) -> list[flat.Stmt]:
    """Takes candidates in the order of the ranking until the set is legal; then, from the last one
    taken, leaves out each that is not needed. So a set that must be enough, and have nothing
    superfluous, is found if one exists by that order."""
    kind = sets.element_kind(pick.source.type)
    bits = low.layout.bits(kind)
    chosen, order, item = low.temp("chosen"), low.temp("order"), low.temp("item")
    members = flat.Var(chosen, flat.Set(bits))
    row = flat.Var(order, flat.Row(bits))
    one = flat.Single(flat.Var(item), bits)
    inner = env.bind(pick.name, members)
    enough = _enough(low, inner, pick, members)
    room = (
        flat.Bin("<", flat.Count(members), lower(low, env, pick.high))
        if pick.high is not None
        else build.YES
    )
    take = flat.If(room, (flat.SetVar(chosen, build.set_or(members, one), flat.Set(bits)),))
    trial = low.temp("trial")
    less = flat.Var(trial, flat.Set(bits))
    still = _enough(low, env.bind(pick.name, less), pick, less)
    leave = flat.If(still, (flat.SetVar(chosen, less, flat.Set(bits)),))
    test = flat.Has(members, flat.Var(item))
    prune = flat.If(
        test, (flat.SetVar(trial, flat.SetBin("-", members, one), flat.Set(bits)), leave)
    )
    return [
        flat.SetVar(chosen, build.empty(bits), flat.Set(bits)),
        *_in_order(low, env, pick, ranking, order, bits),
        flat.ForRow(item, row, (flat.If(enough, (flat.Break(),)), take)),
        flat.If(
            enough,
            (
                flat.ForRow(item, row, (prune,)),
                *go_on(env, chosen),
            ),
        ),
    ]


def _enough(low: Lowering, env: Env, pick: core.HeadPick, members: flat.Expr) -> flat.Expr:
    tests: list[flat.Expr] = []
    if pick.low is not None:
        least = lower(low, env, pick.low)
        if least != build.NO:
            tests.append(flat.Bin(">=", flat.Count(members), least))
    if pick.such_that is not None:
        tests.append(lower(low, env, pick.such_that))
    return build.all_of(tests)


def _in_order(
    low: Lowering,
    env: Env,
    pick: core.HeadPick,
    ranking: tuple[core.Ranking, ...],
    order: str,
    bits: int,
) -> list[flat.Stmt]:
    kind = sets.element_kind(pick.source.type)
    item_type = t.RefType(kind)
    local = core.Local(item_type, pick.span, pick.item)
    generator = core.Generator(pick.item, item_type, pick.source, pick.where)
    row = flat.Var(order, flat.Row(bits))
    start: list[flat.Stmt] = [flat.NewRow(order, bits)]
    if not ranking:
        push: ordered.Visit = lambda inner: [flat.RowPush(row, inner.names[pick.item])]  # noqa: E731
        return [*start, *ordered.iterate(low, env, generator, push)]
    key = ranking[0].value
    if ranking[0].most:
        zero = core.Const(t.IntType(0, 0), pick.span, 0)
        key = core.Arith(t.IntType(-(1 << 30), 1 << 30), pick.span, "-", zero, key)
    return [*start, *ordered.sorted_into(low, env, (generator,), key, local, row)]


def random_set(low: Lowering, env: Env, pick: core.HeadPick) -> tuple[list[flat.Stmt], flat.Var]:
    """A random legal set where there is one: items in a random order, then as above; at times one
    more item.
    """
    kind = sets.element_kind(pick.source.type)
    bits = low.layout.bits(kind)
    chosen, left, item = low.temp("chosen"), low.temp("left"), low.temp("item")
    members, rest = flat.Var(chosen, flat.Set(bits)), flat.Var(left, flat.Set(bits))
    seat = flat.Var("seat")
    one = flat.Single(flat.Var(item), bits)
    enough = _enough(low, env.bind(pick.name, members), pick, members)
    more = build.negate(flat.BotDraw(seat, build.num(3))) if pick.such_that is None else build.NO
    room = (
        flat.Bin("<", flat.Count(members), lower(low, env, pick.high))
        if pick.high is not None
        else build.YES
    )
    draw = flat.Call(luck.member_at(low, bits), (rest, flat.BotDraw(seat, flat.Count(rest))))
    trial = low.temp("trial")
    less = flat.Var(trial, flat.Set(bits))
    still = _enough(low, env.bind(pick.name, less), pick, less)
    prune: flat.Body = ()
    if pick.such_that is not None:
        shrink = flat.If(still, (flat.SetVar(chosen, less, flat.Set(bits)),))
        try_less = flat.SetVar(trial, flat.SetBin("-", members, one), flat.Set(bits))
        prune = (flat.ForSet(item, members, (try_less, shrink)),)
    return [
        flat.SetVar(chosen, build.empty(bits), flat.Set(bits)),
        flat.SetVar(left, heads.candidates(low, env, pick), flat.Set(bits)),
        flat.While(
            build.both(build.negate(build.is_empty(rest)), room),
            (
                flat.If(build.both(enough, build.negate(more)), (flat.Break(),)),
                flat.SetVar(item, draw),
                flat.SetVar(chosen, build.set_or(members, one), flat.Set(bits)),
                flat.SetVar(left, flat.SetBin("-", rest, one), flat.Set(bits)),
            ),
        ),
        *prune,
    ], members
