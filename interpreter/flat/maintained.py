"""Derived values that are kept up to date with every write: materialised views, maintained step by
step.

Two kinds of them. A collection derived from a seat whose condition looks at nothing but what the
seat holds, where each thing decides about one element at most: when a thing comes or goes, only
that element is looked at again. Flags of things count too, where the seat has to hold those things.
And a number of an entity that is worked out of its own fields: worked out again when one of those
is written.

Who reads a maintained collection waits for a change of it, not for every change of what it is
derived from.
"""

from __future__ import annotations

from dataclasses import dataclass

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat import build
from interpreter.flat import nodes as flat
from interpreter.flat.context import Env, Lowering
from interpreter.flat.reads import Mine, Wrote, maintained_key, reads_of
from interpreter.flat.simplify import simplified
from interpreter.flat.substitute import substitute
from interpreter.flat.tree import parts_of

HELD = "held:"
LARGEST = 64  # entities of a family whose numbers are maintained
FEWEST = 2  # a number worked out of fewer fields is as well worked out where it is read


@dataclass(slots=True)
class Maintained:
    """A maintained derived value of the entities `members`, in a column.

    `sources`: the keys of the writes that it changes with. Of a collection: `elements` is the table
    of the element that each thing decides about, -1 for none, and `where` the condition.
    """

    define: str
    column: str
    type: flat.FlatType
    subject: str
    kind: str
    members: tuple[int, ...]
    value: core.Expr
    sources: frozenset[str]
    elements: str | None = None
    where: core.Generator | None = None


@dataclass(slots=True)
class Refresher:
    """What follows a write of `source`: the functions that look again at one element of one seat
    and at all elements of one. `elements` is the table that its `views` have in common."""

    source: str
    elements: str
    views: list[Maintained]
    name: str = ""
    whole: str = ""


def maintained(low: Lowering, define: str) -> Maintained | None:
    """What is maintained of a define, if it is; whoever asks reads it."""
    if define not in low.maintained:
        low.maintained[define] = None
        low.maintained[define] = _maintain(low, define)
    found: Maintained | None = low.maintained[define]
    return found


def is_collection(low: Lowering, define: str) -> bool:
    """Whether a define is a maintained collection."""
    found = maintained(low, define)
    return found is not None and found.elements is not None


def own_sources(low: Lowering, define: str) -> frozenset[str] | None:
    """The fields that a number of an entity is worked out of, where all of them are its own."""
    maintained(low, define)
    return low.own_sources.get(define)


def maintained_value(low: Lowering, define: str, args: list[flat.Expr]) -> flat.Expr | None:
    """The maintained value of a define, if there is one."""
    found = maintained(low, define)
    return None if found is None else flat.Cell(found.column, args[0], found.type)


def _maintain(low: Lowering, define: str) -> Maintained | None:
    known = low.program.defines[define]
    (variant, *others) = known.variants
    if others or variant.lets or variant.buts or len(variant.params) != 1:
        return None
    ((name, subject),) = variant.params
    if not isinstance(subject, t.RefType) or subject.optional:
        return None
    kind = low.program.kinds[subject.kind]
    family = low.program.families[kind.family]
    if family.pool or family.size > LARGEST or not kind.members:
        return None
    if isinstance(known.type, t.SetType):
        found = _collection(low, define, variant.base, name, subject)
    elif isinstance(known.type, (t.IntType, t.FlagType)):
        found = _number(low, define, variant.base, name, subject)
    else:
        return None
    if found is not None:
        low.out.columns[found.column] = flat.ColumnDecl(
            found.column, found.type, (0,) * family.size, "scratch"
        )
    return found


# ---------------------------------------------------------------- what can be maintained


def _collection(
    low: Lowering, define: str, value: core.Expr, name: str, subject: t.RefType
) -> Maintained | None:
    kind = low.program.kinds[subject.kind]
    if kind.members != tuple(range(low.program.players)) or kind.name != low.program.player_kind:
        return None
    match value:
        case core.Fold(kind="set", generators=(generator,), value=core.Local(name=item)):
            if item != generator.variable or not isinstance(generator.source, core.AllOf):
                return None
        case _:
            return None
    reads = reads_of(low, value, Mine(frozenset({name})))
    keys = {read.key for read in reads}
    families = {key[len(HELD) :] for key in keys if key.startswith(HELD)}
    if len(families) != 1 or generator.where is None:
        return None
    (family,) = families
    for read in reads:
        if not (read.own if read.key.startswith(HELD) else _is_flag_of(low, read.key, family)):
            return None
    elements = _elements(low, family, generator, name, subject)
    if elements is None:
        return None
    assert isinstance(value.type, t.SetType)
    bits = flat.Set(low.layout.bits(value.type.kind))
    tag = low.safe(define)
    return Maintained(
        define, f"kept_{tag}", bits, name, kind.name, kind.members, value, frozenset(keys),
        elements, generator,
    )  # fmt: skip


