"""What happened and why: phases run again in the traced program, told by seat or in full.

A line for a seat is made from what the seat can see at that moment, and left out where it can't.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dsl.core import nodes as core
from dsl.core.types import RefType, SetType
from interpreter.session.facts import Facts
from interpreter.session.state import LiveState
from interpreter.session.values import Values, filled, members
from interpreter.session.view import Sight

if TYPE_CHECKING:
    from interpreter.flat.marks import Mark

Texts = tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One thing that happened. `text` is its line in full, `texts` that of each seat, None where
    the seat must not read it. `source` and `line` say which line of the rules did it; `answered`:
    how many questions of the phase had been answered. `is_detail`: a note that the rules make for
    themselves, which people need not read."""

    kind: str
    what: str
    text: str
    texts: Texts
    source: str
    line: int
    answered: int
    is_detail: bool = False

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
        self._luck: object = None

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
            mark.kind == "set" and not self._is_news(mark, values),
        )

    def _is_news(self, mark: Mark, values: tuple[object, ...]) -> bool:
        """Whether people want to read that a field was set: where somebody goes, what is drawn, a
        result of luck. Numbers, flags and whose turn it is are notes of the rules."""
        column = self.program.columns[mark.what]
        number = values[-1]
        if self._luck == number:
            return True
        if not isinstance(column.type, RefType) or not isinstance(number, int) or number < 0:
            return False
        player = self.program.kinds[self.program.player_kind].family
        return self.program.kinds[column.type.kind].family != player

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
        shown = {
            "from": self.values.name_of(source.kind, giver),
            "amount": self.values.shown(source.type, amount),
            "to": self.values.name_of(target.kind, taker),
        }
        if shown["from"] != shown["to"]:
            return self.values.word("log.move", **shown)
        field = self.program.texts.get(f"field.{target.name}", target.field.replace("_", " "))
        return self.values.word("log.move_within", field=field, **shown)

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
            things = self.values.shown(type_, moved)
        elif count == 1:
            things = self.values.something(zone.holds)
        else:
            kind = self.values.kind_word(zone.holds)
            things = self.values.word("log.some", count=str(count), kind=kind)
        field = self.program.texts.get(f"field.{mark.what}", zone.field.replace("_", " "))
        to = self.values.name_of(zone.family, holder)
        return self.values.word("log.put", things=things, to=to, zone=field)

    def luck(self, mark: Mark, values: tuple[object, ...], seat: int | None) -> str | None:
        """A result of luck: told to seats only where a field that they see takes it."""
        if seat is not None:
            return None
        return f"luck {mark.what}: {', '.join(self._pairs(mark, values, None))}"

    def say(self, mark: Mark, values: tuple[object, ...], seat: int | None) -> str | None:
        """What a rule says, to everybody or to one player."""
        shown: list[str] = []
        for (label, type_), number in zip(mark.parts, values, strict=True):
            if label == "to":
                if seat is not None and number != seat:
                    return None
            elif type_ is not None:
                hides = seat is not None and not self.sight.sees_value(seat, type_, number)
                shown.append(
                    self.values.unnamed(type_) if hides else self.values.shown(type_, number)
                )
        template = self.program.texts.get(mark.what, mark.what)
        holes = self.facts.holes.get(mark.what, ())
        return filled(template, dict(zip(holes, shown, strict=False)))

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
        """What was picked: who was asked is not known here, so seats are not told."""
        if seat is not None:
            return None
        return f"pick {mark.what}: {', '.join(self._pairs(mark, values, None))}"

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
            word, shown = label.replace("_", " "), self.values.shown(type_, number)
            yield shown if word in shown else f"{word} {shown}"

    def hears(self, mark: Mark, values: tuple[object, ...]) -> None:
        """Remembers a result of luck, which the next field set may show."""
        self._luck = values[-1] if mark.kind == "luck" and values else None


Tell = Callable[[Teller, "Mark", tuple[object, ...], int | None], str | None]

_TELLERS: dict[str, Tell] = {
    "rule": Teller.rule,
    "watch": Teller.rule,
    "set": Teller.set_field,
    "move": Teller.move,
    "put": Teller.put,
    "luck": Teller.luck,
    "say": Teller.say,
    "option": Teller.option,
    "answer": Teller.answer,
    "pick": Teller.pick,
}
