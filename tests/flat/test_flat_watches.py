"""`whenever`: once for every time that its condition turns true, on both engines."""

from __future__ import annotations

import pytest
from flat_games import checked

from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program

KINDS = """\
kind Lane
    rent: 0..9
kind Stall
    lane: Lane
    price: 0..99
add to game
    n: 0..1000 starts 0
    fired: 0..1000 starts 0
    ran_on: 0..1000 starts 0
    flip: flag starts no
rule count: after take_turn by player
    game.n = game.n + 1
"""
COUNTS = "\n    game.fired = game.fired + 1\n"
TEN = 10


def played(rules: str) -> tuple[int, dict[str, int]]:
    """How a game of some phases ends, and its numbers; the same on both engines."""
    program = lower_program(checked("market", 2, KINDS + rules), Options(host=False))
    found = []
    for engine in (PythonEngine, NativeEngine) if NATIVE else (PythonEngine,):
        playing = engine(program, cached=False)
        playing.new_game(1, 0)
        code = playing.play(TEN + 1)
        numbers = {name: playing.scalar(f"s_game_{name}") for name in ("n", "fired", "ran_on")}
        found.append((code, playing.digest(), numbers))
    assert found[0] == found[-1]
    return found[0][0], found[0][2]


@pytest.mark.parametrize(
    ("condition", "times"),
    [
        ("game.n >= 3", 1),
        ("game.n / 2 * 2 is game.n", TEN / 2),
        ("game.n > 2 and game.n < 5 or game.n > 7", 2),
        ("game.n < 3", 1),
        ("game.n > 100", 0),
    ],
)
def test_it_fires_when_its_condition_turns_true(condition: str, times: int) -> None:
    assert played(f"rule w: whenever {condition}{COUNTS}")[1]["fired"] == times


def test_one_that_ends_a_phase_fires_once_too() -> None:
    rules = """
rule w: whenever game.n >= 3
    end turn
rule last: after take_turn by player
    game.ran_on = game.ran_on + 1
"""
    code, numbers = played(rules)
    assert (code, numbers["n"], numbers["ran_on"]) == (0, TEN, TEN - 1)


def test_what_turns_true_in_the_then_of_a_phase_is_seen() -> None:
    rules = f"""
replace phase turn
    game.n = game.n + 1
then
    game.flip = game.n is 4
    next turn
rule w: whenever game.flip{COUNTS}"""
    assert played(rules)[1]["fired"] == 1


@pytest.mark.parametrize("change", ["", "    game.fired = game.fired + 1\n"])
def test_a_phase_that_is_not_running_is_not_ended(change: str) -> None:
    rules = f"""
replace phase start
    game.flip = yes
    game.ran_on = 1
then
    game.flip = no
    game.flip = yes
    next turn
rule w: whenever game.flip
{change}    end turn
    say "done"
"""
    code, numbers = played(rules)
    assert (code, numbers["n"], numbers["ran_on"]) == (0, TEN, 1)


def test_a_rule_behind_a_phase_may_end_it() -> None:
    rules = f"""
rule first: after turn
    end turn
rule second: after turn{COUNTS}"""
    code, numbers = played(rules)
    assert (code, numbers["n"], numbers["fired"]) == (0, TEN, 0)


def test_two_that_undo_each_other_are_stopped() -> None:
    rules = """
rule light: whenever game.flip
    game.flip = no
rule dark: whenever not game.flip
    game.flip = yes
rule begin: after take_turn by player
    game.flip = yes
"""
    assert played(rules)[0] == 2
