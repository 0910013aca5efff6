"""Windows and their options."""

from __future__ import annotations

from functools import partial

from dsl.check import fit, heads, queries, questions, texts
from dsl.check.context import Context, Place
from dsl.check.reuse import Reuse
from dsl.check.typenodes import param_type
from dsl.check.world import OptionInfo, WindowInfo
from dsl.core import nodes as core
from dsl.core.types import RefType, Type
from dsl.diagnostics import suggest
from dsl.syntax import nodes as syntax

PLAYER = "Player"


def declare_options(ctx: Context) -> None:
    """Enter the options into their windows, in the order of the layers."""
    world = ctx.world
    for ranked in world.merged.declarations:
        decl = ranked.decl
        if isinstance(decl, syntax.Forbid):
            key = (decl.option.text, decl.place.text)
            world.forbids.setdefault(key, []).append((ranked, decl))
        if not isinstance(decl, syntax.Option):
            continue
        name = decl.name.text
        before = world.options.get(name)
        if before is not None:
            ctx.error(
                "RW0504",
                decl.name.span,
                f"there is an option `{name}` already",
                also=[(before.decl.name.span, "first declared here")],
                help="one option may name several windows; or write `replace option ...`",
            )
            continue
        windows = [w.text for w in decl.windows if _is_window(ctx, w)]
        world.options[name] = OptionInfo(name, decl, ranked, windows)
        for window in windows:
            world.windows[window].options.append(name)


def _is_window(ctx: Context, name: syntax.Name) -> bool:
    if name.text in ctx.world.windows:
        return True
    near = suggest(name.text, ctx.world.windows)
    ctx.error(
        "RW0508",
        name.span,
        f"there is no window `{name.text}`",
        help=f"did you mean `{near}`?" if near else None,
    )
    return False


def check_window(ctx: Context, info: WindowInfo) -> core.Window:
    """Who is asked, in which order, and how it closes."""
    decl = info.decl
    place = Place(info.name, f"window.{info.name}", info.ranked.layer, "value")
    inner = ctx.placed(place)
    for name, type_ in info.params:
        inner.scope.declare(name, type_, decl.signature.span)
    there, asked = queries.clause(inner, decl.asked)
    if not ctx.fits(asked.variable_type, RefType(PLAYER)):
        ctx.error(
            "RW0601",
            decl.asked.source.span,
            f"only players can be asked, not {fit.describe(asked.source.type)}",
        )
    ctx.world.texts.setdefault(f"window.{info.name}", info.name.replace("_", " "))
    there.scope.asked = core.Local(asked.variable_type, decl.asked.span, asked.variable)
    label = None
    if decl.label is not None:
        label = texts.text_of(there, decl.label.text, f"window.{info.name}.as")
    passes = tuple(
        (
            None if way.condition is None else there.flag(way.condition),
            texts.text_of(there, way.text, f"window.{info.name}.pass.{number}"),
        )
        for number, way in enumerate(decl.passes, 1)
    )
    return core.Window(
        info.name,
        tuple(info.params),
        asked,
        decl.closing,
        tuple(info.options),
        decl.doc,
        decl.signature.span,
        label,
        passes,
        texts.shown(there, decl.shows, f"window.{info.name}"),
    )


def check_option(ctx: Context, reuse: Reuse, info: OptionInfo) -> list[core.Option]:
    """An option: its head, and what it does. Where a `forbid` speaks of one of several windows
    only, the option is there once for each window."""
    places = [window for window in info.windows if ctx.world.forbids.get((info.name, window))]
    if not places or len(info.windows) == 1:
        return [_checked(ctx, reuse, info, info.name, tuple(info.windows))]
    found = []
    for window in info.windows:
        key = f"{info.name}@{window}"
        found.append(_checked(ctx, reuse, info, key, (window,)))
        options = ctx.world.windows[window].options
        options[options.index(info.name)] = key
    return found


Names = dict[str, tuple[str, Type]]


def _checked(
    ctx: Context, reuse: Reuse, info: OptionInfo, key: str, windows: tuple[str, ...]
) -> core.Option:
    option, names = reuse.made(f"option {key}", partial(_check, ctx, info, key, windows))
    info.core, info.names = option, names
    info.at |= dict.fromkeys(windows, option)
    return option


