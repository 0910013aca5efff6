"""What a game can't do: go on for ever, take more memory than declared, or reach anything."""

from __future__ import annotations

from pathlib import Path

import pytest
from flat_programs import column, num, phase, program

from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from interpreter.bundled import variants_dir
from interpreter.cli.bounds import bounds_of
from interpreter.cli.checking import check
from interpreter.cli.options import Wish
from interpreter.emit.ends import BROKEN, FAULT, PHASE_LIMIT
from interpreter.emit.layout import PAGE
from interpreter.emit.state import words_of
from interpreter.engine.batch import BatchResult, play_batch
from interpreter.engine.native_engine import NATIVE, NativeEngine, NativeError, assemble
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir import nodes as n
from interpreter.playtest.ends import endings_of
from interpreter.playtest.lowering import playtest_program
from interpreter.session.compile import CompiledGame, load_compiled
from interpreter.session.request import Request

needs_native = pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
ENGINES = ["python", pytest.param("native", marks=needs_native)]
GAMES = Path(__file__).parent / "games"


def endless(way: str) -> CompiledGame:
    """The game that goes on for ever, in one way."""
    bag = Bag()
    request = Request(Library([GAMES]), "endless", 2, switches={"way": way})
    game = load_compiled(request, bag, cached=False, flavour=None)
    assert game is not None, bag.sorted()
    return game


def played(flat: n.Program, engine: str, phase_limit: int) -> BatchResult:
    """Three games."""
    seats = ["nodder", "nodder"]
    if engine == "native":
        native = NativeEngine(flat, cached=False)
        return native.play_batch(0, 3, seats, phase_limit=phase_limit, checks=True, digests=True)
    python = PythonEngine(flat, cached=False)
    return play_batch(python, 0, 3, seats, phase_limit=phase_limit, checks=True, digests=True)


# ---------------------------------------------------------------- without end


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("way", "code", "said"),
    [
        ("turns", PHASE_LIMIT, "limit of 50 turns"),
        ("loop", FAULT, "fault: again and again, more than 10,000 times in one phase"),
        ("circle", FAULT, "fault: a chain of more than 32 rules that set each other off"),
        ("watch", FAULT, "fault: again and again: rules that watch set each other off"),
        ("talk", FAULT, "fault: again and again: the window chat did not close"),
        ("broken", BROKEN, "broken: always lamp_works"),
    ],
)
def test_a_budget_ends_what_goes_on_for_ever(engine: str, way: str, code: int, said: str) -> None:
    game = endless(way)
    flat = playtest_program(game.source())
    result = played(flat, engine, game.program.phase_limit)
    endings = endings_of(flat, game.program, game.facts.always)
    assert list(result.ends) == [code] * 3
    number = result.scalars["fault"][0]
    assert endings.word(code, number) == said


@needs_native
@pytest.mark.parametrize("way", ["turns", "loop", "circle", "watch", "talk", "broken"])
def test_engines_agree_on_the_stop(way: str) -> None:
    game = endless(way)
    flat = playtest_program(game.source())
    limit = game.program.phase_limit
    assert played(flat, "python", limit) == played(flat, "native", limit)


@needs_native
def test_a_call_without_end_is_an_error_and_no_crash() -> None:
    made = program()
    made.functions["down"] = n.Function("down", (), (n.Give(n.Call("down", ())),), n.INT)
    phase(made, n.Run(n.Call("down", ())))
    engine = NativeEngine(made, cached=False)
    with pytest.raises(NativeError, match="call stack exhausted"):
        engine.run_phase()


# ---------------------------------------------------------------- memory


def stated(flat: n.Program) -> int:
    """The bytes that the declared state takes, each value by itself."""
    widths = [words_of(scalar.type) for scalar in flat.scalars.values() if scalar.role == "state"]
    widths += [
        words_of(column.type)
        for column in flat.columns.values()
        if column.role == "state"
        for _ in column.initial
    ]
    size = sum(8 * width or 4 for width in widths) + 8 * len(flat.streams)
    size += 8 * flat.players if "bot_count" in flat.columns else 0
    return size + sum(rows.count * (4 + 4 * rows.cap) for rows in flat.rows.values())


@needs_native
@pytest.mark.parametrize("variant", ["classic", "deal", "card_game", "crooked_cash"])
def test_bounds_are_those_of_the_module(variant: str) -> None:
    checked = check(Library([variants_dir()]), Wish(variant), Bag(), scenarios=False)
    text = bounds_of(checked)
    for players, core in checked.programs.items():
        flat = playtest_program(core)
        engine = NativeEngine(flat, cached=False)
        layout = engine.layout
        memory = next(each.type for each in engine._module.exports if each.name == "memory")
        assert memory.limits.min == memory.limits.max == engine.memory_bytes // PAGE
        engine.new_game(0)
        assert engine._game._memory.data_len(engine._game._store) == engine.memory_bytes
        state = layout.scratch - layout.state
        assert stated(flat) <= state <= stated(flat) + 4 * len(layout.fields) + 4
        shown = text.partition(f"  {players} players\n")[2].splitlines()
        more = layout.live_size - state
        assert " ".join(shown[0].split()) == (
            f"state of a game {state:,} bytes, and {more:,} more while it is played"
        )
        assert f"{engine.memory_bytes:,} bytes for each worker" in shown[1]


@needs_native
def test_nothing_reaches_beyond_the_memory() -> None:
    made = program()
    column(made, "few", [1, 2, 3])
    phase(made, n.SetCell("few", n.Bin("+", n.Scalar("zero"), num(-1000)), num(1)))
    engine = NativeEngine(made, cached=False)
    with pytest.raises(NativeError, match="out of bounds"):
        engine.run_phase()


# ---------------------------------------------------------------- nothing else


@needs_native
def test_the_module_imports_nothing_and_tells_only_numbers() -> None:
    flat = playtest_program(endless("turns").source())
    engine = NativeEngine(flat, cached=False)
    assert not engine._module.imports
    names = {each.name for each in engine._module.exports}
    assert names == {
        "memory", "stack", "digest", "new_game", "play", "play_games", "run_phase",
        "winners", "score", "check_always",
    }  # fmt: skip


@needs_native
@pytest.mark.parametrize(
    "text",
    [
        '(module (import "host" "open" (func)) (memory (export "memory") @ @))',
        '(module (memory (export "memory") @))',
        '(module (memory (export "memory") 1 1))',
        '(module (func (export "memory")))',
        "(module)",
    ],
)
def test_a_foreign_module_is_refused(text: str) -> None:
    made = program()
    phase(made)
    pages = NativeEngine(made, cached=False).memory_bytes // PAGE
    with pytest.raises(NativeError, match="not of this program"):
        NativeEngine(made, wasm=assemble(text.replace("@", str(pages))))
    with pytest.raises(NativeError):
        NativeEngine(made, wasm=b"\0asm nonsense")
