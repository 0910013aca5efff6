"""A variant shaken: set-ups drawn by lot, and the games of one of them.

A set-up is a number of players, mods that fit and values of switches. At its tables written
strategies and random players are mixed. Number `n` of a seed is the same set-up always.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from dsl.check.drawable import drawable_switches
from dsl.core import nodes as core
from dsl.diagnostics.record import Bag
from dsl.project.load import load_merged
from interpreter.emit.ends import BROKEN, FAULT, GAME_OVER, PHASE_LIMIT
from interpreter.emit.python import print_python
from interpreter.emit.wat import print_wat
from interpreter.engine.batch import BatchResult, play_batch
from interpreter.engine.native_engine import NATIVE, NativeEngine, NativeError
from interpreter.engine.python_engine import PythonEngine
from interpreter.engine.seating import line_up
from interpreter.flat.ir import nodes as flat
from interpreter.playtest.ends import Endings, endings_of
from interpreter.playtest.lowering import playtest_program
from interpreter.playtest.stopped import fault_of
from interpreter.playtest.tally import end_numbers
from interpreter.session.again import play_command, shake_command
from interpreter.session.build import check
from interpreter.session.compile import CompiledGame
from interpreter.session.facts import gather_facts
from interpreter.session.faults import Fault
from interpreter.session.request import Request

TABLES = 8
"""Line-ups of a set-up."""
COMPARED = 2
"""Games of each line-up that both engines play."""
CHANGES = (0.05, 0.2, 0.5)
"""How many of the switches are set, as a share that is drawn for each set-up."""
MOST_DRAWS = 10
"""Set-ups that the checker refuses before only a single change is tried."""
RANDOM_SEATS = 0.3

Kind = str
"""What is wrong with a game: `fault`, `broken`, `limit`, `difference` (of the engines), `crash`."""


@dataclass(frozen=True, slots=True)
class Shaking:
    """What is shaken. `request`: what is given and not drawn; `mods`: those that may be laid over;
    `players`: from how many to how many; `bots`: who plays; None draws them."""

    request: Request
    mods: tuple[str, ...]
    players: tuple[int, int]
    seed: int
    bots: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Trouble:
    """One way in which games of a set-up went wrong. `games`: how many; `game` the first of them,
    among `seats`; `again`: the command that plays it. `where`: what stopped it, if a rule did."""

    kind: Kind
    reason: str
    games: int
    request: Request
    seed: int
    game: int
    seats: tuple[str, ...]
    again: str
    where: Fault | None = None

    @property
    def key(self) -> tuple[str, str, str | None]:
        """What makes two of them the same."""
        return self.kind, self.reason, self.where.place if self.where else None


@dataclass(slots=True)
class Shaken:
    """What came of a set-up. `compared`: games that both engines have played; `refused`: set-ups
    that were drawn before and are none, as the checker says; `seconds`: for making and playing."""

    number: int
    request: Request
    games: int = 0
    compared: int = 0
    refused: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    troubles: list[Trouble] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


# ---------------------------------------------------------------- drawing


def shake(shaking: Shaking, number: int, games: int) -> Shaken:
    """Draws a set-up and plays games of it."""
    start = time.perf_counter()
    request, program, refused = drawn_setup(shaking, number)
    shaken = Shaken(number, request, refused=refused)
    shaken.seconds["draw"] = time.perf_counter() - start
    _play_setup(shaken, program, shaking, games)
    return shaken


def drawn_setup(shaking: Shaking, number: int) -> tuple[Request, core.Program, int]:
    """A set-up by its number, checked, and how many were refused before it. Raises ValueError
    where the checker refuses whatever is drawn."""
    lot = random.Random(f"{shaking.seed}/{number}")
    for refused in range(2 * MOST_DRAWS):
        request = _drawn(shaking, lot, is_small=refused >= MOST_DRAWS)
        program = None if request is None else check(request, Bag())
        if request is not None and program is not None:
            return request, program, refused
    raise ValueError("The checker refuses whatever is drawn.")


def _drawn(shaking: Shaking, lot: random.Random, *, is_small: bool) -> Request | None:
    """A set-up; None where its texts can't even be put together."""
    given = shaking.request
    players = lot.randint(*shaking.players)
    count = 0 if is_small else lot.choice((0, 0, 1, 2, len(shaking.mods)))
    mods = lot.sample(shaking.mods, min(count, len(shaking.mods)))
    request = replace(given, players=players, mods=(*given.mods, *mods))
    merged = load_merged(
        request.library, request.name_or_path, mods=request.mods, switches=request.switches,
        profile=request.profile, scenarios=False, bag=Bag(),
    )  # fmt: skip
    if merged is None:
        return None
    share = CHANGES[0] if is_small else lot.choice(CHANGES)
    drawn = {
        each.name: lot.choice(each.others)
        for each in drawable_switches(merged, players)
        if each.name not in given.switches and lot.random() < share
    }
    return replace(request, switches={**given.switches, **drawn})


