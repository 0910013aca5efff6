"""What lowering does for speed alone can be left out, and no game changes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flat_games import MARKET, PLAYED, checked, digests, lowered, program_of
from flat_rules import rules
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from dsl.core import nodes as core
from interpreter.engine.batch import BatchResult, play_batch
from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.ir import nodes as flat
from interpreter.flat.lower import lower_program
from interpreter.flat.pipeline import OPTIONAL
from interpreter.flat.plan.choices import CHOICES
from interpreter.flat.verify import verify

BARE = Options(host=False)
PLAIN = OPTIONAL | CHOICES.keys()
GAMES = (*PLAYED[:2], ("card_game", 3))


def less(program: core.Program, *left_out: str, options: Options = BARE) -> flat.Program:
    """The program without something, looked at by the verifier behind every pass."""
    without = replace(options, without=frozenset(left_out))
    return lower_program(program, without, between=lambda _, made, holds: verify(made, holds))


@pytest.mark.parametrize("left_out", [*CHOICES, "plain"])
def test_same_games_without(left_out: str) -> None:
    usual = lowered("market", 3)
    without = less(program_of("market", 3), *(PLAIN if left_out == "plain" else {left_out}))
    for strategy in usual.strategies:
        assert digests(without, strategy, 5) == digests(usual, strategy, 5), strategy


@pytest.mark.parametrize("choice", CHOICES)
def test_every_choice_does_something(choice: str) -> None:
    def bodies(program: flat.Program) -> dict[str, flat.Body]:
        return {name: function.body for name, function in program.functions.items()}

    assert any(
        bodies(less(program_of(name, players), choice)) != bodies(lowered(name, players))
        for name, players in GAMES
    )


def test_plain_is_plain() -> None:
    """No bits that wake, nothing kept, no functions for kinds; every seat is asked."""
    program = less(program_of("classic", 4), *PLAIN)
    names = [*program.scalars, *program.columns]
    assert not [name for name in names if name.startswith(("wake_", "reads_", "kept_", "floor_"))]
    assert not program.dispatch or not any("by_space" in name for name in program.dispatch)
    assert not [name for name in program.tables if name.startswith("known_")]


# ---------------------------------------------------------------- rules that nobody wrote

WATCHED = Options(host=False, measures=True, coverage=True)


def played(program: flat.Program, engine: PythonEngine | NativeEngine) -> BatchResult:
    seats = ["made", "thrifty", "random"]
    if isinstance(engine, NativeEngine):
        return engine.play_batch(0, 4, seats, seed=5, phase_limit=120, reseat=True, digests=True)
    return play_batch(engine, 0, 4, seats, seed=5, phase_limit=120, reseat=True, digests=True)


def counted(program: flat.Program, result: BatchResult) -> dict[str, object]:
    """Everything that must be the same: not how often somebody was asked in vain."""
    coverage = dict(zip(program.coverage, result.measures["coverage"], strict=True))
    others = {name: sums for name, sums in result.measures.items() if name != "coverage"}
    return {
        "coverage": coverage, "measures": others, "digests": list(result.digests),
        "ends": list(result.ends), "scores": list(result.scores),
    }  # fmt: skip


def same_games(text: str, left_out: str) -> None:
    try:
        program = checked("market", 3, MARKET + text)
    except AssertionError:
        assume(False)
    usual = less(program, options=WATCHED)
    expected = counted(usual, played(usual, PythonEngine(usual, cached=False)))
    for names in (PLAIN, {left_out}):
        other = less(program, *names, options=WATCHED)
        assert counted(other, played(other, PythonEngine(other, cached=False))) == expected
    if NATIVE:
        assert counted(usual, played(usual, NativeEngine(usual, cached=False))) == expected


FEW = settings(
    max_examples=8, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)  # fmt: skip


@FEW
@given(rules(), st.sampled_from(sorted(PLAIN)))
def test_made_up_rules_play_the_same_games(text: str, left_out: str) -> None:
    same_games(text, left_out)


@pytest.mark.long
@settings(FEW, max_examples=400)
@given(rules(), st.sampled_from(sorted(PLAIN)))
def test_many_made_up_rules_play_the_same_games(text: str, left_out: str) -> None:
    same_games(text, left_out)
