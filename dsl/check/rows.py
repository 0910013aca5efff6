"""The data: what the YAML says of each entity, as numbers in columns."""

from __future__ import annotations

from dsl.check import fit
from dsl.check.context import Context
from dsl.check.evaluate import Value, bit_set, key_count, zero_of
from dsl.check.merged import Row
from dsl.check.world import ColumnInfo
from dsl.core.types import (
    ChoiceType,
    FlagType,
    IntType,
    MapType,
    RefType,
    SeqType,
    SetType,
    TextType,
    Type,
    none_value,
)
from dsl.data import node as data
from dsl.diagnostics import suggest


def fill_data(ctx: Context) -> None:
    """Give every data column its values."""
    rows = rows_by_entity(ctx)
    for column in list(ctx.world.columns.values()):
        if column.role == "data" and not fit.is_poison(column.type):
            _fill(ctx, column, rows)


def rows_by_entity(ctx: Context) -> dict[tuple[str, int], Row]:
    """The entry of each entity that has one, by family and index."""
    found: dict[tuple[str, int], Row] = {}
    for info in ctx.world.kinds.values():
        if info.base is not None:
            continue
        by_id = {row.id: row for row in ctx.world.merged.sections.get(info.plural, ())}
        for index, id_ in enumerate(ctx.world.families[info.name].ids):
            if id_ in by_id:
                found[info.name, index] = by_id[id_]
    return found


def _fill(ctx: Context, column: ColumnInfo, rows: dict[tuple[str, int], Row]) -> None:
    family = ctx.world.family(column.kind)
    members = set(ctx.world.kinds[column.kind].members)
    values: list[Value] = []
    longest = 0
    for index in range(family.size):
        value: Value = empty_of(ctx, column.type)
        row = rows.get((family.name, index))
        if index in members and row is not None:
            value = _cell(ctx, column, row, index)
        if isinstance(value, tuple):
            longest = max(longest, len(value))
        values.append(value)
    if isinstance(column.type, SeqType) and column.type.bound < longest:
        if column.type.bound:
            ctx.error(
                "RW0522",
                column.span,
                f"the data has rows of {longest}, and `{column.field}` may have "
                f"{column.type.bound}",
            )
        column.type = SeqType(column.type.element, longest)
    ctx.world.values[column.name] = tuple(values)


def empty_of(ctx: Context, type_: Type) -> Value:
    """What stands for an entity that does not have the field."""
    if isinstance(type_, MapType):
        return (zero_of(type_.value),) * size_of(ctx, type_.key)
    return zero_of(type_)


def size_of(ctx: Context, key: Type) -> int:
    """How many entries a table by this key has."""
    if isinstance(key, RefType):
        return ctx.world.family(key.kind).size
    return key_count(key)


def _cell(ctx: Context, column: ColumnInfo, row: Row, index: int) -> Value:
    node = row.fields.get(column.field)
    if node is None:
        if isinstance(column.type, TextType):
            return index
        if fit.is_optional(column.type):
            return none_value(column.type)
        ctx.error(
            "RW0521",
            row.id_span,
            f"`{row.id}` has no `{column.field}`",
            also=[(column.span, f"every {column.kind} has one")],
        )
        return zero_of(column.type)
    if isinstance(column.type, TextType):
        if isinstance(node, data.Scalar):
            ctx.world.texts[f"text.{column.name}.{row.id}"] = str(node.value)
        return index
    return value_of(ctx, node, column.type)


def value_of(ctx: Context, node: data.DataNode, type_: Type) -> Value:
    """A value of the YAML as the number, or numbers, of a type."""
    if isinstance(type_, SetType):
        items = [_one(ctx, item, RefType(type_.kind)) for item in _listed(ctx, node)]
        return bit_set(item for item in items if item >= 0)
    if isinstance(type_, SeqType):
        return tuple(value_of(ctx, item, type_.element) for item in _listed(ctx, node))
    if isinstance(type_, MapType):
        return _table(ctx, node, type_)
    return _one(ctx, node, type_)


