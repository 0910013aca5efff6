"""What a seat does not know at a question, and ways it could be: by declared visibility alone.

Works in the live state of an engine whose program keeps who knows which places. Reading looks at
what the seat sees and knows, and at nothing else; dealing writes what it does not know anew. So
for equal views and equal seeds the whole state is equal after that.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from dsl.core import nodes as core
from interpreter.emit.state import BOT_COUNT
from interpreter.engine.python_engine import PythonEngine
from interpreter.engine.seeding import bot_key, stream_word
from interpreter.flat.context.layout import FieldPlace, HeldFamily, ZonePlace
from interpreter.flat.ir.nodes import REFRESH
from interpreter.flat.stmt.places import hidden_families, known_column
from interpreter.search.fitting import fit
from interpreter.session.state import LiveState
from interpreter.session.values import members
from interpreter.session.view import Sight

GATHERED = "gather_"
"""How the scratch is called in which secret answers wait until all are there."""

CACHES = ("stale_", "kept_", "wake_", "reads_", "lacking_", "others_lack_", "floor_")
"""How the scratch is called in which a program remembers what it has worked out already."""


@dataclass(slots=True)
class Slots:
    """Room for things that the seat does not know: a zone of a holder.

    `at`: its place in the set column, `place` its number. `known`: what the seat knows to lie
    there, in order; `row`: of a zone with an order, what is known of it, None for the rest.
    `count`: how many unknown things lie there, None where the seat can't tell. `allowed`: the
    things that can lie there.
    """

    place: int
    at: int
    known: int
    count: int | None
    allowed: int
    zone: ZonePlace
    holder: int
    row: list[int | None] | None = None


@dataclass(slots=True)
class UnseenThings:
    """The things of a family whose places the seat does not know, ascending, and the room for
    them."""

    held: HeldFamily
    unknown: list[int]
    slots: list[Slots]


@dataclass(slots=True)
class UnseenValues:
    """A hidden field of entities that look alike to the seat: `values` are in a fixed order, each
    with who else knows it; `knowing` is the column of that, if it can be known."""

    place: FieldPlace
    knowing: str | None
    entities: list[int]
    values: list[tuple[int, ...]]


@dataclass(slots=True)
class Unseen:
    """All that a seat does not know at a question."""

    things: list[UnseenThings] = field(default_factory=list)
    values: list[UnseenValues] = field(default_factory=list)


class Hidden:
    """What can be hidden in a program, and the live state in which it lies."""

    def __init__(self, engine: PythonEngine, state: LiveState, sight: Sight) -> None:
        self.engine = engine
        self.state = state
        self.sight = sight
        self.core = state.program
        self.streams = engine.program.streams
        self._hidden = hidden_families(self.core)
        self._held = [held for held in state.layout.held.values() if held.family in self._hidden]
        self._columns = [
            column
            for column in self.core.columns.values()
            if column.role != "data"
            and column.seen_by != "everyone"
            and column.name in state.layout.fields
        ]
        self._looks = {column.family: looks(self.core, column.family) for column in self._columns}
        self._allowed = {
            (zone.zone.name, holder): things
            for held in self._held
            for zone in held.zones
            for holder, things in _allowed(self.core, zone.zone)
        }
        self._caches = [
            name
            for name, scalar in engine.program.scalars.items()
            if scalar.role == "scratch" and name.startswith(CACHES)
        ]
        self._cache_columns = [
            name
            for name, column in engine.program.columns.items()
            if column.role == "scratch" and name.startswith(CACHES)
        ]

    def column(self, name: str) -> list[int]:
        """The live cells of a column."""
        cells: list[int] = self.engine.space[self.engine.names.columns[name]]
        return cells

    # ------------------------------------------------------------ what the seat does not know

    def unseen(self, seat: int) -> Unseen:
        """What a seat does not know in the live state."""
        found = Unseen()
        for held in self._held:
            things = self._unseen_things(seat, held)
            if things.unknown:
                found.things.append(things)
        for column in self._columns:
            found.values += self._unseen_values(seat, column)
        return found

    def _unseen_things(self, seat: int, held: HeldFamily) -> UnseenThings:
        sight, family = self.sight, held.family
        name = known_column(held)
        knowing = self.column(name) if name in self.engine.program.columns else None
        places, sets = self.column(held.place_column), self.column(held.sets)
        lying = [thing for thing in self.state.present(family) if places[thing] != -1]
        slots: list[Slots] = []
        unknown = 0
        for zone in held.zones:
            for holder in zone.zone.holders:
                if sight.sees_zone(seat, zone.zone, holder):
                    continue
                place = zone.base + zone.step * (holder - zone.first)
                here = sets[place + held.offset]
                known = sum(
                    1 << thing
                    for thing in members(here)
                    if knowing is not None and knowing[thing] >> seat & 1
                )
                hidden = here & ~known
                unknown |= hidden
                counts = sight.counts_zone(seat, zone.zone, holder)
                allowed = self._allowed[zone.zone.name, holder]
                room = Slots(
                    place, place + held.offset, known,
                    hidden.bit_count() if counts else None, allowed, zone, holder,
                )  # fmt: skip
                if zone.rows is not None:
                    row = self.state.things(zone.zone, holder)
                    shown = [thing if known >> thing & 1 else None for thing in row]
                    room.row = shown if counts else [one for one in shown if one is not None]
                slots.append(room)
        return UnseenThings(held, [thing for thing in lying if unknown >> thing & 1], slots)

    def _unseen_values(self, seat: int, column: core.Column) -> Iterator[UnseenValues]:
        place = self.state.layout.fields[column.name]
        groups: dict[tuple[object, ...], list[int]] = {}
        look = self._looks[column.family]
        for entity in self.state.present(column.family):
            if not self.state.has_field(column, entity) or entity in column.endless:
                continue
            if not self.sight.sees_field(seat, column, entity):
                groups.setdefault(look[entity], []).append(entity)
        for entities in groups.values():
            if len(entities) > 1:
                knowing = self.sight.knowledge.get(column.name)
                values = sorted(self._read(place, knowing, entity) for entity in entities)
                yield UnseenValues(place, knowing, entities, values)

    # ------------------------------------------------------------ dealing

    def deal(self, unseen: Unseen, seed: int) -> None:
        """Writes one way it could be over all that is unseen, and seeds all luck anew."""
        engine = self.engine
        rng = random.Random(seed)
        for things in unseen.things:
            self._deal_things(things, rng)
        for values in unseen.values:
            dealt = list(values.values)
            rng.shuffle(dealt)
            for entity, value in zip(values.entities, dealt, strict=True):
                self._write(values, entity, value)
        word = rng.getrandbits(64)
        engine.set_streams([stream_word(word, name) for name in self.streams])
        if BOT_COUNT in engine.program.columns:
            seats = range(engine.program.players)
            engine.space["BOT_KEYS"][:] = [bot_key(word, seat) for seat in seats]
            self.column(BOT_COUNT)[:] = [0] * len(seats)
        self.forget()

    def forget(self) -> None:
        """Drops what the program has remembered of the state as it was."""
        program = self.engine.program
        for name in self._caches:
            self.engine.set_scalar(name, program.scalars[name].initial)
        for name in self._cache_columns:
            self.column(name)[:] = program.columns[name].initial
        if REFRESH in program.functions:
            self.engine.function(REFRESH)()

    def _deal_things(self, things: UnseenThings, rng: random.Random) -> None:
        pool = list(things.unknown)
        rng.shuffle(pool)
        dealt = fit(pool, [(room.count, room.allowed) for room in things.slots], rng)
        places, sets = self.column(things.held.place_column), self.column(things.held.sets)
        for room, got in zip(things.slots, dealt, strict=True):
            bits = room.known
            for thing in got:
                places[thing] = room.place
                bits |= 1 << thing
            sets[room.at] = bits
            if room.row is not None:
                assert room.zone.rows is not None
                index = room.holder - room.zone.first if len(room.zone.zone.holders) > 1 else 0
                unknown = iter(got)
                row = [next(unknown) if one is None else one for one in room.row]
                self.engine.row(room.zone.rows, index)[:] = [*row, *unknown]

    # ------------------------------------------------------------ fields

    def _read(self, place: FieldPlace, knowing: str | None, entity: int) -> tuple[int, ...]:
        """Who knows a field of an entity, and its numbers."""
        known = 0 if knowing is None else self.engine.cell(knowing, entity)
        at = 0 if place.single else entity
        match place.shape:
            case "scalar":
                return known, self.engine.scalar(place.name)
            case "flags":
                return known, self.engine.scalar(place.name) >> entity & 1
            case "rows":
                return known, *self.engine.row(place.name, at)
            case _:
                cells = self.column(place.name)
                return known, *cells[at * place.width : (at + 1) * place.width]

    def _write(self, values: UnseenValues, entity: int, dealt: tuple[int, ...]) -> None:
        known, *numbers = dealt
        if values.knowing is not None:
            self.engine.set_cell(values.knowing, entity, known)
        place = values.place
        at = 0 if place.single else entity
        match place.shape:
            case "scalar":
                self.engine.set_scalar(place.name, numbers[0])
            case "flags":
                others = self.engine.scalar(place.name) & ~(1 << entity)
                self.engine.set_scalar(place.name, others | numbers[0] << entity)
            case "rows":
                self.engine.row(place.name, at)[:] = numbers
            case _:
                self.column(place.name)[at * place.width : (at + 1) * place.width] = numbers


def looks(program: core.Program, family: str) -> list[tuple[object, ...]]:
    """What everybody may know of each entity of a family for good: its kind and its data."""
    kinds = [kind for kind in program.kinds.values() if kind.family == family]
    columns = [
        column
        for column in program.columns.values()
        if column.family == family and column.role == "data" and column.seen_by == "everyone"
    ]
    return [
        (
            tuple(kind.name for kind in kinds if entity in kind.members),
            tuple(column.values[entity] for column in columns if entity < len(column.values)),
        )
        for entity in range(program.families[family].size)
    ]


def _allowed(program: core.Program, zone: core.Zone) -> Iterator[tuple[int, int]]:
    """What can lie in the zone of each holder. Where the zones of several holders begin with parts
    of the kind that have nothing in common, things stay to their own part: piles of one sort
    each."""
    whole = sum(1 << thing for thing in program.kinds[zone.holds].members)
    starts = [sum(1 << thing for thing in things) for things in zone.starts]
    parted = sum(start > 0 for start in starts) > 1
    for holder, start in zip(zone.holders, starts, strict=True):
        yield holder, start if parted and start else whole
