"""A walk around a ring meets each place where something happens as often as it comes by it."""

from __future__ import annotations

from pathlib import Path

import pytest
from flat_games import HEADER, MARKET, STALLS

from dsl.check.program import check_program
from dsl.diagnostics import Bag
from dsl.project import find, load
from interpreter.bundled import variants_dir
from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.ir import nodes as flat
from interpreter.flat.lower import lower_program

SIZE = 9
WALKS = """
kind Gate is Stall
add to Stall
    met: 0..99 starts 0
event pass_by onto stall
rule count_gate: after pass_by onto stall: Gate
    stall.met = stall.met + 1
rule walk_about: before take_turn by player
    for each start in Stall where start is s1 or start is s6
        for each steps in 1..9
            for each stop in path(Stall, start, cycle(Stall, start, steps))
                pass_by onto stop
    end game
"""


def walking(folder: Path, gates: tuple[int, ...]) -> flat.Program:
    (folder / "market" / "rules").mkdir(parents=True)
    stalls = STALLS
    for gate in gates:
        stalls = stalls.replace(f"{{id: s{gate},", f"{{id: s{gate}, kind: Gate,")
    (folder / "market" / "variant.yaml").write_text(HEADER + stalls + "\n", encoding="utf-8")
    (folder / "market" / "rules" / "market.rules").write_text(MARKET + WALKS, encoding="utf-8")
    bag = Bag()
    merged = load.load_merged(find.Library([variants_dir(), folder]), "market", bag=bag)
    program = check_program(merged, 2, bag, scenarios=False) if merged is not None else None
    assert program is not None, [f"{one.code} {one.message}" for one in bag.sorted()]
    return lower_program(program, Options(host=False))


@pytest.mark.parametrize("gates", [(0,), (4,), (8,), (2, 5), (0, 8), tuple(range(SIZE))])
def test_every_gate_on_the_way_is_met_once(tmp_path: Path, gates: tuple[int, ...]) -> None:
    program = walking(tmp_path, gates)
    expected = [
        sum((gate - start - 1) % SIZE < steps for start in (1, 6) for steps in range(1, SIZE + 1))
        for gate in gates
    ]
    engines: list[PythonEngine | NativeEngine] = [PythonEngine(program, cached=False)]
    if NATIVE:
        engines.append(NativeEngine(program, cached=False))
    for engine in engines:
        engine.new_game(1)
        for seat in range(2):
            engine.seat(seat, "thrifty")
        engine.play(9)
        met = [engine.cell("s_stall_met", stall) for stall in range(SIZE)]
        assert [met[gate] for gate in gates] == expected
        assert sum(met) == sum(expected)
