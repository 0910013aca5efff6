"""Batches of games: what comes out of them, and how the Python engine plays them."""

from __future__ import annotations

import traceback
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from interpreter.emit.ends import CRASHED, GAME_OVER, PHASE_LIMIT
from interpreter.emit.layout import RECORDED
from interpreter.engine.python_engine import Answer, PythonEngine
from interpreter.engine.seating import line_up
from interpreter.flat.ir.nodes import Program

ALWAYS = "always"


@dataclass(frozen=True, slots=True)
class Crash:
    """What broke in a game: in a line, and with all that is known of it."""

    summary: str
    details: str


@dataclass(slots=True)
class BatchResult:
    """The games `first`, `first + 1`, ... of a run, one entry per game in each list.

    `ends`: the code of each end (`interpreter.emit.ends`). `scalars`: the recorded scalars
    (`phases`, `questions`, `fault`, ...). `winners`: bits of players; `scores`: `players` per
    game; both are 0 unless the game was over or at its limit. `digests`: of the final states, if
    asked for. `measures`: sums over all games. `crashes`: by the index of a game in which an engine
    broke, what there is to know for whoever mends it.
    """

    first: int
    players: int
    ends: array[int] = field(default_factory=lambda: array("i"))
    scalars: dict[str, array[int]] = field(default_factory=dict)
    winners: array[int] = field(default_factory=lambda: array("Q"))
    scores: array[int] = field(default_factory=lambda: array("i"))
    digests: array[int] = field(default_factory=lambda: array("Q"))
    measures: dict[str, list[int]] = field(default_factory=dict)
    crashes: dict[int, Crash] = field(default_factory=dict)

    @property
    def games(self) -> int:
        return len(self.ends)


def empty_result(program: Program, first: int) -> BatchResult:
    """A result of no games yet."""
    scalars = {name: array("i") for name in RECORDED if name in program.scalars}
    measures = {
        column.name: [0] * len(column.initial)
        for column in program.columns.values()
        if column.role == "measure"
    }
    return BatchResult(first, program.players, scalars=scalars, measures=measures)


def crashed_result(program: Program, game: int, error: Exception) -> BatchResult:
    """The result of one game that an error of ours has ended."""
    result = empty_result(program, game)
    result.ends.append(CRASHED)
    for values in result.scalars.values():
        values.append(0)
    result.winners.append(0)
    result.scores.extend([0] * program.players)
    summary = traceback.format_exception_only(error)[-1].strip().splitlines()[0]
    result.crashes[game] = Crash(summary, "".join(traceback.format_exception(error)))
    return result


def play_batch(
    engine: PythonEngine,
    first: int,
    games: int,
    seats: Sequence[str | Mapping[str, Answer]],
    *,
    seed: int = 0,
    phase_limit: int = 10_000,
    reseat: bool = False,
    digests: bool = False,
    checks: bool = False,
    asked: int = 0,
) -> BatchResult:
    """Plays games of a run, one after the other; the native engine gives the same result.

    `seed` is the run's; game k of a run is the same game in whatever batch it is played. With
    `reseat` the bots in `seats` are seated anew in each game (`interpreter.engine.seating`).
    `digests`: with the digest of each final state. `checks`: with the conditions that must always
    hold looked at after each phase. `asked`: the seats, as bits, that are asked every time, since
    no strategy of the program plays them.
    """
    program = engine.program
    result = empty_result(program, first)
    engine.clear_measures()
    for game in range(first, first + games):
        table = line_up(seats, game, program.players) if reseat else seats
        for seat, strategy in enumerate(table):
            engine.seat(seat, strategy)
        engine.new_game(seed, game)
        if ALWAYS in program.scalars:
            engine.set_scalar(ALWAYS, asked)
        code = engine.play(phase_limit, checks=checks)
        result.ends.append(code)
        for name, values in result.scalars.items():
            values.append(engine.scalar(name))
        ended = code in (PHASE_LIMIT, GAME_OVER)
        result.winners.append(engine.winners() if ended else 0)
        for player in range(program.players):
            result.scores.append(engine.score(player) if ended else 0)
        if digests:
            result.digests.append(engine.digest())
    for name, sums in engine.measures().items():
        result.measures[name] = sums
    return result


def merge_results(results: Iterable[BatchResult]) -> BatchResult:
    """One result of batches that follow each other without a gap, given in any order.

    Raises ValueError if there is none, or a gap, or an overlap.
    """
    ordered = sorted(results, key=lambda result: result.first)
    if not ordered:
        raise ValueError("There is no batch to merge.")
    start = ordered[0]
    merged = BatchResult(start.first, start.players)
    merged.scalars = {name: array("i") for name in start.scalars}
    merged.measures = {name: [0] * len(sums) for name, sums in start.measures.items()}
    for result in ordered:
        if result.first != merged.first + merged.games:
            raise ValueError(f"Game {merged.first + merged.games} is missing or played twice.")
        merged.ends += result.ends
        merged.winners += result.winners
        merged.scores += result.scores
        merged.digests += result.digests
        merged.crashes |= result.crashes
        for name, values in result.scalars.items():
            merged.scalars[name] += values
        for name, sums in result.measures.items():
            total = merged.measures[name]
            for index, number in enumerate(sums):
                total[index] += number
    return merged
