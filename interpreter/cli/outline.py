"""Core and flat core as text: one line for a simple node, an indented block for a larger one.

A node is written as its name and its parts; places, comments and parts that are as usual are left
out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass

from dsl.core import nodes as core
from dsl.core.types import Type
from dsl.source import Span
from interpreter.flat import nodes as flat

WIDTH = 100
_LEFT_OUT = ("span", "doc", "comment", "layer")


def outline_core(program: core.Program, only: str | None = None) -> str:
    """The parts of a core program, perhaps only those with a word in their name."""
    sections: list[tuple[str, Iterable[tuple[str, object]]]] = [
        ("kind", program.kinds.items()),
        ("field", program.columns.items()),
        ("zone", program.zones.items()),
        ("define", program.defines.items()),
        ("routine", program.routines.items()),
        ("phase", program.phases.items()),
        ("watch", ((watch.rule, watch) for watch in program.watches)),
        ("always", ((check.name, check) for check in program.always)),
        ("window", program.windows.items()),
        ("option", program.options.items()),
        ("measure", program.measures.items()),
        ("strategy", program.strategies.items()),
    ]
    head = f"core of {program.variant}, {program.players} players, {program.digest[:12]}"
    return _outline(head, sections, only)


def outline_flat(program: flat.Program, only: str | None = None) -> str:
    """The parts of a flat program, perhaps only those with a word in their name."""
    sections: list[tuple[str, Iterable[tuple[str, object]]]] = [
        ("scalar", program.scalars.items()),
        ("column", program.columns.items()),
        ("rows", program.rows.items()),
        ("table", program.tables.items()),
        ("site", program.sites.items()),
        ("function", program.functions.items()),
    ]
    return _outline(f"flat core of {program.name}, {program.players} players", sections, only)


def _outline(
    head: str, sections: Iterable[tuple[str, Iterable[tuple[str, object]]]], only: str | None
) -> str:
    blocks = [head]
    for what, parts in sections:
        for name, part in parts:
            if only is None or any(only in word for word in (name, *_rules(part))):
                blocks.append("\n".join([f"{what} {name}", *_lines(part, 1)]))
    return "\n\n".join(blocks) + "\n"


def _rules(part: object) -> Iterator[str]:
    """The names of the rules on a routine or phase."""
    for group in ("befores", "insteads", "afters"):
        yield from (hook.rule for hook in getattr(part, group, ()))


def _lines(value: object, depth: int) -> Iterator[str]:
    """A value in as many lines as it takes."""
    indent = "  " * depth
    short = _short(value, WIDTH - len(indent))
    if short is not None:
        yield indent + short
        return
    if isinstance(value, tuple | list):
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
