"""`rulewright play`."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice

import click

from dsl.diagnostics.suggest import did_you_mean
from interpreter.cli.asking import Asking, Choices, Item, Pick, WrongInput
from interpreter.cli.completing import complete_variants
from interpreter.cli.defaults import defaults_of, is_given
from interpreter.cli.files import read_named, write_named
from interpreter.cli.games import compiled_game, the_library
from interpreter.cli.options import Wish, game_options, listed
from interpreter.cli.seats import ME, seated
from interpreter.cli.table import Table, numbered
from interpreter.cli.watching import LEAVING, Watching
from interpreter.engine.seeding import MOST_GAMES, MOST_SEED
from interpreter.session.answers import PASS, Amount, Answer, IllegalAnswer, Several
from interpreter.session.compile import CompiledGame
from interpreter.session.decision import Bot, Decision
from interpreter.session.game import Game
from interpreter.session.records import POLICIES, Policy, SaveError, from_text
from interpreter.session.values import Value

MOST_NEWS = 40
WIDTHS = (60, 140)

HELP = """\
  a number      gives the answer with that number (or type its words)
  board         shows the table again
  log           tells what has happened since the last turn began; `log all` every field too
  why           tells what happened since your last answer, and by which rules
  why ANSWER    tells why an answer is not possible now; `why ANSWER THING` of a thing to pick
  pass UNTIL    passes here for longer: until `turn`, `phase`, `question` or `change`
  undo          takes back your last answer
  save FILE     writes the game to a file
  load FILE     goes on with a game from a file
  help          shows this
  quit          ends without saving; also `exit`, or `q`"""


@click.command()
@click.argument("name", metavar="NAME|PATH", shell_complete=complete_variants)
@click.option(
    "--seats",
    metavar="WHO,...",
    help="Who plays each seat: `me`, a strategy of the variant, `random`, or a bot that searches, "
    "such as `ismcts:200`. [default: me, then the strategies]",
)
@click.option(
    "--seed",
    type=click.IntRange(0, MOST_SEED),
    default=None,
    metavar="N",
    help="The seed. [default: by chance]",
)
@click.option(
    "--game",
    type=click.IntRange(0, MOST_GAMES - 1),
    default=0,
    metavar="K",
    help="The game of that number in a playtest with this seed.",
)
@click.option("--load", "load_file", metavar="FILE", help="Go on with a saved game.")
@click.option("--language", default="en", metavar="LANG", help="The language of names and texts.")
@game_options
def play_command(
    name: str,
    seats: str | None,
    seed: int | None,
    game: int,
    load_file: str | None,
    language: str,
    mods: tuple[str, ...],
    switches: tuple[tuple[str, str], ...],
    profile: str | None,
    players: int | None,
) -> None:
    """Play a game in the terminal. Type `help` in the game to see what can be typed."""
    defaults = defaults_of(name, the_library())
    wanted = listed(seats) if seats is not None else [ME, *defaults.bots] if defaults.bots else None
    saved = None if load_file is None else _read_saved(load_file)
    if players is None and saved is not None:
        players = from_text(saved).players
    elif players is None and seats is None and defaults.players is not None:
        players = defaults.players
    elif players is None and wanted is not None and len(wanted) > 1:
        players = len(wanted)
    laid = mods if is_given("mods") else defaults.mods
    compiled = compiled_game(Wish(name, laid, switches, profile, players, language))
    who = seated(compiled, wanted)
    bots = {seat: player for seat, player in who.items() if callable(player)}
    if saved is not None:
        said = dict(islice(who.items(), len(wanted or ())))
        try:
            opened = Game.load(compiled, saved, said, by_phase=True)
        except SaveError as error:
            raise click.UsageError(f"`{load_file}` can't be loaded: {error}") from None
    else:
        seed = _chance_seed() if seed is None else seed
        opened = Game(compiled, list(who.values()), seed=seed, game=game, by_phase=True)
        click.echo(f"{compiled.program.title}, seed {seed}" + (f", game {game}" if game else ""))
    width = max(WIDTHS[0], min(WIDTHS[1], shutil.get_terminal_size().columns))
    from interpreter.cli.board import board_of

    table = Table(compiled.program, board_of(the_library(), name), width)
    playing = Playing(compiled, opened, table, bots)
    if opened.people:
        playing.run()
    elif Watching(opened, table).run():
        playing.tell_end()


def _read_saved(name: str) -> str:
    """The text of a saved game that is not damaged."""
    try:
        text = read_named(name)
        from_text(text)
    except (SaveError, OSError) as error:
        reason = getattr(error, "strerror", None) or error
        raise click.UsageError(f"`{name}` can't be loaded: {reason}") from None
    return text


def _chance_seed() -> int:
    import secrets

    return secrets.randbelow(1_000_000)


class Quit(Exception):
    """The person wants to stop."""


@dataclass(slots=True)
class _Told:
    """How much of the log a seat has been shown: a phase, and lines from there on."""

    phase: int = 0
    lines: int = 0


class Playing:
    """A game at the terminal, from the first question to the end."""

    def __init__(
        self, compiled: CompiledGame, game: Game, table: Table, bots: Mapping[str, Bot]
    ) -> None:
        self.compiled = compiled
        self.game = game
        self.table = table
        self.bots = bots
        self._program = compiled.module("play").program
        self._told: dict[str, _Told] = {}
        self._drawn: tuple[str, int] | None = None
        self._last_seat: str | None = None

    def run(self) -> None:
        """Plays until the game is over or the person has had enough."""
        try:
            while (decision := self.game.pending) is not None:
                self._ask(decision)
        except Quit:
            click.echo("Until next time.")
            return
        self.tell_end()

    # ------------------------------------------------------------ one question

    def _ask(self, decision: Decision) -> None:
        """Asks until something has changed."""
        self._hand_over(decision.seat)
        self._tell_news(decision.seat)
        if self._drawn != (decision.seat, self.game.phases):
            self._draw(decision.seat)
        asking = Asking(decision, self._program, self.table, self.game.view(decision.seat))
        self._show_question(asking)
        while True:
            text = self._read_line()
            try:
                if self._command(text, asking):
                    return
            except (WrongInput, IllegalAnswer) as wrong:
                click.echo(f"  {_sentence(str(wrong))}")

    def _show_question(self, asking: Asking) -> None:
        click.echo(f"\n{asking.headline}")
        for line in asking.details:
            click.echo(line)
        click.echo(numbered([item.text for item in asking.items]))

    def _command(self, text: str, asking: Asking) -> bool:
        """Does what was typed; whether the question has to be put anew."""
        if not text:
            return False
        command = _command_in(text)
        if command is not None:
            handler, rest = command
            is_new = handler(self, rest, asking)
            if not is_new and handler in (Playing._help, Playing._board):
                self._show_question(asking)
            return is_new
        word, _, rest = text.partition(" ")
        word, rest = word.lower(), rest.strip()
        if word == PASS and rest and rest != _PASS_UNTIL_TURN:
            return self._pass_until(rest, asking)
        return self._answer(asking.read_item(text), asking)

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
        return True

    def _pass_until(self, rest: str, asking: Asking) -> bool:
        policy = rest.removeprefix("until ").strip()
        known: Mapping[str, Policy] = {each: each for each in POLICIES}
        if policy not in known:
            raise WrongInput(f"pass until what? There are {', '.join(POLICIES)}")
        self.game.apply(Answer(PASS), seat=asking.decision.seat, until=known[policy])
        return True

    # ------------------------------------------------------------ picks

    def _compose(self, option: str, asking: Asking) -> Answer | _Back:
        """Asks for the picks of an option one after the other, unless the person goes back."""
        picks: dict[str, Value] = {}
        while (pick := asking.next_pick(option, picks)) is not None:
            if _is_forced(pick.choices):
                picks[pick.name] = _forced(pick.choices)
                continue
            click.echo(f"  {asking.ask_line(pick)}  (or `back`)")
            lines = asking.lines_of(pick)
            if lines:
                click.echo(numbered(lines))
            value = self._read_pick(pick, asking)
            if isinstance(value, _Back):
                return value
            picks[pick.name] = value
        return Answer(option, picks)

    def _read_pick(self, pick: Pick, asking: Asking) -> Value | _Back:
        """A pick; commands can be typed here too."""
        while True:
            text = self._read_line()
            if text.lower() == "back":
                return _Back()
            try:
                command = _command_in(text)
                if command is None and text:
                    return asking.read_pick(text, pick)
                if command is not None:
                    handler, rest = command
                    if handler(self, rest, asking):
                        return _Back(is_new=True)
                    click.echo(f"  {asking.ask_line(pick)}  (or `back`)")
            except (WrongInput, IllegalAnswer) as wrong:
                click.echo(f"  {_sentence(str(wrong))}")

    # ------------------------------------------------------------ commands

    def _help(self, _: str, __: Asking) -> bool:
        click.echo(HELP)
        return False

    def _board(self, _: str, asking: Asking) -> bool:
        self._draw(asking.decision.seat)
        return False

    def _log(self, rest: str, asking: Asking) -> bool:
        if rest not in ("", "all"):
            raise WrongInput("type `log`, or `log all`")
        since = max(0, self.game.phases - 1)
        for line in self.game.log(asking.decision.seat, since, details=rest == "all"):
            click.echo(f"  {line}")
        return False

    def _why(self, rest: str, asking: Asking) -> bool:
        if not rest:
            lines = self.game.why(asking.decision.seat)
            for line in lines[-MOST_NEWS:]:
                click.echo(f"  {line.text}  [{line.place}]")
            if not lines:
                click.echo("  Nothing has happened since your last answer.")
            return False
        option, value = self._option(rest, asking)
        if value is None and any(item.name == option for item in asking.items):
            click.echo("  It is possible now.")
            return False
        for reason in asking.why_not(option, value):
            click.echo(f"  {_sentence(reason)}")
        return False

    def _option(self, text: str, asking: Asking) -> tuple[str, str | None]:
        """The option that is meant, and what stands after its name."""
        words = text.lower().split()
        for length in range(len(words), 0, -1):
            name = "_".join(words[:length])
            if name in asking.decision.options:
                return name, " ".join(words[length:]) or None
        options = asking.decision.options
        near = did_you_mean(words[0], options) or f"its answers: {', '.join(options)}"
        raise WrongInput(f"`{text}` is no answer to this question; {near}")

    def _undo(self, _: str, asking: Asking) -> bool:
        if not self.game.undo(asking.decision.seat):
            click.echo("  There is nothing to take back.")
            return False
        self._start_over("Taken back.")
        return True

    def _save(self, rest: str, _: Asking) -> bool:
        if not rest:
            raise WrongInput("save to which file? Type `save FILE`")
        try:
            write_named(rest, self.game.save())
        except OSError as error:
            raise WrongInput(f"`{rest}` can't be written: {error.strerror}") from None
        click.echo(f"  Saved to {rest}.")
        return False

    def _load(self, rest: str, _: Asking) -> bool:
        if not rest:
            raise WrongInput("load which file? Type `load FILE`")
        try:
            self.game = Game.load(self.compiled, read_named(rest), self.bots)
        except OSError as error:
            raise WrongInput(f"`{rest}` can't be read: {error.strerror}") from None
        except SaveError as error:
            raise WrongInput(str(error)) from None
        self._start_over(f"Loaded from {rest}.")
        return True

    def _quit(self, _: str, __: Asking) -> bool:
        raise Quit

    # ------------------------------------------------------------ what is shown

    def _hand_over(self, seat: str) -> None:
        """Between two people at one screen, before what the next one sees is shown."""
        if len(self.game.people) > 1 and seat != self._last_seat:
            if self._last_seat is not None:
                click.echo("\n" * 3)
            click.echo(
                f"{self.table.seat_name(seat)} is asked. Press Enter when only you can see this."
            )
            while (typed := self._read_line().lower()) in ("help", "?", *LEAVING):
                if typed in LEAVING:
                    raise Quit
                click.echo(HELP)
            self._drawn = None
        self._last_seat = seat

    def _tell_news(self, seat: str) -> None:
        told = self._told.setdefault(seat, _Told())
        news = self.game.log(seat, told.phase)[told.lines :]
        if len(news) > MOST_NEWS:
            click.echo(f"  ... {len(news) - MOST_NEWS} lines before")
        for line in news[-MOST_NEWS:]:
            click.echo(f"  {line}")
        self._note_told(seat)

    def _note_told(self, seat: str) -> None:
        now = self.game.phases
        self._told[seat] = _Told(now, 0 if self.game.is_over else len(self.game.log(seat, now)))

    def _start_over(self, text: str) -> None:
        click.echo(f"  {text}")
        self._drawn = None
        for seat in self.game.people:
            self._note_told(seat)

    def _draw(self, seat: str) -> None:
        click.echo()
        click.echo(self.table.draw(self.game.view(seat)))
        self._drawn = (seat, self.game.phases)

    def tell_end(self) -> None:
        """How the game ended."""
        for seat in self.game.people[:1]:
            self._tell_news(seat)
        end = self.game.end
        winners = [self.table.seat_name(seat) for seat in self.game.winners]
        click.echo()
        if end is not None:
            click.echo(_sentence(end.text))
        fault = self.game.fault
        if fault is not None:
            for line in fault.lines():
                click.echo(f"  {line}")
        if winners:
            click.echo(f"{self.table.values.listed(winners)} won.")
        scores = self.game.scores
        if any(scores.values()):
            for seat, score in sorted(scores.items(), key=lambda pair: -pair[1]):
                click.echo(f"  {self.table.seat_name(seat)}: {score:,}")

    # ------------------------------------------------------------ what is typed

    def _read_line(self) -> str:
        """A line without the blanks around it; raises Quit at the end of the input."""
        click.echo("> ", nl=False)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            click.echo()
            raise Quit
        if not sys.stdin.isatty():
            click.echo(line.rstrip("\n"))
        return " ".join(line.split())


@dataclass(frozen=True, slots=True)
class _Back:
    """The person wants to choose something else. `is_new`: the question itself is another now."""

    is_new: bool = False


Handler = Callable[[Playing, str, Asking], bool]

_HANDLERS: Mapping[str, Handler] = {
    "help": Playing._help,
    "?": Playing._help,
    "board": Playing._board,
    "log": Playing._log,
    "why": Playing._why,
    "undo": Playing._undo,
    "save": Playing._save,
    "load": Playing._load,
    "quit": Playing._quit,
    "exit": Playing._quit,
    "q": Playing._quit,
}
_WITHOUT_MORE = ("help", "?", "board", "undo", *LEAVING)
_PASS_UNTIL_TURN = "until your next turn"


def _command_in(text: str) -> tuple[Handler, str] | None:
    """The command that was typed, if it is one, and what stands after it."""
    word, _, rest = text.partition(" ")
    handler = _HANDLERS.get(word.lower())
    if handler is None or (rest and word.lower() in _WITHOUT_MORE):
        return None
    return handler, rest.strip()


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


def _sentence(text: str) -> str:
    """With a capital and a full stop."""
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "`")) else text + "."
