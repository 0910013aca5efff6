"""Derived values that are kept up to date with every write: materialised views, maintained step by
step. Which ones are is planned (see `choosing`).

When a thing comes or goes, of a collection only the element that it decides about is looked at
again. A number of an entity is worked out again when one of its fields is written.

Who reads a maintained collection waits for a change of it, not for every change of what it is
derived from.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.incremental.reads import maintained_key
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.keeping import KeptReads, Maintained, Remembered


@dataclass(frozen=True, slots=True)
class ViewUpdate:
    """What follows a write of `source`: the functions that look again at one element of one seat
    and at all elements of one. `elements` is the table that its `views` have in common."""

    source: str
    elements: str
    views: tuple[Maintained, ...]
    name: str
    whole: str


def maintained_value(low: Lowering, define: str, args: list[flat.Expr]) -> flat.Expr | None:
    """The maintained value of a define, if there is one."""
    found = low.keeping.maintained.get(define)
    if found is None:
        return None
    low.own(KeptReads).defines.add(define)
    return flat.Cell(found.column, args[0], found.type)


# ---------------------------------------------------------------- writes


def after_write(low: Lowering, upkeep: Upkeep, stmt: flat.WriteMarker) -> list[flat.Stmt]:
    """What a write changes of maintained values."""
    stmts: list[flat.Stmt] = []
    for found in upkeep.maintained:
        if found.elements is None and stmt.key in found.sources:
            stmts += _work_out(low, found, stmt.subject)
    for refresher in upkeep.refreshers:
        if refresher.source == stmt.key:
            stmts += _look_again(low, refresher, stmt)
    return stmts


def _work_out(low: Lowering, found: Maintained, subject: flat.Expr | None) -> list[flat.Stmt]:
    """Works a number out again: of the entity whose field was written, None for all of them."""
    if subject is None:
        entity = low.temp("entity")
        mask = sum(1 << member for member in found.members)
        family = low.program.families[found.family]
        every = flat.Bits(mask, family.size)
        return [flat.ForSet(entity, every, tuple(_work_out(low, found, flat.Var(entity))))]
    value = low.expr(Env({found.subject: subject}), found.value)
    return [flat.SetCell(found.column, subject, value, found.type)]


def _look_again(low: Lowering, refresher: ViewUpdate, stmt: flat.WriteMarker) -> list[flat.Stmt]:
    """Looks at the element that a thing which came or went decides about; at all elements of the
    seats of a write where that is not known."""
    thing = stmt.subject if stmt.thing is None else stmt.thing
    if thing is None:
        assert stmt.concerned is not None
        seat = low.temp("holder")
        call = flat.Do(flat.Call(refresher.whole, (flat.Var(seat),)))
        return [flat.ForSet(seat, stmt.concerned, (call,))]
    element = low.temp("element")
    calls: list[flat.Stmt] = []
    for seats in (stmt.left, stmt.seats):
        if seats is None:
            continue
        assert isinstance(seats, flat.Cell)
        holder = low.temp("holder")
        args = (flat.Var(holder), flat.Var(element))
        look = flat.Do(flat.Call(refresher.name, args))
        there = flat.Bin(">=", flat.Var(holder), build.NO)
        calls += [flat.SetVar(holder, _holder(low, seats)), flat.If(there, (look,))]
    decides = flat.Bin(">=", flat.Var(element), build.NO)
    return [
        flat.SetVar(element, flat.Cell(refresher.elements, thing)),
        flat.If(decides, tuple(calls)),
    ]


def _holder(low: Lowering, seats: flat.Cell) -> flat.Expr:
    """The one seat that a place belongs to, -1 for none; `seats`: as a cell of a table of sets."""
    table = f"{seats.column}_alone"
    if table not in low.out.tables:
        cells = low.out.tables[seats.column].values
        numbers = tuple([cell.bit_length() - 1 for cell in cells])
        low.out.tables[table] = flat.Table(table, flat.INT, numbers)
    return flat.Cell(table, seats.index)


# ---------------------------------------------------------------- what is in use


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What of the plan a program reads or waits for, and what keeps it up to date."""

    maintained: tuple[Maintained, ...]
    remembered: tuple[Remembered, ...]
    refreshers: tuple[ViewUpdate, ...]


