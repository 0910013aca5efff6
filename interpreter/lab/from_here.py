"""Who wins from here: a saved game, played on many times from its open question.

What the seat that is asked does not know (hands, decks, hidden fields) is dealt anew each time by
declared visibility alone, as search bots do it, and all luck is new.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from interpreter.engine.seeding import mix
from interpreter.playtest.runner import never
from interpreter.playtest.stats import Seen, Share, shares_of
from interpreter.search.finish import Outcome
from interpreter.search.playouts import Playouts
from interpreter.session.compile import CompiledGame
from interpreter.session.game import Game


class NothingAsked(ValueError):
    """A game in which nobody is asked anything; the message says why."""


@dataclass(frozen=True, slots=True)
class FromHere:
    """How a game went on. `asked`: the seat from which it was seen; `games`: how many were played,
    `cut` of them to the limit of turns and `faults` into a fault; `shares`: of the rest, how often
    each seat has won; `unwon`: how many of these had no winner."""

    asked: str
    seats: tuple[str, ...]
    strategies: tuple[str, ...]
    games: int
    cut: int
    faults: int
    unwon: int
    shares: tuple[Share, ...]


def play_from(
    compiled: CompiledGame,
    game: Game,
    games: int,
    *,
    strategies: Sequence[str] = (),
    seed: int = 0,
    native: bool = True,
    on_game: Callable[[int], None] | None = None,
    should_stop: Callable[[], bool] = never,
) -> FromHere:
    """Plays a game on so many times. `strategies`: who stands in for the seats, drawn anew for each
    game; by default all that are written. Raises NothingAsked."""
    decision = game.pending
    if decision is None:
        raise NothingAsked("nobody is asked anything: the game is over, or only bots play it")
    playouts = Playouts(compiled, strategies, native=native, phases=compiled.program.phase_limit)
    playouts.is_counted = False  # to the end of the game, not of a round
    playouts.follow(decision.course())
    tally = _Tally(compiled.program.players)
    for number in range(games):
        if should_stop():
            break
        (ended,) = playouts.play(mix(mix(seed) + number), [[]])
        tally.add(ended)
        if on_game is not None:
            on_game(number + 1)
    return tally.result(decision.seat, game.seats, tuple(playouts.strategies))


class _Tally:
    def __init__(self, players: int) -> None:
        self._players = players
        self._won: Counter[int] = Counter()
        self._cut = self._faults = 0

    def add(self, ended: Outcome | None) -> None:
        """Adds a game; None was a fault."""
        if ended is None:
            self._faults += 1
        elif not ended.is_over:
            self._cut += 1
        else:
            self._won[ended.winners] += 1

    def result(self, asked: str, seats: tuple[str, ...], strategies: tuple[str, ...]) -> FromHere:
        """All that was added."""
        shares, _ = shares_of(self._seen(), self._players)
        games = self._won.total() + self._cut + self._faults
        return FromHere(
            asked, seats, strategies, games, self._cut, self._faults, self._won[0], tuple(shares)
        )

    def _seen(self) -> Iterator[Seen]:
        held = (1 / self._players,) * self._players
        for winners, times in self._won.items():
            bits = [winners >> seat & 1 for seat in range(self._players)]
            yield Seen(times, tuple(bit / max(1, sum(bits)) for bit in bits), held)
