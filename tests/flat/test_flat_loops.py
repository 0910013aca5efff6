"""`for each x in L where C`: once for each that was there when the loop began."""

from __future__ import annotations

import pytest
from flat_games import MARKET, checked

from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program
from interpreter.flat.plan.choices import CHOICES

RULES = """
add to game
    done: 0..99 starts 0
rule loop: after take_turn by player
    game.done = 0
    for each s0 in Stall
        s0.lit = yes
        s0.size = 2
    let left = 1
    {loop}
    end game
"""
LOOPS = {
    "a flag": "for each s in Stall where s.lit",
    "a number": "for each s in Stall where s.size > 1",
    "what is worked out": "for each s in Stall where count([each o in Stall where o.lit]) > 8",
    "a local": "for each s in Stall where left is 1",
    "a row": "for each n in [1, 2, 3, 4, 5, 6, 7, 8, 9] where any(o.lit for each o in Stall)",
}
BODY = """
        for each o1 in Stall
            o1.lit = no
            o1.size = 0
        left = 0
        game.done = game.done + 1"""


@pytest.mark.parametrize("plain", [False, True], ids=["full", "plain"])
@pytest.mark.parametrize("what", LOOPS)
def test_rounds_do_not_change_for_whom_the_loop_is(what: str, plain: bool) -> None:
    without = frozenset(CHOICES) if plain else frozenset()
    rules = RULES.replace("{loop}", LOOPS[what] + BODY)
    program = lower_program(
        checked("market", 3, MARKET + rules), Options(host=False, without=without)
    )
    engine = PythonEngine(program, cached=False)
    engine.new_game(1, 1)
    for seat in range(3):
        engine.seat(seat, "random")
    engine.run_phase()
    engine.run_phase()
    assert engine.scalar("s_game_done") == 9
