"""The answers to a question as a person chooses them: a menu, then one pick after another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dsl.core.types import IntType, RefType, SetType
from interpreter.cli.suggesting import suggested_sets
from interpreter.flat.ir.nodes import Program, Site
from interpreter.session.answers import MOST_LISTED
from interpreter.session.asked import PASS, PICK, Amount, Answer, Several, answer_word, pick_words
from interpreter.session.decision import Decision
from interpreter.session.records import Policy
from interpreter.session.speaking import Shown
from interpreter.session.values import Value, capital
from interpreter.session.view import View
from interpreter.table.describe import Describer

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

    def __init__(
        self,
        decision: Decision,
        program: Program,
        describer: Describer,
        view: View,
        *,
        ids: bool = False,
    ) -> None:
        """`ids`: things are listed with the ids that scenarios know them by."""
        self.decision = decision
        self._shows_ids = ids
        self.describer = describer
        self.view = view
        self._texts = describer.program.texts
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
        seat = self.describer.seat_name(self.decision.seat)
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
    def at_stake(self) -> list[Shown]:
        """What the question is about: as the rules say, else the things in its scope."""
        if self.decision.shown or self.decision.is_put:
            return list(self.decision.shown)
        found = []
        for name, value in self.decision.scope.items():
            type_ = self._scope.get(name)
            if isinstance(type_, RefType) and self._is_news(name, value):
                text = self.describer.shown(type_, value)
                found.append(Shown(name.replace("_", " "), text, type_.kind, (str(value),)))
        return found

    def _told(self, name: str, type_: object, value: Value) -> str:
        """A named value; the name is left out where the value says it."""
        word, shown = name.replace("_", " "), self.describer.shown(type_, value)
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
                if name == PICK and self.amount is not None:
                    continue  # it is typed
                yield from self._suggested(label, name)
                words = self.word("table.choose") if name == PICK else label
                yield Item(f"{words} ...", name, None)
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
                plain = self._texts.get("answer.pass", PASS)
                text = self.word("play.until_turn", **{"pass": plain})
                yield Item(text, PASS, Answer(PASS), "turn")

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

        looks = [self.describer.with_details(self.view, type_, thing) for thing in choices.of]
        of = dict(zip(choices.of, looks, strict=True))
        sizes = range(choices.least, choices.most + 1)
        for things in suggested_sets(choices.of, looks, sizes, is_legal, MOST_SUGGESTED):
            shown = self.describer.values.listed(of[thing] for thing in things)
            text = shown if name == PICK else f"{label}: {shown}"
            yield Item(text, name, Answer(name, {pick: list[Value](things)}))

    @property
    def amount(self) -> Amount | None:
        """The amount that is asked for, where it is one of many and nothing else is."""
        if self.decision.options != (PICK,):
            return None
        found = self.decision.choices(PICK)
        return found if isinstance(found, Amount) and found.low < found.high else None

    def word(self, key: str, **holes: str) -> str:
        """A word of the program in the language of the game."""
        return self.describer.values.word(key, **holes)

    @property
    def amount_line(self) -> str:
        """What to type where an amount is asked for; empty where none is."""
        return "" if self.amount is None else capital(self._wanted(self.amount))

    def has_line(self, text: str) -> bool:
        """Whether the menu has a line with these words."""
        return any(item.text.lower() == text.lower() for item in self.items)

    def option_names(self) -> dict[str, str]:
        """The answers there are, possible or not, by all that they may be called."""
        named = {}
        for option in self.decision.options:
            for word in (self._label(option).lower(), option.replace("_", " "), option):
                named[word] = option
        return named

    def option_labels(self) -> list[str]:
        """What the answers there are are called."""
        return list(dict.fromkeys(self._label(option) for option in self.decision.options))

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
            (name, self.describer.with_details(self.view, types.get(name), value))
            for name, value in answer.picks.items()
            if not isinstance(value, Amount | Several)
        ]
        if len(shown) == 1:
            return shown[0][1]
        words = ((name.replace("_", " "), text) for name, text in shown)
        return ", ".join(text if word in text else f"{word} {text}" for word, text in words)

    def read_item(self, text: str) -> Item:
        """The line of the menu that was typed: its number or its words; or the amount asked for."""
        if self.amount is not None and text.removeprefix("-").isdigit():
            [(pick, _)] = self._picks[PICK]
            return Item(text, PICK, Answer(PICK, {pick: int(text)}))
        if text.isdigit():
            if 1 <= int(text) <= len(self.items):
                return self.items[int(text) - 1]
            raise WrongInput(self.word("play.no_line", text=text, most=str(len(self.items))))
        word = text.lower().removesuffix(" ...")
        named = [item for item in self.items if word in self._words_of(item)]
        exact = [item for item in named if item.text.lower() == word] or named
        if len(exact) == 1:
            return exact[0]
        if exact:
            raise WrongInput(self.word("play.several_lines", text=text))
        raise WrongInput(self.word("play.unknown", text=text))

    def _words_of(self, item: Item) -> list[str]:
        """What can be typed for a line of the menu; for a set to be chosen also the word of the
        question."""
        text = item.text.lower().removesuffix(" ...")
        if item.until is not None:
            return [text]
        plain = [text, item.name.lower(), item.name.lower().replace("_", " ")]
        question = self.decision.question
        chooses = item.name == PICK and item.answer is None
        return [*plain, question, question.replace("_", " ")] if chooses else plain

    def so_far(self, option: str, picks: Mapping[str, Value]) -> str:
        """What has been picked, in words."""
        types = dict(self._picks[option])
        said = [
            f"{self.pick_word(option, name)} {self.describer.shown(types[name], value)}"
            for name, value in picks.items()
            if value not in ([], 0)
        ]
        return "; ".join(said)

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

    def ask_line(self, option: str, pick: Pick) -> str:
        """What is asked for one pick."""
        return f"{self.pick_word(option, pick.name)}: {self._wanted(pick.choices)}".rstrip()

    def _wanted(self, choices: Choices) -> str:
        """What has to be typed for a pick."""
        match choices:
            case Amount(low=low, high=high, step=step):
                key = "play.number" if step == 1 else "play.number_step"
                return self.word(
                    key, low=self._number(low), high=self._number(high), step=str(step)
                )
            case Several(least=least, most=most):
                many = str(least)
                if least != most:
                    many = self.word("play.range", low=str(least), high=str(most))
                return self.word("play.several" if least else "play.several_or_none", many=many)
            case _:
                return ""

    def _number(self, number: int) -> str:
        """A number with a sign between its thousands."""
        return f"{number:,}".replace(",", self.word("play.group"))

    def pick_word(self, option: str, name: str) -> str:
        """What a pick is called."""
        of = f"question.{self.decision.question}" if option == PICK else f"option.{option}"
        return self._texts.get(f"{of}.pick.{name}", name.replace("_", " "))

    def lines_of(self, pick: Pick) -> list[str]:
        """What is listed with numbers for a pick."""
        match pick.choices:
            case Amount():
                return []
            case Several(of=of):
                return [self._listed(pick.type, each) for each in of]
            case choices:
                return [self._listed(pick.type, each) for each in choices]

    def _listed(self, type_: object, value: Value) -> str:
        shown = self.describer.with_details(self.view, type_, value)
        return f"{shown} [{value}]" if self._shows_ids else shown

    def read_pick(self, text: str, pick: Pick) -> Value:
        """What was typed as a pick."""
        match pick.choices:
            case Amount():
                if not text.removeprefix("-").isdigit():
                    wanted = self._wanted(pick.choices)
                    raise WrongInput(self.word("play.no_number", text=text, wanted=wanted))
                return int(text)
            case Several(of=of):
                if text in ("-", "none"):
                    return []
                parts = [part.strip() for part in text.split(",") if part.strip()]
                lines = self.lines_of(pick)
                return list(dict.fromkeys(self._one(part, list(of), lines) for part in parts))
            case choices:
                return self._one(text, choices, self.lines_of(pick))

    # ------------------------------------------------------------ why not

    def why_not(self, option: str, value: str | None = None) -> list[str]:
        """Why an option is refused: for a thing that it might pick, or for all of them."""
        picks = self._picks[option]
        possible = self.word("play.possible")
        if not picks:
            return [self.decision.why_not(Answer(option)) or possible]
        name, type_ = picks[0]
        nothing = self.word("play.nothing_for", pick=self.pick_word(option, name))
        can_pick = self.decision.choices(option)
        if not isinstance(type_, RefType):
            return [nothing if can_pick == [] else self.word("play.depends")]
        things = self._things(type_, value)
        reasons: dict[str, None] = {}
        for thing in things:
            if value is None and isinstance(can_pick, list) and thing not in can_pick:
                continue
            reason = self._refusal(option, {name: thing}) or possible
            shown = self.describer.shown(type_, thing)
            is_said = reason.startswith(shown)
            reasons[
                reason if is_said else self.word("play.refused", thing=shown, reason=reason)
            ] = None
        rest = len(reasons) - MOST_REASONS
        more = [self.word("play.and_more", count=str(rest))] if rest > 0 else []
        return [*list(reasons)[:MOST_REASONS], *more] or [nothing]

    def _things(self, type_: RefType, value: str | None) -> list[str]:
        """All things of a kind, or the one that is meant."""
        program = self.describer.program
        family = program.families[program.kinds[type_.kind].family]
        things = [family.ids[member] for member in program.kinds[type_.kind].members]
        if value is None:
            return things
        names = [self.describer.shown(type_, each) for each in things]
        return [str(self._one(value, list[Value](things), names))]

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
                    return self.decision.refused_early(option, **picks) or self.word(
                        "play.nothing_for", pick=self.pick_word(option, name)
                    )
        return self.decision.why_not(Answer(option, chosen))

    def _one(self, text: str, choices: list[Value], lines: list[str]) -> str | int:
        """The choice that was typed: by its number, name or id, or how only one of them begins."""
        word = text.lower()
        if text.isdigit():
            found = choices[int(text) - 1 : int(text)] if int(text) else []
        else:
            named = list(zip(choices, (line.lower() for line in lines), strict=True))
            found = [choice for choice, line in named if word in (str(choice).lower(), line)][:1]
            found = found or [choice for choice, line in named if line.startswith(word)]
        if len(found) == 1:
            return found[0] if isinstance(found[0], str | int) else str(found[0])
        key = "play.several_lines" if found else "play.none_of"
        raise WrongInput(self.word(key, text=text, most=str(len(choices))))


def _site(decision: Decision, program: Program) -> Site:
    """The site of a question: all that share its name ask for the same."""
    for site in program.sites.values():
        names = tuple(answer_word(site, info) for info in site.answers)
        is_same = site.question == decision.question and site.form == decision.form
        if is_same and names == decision.options:
            return site
    raise AssertionError(f"no site asks {decision.question}")


def _fits(found: object, value: Value) -> bool:
    return found is None or isinstance(found, Amount | Several) or found == value
