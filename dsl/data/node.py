"""The nodes of a YAML text, each with its place."""

from __future__ import annotations

from typing import TypeAlias

from dsl.records import record
from dsl.source import Span

Value: TypeAlias = str | int | bool | None
Plain: TypeAlias = "Value | list[Plain] | dict[str, Plain]"


@record
class Scalar:
    """A single value; `quoted` tells `"5"` and block texts from plain words."""

    value: Value
    span: Span
    quoted: bool = False


@record
class Sequence:
    """A list."""

    items: tuple[DataNode, ...]
    span: Span


@record
class Entry:
    """A name and its value in a mapping."""

    key: Scalar
    value: DataNode

    @property
    def name(self) -> str:
        """The key as text; a number's digits."""
        return str(self.key.value)

    @property
    def span(self) -> Span:
        """From the key to the end of the value."""
        return self.key.span.to(self.value.span)


@record
class Mapping:
    """Named values in the order written; no name occurs twice.

    Not `is_complete` after an error that took entries away: what seems to be missing may be there.
    """

    by_name: dict[str, Entry]
    span: Span
    is_complete: bool = True

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, in the order written."""
        return tuple(self.by_name.values())

    def entry(self, name: str) -> Entry | None:
        """The entry of a name."""
        return self.by_name.get(name)

    def get(self, name: str) -> DataNode | None:
        """The value of a name, or None when there is no such entry."""
        entry = self.entry(name)
        return entry.value if entry else None


DataNode: TypeAlias = Scalar | Sequence | Mapping


def to_plain(node: DataNode) -> Plain:
    """The node as Python lists, dicts and values; keys become text."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [to_plain(item) for item in node.items]
    return {entry.name: to_plain(entry.value) for entry in node.entries}


def find(node: DataNode, path: tuple[str | int, ...]) -> DataNode | None:
    """The node at a path of names and list indexes."""
    here: DataNode | None = node
    for step in path:
        if isinstance(here, Mapping):
            here = here.get(str(step))
        elif isinstance(here, Sequence) and isinstance(step, int) and step < len(here.items):
            here = here.items[step]
        else:
            return None
    return here
