"""What happened and why: phases run again in the traced program, told by seat or in full.

A line for a seat is made from what the seat can see at that moment, and left out where it can't.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from dsl.core import nodes as core
from dsl.core.types import IntType, RefType, SetType, Type
from interpreter.session.facts import Facts
from interpreter.session.state import LiveState
from interpreter.session.values import (
    MONEY,
    Hole,
    Values,
    capital,
    element_kind,
    filled,
    is_something,
    members,
)
from interpreter.session.view import Sight

if TYPE_CHECKING:
    from interpreter.flat.instrument.tracing import Mark

SILENT = frozenset(("enter", "leave", "hush"))
"""The kinds of marks that no line is made of."""

EFFECTS = frozenset(("move", "put"))
"""The kinds of marks of which a sentence around them has told."""

Texts = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One thing that happened. `text` is its line in full, `texts` that of each seat, None where
    the seat must not read it. `source` and `line` say which line of the rules did it; `answered`:
    how many questions of the phase had been answered. `is_detail`: a note that the rules make for
    themselves, which people need not read. `depth`: under how many other lines it stands.
    `running`: what runs around it, by the words of the traced program, such as `rule tax`."""

    kind: str
    what: str
    text: str
    texts: Texts
    source: str
    line: int
    answered: int
    is_detail: bool = False
    depth: int = 0
    running: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """Where it stands: `rules/classic.rules:12`."""
        return f"{self.source}:{self.line}"


