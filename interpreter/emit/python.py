"""Prints a flat program as one Python module.

Columns are lists in module-level names, row columns lists of lists, sets ints. All functions are in
one, `program`: scalars are its locals, which Python finds faster than names of the module and sets
much faster; `scalars` is a function that has a cell of each. `reset()` starts over, `save()` gives
the declared state as a list of ints and `load(words)` puts it back; scratch starts over in both.
Measures last until `clear_measures()`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from interpreter.emit.names import ModuleNames
from interpreter.emit.python_code import PythonCode
from interpreter.emit.random_words import (
    GOLDEN,
    MASK64,
    MIX_ONE,
    MIX_TWO,
)
from interpreter.emit.state import BOT_COUNT, Field, state_fields
from interpreter.flat.ir.nodes import REFRESH, Program, Row, SetCell
from interpreter.flat.ir.tree import all_nodes

_DRAW = """

def draws(stream):
    left = DRAWS[stream]
    STREAMS[stream], left[:] = next_draws(STREAMS[stream], DRAWN_BELOW[stream])
    return left


def draw(stream, n):
    return (DRAWS[stream] or draws(stream)).pop() * n >> 32


def shuffle(row, stream, keys):
    row[:] = shuffled(row, keys, draw(stream, 1 << 32), draw(stream, 1 << 32))


def streams():
    return [word_before(word, len(left)) for word, left in zip(STREAMS, DRAWS)]


def set_streams(words):
    STREAMS[:] = words
    for left in DRAWS:
        left.clear()
"""

_BOT_DRAW = f"""

