"""Transfers: units between purses, things between zones. Nothing else changes who holds what, but
for what is made and dropped (see `pools`).
"""

from __future__ import annotations

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.layout import HeldFamily, ZonePlace
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import bounds, knowledge, ordered, sets
from interpreter.flat.expr.exprs import cell_of, lower, read_field
from interpreter.flat.incremental.reads import became, seat_of, seats_at
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan import faults
from interpreter.flat.plan.keys import key_of
from interpreter.flat.plan.numbering import zone_stream
from interpreter.flat.stmt import places


def write_field(
    low: Lowering, column: str, subject: flat.Expr, value: flat.Expr
) -> list[flat.Stmt]:
    """Sets a field that is not a table."""
    place = low.layout.fields[column]
    match place.shape:
        case "scalar":
            stmts: list[flat.Stmt] = [flat.SetScalar(place.name, value, place.type)]
        case "flags":
            stmts = _write_flag(place.name, place.type, subject, value)
        case "rows":
            raise AssertionError("rows are set item by item")
        case _:
            stmts = [flat.SetCell(place.name, subject, value, place.type)]
    written = wrote(low, column, subject, grew=_was_set(low, column, value))
    return [*stmts, written, *became(low, column, read_field(low, column, subject))]


def _was_set(low: Lowering, column: str, value: flat.Expr) -> bool | None:
    is_flag = isinstance(low.program.columns[column].type, t.FlagType)
    return bool(value.value) if is_flag and isinstance(value, flat.Num) else None


def wrote(
    low: Lowering, column: str, subject: flat.Expr, *, grew: bool | None = None
) -> flat.WriteMarker:
    """The note that a field of an entity was written."""
    single = low.layout.fields[column].single
    seats = None if single else seat_of(low, subject, low.program.columns[column].family)
    return flat.WriteMarker(column, seats, grew, subject=_unwritten(subject))


def _unwritten(subject: flat.Expr) -> flat.Expr | None:
    """An entity that is the same one after a write, None if that is not plain to see."""
    return subject if build.is_atom(subject) else None


def _write_flag(
    name: str, type_: flat.FlatType, subject: flat.Expr, value: flat.Expr
) -> list[flat.Stmt]:
    assert isinstance(type_, flat.Set)
    whole = flat.Scalar(name, type_)
    one = flat.Single(subject, type_.bits)
    setting = flat.SetScalar(name, build.set_or(whole, one), type_)
    clearing = flat.SetScalar(name, flat.SetBin("-", whole, one), type_)
    if isinstance(value, flat.Num):
        return [setting if value.value else clearing]
    return [flat.If(value, (setting,), (clearing,))]


def set_field(low: Lowering, env: Env, stmt: core.SetField) -> list[flat.Stmt]:
    """`SetField`."""
    subject = lower(low, env, stmt.subject)
    column = low.program.columns[stmt.column]
    if stmt.key is not None:
        assert isinstance(column.type, t.MapType)
        key = bounds.key_inside(lower(low, env, stmt.key), stmt.key.type, column.type.key)
        name, index, type_ = cell_of(low, stmt.column, subject, key)
        if isinstance(type_, flat.Set):
            members = sets.lower_set(low, env, stmt.value)
            return [flat.SetCell(name, index, members, type_), wrote(low, stmt.column, subject)]
        value = lower(low, env, stmt.value)
        tests, value = bounds.tested(low, stmt.column, value, stmt.value.type, column.type.value)
        return [*tests, flat.SetCell(name, index, value, type_), wrote(low, stmt.column, subject)]
    if isinstance(column.type, t.SeqType):
        local = low.temp("row")
        target = lower(low, env, core.Field(column.type, stmt.span, stmt.column, stmt.subject))
        item = low.temp("item")
        source = flat.Var(local, flat.Row(column.type.bound))
        return [
            *ordered.row_into(low, env, stmt.value, local),
            *bounds.not_too_long(low, stmt.column, source, column.type.bound),
            flat.RowClear(target),
            flat.ForRow(item, source, (flat.RowPush(target, flat.Var(item)),)),
            wrote(low, stmt.column, subject),
        ]
    if isinstance(column.type, t.SetType):
        return write_field(low, stmt.column, subject, sets.lower_set(low, env, stmt.value))
    value = lower(low, env, stmt.value)
    tests, value = bounds.tested(low, stmt.column, value, stmt.value.type, column.type)
    return [*tests, *write_field(low, stmt.column, subject, value)]


# ---------------------------------------------------------------- units


