"""An open question and its answers as values: by name, as people give them, and in numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from interpreter.flat.ir.nodes import AnswerInfo, Site
from interpreter.session.values import Value

PASS = "pass"
PICK = "pick"
REFUSED_PICK = "refused.pick"

ANSWER_FORM = "an answer is written {'answer': name, 'picks': {...}}"


class IllegalAnswer(ValueError):
    """An answer that is refused; the message is the reason. Nothing has changed."""


@dataclass(frozen=True, slots=True)
class Amount:
    """Any amount from `low` to `high` in steps of `step`."""

    low: int
    high: int
    step: int = 1


@dataclass(frozen=True, slots=True)
class Several:
    """Any `least` to `most` of these."""

    of: tuple[str, ...]
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class Answer:
    """A named answer or option and what it picks; `pass`; or `pick` with the one thing asked for.

    In a list of answers a pick may be open: an `Amount` or a `Several` to choose from. Whether an
    answer with open picks is legal depends on what is chosen.
    """

    name: str
    picks: Mapping[str, Value | Amount | Several] = field(default_factory=dict)

    @property
    def is_open(self) -> bool:
        """Whether something is left to choose."""
        return any(isinstance(value, Amount | Several) for value in self.picks.values())

    def __str__(self) -> str:
        """As it is written in a scenario: `give(card: ace)`."""
        if not self.picks:
            return self.name
        parts = ", ".join(f"{name}: {_written(value)}" for name, value in self.picks.items())
        return f"{self.name}({parts})"


AnswerLike = Answer | str | int | Sequence[str] | Mapping[str, object]
"""What is taken for an answer: an `Answer`; its name; for a pick just the value; or an answer as
JSON, `{"answer": name, "picks": {...}}`."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An open question: the site, the seat and the values of the scope."""

    site: Site
    seat: int
    args: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Given:
    """An answer in numbers: that of the answer (0: pass), and what is picked, in order."""

    number: int
    picks: tuple[int, ...] = ()


GIVEN_PASS = Given(0)


def pick_words(info: AnswerInfo) -> list[str]:
    """What the picks of an answer are called, in order."""
    plain = [re.sub(r"_\d+$", "", pick.name) for pick in info.picks]
    return [
        word if plain.count(word) == 1 else pick.name
        for word, pick in zip(plain, info.picks, strict=True)
    ]


def answer_word(site: Site, info: AnswerInfo) -> str:
    """What an answer is called: an option that differs by window has one name for all."""
    return PICK if site.form in ("pick", "gather") else info.name.partition("@")[0]


def _written(value: Value | Amount | Several) -> str:
    match value:
        case Amount(low=low, high=high, step=step):
            return f"{low}..{high}" + (f" step {step}" if step != 1 else "")
        case Several(of=of, least=least, most=most):
            return f"{least}..{most} of [{', '.join(of)}]"
        case list():
            return f"[{', '.join(str(item) for item in value)}]"
        case True:
            return "yes"
        case False:
            return "no"
        case None:
            return "none"
        case _:
            return str(value)
