"""Where two engines part: the game, the phase, the question and the field.

For the question, a program is changed so that it can be stopped in the middle: when so many
questions of a phase have been answered it runs into a call without end, which no engine survives,
and what it leaves behind can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from typing import Any

from game_rigs import Rig

from interpreter.emit.layout import encoded
from interpreter.emit.state import words_of
from interpreter.engine.batch import BatchResult
from interpreter.engine.native_engine import NativeEngine, NativeError
from interpreter.engine.python_engine import PythonEngine
from interpreter.engine.seating import line_up
from interpreter.flat.ir import nodes as flat

Engine = PythonEngine | NativeEngine
Maker = Callable[[flat.Program], Engine]
ENGINES: dict[str, Maker] = {"python": PythonEngine, "native": NativeEngine}

HALT_AT, ASKED, SITE, SEAT, ANSWER = "halt_at", "asked_now", "asked_site", "asked_seat", "answered"


def poke(engine: Engine, scalar: str, value: int) -> None:
    """Writes a scalar of the live game."""
    if isinstance(engine, PythonEngine):
        engine.set_scalar(scalar, value)
        return
    words = words_of(engine.program.scalars[scalar].type)
    engine._game.write(engine.layout.scalars[scalar].address, encoded((value,), words))


def assert_same(
    left: BatchResult, right: BatchResult, rig: Rig, seats: list[str], seed: int
) -> None:
    """Fails with the first difference of two results of the same games, Python's and native's."""
    if left == right:
        return
    said = f"{rig.setup}: {', '.join(seats)}, seed {seed}: {_parts(left, right)}"
    for index, (one, other) in enumerate(zip(left.digests, right.digests, strict=True)):
        if one != other or left.ends[index] != right.ends[index]:
            game = left.first + index
            table = line_up(seats, game, len(seats))
            raise AssertionError(
                f"{said}; game {game}: {first_parting(rig.flat, table, seed, game)}"
            )
    raise AssertionError(f"{said}; all states are the same")


def _parts(left: BatchResult, right: BatchResult) -> str:
    """Which parts of two results differ."""
    found = [
        name
        for name in ("ends", "winners", "scores", "digests")
        if getattr(left, name) != getattr(right, name)
    ]
    found += [name for name in left.scalars if left.scalars[name] != right.scalars[name]]
    for name, sums in left.measures.items():
        pairs = zip(sums, right.measures[name], strict=True)
        cells = [
            f"[{cell}]: {one} and {other}"
            for cell, (one, other) in enumerate(pairs)
            if one != other
        ]
        found += [f"measure {name}{cells[0]}"] if cells else []
    return f"{', '.join(found)} differ"


def first_parting(
    program: flat.Program,
    seats: list[str],
    seed: int,
    game: int,
    *,
    makers: tuple[Maker, Maker] = (PythonEngine, NativeEngine),
    phase_limit: int = 100_000,
) -> str:
    """The first phase, question and field in which a game goes different ways."""
    stopped = stoppable(program)
    pair = [make(stopped) for make in makers]
    for engine in pair:
        _start(engine, seats, seed, game)
    for phase in range(1, phase_limit + 1):
        codes = [engine.run_phase() for engine in pair]
        if codes[0] != codes[1] or pair[0].save() != pair[1].save():
            questions = max(engine.scalar(ASKED) for engine in pair)
            after = (
                _difference(pair) if codes[0] == codes[1] else f"codes {codes[0]} and {codes[1]}"
            )
            place = _question(program, pair, phase, questions, (seats, seed, game))
            return f"phase {phase}: {place}; at the end of the phase {after}"
        if codes[0]:
            break
    return "played phase by phase there is no difference"


def _question(
    program: flat.Program,
    pair: list[Engine],
    phase: int,
    questions: int,
    play: tuple[list[str], int, int],
) -> str:
    """The questions of a phase between which the engines begin to differ."""

    def differ(number: int) -> str | None:
        for engine in pair:
            _start(engine, *play)
            for _ in range(phase - 1):
                engine.run_phase()
            poke(engine, ASKED, 0)
            poke(engine, HALT_AT, number)
            with suppress(RecursionError, NativeError):
                engine.run_phase()
        return _difference(pair)

    low, high = 0, questions + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if differ(middle) else (middle, high)
    differ(low)
    before = _asked(program, pair) if low else "the beginning"
    field = differ(high)
    after = _asked(program, pair) if high <= questions else "the end"
    return f"between {before} and {after}, where {field}"


def _asked(program: flat.Program, pair: list[Engine]) -> str:
    """The last question of both engines."""
    sites = list(program.sites)
    told = []
    for engine in pair:
        site, seat, answer = (engine.scalar(name) for name in (SITE, SEAT, ANSWER))
        told.append(f"{sites[site]} answered {answer} by seat {seat}")
    number = pair[0].scalar(ASKED)
    return f"question {number} ({told[0] if told[0] == told[1] else ' but '.join(told)})"


def _start(engine: Engine, seats: list[str], seed: int, game: int) -> None:
    for seat, strategy in enumerate(seats):
        engine.seat(seat, strategy)
    engine.new_game(seed, game)


def _difference(pair: list[Engine]) -> str | None:
    """The first field of the state, or fact about the last question, that is not the same."""
    for name in (ASKED, SITE, SEAT, ANSWER):
        if pair[0].scalar(name) != pair[1].scalar(name):
            return f"{name}: {pair[0].scalar(name)} and {pair[1].scalar(name)}"
    return pair[0].difference(pair[1].save())


# ---------------------------------------------------------------- programs that can be stopped


def stoppable(program: flat.Program) -> flat.Program:
    """The program, with what it needs to be stopped after a question."""
    numbers = {site: number for number, site in enumerate(program.sites)}

    def change(node: Any) -> Any:
        if isinstance(node, tuple):
            return tuple(change(item) for item in node)
        if isinstance(node, flat.AskSeat):
            return flat.Call(f"stop_{node.site}", (change(node.seat), *change(node.args)))
        if is_dataclass(node) and isinstance(node, flat.StmtBase | flat.ExprBase):
            parts = {part.name: change(getattr(node, part.name)) for part in fields(node)}
            return replace(node, **parts)
        return node

    functions = {
        name: replace(function, body=change(function.body))
        for name, function in program.functions.items()
    }
    scalars = dict(program.scalars)
    for name in (HALT_AT, ASKED, SITE, SEAT, ANSWER):
        scalars[name] = flat.ScalarDecl(name, flat.INT, 0, "scratch")
    for site, number in numbers.items():
        answers = next(iter(program.strategies.values()))[site]
        functions[f"stop_{site}"] = _asking(site, number, program.functions[answers].params)
    deeper = flat.Bin("+", flat.Var("n"), flat.Num(1))
    functions["halt"] = flat.Function(
        "halt", (("n", flat.INT),), (flat.Return(flat.Call("halt", (deeper,))),), flat.INT
    )
    return replace(program, scalars=scalars, functions=functions)


def _asking(site: str, number: int, params: tuple[tuple[str, flat.FlatType], ...]) -> flat.Function:
    args = tuple(flat.Var(*param) for param in params)
    asked = flat.Bin("+", flat.Scalar(ASKED), flat.Num(1))
    body = (
        flat.SetVar("given", flat.AskSeat(site, args[0], args[1:])),
        flat.SetScalar(ASKED, asked),
        flat.SetScalar(SITE, flat.Num(number)),
        flat.SetScalar(SEAT, args[0]),
        flat.SetScalar(ANSWER, flat.Var("given")),
        flat.If(
            flat.Bin("==", flat.Scalar(ASKED), flat.Scalar(HALT_AT)),
            (flat.Run(flat.Call("halt", (flat.Num(0),))),),
        ),
        flat.Return(flat.Var("given")),
    )
    return flat.Function(f"stop_{site}", params, body, flat.INT)
