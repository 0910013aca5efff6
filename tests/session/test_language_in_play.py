"""Words of the language in play: scenarios of a small game, and both engines on its strategies."""

from __future__ import annotations

from pathlib import Path

import pytest
from session_games import write_game

from dsl.check.program import check_program
from dsl.core import nodes as core
from dsl.diagnostics import Bag
from dsl.diagnostics.render import render_text
from dsl.project.load import load_merged
from interpreter import api
from interpreter.engine.native_engine import NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program
from interpreter.scenario.suite import run_scenarios

GAME = """\
kind Card
    value: 1..9
    number: 0..5
    marked: flag starts no, seen by nobody
kind Box, plural boxes
    inside: holds Card, seen by nobody
kind Offer, made in play up to 3
    giver: Player
    paid: holds token
kind Slip, made in play up to 4
    giver: Player
unit token
choice Suit = red | green | blue

thing table
    draw: holds Card starts Card, ordered, seen by nobody
    pile: holds Card, ordered
    shelf: holds Slip
    tally: 0..99 per Suit starts 0
    told: 0..9 starts 0

add to Player
    hand: holds Card, seen by owner
    boxes: holds Box
    score: 0..1000 starts 0
    mood: 0..9 starts 3, seen by owner
    marks: 0..9 per 1..3 starts 0
    tokens: holds token starts 9

replace define player.final_score: 0..1000 = player.score
define player.knows_bad(card): flag = known(card.marked, to: player) and card.marked
define with_number(n: 0..5): list of Card = [each c in Card where c.number is n]

rule deal: before set_up
    shuffle table.draw
    for each c in Card
        c.marked = c.value > 6
    for each p in players
        move top(4, table.draw) to p.hand

rule play_on: after take_turn by player
    let slip = new Slip(giver: player)
    if player.turns is 3
        let kept = new Slip(giver: player)
        move kept to table.shelf
    if player.turns is 2
        let offer = new Offer(giver: player)
        move min(1, player.tokens) token from player to offer
        end turn
    open moves of player
    if count(table.draw) is 0 or player.turns > 60
        end game
    move top(1, table.draw) to player.hand

window moves of actor: Player
    ask each p in [actor]
    until all pass
option lay in moves by player of actor: Player
    which card in player.hand where not known(card.marked) or not card.marked
    lay_down card by player
option throw in moves by player of actor: Player
    which card in player.hand where player.knows_bad(card)
    move card to table.pile
option look in moves by player of actor: Player
    which card in player.hand where not known(card.marked)
    needs player.score > 0, "{player} must have scored"
    player.score = player.score - 1
    reveal card.marked to player
-- What it picks has the name of what its window gives.
option hand_on in moves by player
    which card in player.hand
    which actor in players where actor is not player
    move card to actor.hand
to lay_down card by player
    move card to table.pile
    let suit = red if card.value < 4 else green if card.value < 7 else blue
    table.tally[suit] = table.tally[suit] + 1
    player.marks[1] = min(9, count(with_number(card.number) - table.pile))
    player.score = min(1000, player.score + (0 if card.marked else card.value))

strategy careful
    for moves
        throw with the most card.value
        look with the least card.value
        lay if me.knows_bad(card) or not known(card.marked) with the least card.value
        lay with the most (9 if known(card.marked) and not card.marked else 0), most card.value
        pass
strategy blind
    for moves
        lay with the most card.value
        pass

saying player has cards: list of Card up to 30
    move cards to player.hand
saying player moves
    game.active = player
    open moves of player
saying player shows card to other: Player
    reveal card.marked to other
saying player puts card into box
    move box to player.boxes
    move card to box.inside
saying player takes_turns
    play turn
"""

DATA = "\n".join(
    [
        *(
            f"    - {{id: c{n}, name: Card {n}, value: {n % 9 + 1}, number: {n % 7 // 2 + n % 2}}}"
            for n in range(1, 31)
        ),
        "  boxes:",
        "    - {id: chest}",
    ]
)

