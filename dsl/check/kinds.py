"""Kinds, things, choices and units; the families and who is in them."""

from __future__ import annotations

from dsl.check import fit
from dsl.check.constants import constant_number
from dsl.check.context import Context
from dsl.check.merged import Row
from dsl.check.otherwise import form_of
from dsl.check.world import KindInfo, World
from dsl.core import nodes as core
from dsl.diagnostics import Bag, suggest
from dsl.source import NOWHERE, Span
from dsl.syntax import nodes as syntax

PLAYER = "Player"


def declare_kinds(world: World, bag: Bag) -> None:
    """Enter all kinds and things, with their fields as they are written."""
    for ranked in world.merged.declarations:
        decl = ranked.decl
        if isinstance(decl, syntax.KindDecl):
            plural = decl.plural.text if decl.plural else fit.kind_word(decl.name.text) + "s"
            base = decl.base.text if decl.base else None
            info = KindInfo(
                decl.name.text,
                base,
                False,
                decl.pool,
                plural,
                decl.doc,
                ranked.layer,
                decl.name.span,
            )
        elif isinstance(decl, syntax.ThingDecl):
            base = decl.base.text if decl.base else None
            info = KindInfo(
                decl.name.text, base, True, None, "", decl.doc, ranked.layer, decl.name.span
            )
        else:
            _declare_words(world, bag, decl)
            continue
        if not _is_new(bag, info.name, info.span, world.kinds, "declared"):
            continue
        info.fields = [(field, ranked.layer) for field in decl.fields]
        world.kinds[info.name] = info
    if PLAYER not in world.kinds:
        world.kinds[PLAYER] = KindInfo(
            PLAYER, None, False, None, "players", "Who plays.", "std/seats", NOWHERE
        )
    _add_fields(world, bag)
    _check_bases(world, bag)
    world.words = {fit.kind_word(name): name for name in world.kinds}
    world.words |= {name.lower(): name for name in world.kinds if name.lower() not in world.words}


def _declare_words(world: World, bag: Bag, decl: syntax.Decl) -> None:
    if isinstance(decl, syntax.ChoiceDecl):
        if decl.name.text in world.choices:
            bag.error("RW0504", decl.name.span, f"the choice `{decl.name.text}` is declared twice")
        world.choices[decl.name.text] = tuple(value.text for value in decl.values)
    elif isinstance(decl, syntax.UnitDecl):
        if decl.name.text in world.units or decl.name.text == fit.MONEY:
            bag.error("RW0504", decl.name.span, f"the unit `{decl.name.text}` is there already")
        world.units[decl.name.text] = decl


def _is_new(bag: Bag, name: str, span: Span, known: dict[str, KindInfo], what: str) -> bool:
    before = known.get(name)
    if before is None:
        return True
    bag.error(
        "RW0504",
        span,
        f"`{name}` is {what} twice",
        also=[(before.span, "first declared here")],
        help=f"to give it more fields, write `add to {name}`",
    )
    return False


def _add_fields(world: World, bag: Bag) -> None:
    declared = [ranked.decl for ranked in world.merged.declarations]
    for ranked in world.merged.declarations:
        decl = ranked.decl
        if not isinstance(decl, syntax.AddFields):
            continue
        info = world.kinds.get(decl.owner.text)
        if info is None:
            near = suggest(decl.owner.text, world.kinds)
            bag.error(
                "RW0502",
                decl.owner.span,
                f"there is no kind or thing `{decl.owner.text}` to add to",
                help=f"did you mean `{near}`?" if near else form_of(declared, decl.owner.text),
            )
            continue
        info.fields += [(field, ranked.layer) for field in decl.fields]


def _check_bases(world: World, bag: Bag) -> None:
    for info in world.kinds.values():
        if info.base is None:
            continue
        base = world.kinds.get(info.base)
        if base is None or base.is_thing:
            near = suggest(info.base, [k for k, v in world.kinds.items() if not v.is_thing])
            bag.error(
                "RW0502",
                info.span,
                f"there is no kind `{info.base}` for `{info.name}` to belong to",
                help=f"did you mean `{near}`?" if near else None,
            )
            info.base = None
        elif info.pool is not None:
            bag.error("RW0510", info.span, "only a kind without `is` can be made in play")
            info.pool = None
        elif base.pool is not None:
            bag.error(
                "RW0510",
                info.span,
                f"{fit.a(info.base)} is made in play, so it can have no narrower kinds",
                also=[(base.span, "declared here")],
            )
            info.base = None
    for info in world.kinds.values():
        if _goes_round(world, info.name):
            bag.error(
                "RW0510", info.span, f"`{info.name}` is its own base, directly or in a circle"
            )
            info.base = None


