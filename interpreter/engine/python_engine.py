"""One game at a time in Python: the printed module, ready to run.

An engine holds one live game in its module's names. Engines share nothing; use one per thread.
"""

from __future__ import annotations

import importlib.util
import marshal
import sys
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

from dsl.cache import read_cached, text_key, write_cached
from interpreter.emit.ends import BROKEN, FAULT, GAME_OVER, LOST_EXIT, PHASE_LIMIT
from interpreter.emit.names import ModuleNames
from interpreter.emit.python import print_python
from interpreter.emit.state import (
    BOT_COUNT,
    check_saved,
    first_difference,
    fold_state,
    state_fields,
)
from interpreter.engine.helpers import HELPERS
from interpreter.engine.seeding import bot_key, game_seed, stream_word
from interpreter.flat.ir.nodes import Program

Answer = Callable[..., int]

__all__ = ["BROKEN", "FAULT", "GAME_OVER", "LOST_EXIT", "PHASE_LIMIT", "Answer", "PythonEngine"]


class PythonEngine:
    """A program printed as Python and executed.

    `text`: the printed module, if it is at hand. `cached`: whether compiled code may be kept in
    the user's cache folder.
    """

    def __init__(self, program: Program, *, text: str | None = None, cached: bool = True) -> None:
        self.program = program
        self.text = print_python(program) if text is None else text
        self.names = ModuleNames(program)
        self.fields = state_fields(program)
        filename = f"rulewright:{program.name}"
        code = _compiled(self.text, filename, cached=cached)
        self.space: dict[str, Any] = {
            **HELPERS,
            "__name__": filename,
            "__loader__": _Source(self.text),
        }
        exec(code, self.space)
        scalars = self.space["scalars"]
        self._cells: dict[str, Any] = dict(
            zip(scalars.__code__.co_freevars, scalars.__closure__ or (), strict=True)
        )
        self._phase: Callable[[], int] = self.space[self.names.functions["run_phase"]]
        self._seated: dict[int, str] = {}
        self._check = self._optional("check_always")
        self._winners = self._optional("winners")
        self._score = self._optional("score")

    def _optional(self, function: str) -> Callable[..., int]:
        name = self.names.functions.get(function)
        return _nothing if name is None else self.space[name]

    # ------------------------------------------------------------ games

    def new_game(self, seed: int, game_index: int = 0) -> None:
        """Sets up a game of the run with this seed; seats stay as they are."""
        self.space["reset"]()
        word = game_seed(seed, game_index)
        self.set_streams([stream_word(word, name) for name in self.program.streams])
        if BOT_COUNT in self.program.columns:
            seats = range(self.program.players)
            self.space["BOT_KEYS"][:] = [bot_key(word, seat) for seat in seats]

    def seat(self, seat: int, strategy: str | Mapping[str, Answer]) -> None:
        """Puts a strategy of the program, or a function per site, on a seat.

        A function takes the seat and the site's values, sets the answer registers and gives the
        answer.
        """
        if isinstance(strategy, str):
            if self._seated.get(seat) == strategy:
                return
            named = self.program.strategies[strategy]
            self._seated[seat] = strategy
            strategy = {
                site: self.space[self.names.functions[function]] for site, function in named.items()
            }
        else:
            self._seated.pop(seat, None)
        for site, answer in strategy.items():
            self.space[self.names.sites[site]][seat] = answer

    def run_phase(self) -> int:
        """Runs the current phase to its end; gives its code."""
        return self._phase()

    def play(self, phase_limit: int, *, checks: bool = False) -> int:
        """Runs phases until the game ends or has had `phase_limit` of them; gives the end code."""
        phase = self._phase
        done = self.scalar("phases") if "phases" in self.names.scalars else 0
        for _ in range(done, phase_limit):
            code = phase()
            if code:
                return code
            if checks and (broken := self._check()):
                if "fault" in self.names.scalars:
                    self.set_scalar("fault", broken)
                return BROKEN
        return PHASE_LIMIT

    # ------------------------------------------------------------ state

    def save(self) -> list[int]:
        """The declared state, without scratch and measures."""
        words: list[int] = self.space["save"]()
        return words

    def load(self, words: list[int]) -> None:
        """Puts a saved state back. Trusts it: see `check_state` for one from outside."""
        self.space["load"](words)

    def check_state(self, words: list[int]) -> None:
        """Raises ValueError unless this can be a state of this program."""
        check_saved(self.fields, words)

    def digest(self) -> int:
        """64 bits that tell states apart, the same on every engine."""
        return fold_state(self.fields, self.save())

    def difference(self, words: list[int]) -> str | None:
        """The first field in which the live state and a saved one differ, in words."""
        return first_difference(self.fields, self.save(), words)

    def winners(self) -> int:
        """The players who win, as bits."""
        return self._winners()

    def score(self, player: int) -> int:
        return self._score(player)

    def check_always(self) -> int:
        """0, or the number of a condition that must always hold and does not."""
        return self._check()

    def streams(self) -> list[int]:
        """The words of the random streams."""
        words: list[int] = self.space["streams"]()
        return words

    def set_streams(self, words: list[int]) -> None:
        """Seeds all random streams anew."""
        self.space["set_streams"](words)

    def cell(self, column: str, index: int) -> int:
        value: int = self.space[self.names.columns[column]][index]
        return value

    def set_cell(self, column: str, index: int, value: int) -> None:
        self.space[self.names.columns[column]][index] = value

    def scalar(self, name: str) -> int:
        value: int = self._cells[self.names.scalars[name]].cell_contents
        return value

    def set_scalar(self, name: str, value: int) -> None:
        """Writes a scalar: an answer register, most of the time."""
        self._cells[self.names.scalars[name]].cell_contents = value

    def row(self, name: str, index: int) -> list[int]:
        """The live row itself: to be read, not written."""
        row: list[int] = self.space[self.names.rows[name]][index]
        return row

    def function(self, name: str) -> Callable[..., int]:
        """A function of the program."""
        found: Callable[..., int] = self.space[self.names.functions[name]]
        return found

    def measures(self) -> dict[str, list[int]]:
        """What the measure columns have summed up since `clear_measures`."""
        return {
            column.name: list(self.space[self.names.columns[column.name]])
            for column in self.program.columns.values()
            if column.role == "measure"
        }

    def clear_measures(self) -> None:
        self.space["clear_measures"]()

    def on_trace(self, listener: Callable[..., None]) -> None:
        """Has a traced program call this with each mark and its values."""
        self.space["trace"] = listener


class _Source:
    """Lets tracebacks show the lines of the printed module."""

    def __init__(self, text: str) -> None:
        self._text = text

    def get_source(self, _: str) -> str:
        return self._text


def _nothing(*_: int) -> int:
    return 0


def _compiled(text: str, filename: str, *, cached: bool) -> CodeType:
    """The code of a module text, from the cache where it is there and whole."""
    if not cached:
        return compile(text, filename, "exec", dont_inherit=True)
    magic = importlib.util.MAGIC_NUMBER.hex()
    name = f"{text_key(text, sys.version, magic, filename)}.code"
    content = read_cached(name)
    if content is not None:
        try:
            code = marshal.loads(content)
        except (EOFError, ValueError, TypeError):
            code = None
        if isinstance(code, CodeType):
            return code
    code = compile(text, filename, "exec", dont_inherit=True)
    write_cached(name, marshal.dumps(code))
    return code
