"""An open question as people and bots see it, and who may play a seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from interpreter.flat.ir.nodes import Site
from interpreter.session.answers import MOST_LISTED, Answering
from interpreter.session.asked import (
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
from interpreter.session.course import Course
from interpreter.session.speaking import Shown
from interpreter.session.values import Value, ValueMisfit
from interpreter.session.view import View

PERSON = "person"
PERSON_WORDS = (PERSON, "me")
BOT = "bot"


class StaleDecision(RuntimeError):
    """A decision that is looked at after the game has gone on."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The question that is open: who is asked what, and what is known there.

    `form`: `about` (one of some named answers), `pick` (a value), `gather` (a value, in secret),
    `window` (one of some options). `scope`: the values that the question speaks of, by name.
    `options`: the names of the answers there are, legal or not. `is_put`: the rules say how the
    question is put, and `prompt` is that, else only its name. `shown`: what is at stake.
    """

    seat: str
    question: str
    prompt: str
    form: str
    scope: dict[str, Value]
    options: tuple[str, ...]
    may_pass: bool
    is_put: bool
    shown: tuple[Shown, ...]
    _asked: Asked = field(repr=False, compare=False)
    _answering: Answering = field(repr=False, compare=False)
    _is_open: Callable[[], bool] = field(repr=False, compare=False)
    _course: Callable[[], Course] = field(repr=False, compare=False)

    def answers(self, most: int = MOST_LISTED) -> list[Answer]:
        """The legal answers; sets and amounts that are too many to list are left open."""
        return self._judge().listed(self._asked, most)

    def why_not(self, answer: AnswerLike) -> str | None:
        """Why an answer is refused, in words; None if it is legal."""
        judge = self._judge()
        try:
            given = judge.read(self._asked, answer)
        except IllegalAnswer as refused:
            return str(refused)
        return judge.why_not(self._asked, given)

    def label(self, answer: AnswerLike) -> str | None:
        """How the rules put an answer to the player, such as `Draw a card`; None where
        they do not say, or where something is left open."""
        judge = self._judge()
        try:
            return judge.label(self._asked, judge.read(self._asked, answer))
        except IllegalAnswer:
            return None

    def refused_early(self, option: str, **picks: Value) -> str | None:
        """Why an answer that begins with these picks is refused whatever is picked after them;
        None where it may still be legal."""
        judge = self._judge()
        info = next(
            one for one in self._asked.site.answers if answer_word(self._asked.site, one) == option
        )
        numbers = [
            judge.values.number(pick.type, picks[word])
            for word, pick in zip(pick_words(info), info.picks, strict=True)
            if word in picks
        ]
        return judge.reasons.early(self._asked, info, tuple(numbers))

    def choices(self, option: str, **picks: Value) -> list[Value] | Amount | Several | None:
        """What can be picked next for an option after these picks; None if nothing is left.

        What is not refused on its own may still be refused together with the rest. Raises
        IllegalAnswer for an option or a pick that there is not.
        """
        judge = self._judge()
        words = judge.values
        named = {answer_word(self._asked.site, info): info for info in self._asked.site.answers}
        if option not in named:
            raise IllegalAnswer(
                words.word("refused.unknown", answer=option, question=self.question)
            )
        known = pick_words(named[option])
        for word in picks:
            if word not in known:
                raise IllegalAnswer(words.word("refused.extra", answer=option, pick=word))
        before: list[int] = []
        for word, pick in zip(known, named[option].picks, strict=True):
            if word not in picks:
                return judge.shown_choices(self._asked, pick, tuple(before))
            try:
                before.append(words.number(pick.type, picks[word]))
            except ValueMisfit as misfit:
                raise IllegalAnswer(str(misfit)) from None
        return None

    def course(self) -> Course:
        """How the game came here, for samplers (see docs/bots.md): it holds what the seat can't
        see."""
        self._judge()
        return self._course()

    def written(self, given: Given) -> Answer:
        """An answer in numbers as it is given to the game."""
        return self._judge().written(self._asked, given)

    def _judge(self) -> Answering:
        if not self._is_open():
            raise StaleDecision("The game has gone on since this question was asked.")
        return self._answering


Bot = Callable[[View, Decision], AnswerLike]
"""A bot: from what its seat sees and a decision to an answer."""

Seat = str | Bot
"""Who plays a seat: `person`, the name of a strategy, or a bot."""


def make_decision(
    asked: Asked,
    seat: str,
    answering: Answering,
    is_open: Callable[[], bool],
    course: Callable[[], Course],
) -> Decision:
    """The decision for an open question."""
    site, values = asked.site, answering.values
    return Decision(
        seat=seat,
        question=site.question,
        prompt=answering.prompt(asked) or _prompt(site, answering),
        form=site.form,
        scope={
            name: values.value(type_, value)
            for (name, _, type_), value in zip(site.scope, asked.args, strict=True)
            if answering.sight.sees_value(asked.seat, type_, value)
        },
        options=tuple(answer_word(site, info) for info in site.answers),
        may_pass=site.may_pass,
        is_put=site.prompt is not None,
        shown=tuple(answering.shown(asked)),
        _asked=asked,
        _answering=answering,
        _is_open=is_open,
        _course=course,
    )


def _prompt(site: Site, answering: Answering) -> str:
    key = f"{'window' if site.form == 'window' else 'question'}.{site.question}"
    return answering.facts.program.texts.get(key, site.question.replace("_", " "))
