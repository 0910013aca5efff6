"""Fields that belong to what keeps them true: nothing else sets them.

`set by place` names routines, events, rules or options. A rule instead of such a routine takes its
place, so it may set the field, too; scenarios and sayings may set anything: they make positions.
"""

from __future__ import annotations

from dsl.check.context import Context
from dsl.check.world import ColumnInfo
from dsl.diagnostics import suggest
from dsl.syntax import nodes as syntax


def owners_of(ctx: Context, field: syntax.StateField, *, is_data: bool) -> tuple[str, ...]:
    """The words of what alone may set a field, none where anything may."""
    found: list[str] = []
    for trait in field.traits:
        if trait.word != "set":
            continue
        found += (trait.by or "").split(" or ")
        known = _known(ctx)
        if is_data:
            ctx.error("RW0511", trait.span, "data is never set in play")
        elif not any(word in known for word in found):
            near = suggest(found[0], known)
            ctx.error(
                "RW0628",
                trait.span,
                f"there is no routine, rule or option `{found[0]}` to set this",
                help=f"did you mean `{near}`?" if near else None,
            )
    return tuple(found)


def _known(ctx: Context) -> set[str]:
    """The words of all that can set something."""
    words: set[str] = set()
    for ranked in ctx.world.merged.declarations:
        match ranked.decl:
            case syntax.Routine(signature=signature) | syntax.EventDecl(signature=signature):
                words.add(signature.verb.text)
            case (
                syntax.RuleDecl(name=name)
                | syntax.WatchDecl(name=name)
                | syntax.Option(name=name)
                | syntax.Phase(name=name)
            ):
                words.add(name.text)
            case _:
                pass
    return words


def check_owner(ctx: Context, column: ColumnInfo, target: syntax.Expr) -> None:
    """Report that a field is set by something else than what it belongs to."""
    place = ctx.place
    if not column.set_by or place.form in ("scenario", "saying"):
        return
    own = place.key.split(".")[1]
    instead = place.hooked.verb if place.form == "instead" and place.hooked is not None else own
    if own in column.set_by or instead in column.set_by:
        return
    names = " and ".join(f"`{word}`" for word in column.set_by)
    one = f"`{column.set_by[0]}`"
    ctx.error(
        "RW0628",
        target.span,
        f"only {names} may set `{column.field}`",
        label="set in another place",
        also=[(column.span, "declared here")],
        help=f"call {one} here: what belongs to it is done with it"
        if len(column.set_by) == 1
        else f"call one of them here, such as {one}: what belongs to it is done with it",
    )
