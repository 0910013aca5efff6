"""Two words of a script that become the same plain word are still two things."""

from __future__ import annotations

import pytest
from flat_games import MARKET, checked

from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import APART, Options
from interpreter.flat.ir import nodes as flat
from interpreter.flat.lower import lower_program

PAIRS = """
kind StallLane
    size: 0..99 starts 40
add to Stall
    lane_size: 0..99 starts 2
add to game
    one: 0..9999 starts 0
    other: 0..9999 starts 0
define lane.level: 0..99 = lane.rent * 2
define lane_level(lane: Lane): 0..99 = lane.rent * 3
"""
DATA = """\
  stall_lanes:
    - {id: first}
    - {id: second}
"""


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("sum(r.level for each r in Lane)", "sum(lane_level(r) for each r in Lane)", (20, 30)),
        ("sum(s.lane_size for each s in Stall)", "sum(s.size for each s in StallLane)", (18, 80)),
    ],
)
def test_derived_values_and_fields(one: str, other: str, expected: tuple[int, int]) -> None:
    rule = f"rule note: after take_turn by player\n    game.one = {one}\n    game.other = {other}\n"
    program = checked("market", 3, MARKET + PAIRS + rule, DATA)
    engine = PythonEngine(lower_program(program, Options(host=False, without=APART)), cached=False)
    engine.new_game(1, 1)
    for seat in range(3):
        engine.seat(seat, flat.RANDOM)
    engine.run_phase()
    engine.run_phase()
    assert (engine.scalar("s_game_one"), engine.scalar("s_game_other")) == expected


def test_an_option_of_one_window_and_one_that_is_called_so() -> None:
    """Where a `forbid` speaks of one of its windows, an option is there once for each of them."""
    rules = """
window evening
    ask each p in players
    once each
option rest in market, evening by player
    player.gifts = 5
option rest_market in market by player
    player.gifts = 6
forbid rest in market if player.cash > 90, "too rich"
"""
    program = checked("market", 3, MARKET + rules)
    lowered = lower_program(program, Options(host=False, without=APART))
    done = [function.body for name, function in lowered.functions.items() if "option_rest" in name]
    assert len(done) == len(set(map(str, done))) == 2
