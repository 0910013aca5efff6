"""A game that people play at the terminal: questions, picks, and what else can be typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from dsl.diagnostics.suggest import did_you_mean
from interpreter.cli.asking import Asking, Choices, Item, Pick, WrongInput
from interpreter.cli.files import read_named, write_named
from interpreter.cli.screen import Screen, read_line
from interpreter.session.asked import PASS, Amount, Answer, IllegalAnswer, Several
from interpreter.session.compile import CompiledGame
from interpreter.session.decision import Bot, Decision
from interpreter.session.game import Game
from interpreter.session.records import POLICIES, Policy, SaveError
from interpreter.session.trace import TraceLine
from interpreter.session.values import Value, capital
from interpreter.session.words import WORDS, WRITTEN

MOST_WHY = 40

HELP = (
    ("help.a_number", "", "play.help.number"),
    ("command.board", "", "play.help.board"),
    ("command.log", "", "play.help.log"),
    ("command.why", "", "play.help.why"),
    ("command.why", " ...", "play.help.why_not"),
    ("answer.pass", " {until} ...", "play.help.pass"),
    ("command.undo", "", "play.help.undo"),
    ("command.redo", "", "play.help.redo"),
    ("command.save", " {file}", "play.help.save"),
    ("command.load", " {file}", "play.help.load"),
    ("command.help", "", "play.help.help"),
    ("command.quit", "", "play.help.quit"),
)


class Quit(Exception):
    """The person wants to stop."""


@dataclass(slots=True)
class _Told:
    """How much of the log a seat has been shown: a phase, and lines from there on."""

    phase: int = 0
    lines: int = 0


@dataclass(frozen=True, slots=True)
class _Back:
    """The person wants to choose something else. `is_new`: the question itself is another now;
    `all_of_it`: all that was picked is taken back, not only the last pick."""

    is_new: bool = False
    all_of_it: bool = True


class Playing:
    """A game at the terminal, from the first question to the end. `shows_ids`: with the places and
    ids that scenarios need."""

    def __init__(
        self,
        compiled: CompiledGame,
        game: Game,
        screen: Screen,
        bots: Mapping[str, Bot],
        *,
        shows_ids: bool = False,
    ) -> None:
        self.compiled = compiled
        self.game = game
        self.screen = screen
        self.bots = bots
        self.shows_ids = shows_ids
        self.word = screen.describer.values.word
        self._program = compiled.module("play").program
        self._told: dict[str, _Told] = {}
        self._drawn: tuple[str, int] | None = None
        self._last_seat: str | None = None
        self._undone: list[str] = []
        self._commands = {
            self._own(each): handler for each, handler in _HANDLERS.items()
        } | _HANDLERS

    def _own(self, command: str) -> str:
        """What a command is called in the language of the game."""
        key = f"command.{command}"
        return self.word(key) if key in WORDS else command

    def run(self) -> None:
        """Plays until the game is over or the person has had enough."""
        try:
            while (decision := self.game.pending) is not None:
                self._ask(decision)
        except Quit:
            self.screen.say(self.word("play.bye"))
            return
        self.tell_end()

    # ------------------------------------------------------------ one question

    def _ask(self, decision: Decision) -> None:
        """Asks until something has changed."""
        self._hand_over(decision.seat)
        self._tell_news(decision.seat)
        if self._drawn != (decision.seat, self.game.phases):
            self._draw(decision.seat)
        view = self.game.view(decision.seat)
        asking = Asking(decision, self._program, self.screen.describer, view, ids=self.shows_ids)
        self._show_question(asking)
        while True:
            text = self._read_line()
            try:
                if self._command(text, asking):
                    return
            except (WrongInput, IllegalAnswer) as wrong:
                self._say(str(wrong))

    def _show_question(self, asking: Asking) -> None:
        self.screen.at_stake(asking.view, asking.at_stake)
        self.screen.question(asking.headline, [item.text for item in asking.items])
        if asking.amount_line:
            self.screen.say(f"  {asking.amount_line}")

    def _command(self, text: str, asking: Asking) -> bool:
        """Does what was typed; whether the question has to be put anew."""
        if not text:
            return False
        command = self._command_in(text)
        if command is not None:
            handler, rest = command
            is_new = handler(self, rest, asking)
            if not is_new and handler in (Playing._help, Playing._board):
                self._show_question(asking)
            return is_new
        word, _, rest = text.partition(" ")
        is_pass = word.lower() in (PASS, self.word("answer.pass"))
        if is_pass and rest.strip() and not asking.has_line(text):
            return self._pass_until(rest.strip(), asking)
        return self._answer(asking.read_item(text), asking)

    def _command_in(self, text: str) -> tuple[Handler, str] | None:
        """The command that was typed, if it is one, and what stands after it."""
        word, _, rest = text.partition(" ")
        handler = self._commands.get(word.lower())
        if handler is None or (rest and handler in _WITHOUT_MORE):
            return None
        return handler, rest.strip()

    def _answer(self, item: Item, asking: Asking) -> bool:
        answer = item.answer
        if answer is None:
            composed = self._compose(item.name, asking)
            if isinstance(composed, _Back):
                if composed.is_new:
                    return True
                self._show_question(asking)
                return False
            answer = composed
        self.game.apply(answer, seat=asking.decision.seat, until=item.until)
        self._undone = []
        return True

    def _pass_until(self, rest: str, asking: Asking) -> bool:
        until = (f"{self.word('command.until')} ", "until ")
        for each in until:
            rest = rest.removeprefix(each)
        known: dict[str, Policy] = {self.word(f"command.{each}"): each for each in POLICIES}
        known |= {each: each for each in POLICIES}
        if rest.strip() not in known:
            names = ", ".join(self.word(f"command.{each}") for each in POLICIES)
            raise WrongInput(self.word("play.until_what", names=names))
        self.game.apply(Answer(PASS), seat=asking.decision.seat, until=known[rest.strip()])
        self._undone = []
        return True

    # ------------------------------------------------------------ picks

    def _compose(self, option: str, asking: Asking) -> Answer | _Back:
        """Asks for the picks of an option one after the other. `back` takes the last one back,
        `cancel` all of them; what can't be agreed to any more is refused at its pick."""
        picks: dict[str, Value] = {}
        asked: list[str] = []
        while (pick := asking.next_pick(option, picks)) is not None:
            if _is_forced(pick.choices):
                picks[pick.name] = _forced(pick.choices)
                continue
            if asked:
                self.screen.say(f"  {self.word('play.so_far', picks=asking.so_far(option, picks))}")
            value = self._read_pick(option, pick, picks, asking)
            if not isinstance(value, _Back):
                asked.append(pick.name)
                picks[pick.name] = value
            elif value.is_new or value.all_of_it or not asked:
                return value
            else:
                last = asked.pop()
                names = list(picks)
                picks = {name: picks[name] for name in names[: names.index(last)]}
        return Answer(option, picks)

    def _read_pick(
        self, option: str, pick: Pick, picks: Mapping[str, Value], asking: Asking
    ) -> Value | _Back:
        """A pick that may still become a legal answer; commands can be typed here too."""
        self._show_pick(option, pick, asking)
        while True:
            text = self._read_line()
            if text.lower() in ("cancel", self.word("command.cancel")):
                return _Back()
            if text.lower() in ("back", self.word("command.back")):
                return _Back(all_of_it=False)
            try:
                command = self._command_in(text)
                if command is None and text:
                    value = asking.read_pick(text, pick)
                    refused = asking.decision.refused_early(option, **picks, **{pick.name: value})
                    if refused is None:
                        return value
                    self._say(refused)
                if command is not None:
                    handler, rest = command
                    if handler(self, rest, asking):
                        return _Back(is_new=True)
                    self._show_pick(option, pick, asking)
            except (WrongInput, IllegalAnswer) as wrong:
                self._say(str(wrong))

    def _show_pick(self, option: str, pick: Pick, asking: Asking) -> None:
        self.screen.say(f"  {asking.ask_line(option, pick)}  {self.word('play.back')}")
        self.screen.numbered(asking.lines_of(pick))

    # ------------------------------------------------------------ commands

    def _help(self, _: str, __: Asking) -> bool:
        self.tell_help()
        return False

    def tell_help(self) -> None:
        """What can be typed."""
        until = self.word("command.until")
        lines = [
            (
                self.word(key) + more.format(until=until, file=self.word("play.file")),
                self.word(text),
            )
            for key, more, text in HELP
        ]
        self.screen.pairs(lines)

    def _board(self, _: str, asking: Asking) -> bool:
        self._draw(asking.decision.seat)
        return False

    def _log(self, rest: str, asking: Asking) -> bool:
        is_all = rest in ("all", self.word("command.all"))
        if rest and not is_all:
            raise WrongInput(self.word("play.log_what"))
        since = max(0, self.game.phases - 1)
        seat = asking.decision.seat
        self.screen.turns(self.game.turns(seat, since, details=is_all), waits=False)
        return False

    def _why(self, rest: str, asking: Asking) -> bool:
        if not rest:
            told = [self._told_why(line) for line in self.game.why(asking.decision.seat)]
            for text in [text for text in told if text][-MOST_WHY:]:
                self.screen.say(f"  {text}")
            if not told:
                self.screen.say(f"  {self.word('play.nothing_new')}")
            return False
        option, value = self._option(rest, asking)
        if value is None and any(item.name == option for item in asking.items):
            self._say(self.word("play.possible"))
            return False
        for reason in asking.why_not(option, value):
            self._say(reason)
        return False

    def _told_why(self, line: TraceLine) -> str:
        """A line of what happened and why: of a rule what it is for, as its author says."""
        text = line.text
        if line.kind in ("rule", "watch"):
            text = self.game.reason_of(line) or ("" if not self.shows_ids else line.text)
        else:
            text = "  " * line.depth + text
        return f"{text}  [{line.place}]" if self.shows_ids and text else text

    def _option(self, text: str, asking: Asking) -> tuple[str, str | None]:
        """The option that is meant, and what stands after its name."""
        named = asking.option_names()
        words = text.lower().split()
        for length in range(len(words), 0, -1):
            name = named.get(" ".join(words[:length]))
            if name is not None:
                return name, " ".join(words[length:]) or None
        shown = asking.option_labels()
        near = did_you_mean(words[0], shown)
        message = self.word("play.no_option", text=text, names=", ".join(shown))
        raise WrongInput(
            f"{message}; {near}"
            if near and self.screen.describer.program.language == WRITTEN
            else message
        )

    def _undo(self, _: str, asking: Asking) -> bool:
        before = self.game.save()
        if not self.game.undo(asking.decision.seat):
            self.screen.say(f"  {self.word('play.no_undo')}")
            return False
        self._undone.append(before)
        self._start_over(self.word("play.undone"))
        return True

    def _redo(self, _: str, __: Asking) -> bool:
        if not self._undone:
            self.screen.say(f"  {self.word('play.no_redo')}")
            return False
        self.game = Game.load(self.compiled, self._undone.pop(), self.bots)
        self._start_over(self.word("play.redone"))
        return True

    def _save(self, rest: str, _: Asking) -> bool:
        if not rest:
            raise WrongInput(self.word("play.save_where"))
        try:
            write_named(rest, self.game.save())
        except OSError as error:
            reason = str(error.strerror)
            raise WrongInput(self.word("play.cant_write", file=rest, reason=reason)) from None
        self.screen.say(f"  {self.word('play.saved', file=rest)}")
        return False

    def _load(self, rest: str, _: Asking) -> bool:
        if not rest:
            raise WrongInput(self.word("play.load_where"))
        try:
            self.game = Game.load(self.compiled, read_named(rest), self.bots)
        except OSError as error:
            reason = str(error.strerror)
            raise WrongInput(self.word("play.cant_read", file=rest, reason=reason)) from None
        except SaveError as error:
            raise WrongInput(str(error)) from None
        self._undone = []
        self._start_over(self.word("play.loaded", file=rest))
        return True

    def _quit(self, _: str, __: Asking) -> bool:
        raise Quit

    # ------------------------------------------------------------ what is shown

    def _hand_over(self, seat: str) -> None:
        """Between two people at one screen, before what the next one sees is shown."""
        if len(self.game.people) > 1 and seat != self._last_seat:
            if self._last_seat is not None:
                self.screen.hide()
            self.screen.say(self.word("play.asked", seat=self.screen.describer.seat_name(seat)))
            while typed := self._read_line():
                command = self._command_in(typed)
                if command is None:
                    break
                if command[0] is Playing._quit:
                    raise Quit
                if command[0] is Playing._help:
                    self.tell_help()
            self._drawn = None
        self._last_seat = seat

    def _tell_news(self, seat: str) -> None:
        told = self._told.setdefault(seat, _Told())
        first, *later = self.game.turns(seat, told.phase) or [[]]
        self.screen.turns([first[told.lines :], *later])
        self._note_told(seat)

    def _note_told(self, seat: str) -> None:
        now = self.game.phases
        self._told[seat] = _Told(now, 0 if self.game.is_over else len(self.game.log(seat, now)))

    def _start_over(self, text: str) -> None:
        self.screen.say(f"  {text}")
        self._drawn = None
        for seat in self.game.people:
            self._note_told(seat)

    def _draw(self, seat: str) -> None:
        self.screen.table(self.game.view(seat))
        self._drawn = (seat, self.game.phases)

    def tell_end(self) -> None:
        """How the game ended, who won, and with what."""
        for seat in self.game.people[:1]:
            self._tell_news(seat)
        self.screen.say()
        if self.game.end is not None:
            self.screen.say(sentence(self.game.end.text))
        fault = self.game.fault
        for line in fault.lines() if fault is not None else ():
            self.screen.say(f"  {line}")
        describer = self.screen.describer
        winners = [describer.seat_name(seat) for seat in self.game.winners]
        if winners:
            self.screen.say(self.word("play.won", names=describer.values.listed(winners)))
        scores = self.game.scores
        if any(scores.values()):
            for seat, score in sorted(scores.items(), key=lambda pair: -pair[1]):
                name, shown = describer.seat_name(seat), self.game.score_words(score)
                self.screen.say(f"  {self.word('play.score', seat=name, score=shown)}")

    def _say(self, text: str) -> None:
        self.screen.say(f"  {sentence(text)}")

    # ------------------------------------------------------------ what is typed

    def _read_line(self) -> str:
        """What is typed next; raises Quit at the end of the input."""
        line = read_line()
        if line is None:
            raise Quit
        return line


Handler = Callable[[Playing, str, Asking], bool]

_HANDLERS: dict[str, Handler] = {
    "help": Playing._help,
    "?": Playing._help,
    "board": Playing._board,
    "log": Playing._log,
    "why": Playing._why,
    "undo": Playing._undo,
    "redo": Playing._redo,
    "save": Playing._save,
    "load": Playing._load,
    "quit": Playing._quit,
    "exit": Playing._quit,
    "q": Playing._quit,
}
_WITHOUT_MORE: tuple[Handler, ...] = (
    Playing._help,
    Playing._board,
    Playing._undo,
    Playing._redo,
    Playing._quit,
)


def _is_forced(choices: Choices) -> bool:
    """Whether there is nothing to choose: one amount, or none of no things."""
    match choices:
        case Amount(low=low, high=high):
            return low == high
        case Several(most=most):
            return most == 0
        case _:
            return False


def _forced(choices: Choices) -> Value:
    return choices.low if isinstance(choices, Amount) else []


def sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = capital(text)
    return text if text.endswith((".", "!", "?", "`")) else text + "."