def _listed(ctx: Context, node: data.DataNode) -> tuple[data.DataNode, ...]:
    if isinstance(node, data.Sequence):
        return node.items
    ctx.error("RW0522", node.span, "a list belongs here", help="write `[..., ...]`")
    return ()


def _table(ctx: Context, node: data.DataNode, type_: MapType) -> Value:
    size = size_of(ctx, type_.key)
    entries: list[Value] = [zero_of(type_.value)] * size
    if isinstance(node, data.Mapping):
        for entry in node.entries:
            key = _one(ctx, entry.key, type_.key)
            place = key - type_.key.low if isinstance(type_.key, IntType) else key
            if 0 <= place < size:
                entries[place] = value_of(ctx, entry.value, type_.value)
        return tuple(entries)
    items = _listed(ctx, node)
    wanted = list(range(size))
    if isinstance(type_.key, RefType):
        wanted = list(ctx.world.kinds[type_.key.kind].members)
    if len(items) != len(wanted):
        ctx.error(
            "RW0522",
            node.span,
            f"{len(wanted)} values belong here, one per {fit.plain(type_.key)}, not {len(items)}",
        )
        return tuple(entries)
    for place, item in zip(wanted, items, strict=True):
        entries[place] = value_of(ctx, item, type_.value)
    return tuple(entries)


def _one(ctx: Context, node: data.DataNode, type_: Type) -> int:
    """One value; an error and some value of the type where it does not fit."""
    if not isinstance(node, data.Scalar):
        ctx.error("RW0522", node.span, f"{fit.describe(type_)} belongs here")
        return _some(type_)
    value = node.value
    if fit.is_optional(type_) and (value is None or value == "none"):
        return none_value(type_)
    if isinstance(type_, FlagType) and isinstance(value, bool):
        return int(value)
    if isinstance(type_, FlagType) and value in ("yes", "no"):
        return int(value == "yes")
    if isinstance(type_, IntType) and isinstance(value, int) and not isinstance(value, bool):
        if type_.low <= value <= type_.high:
            return value
        _out_of_bounds(ctx, node, type_, value)
        return type_.low
    if isinstance(type_, RefType):
        return _entity(ctx, node, type_)
    if isinstance(type_, ChoiceType):
        return _word(ctx, node, type_)
    ctx.error("RW0522", node.span, f"{fit.describe(type_)} belongs here, not `{value}`")
    return _some(type_)


def _out_of_bounds(ctx: Context, node: data.Scalar, type_: IntType, value: int) -> None:
    if type_.unit is None or value < 0:
        ctx.error("RW0522", node.span, f"{fit.describe(type_)} belongs here, not {value}")
        return
    ctx.error(
        "RW0522",
        node.span,
        f"{value:,} is too much: {fit.describe(type_)} is {type_.high:,} at most",
        help=fit.for_more_money(type_.high) if type_.unit == fit.MONEY else None,
    )


def _some(type_: Type) -> int:
    return type_.low if isinstance(type_, IntType) else 0


def _entity(ctx: Context, node: data.Scalar, type_: RefType) -> int:
    world, word = ctx.world, str(node.value)
    family = world.family(type_.kind)
    members = world.kinds[type_.kind].members
    if word in family.ids:
        index = family.ids.index(word)
        if index in members:
            return index
    known = [family.ids[member] for member in members]
    near = suggest(word, known)
    ctx.error(
        "RW0520",
        node.span,
        f"there is no {type_.kind} `{word}`",
        help=f"did you mean `{near}`?" if near else None,
    )
    return 0


def _word(ctx: Context, node: data.Scalar, type_: ChoiceType) -> int:
    word = str(node.value)
    if word in type_.values:
        return type_.values.index(word)
    near = suggest(word, type_.values)
    ctx.error(
        "RW0522",
        node.span,
        f"`{word}` is none of {', '.join(type_.values)}",
        help=f"did you mean `{near}`?" if near else None,
    )
    return 0
