"""Expressions: core to flat."""

from __future__ import annotations

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import bounds, knowledge, queries, rings, sets
from interpreter.flat.expr.defines import lower_define_call, plain_value
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.core_tree import walk

_COMPARISONS: dict[str, flat.IntOp] = {
    "is": "==",
    "is not": "!=",
    "<": "<",
    "<=": "<=",
    ">": ">",
    ">=": ">=",
}


def lower(low: Lowering, env: Env, expr: core.Expr) -> flat.Expr:
    """The flat expression for a core expression. Rows only where they lie in state or a local."""
    match expr:
        case core.Const(type=type_, value=value):
            if isinstance(type_, t.SetType):
                return flat.Bits(value, low.layout.bits(type_.kind))
            return build.num(value)
        case core.Local(name=name):
            return env.names[name]
        case core.Usual():
            assert env.usual is not None
            return env.usual
        case core.Field(column=column, subject=subject):
            return _counted(low, column, subject.type, lower(low, env, subject))
        case core.Lookup(table=table, key=key):
            return _lookup(low, env, table, key)
        case core.ZoneItems(zone=zone, holder=holder):
            place = low.layout.zones[zone]
            inner = lower(low, env, holder)
            return place.row(inner) if isinstance(expr.type, t.SeqType) else place.members(inner)
        case core.HolderOf():
            return holder_of(low, env, expr)
        case core.CallDefine():
            return lower_define_call(low, env, expr)
        case core.Arith(op=op, left=left, right=right):
            return build.binary(
                "//" if op == "/" else op, lower(low, env, left), lower(low, env, right)
            )
        case core.MulDiv():
            return _mul_div(low, env, expr)
        case core.Compare(op=op, left=left, right=right):
            return compare(low, env, op, left, right)
        case core.Logic(op=op, left=left, right=right):
            join = build.both if op == "and" else build.either
            return join(lower(low, env, left), lower(low, env, right))
        case core.Not(operand=operand):
            return build.negate(lower(low, env, operand))
        case core.Conditional(condition=condition, then_value=then, else_value=other):
            return build.choose(
                lower(low, env, condition), lower(low, env, then), lower(low, env, other)
            )
        case core.IsKind(subject=subject, kind=kind):
            return is_kind(low, lower(low, env, subject), subject.type, kind)
        case core.AllOf() | core.SetOf() | core.SetOp():
            return sets.lower_set(low, env, expr)
        case core.Contains(item=item, collection=collection):
            return _contains(low, env, item, collection)
        case core.Fold():
            return queries.lower_fold(low, env, expr)
        case core.Builtin(name="known"):
            return knowledge.lower_known(low, env, expr)
        case core.Builtin():
            return rings.lower_builtin(low, env, expr)
        case _:
            raise AssertionError(f"not an expression for play: {type(expr).__name__}")


def read_field(low: Lowering, column: str, subject: flat.Expr) -> flat.Expr:
    """The value of a field that is not a table."""
    place = low.layout.fields[column]
    match place.shape:
        case "scalar":
            return flat.Scalar(place.name, place.type)
        case "flags":
            return build.has(flat.Scalar(place.name, place.type), subject)
        case "rows":
            assert isinstance(place.type, flat.Row)
            return flat.RowAt(place.name, build.num(0) if place.single else subject, place.type.cap)
        case "list":
            raise AssertionError("a list of the data is only gone through")
        case _:
            if place.shape == "table" and isinstance(subject, flat.Num):
                value = low.out.tables[place.name].values[subject.value]
                return (
                    flat.Bits(value, place.type.bits)
                    if isinstance(place.type, flat.Set)
                    else build.num(value)
                )
            return flat.Cell(place.name, subject, place.type)


def _counted(low: Lowering, column: str, type_: t.Type, subject: flat.Expr) -> flat.Expr:
    """The value of a field; an endless purse is not counted, whoever turns out to have it."""
    endless = low.program.columns[column].endless
    if not endless or not isinstance(type_, t.RefType):
        return read_field(low, column, subject)
    if isinstance(subject, flat.Num):
        return build.num(0) if subject.value in endless else read_field(low, column, subject)
    value = read_field(low, column, subject)
    for one in set(low.program.kinds[type_.kind].members) & set(endless):
        value = build.choose(build.equal(subject, build.num(one)), build.num(0), value)
    return value


