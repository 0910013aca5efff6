"""Counts what there is in a live state, without asking the rules: things in zones, units in purses,
and whether every field is within its bounds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from game_divergence import Engine
from game_rigs import Rig

from dsl.core import nodes as core
from dsl.core.types import ChoiceType, FlagType, IntType, RefType, Type, none_value
from interpreter.flat.context.layout import FieldPlace, Layout, ZonePlace
from interpreter.flat.ir.nodes import Program


class Ledger:
    """The state of one engine."""

    def __init__(self, rig: Rig, engine: Engine) -> None:
        self.program = rig.core
        self.flat = rig.flat
        self.engine = engine
        self.layout = Layout(rig.core, Program(rig.core.variant, rig.core.players))

    # ------------------------------------------------------------ things

    def mistakes_with_things(self) -> Iterator[str]:
        """Whatever lies in no zone or in two, and zones that hold what they can't."""
        for held in self.layout.held.values():
            family = self.program.families[held.family]
            found: Counter[int] = Counter()
            for place in held.zones:
                for holder in place.zone.holders:
                    things = self.things(place, holder)
                    found.update(things)
                    yield from self._zone(place, holder, things)
            present = set(self.present(family))
            kinds = {place.zone.holds for place in held.zones}
            movable = {thing for kind in kinds for thing in self.program.kinds[kind].members}
            for thing, id_ in enumerate(family.ids):
                times = found[thing]
                if times > 1 or (times and thing not in present):
                    yield f"{family.name} {id_} lies in {times} zones"
                if not times and not family.pool and thing in movable:
                    yield f"{family.name} {id_} lies nowhere"

    def _zone(self, place: ZonePlace, holder: int, things: list[int]) -> Iterator[str]:
        zone = place.zone
        where = f"{zone.name} of {holder}"
        if len(things) > zone.bound:
            yield f"{where} holds {len(things)} things"
        strangers = set(things) - set(self.program.kinds[zone.holds].members)
        if strangers:
            yield f"{where} holds {sorted(strangers)}, which are no {zone.holds}"
        if zone.ordered and sorted(things) != self._members(place, holder):
            yield f"{where}: its order and its content differ"
        number = place.base + place.step * (holder - place.first)
        for thing in things:
            if self.engine.cell(place.held.place_column, thing) != number:
                yield f"{where} holds {thing}, which is said to lie elsewhere"

    def things(self, place: ZonePlace, holder: int) -> list[int]:
        """What lies in a zone: top first where it is ordered."""
        if place.rows is None:
            return self._members(place, holder)
        return list(self.engine.row(place.rows, holder - place.first))

    def _members(self, place: ZonePlace, holder: int) -> list[int]:
        number = place.base + place.step * (holder - place.first)
        return bits(self.engine.cell(place.held.sets, number + place.held.offset))

    def in_zone(self, name: str) -> list[int]:
        """How many things each holder of a zone has."""
        place = self.layout.zones[name]
        return [len(self.things(place, holder)) for holder in place.zone.holders]

    def present(self, family: core.Family) -> list[int]:
        """All entities, of a pool those in use."""
        live = self.layout.live.get(family.name)
        return bits(self.engine.scalar(live)) if live else list(range(family.size))

    # ------------------------------------------------------------ units

    def purses(self, unit: str) -> dict[str, int]:
        """What lies in the purses of a unit that can run dry."""
        found: dict[str, int] = {}
        for column in self.program.columns.values():
            type_ = column.type
            if column.role == "purse" and isinstance(type_, IntType) and type_.unit == unit:
                place = self.layout.fields[column.name]
                flat_column = self.flat.columns.get(place.name)
                cells = 1 if flat_column is None else len(flat_column.initial)
                found[column.name] = sum(
                    self._number(place, cell) for cell in range(cells) if cell not in column.endless
                )
        return found

    def total(self, unit: str) -> int:
        """All that there is of a unit."""
        return sum(self.purses(unit).values())

    # ------------------------------------------------------------ fields

    def mistakes_with_fields(self) -> Iterator[str]:
        """Fields that are outside of what their types allow."""
        for column in self.program.columns.values():
            if column.role == "data" or not isinstance(
                column.type, IntType | FlagType | RefType | ChoiceType
            ):
                continue
            family = self.program.families[column.family]
            members = set(self.program.kinds[column.kind].members)
            place = self.layout.fields[column.name]
            for entity in self.present(family):
                if entity in members and entity not in column.endless:
                    number = self._number(place, entity)
                    if not self._fits(column.type, number):
                        yield f"{column.name} of {family.ids[entity]} is {number}"

    def _number(self, place: FieldPlace, entity: int) -> int:
        if place.shape == "scalar":
            return self.engine.scalar(place.name)
        if place.shape == "flags":
            return self.engine.scalar(place.name) >> entity & 1
        return self.engine.cell(place.name, 0 if place.single else entity)

    def _fits(self, type_: Type, number: int) -> bool:
        match type_:
            case RefType(kind, optional):
                return number in self.program.kinds[kind].members or (optional and number == -1)
            case ChoiceType(values=values, optional=optional):
                return 0 <= number < len(values) or (optional and number == -1)
            case IntType(low, high, _, optional):
                return low <= number <= high or (optional and number == none_value(type_))
            case _:
                return number in (0, 1)


def bits(number: int) -> list[int]:
    """The members of a set."""
    return [index for index in range(number.bit_length()) if number >> index & 1]
