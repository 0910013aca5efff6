"""Switches: constants that a variant, a mod or the command line sets before play."""

from __future__ import annotations

from dsl.check import fit
from dsl.check.constants import as_expr, constant
from dsl.check.context import Context, Place
from dsl.check.merged import Switching
from dsl.check.rows import value_of
from dsl.check.typenodes import resolve_type
from dsl.check.world import SwitchInfo, World
from dsl.core import nodes as core
from dsl.core.types import ChoiceType, FlagType, IntType, RefType, Type, none_value
from dsl.data import node as data
from dsl.diagnostics import suggest
from dsl.source import Span
from dsl.syntax import nodes as syntax


def declare_switches(ctx: Context) -> None:
    """Enter all switches; their values follow."""
    for ranked in ctx.world.merged.declarations:
        decl = ranked.decl
        if not isinstance(decl, syntax.SwitchDecl):
            continue
        before = ctx.world.switches.get(decl.name.text)
        if before is not None:
            ctx.error(
                "RW0504",
                decl.name.span,
                f"the switch `{decl.name.text}` is declared twice",
                also=[(before.decl.name.span, "first declared here")],
            )
            continue
        ctx.world.switches[decl.name.text] = SwitchInfo(decl.name.text, decl, ranked.layer)
        if decl.question is not None and all(isinstance(p, str) for p in decl.question.parts):
            text = "".join(str(part) for part in decl.question.parts)
            ctx.world.texts[f"switch.{decl.name.text}"] = text


def set_switches(ctx: Context) -> None:
    """Work out the value of every switch: the default, or what was set last."""
    chosen: dict[str, Switching] = {}
    for switching in ctx.world.merged.switchings:
        if switching.name in ctx.world.switches:
            chosen[switching.name] = switching
            continue
        near = suggest(switching.name, ctx.world.switches)
        ctx.error(
            "RW0519",
            switching.span,
            f"there is no switch `{switching.name}`",
            help=f"did you mean `{near}`?" if near else None,
        )
    for info in ctx.world.switches.values():
        _set(ctx, info, chosen.get(info.name))


def _set(ctx: Context, info: SwitchInfo, switching: Switching | None) -> None:
    place = Place(info.name, f"switch.{info.name}", info.layer, "start")
    inner = ctx.placed(place)
    type_ = info.type = resolve_type(inner, info.decl.type)
    if fit.is_poison(type_):
        info.value = ctx.poison(info.decl.span)
        return
    default = _written(inner, info.decl.default, type_)
    if switching is None:
        info.value = default
        return
    here = ctx.placed(Place(info.name, place.key, switching.layer, "start"))
    info.value = _chosen(here, switching, type_)


def check_value(ctx: Context, name: str, value: syntax.Expr) -> None:
    """Whether a switch can have a value that is written in a script."""
    info = ctx.world.switches[name]
    if info.type is not None and not fit.is_poison(info.type):
        _written(ctx.placed(Place(name, f"switch.{name}", info.layer, "start")), value, info.type)


def _written(ctx: Context, node: syntax.Expr, type_: Type) -> core.Expr:
    value = constant(ctx, ctx.value(node, type_))
    return ctx.poison(node.span) if value is None else as_expr(value, type_, node.span)


def _chosen(ctx: Context, switching: Switching, type_: Type) -> core.Expr:
    value = switching.value
    if syntax.is_expr(value):
        return _written(ctx, value, type_)
    if isinstance(value, str):
        value = _typed_in(value, type_, switching.span)
    return as_expr(value_of(ctx, value, type_), type_, switching.span)


def _typed_in(text: str, type_: Type, span: Span) -> data.DataNode:
    """What was typed on the command line, as YAML would have it."""
    text = text.strip()
    if text.startswith("["):
        items = [part for part in text.strip("[]").split(",") if part.strip()]
        return data.Sequence(tuple(_typed_in(part, type_, span) for part in items), span)
    plain = text.replace("_", "")
    if plain.lstrip("-").isdigit():
        return data.Scalar(int(plain), span)
    if isinstance(type_, FlagType) and text in ("true", "false"):
        return data.Scalar(text == "true", span)
    return data.Scalar(text, span)


def shown(world: World, info: SwitchInfo) -> str:
    """The value of a switch as it would be written."""
    return _shown(world, info.value)


def _shown(world: World, value: core.Expr | None) -> str:
    if isinstance(value, core.SeqOf):
        return "[" + ", ".join(_shown(world, item) for item in value.items) + "]"
    if not isinstance(value, core.Const):
        return "?"
    type_, number = value.type, value.value
    if fit.is_optional(type_) and number == none_value(type_):
        return "none"
    if isinstance(type_, ChoiceType):
        return type_.values[number]
    if isinstance(type_, FlagType):
        return "yes" if number else "no"
    if isinstance(type_, RefType):
        return world.family(type_.kind).ids[number]
    return str(number) if isinstance(type_, IntType) else "?"
