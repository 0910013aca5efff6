"""What an expression reads and what a statement wrote: the seats to wake and the watches to test
after a write.

Read sets are computed, never written by hand. A *key* is the name of a core column, `held:FAMILY`
for where the things of a family lie, `live:FAMILY` for which entities of a pool are in use,
`is:COLUMN` for whether the seat is who a field names, or `kept:DEFINE` for what is maintained.

A read has a *sign*: of `each one in me.things where not one.broken` there is more only when a thing
comes, or one that was broken is not any more. Who waits for an answer to become possible is not
woken by what can only make it impossible.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.layout import HeldFamily
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.core_tree import children, uses_usual

MORE, ANY, LESS = 1, 0, -1
BEING = "is:"


def maintained_key(define: str) -> str:
    """The key of the changes of a maintained collection (see `maintained`)."""
    return f"kept:{define}"


@dataclass(frozen=True, slots=True)
class Read:
    """`own`: only the part that belongs to the seat that answers is read.

    `sign`: whether only more of it can make what is read true or greater, only less, or any change.
    `where`: a flag of the things that come, and whether it must be set.
    """

    key: str
    own: bool
    sign: int = ANY
    where: tuple[str, bool] | None = None

    def heeds(self, *, grew: bool | None) -> bool:
        """Whether a change of this direction, None for any, matters."""
        return grew is None or self.sign != (LESS if grew else MORE)

    def is_part_of(self, other: Read) -> bool:
        """Whether every change that matters here matters to another read."""
        same = (self.key, self.own) == (other.key, other.own)
        return same and other.sign in (ANY, self.sign) and other.where in (None, self.where)


@dataclass(frozen=True, slots=True)
class OwnSubjects:
    """Locals that are the seat that answers, and locals that are things which it holds."""

    seats: frozenset[str] = frozenset()
    things: frozenset[str] = frozenset()


NOTHING = OwnSubjects()


def reads_of(
    low: Lowering, expr: object, mine: OwnSubjects = NOTHING, sign: int = ANY
) -> dict[Read, None]:
    """Everything of the state that an expression may read, derived values included; `sign`: which
    changes of the expression matter."""
    found: dict[Read, None] = {}
    _Collector(low, found).collect(expr, mine, sign)
    return found


def is_held(low: Lowering, generator: core.Generator, mine: OwnSubjects) -> bool:
    """Whether all items of a generator are things that the seat holds."""
    source = generator.source
    if isinstance(source, core.ZoneItems):
        return _is_local(source.holder, mine.seats)
    return any(_is_holder(one, generator.variable, mine) for one in _conjuncts(generator.where))


def _is_holder(condition: core.Expr, thing: str, mine: OwnSubjects) -> bool:
    match condition:
        case core.Compare(op="is", left=core.HolderOf(thing=core.Local(name=name)), right=other):
            return name == thing and _is_local(other, mine.seats)
        case _:
            return False


def _is_local(expr: core.Expr, names: frozenset[str]) -> bool:
    return isinstance(expr, core.Local) and expr.name in names


def _conjuncts(condition: core.Expr | None) -> list[core.Expr]:
    if isinstance(condition, core.Logic) and condition.op == "and":
        return [*_conjuncts(condition.left), *_conjuncts(condition.right)]
    return [] if condition is None else [condition]


@dataclass(slots=True)
class _Collector:
    """Goes through expressions and notes what they read in `found`."""

    low: Lowering
    found: dict[Read, None]
    seen: set[tuple[str, OwnSubjects, int]] = field(default_factory=set)

    def collect(self, expr: object, mine: OwnSubjects, sign: int) -> None:
        """Notes what an expression reads; `sign`: which of its changes matter."""
        match expr:
            case core.Field(column=column, subject=subject):
                if self.low.program.columns[column].role != "data":
                    self._read(column, self._owns(subject, mine), sign)
                self.collect(subject, mine, ANY)
            case core.ZoneItems(zone=zone, holder=holder):
                self._read(self._held(zone), _is_local(holder, mine.seats), sign)
                self.collect(holder, mine, ANY)
            case core.HolderOf(zone=zone, thing=thing):
                self._read(self._held(zone), False, ANY)
                self.collect(thing, mine, ANY)
            case core.Compare():
                self._compare(expr, mine, sign)
            case core.AllOf(kind=kind):
                family = self.low.program.kinds[kind].family
                if family in self.low.layout.live:
                    self._read(f"live:{family}", False, sign)
            case core.CallDefine():
                self._define(expr, mine, sign)
            case core.Fold():
                self._fold(expr, mine, sign)
            case core.Generator() | core.HeadPick():
                self._source(expr, mine, sign)
            case core.Builtin(name="known", args=(core.Field(column=column), _)):
                self._read(column, False, ANY)  # written when somebody is told it, or forgets it
                if self.low.program.columns[column].seen_by == "owner":
                    self._read(f"held:{self.low.program.columns[column].family}", False, ANY)
                self._parts(expr, mine)
            case _:
                self._with_signs(expr, mine, sign)

    def _with_signs(self, expr: object, mine: OwnSubjects, sign: int) -> None:
        """Connectives that only give the signs on; of everything else any change matters."""
        match expr:
            case core.Not(operand=operand):
                self.collect(operand, mine, -sign)
            case (
                core.Logic(left=left, right=right)
                | core.SetOp(op="+" | "&", left=left, right=right)
            ):
                self.collect(left, mine, sign)
                self.collect(right, mine, sign)
            case core.Arith(op="+" | "min" | "max", left=left, right=right):
                self.collect(left, mine, sign)
                self.collect(right, mine, sign)
            case core.SetOp(op="-", left=left, right=right):
                self.collect(left, mine, sign)
                self.collect(right, mine, -sign)
            case core.Arith(op="-", left=left, right=right):
                self.collect(left, mine, sign)
                self.collect(right, mine, -sign)
            case core.Contains(item=item, collection=collection):
                self.collect(item, mine, ANY)
                self.collect(collection, mine, sign)
            case core.Conditional(condition=condition, then_value=one, else_value=other):
                self.collect(condition, mine, ANY)
                self.collect(one, mine, sign)
                self.collect(other, mine, sign)
            case core.RangeOf(low=bottom, high=top, step=step):
                self.collect(bottom, mine, ANY)
                self.collect(top, mine, sign)
                self.collect(step, mine, ANY)
            case _:
                self._parts(expr, mine)

    def _parts(self, expr: object, mine: OwnSubjects) -> None:
        for child in children(expr):
            self.collect(child, mine, ANY)

    def _read(self, key: str, own: bool, sign: int, where: tuple[str, bool] | None = None) -> None:
        self.found[Read(key, own, sign, where)] = None

    def _held(self, zone: str) -> str:
        kind = self.low.program.zones[zone].holds
        return f"held:{self.low.program.kinds[kind].family}"

    def _owns(self, subject: core.Expr, mine: OwnSubjects) -> bool:
        return _is_local(subject, mine.seats) or _is_local(subject, mine.things)

    def _compare(self, expr: core.Compare, mine: OwnSubjects, sign: int) -> None:
        match expr:
            case core.Compare(
                op="is" | "is not", left=core.HolderOf(zone=zone, thing=thing), right=other
            ) if _is_local(other, mine.seats):
                self._read(self._held(zone), True, sign if expr.op == "is" else -sign)
                self.collect(thing, mine, ANY)
            case (
                core.Compare(
                    op="is" | "is not", left=core.Local(name=name), right=core.Field() as field
                )
                | core.Compare(
                    op="is" | "is not", left=core.Field() as field, right=core.Local(name=name)
                )
            ) if name in mine.seats and names_seats(self.low, field.column):
                self._read(f"{BEING}{field.column}", True, sign if expr.op == "is" else -sign)
                self.collect(field.subject, mine, ANY)
            case core.Compare(op=">" | ">=", left=left, right=right):
                self.collect(left, mine, sign)
                self.collect(right, mine, -sign)
            case core.Compare(op="<" | "<=", left=left, right=right):
                self.collect(left, mine, -sign)
                self.collect(right, mine, sign)
            case _:
                self._parts(expr, mine)

    def _fold(self, fold: core.Fold, mine: OwnSubjects, sign: int) -> None:
        """More items make most values greater, and fewer fit all."""
        may_fall = fold.kind == "sum" and not _is_natural(fold.value.type)
        value = ANY if may_fall or fold.kind in ("min", "max", "first") else sign
        items = -value if fold.kind == "all" else value
        for generator in fold.generators:
            self._source(generator, mine, items)
            if is_held(self.low, generator, mine):
                mine = OwnSubjects(mine.seats, mine.things | {generator.variable})
        self.collect(fold.value, mine, value)
        for part in (fold.key, fold.default):
            self.collect(part, mine, ANY)

    def _source(self, source: core.Generator | core.HeadPick, mine: OwnSubjects, sign: int) -> None:
        """What is gone through or picked from. Which set is found for `some` things is no matter of
        more or less."""
        if isinstance(source, core.HeadPick):
            generator = core.Generator(source.item, source.type, source.source, source.where)
            sign = sign if source.form != "some" else ANY
            for part in (source.such_that, source.low, source.high):
                self.collect(part, mine, ANY)
        else:
            generator = source
        items = generator.source
        if isinstance(items, core.ZoneItems) and _is_local(items.holder, mine.seats):
            where = self._flag_of(generator) if sign == MORE else None
            self._read(self._held(items.zone), True, sign, where)
        else:
            self.collect(items, mine, sign)
        if is_held(self.low, generator, mine):
            mine = OwnSubjects(mine.seats, mine.things | {generator.variable})
        self.collect(generator.where, mine, sign)

    def _flag_of(self, generator: core.Generator) -> tuple[str, bool] | None:
        """A flag that all items have, or have not."""
        for one in _conjuncts(generator.where):
            wanted = not isinstance(one, core.Not)
            flag = one.operand if isinstance(one, core.Not) else one
            if (
                isinstance(flag, core.Field)
                and _is_local(flag.subject, frozenset({generator.variable}))
                and self.low.layout.fields[flag.column].shape == "flags"
            ):
                return flag.column, wanted
        return None

    def _define(self, call: core.CallDefine, mine: OwnSubjects, sign: int) -> None:
        for arg in call.args:
            self.collect(arg, mine, ANY)
        if self.low.keeping.is_collection(call.define):
            own = _is_local(call.args[0], mine.seats)
            self._read(maintained_key(call.define), own, sign)
            return
        sources = self.low.keeping.sources.get(call.define)
        if sources is None:
            self._variants(call, mine, sign)
            return
        inner = _Collector(self.low, {})
        inner._variants(call, mine, sign)
        self.found.update((read, None) for read in inner.found if read.key in sources)

    def _variants(self, call: core.CallDefine, mine: OwnSubjects, sign: int) -> None:
        for variant in self.low.program.defines[call.define].variants:
            pairs = [(name, arg) for (name, _), arg in zip(variant.params, call.args, strict=True)]
            inner = OwnSubjects(
                frozenset(name for name, arg in pairs if _is_local(arg, mine.seats)),
                frozenset(name for name, arg in pairs if _is_local(arg, mine.things)),
            )
            key = (f"{call.define}:{variant.kind}", inner, sign)
            if key not in self.seen:
                self.seen.add(key)
                self._variant(variant, inner, sign)

    def _variant(self, variant: core.DefineVariant, mine: OwnSubjects, sign: int) -> None:
        if any(uses_usual(part) for part in variant.buts):
            sign = ANY
        for let in variant.lets:
            self.collect(let.value, mine, ANY)
        self.collect(variant.base, mine, sign)
        for but in variant.buts:
            self.collect(but.value, mine, sign)
            if isinstance(but.value, core.Const) and isinstance(but.value.type, t.FlagType):
                self.collect(but.condition, mine, sign if but.value.value else -sign)
            else:
                self.collect(but.condition, mine, ANY)


def _is_natural(type_: t.Type) -> bool:
    return isinstance(type_, t.IntType) and type_.low >= 0


def seat_of(low: Lowering, subject: flat.Expr, family: str) -> flat.Expr | None:
    """The seats an entity belongs to, as a set: a seat is its own, a thing that of its holder;
    None where entities of its family are neither."""
    if family == low.program.kinds[low.program.player_kind].family:
        return flat.Single(subject, low.program.players)
    held = low.layout.held.get(family)
    return None if held is None else seats_at(low, held, flat.Cell(held.place_column, subject))


def seats_at(low: Lowering, held: HeldFamily, place: flat.Expr) -> flat.Expr:
    """The seats that a place belongs to."""
    players = low.program.players
    table = f"seat_at_{held.put[4:]}"
    if table not in low.out.tables:
        cells = [0] * held.size
        family = low.program.kinds[low.program.player_kind].family
        for zone in held.zones:
            for position, holder in enumerate(zone.zone.holders):
                if zone.zone.family == family and holder < players:
                    cells[zone.base + zone.step * position + held.offset] |= 1 << holder
        low.out.tables[table] = flat.Table(table, flat.Set(players), tuple(cells))
    return flat.Cell(table, build.binary("+", place, build.num(held.offset)), flat.Set(players))


def names_seats(low: Lowering, column: str) -> bool:
    """Whether a field that changes names a seat."""
    known = low.program.columns[column]
    return known.role != "data" and known.type in (
        t.RefType(low.program.player_kind),
        t.RefType(low.program.player_kind, optional=True),
    )


def became(low: Lowering, column: str, value: flat.Expr) -> list[flat.WriteMarker]:
    """The notes that a field names another seat now: one has become it, and any other may have
    been it before."""
    if not names_seats(low, column):
        return []
    optional = low.program.columns[column].type != t.RefType(low.program.player_kind)
    new = flat.Single(value, low.program.players, optional)
    return [
        flat.WriteMarker(f"{BEING}{column}", new, grew=True),
        flat.WriteMarker(f"{BEING}{column}", None, grew=False),
    ]


def player_type(low: Lowering) -> t.RefType:
    """The type of a seat."""
    return t.RefType(low.program.player_kind)
