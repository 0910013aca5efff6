"""The answers to a question as a person chooses them: a menu, then one pick after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dsl.core.types import IntType, RefType, SetType
from interpreter.cli.suggesting import suggested_sets
from interpreter.cli.table import Table
from interpreter.flat.nodes import Program, Site
from interpreter.session.answers import (
    MOST_LISTED,
    PASS,
    PICK,
    Amount,
    Answer,
    Several,
    answer_word,
    pick_words,
)
from interpreter.session.decision import Decision
from interpreter.session.records import Policy
from interpreter.session.values import Value
from interpreter.session.view import View

MOST_SPELLED_OUT = 15
MOST_REASONS = 5
MOST_SUGGESTED = 6

Choices = list[Value] | Amount | Several


class WrongInput(ValueError):
    """What was typed means nothing here; the message says what would."""


@dataclass(frozen=True, slots=True)
class Item:
    """A line of the menu. `answer`: what it gives, complete; None: its picks are asked for.

    `until`: with a pass, for how long.
    """

    text: str
    name: str
    answer: Answer | None
    until: Policy | None = None


@dataclass(frozen=True, slots=True)
class Pick:
    """What is asked for next: the name of the pick, its type and what can be picked."""

    name: str
    type: object
    choices: Choices


class Asking:
    """An open question, put to a person. `view`: what his seat sees."""

    def __init__(self, decision: Decision, program: Program, table: Table, view: View) -> None:
        self.decision = decision
        self.table = table
        self._view = view
        self._texts = table.values.program.texts
        site = _site(decision, program)
        self._scope = {name: type_ for name, _, type_ in site.scope}
        self._picks: dict[str, list[tuple[str, object]]] = {}
        for info in site.answers:
            types = [pick.type for pick in info.picks]
            named = list(zip(pick_words(info), types, strict=True))
            self._picks.setdefault(answer_word(site, info), named)
        self._found = decision.answers()
        self.items = list(self._menu())

    @property
    def headline(self) -> str:
        """Who is asked what, and about what."""
        seat = self.table.seat_name(self.decision.seat)
        scope = [
            self._told(name, self._scope.get(name), value)
            for name, value in self.decision.scope.items()
            if self._is_news(name, value)
        ]
        about = f" ({', '.join(scope)})" if scope else ""
        if self.decision.is_put:
            return f"{seat}: {self.decision.prompt}"
        return f"{seat}: {self.decision.prompt}?{about}"

    @property
    def details(self) -> list[str]:
        """What the seat sees of the payments, claims and the like that the question is about."""
        lines = (
            self.table.made_in_play(self._view, self._scope.get(name), value)
            for name, value in self.decision.scope.items()
        )
        return [line for line in lines if line]

    def _told(self, name: str, type_: object, value: Value) -> str:
        """A named value; the name is left out where the value says it."""
        word, shown = name.replace("_", " "), self.table.shown(type_, value)
        return shown if word in shown else f"{word} {shown}"

    def _is_news(self, name: str, value: Value) -> bool:
        """Whether a value says what the question is about: things and amounts of a unit do."""
        type_ = self._scope.get(name)
        is_thing = isinstance(type_, RefType | SetType)
        is_amount = isinstance(type_, IntType) and type_.unit is not None
        return (is_thing or is_amount) and value not in (None, []) and value != self.decision.seat

    # ------------------------------------------------------------ the menu

    def _menu(self) -> Iterator[Item]:
        """Each answer on a line where they are few, else one line per option."""
        ways = [answer for answer in self._found if answer.name != PASS]
        by_name: dict[str, list[Answer]] = {}
        for answer in ways:
            by_name.setdefault(answer.name, []).append(answer)
        for name, answers in by_name.items():
            label = self._label(name)
            are_plain = not any(answer.is_open for answer in answers)
            if not are_plain or (len(answers) > 1 and len(ways) > MOST_SPELLED_OUT):
                yield from self._suggested(label, name)
                yield Item(f"{label} ...", name, None)
                continue
            for answer in answers:
                put = self.decision.label(answer)
                if put is not None:
                    yield Item(put, name, answer)
                    continue
                shown = self._picked(answer)
                if name == PICK:
                    yield Item(shown or label, name, answer)
                else:
                    yield Item(f"{label}: {shown}" if shown else label, name, answer)
        if len(ways) < len(self._found):
            put = self.decision.label(PASS) or self._texts.get("answer.pass", PASS)
            yield Item(put, PASS, Answer(PASS))
            if self.decision.form == "window":
                yield Item("pass until your next turn", PASS, Answer(PASS), "turn")

    def _suggested(self, label: str, name: str) -> Iterator[Item]:
        """Some sets that can be picked, where nothing else is picked."""
        if len(self._picks[name]) != 1:
            return
        [(pick, type_)] = self._picks[name]
        choices = self.decision.choices(name)
        if not isinstance(choices, Several):
            return

        def is_legal(things: list[str]) -> bool:
            return self.decision.why_not(Answer(name, {pick: list[Value](things)})) is None

        looks = [self.table.shown_with(self._view, type_, thing) for thing in choices.of]
        of = dict(zip(choices.of, looks, strict=True))
        sizes = range(choices.least, choices.most + 1)
        for things in suggested_sets(choices.of, looks, sizes, is_legal, MOST_SUGGESTED):
            shown = self.table.values.listed(of[thing] for thing in things)
            yield Item(f"{label}: {shown}", name, Answer(name, {pick: list[Value](things)}))

    def _label(self, name: str) -> str:
        if name == PICK:
            return self.decision.prompt
        key = f"answer.{self.decision.question}.{name}"
        if self.decision.form == "window":
            key = f"option.{name}"
        return self._texts.get(key, name.replace("_", " "))

    def _picked(self, answer: Answer) -> str:
        """The picks of an answer in words."""
        types = dict(self._picks[answer.name])
        shown = [
            (name, self.table.shown_with(self._view, types.get(name), value))
            for name, value in answer.picks.items()
            if not isinstance(value, Amount | Several)
        ]
        if len(shown) == 1:
            return shown[0][1]
        words = ((name.replace("_", " "), text) for name, text in shown)
        return ", ".join(text if word in text else f"{word} {text}" for word, text in words)

    def read_item(self, text: str) -> Item:
        """The line of the menu that was typed: its number or its words."""
        if text.isdigit():
            if 1 <= int(text) <= len(self.items):
                return self.items[int(text) - 1]
            raise WrongInput(
                f"there is no answer {text}; type a number from 1 to {len(self.items)}"
            )
        word = text.lower().removesuffix(" ...")
        named = [item for item in self.items if word in _words(item)]
        exact = [item for item in named if item.text.lower() == word] or named
        if len(exact) == 1:
            return exact[0]
        if exact:
            raise WrongInput(f"`{text}` may be several of these; type a number")
        raise WrongInput(f"`{text}` means nothing here; type a number, or `help`")

    # ------------------------------------------------------------ picks

    def next_pick(self, option: str, picks: Mapping[str, Value]) -> Pick | None:
        """What is asked for after some picks; None if all are made."""
        choices = self.decision.choices(option, **picks)
        if choices is None:
            return None
        name, type_ = self._picks[option][len(picks)]
        if isinstance(choices, list) and len(self._found) < MOST_LISTED:
            choices = [each for each in choices if self._is_listed(option, picks, name, each)]
        return Pick(name, type_, choices)

    def _is_listed(self, option: str, picks: Mapping[str, Value], name: str, value: Value) -> bool:
        """Whether some legal answer begins so; what it leaves open is taken as fitting."""
        return any(
            answer.name == option
            and all(_fits(answer.picks.get(word), known) for word, known in picks.items())
            and _fits(answer.picks.get(name), value)
            for answer in self._found
        )

    def ask_line(self, pick: Pick) -> str:
        """What is asked for one pick."""
        word = pick.name.replace("_", " ")
        match pick.choices:
            case Amount(low=low, high=high, step=step):
                steps = f" in steps of {step}" if step != 1 else ""
                return f"{word}: a number from {low:,} to {high:,}{steps}"
            case Several(least=least, most=most):
                many = f"{least}" if least == most else f"{least} to {most}"
                none = ", or - for none" if least == 0 else ""
                return f"{word}: {many} of these, as numbers with commas{none}"
            case _:
                return f"{word}:"

    def lines_of(self, pick: Pick) -> list[str]:
        """What is listed with numbers for a pick."""
        match pick.choices:
            case Amount():
                return []
            case Several(of=of):
                return [self.table.shown_with(self._view, pick.type, each) for each in of]
            case choices:
                return [self.table.shown_with(self._view, pick.type, each) for each in choices]

    def read_pick(self, text: str, pick: Pick) -> Value:
        """What was typed as a pick."""
        match pick.choices:
            case Amount(low=low, high=high):
                if not text.removeprefix("-").isdigit():
                    raise WrongInput(f"`{text}` is no number; type one from {low:,} to {high:,}")
                return int(text)
            case Several(of=of):
                if text in ("-", "none"):
                    return []
                parts = [part.strip() for part in text.split(",") if part.strip()]
                lines = self.lines_of(pick)
                return list(dict.fromkeys(_one(part, list(of), lines) for part in parts))
            case choices:
                return _one(text, choices, self.lines_of(pick))

    # ------------------------------------------------------------ why not

    def why_not(self, option: str, value: str | None = None) -> list[str]:
        """Why an option is refused: for a thing that it might pick, or for all of them."""
        picks = self._picks[option]
        if not picks:
            return [self.decision.why_not(Answer(option)) or "it is possible now"]
        name, type_ = picks[0]
        if not isinstance(type_, RefType):
            found = self.decision.choices(option)
            return [
                f"nothing can be picked as {name}" if found == [] else "that depends on the picks"
            ]
        program = self.table.values.program
        family = program.families[program.kinds[type_.kind].family]
        things = [family.ids[member] for member in program.kinds[type_.kind].members]
        if value is not None:
            things = [_one(value, list(things), [self.table.shown(type_, each) for each in things])]  # type: ignore[list-item]
        can_pick = self.decision.choices(option)
        reasons: dict[str, None] = {}
        for thing in things:
            if value is None and isinstance(can_pick, list) and thing not in can_pick:
                continue
            refused = self._refusal(option, {name: thing}) or "it is possible now"
            reasons[f"{self.table.shown(type_, thing)}: {refused}"] = None
        if not reasons:
            return [f"there is nothing that can be picked as {name.replace('_', ' ')}"]
        rest = len(reasons) - MOST_REASONS
        return [*list(reasons)[:MOST_REASONS], *([f"and {rest} more"] if rest > 0 else [])]

    def _refusal(self, option: str, picks: dict[str, Value]) -> str | None:
        """Why not with these picks; what is missing is taken as the first that can be picked."""
        chosen = dict(picks)
        for name, _ in self._picks[option][len(picks) :]:
            match self.decision.choices(option, **chosen):
                case Amount(low=low):
                    chosen[name] = low
                case Several(of=of, least=least):
                    chosen[name] = list(of[:least])
                case [first, *_]:
                    chosen[name] = first
                case _:
                    return f"nothing can be picked as {name.replace('_', ' ')}"
        return self.decision.why_not(Answer(option, chosen))


def _site(decision: Decision, program: Program) -> Site:
    """The site of a question: all that share its name ask for the same."""
    for site in program.sites.values():
        names = tuple(answer_word(site, info) for info in site.answers)
        is_same = site.question == decision.question and site.form == decision.form
        if is_same and names == decision.options:
            return site
    raise AssertionError(f"no site asks {decision.question}")


def _words(item: Item) -> list[str]:
    if item.until is not None:
        return [item.text.lower()]
    text = item.text.lower().removesuffix(" ...")
    return [text, item.name.lower(), item.name.lower().replace("_", " ")]


def _fits(found: object, value: Value) -> bool:
    return found is None or isinstance(found, Amount | Several) or found == value


def _one(text: str, choices: list[Value], lines: list[str]) -> str | int:
    if text.isdigit() and 1 <= int(text) <= len(choices):
        found = choices[int(text) - 1]
        return found if isinstance(found, str | int) else str(found)
    for choice, line in zip(choices, lines, strict=True):
        if not text.isdigit() and text.lower() in (str(choice).lower(), line.lower()):
            return choice if isinstance(choice, str | int) else str(choice)
    raise WrongInput(f"`{text}` is none of these; type a number from 1 to {len(choices)}")
