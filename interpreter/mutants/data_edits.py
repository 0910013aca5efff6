"""What can be changed in the data: numbers, kinds and references of entries, and values of
switches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

from dsl.check.merged import Merged, Row, Switching
from dsl.data import node as data
from dsl.syntax import nodes as syntax
from interpreter.mutants.change import Edit
from interpreter.mutants.writing import short

Edits = Iterator[Edit]


def value_edits(node: data.DataNode, others: Sequence[str] = ()) -> Edits:
    """The changes of a value. `others`: the words that stand at the same place elsewhere."""
    match node:
        case data.Scalar(value=bool(value)):
            yield _scalar("turned round", node, not value)
        case data.Scalar(value=int(value)):
            yield _scalar("one more", node, value + 1)
        case data.Scalar(value=str(value)):
            other = _next(value, others)
            if other is not None:
                yield _scalar("another choice", node, other)
        case data.Scalar():
            return
        case data.Sequence():
            yield from _sequence_edits(node, others)
        case data.Mapping(entries=entries):
            for entry in entries:
                for one in value_edits(entry.value, others):
                    yield one.inside(partial(_with_value, node, entry))


def _sequence_edits(node: data.Sequence, others: Sequence[str]) -> Edits:
    """The changes of each item, and two neighbours exchanged."""
    items = node.items
    for at, item in enumerate(items):
        for change in value_edits(item, others):
            yield change.inside(partial(_with_item, node, at))
    for at, (one, two) in enumerate(pairwise(items)):
        if data.to_plain(one) != data.to_plain(two):
            new = replace(node, items=(*items[:at], two, one, *items[at + 2 :]))
            before, after = f"{_plain(one)}, {_plain(two)}", f"{_plain(two)}, {_plain(one)}"
            yield Edit("neighbours exchanged", one.span, before, after, new)


def _with_item(node: data.Sequence, at: int, new: data.DataNode) -> data.Sequence:
    return replace(node, items=(*node.items[:at], new, *node.items[at + 1 :]))


def _with_value(node: data.Mapping, entry: data.Entry, new: data.DataNode) -> data.Mapping:
    return replace(node, by_name=node.by_name | {entry.name: replace(entry, value=new)})


def _scalar(what: str, node: data.Scalar, value: data.Value) -> Edit:
    return Edit(what, node.span, _plain(node), _word(value), replace(node, value=value))


def _plain(node: data.DataNode) -> str:
    plain = data.to_plain(node)
    return _word(plain) if not isinstance(plain, list | dict) else short(str(plain))


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _next(value: str, others: Sequence[str]) -> str | None:
    """The word after this one, going around; None where there is no other."""
    words = list(dict.fromkeys(others))
    if value not in words or len(words) < 2:
        return None
    return words[(words.index(value) + 1) % len(words)]


# ---------------------------------------------------------------- entries


def row_edits(rows: Sequence[Row], row: Row) -> Iterator[tuple[str, Edit]]:
    """The changes of an entry, each with the name of the field; `node` is the new row."""
    kinds = [each.kind for each in rows if each.kind is not None]
    other = _next(row.kind, kinds) if row.kind is not None else None
    if other is not None and "kind" in row.keys:
        span = row.keys["kind"]
        yield "kind", Edit("kind changed", span, str(row.kind), other, replace(row, kind=other))
    for name, node in row.fields.items():
        others = [
            str(value)
            for each in rows
            if (found := each.fields.get(name)) is not None
            for value in _words(found)
        ]
        for one in value_edits(node, others):
            yield name, one.inside(partial(_with_field, row, name))


def _with_field(row: Row, name: str, new: data.DataNode) -> Row:
    return replace(row, fields={**row.fields, name: new})


def _words(node: data.DataNode) -> Iterator[str]:
    plain = data.to_plain(node)
    for each in plain if isinstance(plain, list) else [plain]:
        if isinstance(each, str):
            yield each


def with_row(merged: Merged, section: str, row: Row, new: Row) -> Merged:
    """The variant with another row in place of one, and of its copies."""
    rows = tuple(
        replace(each, kind=new.kind, fields=new.fields) if _is_same(each, row) else each
        for each in merged.sections[section]
    )
    return replace(merged, sections={**merged.sections, section: rows})


def with_exchanged(merged: Merged, section: str, first: Row, second: Row) -> Merged:
    """The variant with two entries at each other's places."""
    rows = list(merged.sections[section])
    places = [at for at, row in enumerate(rows) if row.id in (first.id, second.id)]
    if len(places) == 2:
        one, two = places
        rows[one], rows[two] = rows[two], rows[one]
    return replace(merged, sections={**merged.sections, section: tuple(rows)})


def _is_same(one: Row, other: Row) -> bool:
    """Whether two rows come from one entry."""
    mine, others = one.id_span, other.id_span
    return (mine.source.name, mine.start) == (others.source.name, others.start)


# ---------------------------------------------------------------- switches


def switching_edits(switching: Switching, decl: syntax.SwitchDecl | None) -> Edits:
    """The changes of a value that a switch is set to in the data."""
    value: Any = switching.value
    if not isinstance(value, data.Scalar | data.Sequence | data.Mapping):
        return
    words: list[str] = []
    if decl is not None and isinstance(decl.type, syntax.ChoiceType):
        words = [name.text for name in decl.type.values]
    for one in value_edits(value, words):
        yield one.inside(lambda new: replace(switching, value=new))


def with_switching(merged: Merged, old: Switching, new: Switching) -> Merged:
    """The variant with a switch set to something else."""
    settings = tuple(
        replace(each, value=new.value) if _same_setting(each, old) else each
        for each in merged.switchings
    )
    return replace(merged, switchings=settings)


def _same_setting(one: Switching, other: Switching) -> bool:
    mine, others = one.span, other.span
    return (mine.source.name, mine.start) == (others.source.name, others.start)
