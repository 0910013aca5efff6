"""Where things lie: in one place, wherever they came from."""

from __future__ import annotations

from flat_games import MARKET, checked

from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program

# What is made is put away at once, put away twice, or not at all; its number comes again later.
SLIPS = """
kind Slip, made in play up to 9
    giver: Player
add to Player
    slips: holds Slip
    spike: holds Slip
rule noting: before take_turn by player
    for each s in player.spike
        drop s
    let first = new Slip(giver: player)
    move first to player.slips
    let nowhere = new Slip(giver: player)
    let second = new Slip(giver: player)
    move second to player.slips
    move second to player.spike
    if player.turns is 2
        move nowhere to player.spike
        for each s in player.slips
            drop s
"""


def test_what_is_made_lies_in_one_place() -> None:
    program = lower_program(checked("market", 3, MARKET + SLIPS), Options(host=False))
    slips, places = (len(program.columns[name].initial) for name in ("place_slip", "at_slip"))
    engine = PythonEngine(program, cached=False)
    engine.new_game(1)
    for seat in range(3):
        engine.seat(seat, "thrifty")
    for _ in range(12):
        engine.run_phase()
        lying = [engine.cell("place_slip", slip) for slip in range(slips)]
        there = [engine.cell("at_slip", place) for place in range(places)]
        together = [
            sum(1 << slip for slip, at in enumerate(lying) if at == place)
            for place in set(lying) - {-1}
        ]
        assert sorted(members for members in there if members) == sorted(together)
    assert any(place != -1 for place in lying)
