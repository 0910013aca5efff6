"""Why answers are refused, in words: those of the rules, and what can be picked where they say
nothing."""

from __future__ import annotations

from typing import Protocol

from dsl.core.types import SetType
from interpreter.flat.ir.nodes import AnswerInfo, PickInfo, TextInfo
from interpreter.session.asked import REFUSED_PICK, Amount, Asked, Given
from interpreter.session.facts import Facts
from interpreter.session.values import Values, members

MOST_NAMED = 6
"""Things that can be picked and are named instead of those that can't; of more none is named."""


class Judge(Protocol):
    """What reasons are worked out with: the open question in the live state."""

    facts: Facts
    values: Values

    def refusal(self, asked: Asked, given: Given) -> int: ...

    def text(self, asked: Asked, text: TextInfo, picks: tuple[int, ...]) -> str: ...

    def candidates(
        self, asked: Asked, pick: PickInfo, before: tuple[int, ...]
    ) -> list[int] | Amount: ...

    def bounds(self, asked: Asked, pick: PickInfo, before: tuple[int, ...]) -> tuple[int, int]: ...


class Reasons:
    """Puts the numbers of reasons into words."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.word = judge.values.word

    def text(self, asked: Asked, info: AnswerInfo, reason: int, picks: tuple[int, ...]) -> str:
        """The text of a reason."""
        if not 0 < reason <= len(info.reasons):
            return self.word("refused.reason")
        text = info.reasons[reason - 1]
        if text.key != REFUSED_PICK:
            return self.judge.text(asked, text, picks)
        number = sum(one.key == REFUSED_PICK for one in info.reasons[: reason - 1])
        return self._pick_refused(asked, info.picks[number], picks, number)

    def key(self, asked: Asked, info: AnswerInfo, reason: int, picks: tuple[int, ...]) -> str:
        """The key of the text of a reason; REFUSED_PICK where nothing is said in the rules."""
        key = info.reasons[reason - 1].key
        if key != REFUSED_PICK:
            return key
        number = sum(one.key == REFUSED_PICK for one in info.reasons[: reason - 1])
        pick = info.picks[number]
        if pick.reason is None or not self._is_among(asked, pick, picks, number):
            return REFUSED_PICK
        return pick.reason.key

    def early(self, asked: Asked, info: AnswerInfo, picks: tuple[int, ...]) -> str | None:
        """Why an answer that begins with these picks is refused whatever comes after them; None
        where it may still be legal."""
        filled = list(picks)
        for pick in info.picks[len(picks) :]:
            found = self.judge.candidates(asked, pick, tuple(filled))
            if isinstance(found, Amount):
                filled.append(found.low)
            elif pick.kind == "some":
                least, _ = self.judge.bounds(asked, pick, tuple(filled))
                filled.append(sum(1 << thing for thing in found[: max(least, 0)]))
            elif found:
                filled.append(found[0])
            else:
                return None
        reason = self.judge.refusal(asked, Given(info.number, tuple(filled)))
        head = self.judge.facts.heads.get(info.name)
        if not reason or head is None or reason > len(head.depends):
            return None
        if any(pick >= len(picks) for pick in head.depends[reason - 1]):
            return None
        return self.text(asked, info, reason, tuple(filled))

    def _is_among(self, asked: Asked, pick: PickInfo, picks: tuple[int, ...], number: int) -> bool:
        """Whether a set is one of as many as may be picked, of what may be picked."""
        least, most = self.judge.bounds(asked, pick, picks[:number])
        chosen = set(members(picks[number]))
        found = self.judge.candidates(asked, pick, picks[:number])
        return least <= len(chosen) <= most and isinstance(found, list) and chosen <= set(found)

    def _pick_refused(
        self, asked: Asked, pick: PickInfo, picks: tuple[int, ...], number: int
    ) -> str:
        found = self.judge.candidates(asked, pick, picks[:number])
        value = self.judge.values.shown(pick.type, picks[number])
        if isinstance(found, Amount):
            return self._not_in_range(pick, found, value)
        if pick.kind != "some":
            return self._not_among(pick, found, value)
        count = picks[number].bit_count()
        if not set(members(picks[number])) <= set(found):
            return self._not_among(pick, found, value)
        least, most = self.judge.bounds(asked, pick, picks[:number])
        if not least <= count <= most:
            return self.word("refused.count", low=str(least), high=str(most), count=str(count))
        if pick.reason is not None:
            return self.judge.text(asked, pick.reason, picks[: number + 1])
        return self.word("refused.set", value=value)

    def _not_in_range(self, pick: PickInfo, found: Amount, value: str) -> str:
        if found.low > found.high:
            return self.word("refused.no_amount")
        low, high = (self.judge.values.shown(pick.type, end) for end in (found.low, found.high))
        key = "refused.amount" if found.step == 1 else "refused.amount_step"
        return self.word(key, value=value, low=low, high=high, step=str(found.step))

    def _not_among(self, pick: PickInfo, found: list[int], value: str) -> str:
        """That something can't be picked, and what can."""
        if not found:
            return self.word("refused.pick_none", value=value)
        if len(found) > MOST_NAMED:
            return self.word(REFUSED_PICK, value=value)
        values = self.judge.values
        if isinstance(pick.type, SetType):
            names = [values.name_of(pick.type.kind, thing) for thing in found]
        else:
            names = [values.shown(pick.type, thing) for thing in found]
        return self.word("refused.pick_of", value=value, names=values.listed(dict.fromkeys(names)))