def move_units(low: Lowering, env: Env, stmt: core.MoveUnits) -> list[flat.Stmt]:
    """`MoveUnits`: a purse can't go below zero; where the checker has no proof, the game ends with
    a named fault.
    """
    stmts: list[flat.Stmt] = []
    amount = atom(low, lower(low, env, stmt.amount), stmts)
    giver = atom(low, lower(low, env, stmt.from_subject), stmts)
    taker = atom(low, lower(low, env, stmt.to_subject), stmts)
    purse = low.program.columns[stmt.from_column]
    if not stmt.guarded and not _endless(purse, giver):
        held = read_field(low, stmt.from_column, giver)
        short: flat.Expr = flat.Bin("<", held, amount)
        if _low_end(stmt.amount.type) < 0:
            short = flat.Or(short, flat.Bin("<", amount, build.num(0)))
        for one in purse.endless:
            short = build.both(flat.Bin("!=", giver, build.num(one)), short)
        stmts.append(flat.If(short, low.fault(faults.short(stmt.from_column))))
    stmts += _add(low, stmt.from_column, giver, build.binary("-", build.num(0), amount))
    stmts += _add(low, stmt.to_column, taker, amount)
    stmts += bounds.not_too_full(low, stmt.to_column, read_field(low, stmt.to_column, taker), taker)
    stmts += [
        wrote(low, stmt.from_column, giver, grew=False),
        wrote(low, stmt.to_column, taker, grew=True),
    ]
    return stmts


def _low_end(type_: t.Type) -> int:
    return type_.low if isinstance(type_, t.IntType) else 0


def _endless(column: core.Column, subject: flat.Expr) -> bool:
    return isinstance(subject, flat.Num) and subject.value in column.endless


def _add(low: Lowering, column: str, subject: flat.Expr, amount: flat.Expr) -> list[flat.Stmt]:
    place = low.layout.fields[column]
    if _endless(low.program.columns[column], subject):
        return []
    if place.shape == "scalar":
        return [flat.SetScalar(place.name, build.binary("+", flat.Scalar(place.name), amount))]
    return [flat.AddCell(place.name, subject, amount)]


def atom(low: Lowering, expr: flat.Expr, stmts: list[flat.Stmt]) -> flat.Expr:
    """A value as a number or local, which `stmts` sets where it is neither."""
    if isinstance(expr, (flat.Num, flat.Var)):
        return expr
    name = low.temp()
    stmts.append(flat.SetVar(name, expr))
    return flat.Var(name)


# ---------------------------------------------------------------- things


def move_things(
    low: Lowering, env: Env, stmt: core.MoveThings, *, is_new: bool = False
) -> list[flat.Stmt]:
    """`MoveThings`: one by one; a row put on top keeps its order, its first ends on top. `is_new`:
    it is a thing that was made right before."""
    zone = low.layout.zones[stmt.zone]
    stmts: list[flat.Stmt] = []
    place = atom(low, zone.place(lower(low, env, stmt.holder)), stmts)
    type_ = stmt.things.type
    if isinstance(type_, t.RefType):
        thing = lower(low, env, stmt.things)
        return [*stmts, *put(low, zone, thing, place, stmt.under, is_new=is_new)]
    name = low.temp("thing")
    body = tuple(put(low, zone, flat.Var(name), place, stmt.under))
    if isinstance(type_, t.SetType):
        return [*stmts, flat.ForSet(name, sets.lower_set(low, env, stmt.things), body)]
    row = low.temp("row")
    assert isinstance(type_, t.SeqType)
    stmts += ordered.row_into(low, env, stmt.things, row)
    source = flat.Var(row, flat.Row(type_.bound))
    if stmt.under or not zone.zone.ordered:
        return [*stmts, flat.ForRow(name, source, body)]
    at = low.temp("at")
    last = build.binary("-", flat.RowCount(source), build.num(1))
    position = build.binary("-", last, flat.Var(at))
    take = flat.SetVar(name, flat.RowItem(source, position))
    return [*stmts, flat.ForRange(at, build.num(0), last, build.num(1), (take, *body))]


def put(
    low: Lowering,
    zone: ZonePlace,
    thing: flat.Expr,
    place: flat.Expr,
    under: bool,
    *,
    is_new: bool = False,
) -> list[flat.Stmt]:
    """Moves one thing to a place; a new one comes from nowhere."""
    held = zone.held
    name = put_function(low, held, is_new=is_new and not held.keeps_nowhere)
    args = (thing, place, build.num(int(under))) if has_order(held) else (thing, place)
    stmts: list[flat.Stmt] = [flat.Do(flat.Call(name, args))]
    if zone.zone.seen_by != "everyone":
        stmts += knowledge.forget(low, held.family, thing)
    return stmts


