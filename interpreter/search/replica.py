"""A game run along on an engine of its own, which keeps who knows what, up to an open question."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.incremental.waking import WAKING
from interpreter.search.finish import points
from interpreter.search.hidden import GATHERED, Hidden, Unseen
from interpreter.session.answers import Answering
from interpreter.session.asked import Asked, Given
from interpreter.session.compile import CompiledGame
from interpreter.session.course import Course
from interpreter.session.records import Entry
from interpreter.session.state import LiveState
from interpreter.session.tape import ALWAYS, ReplayMismatch, Tape
from interpreter.session.values import Values
from interpreter.session.view import Sight, View

AnswerFunction = Callable[..., int]
Player = dict[str, AnswerFunction]
"""How a seat answers: a function for each site."""

Choose = Callable[[Asked], Given | None]
"""The answer of the seat that samples; None leaves this and all later questions to its player."""


class Enough(Exception):
    """Unwinds a phase in which nothing more is wanted."""


class Replica:
    """A game up to the question of a seat, as often as wanted, with what the seat does not know
    dealt anew each time."""

    def __init__(self, compiled: CompiledGame) -> None:
        self.compiled = compiled
        self.flat = compiled.module("search").program
        self.engine: PythonEngine = compiled.engine("search")
        self.values = Values(compiled.program)
        self.state = LiveState(self.engine, self.values)
        self.sight = Sight(self.state, self.flat.knowledge)
        self.answering = Answering(self.engine, self.flat, compiled.facts, self.values, self.sight)
        self.hidden = Hidden(self.engine, self.state, self.sight)
        self.tape = Tape(self.engine, self.flat, self._beyond, lambda: None)
        self._game: tuple[int, int] | None = None
        self._phases: list[list[Entry]] = []
        self._before: list[int] = []
        self._log: list[Entry] = []
        self._asked: Asked | None = None
        self._unseen = Unseen()
        self._skipped: list[Asked] = []
        self._is_there = False
        self._is_at_question = False
        self.points: tuple[int, ...] = ()
        """The points of each seat at the question of the last sample."""
        self._arrive: Callable[[Asked], None] = _stop
        self._choose: Choose | None = None
        self._players: list[Player] = []
        self._named: dict[str, Player] = {}

    # ------------------------------------------------------------ following a game

    def follow(self, course: Course) -> None:
        """Goes to a question of a game: what was followed before is taken up where it fits."""
        known = self._phases
        follows = (course.seed, course.game) == self._game and len(known) <= len(course.phases)
        if not follows or any(
            mine is not its for mine, its in zip(known, course.phases, strict=False)
        ):
            self._game = (course.seed, course.game)
            self._phases = known = []
            self.engine.new_game(course.seed, course.game)
            self._before = self.engine.save()
        self._arrive = _unexpected
        self._is_there = False
        self._asked = None
        for log in course.phases[len(known) :]:
            self.tape.start(self._before, log)
            self.engine.run_phase()
            self._before = self.engine.save()
            known.append(log)
        self._log = list(course.log)
        self._asked = course.asked
        self._unseen = Unseen()

        def look(asked: Asked) -> None:
            self._unseen = self.hidden.unseen(asked.seat)
            raise Enough

        self._to_question(look)
        self._is_at_question = True

    @property
    def before(self) -> list[int]:
        """The saved state before the phase of the question."""
        return self._before

    @property
    def log(self) -> list[Entry]:
        """The answers of that phase up to the question."""
        return self._log

    @property
    def asked(self) -> Asked:
        """The open question."""
        assert self._asked is not None
        return self._asked

    # ------------------------------------------------------------ going to the question

    def _to_question(self, arrive: Callable[[Asked], None]) -> int:
        """Runs the phase: answers of the log, then `arrive` at the open question, then whatever
        has been put in place for what comes after it. Gives the code of the phase."""
        self._arrive = arrive
        self._is_there = False
        self._skipped = []
        self.tape.start(self._before, self._log)
        try:
            return self.engine.run_phase()
        except Enough:
            return -1

    def _beyond(self, asked: Asked) -> int:
        if not self._is_there:
            if asked.site.form == "gather" and asked.seat != self.asked.seat:
                self._skipped.append(asked)
                return 0
            if asked.site.name != self.asked.site.name or asked.seat != self.asked.seat:
                raise ReplayMismatch(f"{asked.site.name} is asked, not {self.asked.site.name}")
            self._is_there = True
            self._arrive(asked)
        if asked.seat == self.asked.seat and self._choose is not None:
            given = self._choose(asked)
            if given is not None:
                return self.tape.give(asked.site, given)
            self._choose = None
            if ALWAYS in self.flat.scalars:
                others = self.engine.scalar(ALWAYS) & ~(1 << asked.seat)
                self.engine.set_scalar(ALWAYS, others)
        return self._players[asked.seat][asked.site.name](asked.seat, *asked.args)

    def player(self, strategy: str) -> Player:
        """A strategy of the program as a player."""
        if strategy not in self._named:
            named = self.flat.strategies[strategy]
            self._named[strategy] = {
                site: self.engine.function(function) for site, function in named.items()
            }
        return self._named[strategy]

    # ------------------------------------------------------------ samples

    def sample(self, seed: int, strategies: list[str]) -> None:
        """Makes the live state that at the question, with what is unseen dealt anew. Those who
        were asked in secret before the seat answer anew: it has not seen what they handed in."""
        if not self._is_at_question:
            self._to_question(_stop)
            self._is_at_question = True
        self._deal(seed, strategies)

    def _deal(self, seed: int, strategies: list[str]) -> None:
        self.hidden.deal(self._unseen, seed)
        self.points = points(self.engine)
        if ALWAYS in self.flat.scalars:
            self.engine.set_scalar(ALWAYS, 1 << self.asked.seat)
        for asked in self._skipped:
            player = self.player(strategies[asked.seat])
            number = player[asked.site.name](asked.seat, *asked.args)
            if number:
                given = self.tape.taken(asked.site, number)
                column = f"{GATHERED}{asked.site.name}"
                self.engine.set_cell(column, asked.seat, given.picks[0])

    def play_on(self, seed: int, strategies: list[str], choose: Choose) -> int:
        """Plays the phase to its end in a sample and gives its code; -1 if `choose` raises Enough.

        `strategies`: those of all seats; `choose` answers for the seat as long as it likes.
        """
        self._is_at_question = False
        self._players = [self.player(name) for name in strategies]
        self._choose = choose
        return self._to_question(lambda _: self._deal(seed, strategies))

    def of_strategy(self, strategy: str, asked: Asked) -> Given:
        """What a strategy would answer to a question, in the live state: all its lines are looked
        at, whatever was asked before."""
        for name, scalar in self.flat.scalars.items():
            if name.startswith(WAKING):
                self.engine.set_scalar(name, scalar.initial)
        number = self.player(strategy)[asked.site.name](asked.seat, *asked.args)
        return self.tape.taken(asked.site, number)

    def look(self, seat: int) -> View:
        """What a seat sees in the live state."""
        phases = list(self.compiled.program.phases)
        seen: View = {
            "seat": self.values.id_of(self.compiled.program.player_kind, seat),
            "phase": phases[self.engine.scalar("phase")],
            "over": False,
        }
        return seen | self.sight.look(seat)


def _stop(_: Asked) -> None:
    raise Enough


def _unexpected(asked: Asked) -> None:
    raise ReplayMismatch(f"{asked.site.name} is asked beyond the log of its phase")
