"""Saving, loading and hashing the state, on both engines."""

from __future__ import annotations

import pytest
from flat_programs import INT, binary, column, engines, num, phase, program, rows, scalar
from flat_trees import grown_program
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.engine.native_engine import NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir import nodes as n


def stateful() -> n.Program:
    """A program with some of everything that a state can hold."""
    made = program()
    scalar(made, "some", 5, n.Set(150))
    made.scalars["scratch"] = n.ScalarDecl("scratch", INT, 42, "scratch")
    column(made, "cash", [1, -2, 3], free=(1,))
    column(made, "flags", [1, 2], n.Set(65), free=(0,))
    column(made, "spare", [7, 7], role="scratch")
    column(made, "bot_count", [0, 0])
    rows(made, "pile", 4, (3, -1), ())
    made.streams = ("dice", "deck")
    pile = n.RowAt("pile", num(1), 4)
    phase(
        made,
        n.SetScalar("scratch", num(1)),
        n.SetScalar("phases", binary("+", n.Scalar("phases"), num(1))),
        n.AddCell("cash", num(1), num(50)),
        n.AddCell("cash", num(2), n.Draw(1, num(100))),
        n.SetCell("spare", num(1), n.BotDraw(num(1), num(100))),
        n.If(binary("<", n.RowCount(pile), num(4)), (n.RowPush(pile, num(-9)),)),
    )
    return made


def test_what_is_saved() -> None:
    python, native = engines(stateful())
    for engine in (python, native):
        words = engine.save()
        assert words[:4] == [0, 0, 0, 0]
        assert words[9:10] == [5]
        assert words[10:17] == [1, 0, 3, 0, 2, 0, 0]
        assert words[21:] == [2, 3, -1, 0]
        assert all(type(word) is int for word in words)


def test_load_goes_back_and_play_goes_on_alike() -> None:
    python, native = engines(stateful())
    for engine in (python, native):
        engine.run_phase()
        start = engine.save()
        digest = engine.digest()
        ends = []
        for _ in range(2):
            engine.load(start)
            assert engine.scalar("scratch") == 42
            assert engine.cell("spare", 1) == 7
            assert engine.cell("cash", 1) == 0
            assert engine.digest() == digest
            engine.run_phase()
            ends.append(engine.save())
        assert ends[0] == ends[1] != start
    native.load(python.save())
    assert native.save() == python.save()


def test_scratch_and_free_cells_are_not_hashed() -> None:
    python, native = engines(stateful())
    before = python.digest(), native.digest()
    python.set_scalar("scratch", 9)
    python.set_cell("cash", 1, 77)
    python.set_cell("spare", 0, 1)
    assert before == (python.digest(), native.digest())
    python.set_cell("cash", 2, 77)
    assert python.digest() != before[0]


def test_difference_names_the_field() -> None:
    python, native = engines(stateful())
    assert native.difference(python.save()) is None
    python.set_cell("cash", 2, 77)
    assert native.difference(python.save()) == "cash[2]: 3 and 77"
    python.row("pile", 1).append(8)
    python.set_cell("cash", 2, 3)
    assert python.difference(native.save()) == "pile[1] count: 1 and 0"


@pytest.mark.parametrize(
    ("at", "value", "wrong"),
    [
        (0, True, "zero is no number"),
        (0, 1 << 31, "zero cannot be"),
        (9, -1, "some cannot be"),
        (9, 1 << 150, "some cannot be"),
        (21, 9, r"pile\[0\] has 9 items"),
        (21, 1, r"pile\[1\] has -1 items"),
        (21, 3, "too short"),
        (24, 1, "too short"),
    ],
)
def test_impossible_states_are_found(at: int, value: int, wrong: str) -> None:
    python, _ = engines(stateful())
    words = python.save()
    python.check_state(words)
    words[at] = value
    with pytest.raises(ValueError, match=wrong):
        python.check_state(words)


def test_states_of_another_length_are_found() -> None:
    python, _ = engines(stateful())
    with pytest.raises(ValueError, match="long"):
        python.check_state([*python.save(), 0])
    for size in range(len(python.save())):
        with pytest.raises(ValueError, match="short"):
            python.check_state(python.save()[:size])


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(1, 20))
def test_save_and_load_are_one_identity(seed: int, size: int) -> None:
    made = grown_program(seed, size)
    python, other, native = (
        PythonEngine(made, cached=False),
        PythonEngine(made, cached=False),
        NativeEngine(made, cached=False),
    )
    for engine in (python, other, native):
        for seat in range(made.players):
            engine.seat(seat, "bold")
        engine.new_game(seed)
    for _ in range(3):
        python.run_phase()
        words = python.save()
        python.check_state(words)
        for engine in (other, native):
            engine.load(words)
            assert engine.save() == words
            assert engine.digest() == python.digest()
        python.load(words)
        assert python.run_phase() == other.run_phase() == native.run_phase()
        assert python.save() == other.save() == native.save()