def _is_flag_of(low: Lowering, key: str, family: str) -> bool:
    column = low.program.columns.get(key)
    if column is None or column.family != family:
        return False
    return low.layout.fields[key].shape == "flags"


def _elements(
    low: Lowering, family: str, generator: core.Generator, name: str, subject: t.RefType
) -> str | None:
    """The table of the one element that each thing decides about; None if things decide about more,
    or about who knows which."""
    assert isinstance(generator.source, core.AllOf)
    elements = low.program.kinds[generator.source.kind]
    if low.program.families[elements.family].pool:
        return None
    held = low.layout.held[family]
    cells = [-1] * held.bits
    param = flat.Var(*low.param(name, subject))
    for element in elements.members:
        constant = core.Const(generator.variable_type, generator.source.span, element)
        assert generator.where is not None
        condition = substitute(generator.where, {generator.variable: constant})
        test = low.expr(Env({name: param}), condition)
        things, flagged = _things(low, test, held.sets), _things(low, test, held.sets, flags=True)
        if things is None or flagged is None or flagged & ~_needed(test, held.sets):
            return None
        for thing in range(held.bits):
            if things >> thing & 1:
                if cells[thing] not in (-1, element):
                    return None
                cells[thing] = element
    return low.table(f"element_of_{low.safe(family)}", flat.INT, tuple(cells))


def _needed(condition: flat.Expr, sets: str) -> int:
    """The things without which a condition does not hold, as bits."""
    match condition:
        case flat.And(left=left, right=right):
            return _needed(left, sets) | _needed(right, sets)
        case flat.Within(left=flat.Bits(value=mask), right=flat.Cell(column=column)):
            return mask if column == sets else 0
        case flat.Choose(then=flat.Num(value=0), other=other):
            return _needed(other, sets)
        case _:
            return 0


def _things(low: Lowering, condition: flat.Expr, sets: str, *, flags: bool = False) -> int | None:
    """The things that a condition depends on, as bits, or with `flags` only those by their flags;
    None if that is not plain to see. It may look at the sets of what is held and of what has a
    flag, through a mask, and at nothing else of the state."""
    match condition:
        case (
            flat.SetBin(op="&" | "-", left=flat.Bits(value=mask), right=flat.Scalar())
            | flat.SetBin(op="&", left=flat.Scalar(), right=flat.Bits(value=mask))
            | flat.Within(left=flat.Bits(value=mask), right=flat.Scalar())
        ):
            return mask
        case (
            flat.SetBin(op="&" | "-", left=flat.Bits(value=mask), right=flat.Cell(column=column))
            | flat.SetBin(op="&", left=flat.Cell(column=column), right=flat.Bits(value=mask))
            | flat.Within(left=flat.Bits(value=mask), right=flat.Cell(column=column))
        ) if column == sets:
            return 0 if flags else mask
        case flat.Num() | flat.Bits():
            return 0
        case flat.Cell(column=table, index=index) if table in low.out.tables:
            return _things(low, index, sets, flags=flags)
        case flat.Bin() | flat.And() | flat.Or() | flat.Not() | flat.Choose():
            found = 0
            for part in parts_of(condition):
                things = _things(low, getattr(condition, part), sets, flags=flags)
                if things is None:
                    return None
                found |= things
            return found
        case flat.Count(set=inner) | flat.IsEmpty(set=inner):
            return _things(low, inner, sets, flags=flags)
        case _:
            return None


