"""What is expected of questions and of the end of the game, where play stands or waits."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dsl.core import nodes as core
from dsl.core.types import RefType
from interpreter.flat.program.scenarios import AskedInfo, MayInfo
from interpreter.scenario.answering import QueuedAnswers, as_said
from interpreter.session.answers import Answering
from interpreter.session.asked import Asked

MOST_ANSWERS = 30


@dataclass(frozen=True, slots=True)
class Misjudged:
    """Why it is not as expected, and what would have been legal."""

    message: str
    answers: tuple[str, ...] = ()


class Judge:
    """Looks at the live state of an engine, and changes nothing in it."""

    def __init__(self, answering: Answering, queued: QueuedAnswers) -> None:
        self.answering = answering
        self.queued = queued
        self.engine = answering.engine
        self.program = answering.facts.program

    def check(
        self,
        expected: MayInfo | AskedInfo | core.GameIs,
        stop: Asked | None,
        asked: frozenset[tuple[str, int]],
    ) -> Misjudged | None:
        """None if it is so. `stop`: the question at which play waits; `asked`: what was asked of
        whom since the last `when`."""
        match expected:
            case MayInfo():
                assert stop is not None
                return self._may(expected, stop)
            case AskedInfo():
                return self._asked(expected, stop, asked)
            case core.GameIs():
                over = bool(self.engine.scalar("over"))
                if over == expected.over:
                    return None
                return Misjudged(f"the game {'is over' if over else 'goes on'}")

    # ------------------------------------------------------------ who is asked

    def _asked(
        self, expected: AskedInfo, stop: Asked | None, asked: frozenset[tuple[str, int]]
    ) -> Misjudged | None:
        seat = self._seat(expected.who)
        was = (expected.question, seat) in asked
        if stop is not None and stop.site.question == expected.question:
            was = was or seat in self.seats(stop)
        if was is not expected.negative:
            return None
        word = "is" if was else "was not"
        return Misjudged(f"{self._name(seat)} {word} asked `{expected.question}`")

    def seats(self, stop: Asked) -> list[int]:
        """Whom the question asks at which play waits: of those before the one it has come to, only
        those whom it may ask again."""
        asking = stop.site.asking
        if asking is None or asking.listing is None:
            return [stop.seat]
        self.engine.function(asking.listing)(*stop.args)
        row = self.engine.row("answer_row", 0)
        seats = list(row)
        row.clear()
        if stop.seat not in seats:
            return [stop.seat]
        at = seats.index(stop.seat)
        match asking.closing:
            case "exactly one":
                return seats[at : at + 1]
            case "once each" | "until one acts":
                return seats[at:]
            case _:
                return seats

    # ------------------------------------------------------------ what may be answered

    def _may(self, expected: MayInfo, stop: Asked) -> Misjudged | None:
        seat = self._seat(expected.who)
        seats = self.seats(stop)
        if seat not in seats:
            names = ", ".join(self._name(one) for one in seats)
            who, question = self._name(seat), stop.site.question
            return Misjudged(f"{who} is not asked `{question}` here: it asks {names}")
        asked = self._put_to(stop, seat)
        fit = self.queued.fit(asked, expected.answer)
        if not expected.negative:
            if fit.given is not None:
                return None
            legal = tuple(as_said(one) for one in self.answering.listed(asked, MOST_ANSWERS))
            return Misjudged(
                f"this may not be answered: {fit.why_not or 'it means nothing'}", legal
            )
        if fit.given is not None:
            return Misjudged("this may be answered")
        texts = self.program.texts
        wanted = None if expected.reason is None else texts.get(expected.reason, expected.reason)
        found = None if fit.key is None else texts.get(fit.key, fit.key)
        if wanted == found:
            return None
        if wanted is None:
            return Misjudged(f'it is refused for a reason that has to be said: "{found}"')
        return Misjudged(f"it is refused for another reason: {fit.why_not}")

    def _put_to(self, stop: Asked, seat: int) -> Asked:
        """The question as it is put to another seat."""
        asking = stop.site.asking
        own = None if asking is None else asking.own
        args = tuple(seat if place == own else arg for place, arg in enumerate(stop.args))
        return replace(stop, seat=seat, args=args)

    def _seat(self, function: str) -> int:
        return int(self.engine.function(function)())

    def _name(self, seat: int) -> str:
        return self.answering.values.shown(RefType(self.program.player_kind), seat)