def _goes_round(world: World, name: str) -> bool:
    seen: set[str] = set()
    here: str | None = name
    while here is not None:
        if here in seen:
            return True
        seen.add(here)
        here = world.kinds[here].base
    return False


# ---------------------------------------------------------------- families


def fill_families(ctx: Context) -> None:
    """Number all entities but those of pools: players, then the data, then things in the order
    declared."""
    world = ctx.world
    for info in world.kinds.values():
        info.family = world.chain(info.name)[-1]
    for root in [info for info in world.kinds.values() if info.base is None and info.pool is None]:
        _fill_family(ctx, root)
    _report_strays(ctx)


def fill_pools(ctx: Context) -> None:
    """Number the entities of pools, once it is known how many there may be."""
    world = ctx.world
    roots = [info for info in world.kinds.values() if info.base is None]
    for root in roots:
        if root.pool is not None:
            _fill_family(ctx, root)
    world.families = {root.name: world.families[root.name] for root in roots}


def _fill_family(ctx: Context, root: KindInfo) -> None:
    world = ctx.world
    members: dict[str, list[int]] = {
        name: [] for name, info in world.kinds.items() if info.family == root.name
    }
    ids: list[str] = []
    shown: list[str] = []
    printed: list[str | None] = []

    def enter(id_: str, kind: str, name: str, text: str | None = None) -> None:
        index = len(ids)
        ids.append(id_)
        shown.append(name)
        printed.append(text)
        for step in world.chain(kind):
            members[step].append(index)
        world.entities.setdefault(id_, []).append((kind, index))

    if root.pool is not None:
        bound = constant_number(ctx, root.pool) or 0
        if not 0 < bound <= fit.MOST_MADE:
            ctx.error(
                "RW0615",
                root.pool.span,
                f"a pool has room for 1 to {fit.MOST_MADE:,}, not for {bound:,}",
            )
            bound = 1
        ids = [f"{fit.kind_word(root.name)}_{number}" for number in range(1, bound + 1)]
        shown = [id_.replace("_", " ") for id_ in ids]
        printed = [None] * bound
        members[root.name] = list(range(bound))
    else:
        if PLAYER in members:
            for id_, name in world.merged.seats[: world.players]:
                enter(id_, PLAYER, name)
        for row in world.merged.sections.get(root.plural, ()):
            kind = _row_kind(ctx, root, row)
            if kind is not None:
                enter(row.id, kind, row.name, row.text)
        for info in world.kinds.values():
            if info.is_thing and info.family == root.name:
                term = world.merged.terms.get(info.name)
                enter(
                    info.name, info.name, term[0] if term else f"the {info.name.replace('_', ' ')}"
                )
                world.entities[info.name].pop()  # a thing is a name of its own
    world.families[root.name] = core.Family(root.name, tuple(ids), root.pool is not None)
    world.entity_names[root.name] = shown
    world.entity_texts[root.name] = printed
    for name, found in members.items():
        world.kinds[name].members = tuple(found)


def _row_kind(ctx: Context, root: KindInfo, row: Row) -> str | None:
    if row.kind is None:
        return root.name
    info = ctx.world.kinds.get(row.kind)
    if info is not None and info.family == root.name and not info.is_thing:
        return info.name
    kinds = [k for k, v in ctx.world.kinds.items() if v.family == root.name and not v.is_thing]
    near = suggest(row.kind, kinds)
    ctx.error(
        "RW0520",
        row.span,
        f"`{row.id}` is said to be a `{row.kind}`, and there is no such kind of {root.name}",
        help=f"did you mean `{near}`?" if near else None,
    )
    return None


def _report_strays(ctx: Context) -> None:
    """Sections of the data that belong to no kind."""
    plurals = {info.plural for info in ctx.world.kinds.values() if info.base is None}
    for name, rows in ctx.world.merged.sections.items():
        if name in plurals or not rows:
            continue
        near = suggest(name, plurals)
        ctx.error(
            "RW0520",
            rows[0].span,
            f"no kind is called `{name}` in the plural",
            help=f"did you mean `{near}`?" if near else f"declare it: `kind ..., plural {name}`",
        )
