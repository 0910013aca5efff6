"""What a seat may see: a whitelist made from the declared visibility of fields and zones alone."""

from __future__ import annotations

from dsl.core import nodes as core
from dsl.core.types import RefType, SeqType, SetType
from interpreter.session.state import LiveState
from interpreter.session.values import Value, element_kind, members

View = dict[str, Value]
"""What a seat sees, fit for JSON.

`seat`, `phase`, `over`; `players`, by seat; `things`, by name; `entities`, by root kind and id. A
field that the seat can't see is not there. A zone is the list of what lies in it (top first where
there is an order), or `{"count": n}` where only that can be seen, or not there. `question` is what
the seat is asked, if it is.
"""


class Sight:
    """Which fields, zones and things of the live state each seat can see."""

    def __init__(self, state: LiveState, knowledge: dict[str, str]) -> None:
        self.state = state
        self.program = state.program
        self.knowledge = knowledge
        self._hidden_families = {
            self.program.kinds[zone.holds].family
            for zone in self.program.zones.values()
            if zone.seen_by != "everyone" or zone.count_hidden
        }
        self._columns: dict[str, list[core.Column]] = {}
        for column in self.program.columns.values():
            if column.role != "data" or column.seen_by != "everyone":
                self._columns.setdefault(column.family, []).append(column)
        self._naming: dict[str, list[core.Column]] = {}
        for column in self.program.columns.values():
            is_open = column.role == "state" and column.seen_by == "everyone"
            if is_open and isinstance(column.type, RefType):
                named = self.program.kinds[column.type.kind].family
                self._naming.setdefault(named, []).append(column)
        self._zones: dict[str, list[core.Zone]] = {}
        for zone in self.program.zones.values():
            self._zones.setdefault(zone.family, []).append(zone)

    def sees_field(self, seat: int, column: core.Column, entity: int) -> bool:
        """Whether a seat can see a field of an entity."""
        if column.seen_by == "everyone":
            return True
        known = self.knowledge.get(column.name)
        if known is not None and self.state.engine.cell(known, entity) >> seat & 1:
            return True
        return column.seen_by == "owner" and self.state.owner(column.family, entity) == seat

    def sees_zone(self, seat: int, zone: core.Zone, holder: int) -> bool:
        """Whether a seat can see what lies in a zone of a holder."""
        if zone.seen_by == "nobody":
            return False
        if zone.seen_by == "owner" and self.state.owner(zone.family, holder) != seat:
            return False
        return self.sees_thing(seat, zone.family, holder)

    def sees_thing(self, seat: int, family: str, thing: int) -> bool:
        """Whether a seat can see where a thing lies, and so which one it is."""
        if family not in self._hidden_families:
            return True
        found = self.state.place(family, thing)
        return found is None or self.sees_zone(seat, *found)

    def sees_value(self, seat: int, type_: object, number: object) -> bool:
        """Whether all entities of a value may be named to a seat."""
        kind = element_kind(type_)
        if kind is None:
            return True
        family = self.program.kinds[kind].family
        if family not in self._hidden_families:
            return True
        if isinstance(type_, RefType):
            things = [number]
        elif isinstance(type_, SetType) and isinstance(number, int):
            things = list(members(number))
        else:
            things = list(number) if isinstance(type_, SeqType) else []  # type: ignore[call-overload]
        return all(
            not isinstance(thing, int)
            or thing < 0
            or self.sees_thing(seat, family, thing)
            or self._is_named_openly(family, thing)
            for thing in things
        )

    def _is_named_openly(self, family: str, thing: int) -> bool:
        """Whether a field that all can see says which thing it is, wherever that lies."""
        return any(
            self.state.has_field(column, entity) and self.state.number(column, entity) == thing
            for column in self._naming.get(family, ())
            for entity in self.state.present(column.family)
        )

    def counts_zone(self, seat: int, zone: core.Zone, holder: int) -> bool:
        """Whether a seat knows how many things lie in a zone."""
        if self.sees_zone(seat, zone, holder):
            return True
        is_owner = self.state.owner(zone.family, holder) == seat and zone.seen_by != "nobody"
        known = is_owner or not zone.count_hidden
        return known and self.sees_thing(seat, zone.family, holder)

    # ------------------------------------------------------------ the whole view

    def look(self, seat: int) -> View:
        """All that a seat can see of players, things and entities."""
        players = self.program.kinds[self.program.player_kind]
        shown_players: dict[str, Value] = {}
        things: dict[str, Value] = {}
        entities: dict[str, Value] = {}
        for family in self.program.families.values():
            for entity in self.state.present(family.name):
                fields = self._fields(seat, family.name, entity)
                if family.name == players.family and entity in players.members:
                    shown_players[family.ids[entity]] = fields
                elif not fields:
                    continue
                elif self._is_thing(family, entity):
                    things[family.ids[entity]] = fields
                else:
                    group = entities.setdefault(family.name, {})
                    assert isinstance(group, dict)
                    group[family.ids[entity]] = fields
        return {"players": shown_players, "things": things, "entities": entities}

    def _is_thing(self, family: core.Family, entity: int) -> bool:
        kind = self.program.kinds.get(family.ids[entity])
        return kind is not None and kind.family == family.name and kind.members == (entity,)

    def _fields(self, seat: int, family: str, entity: int) -> dict[str, Value]:
        shown: dict[str, Value] = {}
        for column in self._columns.get(family, ()):
            if not self.state.has_field(column, entity) or entity in column.endless:
                continue
            if self.sees_field(seat, column, entity):
                shown[column.field] = self.state.field(column, entity)
        for zone in self._zones.get(family, ()):
            if entity not in zone.holders:
                continue
            if self.sees_zone(seat, zone, entity):
                lying = self.state.things(zone, entity)
                shown[zone.field] = [self.state.values.id_of(zone.holds, thing) for thing in lying]
            elif self.counts_zone(seat, zone, entity):
                shown[zone.field] = {"count": len(self.state.things(zone, entity))}
        return shown
