"""Where every field and zone of a program lies: scalars, columns, bit sets, row columns and
constant tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.naming import Names

PlaceId = int


def snake(name: str) -> str:
    """A generated name for `Kind.field`: `Player.cash` -> `player_cash`. Words of scripts are plain
    ASCII words.
    """
    out = []
    for position, char in enumerate(name):
        if char.isupper():
            if position and name[position - 1] not in "._ ":
                out.append("_")
            out.append(char.lower())
        else:
            out.append(char if char.isalnum() else "_")
    return "".join(out)


def key_size(program: core.Program, key: t.Type) -> int:
    """How many keys a table has."""
    match key:
        case t.RefType(kind):
            return program.families[program.kinds[kind].family].size
        case t.ChoiceType(values=values):
            return len(values)
        case t.IntType(low, high):
            return high - low + 1
        case _:
            return 2


def key_low(key: t.Type) -> int:
    """The lowest key of a table, as a number."""
    return key.low if isinstance(key, t.IntType) else 0


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """Where a column lies.

    `shape`: `scalar` one number or set for the only entity that has it; `column` or `table` by
    entity (times keys); `flags` a bit set over the family; `rows` one row per entity; `list` a
    constant row per entity.
    """

    shape: Literal["scalar", "column", "table", "flags", "rows", "list"]
    name: str
    type: flat.FlatType
    width: int = 1  # cells per entity
    key_low: int = 0
    single: bool = False  # only one entity has it
    counts: str = ""  # the table of how long each list is


@dataclass(frozen=True, slots=True)
class ZonePlace:
    """A zone's places: holder h has place `base + step * (h - first)`, index in the set column
    `base + offset`.
    """

    zone: core.Zone
    base: PlaceId
    step: int
    first: int
    held: HeldFamily
    rows: str | None  # row column of an ordered zone

    def place(self, holder: flat.Expr) -> flat.Expr:
        """The place of a holder."""
        if len(self.zone.holders) == 1:
            return build.num(self.base)
        if self.step == 1:
            return build.binary(
                "+", build.binary("-", holder, build.num(self.first)), build.num(self.base)
            )
        return build.binary("-", build.num(self.base + self.first), holder)

    def has(self, place: flat.Expr) -> flat.Expr:
        """Whether a place is one of this zone's."""
        count = len(self.zone.holders)
        if count == 1:
            return build.equal(place, build.num(self.base))
        ends = sorted((self.base, self.base + self.step * (count - 1)))
        return build.both(
            flat.Bin(">=", place, build.num(ends[0])), flat.Bin("<=", place, build.num(ends[1]))
        )

    def holder(self, place: flat.Expr) -> flat.Expr:
        """The holder whose place it is, if it is one of this zone's."""
        if len(self.zone.holders) == 1:
            return build.num(self.first)
        if self.step == 1:
            return build.binary("+", place, build.num(self.first - self.base))
        return build.binary("-", build.num(self.base + self.first), place)

    def members(self, holder: flat.Expr) -> flat.Expr:
        """The set of things there."""
        index = build.binary("+", self.place(holder), build.num(self.held.offset))
        return flat.Cell(self.held.sets, index, flat.Set(self.held.bits))

    def row(self, holder: flat.Expr) -> flat.Expr:
        """The things there, top first."""
        assert self.rows is not None
        index = (
            build.binary("-", holder, build.num(self.first))
            if len(self.zone.holders) > 1
            else build.num(0)
        )
        return flat.RowAt(self.rows, index, self.held.bits)


@dataclass(slots=True)
class HeldFamily:
    """A family whose entities lie in zones.

    Every entity has a place: -1 nowhere; 0.. the places of zones with an `as` name; -2, -3.. those
    of other zones. The set column has the members of every place, at place + `offset`; with
    `keeps_nowhere` also of those that lie nowhere.
    """

    family: str
    bits: int
    place_column: str
    sets: str
    put: str  # the function that moves one thing
    offset: int = 1
    size: int = 1
    keeps_nowhere: bool = True
    zones: list[ZonePlace] = field(default_factory=list)


