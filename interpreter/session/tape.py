"""Re-running a phase: questions are answered from its log, and beyond it by somebody else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from interpreter.emit.state import BOT_COUNT
from interpreter.engine.python_engine import Answer as AnswerFunction
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir.nodes import SEALED, Program, Site
from interpreter.session.asked import Asked, Given
from interpreter.session.records import Entry

ALWAYS = "always"
SCRIPTED_LUCK = "luck"
NO_QUESTIONS = (SCRIPTED_LUCK, SEALED)

Beyond = Callable[[Asked], int]
Judge = Callable[[Asked, Entry], bool]
Sealed = Callable[[], None]


class Need(Exception):
    """Open questions, more than one where all are asked in secret: unwinds the running phase; the
    live state is then that at the question."""

    def __init__(self, *asked: Asked) -> None:
        super().__init__(asked[0].site.name)
        self.asked = asked


class ReplayMismatch(RuntimeError):
    """A log does not fit the questions that are asked: other rules, or a mistake in Rulewright."""


class Tape:
    """Binds an engine to a log. Every seat is asked at every window, so that the log says it all.

    `beyond` is called for a question that the log does not answer, and `sealed` when all have been
    asked in secret; both may raise `Need`. `judge`: whether an answer of a log from outside can be
    given; without it logs are trusted.
    """

    def __init__(
        self,
        engine: PythonEngine,
        program: Program,
        beyond: Beyond,
        sealed: Sealed,
        judge: Judge | None = None,
    ) -> None:
        self.judge = judge
        self.engine = engine
        self.program = program
        self.beyond = beyond
        self.log: list[Entry] = []
        self.cursor = 0
        self._everybody = (1 << program.players) - 1
        self._has_draws = BOT_COUNT in program.columns
        sites = [site for name, site in program.sites.items() if name not in NO_QUESTIONS]
        for seat in range(program.players):
            answers: Mapping[str, AnswerFunction] = {
                site.name: partial(self._ask, site, seat) for site in sites
            }
            engine.seat(seat, answers)
        if SEALED in program.sites:
            engine.seat(0, {SEALED: partial(_is_sealed, sealed)})

    def start(self, words: list[int], log: list[Entry]) -> None:
        """Goes back to a state; questions are answered from a log, which may grow."""
        self.engine.load(words)
        if ALWAYS in self.program.scalars:
            self.engine.set_scalar(ALWAYS, self._everybody)
        self.log = log
        self.cursor = 0

    def _ask(self, site: Site, seat: int, _: int, *args: object) -> int:
        if self.cursor >= len(self.log):
            return self.beyond(Asked(site, seat, args))
        entry = self.log[self.cursor]
        if entry.site != site.name or entry.seat != seat:
            raise ReplayMismatch(
                f"seat {seat} is asked {site.name}; the log has seat {entry.seat} at {entry.site}"
            )
        self.cursor += 1
        return self.again(Asked(site, seat, args), entry)

    def again(self, asked: Asked, entry: Entry) -> int:
        """Gives an answer once more, with the numbers that were drawn for it."""
        if self.judge is not None and not self.judge(asked, entry):
            raise ReplayMismatch(f"{asked.site.name} can't be answered so")
        if entry.draws:
            drawn = self.draws(entry.seat) + entry.draws
            self.engine.set_cell(BOT_COUNT, entry.seat, drawn)
        return self.give(asked.site, entry.given)

    def add(self, entry: Entry) -> None:
        """Writes down the answer to the question that is open now."""
        self.log.append(entry)
        self.cursor = len(self.log)

    def draws(self, seat: int) -> int:
        """How many numbers a seat has drawn for its own decisions."""
        return self.engine.cell(BOT_COUNT, seat) if self._has_draws else 0

    def give(self, site: Site, given: Given) -> int:
        """Leaves picks in their registers; gives the number of the answer."""
        if given.number:
            picks = site.answers[given.number - 1].picks
            for pick, value in zip(picks, given.picks, strict=True):
                self.engine.set_scalar(register_name(pick.register), value)
        return given.number

    def taken(self, site: Site, number: int) -> Given:
        """An answer that a strategy has left in the registers."""
        if number == 0:
            return Given(0)
        picks = site.answers[number - 1].picks
        return Given(
            number, tuple(self.engine.scalar(register_name(pick.register)) for pick in picks)
        )


def _is_sealed(sealed: Sealed, _: int) -> int:
    sealed()
    return 0


def register_name(register: tuple[str, int]) -> str:
    """The scalar of an answer register."""
    kind, number = register
    return f"answer_{number}" if kind == "int" else f"answer_set_{number}"
