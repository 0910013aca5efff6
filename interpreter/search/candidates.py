"""A bounded list of answers to a question that are worth trying.

Things that the seat can't tell apart are one candidate. Amounts and sets that are too many to try
are represented by their ends, by what strategies would answer, and by random ones that are legal.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations, islice

from dsl.core.types import RefType, SetType
from interpreter.flat.ir.nodes import AnswerInfo, PickInfo
from interpreter.search.hidden import looks
from interpreter.session.answers import Answering
from interpreter.session.asked import GIVEN_PASS, REFUSED_PICK, Amount, Asked, Given
from interpreter.session.state import LiveState
from interpreter.session.values import members

Key = tuple[object, ...]
"""Answers with equal keys are alike to the seat: the same option with things that look the same."""

MOST = 40
MOST_OF_ONE = 150  # ways to give one answer that are looked at
MOST_AMOUNTS = 12
MOST_SETS = 64
RANDOM_SETS = 6


class Candidates:
    """Lists candidates in the live state of an engine."""

    def __init__(self, answering: Answering, state: LiveState) -> None:
        self.answering = answering
        self.state = state
        program = state.program
        self._columns = {
            family: [
                column
                for column in program.columns.values()
                if column.family == family and column.role != "data"
            ]
            for family in program.families
        }
        holders = {zone.family for zone in program.zones.values()}
        self._looks: dict[str, list[Key]] = {}
        for family in program.families:
            found = looks(program, family)
            if family not in holders and len(set(found)) < len(found):
                self._looks[family] = found

    # ------------------------------------------------------------ what looks the same

    def key(self, asked: Asked, given: Given) -> Key:
        """The key of an answer."""
        if given.number == 0:
            return (0,)
        picks = asked.site.answers[given.number - 1].picks
        shown = (
            self._pick_key(asked.seat, pick, value)
            for pick, value in zip(picks, given.picks, strict=True)
        )
        return (given.number, *shown)

    def _pick_key(self, seat: int, pick: PickInfo, value: int) -> object:
        if isinstance(pick.type, SetType):
            family = self.state.program.kinds[pick.type.kind].family
            if family in self._looks:
                shown = [self._look(seat, family, thing) for thing in members(value)]
                return tuple(sorted(shown, key=repr))
        elif isinstance(pick.type, RefType) and value >= 0:
            family = self.state.program.kinds[pick.type.kind].family
            if family in self._looks:
                return self._look(seat, family, value)
        return value

    def _look(self, seat: int, family: str, thing: int) -> Key:
        """What a seat sees of a thing: its look, where it lies, and the fields that it sees."""
        state, sight = self.state, self.answering.sight
        fields = tuple(
            str(state.number(column, thing)) if sight.sees_field(seat, column, thing) else None
            for column in self._columns[family]
            if state.has_field(column, thing)
        )
        held = state.layout.held.get(family)
        place: object = None
        if held is not None:
            place = state.engine.cell(held.place_column, thing)
            found = state.place(family, thing)
            if found is not None and found[0].ordered:
                place = (place, state.things(*found).index(thing))
        return (*self._looks[family][thing], place, *fields)

    # ------------------------------------------------------------ listing

    def listed(
        self, asked: Asked, first: Sequence[Given], rng: random.Random, most: int = MOST
    ) -> dict[Key, Given]:
        """Legal answers by their keys, those in `first` before all others."""
        found: dict[Key, Given] = {}
        for given in first:
            if self._is_legal(asked, given):
                found.setdefault(self.key(asked, given), given)
        more: dict[Key, Given] = {}
        for info in asked.site.answers:
            for picks in islice(self._ways(asked, info, rng), MOST_OF_ONE):
                given = Given(info.number, picks)
                key = self.key(asked, given)
                if key not in found:
                    more.setdefault(key, given)
        if asked.site.may_pass and (0,) not in found:
            found[(0,)] = GIVEN_PASS
        room = max(0, most - len(found))
        if len(more) > room:
            chosen = set(rng.sample(range(len(more)), room))
            more = {key: given for n, (key, given) in enumerate(more.items()) if n in chosen}
        return found | more

    def _is_legal(self, asked: Asked, given: Given) -> bool:
        if given.number == 0:
            return asked.site.may_pass
        return self.answering.refusal(asked, given) == 0

    def _ways(
        self, asked: Asked, info: AnswerInfo, rng: random.Random
    ) -> Iterator[tuple[int, ...]]:
        """Picks with which an answer is legal."""
        places = [n for n, text in enumerate(info.reasons, 1) if text.key == REFUSED_PICK]
        last = len(info.picks) - 1

        def go_on(picks: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
            number = len(picks)
            if number == len(info.picks):
                if self.answering.refusal(asked, Given(info.number, picks)) == 0:
                    yield picks
                return
            rest = tuple(0 if pick.kind == "some" else -1 for pick in info.picks[number:])
            reason = self.answering.refusal(asked, Given(info.number, (*picks, *rest)))
            if 0 < reason < places[number]:
                return
            for value in self._values(asked, info, picks, rng, is_last=number == last):
                yield from go_on((*picks, value))

        yield from go_on(())

    def _values(
        self,
        asked: Asked,
        info: AnswerInfo,
        picks: tuple[int, ...],
        rng: random.Random,
        *,
        is_last: bool,
    ) -> Iterator[int]:
        """Values for the next pick, alike ones once."""
        pick = info.picks[len(picks)]
        found = self.answering.candidates(asked, pick, picks)
        if isinstance(found, Amount):
            yield from _amounts(found)
            return
        if pick.kind != "some":
            yield from self._different(asked.seat, pick, found)
            return
        least, most = self.answering.bounds(asked, pick, picks)
        least, most = max(least, 0), min(most, len(found))
        if least > most:
            return
        sets = self._some(found, least, most)
        if is_last and 1 << len(found) > MOST_SETS:
            sets = [*sets, *self._random_sets(asked, info, picks, found, most, rng)]
        yield from self._different(asked.seat, pick, sets)

    def _different(self, seat: int, pick: PickInfo, values: Sequence[int]) -> Iterator[int]:
        seen: set[object] = set()
        for value in values:
            key = self._pick_key(seat, pick, value)
            if key not in seen:
                seen.add(key)
                yield value

    def _some(self, found: list[int], least: int, most: int) -> list[int]:
        """Sets of a size that fits: all of them where they are few, else the ends."""
        sizes = range(least, most + 1) if 1 << len(found) <= MOST_SETS else {least, min(1, most)}
        sets: list[int] = []
        for size in sizes:
            if least <= size <= most:
                ways = islice(combinations(found, size), MOST_SETS)
                sets += [sum(1 << thing for thing in chosen) for chosen in ways]
        if most == len(found):
            sets.append(sum(1 << thing for thing in found))
        return sets

    def _random_sets(
        self,
        asked: Asked,
        info: AnswerInfo,
        picks: tuple[int, ...],
        found: list[int],
        most: int,
        rng: random.Random,
    ) -> Iterator[int]:
        """Legal sets: items in a random order until it is enough, without those not needed."""

        def is_legal(bits: int) -> bool:
            return self.answering.refusal(asked, Given(info.number, (*picks, bits))) == 0

        for _ in range(RANDOM_SETS):
            chosen = 0
            for thing in rng.sample(found, len(found))[:most]:
                chosen |= 1 << thing
                if is_legal(chosen):
                    break
            for thing in members(chosen):
                if is_legal(chosen & ~(1 << thing)):
                    chosen &= ~(1 << thing)
            yield chosen


def _amounts(found: Amount) -> Iterator[int]:
    """All amounts where they are few, else both ends and some between."""
    number = (found.high - found.low) // found.step + 1
    if number <= MOST_AMOUNTS:
        yield from range(found.low, found.high + 1, found.step)
        return
    for part in range(MOST_AMOUNTS):
        yield found.low + (number - 1) * part // (MOST_AMOUNTS - 1) * found.step
