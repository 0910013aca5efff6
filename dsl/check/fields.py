"""Fields: data and state (columns), purses, zones."""

from __future__ import annotations

from dsl.check import fit, owners
from dsl.check.constants import constant, constant_number
from dsl.check.contents import walk_syntax
from dsl.check.context import Context, Place
from dsl.check.evaluate import key_count
from dsl.check.typenodes import resolve_type
from dsl.check.world import BackInfo, ColumnInfo, KindInfo, ZoneInfo
from dsl.core import nodes as core
from dsl.core.types import IntType, MapType, RefType, SeqType, TextType, Type
from dsl.diagnostics import suggest
from dsl.syntax import nodes as syntax

MOST_CELLS = 4_000_000
"""Values in all fields of all that there is, tables and rows with all their entries."""

_SEEN: dict[str, core.Visibility] = {
    "everyone": "everyone",
    "owner": "owner",
    "nobody": "nobody",
}


_DRAWN = ("shown", "not shown")


def declare_fields(ctx: Context) -> None:
    """Enter all fields; a field of a kind comes before the same one of a narrower kind."""
    world = ctx.world
    order = sorted(world.kinds.values(), key=lambda info: len(world.chain(info.name)))
    for info in order:
        for field, layer in info.fields:
            place = Place(info.name, f"field.{info.name}.{field.name.text}", layer, "start")
            inner = ctx.placed(place)
            if isinstance(field, syntax.StateField):
                _state(inner, info, field)
            else:
                _holder(inner, info, field)


def _enter(
    ctx: Context, info: KindInfo, name: syntax.Name, member: ColumnInfo | ZoneInfo | BackInfo
) -> bool:
    own = ctx.world.members.setdefault(info.name, {})
    before = own.get(name.text)
    if before is None:
        own[name.text] = member
        return True
    where = before.zone.span if isinstance(before, BackInfo) else before.span
    ctx.error(
        "RW0504",
        name.span,
        f"{info.name} has `{name.text}` already",
        also=[(where, "first declared here")],
    )
    return False


def _inherited(ctx: Context, info: KindInfo, name: str) -> ColumnInfo | ZoneInfo | None:
    """The field of this name that a base has: this one gives it another start."""
    for step in ctx.world.chain(info.name)[1:]:
        found = ctx.world.members.get(step, {}).get(name)
        if isinstance(found, ColumnInfo | ZoneInfo):
            return found
    return None


def _traits(ctx: Context, field: syntax.Field) -> tuple[syntax.Trait, ...]:
    """The traits that hold: those with a condition may be ruled out by a switch."""
    return tuple(trait for trait in field.traits if _holds(ctx, trait.condition))


def _holds(ctx: Context, condition: syntax.Expr | None) -> bool:
    if condition is None:
        return True
    if any(isinstance(node, syntax.Dot) for node in walk_syntax(condition)):
        ctx.error(
            "RW0616",
            condition.span,
            "this must be known before play begins",
            help="only switches, numbers and words can stand here",
        )
        return True
    return bool(constant(ctx, ctx.flag(condition)))


def _seen_by(ctx: Context, traits: tuple[syntax.Trait, ...]) -> core.Visibility:
    for trait in traits:
        if trait.word == "seen":
            found = _SEEN.get(trait.by or "")
            if found is not None:
                return found
            near = suggest(trait.by or "", _SEEN)
            ctx.error(
                "RW0511",
                trait.span,
                f"nobody is called `{trait.by}` here",
                help=f"did you mean `{near}`?"
                if near
                else "a field is seen by owner, by nobody or by everyone",
            )
    return "everyone"


def _is_shown(field: syntax.Field) -> bool:
    """Whether a field is drawn: as it says, else what is given with a thing and what is held, but
    nothing that the rules keep for themselves."""
    for trait in field.traits:
        if trait.word in _DRAWN:
            return trait.word == "shown"
    return isinstance(field, syntax.HolderField) or field.starts is None


