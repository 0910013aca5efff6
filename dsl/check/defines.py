"""Defines: their heads, the exceptions that belong to them, and their lines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal

from dsl.check import build, fit, members, operators
from dsl.check.context import Context, Place
from dsl.check.exclusion import exclude_each_other
from dsl.check.merged import RankedDecl
from dsl.check.otherwise import form_of
from dsl.check.reuse import Reuse
from dsl.check.typenodes import param_type, resolve_type
from dsl.check.world import DEFINE, BackInfo, DefineInfo, Member, VariantInfo
from dsl.core import nodes as core
from dsl.core.types import RefType, SetType, Type
from dsl.diagnostics import suggest
from dsl.source import Span
from dsl.syntax import nodes as syntax

_Head = tuple[RankedDecl, syntax.Define, Type | None, list[Type], Type]


def declare_defines(ctx: Context) -> None:
    """Enter the heads of all defines, grouped, and give each its exceptions."""
    by_word: dict[str, list[_Head]] = {}
    for head in _heads(ctx):
        by_word.setdefault(head[1].head.name.text, []).append(head)
    for word, heads in by_word.items():
        _group(ctx, word, heads)
    for ranked in ctx.world.merged.declarations:
        if isinstance(ranked.decl, syntax.ExceptionDecl):
            _attach(ctx, ranked, ranked.decl)


def _place(word: str, layer: str) -> Place:
    return Place(word, f"define.{word}", layer, "value")


def _heads(ctx: Context) -> Iterator[_Head]:
    for ranked in ctx.world.merged.declarations:
        decl = ranked.decl
        if not isinstance(decl, syntax.Define):
            continue
        inner = ctx.placed(_place(decl.head.name.text, ranked.layer))
        subject = None if decl.head.subject is None else param_type(inner, decl.head.subject)
        params = [param_type(inner, param) for param in decl.head.params]
        yield ranked, decl, subject, params, resolve_type(inner, decl.type)


def _group(ctx: Context, word: str, heads: list[_Head]) -> None:
    of_kinds: list[_Head] = []
    for head in heads:
        decl, subject = head[1], head[2]
        if subject is None:
            _enter(ctx, word, "none", word, [head], None)
        elif isinstance(subject, SetType):
            _enter(ctx, word, "list", f"list of {subject.kind}.{word}", [head], subject)
        elif isinstance(subject, RefType):
            of_kinds.append(head)
        elif not fit.is_poison(subject):
            ctx.error(
                "RW0614",
                decl.head.span,
                f"a value can be defined for a kind or a list, not for {fit.describe(subject)}",
            )
    for component in _components(ctx, word, of_kinds):
        _enter_component(ctx, word, component)


_Part = tuple[str, "_Head | Member"]


def _components(ctx: Context, word: str, heads: list[_Head]) -> list[list[_Part]]:
    """Defines, and fields of the same name, whose kinds are related."""
    parts: list[_Part] = []
    for head in heads:
        assert isinstance(head[2], RefType)
        parts.append((head[2].kind, head))
    for kind, named in ctx.world.members.items():
        member = named.get(word)
        if member is not None and any(ctx.world.are_related(kind, own) for own, _ in parts):
            parts.append((kind, member))
    found: list[list[_Part]] = []
    for part in parts:
        related = [
            group
            for group in found
            if any(ctx.world.are_related(part[0], kind) for kind, _ in group)
        ]
        merged = [part]
        for group in related:
            merged = group + merged
            found.remove(group)
        found.append(merged)
    return found


def _enter_component(ctx: Context, word: str, parts: list[_Part]) -> None:
    world = ctx.world
    seen: dict[str, Span] = {}
    kept: list[_Part] = []
    for kind, part in parts:
        span = part[1].head.span if isinstance(part, tuple) else _span(part)
        if kind in seen:
            ctx.error(
                "RW0504",
                span if isinstance(part, tuple) else seen[kind],
                f"{kind} has `{word}` already",
                also=[(seen[kind] if isinstance(part, tuple) else span, "first declared here")],
                help="to take its place, write `replace define ...`; to change it in some cases, "
                "`exception to ...`",
            )
            continue
        seen[kind] = span
        kept.append((kind, part))
    kept.sort(key=lambda part: -len(world.chain(part[0])))
    top = kept[-1][0]
    heads = [part for _, part in kept]
    _enter(ctx, word, "kind", f"{top}.{word}", heads, None, [kind for kind, _ in kept])


def _span(member: Member) -> Span:
    return member.zone.span if isinstance(member, BackInfo) else member.span


def _enter(
    ctx: Context,
    word: str,
    subject: Literal["none", "kind", "list"],
    name: str,
    parts: list[_Head] | list[_Head | Member],
    list_type: SetType | None,
    kinds: list[str] | None = None,
) -> None:
    if name in ctx.world.defines:
        first = parts[0]
        assert isinstance(first, tuple)
        ctx.error(
            "RW0504",
            first[1].head.span,
            f"`{word}` is defined twice",
            also=[(ctx.world.defines[name].span, "first defined here")],
            help="to take its place, write `replace define ...`",
        )
        return
    variants: list[VariantInfo] = []
    type_: Type | None = None
    params: list[Type] | None = None
    doc, span = "", None
    for index, part in enumerate(parts):
        kind = kinds[index] if kinds is not None else None
        if isinstance(part, tuple):
            ranked, decl, _, part_params, part_type = part
            variants.append(VariantInfo(kind, decl, None, ranked.layer, ranked.rank, []))
            doc, span = decl.doc or doc, decl.head.span
        else:
            part_params, part_type = [], members.member_type(part)
            variants.append(VariantInfo(kind, None, part, "", 0, []))
            span = span or _span(part)
        assert span is not None
        joint = part_type if type_ is None else operators.joined(ctx, type_, part_type)
        if joint is None or (params is not None and len(params) != len(part_params)):
            _differs(ctx, word, part, span)
            variants.pop()
            continue
        type_, params = joint, part_params if params is None else params
    assert span is not None
    info = DefineInfo(
        name,
        word,
        subject,
        type_ or fit.POISON,
        params or [],
        variants,
        doc,
        span,
        list_type,
    )
    ctx.world.defines[name] = info
    ctx.world.defines_by_word.setdefault(word, []).append(info)


def _differs(ctx: Context, word: str, part: object, span: Span) -> None:
    ctx.error(
        "RW0620",
        span,
        f"`{word}` is defined in another way for a related kind",
        help="all must have the same type and take the same values in brackets",
    )


# ---------------------------------------------------------------- exceptions


def _attach(ctx: Context, ranked: RankedDecl, decl: syntax.ExceptionDecl) -> None:
    head, world = decl.head, ctx.world
    inner = ctx.placed(_place(head.name.text, ranked.layer))
    subject = None if head.subject is None else param_type(inner, head.subject)
    if subject is not None and fit.is_poison(subject):
        return
    info = _target(ctx, head, subject)
    if info is None:
        _no_target(ctx, head, subject)
        return
    if len(head.params) != len(info.params):
        ctx.error(
            "RW0611",
            head.span,
            f"`{info.word}` takes {len(info.params) or 'nothing'} in brackets",
            also=[(info.span, "defined here")],
        )
        return
    if not isinstance(subject, RefType):
        for variant in info.variants:
            variant.exceptions.append((ranked, decl))
        return
    if not any(variant.kind == subject.kind for variant in info.variants):
        _derive(ctx, info, subject.kind)
    for variant in info.variants:
        if variant.kind is not None and world.is_a(variant.kind, subject.kind):
            variant.exceptions.append((ranked, decl))


def _derive(ctx: Context, info: DefineInfo, kind: str) -> None:
    """A variant for a narrower kind, with the lines that hold for it so far."""
    chain = ctx.world.chain(kind)
    base = next(variant for variant in info.variants if variant.kind in chain)
    made = VariantInfo(kind, base.decl, base.member, base.layer, base.rank, [])
    made.exceptions = list(base.exceptions)
    info.variants.append(made)
    info.variants.sort(key=lambda v: -len(ctx.world.chain(v.kind or "")))


def _target(ctx: Context, head: syntax.Head, subject: Type | None) -> DefineInfo | None:
    word, world = head.name.text, ctx.world
    for info in world.defines_by_word.get(word, ()):
        if subject is None and info.subject == "none":
            return info
        if isinstance(subject, SetType) and info.subject_type == subject:
            return info
    if not isinstance(subject, RefType):
        return None
    found = world.define(subject.kind, word)
    if found is not None:
        return found
    member = world.member(subject.kind, word)
    if member is None:
        return None
    kind = next(
        step
        for step in world.chain(subject.kind)
        if world.members.get(step, {}).get(word) is member
    )
    _enter_component(ctx, word, [(kind, member)])
    return world.define(subject.kind, word)


def _no_target(ctx: Context, head: syntax.Head, subject: Type | None) -> None:
    word, world = head.name.text, ctx.world
    known: list[str] = []
    if isinstance(subject, RefType):
        known = world.member_names(subject.kind)
    elif subject is None:
        known = [w for w, found in world.defines_by_word.items() if found[0].subject == "none"]
    near = suggest(word, known)
    of = f" of {fit.a(subject.kind)}" if isinstance(subject, RefType) else ""
    declared = (ranked.decl for ranked in world.merged.declarations)
    help_ = f"did you mean `{near}`?" if near else form_of(declared, word)
    ctx.error(
        "RW0516",
        head.span,
        f"there is no `{word}`{of} to make an exception to",
        help=help_,
    )


# ---------------------------------------------------------------- lines


def check_defines(ctx: Context, reuse: Reuse) -> None:
    """Check the lines of all defines."""
    removed = _removed(ctx)
    for info in ctx.world.defines.values():
        check = partial(_check_variants, ctx, info, removed)
        variants = reuse.made(DEFINE + info.name, check)
        ctx.world.checked[info.name] = core.Define(info.name, info.type, variants, info.doc)
        ctx.world.texts.setdefault(f"define.{info.word}", info.word.replace("_", " "))


def _removed(ctx: Context) -> set[tuple[str, str]]:
    return {
        (ranked.decl.head.name.text, ranked.decl.name.text)
        for ranked in ctx.world.merged.declarations
        if isinstance(ranked.decl, syntax.Remove)
        and ranked.decl.what == "exception"
        and ranked.decl.head is not None
    }


def _check_variants(
    ctx: Context, info: DefineInfo, removed: set[tuple[str, str]]
) -> tuple[core.DefineVariant, ...]:
    return tuple(_check_variant(ctx, info, variant, removed) for variant in info.variants)


def _check_variant(
    ctx: Context, info: DefineInfo, variant: VariantInfo, removed: set[tuple[str, str]]
) -> core.DefineVariant:
    inner = ctx.placed(_place(info.word, variant.layer))
    locals_ = _declare_params(inner, info, variant)
    lets: list[core.HeadLet] = []
    buts: dict[str, core.But] = {}
    spans: dict[str, tuple[Span, str]] = {}
    if variant.decl is None:
        assert variant.member is not None
        subject = core.Local(locals_[0][1], info.span, locals_[0][0])
        base = members.member_value(variant.member, subject, _span(variant.member))
        span = _span(variant.member)
    else:
        decl = variant.decl
        _lets(inner, decl.lets, lets)
        base = inner.value(decl.base, info.type)
        span = decl.head.span
        _lines(inner, info, decl.buts, buts, spans, removed)
    for ranked, exception in variant.exceptions:
        place = _place(info.word, ranked.layer)
        scope = type(inner.scope)(inner.scope.namer)
        there = ctx.placed(place, scope)
        _bind_params(there, exception.head, locals_)
        _lets(there, exception.lets, lets)
        _lines(there, info, exception.buts, buts, spans, removed)
        _warn_overlap(ctx, ranked, exception, buts, spans)
    return core.DefineVariant(
        variant.kind,
        tuple(locals_),
        tuple(lets),
        base,
        tuple(buts.values()),
        span,
        _is_told(ctx, variant.decl),
    )


def _is_told(ctx: Context, decl: syntax.Define | None) -> bool:
    """Whether the value is for everybody, though it may be worked out of what is hidden."""
    if decl is None or decl.seen_by is None:
        return False
    if decl.seen_by.text != "everyone":
        ctx.error(
            "RW0511",
            decl.seen_by.span,
            "what is worked out is seen by everyone, or by those who see what it is worked out of",
            help="write `seen by everyone`, or leave it out",
        )
    return True


def _declare_params(ctx: Context, info: DefineInfo, variant: VariantInfo) -> list[tuple[str, Type]]:
    found: list[tuple[str, Type]] = []
    subject: Type | None = info.subject_type
    if variant.kind is not None:
        subject = RefType(variant.kind)
    head = variant.decl.head if variant.decl is not None else None
    if subject is not None:
        word = fit.kind_word(variant.kind or "list")
        name = head.subject.name if head and head.subject else syntax.Name(info.span, word)
        local = ctx.declare(name, subject)
        found.append((local.name, subject))
    for param, type_ in zip(head.params if head else (), info.params, strict=False):
        local = ctx.declare(param.name, type_)
        found.append((local.name, type_))
    return found


def _bind_params(ctx: Context, head: syntax.Head, locals_: list[tuple[str, Type]]) -> None:
    words = [] if head.subject is None else [head.subject.name]
    words += [param.name for param in head.params]
    for word, (name, type_) in zip(words, locals_, strict=False):
        ctx.scope.bind(word.text, name, type_, word.span)


def _lets(ctx: Context, nodes: tuple[syntax.Let, ...], lets: list[core.HeadLet]) -> None:
    for node in nodes:
        value = ctx.infer(node.value)
        local = ctx.declare(node.name, value.type)
        lets.append(core.HeadLet(local.name, value))


def _lines(
    ctx: Context,
    info: DefineInfo,
    nodes: tuple[syntax.But, ...],
    buts: dict[str, core.But],
    spans: dict[str, tuple[Span, str]],
    removed: set[tuple[str, str]],
) -> None:
    for node in nodes:
        label = node.name.text
        if label in spans:
            ctx.error(
                "RW0516",
                node.name.span,
                f"`{info.word}` has an exception `{label}` already",
                also=[(spans[label][0], "the first one")],
                help="give it a name of its own",
            )
            continue
        spans[label] = (node.name.span, ctx.place.layer)
        condition = (
            build.flag(True, node.span) if node.condition is None else ctx.flag(node.condition)
        )
        there = ctx.assuming(condition)
        ctx.place.usual = info.type
        value = there.value(node.value, info.type)
        ctx.place.usual = None
        if (info.word, label) not in removed and build.constant_flag(condition) is not False:
            buts[label] = core.But(label, value, condition, node.span)


def _warn_overlap(
    ctx: Context,
    ranked: RankedDecl,
    exception: syntax.ExceptionDecl,
    buts: dict[str, core.But],
    spans: dict[str, tuple[Span, str]],
) -> None:
    """Two mods that change one value in cases that may come together: their order decides."""
    mods = ctx.world.merged.mods
    if ranked.layer not in mods:
        return
    others = [but for but in buts.values() if spans[but.label][1] in mods]
    for node in exception.buts:
        mine = buts.get(node.name.text)
        for other in others:
            layer = spans[other.label][1]
            if mine is None or layer == ranked.layer or not _may_differ(ctx, mine, other):
                continue
            ctx.bag.warning(
                "RW0851",
                node.name.span,
                f"two mods change `{exception.head.name.text}`; where both apply, this one wins",
                also=[(spans[other.label][0], f"the other one, of `{layer}`")],
            )
            return


def _may_differ(ctx: Context, one: core.But, other: core.But) -> bool:
    """Whether two lines may both apply, and give different values then."""
    match one.value, other.value:
        case core.Const(value=value), core.Const(value=same) if value == same:
            return False
    return not exclude_each_other(ctx.world, one.condition, other.condition)
