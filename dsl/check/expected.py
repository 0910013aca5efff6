"""What scenarios expect under `then`: conditions, answers that may be given, sayings."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.check import fit, said, strategies, texts
from dsl.check.context import Context
from dsl.check.sentences import check_plays
from dsl.core import nodes as core
from dsl.core.types import RefType
from dsl.core.walking import walk
from dsl.diagnostics import suggest
from dsl.source import Span
from dsl.syntax import nodes as syntax

# What a saying under `then` is made of: it looks, and changes nothing.
_LOOKING = (core.Expect, core.Let, core.If, core.ForEach)


def check_expected(
    ctx: Context, node: syntax.Stmt, stop: str | None, *, is_played: bool
) -> Iterator[core.Expected]:
    """One line of a `then`. `stop`: the question at which play waits; `is_played`: whether there
    was a `when` before."""
    match node:
        case syntax.May():
            yield from _may(ctx, node, stop)
        case syntax.WasAsked():
            who = _player(ctx, node.who)
            question = said.question_of(ctx, node.question)
            if question is not None:
                yield core.WasAsked(who, node.negative, question, node.span)
        case syntax.GameIs():
            yield core.GameIs(node.over, node.span)
        case syntax.Command():
            block = ctx.child().block((node,))
            _check_looks(ctx, node.span, block)
            yield _present(ctx, block, is_played=is_played)
        case syntax.Expect():
            block = (core.Expect(node.span, ctx.flag(node.condition)),)
            yield _present(ctx, block, is_played=is_played)
        case _:
            return


def _present(ctx: Context, block: core.Block, *, is_played: bool) -> core.Block:
    """A block that looks back to `was(..)` only where something has happened."""
    for part in () if is_played else walk(block):
        if isinstance(part, core.Builtin) and part.name == "was":
            ctx.error(
                "RW0709",
                part.span,
                "nothing has happened before this `then`, so `was` has nothing to look back to",
            )
    return block


def _check_looks(ctx: Context, span: Span, block: core.Block) -> None:
    statements = [part for part in walk(block) if core.is_stmt(part)]
    does = [part for part in statements if not isinstance(part, _LOOKING)]
    if does or not any(isinstance(part, core.Expect) for part in statements):
        ctx.error(
            "RW0909",
            span,
            "nothing is looked at by this: it makes something happen"
            if does
            else "nothing is looked at by this",
            also=[(does[0].span, "it happens here")] if does else (),
            help="under `then` stand conditions, and sayings that are made of `expect` lines; what "
            "shall be so before something else happens is `given`",
        )


def _player(ctx: Context, node: syntax.Expr) -> core.Expr:
    check_plays(ctx, node)
    return ctx.value(node, RefType("Player"))


# ---------------------------------------------------------------- answers


def _may(ctx: Context, node: syntax.May, stop: str | None) -> Iterator[core.MayAnswer]:
    who = _player(ctx, node.who)
    if stop is None:
        ctx.error(
            "RW0906",
            node.span,
            "nobody is asked anything here: what happened before this `then` is over",
            help="stop at the question: write `up to` and its name behind the `when`",
        )
        return
    answer = _answer(ctx, node, stop)
    if answer is None:
        return
    reason = None if node.reason is None else _reason(ctx, node.reason, answer, stop)
    yield core.MayAnswer(who, node.negative, answer, reason, node.span)


def _answer(ctx: Context, node: syntax.May, stop: str) -> core.SaidAnswer | None:
    if node.form == "pass":
        return core.SaidAnswer(strategies.PASS, (), None, stop, node.span)
    if node.form == "pick":
        if not said.picks_of(ctx, stop):
            _no_answer(ctx, node.span, stop, "a plain value")
            return None
        return core.SaidAnswer(None, (), said.check_value(ctx, node.args[0].value), stop, node.span)
    assert node.answer is not None
    name = node.answer.text
    head = said.head_of(ctx, name, stop)
    if head is None:
        _no_answer(ctx, node.answer.span, stop, f"`{name}`")
        return None
    args = strategies.arguments(ctx, name, head.items, head.names, node.args)
    return core.SaidAnswer(name, args, None, stop, node.span)


def _no_answer(ctx: Context, span: Span, question: str, what: str) -> None:
    known = said.answers_of(ctx, question)
    near = suggest(span.text, known)
    help_ = f"did you mean `{near}`?" if near else "its answers are " + ", ".join(known)
    if not known:
        help_ = "it is answered with a plain value: `may pick VALUE`"
    ctx.error("RW0906", span, f"{what} is no answer to `{question}`, where play waits", help=help_)


def _reason(ctx: Context, node: syntax.Text, answer: core.SaidAnswer, stop: str) -> core.TextOf:
    """The refusal that is meant, found by its words."""
    head = None if answer.name is None else said.head_of(ctx, answer.name, stop)
    items = said.picks_of(ctx, stop) if head is None else head.items
    reasons = [
        item.reason
        for item in items
        if isinstance(item, core.HeadNeeds | core.HeadPick) and item.reason is not None
    ]
    wanted = texts.template_of(node)
    for reason in reasons:
        if ctx.world.texts.get(reason.key) == wanted:
            return reason
    known = [ctx.world.texts.get(reason.key, "") for reason in reasons]
    near = suggest(wanted, known)
    listed = "its reasons are " + ", ".join(f'"{text}"' for text in known) if known else None
    ctx.error(
        "RW0907",
        node.span,
        f"`{answer.name or stop}` is never refused with these words",
        help=f'did you mean "{near}"?' if near else listed,
    )
    return core.TextOf(fit.TEXT, node.span, "", (wanted,))