def upkeep_of(low: Lowering, waited_for: set[str]) -> Upkeep:
    """Declares what is in use, with its functions: everything that may read kept values has been
    lowered. `waited_for`: the keys of all changes for which somebody waits."""
    plan = low.keeping
    used: dict[str, list[flat.Stmt]] = {}
    keys = set(waited_for)
    while True:
        waited = {name for name in plan.maintained if maintained_key(name) in keys}
        fresh = sorted((low.own(KeptReads).defines | waited) - set(used))
        if not fresh:
            break
        for name in fresh:
            if name in plan.maintained:
                used[name] = _worked_out(low, plan.maintained[name])
            else:
                used[name] = []
                keys |= {key for key, _ in plan.remembered[name].reads}
    maintained = tuple(one for name, one in plan.maintained.items() if name in used)
    remembered = tuple(one for name, one in plan.remembered.items() if name in used)
    for one in maintained:
        cells = (0,) * low.program.families[one.family].size
        low.out.columns[one.column] = flat.ColumnDecl(one.column, one.type, cells, "scratch")
    for memo in remembered:
        _declare_remembered(low, memo)
    refreshers = _refreshers(low, maintained)
    if maintained:
        body = [stmt for one in maintained for stmt in used[one.define]]
        low.add(flat.REFRESH, (), tuple(body), None, "what is maintained, worked out")
    return Upkeep(maintained, remembered, refreshers)


def _worked_out(low: Lowering, found: Maintained) -> list[flat.Stmt]:
    """Works a maintained value out for all who have it."""
    if found.elements is None:
        return _work_out(low, found, None)
    seat = low.temp("seat")
    value = low.set_(Env({found.subject: flat.Var(seat)}), found.value)
    seats = flat.Bits((1 << low.program.players) - 1, low.program.players)
    keep = flat.SetCell(found.column, flat.Var(seat), value, found.type)
    return [flat.ForSet(seat, seats, (keep,))]


def _declare_remembered(low: Lowering, memo: Remembered) -> None:
    """The column of the sets, and that of the entities whose set is not known: all at first."""
    everyone = flat.Set(memo.size)
    low.out.columns[memo.column] = flat.ColumnDecl(
        memo.column, memo.type, (0,) * memo.size, "scratch"
    )
    low.out.scalars[memo.stale] = flat.ScalarDecl(
        memo.stale, everyone, (1 << memo.size) - 1, "scratch"
    )


def _refreshers(low: Lowering, maintained: tuple[Maintained, ...]) -> tuple[ViewUpdate, ...]:
    """The functions that look again at elements: one for what changes with the same writes and the
    same things."""
    views: dict[tuple[str, str], list[Maintained]] = {}
    for found in maintained:
        if found.elements is None:
            continue
        held = next(key for key in sorted(found.sources) if key.startswith("held:"))
        base = f"element_of_{low.safe(held.partition(':')[2])}"
        elements = low.table(base, flat.INT, found.elements)
        for source in sorted(found.sources):
            views.setdefault((source, elements), []).append(found)
    made = [
        ViewUpdate(source, elements, tuple(found), f"look_at_{number}", f"look_at_all_{number}")
        for number, ((source, elements), found) in enumerate(views.items(), 1)
    ]
    for refresher in made:
        _add_refresher(low, refresher)
    return tuple(made)


def _add_refresher(low: Lowering, refresher: ViewUpdate) -> None:
    holder, element = flat.Var("holder"), flat.Var("element")
    body: list[flat.Stmt] = []
    for found in refresher.views:
        body += _element(low, found, holder, element)
    params = (("holder", flat.INT), ("element", flat.INT))
    low.add(refresher.name, params, tuple(body), None, "what a thing decides about")
    kept = refresher.views[0].type
    assert isinstance(kept, flat.Set)
    values = low.out.tables[refresher.elements].values
    elements = flat.Bits(sum({1 << value for value in values if value >= 0}), kept.bits)
    call = flat.Do(flat.Call(refresher.name, (holder, element)))
    loop = flat.ForSet("element", elements, (call,))
    low.add(refresher.whole, params[:1], (loop,), None, "all that things decide about")


def _element(
    low: Lowering, found: Maintained, holder: flat.Expr, element: flat.Expr
) -> list[flat.Stmt]:
    """Puts an element into a collection or takes it away, as its condition says now."""
    assert isinstance(found.type, flat.Set)
    assert found.where is not None
    assert found.where.where is not None
    kept = flat.Cell(found.column, holder, found.type)
    one = flat.Single(element, found.type.bits)
    env = Env({found.subject: holder, found.where.variable: element})
    seat = flat.Single(holder, low.program.players)
    is_in = flat.Has(kept, element)
    come = flat.SetCell(found.column, holder, build.set_or(kept, one), found.type)
    go = flat.SetCell(found.column, holder, flat.SetBin("-", kept, one), found.type)
    key = maintained_key(found.define)
    return [
        flat.If(
            low.expr(env, found.where.where),
            (flat.If(build.negate(is_in), (come, flat.WriteMarker(key, seat, grew=True))),),
            (flat.If(is_in, (go, flat.WriteMarker(key, seat, grew=False))),),
        )
    ]