def bot_draw(seat, n):
    count = @count[seat]
    @count[seat] = count + 1
    word = (BOT_KEYS[seat] + (count + 1) * {GOLDEN:#x}) & {MASK64:#x}
    word = ((word ^ word >> 30) * {MIX_ONE:#x}) & {MASK64:#x}
    word = ((word ^ word >> 27) * {MIX_TWO:#x}) & {MASK64:#x}
    word ^= word >> 31
    return (word >> 32) * n >> 32
"""

_UNTIL_NONE = """
def until_none(line):
    ends = [place for place, item in enumerate(line) if item < 0]
    return line[: ends[0]] if ends else line

"""

_SERVICES = ("scalars", "reset", "reset_scratch", "clear_measures", "save", "load")

_TRACE = """

def trace(mark, *values):
    pass
"""


def print_python(program: Program) -> str:
    """The text of the module. Raises ValueError for names or nodes that have no place in it."""
    names = ModuleNames(program)
    code = PythonCode(program, names)
    functions: list[str] = []
    for function in program.functions.values():
        functions += ("", "", *code.function(function))
    fields = state_fields(program)
    inner = [*_scalars(program, names), *functions]
    inner += ("", "", *_reset(program, names))
    inner += ("", "", *_save(fields, names))
    inner += ("", "", *_load(program, fields, names))
    lines = ['"""Printed by Rulewright: do not change by hand."""', ""]
    lines += _constants(program, names, code)
    lines += _declarations(program, names, code)
    lines += _runtime(program, names, traced=code.traced)
    lines += ("", "", "def program():")
    lines.append(f"    global {', '.join([*names.functions.values(), *_SERVICES])}")
    lines += [f"    {line}" if line else "" for line in inner]
    lines += ("", "", "program()")
    lines += _function_tables(program, names)
    lines.append("")
    return "\n".join(lines)


def python_functions(program: Program, wanted: Iterable[str]) -> str:
    """The text of some functions of the module, for readers."""
    code = PythonCode(program, ModuleNames(program))
    return "\n\n\n".join(["\n".join(code.function(program.functions[name])) for name in wanted])


def _constants(program: Program, names: ModuleNames, code: PythonCode) -> Iterator[str]:
    for table in program.tables.values():
        yield f"{names.tables[table.name]} = {_literal(table.values)}"
    if any(str(key[0]).startswith("until_none") for key in code.constants):
        yield _UNTIL_NONE
    for name, definition in code.constants.values():
        yield f"{name} = {definition}"


def _scalars(program: Program, names: ModuleNames) -> Iterator[str]:
    """The scalars, and the function in which an engine finds their cells."""
    for scalar in program.scalars.values():
        if isinstance(scalar.type, Row):
            raise ValueError(f"{scalar.name}: a scalar is a number or a set.")
        yield f"{names.scalars[scalar.name]} = {scalar.initial:d}"
    yield from ("", "", "def scalars():")
    yield f"    return [{', '.join(names.scalars.values())}]"


def _streams(program: Program, code: PythonCode) -> Iterator[str]:
    """The word of each stream after the draws that are ready, and these."""
    count = len(program.streams)
    yield f"STREAMS = {_repeated((0,) * count)}"
    for name in code.draws:
        yield f"{name} = []"
    yield f"DRAWS = [{', '.join(code.draws)}]"
    yield f"DRAWN_BELOW = {_literal([code.below.get(at) or 1 << 32 for at in range(count)])}"


def _declarations(program: Program, names: ModuleNames, code: PythonCode) -> Iterator[str]:
    for column in program.columns.values():
        yield f"{names.columns[column.name]} = {_repeated(column.initial)}"
    for rows in program.rows.values():
        yield f"{names.rows[rows.name]} = [{', '.join([_list(row) for row in rows.initial])}]"
    yield from _streams(program, code)
    if BOT_COUNT in program.columns:
        yield f"BOT_KEYS = {_repeated((0,) * program.players)}"
    if REFRESH in program.functions:
        yield "STARTED = []"
    for name in names.sites.values():
        yield f"{name} = [None] * {program.players:d}"


def _runtime(program: Program, names: ModuleNames, *, traced: bool) -> Iterator[str]:
    yield _DRAW.rstrip()
    if BOT_COUNT in program.columns:
        yield _BOT_DRAW.rstrip().replace("@count", names.columns[BOT_COUNT])
    if traced:
        yield _TRACE.rstrip()


def _function_tables(program: Program, names: ModuleNames) -> Iterator[str]:
    if program.dispatch:
        yield from ("", "")
    for table, functions in program.dispatch.items():
        inner = "".join([f"{names.functions[function]}, " for function in functions])
        yield f"{names.dispatch[table]} = ({inner.rstrip() if len(functions) == 1 else inner[:-2]})"


def _reset(program: Program, names: ModuleNames) -> Iterator[str]:
    """`reset`, `reset_scratch` and `clear_measures`."""
    yield "def reset():"
    yield from _set_scalars(program, names, "state")
    yield from _set_columns(program, names, "state")
    for rows in program.rows.values():
        name = names.rows[rows.name]
        if any(rows.initial):
            for index, row in enumerate(rows.initial):
                yield f"    {name}[{index}][:] = {_literal(row)}"
        else:
            yield f"    for row in {name}:"
            yield "        row.clear()"
    yield "    set_streams([0] * len(STREAMS))"
    if BOT_COUNT in program.columns:
        yield "    BOT_KEYS[:] = [0] * len(BOT_KEYS)"
    yield "    reset_scratch()"
    yield from _start_maintained(program, names)
    yield from ("", "", "def reset_scratch():")
    scratch = [
        *_set_scalars(program, names, "scratch"),
        *_set_columns(program, names, "scratch"),
    ]
    yield from scratch or ["    pass"]
    yield from ("", "", "def clear_measures():")
    yield from list(_set_columns(program, names, "measure")) or ["    pass"]


def _start_maintained(program: Program, names: ModuleNames) -> Iterator[str]:
    """Puts what is maintained back as it was when the first game started; it is worked out then."""
    if REFRESH not in program.functions:
        return
    body = program.functions[REFRESH].body
    columns = {node.column: None for node in all_nodes(body) if isinstance(node, SetCell)}
    lists = ", ".join([names.columns[column] for column in columns])
    yield "    if not STARTED:"
    yield f"        {names.functions[REFRESH]}()"
    yield f"        STARTED[:] = [column[:] for column in ({lists},)]"
    yield "    else:"
    for at, column in enumerate(columns):
        yield f"        {names.columns[column]}[:] = STARTED[{at}]"


def _set_scalars(program: Program, names: ModuleNames, role: str) -> Iterator[str]:
    scalars = [scalar for scalar in program.scalars.values() if scalar.role == role]
    if scalars:
        yield f"    nonlocal {', '.join([names.scalars[scalar.name] for scalar in scalars])}"
    for scalar in scalars:
        yield f"    {names.scalars[scalar.name]} = {scalar.initial}"


def _set_columns(program: Program, names: ModuleNames, role: str) -> Iterator[str]:
    for column in program.columns.values():
        if column.role == role:
            yield f"    {names.columns[column.name]}[:] = {_repeated(column.initial)}"


def _save(fields: list[Field], names: ModuleNames) -> Iterator[str]:
    yield "def save():"
    scalars = [names.scalars[field.name] for field in fields if field.kind == "scalar"]
    yield f"    words = [{', '.join(scalars)}]"
    for field in fields:
        if field.kind == "rows":
            yield f"    for row in {names.rows[field.name]}:"
            yield "        words.append(len(row))"
            yield "        words += row"
        elif field.kind != "scalar" and field.free:
            yield f"    cells = {_list_name(field, names)}[:]"
            for index in field.free:
                yield f"    cells[{index:d}] = 0"
            yield "    words += cells"
        elif field.kind != "scalar":
            yield f"    words += {_list_name(field, names)}"
    yield "    return words"


def _load(program: Program, fields: list[Field], names: ModuleNames) -> Iterator[str]:
    yield "def load(words):"
    scalars = [names.scalars[field.name] for field in fields if field.kind == "scalar"]
    if scalars:
        yield f"    nonlocal {', '.join(scalars)}"
        yield f"    [{', '.join(scalars)}] = words[:{len(scalars)}]"
    place = len(scalars)
    for field in fields:
        if field.kind not in ("scalar", "rows"):
            part = f"words[{place} : {place + field.count}]"
            if field.kind == "streams":
                yield f"    set_streams({part})"
            else:
                yield f"    {_list_name(field, names)}[:] = {part}"
            place += field.count
    if any(field.kind == "rows" for field in fields):
        yield f"    place = {place}"
    for field in fields:
        if field.kind == "rows":
            yield f"    for row in {names.rows[field.name]}:"
            yield "        row[:] = words[place + 1 : place + 1 + words[place]]"
            yield "        place += 1 + len(row)"
    yield "    reset_scratch()"
    if REFRESH in program.functions:
        yield f"    {names.functions[REFRESH]}()"


def _list_name(field: Field, names: ModuleNames) -> str:
    if field.kind == "column":
        return names.columns[field.name]
    return "streams()" if field.kind == "streams" else "BOT_KEYS"


def _literal(values: Iterable[int]) -> str:
    """A tuple of numbers; anything else is refused by the format."""
    texts = [f"{value:d}" for value in values]
    return f"({', '.join(texts)}{',' if len(texts) == 1 else ''})"


def _list(values: Iterable[int]) -> str:
    return f"[{_literal(values)[1:-1].rstrip(',')}]"


def _repeated(values: tuple[int, ...]) -> str:
    """A list of numbers, short where all are equal."""
    if len(values) > 3 and len(set(values)) == 1:
        return f"[{values[0]:d}] * {len(values)}"
    return _list(values)
