"""How everything stands when a game begins: the starts of fields, purses and zones."""

from __future__ import annotations

from dsl.check import fit
from dsl.check.constants import constant
from dsl.check.context import Context, Place
from dsl.check.evaluate import Value, bits
from dsl.check.rows import empty_of, size_of
from dsl.check.world import ColumnInfo, ZoneInfo
from dsl.core import nodes as core
from dsl.core.types import IntType, MapType, RefType, SetType
from dsl.syntax import nodes as syntax


def build_columns(ctx: Context) -> dict[str, core.Column]:
    """All columns with their values."""
    found = {}
    for column in ctx.world.columns.values():
        values = ctx.world.values.get(column.name)
        if column.role != "data":
            values = _start_values(ctx, column)
        endless = sorted(
            member for kind in column.endless for member in ctx.world.kinds[kind].members
        )
        found[column.name] = core.Column(
            column.name,
            column.field,
            ctx.world.kinds[column.kind].family,
            column.kind,
            column.type,
            column.role,
            values or (),  # type: ignore[arg-type]
            column.seen_by,
            tuple(endless),
            column.doc,
            column.span,
            _most(ctx, column),
            column.is_shown,
        )
    return found


def _most(ctx: Context, column: ColumnInfo) -> tuple[int, ...]:
    """How much the purse of each entity may hold, where kinds differ in that."""
    if len(set(column.bounds.values())) < 2:
        return ()
    assert isinstance(column.type, IntType)
    found = []
    for kind in narrowest(ctx, ctx.world.kinds[column.kind].family):
        owner = next((each for each in ctx.world.chain(kind) if each in column.bounds), None)
        found.append(column.type.high if owner is None else column.bounds[owner])
    return tuple(found)


def narrowest(ctx: Context, family: str) -> list[str]:
    """For each entity of a family, its narrowest kind."""
    found = [family] * ctx.world.families[family].size
    kinds = [info for info in ctx.world.kinds.values() if info.family == family]
    for info in sorted(kinds, key=lambda info: len(ctx.world.chain(info.name))):
        for member in info.members:
            found[member] = info.name
    return found


def _start_values(ctx: Context, column: ColumnInfo) -> tuple[Value, ...]:
    family = ctx.world.kinds[column.kind].family
    cache: dict[str, tuple[core.Expr, str] | None] = {}
    values: list[Value] = []
    for index, kind in enumerate(narrowest(ctx, family)):
        owner = next((k for k in ctx.world.chain(kind) if k in column.starts), None)
        if owner is None or column.starts[owner] is None:
            values.append(empty_of(ctx, column.type))
            continue
        if owner not in cache:
            cache[owner] = _prepared(ctx, column, owner)
        prepared = cache[owner]
        value = None
        if prepared is not None:
            value = constant(ctx, prepared[0], {prepared[1]: index})
            if value is None:
                cache[owner] = None
            elif isinstance(column.type, MapType) and isinstance(value, int):
                value = (value,) * size_of(ctx, column.type.key)
        values.append(empty_of(ctx, column.type) if value is None else value)
    return tuple(values)


def _prepared(ctx: Context, column: ColumnInfo, owner: str) -> tuple[core.Expr, str] | None:
    node = column.starts[owner]
    assert node is not None
    inner, name = _inside(ctx, owner, column.field)
    type_ = column.type
    if isinstance(type_, MapType) and not isinstance(node, syntax.ListExpr):
        type_ = type_.value  # one start for all entries
    expr = inner.value(node, type_)
    return None if fit.is_poison(expr.type) else (expr, name)


def _inside(ctx: Context, owner: str, field: str) -> tuple[Context, str]:
    """Where a start is worked out: the entity itself goes by its kind's name."""
    info = ctx.world.kinds[owner]
    layer = next((layer for f, layer in info.fields if f.name.text == field), info.layer)
    inner = ctx.placed(Place(owner, f"field.{owner}.{field}", layer, "start"))
    local = inner.scope.declare(fit.kind_word(owner), RefType(owner), info.span)
    return inner, local.name


# ---------------------------------------------------------------- zones


def build_zones(ctx: Context) -> dict[str, core.Zone]:
    """All zones with what lies there at the start; a thing lies in one zone at most."""
    placed: dict[tuple[str, int], ZoneInfo] = {}
    found = {}
    for zone in ctx.world.zones.values():
        family = ctx.world.kinds[zone.kind].family
        holders = ctx.world.kinds[zone.kind].members
        kinds = narrowest(ctx, family)
        starts = tuple(_zone_start(ctx, zone, kinds[holder], holder) for holder in holders)
        _check_places(ctx, zone, starts, placed)
        found[zone.name] = core.Zone(
            zone.name,
            zone.field,
            family,
            holders,
            zone.holds,
            zone.back,
            zone.ordered,
            zone.fanned,
            zone.bound,
            zone.seen_by,
            zone.count_hidden,
            starts,
            zone.doc,
            zone.span,
            zone.is_shown,
        )
    return found


def _zone_start(ctx: Context, zone: ZoneInfo, kind: str, holder: int) -> tuple[int, ...]:
    owner = next((k for k in ctx.world.chain(kind) if k in zone.starts), None)
    node = None if owner is None else zone.starts[owner]
    if owner is None or node is None:
        return ()
    inner, name = _inside(ctx, owner, zone.field)
    expr = _things(inner, node, zone)
    if fit.is_poison(expr.type):
        zone.starts[owner] = None
        return ()
    value = constant(inner, expr, {name: holder})
    if value is None:
        zone.starts[owner] = None
        return ()
    items = bits(value) if isinstance(value, int) else value
    found = tuple(item for item in items if isinstance(item, int))
    if len(found) > zone.bound:
        ctx.error(
            "RW0622",
            node.span,
            f"{len(found)} start here, and `{zone.field}` holds {zone.bound} at most",
        )
    return found


def _things(ctx: Context, node: syntax.Expr, zone: ZoneInfo) -> core.Expr:
    expr = ctx.infer(node, SetType(zone.holds))
    element = fit.element_of(expr.type)
    if element is not None and ctx.fits(element, RefType(zone.holds)):
        return expr
    return ctx.coerce(expr, SetType(zone.holds))


def _check_places(
    ctx: Context,
    zone: ZoneInfo,
    starts: tuple[tuple[int, ...], ...],
    placed: dict[tuple[str, int], ZoneInfo],
) -> None:
    family = ctx.world.family(zone.holds)
    for item in (item for start in starts for item in start):
        before = placed.setdefault((family.name, item), zone)
        if before is not zone or sum(start.count(item) for start in starts) > 1:
            ctx.error(
                "RW0622",
                zone.span,
                f"`{family.ids[item]}` would start in two places",
                also=[] if before is zone else [(before.span, "it starts here too")],
            )
            return
