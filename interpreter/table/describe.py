"""Describes the table of one program from the view of a seat. Nothing is in it that is not in the
view or in the data that everybody may know; what of it is shown is declared in the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from dsl.core import nodes as core
from dsl.core.types import FlagType, IntType, MapType, RefType, SeqType, SetType
from interpreter.session.facts import Facts
from interpreter.session.state import data_value
from interpreter.session.values import MONEY, Value, ValueMisfit, Values
from interpreter.session.view import View
from interpreter.table.looks import COLOURS, SEATS, own_letters
from interpreter.table.scene import Card, Holder, Line, Mark, Pile, Place, Scene

MOST_NAMED = 12
"""Cards of a pile that is no hand and that all can see; of more only the number is shown."""


@dataclass(frozen=True, slots=True)
class _Band:
    """What a thing belongs to, and the field that says so."""

    column: core.Column
    name: str
    colour: str | None


class Describer:
    """Puts views of one game into scenes, and their values into words."""

    def __init__(self, facts: Facts) -> None:
        self.program = facts.program
        self.values = Values(facts.program)
        self._turns = facts.turns
        self.player = self.program.kinds[self.program.player_kind]
        self.ring = self.program.families.get(self.program.board.ring or "")
        self._columns: dict[str, list[core.Column]] = {}
        for column in self.program.columns.values():
            self._columns.setdefault(column.family, []).append(column)
        self._zones: dict[str, list[core.Zone]] = {}
        for zone in self.program.zones.values():
            self._zones.setdefault(zone.family, []).append(zone)
        self._families = {
            id_: family for family in self.program.families.values() for id_ in family.ids
        }
        seats = self.program.families[self.player.family]
        self._seats = [seats.ids[member] for member in self.player.members]
        names = [self.name(seats.name, id_) for id_ in self._seats]
        self.letters = dict(zip(self._seats, own_letters(names), strict=True))
        self._marks = self._mark_letters()

    # ------------------------------------------------------------ names and values

    def name(self, family: str, id_: str) -> str:
        """How an entity is called."""
        found = self.program.families[family]
        return self.program.names[family][found.ids.index(id_)] if id_ in found.ids else id_

    def seat_name(self, seat: Value) -> str:
        """How a seat is called."""
        return self.name(self.player.family, str(seat))

    def shown(self, type_: object, value: Value) -> str:
        """A value of a type as people read it."""
        if isinstance(type_, SeqType) and isinstance(value, list):
            return self.values.listed(self.shown(type_.element, item) for item in value)
        if value is None:
            return self.values.word("value.none")
        try:
            return self.values.shown(type_, self.values.number(type_, value))
        except (ValueMisfit, KeyError):
            return str(value)

    def with_details(self, view: View, type_: object, value: Value) -> str:
        """A value, or a member of a set, with what else the seat sees of it and should know."""
        if isinstance(type_, SetType) and not isinstance(value, list):
            type_ = RefType(type_.kind)
        shown = self.shown(type_, value)
        if not isinstance(type_, RefType) or value is None:
            return shown
        family = self.program.kinds[type_.kind].family
        is_drawn = self.ring is not None and family == self.ring.name
        if is_drawn or str(value) in self._seats:
            return shown
        about = self._about(view, family, str(value), data=False)
        return f"{shown} ({about})" if about else shown

    def _about(self, view: View, family: str, id_: str, *, data: bool = True) -> str:
        """What the seat sees of a thing, in words."""
        said = [self.said(line) for line in self._lines(view, family, id_, data=data)]
        piles = self._piles(view, family, id_)
        return "; ".join([*said, *(self.pile_line(pile) for pile in piles if pile.count)])

    def _called(self, view: View, family: str, id_: str) -> tuple[str, str | None]:
        """What stands for the name of a thing that is made in play: the first thing that it names
        and what lies in it, else all that is known of it; and the colour of that."""
        seen = self._seen(view, family, id_)
        for column in self._columns.get(family, ()):
            value = seen.get(column.field)
            if not column.is_shown or not isinstance(column.type, RefType) or value is None:
                continue
            piles = [pile for pile in self._piles(view, family, id_) if pile.count]
            if not piles:
                break
            inside = self.values.listed(self.pile_words(pile) for pile in piles)
            within = self.program.kinds[column.type.kind].family
            name = self.name(within, str(value))
            return f"{name} ({inside})", self.colour(within, str(value))
        return self._about(view, family, id_), None

    def said(self, line: Line) -> str:
        """A line in words: its label alone, where that says it; nothing twice."""
        if not line.text or line.label in line.text:
            return line.text or line.label
        return f"{line.label} {line.text}" if line.label else line.text

    def pile_line(self, pile: Pile) -> str:
        """A pile in words, with its label."""
        return f"{pile.label}: {self.pile_words(pile)}"

    def pile_words(self, pile: Pile) -> str:
        """What lies in a pile, in words."""
        if pile.is_open and not pile.cards:
            return str(pile.count)
        unseen = (pile.count or 0) - len(pile.cards)
        names = [card.marked_name for card in pile.cards]
        counted = {name: names.count(name) for name in names}
        words = [name if times == 1 else f"{name} × {times}" for name, times in counted.items()]
        if unseen > 0:
            words.append(self.values.word("table.unseen", count=str(unseen)))
        return ", ".join(words)

    def colour(self, family: str, id_: str) -> str | None:
        """The colour of an entity: as the data have it, else that by which it is called."""
        said = self.program.board.colours.get(id_) or COLOURS.get(id_)
        if said is None and family == self.player.family and id_ in self._seats:
            return SEATS[self._seats.index(id_) % len(SEATS)]
        return said

    # ------------------------------------------------------------ the whole table

    def scene(self, view: View) -> Scene:
        """The table as the seat of a view sees it."""
        players = _mapping(view["players"])
        seats = tuple(self._seat(view, seat, _mapping(fields)) for seat, fields in players.items())
        others = [
            self._holder(view, self._families[name].name, name)
            for name in _mapping(view["things"])
            if name in self._families
        ]
        kinds, zones = self.program.kinds, self.program.zones.values()
        held = {kinds[zone.holds].family for zone in zones}
        for family, entities in _mapping(view["entities"]).items():
            if self.ring is not None and family == self.ring.name:
                continue
            if not self.program.families[family].pool and family not in held:
                others += [self._holder(view, family, id_) for id_ in _mapping(entities)]
        around = self.ring.ids if self.ring is not None else ()
        ring = tuple(self._place(view, id_) for id_ in around)
        return Scene(
            self.program.title,
            ring,
            self.program.board.sides,
            tuple(self._marks.values()),
            seats,
            tuple(each for each in others if each.lines or each.piles),
        )

    def card(self, view: View, kind: str, id_: str, *, is_held: bool = False) -> Card:
        """A thing as a card, with all that the seat may know of it; `is_held`: where it lies with
        whose it is."""
        family = self.program.kinds[kind].family
        entity = self.program.families[family].ids.index(id_)
        band = self._band(family, entity)
        lines = [] if band is None else [Line(self.label(band.column), band.name)]
        lines += self._lines(view, family, id_, but=None if band is None else band.column)
        piles = self._piles(view, family, id_)
        lines += [Line(pile.label, self.pile_words(pile)) for pile in piles if pile.count]
        lines += [] if is_held else self._held_by(view, family, id_)
        is_placed = self.ring is not None and family == self.ring.name
        text, name = self.values.printed_on(kind, entity), self.name(family, id_)
        return Card(
            "" if self.program.families[family].pool else name,
            self.values.kind_word(self._narrowest(family, entity)),
            tuple(lines),
            None if band is None else band.name,
            self.colour(family, id_) if band is None else band.colour,
            "" if text == name else text,
            tuple(self._beside(view, band.column, entity)) if band and is_placed else (),
        )

    # ------------------------------------------------------------ players and other holders

    def _seat(self, view: View, seat: str, fields: Mapping[str, Value]) -> Holder:
        is_you = seat == view["seat"]
        return Holder(
            seat,
            self.seat_name(seat),
            tuple(self._lines(view, self.player.family, seat, purses=True)),
            tuple(self._piles(view, self.player.family, seat)),
            self.letters[seat],
            self.colour(self.player.family, seat),
            is_you,
            seat == self._on_turn(view),
            fields.get("out") is True,
        )

    def _on_turn(self, view: View) -> Value:
        """Whose phase it is."""
        column = self.program.columns.get(self._turns.get(str(view["phase"]), ""))
        if column is None:
            return None
        for fields in _mapping(view["things"]).values():
            if column.field in _mapping(fields):
                return _mapping(fields)[column.field]
        return None

    def _holder(self, view: View, family: str, id_: str) -> Holder:
        return Holder(
            id_,
            self.name(family, id_),
            tuple(self._lines(view, family, id_, data=False)),
            tuple(pile for pile in self._piles(view, family, id_) if pile.count),
        )

    def _piles(self, view: View, family: str, id_: str) -> Iterator[Pile]:
        """The zones of a holder that are shown, as far as the seat sees them; even empty ones."""
        seen = self._seen(view, family, id_)
        entity = self.program.families[family].ids.index(id_)
        for zone in self._zones.get(family, ()):
            if entity not in zone.holders or not zone.is_shown or zone.field not in seen:
                continue
            label, value = self.zone_label(zone), seen[zone.field]
            if isinstance(value, Mapping):
                count = value["count"]
                yield Pile(label, (), count if isinstance(count, int) else None)
                continue
            things = [str(each) for each in value] if isinstance(value, list) else []
            is_open = zone.seen_by == "everyone"
            if is_open and len(things) > MOST_NAMED and id_ not in self._seats:
                yield Pile(label, (), len(things), is_open=True)
                continue
            cards = tuple(self._in_pile(view, zone, thing) for thing in things)
            is_hand = id_ == view["seat"] and not is_open
            yield Pile(label, cards, len(things), is_hand, is_open)

    def _in_pile(self, view: View, zone: core.Zone, thing: str) -> Card:
        """A thing where it lies: one that is made in play is called by what is known of it."""
        card = self.card(view, zone.holds, thing, is_held=True)
        if card.name:
            return card
        name, colour = self._called(view, self.program.kinds[zone.holds].family, thing)
        return replace(card, name=name, colour=colour)

    # ------------------------------------------------------------ what is said of a thing

    def label(self, column: core.Column) -> str:
        """What a field is called where people read it."""
        plain = column.field.replace("_", " ")
        return self.program.texts.get(f"field.{column.name}", plain)

    def zone_label(self, zone: core.Zone) -> str:
        """What a zone is called where people read it."""
        return self.program.texts.get(f"field.{zone.name}", zone.field.replace("_", " "))

    def _lines(
        self,
        view: View,
        family: str,
        id_: str,
        *,
        data: bool = True,
        purses: bool = False,
        but: core.Column | None = None,
    ) -> Iterator[Line]:
        """The fields of a thing that are shown and say something; with `purses` empty ones too."""
        entity = self.program.families[family].ids.index(id_)
        seen = self._seen(view, family, id_)
        for column in self._columns.get(family, ()):
            if not column.is_shown or column is but:
                continue
            if entity not in self.program.kinds[column.kind].members or entity in column.endless:
                continue
            if column.role == "data":
                if not data or column.seen_by != "everyone":
                    continue
                value = data_value(self.values, column, entity)
            elif column.field in seen:
                value = seen[column.field]
            else:
                continue
            if value or (purses and value == 0 and column is self._first_purse(column)):
                yield self._line(column, value)

    def _line(self, column: core.Column, value: Value) -> Line:
        label = self.label(column)
        if value is True:
            return Line(label, "", is_mark=column.role != "data")
        if isinstance(column.type, MapType) and isinstance(value, dict):
            cells = [self.shown(column.type.value, item) for item in value.values() if item]
            return Line(label, " · ".join(cells))
        type_ = column.type
        if isinstance(type_, IntType) and type_.unit not in (None, MONEY):
            is_only = (
                sum(
                    self._first_purse(each) is self._first_purse(column)
                    for each in self._columns[column.family]
                    if each.role == "purse"
                )
                == 1
            )
            return Line("" if is_only else label, self.shown(type_, value))
        return Line(label, self.shown(type_, value))

    def _first_purse(self, column: core.Column) -> core.Column | None:
        """The purse that is meant where none of its unit is named."""
        unit = column.type.unit if isinstance(column.type, IntType) else None
        for each in self._columns[column.family]:
            if each.role == "purse" and isinstance(each.type, IntType) and each.type.unit == unit:
                return each
        return None

    def _seen(self, view: View, family: str, id_: str) -> Mapping[str, Value]:
        """What the seat sees of a thing."""
        for group in (view["players"], view["things"], _mapping(view["entities"]).get(family)):
            if id_ in _mapping(group):
                return _mapping(_mapping(group)[id_])
        return {}

    def _band(self, family: str, entity: int) -> _Band | None:
        """What a thing belongs to: the first thing that its data name and that is shown."""
        for column in self._columns.get(family, ()):
            if column.role != "data" or not column.is_shown or not isinstance(column.type, RefType):
                continue
            if entity not in self.program.kinds[column.kind].members:
                continue
            number, kind = column.values[entity], column.type.kind
            if isinstance(number, int) and number >= 0:
                id_ = self.values.id_of(kind, number)
                within = self.program.kinds[kind].family
                return _Band(column, self.name(within, id_), self.colour(within, id_))
        return None

    def _beside(self, view: View, column: core.Column, entity: int) -> Iterator[str]:
        """What else belongs to the same, and whose it is."""
        family = self.program.families[column.family]
        for other in self.program.kinds[column.kind].members:
            if other != entity and column.values[other] == column.values[entity]:
                owner = self.owner(view, family.ids[other])
                name = self.program.names[family.name][other]
                yield name if owner is None else f"{name} ({self.seat_name(owner)})"

    def _held_by(self, view: View, family: str, id_: str) -> Iterator[Line]:
        """Whose a thing is, where the rules have a word for that."""
        owner = self.owner(view, id_)
        for zone in self._zones.get(self.player.family, ()):
            if owner is not None and zone.back and self.program.kinds[zone.holds].family == family:
                word = zone.back.replace("_", " ")
                label = self.program.texts.get(f"field.{zone.holds}.{zone.back}", word)
                yield Line(label, self.seat_name(owner))
                return

    def owner(self, view: View, id_: str) -> str | None:
        """The player in one of whose zones a thing lies, as far as the seat sees it."""
        fields = [zone.field for zone in self._zones.get(self.player.family, ())]
        for seat, seen in _mapping(view["players"]).items():
            for field in fields:
                held = _mapping(seen).get(field)
                if isinstance(held, list) and id_ in held:
                    return seat
        return None

    def _narrowest(self, family: str, entity: int) -> str:
        kinds = [kind for kind in self.program.kinds.values() if entity in kind.members]
        of = [kind for kind in kinds if kind.family == family]
        return min(of, key=lambda kind: len(kind.members)).name

    # ------------------------------------------------------------ the ring

    def _mark_letters(self) -> dict[str, Mark]:
        """The marks of state and the units that can be on places, by column."""
        if self.ring is None:
            return {}
        columns = [
            column
            for column in self._columns.get(self.ring.name, ())
            if column.is_shown
            and (column.role == "purse" or isinstance(column.type, FlagType))
            and column.role != "data"
        ]
        words = [self._mark_word(column) for column in columns]
        letters = own_letters([word.lower() for word in words])
        return {
            column.name: Mark(letter, word)
            for column, letter, word in zip(columns, letters, words, strict=True)
        }

    def _mark_word(self, column: core.Column) -> str:
        unit = column.type.unit if isinstance(column.type, IntType) else None
        if unit is None or unit == MONEY:
            return self.label(column)
        return self.program.texts.get(f"unit.{unit}.one", unit)

    def _place(self, view: View, id_: str) -> Place:
        assert self.ring is not None
        family = self.ring.name
        entity = self.program.families[family].ids.index(id_)
        band = self._band(family, entity)
        return Place(
            self.name(family, id_),
            None if band is None else band.name,
            None if band is None else band.colour,
            self._worth(family, entity),
            self.owner(view, id_),
            tuple(self._standing_on(view, family, id_)),
            tuple(self._tokens(view, id_)),
        )

    def _worth(self, family: str, entity: int) -> str:
        """The first amount of money in the data of a place."""
        for column in self._columns.get(family, ()):
            is_money = isinstance(column.type, IntType) and column.type.unit == MONEY
            is_data = column.role == "data" and column.is_shown and is_money
            if is_data and entity in self.program.kinds[column.kind].members:
                return self.values.shown(column.type, column.values[entity])
        return ""

    def _standing_on(self, view: View, family: str, id_: str) -> Iterator[Mark]:
        seen = self._seen(view, family, id_)
        for column in self._columns.get(family, ()):
            mark, value = self._marks.get(column.name), seen.get(column.field)
            if mark is None or not value:
                continue
            if value is True:
                yield mark
            elif isinstance(value, int):
                yield Mark(mark.letter, self.shown(column.type, value), value)

    def _tokens(self, view: View, id_: str) -> Iterator[str]:
        """The players in the game whose tokens stand on a place."""
        for seat, fields in _mapping(view["players"]).items():
            seen = _mapping(fields)
            if seen.get("out") is True:
                continue
            if any(seen.get(column.field) == id_ for column in self._token_columns()):
                yield seat

    def _token_columns(self) -> list[core.Column]:
        """The fields of players that say where their tokens stand: those that are shown, else all
        that name a place."""
        named = [
            column
            for column in self._columns.get(self.player.family, ())
            if isinstance(column.type, RefType)
            and self.ring is not None
            and self.program.kinds[column.type.kind].family == self.ring.name
        ]
        return [column for column in named if column.is_shown] or named


def _mapping(value: object) -> Mapping[str, Value]:
    return value if isinstance(value, Mapping) else {}