def has_order(held: HeldFamily) -> bool:
    """Whether the things lie in rows somewhere."""
    return any(zone.rows for zone in held.zones)


def put_function(low: Lowering, held: HeldFamily, *, is_new: bool = False) -> str:
    """The function that moves one thing of a family: keeps its place, the sets of all places and
    the rows. `is_new`: it comes from nowhere, of which no set is kept.
    """
    name = f"add_{held.put[4:]}" if is_new else held.put
    if name in low.out.functions:
        return name
    params: list[tuple[str, flat.FlatType]] = [("thing", flat.INT), ("to", flat.INT)]
    if has_order(held):
        params.append(("under", flat.INT))
    low.add(name, tuple(params), (), None, f"moves one of {held.family}")
    thing, source, target = flat.Var("thing"), flat.Var("source"), flat.Var("to")
    came_from = build.NONE if is_new else flat.Cell(held.place_column, thing)
    body: list[flat.Stmt] = [flat.SetVar("source", came_from)]
    for zone in held.zones:
        if zone.rows:
            row = flat.RowAt(zone.rows, _row_index(zone, source), held.bits)
            body.append(flat.If(zone.has(source), (flat.RowRemove(row, thing),)))
    body += [] if is_new else [unlink(held, thing, source)]
    body += _link(held, thing, target)
    for zone in held.zones:
        if zone.rows:
            row = flat.RowAt(zone.rows, _row_index(zone, target), held.bits)
            push = flat.If(
                flat.Var("under"),
                (flat.RowPush(row, thing),),
                (flat.RowPush(row, thing, top=True),),
            )
            body.append(flat.If(zone.has(target), (push,)))
    body += bounds.not_too_many(low, held, target)
    body += places.after_move(low, held, (thing,), (source, target))
    left, seats = seats_at(low, held, source), seats_at(low, held, target)
    body.append(flat.WriteMarker(f"held:{held.family}", seats, left=left, thing=thing))
    low.out.functions[name].body = tuple(body)
    return name


def _link(held: HeldFamily, thing: flat.Expr, target: flat.Expr) -> list[flat.Stmt]:
    members = flat.Set(held.bits)
    at_target = build.binary("+", target, build.num(held.offset))
    there = flat.Cell(held.sets, at_target, members)
    come = flat.SetBin("|", there, flat.Single(thing, held.bits))
    return [
        flat.SetCell(held.sets, at_target, come, members),
        flat.SetCell(held.place_column, thing, target),
    ]


def unlink(held: HeldFamily, thing: flat.Expr, source: flat.Expr) -> flat.Stmt:
    """Takes a thing out of the set of what lies at a place."""
    members = flat.Set(held.bits)
    at_source = build.binary("+", source, build.num(held.offset))
    here = flat.Cell(held.sets, at_source, members)
    rest = flat.SetBin("-", here, flat.Single(thing, held.bits))
    return flat.SetCell(held.sets, at_source, rest, members)


def _row_index(zone: ZonePlace, place: flat.Expr) -> flat.Expr:
    if len(zone.zone.holders) == 1:
        return build.num(0)
    if zone.step == 1:
        return build.binary("-", place, build.num(zone.base))
    return build.binary("-", build.num(zone.base), place)


def exchange(low: Lowering, env: Env, stmt: core.Exchange) -> list[flat.Stmt]:
    """`Exchange`: two purses change contents, or two things change places."""
    left, right = stmt.left, stmt.right
    if isinstance(left, core.Field) and isinstance(right, core.Field):
        stmts: list[flat.Stmt] = []
        one = atom(low, lower(low, env, left.subject), stmts)
        two = atom(low, lower(low, env, right.subject), stmts)
        first, second = low.temp(), low.temp()
        stmts += [
            flat.SetVar(first, lower(low, env, left)),
            flat.SetVar(second, lower(low, env, right)),
        ]
        for field, subject, found, other in (
            (left, one, second, right),
            (right, two, first, left),
        ):
            declared = low.program.columns[field.column].type
            tests, value = bounds.tested(low, field.column, flat.Var(found), other.type, declared)
            stmts += [*tests, *write_field(low, field.column, subject, value)]
            if low.program.columns[field.column].most:
                stmts += bounds.not_too_full(low, field.column, value, subject)
        return stmts
    assert isinstance(left.type, t.RefType)
    held = low.layout.held[low.program.kinds[left.type.kind].family]
    name = _exchange_function(low, held)
    return [flat.Do(flat.Call(name, (lower(low, env, left), lower(low, env, right))))]