def _only(ctx: Context, field: syntax.Field, allowed: tuple[str, ...], what: str) -> None:
    for trait in field.traits:
        if trait.word not in (*allowed, *_DRAWN):
            ctx.error("RW0511", trait.span, f"`{trait.word}` says nothing of {what}")


# ---------------------------------------------------------------- values


def _state(ctx: Context, info: KindInfo, field: syntax.StateField) -> None:
    _only(ctx, field, ("seen", "set"), "a field that holds a value")
    is_pool = ctx.world.kinds[info.family].pool is not None
    is_data = field.starts is None and not is_pool and info.name != "Player"
    type_ = resolve_type(ctx, field.type, is_data=is_data)
    if isinstance(type_, TextType) and not is_data:
        ctx.error("RW0511", field.span, "a text is data: it can't change in play")
    if field.starts is None and not is_pool and (info.is_thing or info.name == "Player"):
        ctx.error(
            "RW0511",
            field.span,
            f"`{field.name.text}` needs a start: {info.name} has no entry in the data",
            help=f"write `{field.name.text}: ... starts ...`",
        )
    before = _inherited(ctx, info, field.name.text)
    if before is not None:
        _restart(ctx, info, field, before, type_)
        return
    column = ColumnInfo(
        f"{info.name}.{field.name.text}",
        field.name.text,
        info.name,
        type_,
        "data" if is_data else "state",
        _seen_by(ctx, _traits(ctx, field)),
        field.doc,
        field.span,
        {info.name: field.starts},
        set(),
        {},
        _is_shown(field),
        owners.owners_of(ctx, field, is_data=is_data),
    )
    _check_room(ctx, info, column, field)
    if _enter(ctx, info, field.name, column):
        ctx.world.columns[column.name] = column


def _check_room(ctx: Context, info: KindInfo, column: ColumnInfo, field: syntax.StateField) -> None:
    """Refuse the field with which a game would have more values than it can hold."""
    world = ctx.world
    family = world.families.get(info.family)
    before = world.cells
    world.cells += (1 if family is None else max(1, family.size)) * _values_in(ctx, column.type)
    if world.cells <= MOST_CELLS:
        return
    if before <= MOST_CELLS:
        ctx.error(
            "RW0615",
            field.type.span,
            f"with this field a game would hold more than {MOST_CELLS:,} values",
            help="make tables and rows smaller, or keep less of what can be worked out",
        )
    column.type = fit.POISON


def _values_in(ctx: Context, type_: Type) -> int:
    """How many values a field of one entity has at most."""
    if isinstance(type_, MapType):
        families = ctx.world.families
        kind = ctx.world.kinds[type_.key.kind] if isinstance(type_.key, RefType) else None
        size = families[kind.family].size if kind is not None and kind.family in families else 1
        return key_count(type_.key, size) * _values_in(ctx, type_.value)
    return type_.bound + 1 if isinstance(type_, SeqType) else 1


def _restart(
    ctx: Context, info: KindInfo, field: syntax.Field, before: ColumnInfo | ZoneInfo, type_: Type
) -> None:
    """A narrower kind says again a field of its base: only its start may differ."""
    same = isinstance(before, ColumnInfo) and (
        fit.is_poison(type_) or before.type == type_ or _same_unit(before.type, type_)
    )
    if not same:
        ctx.error(
            "RW0511",
            field.span,
            f"`{field.name.text}` is something else for {fit.a(before.kind)}",
            also=[(before.span, "declared here")],
            help="a narrower kind may only give the field another start",
        )
        return
    assert isinstance(before, ColumnInfo)
    before.starts[info.name] = field.starts
    ctx.world.members.setdefault(info.name, {})[field.name.text] = before


def _same_unit(one: Type, other: Type) -> bool:
    return isinstance(one, IntType) and isinstance(other, IntType) and one.unit == other.unit


