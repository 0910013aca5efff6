"""What `end NAME` may leave: a phase, or a routine."""

from __future__ import annotations

from dsl.check.context import Context
from dsl.diagnostics import suggest
from dsl.syntax import nodes as syntax

GAME = "game"


def end_label(ctx: Context, stmt: syntax.End) -> str | None:
    """The phase or routine that is left, by its name in the core; None after an error."""
    word, world = stmt.name.text, ctx.world
    if word == GAME or word in world.phases:
        return word
    found = world.verbs.get(word, [])
    if found:
        return found[0].name
    near = suggest(word, [GAME, *world.phases, *world.verbs])
    ctx.error(
        "RW0509",
        stmt.name.span,
        f"there is no phase or routine `{word}` to end",
        help=f"did you mean `{near}`?" if near else None,
    )
    return None
