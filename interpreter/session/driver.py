"""Drives a game: runs it from the last phase boundary to the next question that nobody answers.

The state at that boundary and the answers given since are all there is. To go on, the phase is run
again from there; a question without an answer unwinds it, and the live state of the engine is then
the state at the question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from interpreter.engine.python_engine import BROKEN, FAULT, GAME_OVER
from interpreter.engine.seeding import check_game
from interpreter.session.answers import Answering
from interpreter.session.asked import GIVEN_PASS, AnswerLike, Asked, Given, IllegalAnswer
from interpreter.session.compile import CompiledGame
from interpreter.session.course import Course
from interpreter.session.decision import (
    BOT,
    PERSON,
    PERSON_WORDS,
    Bot,
    Decision,
    Seat,
    make_decision,
)
from interpreter.session.passing import Passing
from interpreter.session.records import Entry, PhaseRecord, Policy
from interpreter.session.state import LiveState
from interpreter.session.tape import Need, ReplayMismatch, Tape
from interpreter.session.values import Values
from interpreter.session.view import Sight, View

Player = str | Bot | Mapping[str, Callable[..., int]]


@dataclass(frozen=True, slots=True)
class End:
    """How a game ended. `kind`: `rule`, `fault`, `broken`, `limit` or `lost`; `name`: the rule, the
    phase, what went wrong or what must always hold; `text`: all of it in words."""

    kind: str
    name: str
    text: str


class Driver:
    """A game in numbers: its engine, its log, its open questions."""

    def __init__(
        self,
        compiled: CompiledGame,
        seats: Sequence[Seat],
        seed: int,
        game: int,
        *,
        is_log_trusted: bool = True,
        by_phase: bool = False,
    ) -> None:
        self._by_phase = by_phase
        module = compiled.module("play")
        if len(seats) != module.program.players:
            raise ValueError(f"{module.program.players} seats are needed, not {len(seats)}.")
        check_game(seed, game)
        self.compiled = compiled
        self.seed, self.game = seed, game
        self.flat = module.program
        self.engine = compiled.engine("play")
        self.values = Values(compiled.program)
        self.state = LiveState(self.engine, self.values)
        self.sight = Sight(self.state, self.flat.knowledge)
        self.answering = Answering(self.engine, self.flat, compiled.facts, self.values, self.sight)
        self.passing = Passing(compiled.facts, self.state, self.answering)
        program = compiled.program
        ids = self.values.family(program.player_kind).ids
        self.seat_ids = tuple(ids[n] for n in program.kinds[program.player_kind].members)
        self.players: list[Player] = [self.player(seat) for seat in seats]
        judge = None if is_log_trusted else self._is_possible
        self.tape = Tape(self.engine, self.flat, self._beyond, self._sealed, judge)
        self.engine.new_game(seed, game)
        self.before = self.engine.save()
        self.log: list[Entry] = []
        self.past: list[PhaseRecord] = []
        self.envelopes: dict[int, Entry] = {}  # answers of an open secret question, by seat
        self.end: End | None = None
        self.asked: tuple[Asked, ...] = ()
        self.step = 0
        self._is_live = self._is_running = False
        self._handed_in: list[int] = []  # whose envelopes were asked for in this run
        self._missing: list[Asked] = []

    # ------------------------------------------------------------ seats

    def player(self, seat: Seat) -> Player:
        """Who plays, from what was said."""
        if callable(seat):
            return seat
        if not isinstance(seat, str):
            raise TypeError(
                f"A seat is played by a strategy, a function or a person, not {seat!r}."
            )
        if seat in PERSON_WORDS:
            return PERSON
        named = self.flat.strategies.get(seat)
        if named is None:
            known = ", ".join(self.flat.strategies)
            raise ValueError(f"There is no strategy `{seat}`; there are {known} and {PERSON}.")
        return {site: self.engine.function(function) for site, function in named.items()}

    def player_names(self) -> Iterator[str]:
        """What was said about who plays each seat; `bot` for a bot written in Python."""
        for player in self.players:
            if not isinstance(player, Mapping):
                yield player if isinstance(player, str) else BOT
                continue
            for name, sites in self.flat.strategies.items():
                if all(player[site] == self.engine.function(sites[site]) for site in player):
                    yield name
                    break

    def seat_number(self, seat: str | int) -> int:
        """The number of a seat, by its id or by itself."""
        if isinstance(seat, int):
            if 0 <= seat < len(self.players):
                return seat
        elif seat in self.seat_ids:
            return self.seat_ids.index(seat)
        raise ValueError(f"There is no seat {seat!r}; the seats are {', '.join(self.seat_ids)}.")

    # ------------------------------------------------------------ going on

    @property
    def is_stepped(self) -> bool:
        """Whether it goes on when it is told to alone: nobody has to be asked."""
        return self._by_phase and PERSON not in self.players

    def play_phase(self) -> None:
        """Goes on to the end of the phase, where nobody has to be asked."""
        self.step += 1
        if self.end is None:
            self.run_phase()

    def run(self) -> None:
        """Runs to the next open question, or to the end; at once if it is there already."""
        if self._is_live or self.is_stepped:
            return
        if self._is_running:
            raise RuntimeError("A bot answers from its view; it can't ask the game itself.")
        self.asked = ()
        self.step += 1
        self._is_running = True
        try:
            while self.end is None:
                self.run_phase()
        except Need as need:
            self.asked = need.asked
        finally:
            self._is_running = False
        self._is_live = True

    def run_phase(self) -> None:
        """Runs a phase to its end and takes note of it; raises Need at an open question."""
        self._handed_in, self._missing = [], []
        self.tape.start(self.before, self.log)
        whose = self.passing.whose_phase()
        code = self.engine.run_phase()
        if self.tape.cursor < len(self.log):
            raise ReplayMismatch("the log has answers that nobody asks for")
        if not code and (broken := self.engine.check_always()):
            self.engine.set_scalar("fault", broken)
            code = BROKEN
        self.past.append(PhaseRecord(self.before, self.log, whose))
        self.before, self.log = self.engine.save(), []
        self.end = self._ended(code)

    def _ended(self, code: int) -> End | None:
        word = self.values.word
        if code == GAME_OVER:
            number = self.engine.scalar("ending")
            name = self.flat.endings[number] if number >= 0 else ""
            text = word("end.rule", name=self._why_over(name)) if name else word("end.over")
            return End("rule", name, text)
        if code == FAULT:
            number = self.engine.scalar("fault")
            name = self.flat.faults[number] if number >= 0 else ""
            return End("fault", name, word("end.fault", name=name))
        if code == BROKEN:
            name = self.compiled.facts.always[self.engine.scalar("fault") - 1]
            return End("broken", name, word("end.broken", name=name))
        if code:
            return End("lost", "", word("end.lost"))
        limit = self.compiled.program.phase_limit
        if len(self.past) >= limit:
            return End("limit", str(limit), word("end.limit", name=str(limit)))
        return None

    def _why_over(self, name: str) -> str:
        """The sentence of the rule or phase that ended the game, where it has one without holes."""
        said = self.compiled.program.texts.get(f"rule.{name}.says", "")
        return (
            said
            if said and not self.compiled.facts.holes.get(f"rule.{name}.says")
            else (name.replace("_", " "))
        )

    # ------------------------------------------------------------ beyond the log

    def _beyond(self, asked: Asked) -> int:
        """Answers a question that the log does not answer."""
        if asked.site.form == "gather":
            return self._in_secret(asked)
        entry = self._answered(asked)
        if entry is None:
            raise Need(asked)
        self.tape.add(entry)
        return self.tape.give(asked.site, entry.given)

    def _answered(self, asked: Asked) -> Entry | None:
        """The answer of a strategy, a bot or a policy; None where a person has to be asked."""
        site, seat = asked.site, asked.seat
        player = self.players[seat]
        if player == PERSON:
            is_alone = self.players.count(PERSON) == 1
            if self.passing.passes(asked, self.past, is_alone=is_alone):
                return Entry(site.name, seat, GIVEN_PASS, by="policy")
            return None
        if isinstance(player, Mapping):
            before = self.tape.draws(seat)
            number = player[site.name](seat, *asked.args)
            given = self.tape.taken(site, number)
            return Entry(site.name, seat, given, self.tape.draws(seat) - before)
        assert not isinstance(player, str)
        answer = player(self.look(seat), self.decision(asked))
        return Entry(site.name, seat, self.judged(asked, answer))

    def _in_secret(self, asked: Asked) -> int:
        """One of those who are asked in secret: answers lie in envelopes until all are there."""
        entry = self.envelopes.get(asked.seat)
        if entry is not None:
            self._handed_in.append(asked.seat)
            return self.tape.again(asked, entry)
        entry = self._answered(asked)
        if entry is None:
            self._missing.append(asked)
            return 0
        self.envelopes[asked.seat] = entry
        self._handed_in.append(asked.seat)
        return self.tape.give(asked.site, entry.given)

    def _sealed(self) -> None:
        """All have been asked in secret: goes on when the last envelope is there."""
        if self._missing:
            raise Need(*self._missing)
        secret = 1 + max((entry.secret for entry in self.tape.log), default=0)
        for seat in self._handed_in:
            self.tape.add(replace(self.envelopes.pop(seat), secret=secret))
        self._handed_in = []

    # ------------------------------------------------------------ answers

    def decision(self, asked: Asked) -> Decision:
        """An open question as its seat sees it."""
        step = self.step
        return make_decision(
            asked,
            self.seat_ids[asked.seat],
            self.answering,
            lambda: self.step == step,
            lambda: self._course(asked),
        )

    def _course(self, asked: Asked) -> Course:
        logs = tuple(record.log for record in self.past)
        return Course(self.compiled, self.seed, self.game, logs, tuple(self.log), asked)

    def judged(self, asked: Asked, answer: AnswerLike) -> Given:
        """A legal answer in numbers; raises IllegalAnswer with the reason."""
        given = self.answering.read(asked, answer)
        reason = self.answering.why_not(asked, given)
        if reason is not None:
            raise IllegalAnswer(reason)
        return given

    def _is_possible(self, asked: Asked, entry: Entry) -> bool:
        """Whether an entry of a log from outside can be an answer to what is asked."""
        is_secret = asked.site.form == "gather"
        says_more = entry.by == "policy" or entry.policy is not None
        return (
            entry.site == asked.site.name
            and (is_secret or entry.secret == 0)
            and (entry.given.number == 0 or not says_more)
            and self.answering.is_legal(asked, entry.given)
        )

    def write(self, asked: Asked, given: Given, until: Policy | None) -> None:
        """Writes down the answer of a person, and goes on."""
        could = self.passing.could(asked) if until == "change" else ""
        if until is not None and until != "change":
            could = self.passing.claims(asked)
        entry = Entry(asked.site.name, asked.seat, given, 0, "person", until, could)
        if asked.site.form == "gather":
            self.envelopes[asked.seat] = entry
        else:
            self.log = [*self.log, entry]
        self.passing.note(entry, len(self.past))
        self._is_live = False
        self.run()

    def undo(self, seat: int | None) -> bool:
        """Takes back the last answer of a person, or of this seat, and all that came after it.

        False if there is none.
        """
        if not self._undo_envelope(seat) and not self._undo_logged(seat):
            return False
        self.recall_policies()
        self._is_live = False
        self.run()
        return True

    def recall_policies(self) -> None:
        """Works out again what people have said about passing."""
        self.passing.recall([*(record.log for record in self.past), self.log])

    def _undo_envelope(self, seat: int | None) -> bool:
        for who, entry in reversed(list(self.envelopes.items())):
            if entry.by == "person" and seat in (None, who):
                del self.envelopes[who]
                return True
        return False

    def _undo_logged(self, seat: int | None) -> bool:
        """Cuts the log; of a secret question that is over the other envelopes are kept."""
        log, past, before = self.log, list(self.past), self.before
        while True:
            mine = [
                place
                for place, entry in enumerate(log)
                if entry.by == "person" and seat in (None, entry.seat)
            ]
            if mine:
                break
            if not past:
                return False
            record = past.pop()
            log, before = record.log, record.before
        cut = mine[-1]
        self.log, self.past, self.before = log[:cut], past, before
        self.envelopes = {}
        secret = log[cut].secret
        if secret:
            beside = [n for n, entry in enumerate(log) if entry.secret == secret]
            self.log = log[: beside[0]]
            self.envelopes = {log[n].seat: log[n] for n in beside if n != cut}
        self.end = None
        return True

    # ------------------------------------------------------------ what is seen

    def look(self, seat: int) -> View:
        """What a seat sees of the live state."""
        phases = list(self.compiled.program.phases)
        seen: View = {
            "seat": self.seat_ids[seat],
            "phase": phases[self.engine.scalar("phase")],
            "over": self.end is not None,
        }
        return seen | self.sight.look(seat)