def _tables(
    strategies: Sequence[str], shaking: Shaking, players: int, number: int
) -> list[list[str]]:
    """Who sits at each table; the first one is all random."""
    if shaking.bots is not None:
        return [[shaking.bots[seat % len(shaking.bots)] for seat in range(players)]]
    lot = random.Random(f"{shaking.seed}/{number}/tables")
    written = [name for name in strategies if name != flat.RANDOM] or [flat.RANDOM]
    tables = [[flat.RANDOM] * players]
    while len(tables) < TABLES:
        tables.append([
            flat.RANDOM if lot.random() < RANDOM_SEATS else lot.choice(written)
            for _ in range(players)
        ])  # fmt: skip
    return tables


# ---------------------------------------------------------------- playing


@dataclass(frozen=True, slots=True)
class Rig:
    """A set-up on its engines; `main` plays all games, `other` some of them once more."""

    program: core.Program
    game: CompiledGame
    main: NativeEngine | PythonEngine
    other: PythonEngine | None
    endings: Endings

    def play(
        self, first: int, games: int, seats: Sequence[str], seed: int, *, reseat: bool = True
    ) -> BatchResult:
        """Games on the main engine."""
        limit = self.program.phase_limit
        return _play(self.main, first, games, seats, seed, limit, reseat=reseat)

    def play_other(
        self, first: int, games: int, seats: Sequence[str], seed: int, *, reseat: bool = True
    ) -> BatchResult:
        """The same on the other one."""
        assert self.other is not None
        limit = self.program.phase_limit
        return _play(self.other, first, games, seats, seed, limit, reseat=reseat)


def make_rig(request: Request, program: core.Program, *, is_pair: bool) -> Rig:
    """A checked set-up, ready to be played. Nothing of it is kept: it is needed once."""
    lowered = playtest_program(program)
    facts = gather_facts(program)
    game = CompiledGame(facts, None, lambda: program, request)
    endings = endings_of(lowered, program, facts.always)
    python = None
    if is_pair or not NATIVE:
        python = PythonEngine(lowered, text=print_python(lowered), cached=False)
    if not NATIVE:
        assert python is not None
        return Rig(program, game, python, None, endings)
    native = NativeEngine(lowered, text=print_wat(lowered, batch=True), cached=False)
    return Rig(program, game, native, python, endings)


def _play(
    engine: NativeEngine | PythonEngine,
    first: int,
    games: int,
    seats: Sequence[str],
    seed: int,
    limit: int,
    *,
    reseat: bool,
) -> BatchResult:
    if isinstance(engine, NativeEngine):
        return engine.play_batch(
            first, games, seats,
            seed=seed, phase_limit=limit, reseat=reseat, checks=True, digests=True,
        )  # fmt: skip
    return play_batch(
        engine, first, games, seats,
        seed=seed, phase_limit=limit, reseat=reseat, checks=True, digests=True,
    )  # fmt: skip


