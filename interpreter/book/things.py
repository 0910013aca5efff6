"""The chapters of what there is: spaces, cards and all else that the data have, kind by kind."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core import nodes as core
from dsl.core.types import FlagType, MapType
from interpreter.book.grammar import capital
from interpreter.book.pictures import Pictures
from interpreter.book.play import Play
from interpreter.book.record import Block, Grid
from interpreter.book.teller import Teller
from interpreter.session.state import data_value


class Things:
    """Tells of the things of one program."""

    def __init__(self, teller: Teller, pictures: Pictures) -> None:
        self.teller = teller
        self.program = teller.program
        self.pictures = pictures
        self.families = tuple(self._told())
        self.narrowest = {name: self._kinds_of(name) for name in self.families}

    def kinds(self) -> frozenset[str]:
        """The kinds of things that have a chapter, but for those of which all things are."""
        return frozenset(
            kind.name for kind in self.program.kinds.values() if kind.family in self.families
            and kind.base is not None
        )  # fmt: skip

    def chapter(self, family: str, play: Play) -> Iterator[Block]:
        """All things of a family, kind by kind, with the rules about them."""
        yield from self.pictures.board(family)
        members: dict[str, list[int]] = {}
        for entity, kind in enumerate(self.narrowest[family]):
            members.setdefault(kind, []).append(entity)
        for each in self.program.kinds.values():
            if each.family == family:
                yield from self._kind(each, members.get(each.name, []), play)

    def _kind(self, kind: core.Kind, members: list[int], play: Play) -> Iterator[Block]:
        teller = self.teller
        rules = [] if kind.base is None else list(play.of_kind(kind.name))
        if not members and not rules:
            return
        title = capital(teller.nouns.kind(kind.name))
        anchor = f"things-{kind.family}"
        if kind.base is not None or len(self.narrowest[kind.family]) > len(members):
            anchor = f"kind-{kind.name}"
            yield teller.titled(title, anchor)
        yield from teller.prose(kind.doc)
        if members:
            yield from self.pictures.cards(kind, members)
            yield self._grid(kind, members, anchor)
        yield from rules

    def _grid(self, kind: core.Kind, members: list[int], anchor: str) -> Grid:
        """The things of a kind with all that their data say; those that are alike in one row."""
        teller, program = self.teller, self.program
        names = program.names[kind.family]
        printed = program.printed.get(kind.family, ())
        columns = list(self._columns(kind, members))
        rows: dict[tuple[str, ...], int] = {}
        for entity in members:
            text = printed[entity] if entity < len(printed) else ""
            cells = [self._cell(column, entity) for column in columns]
            row = (names[entity], "" if text == names[entity] else text, *cells)
            rows[row] = rows.get(row, 0) + 1
        names_here = dict.fromkeys(names[entity] for entity in members)
        teller.index += [(name, anchor) for name in names_here]
        head = [teller.word("name"), teller.word("text")]
        head += [teller.nouns.label(column.name) for column in columns]
        full = [
            (f"{row[0]} × {many}" if many > 1 else row[0], *row[1:]) for row, many in rows.items()
        ]
        kept = [n for n in range(len(head)) if n == 0 or any(row[n] for row in full)]
        return Grid(
            tuple(capital(head[n]) for n in kept),
            tuple(tuple(row[n] for n in kept) for row in full),
        )

    def _columns(self, kind: core.Kind, members: list[int]) -> Iterator[core.Column]:
        first = members[0]
        for column in self.program.columns.values():
            if column.family != kind.family or column.role != "data":
                continue
            if column.seen_by == "everyone" and first in self._members(column.kind):
                yield column

    def _members(self, kind: str) -> frozenset[int]:
        return frozenset(self.program.kinds[kind].members)

    def _cell(self, column: core.Column, entity: int) -> str:
        value = data_value(self.teller.values, column, entity)
        type_ = column.type
        describer = self.teller.describer
        if isinstance(type_, MapType) and isinstance(value, dict):
            return " · ".join(describer.shown(type_.value, item) for item in value.values())
        if value is None or (isinstance(type_, FlagType) and not value):
            return ""
        return describer.shown(type_, value)

    def _told(self) -> Iterator[str]:
        """The families of which the data have entries: the board first, no players."""
        program = self.program
        players = program.kinds[program.player_kind].family
        ring = program.board.ring
        if ring in program.families:
            yield ring
        for family in program.families.values():
            is_single = family.size == 1 and family.ids[0] == family.name
            if family.name not in (players, ring) and not family.pool and not is_single:
                yield family.name

    def _kinds_of(self, family: str) -> list[str]:
        """The narrowest kind of each thing."""
        found = [""] * self.program.families[family].size
        kinds = [kind for kind in self.program.kinds.values() if kind.family == family]
        for kind in sorted(kinds, key=lambda each: -len(each.members)):
            for entity in kind.members:
                found[entity] = kind.name
        return found
