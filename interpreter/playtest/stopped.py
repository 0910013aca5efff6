"""Games of a run that no rule ended, played again to say where it happened and how to get there.

Imported only where there are such games.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from interpreter.emit.ends import BROKEN, FAULT
from interpreter.engine.seating import line_up
from interpreter.playtest.ends import Endings, Stopped
from interpreter.search.bots import make_bot
from interpreter.session.again import play_command
from interpreter.session.compile import CompiledGame
from interpreter.session.driver import Driver
from interpreter.session.faults import Fault, find_fault

Key = tuple[int, int]
"""The code of an end, and the number of its reason."""


def look_at(
    game: CompiledGame,
    examples: Mapping[Key, Sequence[int]],
    bots: Sequence[str],
    seed: int,
    endings: Endings,
    should_stop: Callable[[], bool],
) -> dict[Key, tuple[Stopped, ...]]:
    """For each reason of which there are examples the places at which games were stopped, the most
    frequent first."""
    players = game.program.players
    found: dict[Key, tuple[Stopped, ...]] = {}
    for (code, number), games in examples.items():
        if code not in (FAULT, BROKEN):
            again = play_command(game, line_up(bots, games[0], players), seed, games[0])
            found[code, number] = (Stopped(len(games), games[0], again, None),)
            continue
        words = endings.word(code, number)
        places: dict[tuple[object, ...], list[tuple[int, Fault]]] = {}
        for index in games:
            if places and should_stop():
                break
            seats = line_up(bots, index, players)
            fault = fault_of(game, seats, seed, index, words)
            places.setdefault((fault.rule, fault.place), []).append((index, fault))
        found[code, number] = tuple(
            Stopped(
                len(alike),
                alike[0][0],
                play_command(game, line_up(bots, alike[0][0], players), seed, alike[0][0]),
                alike[0][1],
            )
            for alike in sorted(places.values(), key=lambda alike: (-len(alike), alike[0][0]))
        )
    return found


def fault_of(game: CompiledGame, seats: Sequence[str], seed: int, number: int, words: str) -> Fault:
    """Plays a game that was stopped again, and says where."""
    written = game.facts.strategies
    driver = Driver(
        game, [seat if seat in written else make_bot(seat) for seat in seats], seed, number
    )
    driver.run()
    if driver.end is None or driver.end.kind not in ("fault", "broken"):
        raise RuntimeError(f"game {number} was stopped ({words}), but is not when played again")
    broken = driver.engine.scalar("fault") if driver.end.kind == "broken" else 0
    return find_fault(game, driver.past[-1], words, broken)
