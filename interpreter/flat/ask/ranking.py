"""Lines with a ranking: what is better, and loops that come to the best first."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr.exprs import lower
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.core_tree import free_locals, walk


@dataclass(frozen=True, slots=True)
class Order:
    """How a loop over a set comes to the best by a key first. `is_distinct`: no two items have the
    same key, so that what the first one gives is the best by it."""

    variable: str
    ranking: core.Ranking
    is_distinct: bool


def order_of(
    low: Lowering, env: Env, variable: str, source: core.Expr, ranking: core.Ranking
) -> Order | None:
    """The order of a loop whose items have their keys in order, whatever happens."""
    if not low.does("ranked") or not isinstance(source.type, t.SetType):
        return None
    anyone = {variable: t.RefType(source.type.kind)}
    if free_locals(ranking.value) != anyone or _may_lack_it(low, ranking.value):
        return None
    keys: list[int] = []
    for member in low.program.kinds[source.type.kind].members:
        key = lower(low, env.bind(variable, build.num(member)), ranking.value)
        if not isinstance(key, flat.Num) or (keys and key.value < keys[-1]):
            return None
        keys.append(key.value)
    is_distinct = len(set(keys)) == len(keys)
    if ranking.most and not is_distinct:
        return None  # of equals the first one counts, and would come last
    return Order(variable, ranking, is_distinct)


def _may_lack_it(low: Lowering, key: core.Expr) -> bool:
    """Whether a key is that of some items only: it reads something that others have none of."""
    fields = [node for node in walk(key) if isinstance(node, core.Field)]
    types = [low.program.columns[field.column].type for field in fields]
    return any(isinstance(type_, t.RefType) and type_.optional for type_ in types)


def best_first(
    low: Lowering, env: Env, order: Order, loop: list[flat.Stmt], best: list[str]
) -> list[flat.Stmt]:
    """A loop in its order, left where nothing better can follow; without locals of a best so far,
    the first answer is given at once."""
    *before, last = loop
    assert isinstance(last, flat.ForSet)
    body = last.body
    if best:
        key = lower(low, env.bind(order.variable, flat.Var(last.name)), order.ranking.value)
        equal = build.NO if order.is_distinct else build.equal(key, flat.Var(best[0]))
        worse = build.both(flat.Var(found(best)), build.negate(equal))
        body = (flat.If(worse, (flat.Break(),)), *body)
    return [*before, flat.ForSet(last.name, last.set, body, descending=order.ranking.most)]


def found(best: list[str]) -> str:
    """The local that says whether there is an answer so far."""
    return f"{best[0]}_found"


def is_better(
    ranking: tuple[core.Ranking, ...], keys: list[flat.Expr], best: list[str]
) -> flat.Expr:
    """Whether keys come before those of the best so far."""
    better: flat.Expr = build.NO
    for one, key, name in reversed(list(zip(ranking, keys, best, strict=True))):
        above = flat.Bin(">" if one.most else "<", key, flat.Var(name))
        better = build.either(above, build.both(build.equal(key, flat.Var(name)), better))
    return better
