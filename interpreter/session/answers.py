"""Answers to an open question: which are legal, why others are not, how they look as numbers.

Everything here works on the live state at the question and changes nothing in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import combinations

from dsl.core.types import ChoiceType, IntType, RefType, SetType
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir.nodes import AnswerInfo, PickInfo, Program, Site, TextInfo
from interpreter.session.asked import (
    ANSWER_FORM,
    GIVEN_PASS,
    PASS,
    PICK,
    REFUSED_PICK,
    Amount,
    Answer,
    AnswerLike,
    Asked,
    Given,
    IllegalAnswer,
    Several,
    answer_word,
    pick_words,
)
from interpreter.session.facts import Facts
from interpreter.session.reasons import Reasons
from interpreter.session.speaking import Shown, Speaking
from interpreter.session.values import Value, ValueMisfit, Values, members
from interpreter.session.view import Sight

MOST_LISTED = 500
MOST_AMOUNTS = 12
MOST_SETS = 64


class Answering:
    """Judges and lists answers in the live state of an engine."""

    def __init__(
        self, engine: PythonEngine, program: Program, facts: Facts, values: Values, sight: Sight
    ) -> None:
        self.engine = engine
        self.program = program
        self.facts = facts
        self.values = values
        self.sight = sight
        self.speaking = Speaking(engine, program, facts, values, sight)
        self.reasons = Reasons(self)

    # ------------------------------------------------------------ judging

    def refusal(self, asked: Asked, given: Given) -> int:
        """0 if an answer is legal, else the number of the reason; pass is not judged here."""
        info = asked.site.answers[given.number - 1]
        refuse = self.engine.function(info.refuse)
        return refuse(asked.seat, *asked.args, *given.picks)

    def is_legal(self, asked: Asked, given: Given) -> bool:
        """Whether an answer can be given, whatever numbers it consists of."""
        if given.number == 0:
            return asked.site.may_pass and not given.picks
        if not 0 < given.number <= len(asked.site.answers):
            return False
        picks = asked.site.answers[given.number - 1].picks
        return (
            len(picks) == len(given.picks)
            and all(self._is_number_of(*each) for each in zip(picks, given.picks, strict=True))
            and self.refusal(asked, given) == 0
        )

    def _is_number_of(self, pick: PickInfo, value: int) -> bool:
        """Whether a number can be one of what is picked; else it is not even to be judged."""
        match pick.type:
            case SetType(kind=kind):
                return 0 <= value < 1 << len(self.values.family(kind).ids)
            case RefType(kind=kind):
                return 0 <= value < len(self.values.family(kind).ids)
            case ChoiceType(values=words):
                return 0 <= value < len(words)
            case _:
                return abs(value) < 1 << 31

    def why_not(self, asked: Asked, given: Given) -> str | None:
        """Why an answer is refused, in words; None if it is legal."""
        if given.number == 0:
            if asked.site.may_pass:
                return None
            return self.values.word("refused.no_pass")
        reason = self.refusal(asked, given)
        if not reason:
            return None
        info = asked.site.answers[given.number - 1]
        return self.reasons.text(asked, info, reason, given.picks)

    def text(self, asked: Asked, text: TextInfo, picks: tuple[int, ...]) -> str:
        """A text with its holes filled from the live state, as far as the seat may know."""
        return self.speaking.text(text, (asked.seat, *asked.args, *picks))

    def label(self, asked: Asked, given: Given) -> str | None:
        """How an answer is put to the player; None where the rules do not say."""
        if not given.number:
            return self.speaking.passing(asked.site, (asked.seat, *asked.args))
        info = asked.site.answers[given.number - 1]
        return None if info.label is None else self.text(asked, info.label, given.picks)

    def prompt(self, asked: Asked) -> str | None:
        """How the question is put; None where the rules do not say."""
        prompt = asked.site.prompt
        return None if prompt is None else self.text(asked, prompt, ())

    def shown(self, asked: Asked) -> list[Shown]:
        """What is at stake at the question."""
        shows = asked.site.shows
        return [] if shows is None else self.speaking.shown(shows, (asked.seat, *asked.args))

    # ------------------------------------------------------------ candidates

    def candidates(
        self, asked: Asked, pick: PickInfo, before: tuple[int, ...]
    ) -> list[int] | Amount:
        """What may be picked after the picks before: entities, words or numbers, or an amount."""
        if pick.kind == "range":
            low, high, step = (
                self._call(name, asked, before) for name in (pick.low, pick.high, pick.step)
            )
            return Amount(low, high, max(step, 1))
        if pick.kind == "row":
            self._call(pick.candidates, asked, before)
            row = self.engine.row("answer_row", 0)
            found = list(row)
            row.clear()
            return found
        return members(self._call(pick.candidates, asked, before))

    def shown_choices(
        self, asked: Asked, pick: PickInfo, before: tuple[int, ...]
    ) -> list[Value] | Amount | Several:
        """What may be picked after the picks before, as values."""
        found = self.candidates(asked, pick, before)
        if isinstance(found, Amount):
            return found
        if pick.kind != "some":
            return [self.values.value(pick.type, one) for one in found]
        least, most = self.bounds(asked, pick, before)
        assert isinstance(pick.type, SetType)
        ids = tuple(self.values.id_of(pick.type.kind, thing) for thing in found)
        return Several(ids, max(least, 0), min(most, len(ids)))

    def bounds(self, asked: Asked, pick: PickInfo, before: tuple[int, ...]) -> tuple[int, int]:
        """How many things a pick of several takes at least and at most."""
        return self._call(pick.low, asked, before), self._call(pick.high, asked, before)

    def _call(self, name: str | None, asked: Asked, before: tuple[int, ...]) -> int:
        if name is None:
            return 0
        return self.engine.function(name)(asked.seat, *asked.args, *before) or 0

    # ------------------------------------------------------------ listing

    def listed(self, asked: Asked, most: int = MOST_LISTED) -> list[Answer]:
        """The legal answers, pass last; see `Answer` for those with open picks."""
        found: list[Answer] = []
        for info in asked.site.answers:
            word = answer_word(asked.site, info)
            for picks in self._ways(asked, info):
                if len(found) >= most:
                    break
                found.append(Answer(word, dict(zip(pick_words(info), picks, strict=True))))
        if asked.site.may_pass:
            found.append(Answer(PASS))
        return found

    def closed(self, asked: Asked, most: int = MOST_LISTED) -> list[Answer]:
        """The legal answers among those in which nothing is left to choose."""
        return [answer for answer in self.listed(asked, most) if not answer.is_open]

    def only_passes(self, asked: Asked) -> bool:
        """Whether pass is all that can be answered."""
        if not asked.site.may_pass:
            return False
        return not any(True for info in asked.site.answers for _ in self._ways(asked, info))

    def _ways(self, asked: Asked, info: AnswerInfo) -> Iterator[list[Value | Amount | Several]]:
        places = [n for n, text in enumerate(info.reasons, 1) if text.key == REFUSED_PICK]
        choosing = [pick for pick in info.picks if pick.kind in ("range", "some")]
        listing = _Listing(asked, info, places, spells_out=len(choosing) == 1)
        for picks, shown in self._continued(listing, (), [], None):
            reason = self.refusal(asked, Given(info.number, picks))
            if reason == 0 or self._depends_on_open(info, reason, shown):
                yield shown

    def _depends_on_open(
        self, info: AnswerInfo, reason: int, shown: list[Value | Amount | Several]
    ) -> bool:
        """Whether a refusal may go away by another choice of what is still open."""
        opened = {n for n, value in enumerate(shown) if isinstance(value, Amount | Several)}
        head = self.facts.heads.get(info.name)
        if head is None or reason > len(head.depends):
            return bool(opened)
        return not opened.isdisjoint(head.depends[reason - 1])

    def _continued(
        self,
        listing: _Listing,
        picks: tuple[int, ...],
        shown: list[Value | Amount | Several],
        opened: int | None,
    ) -> Iterator[tuple[tuple[int, ...], list[Value | Amount | Several]]]:
        info = listing.info
        number = len(picks)
        if number == len(info.picks):
            yield picks, shown
            return
        rest = tuple(0 if pick.kind == "some" else -1 for pick in info.picks[number:])
        reason = self.refusal(listing.asked, Given(info.number, (*picks, *rest)))
        if opened is None and 0 < reason < listing.places[number]:
            return
        pick = info.picks[number]
        for value, seen in self._choices(listing, pick, picks):
            is_open = isinstance(seen, Amount | Several)
            inner = number if opened is None and is_open else opened
            yield from self._continued(listing, (*picks, value), [*shown, seen], inner)

    def _choices(
        self, listing: _Listing, pick: PickInfo, picks: tuple[int, ...]
    ) -> Iterator[tuple[int, Value | Amount | Several]]:
        asked = listing.asked
        found = self.candidates(asked, pick, picks)
        if isinstance(found, Amount):
            if found.low > found.high:
                return
            amounts = range(found.low, found.high + 1, found.step)
            if len(amounts) == 1 or (listing.spells_out and len(amounts) <= MOST_AMOUNTS):
                yield from ((value, self.values.value(pick.type, value)) for value in amounts)
            else:
                yield found.low, found
            return
        if pick.kind != "some":
            yield from ((value, self.values.value(pick.type, value)) for value in found)
            return
        least, most = self.bounds(asked, pick, picks)
        most = min(most, len(found))
        if least > most:
            return
        is_settled = most == 0 or least == len(found)
        if is_settled or (listing.spells_out and 1 << len(found) <= MOST_SETS):
            for size in range(max(least, 0), most + 1):
                for chosen in combinations(found, size):
                    bits = sum(1 << thing for thing in chosen)
                    yield bits, self.values.value(pick.type, bits)
            return
        assert isinstance(pick.type, SetType)
        ids = tuple(self.values.id_of(pick.type.kind, thing) for thing in found)
        sample = sum(1 << thing for thing in found[: max(least, 0)])
        yield sample, Several(ids, max(least, 0), most)

    # ------------------------------------------------------------ reading answers

    def read(self, asked: Asked, like: AnswerLike) -> Given:
        """An answer in numbers; raises IllegalAnswer where it has no meaning here."""
        answer = self._named(asked.site, like)
        if answer.name == PASS and not any(
            answer_word(asked.site, info) == PASS for info in asked.site.answers
        ):
            if not asked.site.may_pass:
                raise IllegalAnswer(self.values.word("refused.no_pass"))
            return GIVEN_PASS
        info = next(
            (one for one in asked.site.answers if answer_word(asked.site, one) == answer.name),
            None,
        )
        if info is None:
            question = asked.site.question.replace("_", " ")
            raise IllegalAnswer(
                self.values.word("refused.unknown", answer=answer.name, question=question)
            )
        words = pick_words(info)
        known = {*words, *(pick.name for pick in info.picks)}
        for name in answer.picks:
            if name not in known:
                raise IllegalAnswer(
                    self.values.word("refused.extra", answer=answer.name, pick=name)
                )
        picks = [
            self._number(answer, pick, word) for word, pick in zip(words, info.picks, strict=True)
        ]
        return Given(info.number, tuple(picks))

    def _number(self, answer: Answer, pick: PickInfo, word: str) -> int:
        value = answer.picks.get(word, answer.picks.get(pick.name))
        if value is None or isinstance(value, Amount | Several):
            raise IllegalAnswer(self.values.word("refused.missing", answer=answer.name, pick=word))
        if isinstance(pick.type, IntType) and isinstance(value, str) and value.isdigit():
            value = int(value)
        try:
            return self.values.number(pick.type, value)
        except ValueMisfit as misfit:
            raise IllegalAnswer(str(misfit)) from None

    def _named(self, site: Site, like: AnswerLike) -> Answer:
        if isinstance(like, Answer):
            return like
        is_pick = site.form in ("pick", "gather")
        if isinstance(like, Mapping):
            name, picks = like.get("answer"), like.get("picks", {})
            if not isinstance(name, str) or not isinstance(picks, Mapping):
                raise IllegalAnswer(ANSWER_FORM)
            if any(key not in ("answer", "picks") for key in like):
                raise IllegalAnswer(ANSWER_FORM)
            return Answer(name, dict(picks))
        if is_pick and not (like == PASS and site.may_pass):
            word = pick_words(site.answers[0])[0]
            is_list = isinstance(like, Sequence | Set) and not isinstance(like, str)
            return Answer(PICK, {word: list(like) if is_list else like})  # type: ignore[arg-type, dict-item]
        if not isinstance(like, str):
            raise IllegalAnswer(f"an answer has a name; {like!r} has none")
        return Answer(like)

    def written(self, asked: Asked, given: Given) -> Answer:
        """An answer in numbers as people and programs read it."""
        if given.number == 0:
            return Answer(PASS)
        info = asked.site.answers[given.number - 1]
        values = [
            self.values.value(pick.type, number)
            for pick, number in zip(info.picks, given.picks, strict=True)
        ]
        return Answer(
            answer_word(asked.site, info), dict(zip(pick_words(info), values, strict=True))
        )


@dataclass(frozen=True, slots=True)
class _Listing:
    """What stays the same while one answer's ways are listed.

    `places`: the numbers of the reasons that belong to its picks. `spells_out`: sets and amounts
    are written out where there are few.
    """

    asked: Asked
    info: AnswerInfo
    places: list[int]
    spells_out: bool