def cell_of(
    low: Lowering, column: str, subject: flat.Expr, key: flat.Expr
) -> tuple[str, flat.Expr, flat.FlatType]:
    """Where a cell of a table field lies: its column, index and type."""
    place = low.layout.fields[column]
    offset = build.binary("-", key, build.num(place.key_low))
    line = build.num(0) if place.single else build.binary("*", subject, build.num(place.width))
    return place.name, build.binary("+", line, offset), place.type


def _lookup(low: Lowering, env: Env, table: core.Expr, key: core.Expr) -> flat.Expr:
    place = lower(low, env, key)
    if isinstance(table, core.Local):
        column, type_ = env.tables[table.name]
        return flat.Cell(column, place, type_)
    if isinstance(table, core.Field):
        if isinstance(table.type, t.MapType):
            place = bounds.key_inside(place, key.type, table.type.key)
        return flat.Cell(*cell_of(low, table.column, lower(low, env, table.subject), place))
    raise AssertionError("a table is a field or the answers of a secret question")


def holder_of(low: Lowering, env: Env, expr: core.HolderOf) -> flat.Expr:
    """Who holds a thing: the place gives it directly, since places of named zones are counted from
    their holders.
    """
    zone = low.layout.zones[expr.zone]
    where = flat.Cell(zone.held.place_column, lower(low, env, expr.thing))
    shift = build.num(zone.first - zone.base)
    value = build.binary("+", where, shift)
    if isinstance(expr.type, t.RefType) and not expr.type.optional:
        return value
    return build.choose(in_zone(low, env, expr), value, build.NONE)


def in_zone(low: Lowering, env: Env, expr: core.HolderOf) -> flat.Expr:
    """Whether a thing lies in a zone of anybody."""
    zone = low.layout.zones[expr.zone]
    where = flat.Cell(zone.held.place_column, lower(low, env, expr.thing))
    others = [place for place in zone.held.zones if place.zone.back is not None]
    if len(others) == 1:
        return flat.Bin(">=", where, build.num(0))
    last = zone.base + len(zone.zone.holders)
    return build.both(
        flat.Bin(">=", where, build.num(zone.base)), flat.Bin("<", where, build.num(last))
    )


def compare(low: Lowering, env: Env, op: str, left: core.Expr, right: core.Expr) -> flat.Expr:
    """A comparison of numbers, identities or sets."""
    if isinstance(left.type, t.SetType) or isinstance(right.type, t.SetType):
        same = flat.SameSet(sets.lower_set(low, env, left), sets.lower_set(low, env, right))
        return same if op == "is" else build.negate(same)
    for one, other in ((left, right), (right, left)):
        if op in ("is", "is not") and isinstance(one, core.HolderOf):
            found = _compare_holder(low, env, one, other)
            if found is not None:
                return found if op == "is" else build.negate(found)
    if op == "is" and isinstance(left, core.Fold) and isinstance(right, core.Const):
        alike = queries.same_everywhere(low, env, left) if right.value == 1 else None
        if alike is not None:
            return alike
    return build.binary(_COMPARISONS[op], lower(low, env, left), lower(low, env, right))


def _compare_holder(
    low: Lowering, env: Env, holder: core.HolderOf, other: core.Expr
) -> flat.Expr | None:
    if isinstance(other, core.Const):
        if other.value < 0:
            return build.negate(in_zone(low, env, holder))
    elif not isinstance(other.type, t.RefType) or other.type.optional:
        return None
    zone = low.layout.zones[holder.zone]
    place = build.binary("+", lower(low, env, other), build.num(zone.base - zone.first))
    return build.equal(flat.Cell(zone.held.place_column, lower(low, env, holder.thing)), place)


