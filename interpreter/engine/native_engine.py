"""Batches of games in WebAssembly. Same games, same results as the Python engine, only sooner.

Needs the package `wasmtime`; `NATIVE` says whether it is there. The module is sandboxed: it
imports nothing and its memory is one block of declared size. Kept in the cache is the portable
.wasm, never machine code, and it is validated and compiled each time it is loaded.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from dsl.cache import read_cached, text_key, write_cached
from interpreter.emit.layout import BATCH_GAMES, Cells, Layout, decoded, encoded
from interpreter.emit.state import first_difference
from interpreter.emit.wat import print_wat
from interpreter.emit.wat_runtime import WITH_CHECKS, WITH_DIGEST
from interpreter.engine.batch import BatchResult, empty_result
from interpreter.engine.seating import line_up
from interpreter.flat.ir.nodes import REFRESH, Program

if TYPE_CHECKING:
    import wasmtime
else:
    try:
        import wasmtime
    except ImportError:
        wasmtime = None

NATIVE = wasmtime is not None
"""Whether native engines can be made here."""

_STACK_BYTES = 1 << 20
_FIRST_GAMES = 8
_CALL_SECONDS = 0.05
"""How long a call into the module should take: until it is back, Ctrl-C has to wait."""

_MASK64 = 0xFFFFFFFFFFFFFFFF


class NativeError(Exception):
    """The native engine can't run, or stopped: `game` is the index of the game it was in."""

    def __init__(self, message: str, game: int | None = None) -> None:
        super().__init__(message if game is None else f"game {game}: {message}")
        self.game = game


class NoMemory(NativeError, MemoryError):
    """The system does not give a game the room that it needs."""

    def __init__(self, message: str) -> None:
        super().__init__(f"the native engine found no room for a game ({message})")


class _Forked:
    """A forked process has none of the threads with which its parent may have compiled: it would
    wait for them for ever."""

    is_child = False

    @classmethod
    def note(cls) -> None:
        """Called in each child."""
        cls.is_child = True


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Forked.note)


