"""What may not be there in play, on both engines: secret picks, the next one of nobody."""

from __future__ import annotations

from flat_games import MARKET, checked

from interpreter.engine.native_engine import NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program

SEATS = 3

IDLE = """
strategy idle
    for market
        pass
"""
# The first player has no stall, then one; the second is not asked; amounts may have an empty range.
SECRETS = """
add to Player
    seen_stall: Stall? starts none
    missing: 0..99 starts 0
    bids: 0..99 starts 0
    staked: 0..999 starts 0
add to game
    laps: 0..99 starts 0
rule secrets: before take_turn by player
    game.laps = game.laps + 1
    secretly ask each p in players where p is not ben which stall to show in p.stalls
        for each p in Player
            p.seen_stall = stall[p]
            if stall[p] is none
                p.missing = p.missing + 1
    secretly ask each p in players how much n to bid in 5..count(p.stalls) + 4
        for each p in players
            p.bids = n[p] otherwise 77
    secretly ask each p in players where p is ben and game.laps is 1 how much n to stake in 3..5
        for each p in players
            p.staked = p.staked + (n[p] otherwise 100)
    if game.laps is 1
        move s0 to ann.stalls
"""

# Nobody is left among whom the next one could be; one who is not there has no place.
RINGS = """
add to Player
    next_one: Player starts first(Player)
    other_one: Player starts first(Player)
    last_one: Player starts first(Player)
    spot: 0..9 starts 0
    here: 0..9 starts 0
define ghosts: list of Player = [each p in Player where p.gifts > 99]
rule rings: before take_turn by player
    for each p in Player
        p.next_one = next_of(ghosts, p)
        p.other_one = cycle(ghosts, p, 2)
        p.last_one = cycle([each q in ghosts by q.cash], p, 1)
        p.spot = position(ghosts, p) otherwise 7
        p.here = position([each q in Player by -position(Player, q)], p) otherwise 7
"""


def after(rules: str, turns: int, *fields: str) -> list[tuple[int, ...]]:
    """Fields of all players after some turns of passing, which both engines agree upon."""
    program = lower_program(checked("market", SEATS, MARKET + IDLE + rules), Options(host=False))
    found = []
    for engine in (PythonEngine(program, cached=False), NativeEngine(program, cached=False)):
        engine.new_game(1)
        for seat in range(SEATS):
            engine.seat(seat, "idle")
        for _ in range(turns + 1):
            engine.run_phase()
        assert engine.scalar("fault") == -1
        seats = [tuple(engine.cell(f"s_{name}", s) for s in range(SEATS)) for name in fields]
        found.append((seats, engine.digest()))
    assert found[0] == found[1]
    return found[0][0]


def test_a_secret_pick_that_is_missing_is_none() -> None:
    shown, missing, bids, staked = after(
        SECRETS, 1, "player_seen_stall", "player_missing", "player_bids", "player_staked"
    )
    assert shown == (-1, -1, -1)
    assert missing == (1, 1, 1)
    assert bids == (77, 77, 77)
    assert (staked[0], staked[2]) == (100, 100)
    assert 3 <= staked[1] <= 5


def test_no_answer_of_an_earlier_question_is_left() -> None:
    shown, missing, bids, staked = after(
        SECRETS, 2, "player_seen_stall", "player_missing", "player_bids", "player_staked"
    )
    assert shown == (0, -1, -1)
    assert missing == (1, 2, 2)
    assert bids == (5, 77, 77)
    assert (staked[0], staked[2]) == (200, 200)
    assert 103 <= staked[1] <= 105


def test_the_next_one_of_nobody_is_oneself() -> None:
    found = after(RINGS, 1, "player_next_one", "player_other_one", "player_last_one",
                  "player_spot", "player_here")  # fmt: skip
    assert found == [(0, 1, 2), (0, 1, 2), (0, 1, 2), (7, 7, 7), (2, 1, 0)]


# Nothing can be picked among numbers and words; no answer is allowed; no set fulfils what it must.
NOTHING = """
add to Player
    tally: 0..99 starts 0
    picked: 0..99 starts 0
choice Weather = calm | wild
rule nothing: before take_turn by player
    ask player which n to take in 1..6 where n > 7 + player.tally
        player.picked = player.picked + 1
    else
        player.tally = player.tally + 1
    ask player which n to take in [3, 5] where n is player.tally
        player.picked = player.picked + 1
    else
        player.tally = player.tally + 1
    ask player which w to take in [calm, wild] where w is wild and player.tally < 2
        player.picked = player.picked + 1
    else
        player.tally = player.tally + 1
    ask player which w to take in [calm, wild] where w is wild
        player.picked = player.picked + 1
    else
        player.tally = player.tally + 1
    ask player about it
        * one
            needs player.tally > 50, "no"
            player.picked = 50
        * other
            needs player.tally > 60, "no"
            player.picked = 60
"""


def test_with_nothing_to_pick_the_block_is_skipped() -> None:
    tally, picked = after(NOTHING, 1, "player_tally", "player_picked")
    assert tally == (3, 0, 0)
    assert picked == (1, 0, 0)