def _check(
    ctx: Context, info: OptionInfo, key: str, windows: tuple[str, ...]
) -> tuple[core.Option, Names]:
    """The option, and the names of its head as they are written."""
    decl, name = info.decl, info.name
    place = Place(name, f"option.{name}", info.ranked.layer, "option")
    place.assigned = ctx.effects.sets(decl.body)
    inner = ctx.placed(place)
    given = [_given(inner, info, prep) for prep in decl.given]
    by = _by(inner, decl.by)
    for window in windows:  # what it gives is there too, whether the option takes it or not
        inner.scope.namer.used.update(name for name, _ in ctx.world.windows[window].params)
    inner.scope.asked = core.Local(by[1], decl.by.span, by[0])
    head = heads.check_head(inner, decl.body, place.key, picks=True)
    for window in windows:
        questions.add_forbids(inner, head, decl.name, window, place.key)
    body = (*head.says, *inner.block(head.rest))
    params = [by, *[item for item in given if item is not None]]
    words = [decl.by.name.text, *(prep.param.name.text for prep in decl.given)]
    names = {
        word: (inner.scope.names[word].name, inner.scope.names[word].type)
        for word in words
        if word in inner.scope.names
    } | head.names
    ctx.world.texts.setdefault(f"option.{name}", name.replace("_", " "))
    option = core.Option(
        key,
        windows,
        tuple(params),
        tuple(head.items),
        body,
        info.ranked.layer,
        decl.doc,
        decl.name.span,
        head.label,
    )
    return option, names


def _by(ctx: Context, param: syntax.Param) -> tuple[str, Type]:
    type_ = param_type(ctx, param)
    if not ctx.fits(type_, RefType(PLAYER)):
        ctx.error("RW0601", param.span, f"only a player can act, not {fit.describe(type_)}")
        type_ = fit.POISON
    info = ctx.declare(param.name, type_)
    return info.name, type_


def _given(ctx: Context, info: OptionInfo, prep: syntax.PrepParam) -> tuple[str, Type] | None:
    """What a window gives, by preposition. In the core it has the name it has in the window."""
    type_ = param_type(ctx, prep.param)
    local: str | None = None
    for name in info.windows:
        window = ctx.world.windows[name]
        places = dict(zip(window.prepositions, window.params, strict=True))
        found = places.get(prep.preposition)
        if found is None:
            ctx.error(
                "RW0506",
                prep.span,
                f"the window `{name}` gives nothing with `{prep.preposition}`",
                also=[(window.decl.signature.span, "declared here")],
            )
            continue
        if not ctx.fits(found[1], type_):
            ctx.error(
                "RW0601",
                prep.span,
                f"the window `{name}` gives {fit.describe(found[1])}, not {fit.describe(type_)}",
                also=[(window.decl.signature.span, "declared here")],
            )
        if local is not None and local != found[0]:
            ctx.error(
                "RW0524",
                prep.span,
                f"`{info.windows[0]}` and `{name}` call what they give `{local}` and `{found[0]}`",
                help="give it one name in all windows of the option",
            )
        local = local or found[0]
    if local is None:
        local = prep.param.name.text
    ctx.scope.declare(prep.param.name.text, type_, prep.span, wanted=local)
    return local, type_


def report_idle_forbids(ctx: Context) -> None:
    """A `forbid` that no option or answer takes up is a mistake."""
    for (option, place), found in ctx.world.forbids.items():
        for _, decl in found:
            if id(decl) not in ctx.world.used_forbids:
                _idle(ctx, decl, option, place)


def _idle(ctx: Context, decl: syntax.Forbid, option: str, place: str) -> None:
    world = ctx.world
    info = world.options.get(option)
    asked = {site.site.question: site for site in world.sites.values()}
    if info is not None:
        near = suggest(place, info.windows) or next(iter(info.windows), None)
        ctx.error(
            "RW0508",
            decl.place.span,
            f"the option `{option}` does not stand in `{place}`",
            help=f"did you mean `{near}`?" if near else None,
        )
        return
    site = asked.get(place)
    if site is not None and site.answers:
        near = suggest(option, site.answers)
        ctx.error(
            "RW0508",
            decl.option.span,
            f"the question `{place}` has no answer `{option}`",
            help=f"did you mean `{near}`?" if near else None,
        )
        return
    answers = [name for found in world.sites.values() for name in found.answers]
    near = suggest(option, [*world.options, *answers])
    ctx.error(
        "RW0508",
        decl.option.span,
        f"there is no option or answer `{option}` to forbid",
        help=f"did you mean `{near}`?" if near else None,
    )
