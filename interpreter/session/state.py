"""Reads the live state of an engine by the names of the rules: fields, zones, places."""

from __future__ import annotations

from dsl.core import nodes as core
from dsl.core.types import ChoiceType, FlagType, IntType, MapType, RefType
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.layout import FieldPlace, Layout, ZonePlace
from interpreter.flat.ir.nodes import Program as FlatProgram
from interpreter.session.values import Value, Values, members

Number = int | list[int]


class LiveState:
    """The state that is live in an engine. `values` and `program` are those of its program."""

    def __init__(self, engine: PythonEngine, values: Values) -> None:
        self.engine = engine
        self.values = values
        self.program = values.program
        self.layout = Layout(self.program, FlatProgram(self.program.variant, self.program.players))
        self._zone_at = {
            family: _zones_by_place(held.zones) for family, held in self.layout.held.items()
        }

    # ------------------------------------------------------------ fields

    def has_field(self, column: core.Column, entity: int) -> bool:
        """Whether an entity has a field."""
        if column.name not in self.layout.fields:
            return False
        return entity in self.program.kinds[column.kind].members

    def number(self, column: core.Column, entity: int) -> Number:
        """A field that is no table, as a number or a row of numbers."""
        if column.role == "data":
            data = column.values[entity]
            return data if isinstance(data, int) else list(data)
        place = self.layout.fields[column.name]
        at = 0 if place.single else entity
        match place.shape:
            case "scalar":
                return self.engine.scalar(place.name)
            case "flags":
                return self.engine.scalar(place.name) >> entity & 1
            case "rows":
                return list(self.engine.row(place.name, at))
            case _:
                return self.engine.cell(place.name, at)

    def field(self, column: core.Column, entity: int) -> Value:
        """A field of an entity as a value; a table has one entry per key."""
        type_ = column.type
        if not isinstance(type_, MapType):
            return self.values.value(type_, self.number(column, entity))
        cells = self._cells(column, self.layout.fields[column.name], entity)
        return {
            key: self.values.value(type_.value, cell)
            for key, cell in zip(keys_of(self.values, type_), cells, strict=False)
            if key is not None
        }

    def _cells(self, column: core.Column, place: FieldPlace, entity: int) -> list[int]:
        if column.role == "data":
            data = column.values[entity]
            return list(data) if isinstance(data, tuple) else []
        start = 0 if place.single else entity * place.width
        return [self.engine.cell(place.name, start + key) for key in range(place.width)]

    # ------------------------------------------------------------ zones

    def things(self, zone: core.Zone, holder: int) -> list[int]:
        """The things in a zone of a holder: top first where they have an order."""
        place = self.layout.zones[zone.name]
        if place.rows is not None:
            index = holder - place.first if len(zone.holders) > 1 else 0
            return list(self.engine.row(place.rows, index))
        at = place.base + place.step * (holder - place.first) + place.held.offset
        return members(self.engine.cell(place.held.sets, at))

    def place(self, family: str, thing: int) -> tuple[core.Zone, int] | None:
        """The zone and the holder where a thing lies; None where it lies nowhere."""
        held = self.layout.held.get(family)
        if held is None:
            return None
        found = self._zone_at[family].get(self.engine.cell(held.place_column, thing))
        if found is None:
            return None
        zone, holder = found
        return zone.zone, holder

    def present(self, family: str) -> list[int]:
        """The entities of a family that are there: of a pool, those in use."""
        live = self.layout.live.get(family)
        if live is not None:
            return members(self.engine.scalar(live))
        return list(range(self.program.families[family].size))

    def owner(self, family: str, entity: int) -> int | None:
        """The seat to which an entity belongs: itself, or who holds it, directly or not."""
        player = self.program.kinds[self.program.player_kind]
        for _ in range(8):
            if family == player.family:
                return entity if entity in player.members else None
            found = self.place(family, entity)
            if found is None:
                return None
            zone, entity = found
            family = zone.family
        return None

    def whose_phase(self, column: str | None) -> int | None:
        """The seat in a field of a thing."""
        if column is None:
            return None
        known = self.program.columns[column]
        number = self.number(known, self.program.kinds[known.kind].members[0])
        return number if isinstance(number, int) and number >= 0 else None


def _zones_by_place(zones: list[ZonePlace]) -> dict[int, tuple[ZonePlace, int]]:
    return {
        zone.base + zone.step * (holder - zone.first): (zone, holder)
        for zone in zones
        for holder in zone.zone.holders
    }


def keys_of(values: Values, type_: MapType) -> list[str | None]:
    """The keys of a table in the order of its cells; None for entities that are no keys."""
    key = type_.key
    if isinstance(key, RefType):
        kind = values.program.kinds[key.kind]
        ids = values.family(key.kind).ids
        return [id_ if index in kind.members else None for index, id_ in enumerate(ids)]
    if isinstance(key, ChoiceType):
        return list(key.values)
    if isinstance(key, IntType):
        return [str(number) for number in range(key.low, key.high + 1)]
    return ["no", "yes"] if isinstance(key, FlagType) else []


def data_of(values: Values, kind: str) -> dict[str, dict[str, Value]]:
    """The data of the entities of a kind that everybody may know, by id."""
    program = values.program
    known = program.kinds[kind]
    columns = [
        column
        for column in program.columns.values()
        if column.family == known.family and column.role == "data" and column.seen_by == "everyone"
    ]
    found: dict[str, dict[str, Value]] = {}
    for entity in known.members:
        fields: dict[str, Value] = {"name": values.name_of(kind, entity)}
        for column in columns:
            if entity in program.kinds[column.kind].members:
                fields[column.field] = data_value(values, column, entity)
        found[values.id_of(kind, entity)] = fields
    return found


def data_value(values: Values, column: core.Column, entity: int) -> Value:
    """What the data say in a field of an entity; a table has one entry per key."""
    number = column.values[entity]
    if isinstance(column.type, MapType):
        cells = list(number) if isinstance(number, tuple) else []
        return {
            key: values.value(column.type.value, cell)
            for key, cell in zip(keys_of(values, column.type), cells, strict=False)
            if key is not None
        }
    return values.value(column.type, list(number) if isinstance(number, tuple) else number)
