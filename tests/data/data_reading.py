"""Loading texts and looking at what comes of it, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dsl.data.loader import load_yaml
from dsl.data.node import DataNode, Mapping, Plain, Sequence, to_plain
from dsl.data.outer import check_outer
from dsl.diagnostics import Bag, Diagnostic
from dsl.source import Source, Span

# Compares a text with the golden file of a name: the fixture `golden`.
Golden = Callable[[str, str], None]
Said = list[tuple[str, str]]


def load(text: str) -> tuple[DataNode | None, Bag]:
    bag = Bag()
    return load_yaml(Source("x.yaml", text), bag), bag


def plain(text: str) -> Plain:
    """The data of a text without errors."""
    node, bag = load(text)
    assert not list(bag), [each.message for each in bag]
    assert node is not None
    return to_plain(node)


def said(bag: Bag) -> Said:
    """Code and marked text of each diagnostic."""
    return [(each.code, each.span.text) for each in bag.sorted()]


def problems(text: str) -> Said:
    return said(load(text)[1])


def outer(text: str) -> Bag:
    """What is said of a variant.yaml or mod.yaml."""
    node, bag = load(text)
    if node is not None:
        check_outer(node, bag)
    return bag


def nodes(node: DataNode) -> Iterator[DataNode]:
    yield node
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield entry.key
            yield from nodes(entry.value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from nodes(item)


def spans(diagnostic: Diagnostic) -> Iterator[Span]:
    """Every place that a diagnostic names."""
    yield diagnostic.span
    yield from (label.span for label in diagnostic.secondary)
    if diagnostic.fix:
        yield from (edit.span for edit in diagnostic.fix.edits)


def fixed(text: str, diagnostic: Diagnostic) -> str:
    """The text after the fix of a diagnostic was made."""
    assert diagnostic.fix is not None
    for edit in sorted(diagnostic.fix.edits, key=lambda edit: -edit.span.start):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text