def is_kind(low: Lowering, subject: flat.Expr, type_: t.Type, kind: str) -> flat.Expr:
    """A kind test; kinds whose members lie in a row compare bounds."""
    known = low.program.kinds[kind]
    members = known.members
    optional = isinstance(type_, t.RefType) and type_.optional
    there = flat.Bin(">=", subject, build.num(0)) if optional else build.YES
    if not members:
        return build.NO
    if isinstance(type_, t.RefType):
        static = (
            set(low.program.kinds[type_.kind].members) if type_.kind in low.program.kinds else set()
        )
        if static and static <= set(members):
            return there
        if static and not static & set(members):
            return build.NO
    if isinstance(subject, flat.Num):
        return build.num(int(subject.value in members))
    if members[-1] - members[0] + 1 == len(members):
        if len(members) == 1:
            return build.equal(subject, build.num(members[0]))
        size = low.program.families[known.family].size
        low_end = (
            flat.Bin(">=", subject, build.num(members[0]))
            if members[0] > 0 or optional
            else build.YES
        )
        high_end = (
            flat.Bin("<=", subject, build.num(members[-1])) if members[-1] < size - 1 else build.YES
        )
        return build.both(low_end, high_end)
    return build.both(there, build.has(low.layout.mask(kind), subject))


def _mul_div(low: Lowering, env: Env, expr: core.MulDiv) -> flat.Expr:
    value, times = lower(low, env, expr.value), lower(low, env, expr.times)
    by = build.binary("*", lower(low, env, expr.by), build.num(expr.unit))
    plus: flat.Expr = build.num(0)
    if expr.rounding == "up":
        plus = build.binary("-", by, build.num(1))
    elif expr.rounding == "near":
        plus = build.binary("//", by, build.num(2))
    if _is_wide(expr):
        quotient: flat.Expr = flat.MulDiv(value, times, plus, by)
    else:
        quotient = build.binary("//", build.binary("+", build.binary("*", value, times), plus), by)
    return build.binary("*", quotient, build.num(expr.unit))


def _is_wide(expr: core.MulDiv) -> bool:
    """Whether the product may be more than can be counted, before it is divided."""
    value, times, by = expr.value.type, expr.times.type, expr.by.type
    assert isinstance(value, t.IntType)
    assert isinstance(times, t.IntType)
    assert isinstance(by, t.IntType)
    most = value.high * times.high + by.high * expr.unit
    return min(value.low, times.low) >= 0 and most > t.MOST_COUNTED


def _at_most(low: Lowering, env: Env, value: flat.Expr, top: core.Expr) -> flat.Expr:
    """Whether a value is not above the end of a range. Of a sum of what must be gone through, the
    first part is often enough."""
    inner, whole = plain_value(low, env, top)
    least, rest = whole, False
    while isinstance(least, core.Arith) and least.op == "+" and _is_natural(least.right):
        least, rest = least.left, True
    sure = build.binary("<=", value, lower(low, inner, whole))
    if not rest or not any(isinstance(node, core.Fold) for node in walk(whole)):
        return sure
    return build.either(build.binary("<=", value, lower(low, inner, least)), sure)


def _is_natural(expr: core.Expr) -> bool:
    return isinstance(expr.type, t.IntType) and expr.type.low >= 0


def _contains(low: Lowering, env: Env, item: core.Expr, collection: core.Expr) -> flat.Expr:
    value = lower(low, env, item)
    match collection:
        case core.RangeOf(low=bottom, high=top, step=step):
            base = lower(low, env, bottom)
            inside = build.both(build.binary(">=", value, base), _at_most(low, env, value, top))
            stride = lower(low, env, step)
            if stride == build.YES:
                return inside
            on_step = build.equal(
                build.binary("%", build.binary("-", value, base), stride), build.NO
            )
            return build.both(inside, on_step)
        case core.SeqOf(items=items):
            found: flat.Expr = build.NO
            for one in items:
                found = build.either(found, build.equal(value, lower(low, env, one)))
            return found
        case core.ZoneItems() | core.AllOf() | core.SetOf() | core.SetOp():
            return build.has(sets.lower_set(low, env, collection), value)
        case core.Field(column=column) if low.layout.fields[column].shape == "list":
            return queries.contains_by_search(low, env, item, collection)
        case core.Local() | core.Field() if isinstance(collection.type, t.SeqType):
            return flat.RowHas(lower(low, env, collection), value)
        case _ if isinstance(collection.type, t.SetType):
            condition = sets.as_condition(low, item, collection)
            if condition is not None:
                return lower(low, env, condition)
            return build.has(sets.lower_set(low, env, collection), value)
        case _:
            return queries.contains_by_search(low, env, item, collection)