def _exchange_function(low: Lowering, held: HeldFamily) -> str:
    name = f"swap_{held.put[4:]}"
    if name in low.out.functions:
        return name
    low.add(
        name,
        (("one", flat.INT), ("two", flat.INT)),
        (),
        None,
        f"two of {held.family} change places",
    )
    one, two, here, there = (flat.Var(word) for word in ("one", "two", "here", "there"))
    body: list[flat.Stmt] = [
        flat.SetVar("here", flat.Cell(held.place_column, one)),
        flat.SetVar("there", flat.Cell(held.place_column, two)),
    ]
    body += [*bounds.not_alien(low, held, one, there), *bounds.not_alien(low, held, two, here)]
    for zone in held.zones:
        if zone.rows:
            body += _find_in_row(zone, held, here, one, "one_at")
            body += _find_in_row(zone, held, there, two, "two_at")
    for zone in held.zones:
        if zone.rows:
            for place, at, item in ((here, "one_at", two), (there, "two_at", one)):
                row = flat.RowAt(zone.rows, _row_index(zone, place), held.bits)
                body.append(flat.If(zone.has(place), (flat.RowSet(row, flat.Var(at), item),)))
    for thing, source, target in ((one, here, there), (two, there, here)):
        body += [unlink(held, thing, source), *_link(held, thing, target)]
    body += places.after_move(low, held, (one, two), (here, there))
    body += [*_forget_at(low, held, one, there), *_forget_at(low, held, two, here)]
    both = build.set_or(seats_at(low, held, here), seats_at(low, held, there))
    body.append(flat.WriteMarker(f"held:{held.family}", both, left=both))
    low.out.functions[name].body = tuple(body)
    return name


def _forget_at(
    low: Lowering, held: HeldFamily, thing: flat.Expr, place: flat.Expr
) -> list[flat.Stmt]:
    """What was known of a thing is forgotten if it has come to a place that some can't see."""
    known = knowledge.columns_of(low, held.family)
    if not known:
        return []
    table = f"hidden_at_{held.put[4:]}"
    if table not in low.out.tables:
        cells = [0] * held.size
        for zone in held.zones:
            for position in range(len(zone.zone.holders)):
                at = zone.base + zone.step * position + held.offset
                cells[at] = int(zone.zone.seen_by != "everyone")
        low.out.tables[table] = flat.Table(table, flat.INT, tuple(cells))
    is_hidden = flat.Cell(table, build.binary("+", place, build.num(held.offset)))
    stmts: list[flat.Stmt] = [
        flat.If(is_hidden, tuple(flat.SetCell(name, thing, build.num(0)) for name in known))
    ]
    return [*stmts, *(flat.WriteMarker(field, None) for field in known.values())]


def _find_in_row(
    zone: ZonePlace, held: HeldFamily, place: flat.Expr, item: flat.Expr, at: str
) -> list[flat.Stmt]:
    assert zone.rows is not None
    row = flat.RowAt(zone.rows, _row_index(zone, place), held.bits)
    n = f"{at}_n"
    found = flat.If(
        build.equal(flat.RowItem(row, flat.Var(n)), item), (flat.SetVar(at, flat.Var(n)),)
    )
    last = build.binary("-", flat.RowCount(row), build.num(1))
    search = flat.ForRange(n, build.num(0), last, build.num(1), (found,))
    return [flat.SetVar(at, build.num(0)), flat.If(zone.has(place), (search,))]


def shuffle(low: Lowering, env: Env, stmt: core.Shuffle) -> list[flat.Stmt]:
    """`Shuffle`: a zone's row, with the zone's own stream; what was known of its things is
    forgotten.
    """
    zone = low.layout.zones[stmt.zone]
    holder = lower(low, env, stmt.holder)
    row = zone.row(holder)
    keys = _keys(low, zone.held)
    stmts: list[flat.Stmt] = [flat.RowShuffle(row, low.stream(zone_stream(stmt.zone)), keys)]
    stmts += places.after_shuffle(low, zone, row, holder)
    if zone.zone.seen_by != "everyone":
        for known, field in knowledge.columns_of(low, zone.held.family).items():
            item = low.temp("item")
            stmts.append(
                flat.ForRow(item, row, (flat.SetCell(known, flat.Var(item), build.num(0)),))
            )
            stmts.append(flat.WriteMarker(field, None))
    return stmts


# ---------------------------------------------------------------- pools


def _keys(low: Lowering, held: HeldFamily) -> str:
    """The table of the keys by which the things of a family are shuffled."""
    table = f"keys_of_{held.put[4:]}"
    if table not in low.out.tables:
        cells = tuple(key_of(name) for name in low.program.families[held.family].ids)
        low.out.tables[table] = flat.Table(table, flat.Set(64), cells)
    return table
