"""The texts people read: each has a stable key, so that a translation can replace it."""

from __future__ import annotations

import re
from dataclasses import replace

from dsl.check import fit
from dsl.check.context import Context
from dsl.core import nodes as core
from dsl.core.types import RefType
from dsl.syntax import nodes as syntax


def text_of(ctx: Context, node: syntax.Text, key: str) -> core.TextOf:
    """A written text; its holes keep the words that were written in them."""
    parts = tuple(
        part
        if isinstance(part, str)
        else part.name
        if isinstance(part, syntax.NameExpr) and _is_term(ctx, part.name)
        else _hole(ctx, part)
        for part in node.parts
    )
    ctx.world.texts[key] = template_of(node)
    return core.TextOf(fit.TEXT, node.span, key, parts)


def _is_term(ctx: Context, word: str) -> bool:
    """Whether a hole is what a unit is called here, or a kind that has a term; the text keeps it.
    In the library a kind's word means that anyway, for it knows no things by their ids."""
    if word in ctx.scope.names or word == fit.MONEY:
        return False
    if word in ctx.world.units:
        return True
    kinds = (name for name, kind in ctx.world.kinds.items() if not kind.is_thing)
    has_term = word in ctx.world.merged.terms or ctx.place.layer.startswith("std/")
    return has_term and word in map(fit.kind_word, kinds)


def _hole(ctx: Context, node: syntax.Expr) -> core.Expr:
    """A value to show; `card.text` is what is printed on it, `[a, b]` may be of all sorts. It
    keeps the place where it is written: a translation names it by the words there."""
    if isinstance(node, syntax.ListExpr) and len(node.items) > 1:
        return core.Together(fit.TEXT, node.span, tuple(_hole(ctx, each) for each in node.items))
    found = _shown(ctx, node)
    return found if found.span.text == node.span.text else replace(found, span=node.span)


def _shown(ctx: Context, node: syntax.Expr) -> core.Expr:
    if not isinstance(node, syntax.Dot) or node.name.text != "text" or node.args is not None:
        return ctx.infer(node)
    thing = ctx.infer(node.subject)
    if not isinstance(thing.type, RefType) or ctx.world.member(thing.type.kind, "text"):
        return ctx.infer(node)
    return core.PrintedOn(fit.TEXT, node.span, thing)


def sentence(ctx: Context, stmt: syntax.Says, key: str) -> core.Say:
    """The sentence of what `key` is the key of."""
    if stmt.text is None:
        nothing = core.TextOf(fit.TEXT, stmt.span, f"{key}.says", ())
        return core.Say(stmt.span, nothing, None, "nothing")
    text = text_of(ctx, stmt.text, f"{key}.says")
    other = None
    if stmt.otherwise is not None:
        other = text_of(ctx, stmt.otherwise, f"{key}.says.otherwise")
    return core.Say(stmt.span, text, None, "sentence", other)


def spoken_block(ctx: Context, body: syntax.Block, key: str) -> core.Block:
    """A body that may begin with its sentence."""
    if body and isinstance(body[0], syntax.Says):
        return (sentence(ctx, body[0], key), *ctx.block(body[1:]))
    return ctx.block(body)


def shown(ctx: Context, stmt: syntax.Shows | None, key: str) -> core.TextOf | None:
    """What a question shows: a text of nothing but values; what each is called is a text."""
    if stmt is None:
        return None
    for number, node in enumerate(stmt.values, 1):
        word = re.findall(r"\w+", node.span.text)[-1]
        ctx.world.texts.setdefault(f"{key}.shows.{number}", word.replace("_", " ").lower())
    return core.TextOf(fit.TEXT, stmt.span, f"{key}.shows", tuple(map(ctx.infer, stmt.values)))


def misplaced(ctx: Context, stmt: syntax.Says | syntax.Label | syntax.Shows) -> core.Block:
    """Report a `says` or `as` line that stands where none can stand."""
    if isinstance(stmt, syntax.Says):
        word, where = "a `says` line", "what it speaks of: a routine, an event, a rule, an answer"
    elif isinstance(stmt, syntax.Shows):
        word, where = "a `shows` line", "a question or a window"
    else:
        word, where = "an `as` line", "an option, an answer or a question"
    ctx.error(
        "RW0721",
        stmt.span,
        f"{word} comes first in {where}; and only once",
        help='a line of the log is written `say "text"`',
    )
    return ()


def template_of(node: syntax.Text) -> str:
    """The text with its holes as they are written."""
    return "".join(
        part.replace("{", "{{").replace("}", "}}")
        if isinstance(part, str)
        else "{" + part.span.text + "}"
        for part in node.parts
    )


def plain_reason(ctx: Context, node: syntax.Needs, key: str) -> core.TextOf:
    """The reason for a refusal that was not given one: what is needed, as it was written."""
    text = "needs " + " ".join(node.condition.span.text.split())
    ctx.world.texts[key] = text.replace("{", "{{").replace("}", "}}")
    return core.TextOf(fit.TEXT, node.span, key, (text,))


def spoken(word: str) -> str:
    """A name as people read it: `pay_fine` is "pay fine"."""
    return fit.kind_word(word).replace("_", " ")
