"""Random programs: Python and WebAssembly play the same games, to the last word."""

from __future__ import annotations

import pytest
from flat_trees import grown_program
from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.engine.batch import play_batch
from interpreter.engine.native_engine import NativeEngine
from interpreter.engine.python_engine import PythonEngine

SEATS = ["bold", "shy", "bold"]


def check(seed: int, size: int) -> None:
    made = grown_program(seed, size)
    python, native = PythonEngine(made, cached=False), NativeEngine(made, cached=False)
    options = {"seed": seed, "phase_limit": 5, "reseat": True, "digests": True}
    one = play_batch(python, 0, 4, SEATS, checks=bool(seed % 2), **options)  # type: ignore[arg-type]
    other = native.play_batch(0, 4, SEATS, checks=bool(seed % 2), **options)  # type: ignore[arg-type]
    assert native.difference(python.save()) is None
    assert one == other


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(1, 30))
def test_random_programs(seed: int, size: int) -> None:
    check(seed, size)


@pytest.mark.long
@settings(max_examples=1000, deadline=None)
@given(st.integers(0, 1 << 32), st.integers(1, 60))
def test_many_random_programs(seed: int, size: int) -> None:
    check(seed, size)
