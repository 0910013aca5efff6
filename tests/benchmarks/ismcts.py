"""How search bots do against the written strategies of a game: wins and how sure they are.

    python tests/benchmarks/ismcts.py deal --bot ismcts:200 --games 400

One seat searches, every other one has a strategy of its own; with every game all move on by a
seat. An equal share of the wins is one for as many as sit at the table. A game that several have
won counts for each of them in part.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import lru_cache

from interpreter import api
from interpreter.search.bots import make_bot

SURE = 1.96
"""Standard errors of an interval of 95 %."""


@dataclass(frozen=True, slots=True)
class Match:
    """Who plays: a search bot and strategies, in which games of which seed."""

    variant: str
    bot: str
    strategies: tuple[str, ...]
    seed: int = 0

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return 1 + len(self.strategies)


@dataclass(frozen=True, slots=True)
class Result:
    """How often the bot has won, and the processor time of all games in seconds."""

    match: Match
    wins: float
    games: int
    seconds: float

    @property
    def share(self) -> float:
        """The share of the games that the bot has won."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share lies with 95 % (Wilson)."""
        square = SURE * SURE
        middle = self.share + square / (2 * self.games)
        spread = self.share * (1 - self.share) / self.games + square / (4 * self.games**2)
        half = SURE * math.sqrt(spread)
        whole = 1 + square / self.games
        return (middle - half) / whole, (middle + half) / whole

    @property
    def is_better(self) -> bool:
        """Whether the bot surely wins more than an equal share."""
        return self.interval[0] > 1 / self.match.players

    def __str__(self) -> str:
        match, (low, high) = self.match, self.interval
        return (
            f"{match.bot} against {' and '.join(match.strategies)} in {match.variant}: "
            f"{self.wins:g} of {self.games} games won, {self.share:.1%} "
            f"(95 %: {low:.1%} to {high:.1%}); an equal share is {1 / match.players:.1%}; "
            f"{self.seconds / self.games:.1f} s of processor time per game"
        )


@lru_cache(maxsize=2)
def _variant(name: str, players: int) -> api.Variant:
    return api.load_variant(name, players=players)


def play_game(match: Match, number: int) -> tuple[float, float]:
    """Plays a game: what part of it the bot has won, and the processor time."""
    start = time.process_time()
    variant = _variant(match.variant, match.players)
    turn = number % match.players
    seats: list[api.Seat] = [make_bot(match.bot), *match.strategies]
    seats = [*seats[turn:], *seats[:turn]]
    game = variant.new_game(seed=match.seed, game=number, seats=seats)
    winners = game.winners
    mine = game.seats[-turn % match.players]
    return (1 / len(winners) if mine in winners else 0.0), time.process_time() - start


def play_match(match: Match, games: int, workers: int) -> Iterator[Result]:
    """The result so far after each game."""
    wins = seconds = 0.0
    with ProcessPoolExecutor(workers) as pool:
        ends = pool.map(play_game, [match] * games, range(games))
        for number, (won, spent) in enumerate(ends, 1):
            wins, seconds = wins + won, seconds + spent
            yield Result(match, wins, number, seconds)


def written_strategies(variant: str) -> tuple[str, ...]:
    """The strategies of a variant that are written in the language."""
    known = api.load_variant(variant).strategies
    return tuple(name for name in known if name != "random")


def main(arguments: Sequence[str] | None = None) -> None:
    """Plays and prints."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant")
    parser.add_argument("--bot", default="ismcts:200")
    parser.add_argument("--against", nargs="+", help="strategies; all written ones by default")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--every", type=int, default=20, help="print after so many games")
    given = parser.parse_args(arguments)
    strategies = tuple(given.against or written_strategies(given.variant))
    match = Match(given.variant, given.bot, strategies, given.seed)
    for result in play_match(match, given.games, given.workers):
        if result.games % given.every == 0 or result.games == given.games:
            print(result, flush=True)


if __name__ == "__main__":
    main()
