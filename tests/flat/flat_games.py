"""A small game with all that lowering makes cheap, and how to play games for their digests."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from dsl.check.program import check_program
from dsl.core import nodes as core
from dsl.diagnostics import Bag
from dsl.project import find, load
from interpreter.bundled import variants_dir
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.ir import nodes as flat
from interpreter.flat.lower import lower_program

HEADER = """\
variant: market
title: "Market"
players: {min: 2, max: 4}
uses: [seats]
seats:
  - {id: ann, name: "Ann"}
  - {id: ben, name: "Ben"}
  - {id: cleo, name: "Cleo"}
  - {id: dan, name: "Dan"}
things:
  lanes:
    - {id: red, rent: 2}
    - {id: green, rent: 3}
    - {id: blue, rent: 5}
  stalls:
"""
STALLS = "\n".join(
    f'    - {{id: s{n}, name: "Stall {n}", lane: {lane}, price: {5 + n}}}'
    for n, lane in enumerate(("red", "green", "blue") * 3)
)

# Purses, flags, owned things, derived sets, an any-time window and one that must be answered.
MARKET = """\
kind Lane
    rent: 0..9
kind Stall
    lane: Lane
    price: 0..99
    lit: flag starts no
    size: 0..3 starts 0

add to Player
    cash: holds money starts 30
    stalls: holds Stall as owner
    tired: flag starts no
    gifts: 0..100 starts 0
add to bank
    cash: holds money, endless
    stalls: holds Stall starts Stall

define lane.stalls: list of Stall = [each s in Stall where s.lane is lane]
define player.has_all_of(lane): flag = all(s.owner is player for each s in lane.stalls)
define lane.is_dark: flag = all(not s.lit for each s in lane.stalls)
define player.may_enlarge_in(lane): flag
    player.has_all_of(lane)
    but dark: no if lane.is_dark
define player.whole_lanes: list of Lane = [each r in Lane where player.has_all_of(r)]
define player.good_lanes: list of Lane = [each r in Lane where player.may_enlarge_in(r)]
define player.started_lanes: list of Lane
    [each r in Lane where any(s.owner is player for each s in r.stalls)]
define stall.is_smallest: flag = all(s.size >= stall.size for each s in stall.lane.stalls)
define stall.worth: 0..999 = stall.price + 10 * stall.size
define player.income: 0..999
    sum(s.lane.rent * (s.size + 1) for each s in player.stalls where s.lit)

replace define player.final_score: money
    player.cash + sum(s.worth for each s in player.stalls)

window market
    ask each p in players
    until all pass

option buy in market by player
    which stall in bank.stalls
    needs player.cash >= stall.price, "too dear"
    move stall.price from player to bank
    move stall to player.stalls

option light in market by player
    which stall in player.stalls
    needs not stall.lit, "it is lit"
    stall.lit = yes

option enlarge in market by player
    which stall in player.stalls
    needs stall.lane in player.whole_lanes, "not all stalls of {stall.lane} are yours"
    needs not stall.lane.is_dark, "no stall of {stall.lane} is lit"
    needs stall.size < 3 and stall.is_smallest, "another one first"
    needs player.cash >= 4, "it costs 4"
    move 4 from player to bank
    stall.size = stall.size + 1

option give in market by player
    which other in players where other is not player
    how much amount in 1..player.cash
    needs not player.tired, "enough for now"
    needs player.gifts < 100, "enough for a life"
    if player.cash >= amount
        move amount from player to other
    player.tired = yes
    player.gifts = player.gifts + 1

window paying of debtor: Player
    ask each p in [debtor] where p.cash < 3
    until nobody can

option sell in paying by player of debtor: Player
    which stall in player.stalls
    move stall to bank.stalls
    stall.size = 0
    stall.lit = no
    move stall.price / 2 from bank to player

rule day: after take_turn by player
    move player.income from bank to player
    player.tired = no
    open market
    open paying of player
    if player.cash >= 3
        move 3 from player to bank
    if player.turns is 25
        end game

strategy thrifty
    for market
        light
        buy(stall: s) for each r in me.started_lanes for each s in r.stalls where (
            s.owner is none) if me.cash >= s.price + 5 with the least s.price
        buy if count(me.stalls) is 0 with the most stall.price
        enlarge(stall: s) for each r in me.good_lanes for each s in r.stalls if (
            me.cash >= 10) with the least s.size
        pass
    for paying
        sell with the least stall.worth

strategy dreamer is thrifty
    for market
        buy(stall: s) for each s in Stall where s.price > 90 with the most s.lane.rent
        buy with the least stall.size, most stall.price
        light
        pass

strategy generous
    for market
        give(other: p, amount: 2) for each p in players where p is not me if (
            p.cash < 5 and me.cash > 12)
        buy with the most stall.price
        enlarge
        light if me.cash > 3
        pass
    for paying
        sell
"""

PLAYED = (("market", 3), ("classic", 4), ("cthulhu", 3))


@cache
def program_of(name: str, players: int) -> core.Program:
    """A checked variant; `market` is the one above."""
    return checked(name, players, MARKET)


def checked(name: str, players: int, rules: str, data: str = "") -> core.Program:
    """A checked variant; `market` has these rules, and `data` behind its own."""
    bag = Bag()
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / "market"
        (here / "rules").mkdir(parents=True)
        (here / "variant.yaml").write_text(HEADER + STALLS + "\n" + data, encoding="utf-8")
        (here / "rules" / "market.rules").write_text(rules, encoding="utf-8")
        library = find.Library([variants_dir(), Path(folder)])
        merged = load.load_merged(library, name, bag=bag)
        program = (
            check_program(merged, players, bag, scenarios=False) if merged is not None else None
        )
    assert program is not None, [f"{one.code} {one.message}" for one in bag.sorted()]
    return program


def lowered(name: str, players: int) -> flat.Program:
    """A variant as flat core, with all its strategies."""
    return lower_program(program_of(name, players), Options(host=False))


def digests(
    program: flat.Program, strategy: str, games: int, limit: int = 200, *, always: bool = False
) -> list[tuple[int, int]]:
    """How games end and the digests of their last states. `always`: everybody is asked at every
    window."""
    engine = PythonEngine(program, cached=False)
    found = []
    for game in range(games):
        engine.new_game(7, game)
        for seat in range(program.players):
            engine.seat(seat, strategy)
        if always:
            engine.set_scalar("always", (1 << program.players) - 1)
        found.append((engine.play(limit), engine.digest()))
    return found
