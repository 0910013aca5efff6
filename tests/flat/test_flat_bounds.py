"""Declared bounds hold in play: what goes past one ends the game the same way on both engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.check.program import check_program
from dsl.diagnostics import Bag
from dsl.project.find import Library
from dsl.project.load import load_merged
from interpreter.bundled import variants_dir
from interpreter.engine.native_engine import NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program

FAULT = 2

NUMBER = """
add to Player
    visits: 0..3 starts 0
rule count_visits: before take_turn by player
    player.visits = player.visits + 1
"""
DOUBLED = """
add to game
    pot: money starts 500
rule double: before take_turn by player
    game.pot = game.pot * 2
"""
ZONE = """
thing shelf
    cards: holds Card up to 2
rule take_cards: before take_turn by player
    for each deck in Deck
        move top(1, deck.cards) to shelf.cards
"""
PURSE = """
unit medal
add to bank
    stock: holds medal starts 40
add to Player
    medals: holds medal up to 3
rule award: before take_turn by player
    move 1 medal from bank to player
"""
SAVINGS = """
rule savings: before take_turn by player
    pay player.cash * 9 from bank to player
"""
KINDS = """
unit medal
add to bank
    medals: holds medal up to 40 starts 40
add to Player
    medals: holds medal up to 3
rule award: before take_turn by player
    move 1 medal from bank to player
"""
FULL = """
unit medal
add to Player
    medals: holds medal up to 3
    stock: holds medal starts 4
rule mix_up: before take_turn by player
    exchange player.medals with player.stock
"""
ALIEN = """
thing shelf
    streets: holds Street
rule mix_up: before take_turn by player
    move boardwalk to shelf.streets
    exchange boardwalk with water_works
"""
UNCOUNTED = """
add to game
    payer: Party starts bank
add to Player
    found: 0..9 starts 9
rule look: before take_turn by player
    player.found = min(9, game.payer.cash)
always none_there: all(p.found is 0 or p.turns is 0 for each p in players)
"""
TABLE = """
add to Player
    tally: 0..9 per 0..4 starts 0
    spot: 0..90 starts 0
rule look_up: before take_turn by player
    player.spot = min(player.spot + 7, 90)
    player.spot = player.spot + player.tally[player.spot]
"""


def ends(mod: Path) -> list[tuple[int, str, int]]:
    bag = Bag()
    merged = load_merged(Library([variants_dir()]), "classic", mods=[mod], bag=bag)
    assert merged is not None
    assert not bag.has_errors
    program = check_program(merged, 4, bag, scenarios=False)
    assert program is not None, [found.message for found in bag.sorted()]
    out = lower_program(program, Options(host=False, strategies=("greedy",)))
    found = []
    for engine in (PythonEngine(out), NativeEngine(out)):
        engine.new_game(3, 0)
        for seat in range(4):
            engine.seat(seat, "greedy")
        code = engine.play(30, checks=True)
        words = out.faults[engine.scalar("fault")] if code == FAULT else ""
        found.append((code, words, engine.digest()))
    return found


def write_mod(folder: Path, rules: str) -> Path:
    mod = folder / "past_bounds"
    (mod / "rules").mkdir(parents=True)
    text = 'mod: past_bounds\ntitle: "Past its bounds"\ndescription: "For a test."\n'
    (mod / "mod.yaml").write_text(text, encoding="utf-8")
    (mod / "rules" / "past_bounds.rules").write_text(rules, encoding="utf-8")
    return mod


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (NUMBER, "Player.visits would be outside 0..3"),
        (DOUBLED, "game.pot would be outside 0..1000000"),
        (ZONE, "shelf.cards would hold more than 2"),
        (PURSE, "Player.medals would hold more than 3"),
        (SAVINGS, "Player.cash would hold more than 1000000"),
        (KINDS, "Player.medals would hold more than it may"),
        (FULL, "Player.medals would be outside 0..3"),
        (ALIEN, "shelf.streets would hold something else than Street"),
    ],
    ids=[
        "number",
        "doubled money",
        "zone",
        "purse",
        "money",
        "purse of a kind",
        "exchanged purse",
        "exchanged thing",
    ],
)
def test_past_a_bound_is_a_named_end(tmp_path: Path, rules: str, words: str) -> None:
    found = ends(write_mod(tmp_path, rules))
    assert [end[:2] for end in found] == [(FAULT, words)] * 2
    assert found[0] == found[1]


def test_a_place_outside_a_table_is_the_nearest_one(tmp_path: Path) -> None:
    found = ends(write_mod(tmp_path, TABLE))
    assert found[0][0] == 0
    assert found[0] == found[1]


def test_what_is_not_counted_is_none_whoever_has_it(tmp_path: Path) -> None:
    found = ends(write_mod(tmp_path, UNCOUNTED))
    assert found[0][0] == 0
    assert found[0] == found[1]
