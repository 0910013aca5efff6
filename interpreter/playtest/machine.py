"""A variant ready to be played in batches: printed for one engine, with what its measures mean.

Kept in the cache beside the other flavours of the variant, and small enough to be sent to workers.
Lowering and printers are not imported here: what is cached starts without them.
"""

from __future__ import annotations

import pickle
import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from dsl.cache import text_key
from dsl.core import nodes as core
from dsl.kept import keep, read_kept
from interpreter.engine.batch import BatchResult, crashed_result, merge_results, play_batch
from interpreter.engine.native_engine import NativeEngine, NativeError
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir import nodes as flat
from interpreter.session.compile import CompiledGame

EngineName = Literal["python", "native"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a measure's numbers mean.

    `unit`: of what is added, if it has one. `is_count`: it adds 1 each time. `each`: the measure
    that counts how often this one adds. `per`: what each axis is, as the rules say it; `words`: of
    each axis by a choice, its words.
    """

    name: str
    unit: str | None
    is_count: bool
    each: str | None
    per: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """A program without the bodies of its functions; these are in `code`: the Python text, or the
    .wasm. `digest`: of the code. `excluded`: what is covered and can't happen."""

    program: flat.Program
    code: str | bytes
    digest: str
    meanings: tuple[Meaning, ...]
    excluded: frozenset[str]


Wanted = tuple[str, ...] | None
"""The strategies that play; None: all."""
Printer = Callable[[core.Program, EngineName, Wanted], Printed]
"""What prints a checked program: `interpreter.playtest.printing.print_machine`."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A printed program and, where search bots play, the game as sessions play it."""

    printed: Printed
    game: CompiledGame | None = None


class Machine:
    """What a worker needs to play. Workers in other processes get it packed, with every chunk."""

    def __init__(
        self, engine: EngineName, key: str, parts: Parts | None = None, packed: bytes = b""
    ) -> None:
        self.engine: EngineName = engine
        self.key = key
        self._parts = parts
        self._packed = packed

    @property
    def parts(self) -> Parts:
        """What is in it."""
        if self._parts is None:
            parts = pickle.loads(zlib.decompress(self._packed))
            assert isinstance(parts, Parts)
            self._parts = parts
        return self._parts

    def __reduce__(self) -> tuple[object, ...]:
        if not self._packed:
            self._packed = zlib.compress(pickle.dumps(self._parts), level=1)
        return Machine, (self.engine, self.key, None, self._packed)


@dataclass(frozen=True, slots=True)
class Ready:
    """A machine and the program in it, as reports need it."""

    machine: Machine
    program: flat.Program
    meanings: dict[str, Meaning]
    excluded: frozenset[str]


def make_ready(
    game: CompiledGame,
    engine: EngineName,
    printer: Printer,
    strategies: Wanted = None,
    *,
    is_searched: bool = False,
) -> Ready:
    """The variant for an engine, from the cache or newly printed, with the strategies that play.
    `is_searched`: search bots play, who need sessions."""
    name = _kept_name(game, engine, strategies) if game.key is not None else None
    kept = read_kept(name, Printed) if name is not None else None
    if kept is not None and not _is_usable(kept, engine):
        kept = None
    if kept is None:
        kept = printer(game.source(), engine, strategies)
        if name is not None:
            keep(name, kept)
    meanings = {meaning.name: meaning for meaning in kept.meanings}
    key, parts = f"{engine}-{kept.digest}", Parts(kept)
    if is_searched:
        from interpreter.playtest.searching import prepare

        prepare(game)
        key, parts = f"{key}-{game.digest}", Parts(kept, game)
    return Ready(Machine(engine, key, parts), kept.program, meanings, kept.excluded)


def _kept_name(game: CompiledGame, engine: EngineName, strategies: Wanted) -> str:
    if strategies is None:
        return f"{game.key}.playtest-{engine}"
    digest = text_key("\n".join(strategies))
    return f"{game.key}.playtest-{engine}-{digest[:12]}"


def _is_usable(printed: Printed, engine: EngineName) -> bool:
    """Whether what was kept can be played; the engine that is made for it is kept for the run."""
    try:
        if engine == "native":
            _native(Machine(engine, f"{engine}-{printed.digest}", Parts(printed)))
        return isinstance(printed.code, bytes if engine == "native" else str)
    except NativeError:
        return False


# ---------------------------------------------------------------- playing


class _PerThread(threading.local):
    """The engines of a thread that can't be shared with others, and games for its search bots."""

    def __init__(self) -> None:
        self.engines: dict[str, tuple[PythonEngine, CompiledGame | None]] = {}


_NATIVE: dict[str, NativeEngine] = {}
_LOCK = threading.Lock()
_MINE = _PerThread()
_MOST_KEPT = 4


@dataclass(frozen=True, slots=True)
class Chunk:
    """Games of a run that are played together. `bots`: the strategies and search bots who play,
    seated anew in each game."""

    machine: Machine
    first: int
    games: int
    bots: tuple[str, ...]
    seed: int
    phase_limit: int


def play_chunk(chunk: Chunk) -> BatchResult:
    """Plays some games, in whatever thread or process this is called. A game in which an engine
    breaks is one game: the others are played all the same."""
    play, program = _player(chunk.machine)
    try:
        return play(chunk)
    except (OSError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001
        if chunk.games == 1:
            return crashed_result(program, chunk.first, error)
    numbers = range(chunk.first, chunk.first + chunk.games)
    return merge_results(play_chunk(replace(chunk, first=number, games=1)) for number in numbers)


def _player(machine: Machine) -> tuple[Callable[[Chunk], BatchResult], flat.Program]:
    """What plays on an engine that is ready, and its program."""
    if machine.engine == "native":
        native = _native(machine)
        return partial(_play_native, native), native.program
    engine, game = _python(machine)
    return partial(_play_python, engine, game), engine.program


def _play_native(engine: NativeEngine, chunk: Chunk) -> BatchResult:
    return engine.play_batch(
        chunk.first,
        chunk.games,
        chunk.bots,
        seed=chunk.seed,
        phase_limit=chunk.phase_limit,
        reseat=True,
        checks=True,
    )


def _play_python(engine: PythonEngine, game: CompiledGame | None, chunk: Chunk) -> BatchResult:
    if game is not None:
        from interpreter.playtest.searching import play_searching

        numbers = range(chunk.first, chunk.first + chunk.games)
        return play_searching(
            game, engine, numbers, chunk.bots, seed=chunk.seed, phase_limit=chunk.phase_limit
        )
    return play_batch(
        engine,
        chunk.first,
        chunk.games,
        chunk.bots,
        seed=chunk.seed,
        phase_limit=chunk.phase_limit,
        reseat=True,
        checks=True,
    )


def _native(machine: Machine) -> NativeEngine:
    with _LOCK:
        engine = _NATIVE.get(machine.key)
        if engine is None:
            printed = machine.parts.printed
            if not isinstance(printed.code, bytes):
                raise NativeError("there is no .wasm")
            while len(_NATIVE) >= _MOST_KEPT:
                del _NATIVE[next(iter(_NATIVE))]
            engine = _NATIVE[machine.key] = NativeEngine(printed.program, wasm=printed.code)
        return engine


def _python(machine: Machine) -> tuple[PythonEngine, CompiledGame | None]:
    engines = _MINE.engines
    found = engines.get(machine.key)
    if found is None:
        printed = machine.parts.printed
        assert isinstance(printed.code, str)
        while len(engines) >= _MOST_KEPT:
            del engines[next(iter(engines))]
        engine = PythonEngine(printed.program, text=printed.code)
        found = engines[machine.key] = engine, machine.parts.game
    return found
