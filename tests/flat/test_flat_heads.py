"""When the head of a rule is looked at: with those of all rules of its timing before the first of
them runs, and once more when its turn comes. On both engines."""

from __future__ import annotations

import pytest
from flat_games import checked, lowered

from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import all_nodes
from interpreter.flat.lower import lower_program

# One event a game: `said` is what ran, a digit for each rule.
KINDS = """\
kind Lane
    rent: 0..9
kind Stall
    lane: Lane
    price: 0..99
add to Player
    stalls: holds Stall as owner
add to bank
    stalls: holds Stall starts Stall
add to game
    n: 0..9 starts 0
    said: 0..999_999 starts 0
event visit by player to place: Stall
to show digit: 1..9
    game.said = min(game.said * 10 + digit, 999_999)
replace phase turn
    show 9
replace phase start
    visit by game.active to first(Stall)
"""
SOLD = "after visit by player to place: Stall"


def said(rules: str, players: int = 2) -> int:
    """What ran in the first phase, the same on both engines."""
    program = lower_program(checked("market", players, KINDS + rules), Options(host=False))
    found = []
    for engine in (PythonEngine, NativeEngine) if NATIVE else (PythonEngine,):
        playing = engine(program, cached=False)
        for seat in range(players):
            playing.seat(seat, "random")
        playing.new_game(1, 0)
        playing.run_phase()
        found.append(playing.scalar("s_game_said"))
    assert found[0] == found[-1]
    return found[0]


def rule(name: str, head: str, *body: str) -> str:
    return f"rule {name}: {head}\n" + "".join(f"    {line}\n" for line in body)


FREE = "place.owner is none"
TAKEN = "place.owner is not none"
TAKE = "move place to player.stalls"


@pytest.mark.parametrize("timing", ["before", "after"])
def test_what_a_rule_has_changed_sets_off_no_later_one(timing: str) -> None:
    head = f"{timing} visit by player to place"
    rules = rule("offer", f"{head} if {FREE}", TAKE, "show 1")
    assert said(rules + rule("rent", f"{head} if {TAKEN}", "show 2")) == 1


def test_nor_does_what_a_question_of_it_has_changed() -> None:
    ask = "ask player about purchase\n        * buy\n            move place to player.stalls"
    rules = rule("offer", f"{SOLD} if {FREE}", ask, "show 1")
    assert said(rules + rule("rent", f"{SOLD} if {TAKEN}", "show 2")) == 1


def test_what_no_longer_holds_sets_off_nothing_either() -> None:
    rules = rule("sale", f"{SOLD} if {FREE}", TAKE, "show 1")
    assert said(rules + rule("gift", f"{SOLD} if {FREE}", "show 2")) == 1


def test_what_holds_at_first_and_at_its_turn_runs() -> None:
    count = "game.n = game.n + 1"
    rules = rule("one", f"{SOLD} if game.n < 8", count, "show 1")
    assert said(rules + rule("two", f"{SOLD} if game.n < 8", count, "show 2")) == 12


def test_a_body_asks_for_the_present() -> None:
    rules = rule("offer", f"{SOLD} if {FREE}", TAKE, "show 1")
    assert said(rules + rule("rent", SOLD, f"if {TAKEN}", "    show 2")) == 12


def test_the_bodies_of_the_befores_and_of_the_event_come_first() -> None:
    rules = rule("early", "before visit by player to place", TAKE)
    rules += rule("rent", f"{SOLD} if {TAKEN}", "show 2")
    assert said(rules) == 2


def test_the_third_looks_past_what_the_first_has_done_and_undone() -> None:
    rules = rule("one", f"{SOLD} if {FREE}", TAKE, "show 1")
    rules += rule("two", SOLD, "move place to bank.stalls", "show 2")
    assert said(rules + rule("three", f"{SOLD} if {FREE}", "show 3")) == 123


def test_ahead_of_moves_what_is_looked_past() -> None:
    rules = rule("rent", f"{SOLD} if {TAKEN}", "show 2")
    offer = f"{SOLD} if {FREE} ahead of rent"
    assert said(rules + rule("offer", offer, TAKE, "show 1")) == 1


def test_a_happening_inside_another_has_heads_of_its_own() -> None:
    again = "if game.n < 2\n        visit by player to place"
    rules = rule("offer", f"{SOLD} if {FREE}", TAKE, "show 1", "game.n = game.n + 1", again)
    rules += rule("rent", f"{SOLD} if {TAKEN} and game.n < 2", "show 2", "game.n = 2")
    assert said(rules) == 12  # the inner visit is one to what is taken; the outer one was not


def test_a_phase_is_a_happening_too() -> None:
    rules = rule("one", "before start if game.n is 0", "game.n = 1", "show 1")
    rules += rule("two", "before start if game.n is 1", "show 2")
    assert said(rules) == 1


def test_rules_instead_are_looked_at_one_inside_the_other() -> None:
    head = "instead of visit by player to place"
    rules = rule("inner", f"{head} if game.n is 1", "show 2")
    outer = rule("outer", f"{head} if game.n is 0 ahead of inner", "game.n = 1", "as usual")
    assert said(rules + outer) == 2


def test_an_as_usual_has_heads_of_its_own() -> None:
    rules = rule("outer", "instead of visit by player to place", TAKE, "as usual")
    rules += rule("rent", f"{SOLD} if {TAKEN}", "show 2")
    assert said(rules) == 2


def kept(program: flat.Program) -> int:
    """How many heads are kept until their turn."""
    return sum(
        isinstance(node, flat.SetVar) and node.name.startswith("held_")
        for function in program.functions.values()
        for node in all_nodes(function.body)
    )


def test_nothing_is_kept_that_no_rule_can_change() -> None:
    rules = rule("one", f"{SOLD} if {FREE}", "game.n = 1")
    rules += rule("two", f"{SOLD} if {FREE}", "show 1")
    program = lower_program(checked("market", 2, KINDS + rules), Options(host=False))
    assert kept(program) == 0
    assert kept(lowered("classic", 4)) == 2  # one for utilities, one for all other deeds


TRIP = """\
to trip by player
    show 1
    stop_here by player
    show 2
event stop_here by player
"""


@pytest.mark.parametrize(
    ("hook", "ran"),
    [
        ("after stop_here by player", 143),  # what comes behind what it ends
        ("before trip by player", 43),
        ("after trip by player", 1243),
        ("instead of trip by player", 3),
    ],
)
def test_what_an_end_leaves_out(hook: str, ran: int) -> None:
    rules = TRIP + rule("go", "after visit by player to place", "trip by player", "show 3")
    rules += rule("behind", "after trip by player", "show 4")
    assert said(rules + rule("ends", f"{hook}", "end trip")) == ran


def test_befores_run_inside_the_insteads() -> None:
    rules = rule("early", "before visit by player to place", "show 1")
    rules += rule("late", "after visit by player to place", "show 4")
    outer = rule("outer", "instead of visit by player to place", "show 2", "as usual", "show 5")
    assert said(rules + outer) == 2145
    assert said(rules + rule("outer", "instead of visit by player to place", "show 2")) == 2


@pytest.mark.parametrize(("least", "ran"), [(0, 1223), (99, 13)])
def test_the_lines_below_a_pick_are_its_block(least: int, ran: int) -> None:
    ask = f"    ask player which barn to choose in Stall where barn.price > {least}"
    rules = rule("asks", SOLD, "show 1", "for each n in 1..2", ask, "    show 2", "show 3")
    assert said(rules) == ran