class NativeEngine:
    """A program printed as WebAssembly and compiled.

    May be used by many threads: each has a game and a memory of its own. `wasm` or `text`: the
    module as it was assembled or printed, if it is at hand. `cached`: whether the .wasm of a text
    may be kept in the user's cache folder. `export`: further functions for `call`.

    Raises NativeError for a `wasm` that is not of this program.
    """

    def __init__(
        self,
        program: Program,
        *,
        wasm: bytes | None = None,
        text: str | None = None,
        cached: bool = True,
        export: Iterable[str] = (),
    ) -> None:
        if not NATIVE:
            raise RuntimeError("The native engine needs the package wasmtime.")
        self.program = program
        self.layout = Layout(program)
        self.strategies = {name: number for number, name in enumerate(program.strategies)}
        config = wasmtime.Config()
        config.max_wasm_stack = _STACK_BYTES
        config.parallel_compilation = not _Forked.is_child
        self._engine = wasmtime.Engine(config)
        self._threads = threading.local()
        self.text = text
        if wasm is not None:
            self._module = self._compiled(wasm)
            return
        text = self.text = print_wat(program, batch=True, export=export) if text is None else text
        name = f"{text_key(text)}.wasm"
        kept = read_cached(name) if cached else None
        if kept is not None:
            with suppress(NativeError):
                self._module = self._compiled(kept)
                return
        wasm = assemble(text)
        self._module = self._compiled(wasm)
        if cached:
            write_cached(name, wasm)

    def _compiled(self, wasm: bytes) -> wasmtime.Module:
        """The module in machine code; it imports nothing, and its memory is as declared."""
        try:
            module = wasmtime.Module(self._engine, wasm)
        except wasmtime.WasmtimeError as error:
            raise NativeError(_last_line(error)) from error
        memory = next((each.type for each in module.exports if each.name == "memory"), None)
        pages = self.layout.pages
        if (
            module.imports
            or not isinstance(memory, wasmtime.MemoryType)
            or (memory.limits.min, memory.limits.max) != (pages, pages)
        ):
            raise NativeError("the module is not of this program")
        return module

    @property
    def memory_bytes(self) -> int:
        """What each thread's memory takes."""
        return self.layout.memory_bytes

    @property
    def _game(self) -> _Instance:
        game: _Instance | None = getattr(self._threads, "game", None)
        if game is None:
            game = self._threads.game = _Instance(self._engine, self._module, self.layout)
        return game

    # ------------------------------------------------------------ batches

    def play_batch(
        self,
        first: int,
        games: int,
        seats: Sequence[str],
        *,
        seed: int = 0,
        phase_limit: int = 10_000,
        reseat: bool = False,
        digests: bool = False,
        checks: bool = False,
    ) -> BatchResult:
        """Plays games of a run: see `interpreter.engine.batch.play_batch`."""
        game = self._game
        tables = self._tables(seats, reseat=reseat)
        game.write(self.layout.measures, bytes(self.layout.measures_size))
        options = (WITH_DIGEST if digests else 0) | (WITH_CHECKS if checks else 0)
        result = empty_result(self.program, first)
        start, end = first, first + games
        while start < end:
            size = min(game.most, end - start)
            table = b"".join(map(tables, range(start, start + size)))
            game.write(self.layout.line_up, table)
            since = time.perf_counter()
            game.call("play_games", _signed(seed), start, size, phase_limit, options)
            took = time.perf_counter() - since
            self._collect(result, game.read(self.layout.results, size * self.layout.record.size))
            start += size
            game.learn(size, took)
        for name in result.measures:
            cells = self.layout.columns[name]
            data = game.read(cells.address, cells.count * cells.stride)
            result.measures[name] = list(_array("q", data))
        if not digests:
            del result.digests[:]
        return result

    def _tables(self, seats: Sequence[str], *, reseat: bool) -> Callable[[int], bytes]:
        """From the number of a game to the strategies on its seats, as the module reads them."""
        players = self.program.players
        numbers = [self.strategies[name] for name in seats]
        if reseat:
            encode = lru_cache(maxsize=1 << 10)(lambda sitting: encoded(sitting, 0))
            return lambda game: encode(tuple(line_up(numbers, game, players)))
        if len(numbers) != players:
            raise ValueError(f"{len(numbers)} strategies for {players} seats.")
        table = encoded(numbers, 0)
        return lambda _: table

    def _collect(self, result: BatchResult, data: bytes) -> None:
        record = self.layout.record
        numbers, longs = _array("i", data), _array("Q", data)
        step, long_step = record.size // 4, record.size // 8
        result.ends += numbers[record.code // 4 :: step]
        for name, offset in record.scalars.items():
            result.scalars[name] += numbers[offset // 4 :: step]
        result.winners += longs[record.winners // 8 :: long_step]
        result.digests += longs[record.digest // 8 :: long_step]
        players = self.program.players
        scores = array("i", bytes(4 * players * (len(numbers) // step)))
        for player in range(players):
            scores[player::players] = numbers[record.scores // 4 + player :: step]
        result.scores += scores

    # ------------------------------------------------------------ one game

    def new_game(self, seed: int, game_index: int = 0) -> None:
        """Sets up a game of the run with this seed; seats stay as they are."""
        self._game.call("new_game", _signed(seed), game_index)

    def seat(self, seat: int, strategy: str) -> None:
        """Puts a strategy of the program on a seat."""
        number = self.strategies[strategy]
        self._game.write(self.layout.seats + 4 * seat, encoded((number,), 0))

    def run_phase(self) -> int:
        """Runs the current phase to its end; gives its code."""
        return self.call("run_phase")

    def play(self, phase_limit: int, *, checks: bool = False) -> int:
        """Runs phases until the game ends or has had `phase_limit` of them; gives the end code."""
        return self.call("play", phase_limit, int(checks))

    def call(self, name: str, *args: int) -> int:
        """Calls an exported function that gives at most one value."""
        value = self._game.call(name, *args)
        return 0 if value is None else int(value)

    def winners(self) -> int:
        """The players who win, as bits."""
        if "winners" not in self.program.functions:
            return 0
        return self.call("winners") & _MASK64

    def score(self, player: int) -> int:
        return self.call("score", player) if "score" in self.program.functions else 0

    def check_always(self) -> int:
        """0, or the number of a condition that must always hold and does not."""
        return self.call("check_always") if "check_always" in self.program.functions else 0

    def digest(self) -> int:
        """64 bits that tell states apart, the same on every engine."""
        return self.call("digest") & _MASK64

    def save(self) -> list[int]:
        """The declared state as the Python engine saves it."""
        words: list[int] = []
        layout = self.layout
        for field in layout.fields:
            if field.kind == "rows":
                for index in range(field.count):
                    row = self.row(field.name, index)
                    words += (len(row), *row)
                continue
            values = self._values(self._cells(field.kind, field.name))
            for free in field.free:
                values[free] = 0
            words += values
        return words

    def load(self, words: list[int]) -> None:
        """Puts back a state that either engine has saved."""
        layout, game = self.layout, self._game
        scratch = layout.scratch - layout.state
        game.write(layout.scratch, game.read(layout.image + scratch, layout.live_size - scratch))
        game.reset_stack()
        place = 0
        for field in layout.fields:
            if field.kind == "rows":
                rows = layout.rows[field.name]
                for index in range(rows.count):
                    count = words[place] + 1
                    data = encoded(words[place : place + count], 0)
                    game.write(rows.address + rows.stride * index, data)
                    place += count
                continue
            cells = self._cells(field.kind, field.name)
            values = words[place : place + field.count]
            game.write(cells.address, encoded(values, cells.words))
            place += field.count
        if REFRESH in self.program.functions:
            game.call(REFRESH)

    def difference(self, words: list[int]) -> str | None:
        """The first field in which the live state and a saved one differ, in words."""
        return first_difference(self.layout.fields, self.save(), words)

    def cell(self, column: str, index: int) -> int:
        return self._values(self.layout.columns[column])[index]

    def scalar(self, name: str) -> int:
        return self._values(self.layout.scalars[name])[0]

    def row(self, name: str, index: int) -> list[int]:
        rows = self.layout.rows[name]
        at = rows.address + rows.stride * index
        data = decoded(self._game.read(at, rows.stride), 0)
        return data[1 : 1 + data[0]]

    def _cells(self, kind: str, name: str) -> Cells:
        layout = self.layout
        if kind == "scalar":
            return layout.scalars[name]
        if kind == "column":
            return layout.columns[name]
        return layout.streams if kind == "streams" else layout.keys

    def _values(self, cells: Cells) -> list[int]:
        return decoded(self._game.read(cells.address, cells.count * cells.stride), cells.words)


class _Instance:
    """One thread's memory and functions. `most`: how many games it plays in one call."""

    def __init__(self, engine: wasmtime.Engine, module: wasmtime.Module, layout: Layout) -> None:
        self.most = _FIRST_GAMES
        self._layout = layout
        self._store = wasmtime.Store(engine)
        self._store.set_limits(memory_size=layout.memory_bytes, instances=1, memories=1, tables=0)
        try:
            instance = wasmtime.Instance(self._store, module, [])
        except wasmtime.WasmtimeError as error:
            raise NoMemory(_last_line(error)) from error
        exports = instance.exports(self._store)
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory
        self._exports: Any = exports
        self._keep_start()

    def _keep_start(self) -> None:
        """Has games start with what is maintained already worked out."""
        layout = self._layout
        if REFRESH in self._exports:
            self.call(REFRESH)
            size = layout.live_size - (layout.scratch - layout.state)
            self.write(layout.image + layout.live_size - size, self.read(layout.scratch, size))

    def call(self, name: str, *args: int) -> Any:
        try:
            return self._exports[name](self._store, *args)
        except (wasmtime.Trap, wasmtime.WasmtimeError) as error:
            game = decoded(self.read(self._layout.game, 4), 0)[0]
            raise NativeError(_last_line(error), game) from error

    def learn(self, games: int, seconds: float) -> None:
        """Goes on with more games in a call, or fewer, so that calls take as long as wanted."""
        if seconds > _CALL_SECONDS:
            self.most = max(1, games // 2)
        elif games == self.most:
            self.most = min(2 * games, BATCH_GAMES)

    def read(self, at: int, size: int) -> bytes:
        return bytes(self._memory.read(self._store, at, at + size))

    def write(self, at: int, data: bytes) -> None:
        if data:
            self._memory.write(self._store, data, at)

    def reset_stack(self) -> None:
        """Drops local rows that an interrupted call has left."""
        self._exports["stack"].set_value(self._store, wasmtime.Val.i32(self._layout.stack))


def assemble(text: str) -> bytes:
    """The .wasm of a printed module: portable, and checked whenever it is loaded."""
    return bytes(wasmtime.wat2wasm(text))


def _last_line(error: Exception) -> str:
    return str(error).strip().splitlines()[-1].strip()


def _signed(word: int) -> int:
    """A 64-bit word as wasmtime wants it."""
    word &= _MASK64
    return word - (1 << 64) if word >> 63 else word


def _array(code: Literal["i", "q", "Q"], data: bytes) -> array[int]:
    """Little-endian numbers of 4 or 8 bytes."""
    numbers = array(code, data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
