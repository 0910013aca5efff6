"""Lines with a ranking: loops that come to the best first find what any loop finds."""

from __future__ import annotations

import pytest
from flat_games import MARKET, checked, digests

from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program

SHELVES = """
define stall.shelf: 0..99 = stall.price / 3
add to game
    best: Lane starts blue
"""
FOR_EACH = "buy(stall: s) for each r in Lane for each s in r.stalls where s.owner is none"
OF_ONE = "buy(stall: s) for each s in game.best.stalls where s.owner is none"
RANKED = {
    "from the end": ("buy", "most stall.price"),
    "from the start": ("buy", "least position(Stall, stall)"),
    "equal ones, the first counts": ("buy", "least stall.shelf"),
    "equal ones, from the end": ("buy", "most stall.shelf"),
    "equal ones, then the next key": ("buy", "least stall.shelf", "most stall.lane.rent"),
    "a line of a table": (OF_ONE, "most s.price"),
    "the outer loop alone": (FOR_EACH, "most position(Lane, r)"),
    "the outer loop, then the inner": (FOR_EACH, "most position(Lane, r)", "most s.price"),
    "the inner loop": (FOR_EACH, "most s.price", "least position(Lane, r)"),
}


def no_order(key: str) -> str:
    """The same key, in a way of which nobody knows in what order things come by it."""
    return f"{key} + me.cash - me.cash"


@pytest.mark.parametrize("name", RANKED)
def test_loop_that_comes_to_the_best_first_finds_the_best(name: str) -> None:
    line, *ranking = RANKED[name]
    plain = [no_order(key) for key in ranking]
    texts = [
        f"strategy {of}\n    for market\n"
        f"        {line} if me.cash > 18 with the {', '.join(keys)}\n        pass\n"
        for of, keys in (("in_order", ranking), ("plain", plain))
    ]
    core = checked("market", 3, MARKET + SHELVES + "".join(texts))
    program = lower_program(core, Options(host=False, strategies=("in_order", "plain")))
    assert digests(program, "in_order", 3, 60) == digests(program, "plain", 3, 60)
