"""A game that is being played: its seed, its answers, and the question that is open now.

The state at the last phase boundary and the answers given since are all there is. To go on, the
phase is run again from there; the first question that nobody has answered unwinds it, and the live
state of the engine is then the state at that question.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from interpreter.emit.state import fold_state, saved_values
from interpreter.engine.python_engine import FAULT, GAME_OVER
from interpreter.session.answers import (
    GIVEN_PASS,
    MOST_LISTED,
    PASS,
    PICK,
    Amount,
    Answer,
    Answering,
    AnswerLike,
    Asked,
    Given,
    IllegalAnswer,
    Several,
    answer_word,
    pick_words,
)
from interpreter.session.compile import CompiledGame
from interpreter.session.records import (
    Entry,
    PhaseRecord,
    Policy,
    Saved,
    SaveError,
    from_text,
    state_digest,
    to_text,
)
from interpreter.session.retrace import Retrace
from interpreter.session.state import LiveState
from interpreter.session.tape import Need, ReplayMismatch, Tape
from interpreter.session.trace import TraceLine
from interpreter.session.values import Value, Values
from interpreter.session.view import Sight, View

PERSON = "person"
PERSON_WORDS = (PERSON, "me")
BOT = "bot"

SCRATCH_ROWS = ("answer_row", "luck_script")


class StaleDecision(RuntimeError):
    """A decision that is looked at after the game has gone on."""


@dataclass(frozen=True, slots=True)
class Decision:
    """The question that is open: who is asked what, and what is known there.

    `form`: `about` (one of some named answers), `pick` (a value), `gather` (a value, in secret),
    `window` (one of some options). `scope`: the values that the question speaks of, by name.
    `options`: the names of the answers there are, legal or not.
    """

    seat: str
    question: str
    prompt: str
    form: str
    scope: dict[str, Value]
    options: tuple[str, ...]
    may_pass: bool
    _game: Game
    _asked: Asked
    _number: int

    def answers(self, most: int = MOST_LISTED) -> list[Answer]:
        """The legal answers; sets and amounts that are too many to list are left open."""
        return self._answering().listed(self._asked, most)

    def why_not(self, answer: AnswerLike) -> str | None:
        """Why an answer is refused, in words; None if it is legal."""
        answering = self._answering()
        try:
            given = answering.read(self._asked, answer)
        except IllegalAnswer as refused:
            return str(refused)
        return answering.why_not(self._asked, given)

    def choices(self, option: str, **picks: Value) -> list[Value] | Amount | Several | None:
        """What can be picked next for an option after these picks; None if nothing is left.

        What is not refused on its own may still be refused together with the rest.
        """
        answering, values = self._answering(), self._game.values
        info = next(
            (one for one in self._asked.site.answers if answer_word(self._asked.site, one) == option),
            None,
        )
        if info is None:
            raise IllegalAnswer(
                values.word("refused.unknown", answer=option, question=self.question)
            )
        before: list[int] = []
        for word, pick in zip(pick_words(info), info.picks, strict=True):
            if word in picks:
                before.append(values.number(pick.type, picks[word]))
                continue
            return answering.shown_choices(self._asked, pick, tuple(before))
        return None

    def _answering(self) -> Answering:
        if self._game.step != self._number:
            raise StaleDecision("The game has gone on since this question was asked.")
        return self._game.answering


Bot = Callable[[View, Decision], AnswerLike]
"""A bot: from what its seat sees and a decision to an answer."""

Seat = str | Bot
"""Who plays a seat: `person`, the name of a strategy, or a bot."""


@dataclass(frozen=True, slots=True)
class End:
    """How a game ended. `kind`: `rule`, `fault`, `limit` or `lost`; `name`: the rule, the phase or
    what went wrong; `text`: all of it in words."""

    kind: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class _Standing:
    """A policy that a player has set at a window, in which phase, and what he could answer then."""

    policy: Policy
    phase: int
    could: str


class Game:
    """A game. See docs/api.md."""

    def __init__(
        self,
        compiled: CompiledGame,
        seats: Sequence[Seat],
        *,
        seed: int = 0,
        game: int = 0,
    ) -> None:
        module = compiled.module("play")
        if len(seats) != module.program.players:
            raise ValueError(f"{module.program.players} seats are needed, not {len(seats)}.")
        self.compiled = compiled
        self.seed, self.game = seed, game
        self.engine = compiled.engine("play")
        self.values = Values(compiled.program)
        self.state = LiveState(self.engine, self.values)
        self.sight = Sight(self.state, module.program.knowledge)
        self.answering = Answering(
            self.engine, module.program, compiled.facts, self.values, self.sight
        )
        self._flat = module.program
        self._seats = [self._seat(seat) for seat in seats]
        self._tape = Tape(self.engine, module.program, self._beyond, self._sealed)
        self._retrace: Retrace | None = None
        self.engine.new_game(seed, game)
        self._before = self.engine.save()
        self._log: list[Entry] = []
        self._past: list[PhaseRecord] = []
        self._policies: dict[tuple[int, str], _Standing] = {}
        self._end: End | None = None
        self._asked: tuple[Asked, ...] = ()
        self._envelopes: dict[int, Entry] = {}  # answers of an open secret question, by seat
        self._handed_in: list[int] = []  # the seats whose envelopes were asked for in this run
        self._missing: list[Asked] = []
        self._is_live = False
        self.step = 0

    # ------------------------------------------------------------ seats

    def _seat(self, seat: Seat) -> str | Bot | Mapping[str, Callable[..., int]]:
        if not isinstance(seat, str):
            return seat
        if seat in PERSON_WORDS:
            return PERSON
        named = self._flat.strategies.get(seat)
        if named is None:
            known = ", ".join(self._flat.strategies)
            raise ValueError(f"There is no strategy `{seat}`; there are {known} and {PERSON}.")
        return {site: self.engine.function(function) for site, function in named.items()}

    @property
    def seats(self) -> tuple[str, ...]:
        """The ids of the seats, in order."""
        program = self.compiled.program
        ids = self.values.family(program.player_kind).ids
        return tuple(ids[index] for index in program.kinds[program.player_kind].members)

    def seat_number(self, seat: str | int) -> int:
        """The number of a seat, by its id or by itself."""
        if isinstance(seat, int):
            if 0 <= seat < len(self._seats):
                return seat
        elif seat in self.seats:
            return self.seats.index(seat)
        raise ValueError(f"There is no seat {seat!r}; the seats are {', '.join(self.seats)}.")

    @property
    def people(self) -> tuple[str, ...]:
        """The seats that people play."""
        return tuple(
            id_ for id_, seat in zip(self.seats, self._seats, strict=True) if seat == PERSON
        )

    # ------------------------------------------------------------ going on

    def _run(self) -> None:
        """Runs from the last phase boundary to the next open question, or to the end."""
        if self._is_live:
            return
        self._asked = ()
        self.step += 1
        while self._end is None:
            self._handed_in, self._missing = [], []
            self._tape.start(self._before, self._log)
            try:
                code = self.engine.run_phase()
            except Need as need:
                self._asked = need.asked
                break
            if self._tape.cursor < len(self._log):
                raise ReplayMismatch("the log has answers that nobody asks for")
            self._past.append(PhaseRecord(self._before, self._log))
            self._before, self._log = self.engine.save(), []
            self._end = self._ended(code)
        self._is_live = True

    def _ended(self, code: int) -> End | None:
        word = self.values.word
        if code == GAME_OVER:
            number = self.engine.scalar("ending")
            name = self._flat.endings[number] if number >= 0 else ""
            return End("rule", name, word("end.rule", name=name) if name else word("end.over"))
        if code == FAULT:
            number = self.engine.scalar("fault")
            name = self._flat.faults[number] if number >= 0 else ""
            return End("fault", name, word("end.fault", name=name))
        if code:
            return End("lost", "", word("end.lost"))
        limit = self.compiled.program.phase_limit
        if len(self._past) >= limit:
            return End("limit", str(limit), word("end.limit", name=str(limit)))
        return None

    def _beyond(self, asked: Asked) -> int:
        """Answers a question that the log does not answer."""
        if asked.site.form == "gather":
            return self._in_secret(asked)
        entry = self._answered(asked)
        if entry is None:
            raise Need(asked)
        self._tape.add(entry)
        return self._tape.give(asked.site, entry.given)

    def _answered(self, asked: Asked) -> Entry | None:
        """The answer of a strategy, a bot or a policy; None where a person has to be asked."""
        site, seat = asked.site, asked.seat
        player = self._seats[seat]
        if player == PERSON:
            passed = self._by_policy(asked)
            return None if passed is None else Entry(site.name, seat, passed, by="policy")
        if isinstance(player, Mapping):
            before = self._tape.draws(seat)
            number = player[site.name](seat, *asked.args)
            given = self._tape.taken(site, number)
            return Entry(site.name, seat, given, self._tape.draws(seat) - before)
        assert not isinstance(player, str)
        answer = player(self._look(seat), self._decision(asked))
        return Entry(site.name, seat, self._judged(asked, answer))

    def _in_secret(self, asked: Asked) -> int:
        """One of those who are asked in secret: answers lie in envelopes until all are there."""
        entry = self._envelopes.get(asked.seat)
        if entry is not None:
            self._handed_in.append(asked.seat)
            return self._tape.again(asked.site, entry)
        entry = self._answered(asked)
        if entry is None:
            self._missing.append(asked)
            return 0
        self._envelopes[asked.seat] = entry
        self._handed_in.append(asked.seat)
        return self._tape.give(asked.site, entry.given)

    def _sealed(self) -> None:
        """All have been asked in secret: goes on when the last envelope is there."""
        if self._missing:
            raise Need(*self._missing)
        for seat in self._handed_in:
            self._tape.add(self._envelopes.pop(seat))
        self._handed_in = []

    def _judged(self, asked: Asked, answer: AnswerLike) -> Given:
        given = self.answering.read(asked, answer)
        reason = self.answering.why_not(asked, given)
        if reason is not None:
            raise IllegalAnswer(reason)
        return given

    # ------------------------------------------------------------ passing for people

    def _by_policy(self, asked: Asked) -> Given | None:
        """The pass that nobody has to be asked for; None if the player has to be asked."""
        site = asked.site
        if site.form != "window" or not site.may_pass:
            return None
        if (len(self.people) <= 1 or self._is_public(asked)) and self.answering.only_passes(asked):
            return GIVEN_PASS
        standing = self._policies.get((asked.seat, site.name))
        if standing is not None and self._stands(standing, asked):
            return GIVEN_PASS
        return None

    def _is_public(self, asked: Asked) -> bool:
        """Whether all players could work out whether this seat can do more than pass."""
        for info in asked.site.answers:
            hidden = self.compiled.facts.heads.get(info.name)
            if hidden is None or hidden.others:
                return False
            for name in hidden.hands:
                zone = self.compiled.program.zones[name]
                if zone.count_hidden or self.state.things(zone, asked.seat):
                    return False
        return True

    def _stands(self, standing: _Standing, asked: Asked) -> bool:
        here = len(self._past)
        if standing.policy == "phase":
            return standing.phase == here
        if standing.policy == "change":
            return standing.could == self._could(asked)
        if standing.policy == "turn" and standing.phase != here:
            return self._whose_phase() != asked.seat
        return True

    def _whose_phase(self) -> int | None:
        phase = list(self.compiled.program.phases)[self.engine.scalar("phase")]
        return self.state.whose_phase(self.compiled.facts.turns.get(phase))

    def _could(self, asked: Asked) -> str:
        return "; ".join(str(answer) for answer in self.answering.listed(asked))

    def _note_policy(self, entry: Entry, phase: int) -> None:
        """What an answer of a person says about passing from here on."""
        if entry.by != "person":
            return
        for seat, site in list(self._policies):
            if seat == entry.seat and (
                site == entry.site or self._policies[seat, site].policy in ("question", "turn")
            ):
                del self._policies[seat, site]
        if entry.policy is not None:
            standing = _Standing(entry.policy, phase, entry.could)
            self._policies[entry.seat, entry.site] = standing

    def _recall_policies(self) -> None:
        self._policies = {}
        for phase, log in enumerate([*(record.log for record in self._past), self._log]):
            for entry in log:
                self._note_policy(entry, phase)

    # ------------------------------------------------------------ the open question

    @property
    def pending(self) -> Decision | None:
        """The question that a person has to answer; None if the game is over."""
        self._run()
        return self._decision(self._asked[0]) if self._asked else None

    @property
    def decisions(self) -> list[Decision]:
        """All questions that are open: more than one where all are asked in secret. They can be
        answered in any order."""
        self._run()
        return [self._decision(asked) for asked in self._asked]

    def _decision(self, asked: Asked) -> Decision:
        texts = self.compiled.program.texts
        site = asked.site
        plain = site.question.replace("_", " ")
        key = f"{'window' if site.form == 'window' else 'question'}.{site.question}"
        return Decision(
            seat=self.seats[asked.seat],
            question=site.question,
            prompt=texts.get(key, plain),
            form=site.form,
            scope=self._scope(asked),
            options=tuple(answer_word(site, info) for info in site.answers),
            may_pass=site.may_pass,
            _game=self,
            _asked=asked,
            _number=self.step,
        )

    def _scope(self, asked: Asked) -> dict[str, Value]:
        return {
            name: self.values.value(type_, value)
            for (name, _, type_), value in zip(asked.site.scope, asked.args, strict=True)
            if self.sight.sees_value(asked.seat, type_, value)
        }

    def answers(self, seat: str | None = None, most: int = MOST_LISTED) -> list[Answer]:
        """The legal answers to the open question (of a seat); none if the game is over."""
        self._run()
        return self._decision(self._open(seat)).answers(most) if self._asked else []

    def why_not(self, answer: AnswerLike, seat: str | None = None) -> str | None:
        """Why the open question (of a seat) can't be answered so, in words; None if it can."""
        return self._decision(self._open(seat)).why_not(answer)

    def _open(self, seat: str | None) -> Asked:
        self._run()
        if not self._asked:
            raise IllegalAnswer(self.values.word("end.over"))
        if seat is None:
            return self._asked[0]
        number = self.seat_number(seat)
        for asked in self._asked:
            if asked.seat == number:
                return asked
        raise IllegalAnswer(f"{seat} is not asked anything now")

    def apply(
        self, answer: AnswerLike, *, seat: str | None = None, until: Policy | None = None
    ) -> None:
        """Answers the open question and goes on to the next one.

        `seat`: who answers, where several are asked or it is to be checked. `until`: with a pass
        at a window, for how long to go on passing there (see `Policy`). Raises IllegalAnswer with
        the reason, and changes nothing, where the answer is refused.
        """
        asked = self._open(seat)
        given = self._judged(asked, answer)
        if until is not None and (given.number or asked.site.form != "window"):
            raise IllegalAnswer("only who passes at a window can say how long to go on passing")
        could = self._could(asked) if until == "change" else ""
        entry = Entry(asked.site.name, asked.seat, given, 0, "person", until, could)
        if asked.site.form == "gather":
            self._envelopes[asked.seat] = entry
        else:
            self._log = [*self._log, entry]
        self._note_policy(entry, len(self._past))
        self._is_live = False
        self._run()

    def undo(self, seat: str | None = None) -> bool:
        """Takes back the last answer of a person, or of this seat, and all that came after it.

        False if there is none.
        """
        number = None if seat is None else self.seat_number(seat)
        if not self._undo_envelope(number) and not self._undo_logged(number):
            return False
        self._recall_policies()
        self._is_live = False
        self._run()
        return True

    def _undo_envelope(self, seat: int | None) -> bool:
        for who, entry in reversed(list(self._envelopes.items())):
            if entry.by == "person" and seat in (None, who):
                del self._envelopes[who]
                return True
        return False

    def _undo_logged(self, seat: int | None) -> bool:
        """Cuts the log; of a secret question that is over the other envelopes are kept."""
        log, past, before = self._log, list(self._past), self._before
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
        self._log, self._past, self._before = log[:cut], past, before
        self._envelopes = {}
        if self._flat.sites[log[cut].site].form == "gather":
            self._open_envelopes(log, cut)
        self._end = None
        return True

    def _open_envelopes(self, log: list[Entry], cut: int) -> None:
        """Puts the answers given in secret beside this one back into their envelopes."""
        first = last = cut
        seats = {log[cut].seat}
        while first > 0 and _is_beside(log[first - 1], log[cut], seats):
            first -= 1
            seats.add(log[first].seat)
        while last + 1 < len(log) and _is_beside(log[last + 1], log[cut], seats):
            last += 1
            seats.add(log[last].seat)
        self._log = log[:first]
        beside = [entry for n, entry in enumerate(log) if first <= n <= last and n != cut]
        self._envelopes = {entry.seat: entry for entry in beside}

    # ------------------------------------------------------------ results

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        self._run()
        return self._end is not None

    @property
    def end(self) -> End | None:
        """How the game ended; None while it goes on."""
        self._run()
        return self._end

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won; nobody while the game goes on, or if it was stopped by a fault."""
        self._run()
        if self._end is None or self._end.kind in ("fault", "lost"):
            return ()
        bits = self.engine.winners()
        return tuple(id_ for index, id_ in enumerate(self.seats) if bits >> index & 1)

    @property
    def scores(self) -> dict[str, int]:
        """What decides the game, by seat, as it stands now."""
        self._run()
        return {id_: self.engine.score(index) for index, id_ in enumerate(self.seats)}

    @property
    def phases(self) -> int:
        """How many phases have been played to their end."""
        self._run()
        return len(self._past)

    def digest(self) -> int:
        """64 bits that tell states apart, the same as those of a batch with this state."""
        self._run()
        fields = [one for one in self.engine.fields if one.name not in SCRATCH_ROWS]
        words = [
            value
            for one, _, value in saved_values(self.engine.fields, self.engine.save())
            if one.name not in SCRATCH_ROWS
        ]
        return fold_state(fields, words)

    # ------------------------------------------------------------ what seats see

    def view(self, seat: str | int) -> View:
        """What a seat sees now (see `View`)."""
        self._run()
        number = self.seat_number(seat)
        seen = self._look(number)
        for asked in self._asked:
            if asked.seat == number:
                decision = self._decision(asked)
                seen["question"] = {
                    "name": decision.question,
                    "prompt": decision.prompt,
                    "scope": decision.scope,
                    "options": list(decision.options),
                    "may_pass": decision.may_pass,
                }
            elif asked.site.form not in ("window", "gather"):
                seen["waiting_for"] = self.seats[asked.seat]
        return seen

    def _look(self, seat: int) -> View:
        phases = list(self.compiled.program.phases)
        seen: View = {
            "seat": self.seats[seat],
            "phase": phases[self.engine.scalar("phase")],
            "over": self._end is not None,
        }
        return seen | self.sight.look(seat)

    # ------------------------------------------------------------ what happened

    def log(self, seat: str | int, since: int = 0) -> list[str]:
        """What has happened, as far as a seat may know it, from a phase on."""
        self._run()
        number = self.seat_number(seat)
        lines = [line for record in self._past[since:] for line in self._lines_of(record)]
        lines += self._lines_now()
        return [text for line in lines if (text := line.texts[number]) is not None]

    def why(self, seat: str | int | None = None) -> list[TraceLine]:
        """What happened since the last answer of a person, rule by rule; for a seat only what it
        may know, and the rules that led to that."""
        self._run()
        lines = list(self._since_last_answer())
        if seat is None:
            return lines
        return list(_known_to(lines, self.seat_number(seat)))

    def _since_last_answer(self) -> Iterator[TraceLine]:
        logs = [record.log for record in self._past]
        logs.append(self._log)
        for phase in range(len(logs) - 1, -1, -1):
            mine = [n for n, entry in enumerate(logs[phase]) if entry.by == "person"]
            if mine or phase == 0:
                start = mine[-1] + 1 if mine else 0
                first = self._lines_of_phase(phase)
                yield from (line for line in first if line.answered >= start)
                for later in range(phase + 1, len(logs)):
                    yield from self._lines_of_phase(later)
                return

    def _lines_of_phase(self, phase: int) -> list[TraceLine]:
        if phase < len(self._past):
            return self._lines_of(self._past[phase])
        return self._lines_now()

    def _lines_of(self, record: PhaseRecord) -> list[TraceLine]:
        if record.lines is None:
            record.lines = self._traced().phase(record.before, record.log)
        return record.lines  # type: ignore[return-value]

    def _lines_now(self) -> list[TraceLine]:
        if self._end is not None:
            return []
        return self._traced().phase(self._before, self._log)

    def _traced(self) -> Retrace:
        if self._retrace is None:
            self._retrace = Retrace(self.compiled, self.values)
        return self._retrace

    # ------------------------------------------------------------ saving

    def save(self) -> str:
        """The game as text, to be loaded again under the same rules."""
        self._run()
        program = self.compiled.program
        return to_text(
            Saved(
                variant=program.variant,
                title=program.title,
                mods=list(program.mods),
                switches=dict(program.switches),
                digest=program.digest,
                players=program.players,
                seed=self.seed,
                game=self.game,
                seats=list(self._seat_names()),
                phases=[record.log for record in self._past],
                log=self._log,
                envelopes=list(self._envelopes.values()),
                state=state_digest(self._before),
                is_over=self._end is not None,
            ),
            list(self._flat.sites),
        )

    def _seat_names(self) -> Iterator[str]:
        for seat in self._seats:
            if isinstance(seat, Mapping):
                known = self._flat.strategies
                yield next(
                    name
                    for name, sites in known.items()
                    if all(seat[site] == self.engine.function(sites[site]) for site in seat)
                )
            else:
                yield seat if isinstance(seat, str) else BOT

    @classmethod
    def load(
        cls, compiled: CompiledGame, text: str, bots: Mapping[str, Seat] | None = None
    ) -> Game:
        """A saved game, with all that happened in it. `bots`: who plays now, by seat; other seats
        are played as before, those of bots by people.

        Raises SaveError where the text is damaged, or of other rules.
        """
        saved = from_text(text)
        _check_rules(compiled, saved)
        seats: list[Seat] = [PERSON if seat == BOT else seat for seat in saved.seats]
        try:
            game = cls(compiled, seats, seed=saved.seed, game=saved.game)
        except ValueError as error:
            raise SaveError(f"This saved game does not fit the rules: {error}") from None
        for seat, player in (bots or {}).items():
            game._seats[game.seat_number(seat)] = game._seat(player)
        game._replay(saved)
        return game

    def _replay(self, saved: Saved) -> None:
        other = (
            "This game was saved with another version of Rulewright, which plays these rules "
            "differently: it can't be taken up at the same place."
        )
        try:
            for log in saved.phases:
                self._tape.start(self._before, log)
                code = self.engine.run_phase()
                if self._tape.cursor != len(log) or self._end is not None:
                    raise SaveError(other)
                self._past.append(PhaseRecord(self._before, log))
                self._before = self.engine.save()
                self._end = self._ended(code)
        except (Need, ReplayMismatch, IndexError, ValueError, KeyError) as error:
            if isinstance(error, SaveError):
                raise
            raise SaveError(other) from None
        if state_digest(self._before) != saved.state or (self._end is not None) != saved.is_over:
            raise SaveError(other)
        self._log = saved.log
        self._envelopes = {entry.seat: entry for entry in saved.envelopes}
        self._recall_policies()
        try:
            self._run()
        except (ReplayMismatch, IndexError, KeyError) as error:
            raise SaveError(other) from error


def _check_rules(compiled: CompiledGame, saved: Saved) -> None:
    program = compiled.program
    if saved.digest == program.digest:
        return
    if saved.variant != program.variant:
        raise SaveError(f"This is a saved game of {saved.title}, not of {program.title}.")
    if saved.players != program.players:
        raise SaveError(f"This game is for {saved.players} players, not {program.players}.")
    if set(saved.mods) != set(program.mods):
        raise SaveError(
            f"This game was saved {_with(saved.mods)}; these rules are {_with(program.mods)}."
        )
    known = dict(program.switches)
    changed = [
        f"{name} was {value}"
        for name, value in saved.switches.items()
        if known.get(name, value) != value
    ]
    if changed:
        raise SaveError(f"This game was saved with other switches: {', '.join(changed)}.")
    raise SaveError(
        f"This game was saved with other rules or data of {program.title} (rules "
        f"{saved.digest[:12]}, now {program.digest[:12]}): they have been changed since."
    )


def _is_beside(entry: Entry, other: Entry, seats: set[int]) -> bool:
    """Whether two answers belong to one secret question: each seat gives one there."""
    return entry.site == other.site and entry.seat not in seats


def _with(mods: Sequence[str]) -> str:
    return f"with {', '.join(mods)}" if mods else "without mods"


def _known_to(lines: list[TraceLine], seat: int) -> Iterator[TraceLine]:
    """What a seat may read, and the last rule before each of these lines."""
    rule: TraceLine | None = None
    for line in lines:
        if line.kind in ("rule", "watch"):
            rule = line
        elif line.texts[seat] is not None:
            if rule is not None:
                told = f"{rule.kind} {rule.what}"
                yield TraceLine(
                    rule.kind, rule.what, told, rule.texts, rule.source, rule.line, rule.answered
                )
                rule = None
            text = line.texts[seat]
            assert text is not None
            yield TraceLine(
                line.kind, line.what, text, line.texts, line.source, line.line, line.answered
            )


__all__ = [
    "BOT", "PASS", "PERSON", "PICK", "Bot", "Decision", "End", "Game", "Seat", "StaleDecision",
]  # fmt: skip
