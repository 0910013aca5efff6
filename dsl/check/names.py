"""Bare words: a local, a thing, a word of a choice, a define, a switch, an entity of the data."""

from __future__ import annotations

from dsl.check import fit, members
from dsl.check.context import Context
from dsl.check.world import World
from dsl.core import nodes as core
from dsl.core.types import ChoiceType, RefType, SeqType, SetType, Type
from dsl.diagnostics import suggest
from dsl.syntax import nodes as syntax


def infer_name(ctx: Context, node: syntax.NameExpr, expected: Type | None) -> core.Expr:
    """What a bare word means here."""
    found = find_name(ctx, node, expected)
    return found if found is not None else _unknown(ctx, node, expected)


def find_name(ctx: Context, node: syntax.NameExpr, expected: Type | None) -> core.Expr | None:
    """The same, or None where the word means nothing."""
    name, world = node.name, ctx.world
    local = ctx.scope.names.get(name)
    if local is not None:
        return ctx.local(local, node.span)
    choice = _choice_word(node, expected)
    if choice is not None:
        return choice
    kind = world.kinds.get(name)
    if kind is not None and kind.is_thing:
        index = kind.members[0] if kind.members else 0
        return core.Const(RefType(name), node.span, index)
    for info in world.defines_by_word.get(name, ()):
        if info.subject == "none":
            return members.call_define(ctx, info, None, None, node.span)
    switch = world.switches.get(name)
    if switch is not None:
        world.asked.add(name)
        return switch.value or ctx.poison(node.span)
    found = _entity(ctx, node, expected)
    return found if found is not None else _only_choice(ctx, node)


def _only_choice(ctx: Context, node: syntax.NameExpr) -> core.Expr | None:
    """A word that only one declared choice has needs no context."""
    found = [name for name, values in ctx.world.choices.items() if node.name in values]
    if len(found) != 1:
        return None
    values = ctx.world.choices[found[0]]
    return core.Const(ChoiceType(found[0], values), node.span, values.index(node.name))


def means_something(ctx: Context, node: syntax.Expr) -> bool:
    """Whether an expression needs no context to have a meaning."""
    if isinstance(node, syntax.Literal_):
        return node.word != "none"
    if isinstance(node, syntax.ListExpr):
        return bool(node.items) and any(means_something(ctx, item) for item in node.items)
    if not isinstance(node, syntax.NameExpr):
        return True
    world, name = ctx.world, node.name
    if name in ctx.scope.names or name in world.switches or name in world.kinds:
        return True
    if any(info.subject == "none" for info in world.defines_by_word.get(name, ())):
        return True
    return len(world.entities.get(name, ())) == 1


def _choice_word(node: syntax.NameExpr, expected: Type | None) -> core.Expr | None:
    if isinstance(expected, SetType | SeqType):
        expected = fit.element_of(expected)
    if not isinstance(expected, ChoiceType) or node.name not in expected.values:
        return None
    type_ = ChoiceType(expected.name, expected.values)
    return core.Const(type_, node.span, expected.values.index(node.name))


def _entity(ctx: Context, node: syntax.NameExpr, expected: Type | None) -> core.Expr | None:
    world = ctx.world
    found = world.entities.get(node.name, [])
    wanted = fit.element_of(expected) if isinstance(expected, SetType | SeqType) else expected
    if isinstance(wanted, RefType) and len(found) > 1:
        found = [one for one in found if world.are_related(one[0], wanted.kind)] or found
    if len(found) > 1 and ctx.place.form in ("scenario", "saying"):
        found = [one for one in found if one[0] == "Player"] or found
    if not found:
        return None
    if ctx.place.is_library:
        return ctx.error(
            "RW0515",
            node.span,
            f"`{node.name}` is an entry of one variant's data",
            help="the standard library serves all variants: give the kind a field or sub-kind",
        )
    if len(found) > 1:
        kinds = " and ".join(fit.a(kind) for kind, _ in found)
        return ctx.error("RW0514", node.span, f"`{node.name}` is both {kinds}")
    kind, index = found[0]
    return core.Const(RefType(kind), node.span, index)


def answer_words(world: World) -> list[str]:
    """All options and named answers, in no order that matters."""
    answers = (name for site in world.sites.values() for name in site.answers)
    return list(dict.fromkeys([*world.options, *answers]))


def _unknown(ctx: Context, node: syntax.NameExpr, expected: Type | None) -> core.Expr:
    world, name = ctx.world, node.name
    if isinstance(expected, ChoiceType):
        near = suggest(name, [*expected.values, *ctx.scope.names])
        return ctx.error(
            "RW0501",
            node.span,
            f"`{name}` is none of {', '.join(expected.values)}",
            help=f"did you mean `{near}`?" if near else None,
        )
    words = [*ctx.scope.names, *(k for k, v in world.kinds.items() if v.is_thing)]
    words += [w for w, found in world.defines_by_word.items() if found[0].subject == "none"]
    words += [*world.switches, *world.entities]
    if ctx.place.form in ("scenario", "saying"):
        words += answer_words(world)
    near = suggest(name, words)
    help_ = f"did you mean `{near}`?" if near else None
    if help_ is None:
        help_ = _shown_as(ctx, name)
    kind = world.words.get(name)
    if help_ is None and kind is not None:
        help_ = (
            f"all of that kind are `{kind}`; one of them needs a name, as in `each {name} in ..`"
        )
    members_of = world.holders_of(name)
    if help_ is None:
        help_ = _of_local(ctx, name)
    if help_ is None and members_of:
        help_ = f"{fit.a(members_of[0])} has a `{name}`: say of which, as in `x.{name}`"
    if help_ is None and any(name in values for values in world.choices.values()):
        help_ = "it is a word of a choice; it can only stand where that choice is expected"
    return ctx.error("RW0501", node.span, f"nothing here is called `{name}`", help=help_)


def _of_local(ctx: Context, name: str) -> str | None:
    """What is here and has something of that name, as `card.owner` for `owner`."""
    for local, variable in ctx.scope.names.items():
        type_ = variable.type
        if isinstance(type_, RefType) and ctx.world.member(type_.kind, name) is not None:
            return f"did you mean `{local}.{name}`?"
    return None


def _shown_as(ctx: Context, name: str) -> str | None:
    """The entity that people know by a name like this one, as `broadway` for "Broadway"."""
    merged = ctx.world.merged
    shown = {row.name: row.id for rows in merged.sections.values() for row in rows}
    shown |= {title: seat for seat, title in merged.seats}
    near = suggest(name, shown)
    return None if near is None else f"did you mean `{shown[near]}`, which is shown as {near}?"


def infer_kind(ctx: Context, node: syntax.KindExpr, expected: Type | None) -> core.Expr:
    """A bare kind: all its entities."""
    if node.name in ctx.world.kinds:
        return core.AllOf(SetType(node.name), node.span, node.name)
    near = suggest(node.name, ctx.world.kinds)
    return ctx.error(
        "RW0502",
        node.span,
        f"there is no kind `{node.name}`",
        help=f"did you mean `{near}`?" if near else None,
    )
