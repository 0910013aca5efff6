"""Seeds of games, streams and bots: splitmix64 throughout, so every number is a good seed."""

from __future__ import annotations

from interpreter.emit.random_words import BOT_KEY_PLACE, GOLDEN, MASK64, MIX_ONE, MIX_TWO
from interpreter.flat.plan.keys import key_of

MOST_SEED = MASK64
MOST_GAMES = (1 << 31) - 1
"""The greatest seed, and how many games a run of it has: other numbers would name the same games
again."""


def check_game(seed: object, game: object) -> None:
    """Raises TypeError or ValueError, in words, where there is no such game."""
    bounds = (("seed", seed, MOST_SEED), ("number of a game", game, MOST_GAMES - 1))
    for what, number, most in bounds:
        if type(number) is not int:
            raise TypeError(f"The {what} is a whole number, not {number!r}.")
        if not 0 <= number <= most:
            raise ValueError(f"The {what} goes from 0 to {most}; {number} is none.")


def mix(word: int) -> int:
    """The splitmix64 output that follows the state `word`."""
    word = (word + GOLDEN) & MASK64
    word = ((word ^ word >> 30) * MIX_ONE) & MASK64
    word = ((word ^ word >> 27) * MIX_TWO) & MASK64
    return word ^ word >> 31


def game_seed(run_seed: int, game_index: int) -> int:
    """The 64-bit seed of one game of a run."""
    return mix(mix(run_seed & MASK64) + game_index)


def stream_word(seed: int, stream: str) -> int:
    """The first word of a random stream, by its name, of the game with this seed."""
    return mix(seed + key_of(stream))


def bot_key(seed: int, seat: int) -> int:
    """The key of a seat's own draws in the game with this seed."""
    return mix(seed + (BOT_KEY_PLACE + seat) * GOLDEN)
