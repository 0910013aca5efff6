"""Who plays where in each game of a run, by the number of the game alone.

Games go in rounds of as many as there are players; in a round everybody moves on by a seat, so that
each plays on each seat. The rounds go through all orders of the table, so that nobody has the same
neighbour always. Where players and bots are not equally many, bots are dealt from a shuffled pack:
each plays as often as the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import factorial, gcd
from typing import TypeVar

from interpreter.engine.seeding import mix

Player = TypeVar("Player")

_GOLDEN_PART = 0.6180339887498949


def line_up(bots: Sequence[Player], game_index: int, players: int) -> list[Player]:
    """Who plays each seat in a game. Game 0 has the bots in the order in which they are named,
    those that are missing taken again from the first."""
    return [bots[number] for number in seat_numbers(len(bots), game_index, players)]


def seat_numbers(bots: int, game_index: int, players: int) -> tuple[int, ...]:
    """For each seat the number of the bot that plays it."""
    number, turn = divmod(game_index, players)
    table = _table(bots, number, players)
    return table[turn:] + table[:turn]


@lru_cache(maxsize=64)
def _table(bots: int, number: int, players: int) -> tuple[int, ...]:
    """The table of a round, before anybody moves on."""
    missing = players % bots
    rounds_of_pack = bots // gcd(bots, missing) if missing else 1
    pack_number, at = divmod(number, rounds_of_pack)
    pack = _pack(bots, pack_number) if missing else []
    dealt = [pack[(at * missing + each) % bots] for each in range(missing)]
    seated = [*range(bots)] * (players // bots) + dealt
    return tuple(seated[each] for each in _order(players, pack_number + at))


def _pack(bots: int, number: int) -> list[int]:
    """All bots, in an order of luck; the first time as they are named."""
    return sorted(range(bots), key=lambda bot: mix(mix(number) + bot) if number else bot)


def _order(players: int, number: int) -> tuple[int, ...]:
    """One of the orders around a table, in which the first stays where he is. All of them come
    before one comes again, and like ones are far apart."""
    orders = factorial(players - 1)
    number = number * _stride(orders) % orders
    left = list(range(1, players))
    order = [0]
    while left:
        orders //= len(left)
        at, number = divmod(number, orders)
        order.append(left.pop(at))
    return tuple(order)


@lru_cache
def _stride(orders: int) -> int:
    """A step that comes by all orders, without two like ones soon after each other."""
    stride = max(1, round(orders * _GOLDEN_PART))
    while gcd(stride, orders) > 1:
        stride += 1
    return stride
