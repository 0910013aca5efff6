"""Draws what a seat sees: the board, the players and what else lies on the table, as plain text.

Nothing is drawn that is not in the view of the seat.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence

from dsl.core import nodes as core
from dsl.core.types import IntType, MapType, RefType, SeqType, SetType
from interpreter.cli.board import Board
from interpreter.session.values import Value, ValueMisfit, Values
from interpreter.session.view import View

MOST_LISTED = 12
GAP = 3


class Table:
    """Draws views of one game. `board`: how its ring is drawn, if it has one."""

    def __init__(self, program: core.Program, board: Board | None, width: int) -> None:
        self.program = program
        self.values = Values(program)
        self.width = width
        self._names = {
            family.name: dict(zip(family.ids, program.names[family.name], strict=False))
            for family in program.families.values()
        }
        self._columns = {
            (column.family, column.field): column for column in program.columns.values()
        }
        self._zones = {(zone.family, zone.field): zone for zone in program.zones.values()}
        self._player = program.kinds[program.player_kind].family
        self._ring = self._ring_family(board)
        player = program.families[self._player]
        self._seats = {player.ids[member] for member in program.kinds[program.player_kind].members}
        self._sides = board.sides if board is not None else 1

    def _ring_family(self, board: Board | None) -> core.Family | None:
        if board is None:
            return None
        return next(
            (each for each in self.program.families.values() if board.one in each.ids), None
        )

    # ------------------------------------------------------------ values in words

    def seat_name(self, seat: Value) -> str:
        """How a seat is called."""
        return self._names[self._player].get(str(seat), str(seat))

    def shown(self, type_: object, value: Value) -> str:
        """A value of a type as people read it."""
        if isinstance(type_, SeqType) and isinstance(value, list):
            return self.values.listed(self.shown(type_.element, item) for item in value)
        if isinstance(type_, MapType) and isinstance(value, dict):
            pairs = (
                f"{self._key(type_.key, key)} {self.shown(type_.value, item)}"
                for key, item in value.items()
                if item
            )
            return ", ".join(pairs)
        if value is None:
            return self.values.word("value.none")
        try:
            return self.values.shown(type_, self.values.number(type_, value))
        except (ValueMisfit, KeyError):
            return str(value)

    def shown_with(self, view: View, type_: object, value: Value) -> str:
        """A value, or a member of a set, with what the seat sees of it beside its name."""
        if isinstance(type_, SetType) and not isinstance(value, list):
            type_ = RefType(type_.kind)
        shown = self.shown(type_, value)
        if isinstance(type_, RefType):
            family, fields = self._seen(view, type_, value)
            said = [
                self._said(view, family, field, found)
                for field, found in fields.items()
                if (family, field) not in self._zones
            ]
            about = "; ".join(text for text in said if text)
            return f"{shown} ({about})" if about else shown
        return shown

    def made_in_play(self, view: View, type_: object, value: Value) -> str:
        """What the seat sees of a thing that is made in play; nothing of others."""
        if not isinstance(type_, RefType):
            return ""
        family, fields = self._seen(view, type_, value)
        if not self.program.families[family].pool:
            return ""
        return self._entity_lines(view, family, str(value), fields)

    def _seen(self, view: View, type_: RefType, value: Value) -> tuple[str, Mapping[str, Value]]:
        """The family of a thing and what the seat sees of it; nothing of players and spaces."""
        family = self.program.kinds[type_.kind].family
        if self._ring is not None and family == self._ring.name:
            return family, {}
        return family, _mapping(_mapping(_mapping(view["entities"]).get(family)).get(str(value)))

    def _key(self, type_: object, key: str) -> str:
        return self.shown(type_, key) if isinstance(type_, RefType) else key.replace("_", " ")

    # ------------------------------------------------------------ the whole view

    def draw(self, view: View) -> str:
        """All that the seat sees."""
        blocks = [self.draw_ring(view)] if self._ring is not None else []
        blocks += [self.draw_players(view), self.draw_rest(view)]
        return "\n\n".join(block for block in blocks if block)

    def draw_players(self, view: View) -> str:
        """A line or more for each player."""
        players = _mapping(view["players"])
        return "\n".join(
            self._entity_lines(view, self._player, seat, _mapping(fields))
            for seat, fields in players.items()
        )

    def draw_rest(self, view: View) -> str:
        """The other things and entities that have something to show."""
        lines: list[str] = []
        for name, fields in _mapping(view["things"]).items():
            family = self._family_of(name)
            if family is not None:
                lines.append(self._entity_lines(view, family, name, _mapping(fields)))
        for family, entities in _mapping(view["entities"]).items():
            if self._ring is not None and family == self._ring.name:
                continue
            for id_, fields in _mapping(entities).items():
                if self.program.families[family].pool and self._holder(view, id_) is not None:
                    continue  # drawn with its holder
                lines.append(self._entity_lines(view, family, id_, _mapping(fields)))
        return "\n".join(line for line in lines if line)

    def _family_of(self, id_: str) -> str | None:
        return next(
            (family.name for family in self.program.families.values() if id_ in family.ids), None
        )

    def _entity_lines(self, view: View, family: str, id_: str, fields: Mapping[str, Value]) -> str:
        said = [
            text
            for field, value in fields.items()
            if (text := self._said(view, family, field, value))
        ]
        if not said and id_ not in self._seats:
            return ""
        name = self._names[family].get(id_, id_) + (" (you)" if id_ == view["seat"] else "")
        return textwrap.fill(
            f"{name}: {'; '.join(said)}",
            self.width,
            initial_indent="  ",
            subsequent_indent="      ",
            break_long_words=False,
        )

    def _said(self, view: View, family: str, field: str, value: Value) -> str:
        """A field in words; nothing for what is empty, none, no or zero."""
        zone = self._zones.get((family, field))
        if zone is not None:
            return self._zone(view, zone, value)
        column = self._columns.get((family, field))
        label = field.replace("_", " ")
        if column is not None:
            label = self.program.texts.get(f"field.{column.name}", label)
        type_ = column.type if column is not None else None
        if value is True:
            return label
        if not value:
            is_purse = column is not None and column.role == "purse" and family == self._player
            return f"{label} {self.shown(type_, value)}" if is_purse else ""
        shown = self.shown(type_, value)
        units = () if not isinstance(type_, IntType) else (type_.unit, f"{type_.unit}s")
        return shown if label in shown or label in units else f"{label} {shown}".rstrip()

    def _zone(self, view: View, zone: core.Zone, value: Value) -> str:
        label = self.program.texts.get(f"field.{zone.name}", zone.field.replace("_", " "))
        if isinstance(value, Mapping):
            count = value["count"]
            return f"{label}: {count} that you can't see" if count else ""
        things = value if isinstance(value, list) else []
        if not things:
            return ""
        if len(things) > MOST_LISTED and zone.seen_by == "everyone":
            return f"{label}: {len(things)}"
        names = [self._held(view, zone, str(thing)) for thing in things]
        return f"{label}: {', '.join(names)}"

    def _held(self, view: View, zone: core.Zone, thing: str) -> str:
        """A thing in a zone; one that is made in play says nothing by its name alone."""
        family = self.program.kinds[zone.holds].family
        name = self._names[family].get(thing, thing)
        if not self.program.families[family].pool:
            return name
        fields = _mapping(_mapping(_mapping(view["entities"]).get(family)).get(thing))
        said = (self._said(view, family, field, value) for field, value in fields.items())
        about = "; ".join(text for text in said if text)
        return f"{name} ({about})" if about else name

    # ------------------------------------------------------------ the board

    def draw_ring(self, view: View) -> str:
        """The ring of spaces, side by side as far as there is room."""
        assert self._ring is not None
        lines = [self._space(view, id_) for id_ in self._ring.ids]
        length = -(-len(lines) // self._sides)
        sides = [lines[start : start + length] for start in range(0, len(lines), length)]
        width = max(len(line) for line in lines)
        beside = max(1, min(len(sides), (self.width + GAP) // (width + GAP)))
        rows: list[str] = []
        for start in range(0, len(sides), beside):
            group = sides[start : start + beside]
            if rows:
                rows.append("")
            for place in range(max(len(side) for side in group)):
                cells = [side[place] if place < len(side) else "" for side in group]
                rows.append((" " * GAP).join(cell.ljust(width) for cell in cells).rstrip())
        return "\n".join(rows)

    def _space(self, view: View, id_: str) -> str:
        """A space: its name, whose it is, what stands on it, and who."""
        assert self._ring is not None
        words = [self._names[self._ring.name][id_]]
        owner = self._holder(view, id_)
        if owner is not None:
            words.append(f"[{self.seat_name(owner)}]")
        fields = _mapping(_mapping(_mapping(view["entities"]).get(self._ring.name)).get(id_))
        words += [
            text for field, value in fields.items() if (text := self._mark(view, field, value))
        ]
        words += [f"<{self.seat_name(seat)}>" for seat in self._standing(view, id_)]
        return " ".join(words)[: max(20, self.width)]

    def _mark(self, view: View, field: str, value: Value) -> str:
        assert self._ring is not None
        column = self._columns.get((self._ring.name, field))
        if column is None or column.role == "data":
            return ""
        if column.role != "purse" and value is not True:
            return ""
        return self._said(view, self._ring.name, field, value) if value else ""

    def _holder(self, view: View, id_: str) -> str | None:
        """The player in one of whose zones a thing lies."""
        for seat, fields in _mapping(view["players"]).items():
            for field, value in _mapping(fields).items():
                if (
                    (self._player, field) in self._zones
                    and isinstance(value, list)
                    and id_ in value
                ):
                    return seat
        return None

    def _standing(self, view: View, id_: str) -> Iterator[str]:
        """The players who are still in the game and have a field with this space in it."""
        for seat, fields in _mapping(view["players"]).items():
            if _mapping(fields).get("out") is True:
                continue
            for field, value in _mapping(fields).items():
                if value == id_ and (self._player, field) in self._columns:
                    yield seat
                    break


def _mapping(value: object) -> Mapping[str, Value]:
    return value if isinstance(value, Mapping) else {}


def numbered(lines: Sequence[str]) -> str:
    """Lines with numbers from 1."""
    width = len(str(len(lines)))
    return "\n".join(f"  {number:>{width}}  {line}" for number, line in enumerate(lines, 1))