class Teller:
    """Puts marks of a traced program into words, in the live state of its engine."""

    def __init__(self, state: LiveState, sight: Sight, facts: Facts) -> None:
        self.state = state
        self.sight = sight
        self.facts = facts
        self.program = facts.program
        self.values: Values = state.values
        player = facts.program.kinds[facts.program.player_kind]
        self._player_family, self._players = player.family, frozenset(player.members)

    def line(self, mark: Mark, values: tuple[object, ...], answered: int) -> TraceLine:
        """A mark with its values, told to everybody."""
        tell = _TELLERS[mark.kind]
        seats = range(self.program.players)
        number, _ = mark.span.source.position(mark.span.start)
        return TraceLine(
            mark.kind,
            mark.what,
            tell(self, mark, values, None) or mark.what,
            tuple(tell(self, mark, values, seat) for seat in seats),
            mark.span.source.name,
            number,
            answered,
            mark.kind == "set" or (mark.kind == "put" and self._is_bookkeeping(mark, values)),
        )

    def covered(self, line: TraceLine, mark: Mark, values: tuple[object, ...]) -> TraceLine:
        """The line of what a sentence around it has told: still news to those who alone see it,
        such as which card was drawn."""
        if mark.kind == "put":
            zone, holder = self.program.zones[mark.what], values[-1]
            assert isinstance(holder, int)
            seats = range(self.program.players)
            sees = [self.sight.sees_zone(seat, zone, holder) for seat in seats]
            if not all(sees) and any(sees):
                kept = zip(line.texts, sees, strict=True)
                return replace(
                    line, texts=tuple(text if is_seen else None for text, is_seen in kept)
                )
        return replace(line, is_detail=True)

    def again(self, mark: Mark, values: tuple[object, ...], before: Texts) -> Texts:
        """The texts of seats, where they see now all that the line shows."""
        tell = _TELLERS[mark.kind]
        return tuple(
            tell(self, mark, values, seat)
            if all(
                type_ is None or self.sight.sees_value(seat, type_, number)
                for (_, type_), number in zip(mark.parts, values, strict=True)
            )
            else text
            for seat, text in enumerate(before)
        )

    def _is_bookkeeping(self, mark: Mark, values: tuple[object, ...]) -> bool:
        """Whether things were moved that have no names of their own, or to one that has none:
        those that are made in play."""
        zone = self.program.zones[mark.what]
        kinds = self.program.kinds
        return any(
            self.program.families[family].pool for family in (zone.family, kinds[zone.holds].family)
        )

    # ------------------------------------------------------------ one kind of mark each

    def rule(self, mark: Mark, values: tuple[object, ...], seat: int | None) -> str | None:
        """That a rule fired: for the log of no seat, since its name may tell what is hidden."""
        if seat is not None:
            return None
        shown = ", ".join(self._pairs(mark, values, None))
        return f"{mark.kind} {mark.what}" + (f" ({shown})" if shown else "")

    def set_field(self, mark: Mark, values: tuple[object, ...], seat: int | None) -> str | None:
        """That a field was set; to whoever sees the field, whatever it names is known."""
        column = self.program.columns[mark.what]
        entity, number = values[0], values[-1]
        assert isinstance(entity, int)
        if seat is not None and not self.sight.sees_field(seat, column, entity):
            return None
        to = self.values.shown(mark.parts[-1][1], number)
        field = self.program.texts.get(f"field.{mark.what}", column.field.replace("_", " "))
        of = self.values.name_of(column.kind, entity)
        return self.values.word("log.set", of=of, field=field, to=to)

    def move(self, mark: Mark, values: tuple[object, ...], seat: int | None) -> str | None:
        """That units changed hands."""
        amount, giver, taker = values
        assert isinstance(amount, int)
        assert isinstance(giver, int)
        assert isinstance(taker, int)
        source, target = (self.program.columns[name] for name in mark.what.split(" "))
        if amount == 0 and seat is not None:
            return None
        if seat is not None and not (
            self._sees_purse(seat, source, giver) or self._sees_purse(seat, target, taker)
        ):
            return None
        shown: dict[str, Hole] = {
            "from": self.values.name_of(source.kind, giver),
            "amount": partial(self.values.shown, source.type, amount),
            "to": self.values.name_of(target.kind, taker),
        }
        if shown["from"] == shown["to"]:
            is_back = target.name == self._first_purse(target)
            return capital(
                self.values.word("log.take_back" if is_back else "log.set_aside", **shown)
            )
        is_money = isinstance(source.type, IntType) and source.type.unit == MONEY
        return capital(self.values.word("log.pay" if is_money else "log.move", **shown))

    def _first_purse(self, column: core.Column) -> str | None:
        """The purse of a unit that is meant where none is named."""
        return next(
            (
                one.name
                for one in self.program.columns.values()
                if (one.role, one.family, _unit(one)) == ("purse", column.family, _unit(column))
            ),
            None,
        )

    def _sees_purse(self, seat: int, column: core.Column, holder: int) -> bool:
        return holder not in column.endless and self.sight.sees_field(seat, column, holder)

    def put(self, mark: Mark, values: tuple[object, ...], seat: int | None) -> str | None:
        """That things were moved into a zone."""
        zone = self.program.zones[mark.what]
        holder = values[-1]
        assert isinstance(holder, int)
        sees = seat is None or self.sight.sees_zone(seat, zone, holder)
        counts = seat is None or self.sight.counts_zone(seat, zone, holder)
        if not counts:
            return None
        type_, moved = mark.parts[0][1], values[0]
        count = len(members(moved)) if isinstance(type_, SetType) else 1  # type: ignore[arg-type]
        if count == 0 and seat is not None:
            return None
        if sees:
            things: Hole = partial(self.values.shown, type_, moved)
        elif count == 1:
            things = partial(self.values.something, zone.holds)
        else:
            kind = self.values.kind_word(zone.holds)
            things = self.values.word("log.some", count=str(count), kind=kind)
        to = self.values.name_of(zone.family, holder)
        is_player = holder in self._players and zone.family == self._player_family
        key = "log.get" if is_player else "log.put" if count == 1 else "log.put_some"
        return capital(self.values.word(key, things=things, to=to))

    def luck(self, mark: Mark, values: tuple[object, ...], seat: int | None) -> str | None:
        """A result of luck: told to seats only where a field that they see takes it."""
        if seat is not None:
            return None
        return f"luck {mark.what}: {', '.join(self._pairs(mark, values, None))}"

    def say(self, mark: Mark, values: tuple[object, ...], seat: int | None) -> str | None:
        """What a rule says, to everybody or to one player; what stands for it where the seat can't
        see all that it shows."""
        other = mark.otherwise
        parts = list(zip(mark.parts, values, strict=True))
        if other is None:
            return self._said(mark.what, parts, seat)
        key, first = other
        if seat is None or all(
            type_ is None or self.sight.sees_value(seat, type_, number)
            for (_, type_), number in parts[:first]
        ):
            return self._said(mark.what, parts[:first], seat)
        return self._said(key, parts[first:], seat)

    def _said(
        self, key: str, parts: list[tuple[tuple[str, Type | None], object]], seat: int | None
    ) -> str | None:
        """A text with its holes filled; None where it is for another seat alone."""
        shown: list[Hole] = []
        last: str = ""
        together: list[Hole] = []
        for (label, type_), number in parts:
            if label == "to":
                if seat is not None and number != seat:
                    return None
            elif type_ is not None:
                hides = seat is not None and not self.sight.sees_value(seat, type_, number)
                made = partial(self._hole, label, type_, number, hides)
                if not label.startswith("together"):
                    shown.append(made)
                    continue
                if label != last:
                    last, together = label, []
                    shown.append(partial(self._listed, together))
                if is_something(type_, number):
                    together.append(made)
        template = self.program.texts.get(key, key)
        holes = self.facts.holes.get(key, ())
        named = self.values.terms | dict(zip(holes, shown, strict=False))
        return capital(filled(template, named, self.values.forms))

    def _listed(self, holes: Sequence[Hole], form: str | None = None) -> str:
        return self.values.listed(hole if isinstance(hole, str) else hole(form) for hole in holes)

    def _hole(
        self, label: str, type_: Type, number: object, hides: bool, form: str | None = None
    ) -> str:
        if hides:
            return self.values.unnamed(type_, form)
        if label == "printed" and isinstance(type_, RefType) and isinstance(number, int):
            return self.values.printed_on(type_.kind, number) if number >= 0 else ""
        return self.values.shown(type_, number, form)

    def event(self, mark: Mark, values: tuple[object, ...], seat: int | None) -> str | None:
        """That something happens of which the rules say nothing: its signature."""
        verb, *prepositions = mark.what.split(" ")
        words = [self.program.texts.get(f"event.{verb}", verb.replace("_", " "))]
        leads = [None] * (len(mark.parts) - len(prepositions)) + prepositions
        who = None
        for lead, (_, type_), number in zip(leads, mark.parts, values, strict=True):
            if not self.sight.sees_value(seat, type_, number) if seat is not None else False:
                shown = self.values.unnamed(type_)
            else:
                shown = self.values.shown(type_, number)
            if lead == "by" and who is None:
                who = shown
            else:
                words += [shown] if lead is None else [lead, shown]
        said = " ".join(words)
        return capital(said) if who is None else self.values.word("log.event", who=who, what=said)

    def option(self, mark: Mark, values: tuple[object, ...], seat: int | None) -> str | None:
        """That a player took an option."""
        name = mark.what.partition("@")[0]
        shown = self.program.texts.get(f"option.{name}", name.replace("_", " "))
        who = self.values.shown(mark.parts[0][1], values[0])
        pairs = list(self._pairs(mark, values, seat, whose=values[0]))
        key = "log.option_with" if pairs else "log.option"
        return self.values.word(key, player=who, option=shown, picks=", ".join(pairs))

    def answer(self, mark: Mark, values: tuple[object, ...], _: int | None) -> str | None:
        """That a player gave an answer: what is asked openly is answered openly."""
        shown = self.program.texts.get(f"answer.{mark.what}", mark.what.replace("_", " "))
        who = self.values.shown(mark.parts[0][1], values[0])
        return self.values.word("log.option", player=who, option=shown)

    def pick(self, mark: Mark, values: tuple[object, ...], seat: int | None) -> str | None:
        """What was picked: what is asked openly is answered openly, as far as it is seen."""
        shown = self.program.texts.get(f"question.{mark.what}", mark.what.replace("_", " "))
        if mark.parts[0][0] != "by":
            pairs = ", ".join(self._pairs(mark, values, None))
            return None if seat is not None else f"pick {mark.what}: {pairs}"
        who = self.values.shown(mark.parts[0][1], values[0])
        pairs = ", ".join(self._pairs(mark, values, seat, whose=values[0]))
        key = "log.option_with" if pairs else "log.option"
        return self.values.word(key, player=who, option=shown, picks=pairs)

    def _pairs(
        self, mark: Mark, values: tuple[object, ...], seat: int | None, whose: object = None
    ) -> Iterator[str]:
        """Names and values, without the player whose line it is; for a seat only things that it
        can see."""
        player = RefType(self.program.player_kind)
        for (label, type_), number in zip(mark.parts, values, strict=True):
            if type_ is None or (type_ == player and number == whose):
                continue
            if seat is not None and not self.sight.sees_value(seat, type_, number):
                continue
            kind = element_kind(type_)
            if seat is not None and kind is not None and self.values.family(kind).pool:
                continue
            word, shown = label.replace("_", " "), self.values.shown(type_, number)
            yield shown if word in shown else f"{word} {shown}"


def _unit(column: core.Column) -> str | None:
    return column.type.unit if isinstance(column.type, IntType) else None


Tell = Callable[[Teller, "Mark", tuple[object, ...], int | None], str | None]

_TELLERS: dict[str, Tell] = {
    "rule": Teller.rule,
    "watch": Teller.rule,
    "set": Teller.set_field,
    "move": Teller.move,
    "put": Teller.put,
    "luck": Teller.luck,
    "say": Teller.say,
    "says": Teller.say,
    "event": Teller.event,
    "option": Teller.option,
    "answer": Teller.answer,
    "pick": Teller.pick,
}