class Layout:
    """The layout of a program. Declares everything in the flat program as it goes."""

    def __init__(
        self, program: core.Program, out: flat.Program, names: Names | None = None
    ) -> None:
        self.program = program
        self.out = out
        self.names = names = names or Names()
        self.fields: dict[str, FieldPlace] = {}
        self.zones: dict[str, ZonePlace] = {}
        self.held: dict[str, HeldFamily] = {}
        self.live: dict[str, str] = {}
        for family in program.families.values():
            if family.pool:
                name = names.of(f"live_{snake(family.name)}", "live", family.name)
                out.scalars[name] = flat.ScalarDecl(name, flat.Set(family.size), 0, "state")
                self.live[family.name] = name
        for column in program.columns.values():
            self._field(column)
        for kind in {zone.holds: None for zone in program.zones.values()}:
            self._held_family(program.kinds[kind].family)

    def bits(self, kind: str) -> int:
        """The size of a kind's family."""
        return self.program.families[self.program.kinds[kind].family].size

    def mask(self, kind: str) -> flat.Bits:
        """The set of a kind's entities."""
        known = self.program.kinds[kind]
        value = 0
        for member in known.members:
            value |= 1 << member
        return flat.Bits(value, self.program.families[known.family].size)

    def flat_type(self, type_: t.Type) -> flat.FlatType:
        """How a value of a core type is kept."""
        match type_:
            case t.SetType(kind):
                return flat.Set(self.bits(kind))
            case t.SeqType(_, bound):
                return flat.Row(bound)
            case _:
                return flat.INT

    # ------------------------------------------------------------ fields

    def _field(self, column: core.Column) -> None:
        members = self.program.kinds[column.kind].members
        if isinstance(column.type, t.TextType) or not members:
            return
        single = len(members) == 1
        size = members[-1] + 1
        base = ("d_" if column.role == "data" else "s_") + snake(column.name)
        name = self.names.of(base, "field", column.name)
        place = (
            self._data(column, name, size)
            if column.role == "data"
            else self._state(column, name, size, single)
        )
        self.fields[column.name] = place

    def _numbers(self, column: core.Column, size: int) -> tuple[int, ...]:
        values = column.values[:size]
        return tuple(value if isinstance(value, int) else 0 for value in values)

    def _data(self, column: core.Column, name: str, size: int) -> FieldPlace:
        match column.type:
            case t.MapType(value, key):
                width = key_size(self.program, key)
                cells = [cell for line in column.values[:size] for cell in _line(line, width)]
                self.out.tables[name] = flat.Table(name, self.flat_type(value), tuple(cells))
                return FieldPlace("table", name, self.flat_type(value), width, key_low(key))
            case t.SeqType(_, bound):
                lines = [line if isinstance(line, tuple) else () for line in column.values[:size]]
                width = max([len(line) for line in lines] + [1])
                cells = [cell for line in lines for cell in _line(line, width)]
                self.out.tables[name] = flat.Table(name, flat.INT, tuple(cells))
                counts = self.names.of(f"{name}_n", "counts", name)
                sizes = tuple(len(line) for line in lines)
                self.out.tables[counts] = flat.Table(counts, flat.INT, sizes)
                return FieldPlace("list", name, flat.Row(bound), width, counts=counts)
            case _:
                type_ = self.flat_type(column.type)
                self.out.tables[name] = flat.Table(name, type_, self._numbers(column, size))
                return FieldPlace("table", name, type_)

    def _state(self, column: core.Column, name: str, size: int, single: bool) -> FieldPlace:
        type_ = self.flat_type(column.type)
        first = self.program.kinds[column.kind].members[0]
        match column.type:
            case t.MapType(value, key):
                width = key_size(self.program, key)
                lines = column.values[first:size] if single else column.values[:size]
                cells = tuple(cell for line in lines for cell in _line(line, width))
                self.out.columns[name] = flat.ColumnDecl(
                    name, self.flat_type(value), cells, "state"
                )
                return FieldPlace(
                    "column", name, self.flat_type(value), width, key_low(key), single
                )
            case t.SeqType(_, bound):
                lines = column.values[first:size] if single else column.values[:size]
                initial = tuple(line if isinstance(line, tuple) else () for line in lines)
                self.out.rows[name] = flat.RowsDecl(name, len(initial), bound, initial)
                return FieldPlace("rows", name, type_, single=single)
            case t.FlagType() if not single:
                value_bits = sum(
                    1 << index
                    for index, value in enumerate(self._numbers(column, size))
                    if value == 1
                )
                bits = self.program.families[column.family].size
                self.out.scalars[name] = flat.ScalarDecl(name, flat.Set(bits), value_bits, "state")
                return FieldPlace("flags", name, flat.Set(bits))
            case _:
                numbers = self._numbers(column, size)
                if single:
                    role: Literal["state", "scratch"] = "scratch" if column.endless else "state"
                    self.out.scalars[name] = flat.ScalarDecl(name, type_, numbers[first], role)
                    return FieldPlace("scalar", name, type_, single=True)
                self.out.columns[name] = flat.ColumnDecl(
                    name, type_, numbers, "state", column.endless
                )
                return FieldPlace("column", name, type_)

    # ------------------------------------------------------------ zones

    def _held_family(self, family_name: str) -> None:
        if family_name in self.held:
            return
        family = self.program.families[family_name]
        tag = self.names.of(snake(family_name), "family", family_name)
        held = HeldFamily(family_name, family.size, f"place_{tag}", f"at_{tag}", f"put_{tag}")
        self.held[family_name] = held
        zones = [
            zone
            for zone in self.program.zones.values()
            if self.program.kinds[zone.holds].family == family_name
        ]
        above, below = 0, -2
        for zone in sorted(zones, key=lambda zone: zone.back is None):
            holders = zone.holders
            if holders != tuple(range(holders[0], holders[-1] + 1)):
                raise AssertionError(f"holders of {zone.name} are not in a row")
            row = self.names.of(f"row_{snake(zone.name)}", "zone", zone.name)
            rows = row if zone.ordered else None
            if zone.back is not None:
                place = ZonePlace(zone, above, 1, holders[0], held, rows)
                above += len(holders)
            else:
                place = ZonePlace(zone, below, -1, holders[0], held, rows)
                below -= len(holders)
            held.zones.append(place)
            self.zones[zone.name] = place
            if rows:
                self.out.rows[rows] = flat.RowsDecl(rows, len(holders), family.size, zone.starts)
        held.offset = -below - 1
        held.size = held.offset + above
        places = [-1] * family.size
        for place in held.zones:
            for position, things in enumerate(place.zone.starts):
                for thing in things:
                    places[thing] = place.base + place.step * position
        held.keeps_nowhere = not family.pool or any(zone.ordered for zone in zones)
        sets = [0] * held.size
        for thing, where in enumerate(places):
            if where != -1 or held.keeps_nowhere:
                sets[where + held.offset] |= 1 << thing
        self.out.columns[held.place_column] = flat.ColumnDecl(
            held.place_column, flat.INT, tuple(places), "state"
        )
        self.out.columns[held.sets] = flat.ColumnDecl(
            held.sets, flat.Set(family.size), tuple(sets), "state"
        )


def _line(line: int | tuple[int, ...], width: int) -> list[int]:
    cells = list(line) if isinstance(line, tuple) else []
    return [*cells, *[0] * (width - len(cells))][:width]
