"""Core and flat core as text. A node of flat core is written as its name and its parts, in one line
or an indented block; comments and parts that are as usual are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from textwrap import wrap
from typing import Any

from dsl.core import nodes as core
from dsl.core.types import Type
from dsl.source import Span
from interpreter.cli.core_text import CoreText
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import all_nodes

WIDTH = 100
_LEFT_OUT = ("span", "doc", "comment", "layer")


def outline_core(program: core.Program, only: str | None = None) -> str:
    """The parts of a core program in the words of the language, perhaps only those with a word in
    their name; of a routine or phase only the rules with the word in their name, unless its own has
    it."""
    text = CoreText(program)
    sections: list[tuple[Iterable[tuple[str, Any]], Callable[[Any], Iterator[str]]]] = [
        (program.columns.items(), text.column),
        (program.zones.items(), text.zone),
        (program.defines.items(), text.define),
        (program.routines.items(), text.routine),
        (program.phases.items(), text.phase),
        (((watch.rule, watch) for watch in program.watches), text.watch),
        (((check.name, check) for check in program.always), text.always),
        (program.windows.items(), text.window),
        (program.options.items(), text.option),
        (program.measures.items(), text.measure),
        (program.strategies.items(), text.strategy),
    ]
    blocks = [f"core of {program.variant}, {program.players} players, {program.digest[:12]}"]
    for parts, write in sections:
        for name, part in parts:
            shown = part if only is None else _only(name, part, only)
            if shown is not None:
                blocks.append("\n".join(write(shown)))
    return "\n\n".join(blocks) + "\n"


def outline_flat(program: flat.Program, only: str | None = None) -> str:
    """The parts of a flat program, perhaps only those with a word in their name."""
    sections: list[tuple[str, Iterable[tuple[str, object]]]] = [
        ("scalar", program.scalars.items()),
        ("column", program.columns.items()),
        ("rows", program.rows.items()),
        ("table", program.tables.items()),
        ("site", program.sites.items()),
        ("function", functions_with(program, only).items()),
    ]
    return _outline(f"flat core of {program.name}, {program.players} players", sections, only)


def functions_with(program: flat.Program, only: str | None) -> dict[str, flat.Function]:
    """The functions with a word in their name; if there is none, those in which there is a name
    with it. Without a word all of them."""
    functions = program.functions
    if only is None:
        return functions
    named = {name: function for name, function in functions.items() if only in name}
    return named or {
        name: function
        for name, function in functions.items()
        if any(only in word for word in _names(function.body))
    }


def _names(body: flat.Body) -> Iterator[str]:
    """The names in a body: of what it reads, sets and calls."""
    for node in all_nodes(body):
        for part in fields(node):
            item = getattr(node, part.name)
            if isinstance(item, str):
                yield item


def _outline(
    head: str, sections: Iterable[tuple[str, Iterable[tuple[str, object]]]], only: str | None
) -> str:
    blocks = [head]
    for what, parts in sections:
        for name, part in parts:
            shown = part if only is None else _only(name, part, only)
            if shown is not None:
                blocks.append("\n".join([f"{what} {name}", *_lines(shown, 1)]))
    return "\n\n".join(blocks) + "\n"


def _only(name: str, part: object, word: str) -> object | None:
    """A part if a word is in its name or in one of a rule on it; then only those rules."""
    if isinstance(part, flat.Function) or word in name:
        return part
    if not isinstance(part, core.Routine | core.Phase | core.Watch):
        return None
    groups: dict[str, Any] = {
        group: tuple(hook for hook in getattr(part, group, ()) if word in hook.rule)
        for group in ("befores", "insteads", "afters")
        if hasattr(part, group)
    }
    return replace(part, **groups) if any(groups.values()) else None


def _lines(value: object, depth: int) -> Iterator[str]:
    """A value in as many lines as it takes."""
    indent = "  " * depth
    short = _short(value, WIDTH - len(indent))
    if short is not None or not (is_dataclass(value) or isinstance(value, tuple | list | Mapping)):
        yield indent + (short or str(value))
        return
    if isinstance(value, tuple | list):
        if all(isinstance(item, int | str) for item in value):
            texts = [str(item) for item in value]
            yield from wrap(
                ", ".join(texts), WIDTH, initial_indent=indent, subsequent_indent=indent
            )
            return
        for item in value:
            yield from _lines(item, depth)
        return
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield f"{indent}{key}:"
            yield from _lines(item, depth + 1)
        return
    head = type(value).__name__
    large: list[tuple[str, object]] = []
    for part, item in _parts(value):
        small = _short(item, WIDTH - len(indent) - len(head) - 1)
        if small is None or large:
            large.append((part, item))
        else:
            head += f" {small}"
    yield indent + head
    for part, item in large:
        small = _short(item, WIDTH - len(indent) - len(part) - 4)
        if small is not None:
            yield f"{indent}  {part}: {small}"
        else:
            yield f"{indent}  {part}:"
            yield from _lines(item, depth + 2)


def _short(value: object, room: int) -> str | None:
    """A value on one line; None if there is no room for it."""
    text = _written(value, room)
    return text if text is not None and len(text) <= room else None


def _written(value: object, room: int) -> str | None:
    if room < 0:
        return None
    if isinstance(value, Type):
        return _type(value)
    if is_dataclass(value) and not isinstance(value, type):
        words = [type(value).__name__]
        for _, item in _parts(value):
            word = _written(item, room - len(words[0]))
            if word is None:
                return None
            words.append(word)
        return f"({' '.join(words)})"
    if isinstance(value, tuple | list | frozenset):
        items = [_written(item, room) for item in value]
        if any(item is None for item in items):
            return None
        return f"[{', '.join(item for item in items if item is not None)}]"
    if isinstance(value, Mapping):
        pairs = [(key, _written(item, room)) for key, item in value.items()]
        if any(item is None for _, item in pairs):
            return None
        return "{" + ", ".join(f"{key}: {item}" for key, item in pairs) + "}"
    return str(value)


def _type(type_: Type) -> str:
    parts = [str(item) for _, item in _parts(type_)]
    return type(type_).__name__.removesuffix("Type") + (f"<{', '.join(parts)}>" if parts else "")


def _parts(value: object) -> Iterator[tuple[str, object]]:
    """The parts of a node that say something."""
    assert is_dataclass(value)
    for part in fields(value):
        item = getattr(value, part.name)
        if part.name in _LEFT_OUT or isinstance(item, Span) or item is None or item == ():
            continue
        if not _is_usual(part, item):
            yield part.name, item


def _is_usual(part: Field[object], item: object) -> bool:
    if part.default is not MISSING:
        return bool(part.default == item)
    return part.default_factory is not MISSING and part.default_factory() == item
