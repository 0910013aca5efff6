"""What is read of something: `card.price`, `player.can_pay(50)`, `player.hand.score`."""

from __future__ import annotations

from dsl.check import fit
from dsl.check.context import Context
from dsl.check.world import BackInfo, ColumnInfo, DefineInfo, Member, ZoneInfo
from dsl.core import nodes as core
from dsl.core.types import RefType, SeqType, SetType, Type
from dsl.diagnostics import suggest
from dsl.source import Span
from dsl.syntax import nodes as syntax


def infer_dot(ctx: Context, node: syntax.Dot, expected: Type | None) -> core.Expr:
    """`subject.name`, `subject.name(args)`."""
    subject = ctx.infer(node.subject)
    if fit.is_poison(subject.type):
        return ctx.poison(node.span)
    if isinstance(subject.type, SetType | SeqType):
        return _of_list(ctx, node, subject)
    if not isinstance(subject.type, RefType):
        return ctx.error(
            "RW0601", node.name.span, f"{fit.describe(subject.type)} has no `{node.name.text}`"
        )
    subject = ctx.present(subject)
    if not isinstance(subject.type, RefType):
        return ctx.poison(node.span)
    return read_member(ctx, subject, subject.type.kind, node)


def read_member(ctx: Context, subject: core.Expr, kind: str, node: syntax.Dot) -> core.Expr:
    """A field, zone, back name or define of one entity."""
    info = ctx.world.define(kind, node.name.text)
    if info is not None:
        return call_define(ctx, info, subject, node.args, node.span)
    member = ctx.world.member(kind, node.name.text)
    if member is None:
        return _no_member(ctx, kind, node)
    if node.args is not None:
        return ctx.error(
            "RW0611", node.span, f"`{node.name.text}` is a field: it takes nothing in brackets"
        )
    return ctx.scope.narrowed(member_value(member, subject, node.span))


def member_value(member: Member, subject: core.Expr, span: Span) -> core.Expr:
    """The value of a field, the things in a zone, or the holder."""
    if isinstance(member, ColumnInfo):
        return core.Field(member.type, span, member.name, subject)
    if isinstance(member, BackInfo):
        return core.HolderOf(
            RefType(member.zone.kind, optional=True), span, member.zone.name, subject
        )
    return core.ZoneItems(zone_type(member), span, member.name, subject)


def zone_type(zone: ZoneInfo) -> Type:
    """A list, or a row where the zone has an order."""
    if zone.ordered:
        return SeqType(RefType(zone.holds), zone.bound)
    return SetType(zone.holds)


def member_type(member: Member) -> Type:
    """The type of what is read of it."""
    if isinstance(member, ColumnInfo):
        return member.type
    if isinstance(member, BackInfo):
        return RefType(member.zone.kind, optional=True)
    return zone_type(member)


def _of_list(ctx: Context, node: syntax.Dot, subject: core.Expr) -> core.Expr:
    element = fit.element_of(subject.type)
    for info in ctx.world.defines_by_word.get(node.name.text, ()):
        if info.subject_type is not None and ctx.fits(
            element or fit.POISON, RefType(info.subject_type.kind)
        ):
            argument = ctx.coerce(subject, info.subject_type)
            return call_define(ctx, info, argument, node.args, node.span)
    lists = [w for w, found in ctx.world.defines_by_word.items() if found[0].is_list]
    near = suggest(node.name.text, lists)
    one = fit.kind_word(element.kind)[:1] if isinstance(element, RefType) else "x"
    return ctx.error(
        "RW0503",
        node.name.span,
        f"{fit.describe(subject.type)} has no `{node.name.text}`",
        help=f"did you mean `{near}`?"
        if near
        else f"speak of each one: `[{one}.{node.name.text} for each {one} in ...]`",
    )


def _no_member(ctx: Context, kind: str, node: syntax.Dot) -> core.Expr:
    world, name = ctx.world, node.name.text
    near = suggest(name, world.member_names(kind))
    holders = [k for k in world.holders_of(name) if world.is_a(k, kind)]
    help_ = f"did you mean `{near}`?" if near else None
    if holders:
        test = f"if {node.subject.span.text} is {holders[0]}"
        help_ = f"only {fit.a(holders[0])} has it: ask first, `{test}`"
    elif near is None and world.holders_of(name):
        help_ = f"{fit.a(world.holders_of(name)[0])} has it"
    return ctx.error(
        "RW0503",
        node.name.span,
        f"{fit.a(kind)} has no `{name}`",
        also=[(world.kinds[kind].span, "declared here")],
        help=help_,
    )


def call_define(
    ctx: Context,
    info: DefineInfo,
    subject: core.Expr | None,
    args: tuple[syntax.Arg, ...] | None,
    span: Span,
) -> core.Expr:
    """A derived value with its arguments."""
    given = args or ()
    values = [] if subject is None else [subject]
    if len(given) != len(info.params):
        wanted = len(info.params)
        return ctx.error(
            "RW0611",
            span,
            f"`{info.word}` takes {wanted or 'nothing'} in brackets, not {len(given)}",
            also=[(info.span, "declared here")],
        )
    for arg, type_ in zip(given, info.params, strict=True):
        if arg.name is not None:
            ctx.error(
                "RW0611", arg.name.span, "values are given by their place here, without a name"
            )
        values.append(ctx.value(arg.value, type_))
    if any(fit.is_poison(value.type) for value in values):
        return ctx.poison(span)
    return ctx.scope.narrowed(core.CallDefine(info.type, span, info.name, tuple(values)))
