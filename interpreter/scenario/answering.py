"""Whether an answer of a scenario fits an open question, what it leaves open, and what is answered
where a scenario says nothing."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.core.types import IntType, RefType, SetType
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir.nodes import AnswerInfo, PickInfo, Site, TextPart
from interpreter.flat.program.scenarios import SaidInfo
from interpreter.session.answers import Answering
from interpreter.session.asked import (
    GIVEN_PASS,
    PASS,
    PICK,
    REFUSED_PICK,
    Amount,
    Answer,
    Asked,
    Given,
    answer_word,
    pick_words,
)

MOST_TRIED = 2_000


@dataclass(frozen=True, slots=True)
class Fit:
    """How an answer fits a question. `given`: the answer, if it is legal. `why_not`: why it is
    refused, and `key` that of the reason's text, if the rules say it; None, with nothing given,
    where it means nothing here."""

    given: Given | None = None
    why_not: str | None = None
    key: str | None = None

    @property
    def has_meaning(self) -> bool:
        """Whether the answer is one that the question has, legal or not."""
        return self.given is not None or self.why_not is not None


class QueuedAnswers:
    """Reads queued answers in the live state of an engine."""

    def __init__(self, engine: PythonEngine, answering: Answering) -> None:
        self.engine = engine
        self.answering = answering
        self._tried = 0

    def fit(self, asked: Asked, said: SaidInfo) -> Fit:
        """How an answer fits a question."""
        self._tried = 0
        if said.question not in (None, asked.site.question):
            return Fit()
        if is_pass(said):
            if asked.site.may_pass:
                return Fit(Given(0))
            return Fit(why_not=self.answering.why_not(asked, Given(0)))
        if said.value is not None:
            return self._plain(asked, said.value)
        fits = [
            self._named(asked, info, said)
            for info in asked.site.answers
            if answer_word(asked.site, info) == (said.name or "").partition("@")[0]
        ]
        return fits[0] if fits else Fit()

    def _named(self, asked: Asked, info: AnswerInfo, said: SaidInfo) -> Fit:
        values: dict[int, int] = {}
        words = pick_words(info)
        for position, (name, part) in enumerate(said.args):
            names = [pick.name for pick in info.picks]
            place = position if name is None else _place(name, names, words)
            if place is None or place >= len(info.picks):
                return Fit()
            values[place] = self._value(info.picks[place], part)
        return self._search(asked, info, values)

    def _plain(self, asked: Asked, part: TextPart) -> Fit:
        """A value without a name: what is picked, or what the only option that takes it picks."""
        fits: list[Fit] = []
        for info in asked.site.answers:
            for place, pick in enumerate(info.picks):
                if _takes(pick, part, self.answering):
                    found = self._search(asked, info, {place: self._value(pick, part)})
                    fits.append(found)
                    break
        legal = [one for one in fits if one.given is not None]
        if len(legal) == 1:
            return legal[0]
        if not legal and len(fits) == 1:
            return fits[0]
        return Fit(why_not="it is not clear which option is meant") if len(legal) > 1 else Fit()

    def _value(self, pick: PickInfo, part: TextPart) -> int:
        number = self.engine.function(part.function)()
        if pick.kind == "some" and isinstance(part.type, RefType):
            return 1 << number if number >= 0 else 0
        return number

    # ------------------------------------------------------------ where no answer is given

    def unsaid(self, asked: Asked) -> Given | None:
        """What is answered by itself: pass where one may, else nothing where nothing may be picked,
        else the only legal answer. None where there is something to choose."""
        if asked.site.may_pass:
            return GIVEN_PASS
        if asked.site.form in ("pick", "gather"):
            info = asked.site.answers[0]
            nothing = Given(info.number, (0,))
            if info.picks[0].kind in ("some", "range") and not self.answering.refusal(
                asked, nothing
            ):
                return nothing
        legal = self.answering.listed(asked, 2)
        if len(legal) != 1 or legal[0].is_open:
            return None
        return self.answering.read(asked, legal[0])

    def written(self, site: Site, given: Given) -> str:
        """An answer as a scenario writes it."""
        info = site.answers[given.number - 1]
        values = (
            self.answering.values.value(pick.type, number)
            for pick, number in zip(info.picks, given.picks, strict=True)
        )
        picks = dict(zip(pick_words(info), values, strict=True))
        return as_said(Answer(answer_word(site, info), picks))

    # ------------------------------------------------------------ what is left open

    def _search(self, asked: Asked, info: AnswerInfo, values: dict[int, int]) -> Fit:
        """The first legal answer with these values; what is left open is searched in order."""
        refused: list[tuple[int, tuple[int, ...]]] = []
        given = self._continued(asked, info, values, (), refused)
        if given is not None:
            return Fit(given)
        if refused:
            reason, picks = max(refused, key=lambda one: one[0])
            key = self.answering.reasons.key(asked, info, reason, picks)
            why_not = self.answering.reasons.text(asked, info, reason, picks)
            return Fit(None, why_not, None if key == REFUSED_PICK else key)
        missing = [word for n, word in enumerate(pick_words(info)) if n not in values]
        return Fit(why_not=f"there is nothing to choose as {', '.join(missing)}")

    def _continued(
        self,
        asked: Asked,
        info: AnswerInfo,
        values: dict[int, int],
        picks: tuple[int, ...],
        refused: list[tuple[int, tuple[int, ...]]],
    ) -> Given | None:
        number = len(picks)
        if number == len(info.picks):
            self._tried += 1
            given = Given(info.number, picks)
            reason = self.answering.refusal(asked, given)
            if reason == 0:
                return given
            refused.append((reason, picks))
            return None
        for value in self._candidates(asked, info.picks[number], number, values, picks):
            if self._tried > MOST_TRIED:
                return None
            found = self._continued(asked, info, values, (*picks, value), refused)
            if found is not None:
                return found
        return None

    def _candidates(
        self,
        asked: Asked,
        pick: PickInfo,
        number: int,
        values: dict[int, int],
        picks: tuple[int, ...],
    ) -> list[int]:
        if number in values:
            return [values[number]]
        found = self.answering.candidates(asked, pick, picks)
        if isinstance(found, Amount):
            return [found.low] if found.low <= found.high else []
        if pick.kind != "some":
            return found
        least = self.answering.shown_choices(asked, pick, picks)
        count = getattr(least, "least", 0)
        return [sum(1 << thing for thing in found[:count])]


def as_said(answer: Answer) -> str:
    """An answer as a scenario writes it: what is picked stands alone."""
    text = str(answer)
    if answer.name != PICK:
        return text
    return text.removeprefix(f"{PICK}({next(iter(answer.picks))}: ").removesuffix(")")


def is_pass(said: SaidInfo) -> bool:
    """Whether a queued answer is `pass`."""
    return said.value is None and said.name in (None, PASS)


def _place(name: str, names: list[str], words: list[str]) -> int | None:
    if name in names:
        return names.index(name)
    return words.index(name) if name in words else None


def _takes(pick: PickInfo, part: TextPart, answering: Answering) -> bool:
    """Whether a pick can take a value of this type."""
    wanted, found = pick.type, part.type
    if isinstance(wanted, IntType):
        return isinstance(found, IntType)
    if isinstance(wanted, RefType) and not isinstance(found, RefType):
        return False
    if isinstance(wanted, RefType | SetType) and isinstance(found, RefType | SetType):
        if found.kind == "":
            return True
        kinds = answering.values.program.kinds
        return kinds[wanted.kind].family == kinds[found.kind].family
    return type(wanted) is type(found)
