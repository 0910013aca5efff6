"""Searches: going through all subsets of one size, one after the other, without a list of them."""

from __future__ import annotations

from collections.abc import Callable

from dsl.core import nodes as core
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import sets
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat


def subsets(
    low: Lowering,
    env: Env,
    collection: core.Expr,
    size: flat.Expr,
    variable: str,
    visit: Callable[[Env], list[flat.Stmt]],
) -> list[flat.Stmt]:
    """Statements that run `visit` for every subset of `size` members, in the order of the data."""
    bits = low.layout.bits(sets.element_kind(collection.type))
    type_ = flat.Set(bits)
    whole, chosen, number, going = (low.temp(word) for word in ("whole", "chosen", "size", "going"))
    inner = env.bind(variable, flat.Var(chosen, type_))
    everything, now = flat.Var(whole, type_), flat.Var(chosen, type_)
    first = flat.Call(_next_subset(low, bits), (everything, build.empty(bits), flat.Var(number)))
    following = flat.Call(_next_subset(low, bits), (everything, now, flat.Var(number)))
    return [
        flat.SetVar(whole, sets.lower_set(low, env, collection), type_),
        flat.SetVar(number, size),
        flat.SetVar(chosen, first, type_),
        flat.SetVar(going, build.equal(flat.Count(now), flat.Var(number))),
        flat.While(
            flat.Var(going),
            (
                *visit(inner),
                flat.SetVar(chosen, following, type_),
                flat.SetVar(going, build.negate(build.is_empty(now))),
            ),
        ),
    ]


def _next_subset(low: Lowering, bits: int) -> str:
    """The function that gives the next subset: the first one after the empty set, the empty set
    after the last one. The last member that can move on does, and those after it follow close."""
    name = f"next_subset_{bits}"
    if name in low.out.functions:
        return name
    type_ = flat.Set(bits)
    whole, now, made = flat.Var("whole", type_), flat.Var("now", type_), flat.Var("made", type_)
    before, mover, target, item = (flat.Var(word) for word in ("before", "mover", "target", "item"))
    can_move = build.all_of(
        (
            flat.Bin(">=", before, build.num(0)),
            flat.Has(now, before),
            flat.Not(flat.Has(now, item)),
        )
    )
    none_left = build.both(build.negate(build.is_empty(now)), flat.Bin("<", mover, build.num(0)))
    keep = flat.If(
        build.both(flat.Has(now, item), flat.Bin("<", item, mover)),
        (flat.SetVar("made", build.set_or(made, flat.Single(item, bits)), type_),),
    )
    fill = flat.If(
        build.both(flat.Bin(">=", item, target), flat.Bin("<", flat.Count(made), flat.Var("size"))),
        (flat.SetVar("made", build.set_or(made, flat.Single(item, bits)), type_),),
    )
    body = (
        flat.SetVar("before", build.NONE),
        flat.SetVar("mover", build.NONE),
        flat.SetVar("target", build.num(0)),
        flat.ForSet(
            "item",
            whole,
            (
                flat.If(can_move, (flat.SetVar("mover", before), flat.SetVar("target", item))),
                flat.SetVar("before", item),
            ),
        ),
        flat.If(none_left, (flat.Give(build.empty(bits)),)),
        flat.SetVar("made", build.empty(bits), type_),
        flat.ForSet("item", whole, (keep,)),
        flat.ForSet("item", whole, (fill,)),
        flat.Give(made),
    )
    params = (("whole", type_), ("now", type_), ("size", flat.INT))
    low.add(name, params, body, type_, "the next subset of this size")
    return name
