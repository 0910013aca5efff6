"""Heads of answers: what is picked, what is needed. They are the only legality of an answer."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from dsl.check import build, fit, outcomes, queries, texts
from dsl.check.context import Context
from dsl.core import nodes as core
from dsl.core.types import RefType, SetType, Type
from dsl.records import mutable
from dsl.source import Span
from dsl.syntax import nodes as syntax

_HEAD = (syntax.OptionWhich, syntax.OptionHowMuch, syntax.Needs, syntax.Let)
_SPEAKS = (syntax.Label, syntax.Says)


@mutable
class Picking:
    """A pick as it is written, at the head of an option or as a question."""

    span: Span
    form: str
    picked: syntax.Name
    count: syntax.Count | None
    source: syntax.Expr
    where: syntax.Expr | None
    such_that: syntax.Expr | None
    reason: syntax.Text | None
    key: str  # of the reason's text


@mutable
class CheckedHead:
    """The items of a head, the names they bring in, and the statements after it. `label`: how the
    answer is put; `says`: its sentence.
    """

    items: list[core.HeadItem] = field(default_factory=list)
    names: dict[str, tuple[str, Type]] = field(default_factory=dict)
    rest: syntax.Block = ()
    label: core.TextOf | None = None
    says: tuple[core.Say, ...] = ()


def split_head(body: syntax.Block) -> tuple[syntax.Block, syntax.Block]:
    """The lines at the head, and the rest. A `let` that no other head line follows is no head."""
    end = 0
    for stmt in body:
        if not isinstance(stmt, _HEAD):
            break
        end += 1
    while end > 0 and isinstance(body[end - 1], syntax.Let):
        end -= 1
    return body[:end], body[end:]


def check_head(ctx: Context, body: syntax.Block, key: str, *, picks: bool) -> CheckedHead:
    """Check the head of an answer, and bring its names into the scope of `ctx`.

    `picks`: whether it may pick something (options do, `*` answers do not).
    """
    spoken, body = split_spoken(body)
    lines, rest = split_head(body)
    head = CheckedHead(rest=rest)
    for line in lines:
        if isinstance(line, syntax.Let):
            value = ctx.infer(line.value)
            info = ctx.declare(line.name, value.type)
            head.items.append(core.HeadLet(info.name, value))
            head.names[line.name.text] = (info.name, info.type)
        elif isinstance(line, syntax.Needs):
            number = sum(isinstance(item, core.HeadNeeds) for item in head.items) + 1
            add_needs(ctx, head, line, f"{key}.needs.{number}")
        elif isinstance(line, syntax.OptionWhich | syntax.OptionHowMuch):
            _add_pick(ctx, head, line, key, picks)
    for stmt in spoken:
        if isinstance(stmt, syntax.Label) and head.label is None:
            head.label = texts.text_of(ctx, stmt.text, f"{key}.as")
        elif isinstance(stmt, syntax.Says) and not head.says:
            head.says = (texts.sentence(ctx, stmt, key),)
        elif isinstance(stmt, syntax.Label | syntax.Says):
            texts.misplaced(ctx, stmt)
    return head


def split_spoken(body: syntax.Block) -> tuple[syntax.Block, syntax.Block]:
    """The `as` and `says` lines that a block begins with, and the rest."""
    end = 0
    while end < len(body) and isinstance(body[end], _SPEAKS):
        end += 1
    return body[:end], body[end:]


def add_needs(ctx: Context, head: CheckedHead, line: syntax.Needs, key: str) -> None:
    """A condition and its reason."""
    condition = ctx.flag(line.condition)
    reason = (
        texts.plain_reason(ctx, line, key)
        if line.reason is None
        else texts.text_of(ctx, line.reason, key)
    )
    ctx.learn(condition)
    if build.constant_flag(condition) is not True:
        head.items.append(core.HeadNeeds(condition, reason, line.span))


def add_refusal(ctx: Context, head: CheckedHead, decl: syntax.Forbid, key: str) -> None:
    """A `forbid` as one more condition."""
    condition = build.negated(ctx.flag(decl.condition), decl.span)
    reason = texts.text_of(ctx, decl.reason, key)
    if build.constant_flag(condition) is not True:
        head.items.append(core.HeadNeeds(condition, reason, decl.span))


def _add_pick(
    ctx: Context,
    head: CheckedHead,
    line: syntax.OptionWhich | syntax.OptionHowMuch,
    key: str,
    picks: bool,
) -> None:
    if not picks:
        ctx.error(
            "RW0707",
            line.span,
            "a `*` answer picks nothing by itself",
            help="ask in its body: `ask player which ... to ...`",
        )
    if isinstance(line, syntax.OptionWhich):
        picking = picking_of(line, "which", f"{key}.{line.picked.text}")
    else:
        picking = Picking(
            line.span, "how much", line.picked, None, line.source, None, None, None, key
        )
    pick = check_pick(ctx, picking)
    name_pick(ctx, key, line.picked.text)
    head.items.append(pick)
    head.names[line.picked.text] = (pick.name, pick.type)


def name_pick(ctx: Context, key: str, word: str) -> None:
    """Enter what a pick is called where it is asked for: by the variant's term for such a thing,
    or by its name."""
    term = ctx.world.merged.terms.get(word)
    called = term[0] if term is not None else word.replace("_", " ")
    ctx.world.texts.setdefault(f"{key}.pick.{word}", called)


def picking_of(line: syntax.OptionWhich | syntax.Question, form: str, key: str) -> Picking:
    """What a line picks; `key`: under which the reason for a refusal stands, without its end."""
    return Picking(
        line.span,
        form,
        line.picked,
        line.count,
        line.source,
        line.where,
        line.such_that,
        line.reason,
        f"{key}.such_that",
    )


def check_pick(ctx: Context, node: Picking) -> core.HeadPick:
    """One picked value; its name comes into the scope of `ctx`."""
    source = queries.collection(ctx, node.source)
    outcomes.remark_pick(ctx, node.span, node.count, node.source)
    element = fit.element_of(source.type) or fit.POISON
    if node.count is not None:
        return _pick_some(ctx, node, source, element)
    if node.form == "how much" and not isinstance(source, core.RangeOf):
        if not fit.is_poison(source.type):
            ctx.error(
                "RW0606",
                node.source.span,
                "an amount is picked from a range",
                help="write `how much x in 0..100`; from a list, write `which x in ...`",
            )
        element = fit.POISON
    if fit.is_optional(element):
        ctx.error("RW0602", node.source.span, "there may be none among what can be picked")
        element = fit.opened(element)
    info = ctx.declare(node.picked, element)
    where = None if node.where is None else ctx.flag(node.where)
    if where is not None:
        ctx.learn(where)
    if node.such_that is not None:
        ctx.error(
            "RW0619",
            node.such_that.span,
            "`such that` speaks of a whole set",
            help="of one, say `where`; for a set, say how many: `which 1..3 cards ...`",
        )
    form: Literal["amount", "one"] = "amount" if node.form == "how much" else "one"
    return core.HeadPick(
        form,
        info.name,
        element,
        source,
        info.name,
        where,
        None,
        None,
        None,
        None,
        node.span,
    )


def _pick_some(ctx: Context, node: Picking, source: core.Expr, element: Type) -> core.HeadPick:
    assert node.count is not None
    low = ctx.number(node.count.low)
    high = low if node.count.high is None else ctx.number(node.count.high)
    if not isinstance(element, RefType):
        if not fit.is_poison(element):
            ctx.error(
                "RW0606",
                node.source.span,
                "several can only be picked from a list of things, not "
                f"{fit.describe(source.type)}",
            )
        element = RefType("Player")
        source = ctx.poison(node.source.span)
    inner = ctx.child()
    word = fit.kind_word(element.kind)
    item = inner.scope.declare(word, element, node.span)
    where = None if node.where is None else inner.flag(node.where)
    kind = element.kind
    if where is not None:
        fact = inner.assuming(where).local(item, node.span)
        if isinstance(fact.type, RefType):
            kind = fact.type.kind
    type_: Type = SetType(kind)
    info = ctx.declare(node.picked, type_)
    such_that = None if node.such_that is None else ctx.flag(node.such_that)
    reason = None if node.reason is None else texts.text_of(ctx, node.reason, node.key)
    return core.HeadPick(
        "some",
        info.name,
        type_,
        ctx.as_set(source),
        item.name,
        where,
        such_that,
        reason,
        low,
        high,
        node.span,
    )
