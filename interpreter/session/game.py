"""A game that is being played, as the public API gives it out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.emit.state import fold_state, saved_values
from interpreter.session.answers import MOST_LISTED
from interpreter.session.asked import Answer, AnswerLike, Asked, IllegalAnswer
from interpreter.session.compile import CompiledGame
from interpreter.session.decision import PERSON, Decision, Seat
from interpreter.session.driver import Driver, End
from interpreter.session.faults import Fault, find_fault
from interpreter.session.history import History
from interpreter.session.records import Policy
from interpreter.session.saving import load_game, save_game
from interpreter.session.trace import TraceLine
from interpreter.session.view import View
from interpreter.session.words import WRITTEN

SCRATCH_ROWS = ("answer_row", "luck_said", "luck_line")


class Game:
    """A game: whoever is asked answers, and it goes on to the next question that a person has to
    answer. Strategies and bots answer at once."""

    def __init__(
        self,
        compiled: CompiledGame,
        seats: Sequence[Seat],
        *,
        seed: int = 0,
        game: int = 0,
        by_phase: bool = False,
    ) -> None:
        """`by_phase`: without people it only goes on with `play_phase`."""
        self._driver = Driver(compiled, seats, seed, game, by_phase=by_phase)
        self._history = History(self._driver)

    @classmethod
    def load(
        cls,
        compiled: CompiledGame,
        text: str,
        bots: Mapping[str, Seat] | None = None,
        *,
        by_phase: bool = False,
    ) -> Game:
        """A saved game, with all that happened in it. `bots`: who plays now, by seat; other seats
        are played as before, those of Python bots by people. `by_phase`: without people it only
        goes on with `play_phase`.

        Raises SaveError where the text is damaged, or of other rules.
        """
        game = cls.__new__(cls)
        game._driver = load_game(compiled, text, bots or {}, by_phase=by_phase)
        game._history = History(game._driver)
        return game

    def play_phase(self) -> None:
        """Plays on to the end of the phase: of a game without people that goes on `by_phase`."""
        if not self._driver.is_stepped:
            raise RuntimeError("This game goes on by itself.")
        self._driver.play_phase()

    def save(self) -> str:
        """The game as text (JSON), to be loaded again under the same rules."""
        self._driver.run()
        return save_game(self._driver)

    # ------------------------------------------------------------ seats

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids of the seats, in order."""
        return self._driver.seat_ids

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that people play."""
        pairs = zip(self.seats, self._driver.players, strict=True)
        return tuple(seat for seat, player in pairs if player == PERSON)

    @property
    def players(self) -> dict[str, str]:
        """Who plays each seat: `person`, a strategy's name, or `bot` for one written in Python."""
        return dict(zip(self.seats, self._driver.player_names(), strict=True))

    # ------------------------------------------------------------ the open question

    @property
    def pending(self) -> Decision | None:
        """The question that a person has to answer; None if the game is over."""
        self._driver.run()
        asked = self._driver.asked
        return self._driver.decision(asked[0]) if asked else None

    @property
    def decisions(self) -> list[Decision]:
        """All questions that are open: more than one where all are asked in secret. They can be
        answered in any order."""
        self._driver.run()
        return [self._driver.decision(asked) for asked in self._driver.asked]

    def answers(self, seat: str | None = None, most: int = MOST_LISTED) -> list[Answer]:
        """The legal answers to the open question (of a seat); none if the game is over."""
        if self.is_over:
            return []
        return self._driver.decision(self._open(seat)).answers(most)

    def why_not(self, answer: AnswerLike, seat: str | None = None) -> str | None:
        """Why the open question (of a seat) can't be answered so, in words; None if it can."""
        try:
            asked = self._open(seat)
        except IllegalAnswer as refused:
            return str(refused)
        return self._driver.decision(asked).why_not(answer)

    def apply(
        self, answer: AnswerLike, *, seat: str | None = None, until: Policy | None = None
    ) -> None:
        """Answers the open question and goes on to the next one.

        `seat`: who answers, where several are asked or it is to be checked. `until`: with a pass
        at a window, for how long to go on passing there (see `Policy`). Raises IllegalAnswer with
        the reason, and changes nothing, where the answer is refused.
        """
        asked = self._open(seat)
        given = self._driver.judged(asked, answer)
        if until is not None and (given.number or asked.site.form != "window"):
            raise IllegalAnswer("only who passes at a window can say how long to go on passing")
        self._driver.write(asked, given, until)

    def undo(self, seat: str | None = None) -> bool:
        """Takes back the last answer of a person, or of this seat, and all that came after it.

        False if there is none.
        """
        return self._driver.undo(None if seat is None else self._driver.seat_number(seat))

    def _open(self, seat: str | None) -> Asked:
        self._driver.run()
        open_now = self._driver.asked
        if not open_now:
            raise IllegalAnswer(self._driver.values.word("end.over"))
        if seat is None:
            return open_now[0]
        number = self._driver.seat_number(seat)
        for asked in open_now:
            if asked.seat == number:
                return asked
        raise IllegalAnswer(f"{seat} is not asked anything now")

    # ------------------------------------------------------------ results

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.end is not None

    @property
    def end(self) -> End | None:
        """How the game ended; None while it goes on."""
        self._driver.run()
        return self._driver.end

    @property
    def end_reason(self) -> str | None:
        """How the game ended, in words."""
        return None if self.end is None else self.end.text

    @property
    def fault(self) -> Fault | None:
        """Where the game was stopped and what led there, if no rule ended it: a bound, a budget,
        or what must always hold; else None."""
        end = self.end
        if end is None or end.kind not in ("fault", "broken"):
            return None
        driver = self._driver
        broken = driver.engine.scalar("fault") if end.kind == "broken" else 0
        return find_fault(driver.compiled, driver.past[-1], end.name, broken)

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won; nobody while the game goes on, or if it was stopped by a fault."""
        if self.end is None or self.end.kind in ("fault", "broken", "lost"):
            return ()
        bits = self._driver.engine.winners()
        return tuple(seat for index, seat in enumerate(self.seats) if bits >> index & 1)

    @property
    def scores(self) -> dict[str, int]:
        """What decides the game, by seat, as it stands now."""
        self._driver.run()
        score = self._driver.engine.score
        return {seat: score(index) for index, seat in enumerate(self.seats)}

    @property
    def phases(self) -> int:
        """How many phases have been played to their end."""
        self._driver.run()
        return len(self._driver.past)

    def digest(self) -> int:
        """64 bits that tell states apart, the same as those of a batch with this state."""
        self._driver.run()
        engine = self._driver.engine
        fields = [one for one in engine.fields if one.name not in SCRATCH_ROWS]
        words = [
            value
            for one, _, value in saved_values(engine.fields, engine.save())
            if one.name not in SCRATCH_ROWS
        ]
        return fold_state(fields, words)

    def broken(self) -> str | None:
        """The name of what must always hold and does not; None if all is well."""
        self._driver.run()
        number = self._driver.engine.check_always()
        return self._driver.compiled.facts.always[number - 1] if number else None

    # ------------------------------------------------------------ what seats see

    def view(self, seat: str | int) -> View:
        """What a seat sees now (see `View`)."""
        self._driver.run()
        number = self._driver.seat_number(seat)
        seen = self._driver.look(number)
        for asked in self._driver.asked:
            if asked.seat == number:
                decision = self._driver.decision(asked)
                seen["question"] = {
                    "name": decision.question,
                    "prompt": decision.prompt,
                    "scope": decision.scope,
                    "options": list(decision.options),
                    "may_pass": decision.may_pass,
                    "shows": [
                        {"label": each.label, "text": each.text, "things": list(each.ids)}
                        for each in decision.shown
                    ],
                }
            elif asked.site.form not in ("window", "gather"):
                seen["waiting_for"] = self.seats[asked.seat]
        return seen

    def log(self, seat: str | int | None, since: int = 0, *, details: bool = False) -> list[str]:
        """What has happened from a phase on, as far as a seat may know it, or with None all of it;
        with details, also every field that was set for the sake of the rules alone."""
        return [line for turn in self.turns(seat, since, details=details) for line in turn]

    def turns(
        self, seat: str | int | None, since: int = 0, *, details: bool = False
    ) -> list[list[str]]:
        """The log phase by phase, the one that is being played last."""
        self._driver.run()
        number = None if seat is None else self._driver.seat_number(seat)
        return self._history.turns(number, since, details=details)

    def reason_of(self, line: TraceLine) -> str:
        """What the rule of a line is for, as its author says above it; empty where he does not, or
        not in this language."""
        program = self._driver.compiled.program
        if program.language != WRITTEN:
            return program.texts.get(f"rule.{line.what}.for", "")
        return self._driver.compiled.facts.docs.get(line.what, "")

    def score_words(self, score: int) -> str:
        """A score as people read it: money where the variant counts money."""
        return self._driver.values.shown(self._driver.compiled.facts.score_type, score)

    def why(self, seat: str | int | None = None) -> list[TraceLine]:
        """What happened since the last answer of a person, rule by rule, with the place of each
        rule; for a seat only what it may know, and the rules that led to that."""
        self._driver.run()
        number = None if seat is None else self._driver.seat_number(seat)
        return self._history.since_last_answer(number)