def _number(
    low: Lowering, define: str, value: core.Expr, name: str, subject: t.RefType
) -> Maintained | None:
    kind = low.program.kinds[subject.kind]
    if kind.family == low.program.kinds[low.program.player_kind].family:
        return None
    keys = {read.key for read in reads_of(low, value)}
    if not keys or any(key not in low.program.columns for key in keys):
        return None
    if any(low.program.columns[key].family != kind.family for key in keys):
        return None
    if any(low.layout.fields[key].single for key in keys):
        return None
    param = flat.Var(*low.param(name, subject))
    reads = _own_reads(low, simplified(low.expr(Env({name: param}), value)), param)
    if reads is None:
        return None
    sources = frozenset(key for key in keys if low.layout.fields[key].name in reads)
    low.own_sources[define] = sources
    if len(reads) < FEWEST:
        return None
    column = f"kept_{low.safe(define)}"
    return Maintained(define, column, flat.INT, name, kind.name, kind.members, value, sources)


def _own_reads(low: Lowering, value: flat.Expr, param: flat.Expr) -> list[str] | None:
    """The columns of the state that a value reads, if those are always fields of one entity."""
    match value:
        case flat.Num():
            return []
        case flat.Cell(column=column, index=index):
            is_data = column in low.out.tables
            return None if index != param else [] if is_data else [column]
        case flat.Has(set=flat.Scalar(name=column), index=index):
            return [column] if index == param else None
        case flat.Bin() | flat.And() | flat.Or() | flat.Not() | flat.Choose():
            reads: list[str] = []
            for part in parts_of(value):
                found = _own_reads(low, getattr(value, part), param)
                if found is None:
                    return None
                reads += found
            return reads
        case _:
            return None


# ---------------------------------------------------------------- writes


def after_write(low: Lowering, stmt: Wrote) -> list[flat.Stmt]:
    """What a write changes of maintained values."""
    stmts: list[flat.Stmt] = []
    for found in low.maintained.values():
        if found is not None and found.elements is None and stmt.key in found.sources:
            stmts += _work_out(low, found, stmt.subject)
    for refresher in low.refreshers:
        if refresher.source == stmt.key:
            stmts += _look_again(low, refresher, stmt)
    return stmts


def _work_out(low: Lowering, found: Maintained, subject: flat.Expr | None) -> list[flat.Stmt]:
    """Works a number out again: of the entity whose field was written, None for all of them."""
    if subject is None:
        entity = low.temp("entity")
        mask = sum(1 << member for member in found.members)
        family = low.program.families[low.program.kinds[found.kind].family]
        every = flat.Bits(mask, family.size)
        return [flat.ForSet(entity, every, tuple(_work_out(low, found, flat.Var(entity))))]
    value = low.expr(Env({found.subject: subject}), found.value)
    return [flat.SetCell(found.column, subject, value, found.type)]


def _look_again(low: Lowering, refresher: Refresher, stmt: Wrote) -> list[flat.Stmt]:
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


# ---------------------------------------------------------------- functions


def add_functions(low: Lowering) -> None:
    """The functions that look again at elements of what is maintained, and the one that works out
    everything anew; before writes are settled."""
    every = [found for found in low.maintained.values() if found is not None]
    for found in every:
        for source in sorted(found.sources):
            if found.elements is not None:
                _refresher(low, source, found.elements).views.append(found)
    for number, refresher in enumerate(low.refreshers, 1):
        _add_refresher(low, refresher, number)
    if every:
        low.add(
            flat.REFRESH, (), tuple(_refresh(low, every)), None, "what is maintained, worked out"
        )


def _refresher(low: Lowering, source: str, elements: str) -> Refresher:
    for known in low.refreshers:
        if (known.source, known.elements) == (source, elements):
            found: Refresher = known
            return found
    made = Refresher(source, elements, [])
    low.refreshers.append(made)
    return made


def _add_refresher(low: Lowering, refresher: Refresher, number: int) -> None:
    refresher.name, refresher.whole = f"look_at_{number}", f"look_at_all_{number}"
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
            (flat.If(build.negate(is_in), (come, Wrote(key, seat, grew=True))),),
            (flat.If(is_in, (go, Wrote(key, seat, grew=False))),),
        )
    ]


def _refresh(low: Lowering, every: list[Maintained]) -> list[flat.Stmt]:
    stmts: list[flat.Stmt] = []
    for found in every:
        if found.elements is None:
            stmts += _work_out(low, found, None)
            continue
        seat = low.temp("seat")
        value = low.set_(Env({found.subject: flat.Var(seat)}), found.value)
        seats = flat.Bits((1 << low.program.players) - 1, low.program.players)
        stmts.append(
            flat.ForSet(
                seat, seats, (flat.SetCell(found.column, flat.Var(seat), value, found.type),)
            )
        )
    return stmts