SCENARIOS = {
    "told": """
        given ann has c6, c8
        given c6.marked = yes
        given ann shows c6 to ann
        when ann moves up to moves
            ann: throw(card: c6)
        then
            c6 in table.pile
            known(c6.marked, to: ann)
            not known(c6.marked, to: ben)
            not known(c8.marked, to: ann)
            ann may not throw
            ann may lay(card: c8)
            not ann.knows_bad(c8)
    """,
    "a pick called like what the window gives": """
        given ann has c6, c8
        when ann moves
            ann: hand_on(card: c6, actor: ben), lay(card: c8)
        then
            c6 in ben.hand
            c8 in table.pile
    """,
    "forgotten in a hidden place": """
        given ann shows c6 to ben
        given reveal c6.marked to everyone
        given c6.marked = yes
        when ann has c6
        then
            not known(c6.marked, to: ben)
            not known(c6.marked, to: ann)
    """,
    "forgotten when two change places": """
        given ben has c8
        given move c6 to table.pile
        given ann shows c6 to ann
        when exchange c6 with c8
        then
            not known(c6.marked, to: ann)
            c6 in ben.hand
    """,
    "owners": """
        when ann has c1
        then
            known(ann.mood, to: ann)
            not known(ann.mood, to: ben)
            known(ann.score, to: ben)
    """,
    "places of tables": """
        given ann has c6, c1, c2
        when ann moves
            ann: lay(card: c6), lay(card: c1), lay(card: c2)
        then
            table.tally[blue] is 1
            table.tally[red] is 2
            ann.marks[1] is count(with_number(c2.number)) - count(
                [each c in table.pile where c.number is c2.number])
            ann.marks[2] is 0
    """,
    "numbers as keys": """
        given table.told = 4
        when ann has c1
        then
            count(with_number(table.told)) is sum(1 if c.number is 4 else 0 for each c in Card)
            count(with_number(table.told)) > 0
            count(with_number(table.told + 1)) is 0
            count(with_number(0)) is sum(1 if c.number is 0 else 0 for each c in Card)
    """,
    "what was abandoned is given back": """
        when ann takes_turns
        when ben takes_turns
        when ann takes_turns
        when ben takes_turns
        when ann takes_turns
        when ben takes_turns
        then
            count(Slip) is 2
            count(table.shelf) is 2
            count(Offer) is 2
            ann.tokens is 8
            sum(o.paid for each o in Offer) is 2
    """,
}


def text_of(title: str) -> str:
    lines = [line[4:] for line in SCENARIOS[title].strip("\n").splitlines()]
    return f'scenario "{title}"\n    seats ann, ben\n' + "\n".join(lines) + "\n"


def program_of(folder: Path, rules: str = GAME) -> core.Program:
    game = write_game(folder, rules, "words", DATA)
    bag = Bag()
    merged = load_merged(api.library(), game, bag=bag)
    program = None if merged is None else check_program(merged, 2, bag)
    assert program is not None, render_text(bag.sorted())
    return program


@pytest.mark.parametrize("title", SCENARIOS)
def test_scenarios(title: str, tmp_path: Path) -> None:
    game = write_game(tmp_path, GAME + text_of(title), "words", DATA)
    bag = Bag()
    report = run_scenarios(api.library(), game, bag)
    assert not bag.has_errors, render_text(bag.sorted())
    assert report.passed, report.results[0].text()


@pytest.mark.parametrize("strategy", ["careful", "blind", "random"])
def test_both_engines_agree(strategy: str, tmp_path: Path) -> None:
    flat = lower_program(program_of(tmp_path), Options(host=False))
    assert "d_card_number_members" in flat.tables  # sets of cards by their number
    engines = PythonEngine(flat), NativeEngine(flat)
    for number in range(5):
        found = []
        for engine in engines:
            engine.new_game(3, number)
            for seat in range(2):
                engine.seat(seat, strategy)
            found.append((engine.play(2000), engine.digest()))
        assert found[0] == found[1]
