"""The texts people read: each has a stable key, so that a translation can replace it."""

from __future__ import annotations

from dsl.check import fit
from dsl.check.context import Context
from dsl.core import nodes as core
from dsl.syntax import nodes as syntax


def text_of(ctx: Context, node: syntax.Text, key: str) -> core.TextOf:
    """A written text; its holes keep the words that were written in them."""
    parts = tuple(part if isinstance(part, str) else ctx.infer(part) for part in node.parts)
    ctx.world.texts[key] = template_of(node)
    return core.TextOf(fit.TEXT, node.span, key, parts)


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
