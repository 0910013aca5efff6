"""Queries that give the same in whatever order their items are gone through."""

from __future__ import annotations

from flat_games import MARKET, checked, digests

from interpreter.flat.context.options import Options
from interpreter.flat.ir import nodes as flat
from interpreter.flat.lower import lower_program

COUNTED = """
add to Player
    counted: 0..9999 starts 0
    rival: Player? starts none
rule counting: before take_turn by player
    player.counted = sum(p.cash for each p in RIVALS) + count(each p in RIVALS where p.tired)
    player.counted = player.counted + max(count(p.stalls) for each p in RIVALS, default: 0)
    player.counted = player.counted + min(p.gifts for each p in RIVALS where p.cash > 3, default: 7)
    player.counted = player.counted + (5 if any(p.cash > 9 for each p in RIVALS) else 0)
"""
FIRST = "    player.rival = first(each p in RIVALS where p.cash > 3)\n"


def counting(rules: str, rivals: str) -> flat.Program:
    program = checked("market", 3, MARKET + rules.replace("RIVALS", rivals))
    return lower_program(program, Options(host=False))


def test_whoever_counts_does_not_go_around() -> None:
    around = counting(COUNTED, "player.others")
    assert "ring_player" not in around.tables
    straight = counting(COUNTED, "[each p in players where p is not player]")
    assert digests(around, "thrifty", 3, 60) == digests(straight, "thrifty", 3, 60)


def test_the_first_one_is_that_of_the_ring() -> None:
    around = counting(COUNTED + FIRST, "player.others")
    assert "ring_player" in around.tables
