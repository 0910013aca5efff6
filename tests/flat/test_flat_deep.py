"""Routines far inside each other, each with its call in the innermost of many blocks."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program
from interpreter.session.build import check
from interpreter.session.request import Request

VARIANT = """\
variant: deep
title: "Deep"
players: {min: 2, max: 2}
seats:
  - {id: red, name: "Red"}
  - {id: blue, name: "Blue"}
"""
RULES = """\
kind Player
    points: 0..1000 starts 0
thing table
    turn: Player starts first(Player)
define winners: list of Player = [each p in Player where p.points > 0]
phase start
    table.turn = first(Player)
    dig_1 by table.turn
    end game
then
    next start
"""


def dig(depth: int, blocks: int) -> str:
    """Routines of which each calls the next one, and then counts."""
    found = []
    for number in range(1, depth + 1):
        ifs = [f"{'    ' * level}if player.points < {500 + level}" for level in range(1, blocks)]
        inner = "    " * blocks
        call = [f"{inner}dig_{number + 1} by player"] if number < depth else []
        count = f"{inner}player.points = player.points + 1"
        found += [f"to dig_{number} by player", *ifs, *call, count]
    return "\n".join(found) + "\n"


@pytest.mark.parametrize(("depth", "blocks"), [(100, 2), (30, 18), (100, 10)])
def test_a_hundred_routines_can_be_inside_each_other(
    tmp_path: Path, depth: int, blocks: int
) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "variant.yaml").write_text(VARIANT, encoding="utf-8")
    (tmp_path / "rules" / "deep.rules").write_text(RULES + dig(depth, blocks), encoding="utf-8")
    bag = Bag()
    program = check(Request(Library([tmp_path]), tmp_path), bag)
    assert program is not None, [one.message for one in bag]
    flat = lower_program(program, Options(host=False))
    digests = set()
    for engine in (PythonEngine, NativeEngine) if NATIVE else (PythonEngine,):
        game = engine(flat, cached=False)
        game.new_game(1)
        assert game.run_phase()
        assert game.winners() == 1
        digests.add(game.digest())
    assert len(digests) == 1
