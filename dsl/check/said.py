"""Answers as scenarios say them: queued under `when`, or asked for under `then`."""

from __future__ import annotations

from dsl.check import strategies
from dsl.check.context import Context
from dsl.check.world import SiteInfo
from dsl.core import nodes as core
from dsl.core.types import ChoiceType, SetType, Type
from dsl.diagnostics import suggest
from dsl.records import record
from dsl.syntax import nodes as syntax


@record
class Head:
    """The head of an option or answer, and its names as they are written."""

    items: tuple[core.HeadItem, ...]
    names: dict[str, tuple[str, Type]]


def question_of(ctx: Context, name: syntax.Name) -> str | None:
    """The question of a name; None, after an error, if nothing asks it."""
    known = {*(site.site.question for site in ctx.world.sites.values()), *ctx.world.windows}
    if name.text in known:
        return name.text
    near = suggest(name.text, sorted(known))
    ctx.error(
        "RW0901",
        name.span,
        f"nothing asks the question `{name.text}`",
        help=f"did you mean `{near}`?"
        if near
        else f"`rulewright words {ctx.world.merged.variant}` lists all questions",
    )
    return None


def answers_of(ctx: Context, question: str) -> list[str]:
    """The options of a window or the named answers of a question."""
    options = [name for name, info in ctx.world.options.items() if question in info.windows]
    answers = [name for site in _sites(ctx, question) for name in site.answers]
    return list(dict.fromkeys([*options, *answers]))


def _sites(ctx: Context, question: str | None) -> list[SiteInfo]:
    sites = ctx.world.sites.values()
    return [site for site in sites if question is None or site.site.question == question]


def picks_of(ctx: Context, question: str) -> list[core.HeadPick]:
    """What may be picked at a question that is answered with a plain value."""
    return [site.pick for site in _sites(ctx, question) if site.pick is not None]


def head_of(ctx: Context, name: str, question: str | None) -> Head | None:
    """The head of an option or answer; of any question, if none is named."""
    info = ctx.world.options.get(name)
    option = None
    if info is not None:
        option = info.core if question is None else info.at.get(question)
    if info is not None and option is not None:
        return Head(option.head, info.names)
    for site in _sites(ctx, question):
        answer = site.answers.get(name)
        if answer is not None:
            return Head(answer.head, answer.names)
    return None


def check_said(ctx: Context, node: syntax.Said) -> core.SaidAnswer:
    """A queued answer."""
    question = None if node.question is None else question_of(ctx, node.question)
    if node.value is None:
        return core.SaidAnswer(strategies.PASS, (), None, question, node.span)
    args: tuple[syntax.Arg, ...] = ()
    name = None
    if isinstance(node.value, syntax.NameExpr):
        name = node.value.name
    elif isinstance(node.value, syntax.Call):
        name, args = node.value.name.text, node.value.args
    head = None if name is None else head_of(ctx, name, question)
    if name is None or head is None:
        value = _checked_value(ctx, node.value, name, question)
        return core.SaidAnswer(None, (), value, question, node.value.span)
    given = strategies.arguments(ctx, name, head.items, head.names, args)
    return core.SaidAnswer(name, given, None, question, node.value.span)


def _checked_value(
    ctx: Context, node: syntax.Expr, name: str | None, question: str | None
) -> core.Expr:
    """A plain value; an answer that the question named with it does not have is an error."""
    is_answer = name is not None and head_of(ctx, name, None) is not None
    if question is not None and (is_answer or not picks_at(ctx, question)):
        known = answers_of(ctx, question)
        ctx.error(
            "RW0902",
            node.span,
            f"`{question}` has no answer `{' '.join(node.span.text.split())}`",
            help="its answers are " + ", ".join(known) if known else "it takes a plain value",
        )
        if is_answer:
            return core.SetOf(SetType(""), node.span, ())
    return check_value(ctx, node)


def picks_at(ctx: Context, question: str) -> bool:
    """Whether something is picked at a question, by itself or with one of its options."""
    heads = [head_of(ctx, name, question) for name in answers_of(ctx, question)]
    items = [item for head in heads if head is not None for item in head.items]
    return bool(picks_of(ctx, question)) or any(isinstance(one, core.HeadPick) for one in items)


def _near_answer(ctx: Context, name: str) -> str | None:
    """An answer or option that is called nearly so, where nothing that is declared is called so."""
    if name in ctx.scope.names or name in ctx.world.switches or name in ctx.world.defines_by_word:
        return None
    return suggest(
        name, [*ctx.world.options, *(a for s in ctx.world.sites.values() for a in s.answers)]
    )


def check_value(ctx: Context, node: syntax.Expr) -> core.Expr:
    """A value that is picked, or a result of luck: a word of a choice may stand alone."""
    if isinstance(node, syntax.NameExpr) and node.name not in ctx.world.entities:
        for site in ctx.world.sites.values():
            type_ = None if site.pick is None else site.pick.type
            if isinstance(type_, ChoiceType) and node.name in type_.values:
                return ctx.infer(node, type_)
        for values in ctx.world.choices.values():
            if node.name in values:
                return ctx.infer(node, ChoiceType(None, values))
        if near := _near_answer(ctx, node.name):
            return ctx.error(
                "RW0501",
                node.span,
                f"nothing here is called `{node.name}`",
                help=f"did you mean the answer `{near}`?",
            )
    if isinstance(node, syntax.ListExpr) and not node.items:
        return core.SetOf(SetType(""), node.span, ())
    return ctx.infer(node)
