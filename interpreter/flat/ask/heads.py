"""Heads of answers: candidates of every pick, the one function that refuses, the texts of the
reasons.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env, Params
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import facts, ordered, queries, sets
from interpreter.flat.expr.exprs import lower
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat


@dataclass(frozen=True, slots=True)
class Asked:
    """A site, as the functions around it see it. `params`: the seat, then the scope."""

    site: str
    params: Params
    env: Env  # of the scope, inside a function with `params`

    @property
    def args(self) -> tuple[flat.Expr, ...]:
        """The parameters, passed on."""
        return tuple(flat.Var(*param) for param in self.params)


SEAT = flat.Var("seat")


def pick_param(low: Lowering, pick: core.HeadPick) -> tuple[str, flat.FlatType]:
    """The parameter of a picked value."""
    return f"v_{pick.name}", low.layout.flat_type(pick.type)


def candidates(low: Lowering, env: Env, pick: core.HeadPick) -> flat.Expr:
    """The set of entities that may be picked (of a `one` or `some` pick of entities)."""
    span = pick.span
    kind = sets.element_kind(pick.source.type)
    item = core.Local(t.RefType(kind), span, pick.item)
    generator = core.Generator(pick.item, t.RefType(kind), pick.source, pick.where)
    fold = core.Fold(t.SetType(kind), span, "set", (generator,), item, None, None)
    return queries.lower_fold(low, env, fold)


def of_entities(pick: core.HeadPick) -> bool:
    """Whether entities are picked, not numbers or words."""
    type_ = pick.source.type
    return isinstance(type_, t.SetType) or (
        isinstance(type_, t.SeqType) and isinstance(type_.element, t.RefType)
    )


def allowed(
    low: Lowering, env: Env, pick: core.HeadPick, value: flat.Expr, *, sure: bool = False
) -> flat.Expr:
    """Whether a value is among what a pick allows; `env` has the picked name. `sure`: that the
    value is one of the kind that is picked from."""
    if pick.form == "some":
        tests = [*_all_among(low, env, pick, value), *_count_tests(low, env, pick, value)]
        if pick.such_that is not None:
            tests.append(lower(low, env, pick.such_that))
        return build.all_of(tests)
    tests = []
    if of_entities(pick):
        condition = None
        if sure:
            local = core.Local(pick.type, pick.span, pick.name)
            condition = sets.as_condition(low, local, pick.source)
        else:
            tests.append(build.binary(">=", value, build.num(0)))
        if condition is not None:
            tests.append(lower(low, env, condition))
        else:
            tests.append(build.has(sets.lower_set(low, env, pick.source), value))
    else:
        local = core.Local(pick.type, pick.span, pick.name)
        tests.append(lower(low, env, core.Contains(t.FlagType(), pick.span, local, pick.source)))
    tests += [lower(low, env, condition) for condition in sets.conjuncts(pick.where)]
    return build.all_of(tests)


def _all_among(low: Lowering, env: Env, pick: core.HeadPick, value: flat.Expr) -> list[flat.Expr]:
    """Whether all things of a set may be picked; of a single one that is asked, not which all are
    that may."""
    if not isinstance(value, flat.Single) or value.may_be_none:
        return [build.within(value, candidates(low, env, pick))]
    inner = env.bind(pick.item, value.index)
    kind = t.RefType(sets.element_kind(pick.source.type))
    wide = facts.flattened(low, core.Generator(pick.item, kind, pick.source, pick.where))
    item = core.Local(kind, pick.span, pick.item)
    there = core.Contains(t.FlagType(), pick.span, item, wide.source)
    return [lower(low, inner, one) for one in (there, *sets.conjuncts(wide.where))]


def _count_tests(low: Lowering, env: Env, pick: core.HeadPick, value: flat.Expr) -> list[flat.Expr]:
    tests: list[flat.Expr] = []
    if pick.low is not None:
        least = lower(low, env, pick.low)
        if least != build.NO:
            tests.append(build.binary(">=", build.count(value), least))
    if pick.high is not None:
        tests.append(build.binary("<=", build.count(value), lower(low, env, pick.high)))
    return tests


def refusal(
    low: Lowering, asked: Asked, env: Env, tag: str, head: tuple[core.HeadItem, ...]
) -> tuple[str, tuple[core.HeadItem, ...]]:
    """The function that says why an answer is refused: 0 legal, else the number of the head item
    that refuses.
    """
    name = low.function_name(f"no_{tag}")
    params = list(asked.params)
    body: list[flat.Stmt] = []
    reasons: list[core.HeadItem] = []
    for item in head:
        match item:
            case core.HeadLet(name=local, value=value):
                stmts, env = head_let(low, env, local, value)
                body += stmts
            case core.HeadNeeds(condition=condition):
                reasons.append(item)
                test = build.negate(lower(low, env, condition))
                body.append(flat.If(test, (flat.Give(build.num(len(reasons))),)))
            case core.HeadPick():
                param = pick_param(low, item)
                params.append(param)
                value_var = flat.Var(*param)
                env = env.bind(item.name, value_var)
                reasons.append(item)
                test = build.negate(allowed(low, env, item, value_var))
                body.append(flat.If(test, (flat.Give(build.num(len(reasons))),)))
    low.add(
        name,
        tuple(params),
        (*body, flat.Give(build.num(0))),
        flat.INT,
        "0, or the number of the reason",
    )
    return name, tuple(reasons)


def head_let(low: Lowering, env: Env, name: str, value: core.Expr) -> tuple[list[flat.Stmt], Env]:
    """A `let` line of a head."""
    local, type_ = low.param(name, value.type)
    if isinstance(type_, flat.Row):
        return ordered.row_into(low, env, value, local), env.bind(name, flat.Var(local, type_))
    lowered = (
        sets.lower_set(low, env, value)
        if isinstance(value.type, t.SetType)
        else lower(low, env, value)
    )
    if isinstance(lowered, (flat.Num, flat.Bits)):
        return [], env.bind(name, lowered)
    return [flat.SetVar(local, lowered, type_)], env.bind(name, flat.Var(local, type_))


def pick_infos(
    low: Lowering, asked: Asked, env: Env, tag: str, head: tuple[core.HeadItem, ...]
) -> tuple[flat.PickInfo, ...]:
    """The picks of a head as the host sees them, with their candidate functions."""
    infos: list[flat.PickInfo] = []
    params = list(asked.params)
    before: list[flat.Stmt] = []
    ints = sets_ = 0
    for item in head:
        if isinstance(item, core.HeadLet):
            stmts, env = head_let(low, env, item.name, item.value)
            before += stmts
        if not isinstance(item, core.HeadPick):
            continue
        register: tuple[Literal["int", "set"], int]
        if item.form == "some":
            sets_ += 1
            register = ("set", sets_)
        else:
            ints += 1
            register = ("int", ints)
        infos.append(
            _pick_info(
                low, env, f"{tag}_{len(infos) + 1}", item, tuple(params), tuple(before), register
            )
        )
        param = pick_param(low, item)
        params.append(param)
        env = env.bind(item.name, flat.Var(*param))
    return tuple(infos)


def _pick_info(
    low: Lowering,
    env: Env,
    tag: str,
    pick: core.HeadPick,
    params: Params,
    before: flat.Body,
    register: tuple[Literal["int", "set"], int],
) -> flat.PickInfo:
    def function(word: str, value: flat.Expr, gives: flat.FlatType) -> str:
        name = low.function_name(f"{word}_{tag}")
        low.add(name, params, (*before, flat.Give(value)), gives)
        return name

    if of_entities(pick):
        bits = low.layout.bits(sets.element_kind(pick.source.type))
        found = function("from", candidates(low, env, pick), flat.Set(bits))
        if pick.form == "one":
            return flat.PickInfo(pick.name, "set", found, None, None, None, register, pick.type)
        least = lower(low, env, pick.low) if pick.low is not None else build.num(0)
        most = lower(low, env, pick.high) if pick.high is not None else build.num(bits)
        ends = function("least", least, flat.INT), function("most", most, flat.INT)
        reason = None
        if pick.reason is not None:
            param = pick_param(low, pick)
            inner = env.bind(pick.name, flat.Var(*param))
            reason = text_info(low, inner, f"{tag}_set", pick.reason, (*params, param), before)
        return flat.PickInfo(pick.name, "some", found, *ends, None, register, pick.type, reason)
    if isinstance(pick.source, core.RangeOf):
        lowest = function("least", lower(low, env, pick.source.low), flat.INT)
        highest = function("most", lower(low, env, pick.source.high), flat.INT)
        step = function("step", lower(low, env, pick.source.step), flat.INT)
        return flat.PickInfo(pick.name, "range", None, lowest, highest, step, register, pick.type)
    name = low.function_name(f"from_{tag}")
    low.answer_row(pick.source.type)
    row = flat.RowAt("answer_row", build.num(0), 64)
    variable = low.temp("item")
    generator = core.Generator(variable, pick.type, pick.source, None)
    fill = ordered.iterate(
        low, env, generator, lambda inner: [flat.RowPush(row, inner.names[variable])]
    )
    low.add(name, params, (*before, flat.RowClear(row), *fill), None)
    return flat.PickInfo(pick.name, "row", name, None, None, None, register, pick.type)


def reason_texts(
    low: Lowering, asked: Asked, env: Env, tag: str, head: tuple[core.HeadItem, ...]
) -> tuple[flat.TextInfo, ...]:
    """The texts of the reasons, their holes as functions of seat, scope and picks."""
    return _texts_of(low, asked, env, tag, head, None)


def label_text(
    low: Lowering,
    asked: Asked,
    env: Env,
    tag: str,
    head: tuple[core.HeadItem, ...],
    label: core.TextOf | None,
) -> flat.TextInfo | None:
    """How an answer is put, its holes as functions of seat, scope and all picks."""
    return None if label is None else _texts_of(low, asked, env, f"{tag}_as", head, label)[-1]


def _texts_of(
    low: Lowering,
    asked: Asked,
    env: Env,
    tag: str,
    head: tuple[core.HeadItem, ...],
    label: core.TextOf | None,
) -> tuple[flat.TextInfo, ...]:
    params = list(asked.params)
    before: list[flat.Stmt] = []
    texts: list[flat.TextInfo] = []
    for item in head:
        match item:
            case core.HeadLet(name=local, value=value):
                stmts, env = head_let(low, env, local, value)
                before += stmts
            case core.HeadPick():
                param = pick_param(low, item)
                params.append(param)
                env = env.bind(item.name, flat.Var(*param))
                texts.append(flat.TextInfo("refused.pick", (item.name,)))
            case core.HeadNeeds(reason=reason) if label is None:
                number = len(texts) + 1
                given = tuple(params), tuple(before)
                texts.append(text_info(low, env, f"{tag}_{number}", reason, *given))
            case _:
                pass
    if label is not None:
        texts.append(text_info(low, env, tag, label, tuple(params), tuple(before)))
    return tuple(texts)


def text_info(
    low: Lowering, env: Env, tag: str, text: core.TextOf, params: Params, before: flat.Body = ()
) -> flat.TextInfo:
    """A text with a function for every hole."""
    parts: list[str | flat.TextPart] = []
    for number, part in enumerate(text.parts, 1):
        if isinstance(part, str):
            parts.append(part)
        elif isinstance(part, core.Together):
            parts += [_part(low, env, tag, item, params, before, number) for item in part.items]
        else:
            parts.append(_part(low, env, tag, part, params, before, 0))
    return flat.TextInfo(text.key, tuple(parts))


def _part(
    low: Lowering,
    env: Env,
    tag: str,
    part: core.Expr,
    params: Params,
    before: flat.Body,
    together: int,
) -> flat.TextPart:
    is_printed = isinstance(part, core.PrintedOn)
    part = part.thing if isinstance(part, core.PrintedOn) else part
    name = low.function_name(f"say_{tag}")
    type_ = part.type
    if isinstance(type_, t.SeqType) and isinstance(type_.element, t.RefType):
        type_ = t.SetType(type_.element.kind)
    is_set = isinstance(type_, t.SetType)
    value = sets.lower_set(low, env, part) if is_set else lower(low, env, part)
    low.add(name, params, (*before, flat.Give(value)), low.layout.flat_type(type_))
    return flat.TextPart(name, type_, is_printed, together)