def _play_setup(shaken: Shaken, program: core.Program, shaking: Shaking, games: int) -> None:
    """Plays the games of a set-up, table by table, and notes what went wrong."""
    start = time.perf_counter()
    seed = shaking.seed + shaken.number
    try:
        rig = make_rig(shaken.request, program, is_pair=True)
    except Exception as error:  # noqa: BLE001
        shaken.troubles.append(_crash(shaken, seed, 0, (), error))
        return
    made = time.perf_counter()
    shaken.seconds["make"] = made - start
    tables = _tables(rig.game.facts.strategies, shaking, program.players, shaken.number)
    each = -(-games // len(tables))
    for first in range(0, games, each):
        seats = tables[first // each]
        count = min(each, games - first)
        try:
            result = rig.play(first, count, seats, seed)
            _note(shaken, rig, result, seats, seed)
            _compare(shaken, rig, first, min(COMPARED, count), seats, seed)
        except (NativeError, ArithmeticError, LookupError, RecursionError) as error:
            shaken.troubles.append(_crash(shaken, seed, first, seats, error))
        shaken.games += count
    shaken.seconds["play"] = time.perf_counter() - made


def _crash(shaken: Shaken, seed: int, game: int, seats: Sequence[str], error: Exception) -> Trouble:
    reason = f"{type(error).__name__}: {error}".splitlines()[0]
    number = getattr(error, "game", None)
    first = game if number is None else number
    again = shake_command(shaken.request, seats, seed, first)
    return Trouble("crash", reason, 1, shaken.request, seed, first, tuple(seats), again)


def stops(result: BatchResult) -> dict[tuple[int, int], list[int]]:
    """The games of a result that no rule has ended, by code and number of the reason."""
    found: dict[tuple[int, int], list[int]] = {}
    for at, (code, number) in enumerate(zip(result.ends, end_numbers(result), strict=True)):
        if code != GAME_OVER:
            found.setdefault((code, number), []).append(result.first + at)
    return found


def kind_of(code: int) -> Kind:
    """What is wrong with a game that ended so."""
    return {PHASE_LIMIT: "limit", BROKEN: "broken"}.get(code, "fault")


def _note(shaken: Shaken, rig: Rig, result: BatchResult, seats: Sequence[str], seed: int) -> None:
    for code, number in zip(result.ends, end_numbers(result), strict=True):
        shaken.ends[rig.endings.word(code, number)] += 1
    for (code, number), games in stops(result).items():
        words = rig.endings.word(code, number)
        table = line_up(seats, games[0], rig.program.players)
        where = None
        if code in (FAULT, BROKEN):
            where = fault_of(rig.game, table, seed, games[0], words)
        again = play_command(rig.game, table, seed, games[0])
        shaken.troubles.append(
            Trouble(
                kind_of(code), words, len(games), shaken.request, seed, games[0], tuple(table),
                again, where,
            )
        )  # fmt: skip


def _compare(
    shaken: Shaken, rig: Rig, first: int, games: int, seats: Sequence[str], seed: int
) -> None:
    """Plays some games on both engines."""
    if rig.other is None:
        return
    for game in range(first, first + games):
        shaken.compared += 1
        parting = parted(rig, game, seats, seed)
        if parting is not None:
            table = line_up(seats, game, rig.program.players)
            again = shake_command(shaken.request, table, seed, game)
            shaken.troubles.append(
                Trouble("difference", parting, 1, shaken.request, seed, game, tuple(table), again)
            )


def parted(
    rig: Rig, game: int, seats: Sequence[str], seed: int, *, reseat: bool = True
) -> str | None:
    """Where the engines part in a game, in words; None if they don't."""
    left = rig.play(game, 1, seats, seed, reseat=reseat)
    right = rig.play_other(game, 1, seats, seed, reseat=reseat)
    if left == right:
        return None
    assert isinstance(rig.main, NativeEngine)
    assert rig.other is not None
    for engine in (rig.main, rig.other):
        table = line_up(seats, game, rig.program.players) if reseat else seats
        for seat, name in enumerate(table):
            engine.seat(seat, name)
        engine.new_game(seed, game)
    for phase in range(1, rig.program.phase_limit + 1):
        code, other = rig.main.run_phase(), rig.other.run_phase()
        if code != other:
            return f"the engines differ in phase {phase}: it ends with {code} and {other}"
        field_ = rig.main.difference(rig.other.save())
        if field_ is not None:
            return f"the engines differ after phase {phase}: {field_}"
        if code:
            break
    names = (name for name in left.measures if left.measures[name] != right.measures[name])
    return f"the engines differ in what they measure: {', '.join(names) or 'results'}"
