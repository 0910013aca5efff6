"""Prints a flat program as one WebAssembly module.

The module imports nothing. It exports its memory and `new_game(seed, game)`, `run_phase()`,
`play(limit)`, `digest()`, and with `batch` also `play_games(seed, first, games, limit, options)`,
which reads who sits where in each game (`Layout.line_up`), leaves one record per game in the memory
(`Layout.record`) and sums up measures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from textwrap import wrap

from interpreter.emit.layout import Layout
from interpreter.emit.names import checked
from interpreter.emit.state import BOT_COUNT
from interpreter.emit.wat_code import WatCode
from interpreter.emit.wat_runtime import digest_lines, game_lines, runtime_lines
from interpreter.flat.ir.nodes import REFRESH, Program

_HOST = ("winners", "score", "check_always", REFRESH)


def print_wat(program: Program, *, batch: bool, export: Iterable[str] = ()) -> str:
    """The text of the module; `export` names further functions that a host may call.

    Raises ValueError for names or nodes that have no place in it.
    """
    layout = Layout(program)
    code = WatCode(program, layout)
    functions = _functions(program, code, export)
    lines = ["(module", f'(memory (export "memory") {layout.pages} {layout.pages})']
    lines.append(f'(global $.stack (export "stack") (mut i32) (i32.const {layout.stack}))')
    lines += _segments(layout)
    bot_count = layout.columns[BOT_COUNT].address if BOT_COUNT in program.columns else None
    lines += runtime_lines(layout, bot_count)
    lines += digest_lines(layout)
    if batch:
        lines += game_lines(program, layout)
    lines += functions
    lines += _exports(program, export)
    lines.append(")")
    return "\n".join(lines) + "\n"


def wat_functions(program: Program, wanted: Iterable[str]) -> str:
    """The text of some functions, for readers: in short lines, and also of those that are put where
    they are called."""
    code = WatCode(program, Layout(program))
    texts = [code.function(program.functions[name]) for name in wanted]
    return "\n\n".join(["\n".join(_folded(lines)) for lines in texts]) + "\n"


def _folded(lines: Iterable[str]) -> Iterator[str]:
    """Lines of at most 100 signs, broken between instructions."""
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        glued = _OPERAND.sub("\0", line)
        folded = wrap(glued, 100, subsequent_indent=f"{indent}    ", break_long_words=False)
        yield from [part.replace("\0", " ") for part in folded]


def _segments(layout: Layout) -> Iterator[str]:
    for address, data in layout.segments():
        if data.strip(b"\0"):
            text = "".join([_HEX[byte] for byte in data.rstrip(b"\0")])
            yield f'(data (i32.const {address}) "{text}")'


def _functions(program: Program, code: WatCode, export: Iterable[str]) -> list[str]:
    """The lines of all functions that are called or exported, in the order of the program."""
    for name in program.functions:
        checked(name)
    printed: dict[str, list[str]] = {}
    waiting = [name for name in ("run_phase", *_HOST, *export) if name in program.functions]
    while waiting:
        name = waiting.pop()
        if name not in printed:
            printed[name] = code.function(program.functions[name])
            waiting += sorted(code.called)
            code.called.clear()
    return [line for name in program.functions if name in printed for line in printed[name]]


def _exports(program: Program, export: Iterable[str]) -> Iterator[str]:
    for name in dict.fromkeys((*_HOST, *export)):
        if name in program.functions:
            yield f'(export "{checked(name)}" (func ${checked(name)}))'


_OPERAND = re.compile(r" (?=\$|offset=|-?\d|0x|i(?:32|64)\))")
"""The space before an operand, or inside of a declaration."""

_HEX = [f"\\{byte:02x}" for byte in range(256)]
