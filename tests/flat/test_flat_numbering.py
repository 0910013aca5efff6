"""Numbers come from the core: what only looks on renumbers nothing."""

from __future__ import annotations

import pytest
from flat_games import MARKET, checked, digests

from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program

# Rules ask for a kind at both ends of a visit, and three measures for that of the second one.
VISITS = """
kind Cart is Stall
add to game
    one: 0..9999 starts 0
    other: 0..9999 starts 0
event visit here: Stall to there: Stall
rule far_end: after visit here to there: Cart
    luck picks n in 1..6
    game.one = n
rule near_end: after visit here: Cart to there
    luck picks n in 1..6
    game.other = n * 10
rule strolls: before take_turn by player
    for each s in Stall
        luck picks other in Stall
        visit s to other
measure first "1": after visit here to there: Cart add 1
measure second "2": after visit here to there: Cart add 1
measure third "3": after visit here to there: Cart add 1
"""
CARTS = """\
    - {id: red_cart, kind: Cart, name: "Red", lane: red, price: 4}
    - {id: blue_cart, kind: Cart, name: "Blue", lane: blue, price: 4}
"""


@pytest.mark.parametrize(
    "options",
    [
        Options(host=False, measures=True),
        Options(host=False, coverage=True),
        Options(host=True, measures=True, coverage=True, trace=True),
    ],
)
def test_three_measures_on_one_event(options: Options) -> None:
    program = checked("market", 3, MARKET + VISITS, CARTS)
    usual, watched = (lower_program(program, one) for one in (Options(host=False), options))
    assert watched.streams == usual.streams
    assert len(usual.streams) == 3
    found = digests(watched, "thrifty", 4)
    assert found == digests(usual, "thrifty", 4)
    assert len(set(found)) == 4