# ---------------------------------------------------------------- holders


def _holder(ctx: Context, info: KindInfo, field: syntax.HolderField) -> None:
    what = field.what.text
    if what == fit.MONEY or what in ctx.world.units:
        _purse(ctx, info, field, what)
    elif what in ctx.world.kinds:
        _zone(ctx, info, field, what)
    else:
        near = suggest(what, [fit.MONEY, *ctx.world.units, *ctx.world.kinds])
        ctx.error(
            "RW0502",
            field.what.span,
            f"there is no unit or kind `{what}`",
            help=f"did you mean `{near}`?" if near else None,
        )


def _purse(ctx: Context, info: KindInfo, field: syntax.HolderField, unit: str) -> None:
    """Purses of one name and unit in a family are one column, whichever kinds have them."""
    _only(ctx, field, ("seen", "endless"), "a purse")
    if field.back is not None:
        ctx.error("RW0511", field.back.span, "units have no names, so no one has a holder")
    bound = constant_number(ctx, field.bound)
    most = bound if bound is not None else ctx.world.merged.money_limit
    type_ = IntType(0, most, unit)
    name = field.name.text
    column = None
    for other in ctx.world.columns.values():
        same_family = ctx.world.kinds[other.kind].family == info.family
        if same_family and other.field == name and other.role == "purse":
            column = other
    if column is None or not _same_unit(column.type, type_):
        if column is not None or _inherited(ctx, info, name) is not None:
            before = column or _inherited(ctx, info, name)
            assert before is not None
            _restart(ctx, info, field, before, type_)
            return
        column = ColumnInfo(
            f"{info.name}.{name}",
            name,
            info.name,
            type_,
            "purse",
            _seen_by(ctx, _traits(ctx, field)),
            field.doc,
            field.span,
            {},
            set(),
            {},
            _is_shown(field),
        )
        ctx.world.columns[column.name] = column
    elif isinstance(column.type, IntType) and column.type.high < most:
        column.type = type_
    column.bounds[info.name] = most
    own = ctx.world.members.setdefault(info.name, {})
    if info.name in column.starts:
        _enter(ctx, info, field.name, column)
        return
    own[name] = column
    column.starts[info.name] = field.starts
    if any(trait.word == "endless" for trait in field.traits):
        column.endless.add(info.name)
    joint = ctx.world.join(column.kind, info.name)
    if joint is not None and joint != column.kind:
        column.kind = joint


def _zone(ctx: Context, info: KindInfo, field: syntax.HolderField, held: str) -> None:
    _only(ctx, field, ("seen", "ordered", "fanned", "count hidden"), "a zone")
    traits = _traits(ctx, field)
    words = {trait.word for trait in traits}
    size = len(ctx.world.kinds[held].members)
    bound = constant_number(ctx, field.bound)
    before = _inherited(ctx, info, field.name.text)
    if before is not None:
        if isinstance(before, ZoneInfo) and before.holds == held:
            before.starts[info.name] = field.starts
        else:
            _restart(ctx, info, field, before, fit.TEXT)
        return
    zone = ZoneInfo(
        f"{info.name}.{field.name.text}",
        field.name.text,
        info.name,
        held,
        field.back.text if field.back is not None else None,
        bool(words & {"ordered", "fanned"}),
        "fanned" in words,
        size if bound is None else min(bound, size),
        _seen_by(ctx, traits),
        "count hidden" in words,
        field.doc,
        field.span,
        {info.name: field.starts},
        _is_shown(field),
    )
    if not _enter(ctx, info, field.name, zone):
        return
    ctx.world.zones[zone.name] = zone
    if field.back is not None:
        _enter_back(ctx, ctx.world.kinds[held], field.back, zone)


def _enter_back(ctx: Context, held: KindInfo, name: syntax.Name, zone: ZoneInfo) -> None:
    _enter(ctx, held, name, BackInfo(zone))
