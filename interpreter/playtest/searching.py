"""Tables at which search bots sit: a session plays each game, and then the engine of the playtest
goes through it for what the report tells. Only imported where such a bot plays."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from functools import partial

from interpreter.engine.batch import BatchResult, merge_results, play_batch
from interpreter.engine.native_engine import NATIVE
from interpreter.engine.python_engine import BROKEN, Answer, PythonEngine
from interpreter.engine.seating import line_up
from interpreter.search.bots import make_bot
from interpreter.search.playouts import native_module
from interpreter.session.compile import CompiledGame
from interpreter.session.driver import Driver
from interpreter.session.records import Entry
from interpreter.session.tape import ReplayMismatch, register_name

FLAVOURS = ("play", "search", "bare")


def prepare(game: CompiledGame) -> None:
    """Makes all that such games need: other processes can't compile anything."""
    for flavour in FLAVOURS:
        game.module(flavour)
    if NATIVE:
        native_module(game)


def play_searching(
    game: CompiledGame,
    engine: PythonEngine,
    numbers: Iterable[int],
    bots: Sequence[str],
    *,
    seed: int,
    phase_limit: int,
) -> BatchResult:
    """Plays games of a run, as `play_batch` does with `reseat` and `checks`."""
    players = game.program.players
    return merge_results(
        _play_game(game, engine, number, line_up(bots, number, players), seed, phase_limit)
        for number in numbers
    )


def _play_game(
    game: CompiledGame,
    engine: PythonEngine,
    number: int,
    names: Sequence[str],
    seed: int,
    phase_limit: int,
) -> BatchResult:
    written = game.facts.strategies
    seats = [name if name in written else make_bot(name) for name in names]
    driver = Driver(game, seats, seed, number)
    driver.run()
    log = [entry for record in driver.past for entry in record.log]
    given = {
        seat: deque(entry for entry in log if entry.seat == seat)
        for seat, name in enumerate(names)
        if name not in written
    }
    players: list[str | Mapping[str, Answer]] = [
        _again(driver, engine, given[seat]) if seat in given else name
        for seat, name in enumerate(names)
    ]
    asked = sum(1 << seat for seat in given)
    result = play_batch(
        engine, number, 1, players,
        seed=seed, phase_limit=phase_limit, checks=True, asked=asked,
    )  # fmt: skip
    if any(given.values()) and result.ends[0] != BROKEN:
        raise ReplayMismatch(f"game {number} has answers that nobody asks for")
    return result


def _again(driver: Driver, engine: PythonEngine, given: deque[Entry]) -> dict[str, Answer]:
    """A player that gives the answers of a seat once more."""

    def answer(site: str, seat: int, *_: object) -> int:
        if not given or given[0].site != site:
            raise ReplayMismatch(f"seat {seat} is asked {site}, as it was not before")
        entry = given.popleft()
        if entry.given.number:
            picks = driver.flat.sites[site].answers[entry.given.number - 1].picks
            for pick, value in zip(picks, entry.given.picks, strict=True):
                engine.set_scalar(register_name(pick.register), value)
        return entry.given.number

    return {site: partial(answer, site) for site in engine.program.sites}
