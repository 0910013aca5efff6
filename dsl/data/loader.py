"""YAML text to data nodes: a strict, typed subset of YAML in which nothing means two things.

Allowed are mappings, lists, quoted and block texts, plain words, whole numbers of 32 bits, `true`,
`false` and `null`. The parser's events are read one by one (not its node tree), so that a limit
on depth holds before a deeply nested text is built.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NoReturn

import yaml
from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    CollectionStartEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    StreamStartEvent,
)

from dsl.data.node import DataNode, Entry, Mapping, Scalar, Sequence
from dsl.data.scalar import read_plain, read_quoted, report_lines
from dsl.data.syntax_error import (
    MOST_DEPTH,
    report_directive,
    report_syntax_error,
    report_too_deep,
)
from dsl.data.text import Clean, check_text
from dsl.diagnostics.record import Bag
from dsl.source import Source, Span

# The C parser where PyYAML was built with it; ten times as fast.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MOST_VALUES = 50_000
"""Lists, groups of entries and single values of a text, the names of entries among them."""
_PROPERTY = re.compile(r"[&!]\S*")


def load_yaml(source: Source, bag: Bag) -> DataNode | None:
    """The data of a YAML text.

    None, with at least one error in the bag, when there is nothing to go on with. After other
    errors the nodes are as good as can be, so that later checks find more; look at the bag too.
    """
    clean = check_text(source, bag)
    if clean is None:
        return None
    try:
        return _Reader(clean, bag).document()
    except yaml.YAMLError as error:
        report_syntax_error(error, clean, bag)
    except _StopReading:
        pass
    return None


def _start(event: Event) -> int:
    return event.start_mark.index if event.start_mark is not None else 0


def _end(event: Event) -> int:
    return event.end_mark.index if event.end_mark is not None else 0


class _StopReading(Exception):
    """An error was reported after which the rest can't be read."""


@dataclass(slots=True, init=False)
class _Reader:
    """Builds the nodes of one text from the parser's events."""

    clean: Clean
    bag: Bag
    events: Iterator[Event]
    # An unquoted text of several lines, reported when what follows it can be read; if it can't,
    # both have one cause.
    long_text: Span | None
    values: int

    def __init__(self, clean: Clean, bag: Bag) -> None:
        self.clean = clean
        self.bag = bag
        self.events = iter(yaml.parse(clean.text, Loader=_LOADER))
        self.long_text = None
        self.values = 0

    def _next(self) -> Event:
        event = next(self.events)
        if self.long_text is not None:
            report_lines(self.long_text, self.bag)
            self.long_text = None
        return event

    def document(self) -> DataNode | None:
        event = self._next()
        if isinstance(event, StreamStartEvent):
            event = self._next()
        if not isinstance(event, DocumentStartEvent):
            self._report_empty()
            return None
        if event.version or event.tags:
            report_directive(self.clean, self.clean.text.find("%"), self.bag)
        node = self._node(self._next(), 1)
        event = self._next()
        assert isinstance(event, DocumentEndEvent)
        following = self._next()
        if isinstance(following, DocumentStartEvent):
            self._report_second(following)
        if isinstance(node, Scalar) and node.value is None and not node.quoted:
            self._report_empty()
            return None
        return node

    def _node(self, event: Event, depth: int, *, is_key: bool = False) -> DataNode:
        assert isinstance(event, NodeEvent)
        start = self._after_properties(event)
        self.values += 1
        if self.values > MOST_VALUES:
            self._stop_too_many(event)
        if isinstance(event, AliasEvent):
            return self._alias(event)
        if isinstance(event, ScalarEvent):
            return self._scalar(event, start, is_key=is_key)
        if depth > MOST_DEPTH:
            self._stop_too_deep(event)
        if isinstance(event, MappingStartEvent):
            return self._mapping(event, start, depth)
        return self._sequence(event, start, depth)

    def _scalar(self, event: ScalarEvent, start: int, *, is_key: bool) -> Scalar:
        span = self._trimmed(start, _end(event))
        if event.style:
            return read_quoted(event.value, span, self.bag)
        if "\n" in span.text:
            self.long_text = span
            return Scalar(event.value, span)
        return read_plain(event.value, span, self.bag, is_key=is_key)

    def _sequence(self, event: NodeEvent, start: int, depth: int) -> Sequence:
        items: list[DataNode] = []
        while not isinstance(following := self._next(), CollectionEndEvent):
            items.append(self._node(following, depth + 1))
        span = self._whole(event, start, following, items[-1].span if items else None)
        return Sequence(tuple(items), span)

    def _mapping(self, event: NodeEvent, start: int, depth: int) -> Mapping:
        entries: dict[str, Entry] = {}
        is_complete = True
        last: Span | None = None
        while not isinstance(following := self._next(), CollectionEndEvent):
            key = self._key(following, depth)
            value = self._value(self._next(), _end(following), depth)
            last = value.span
            if key is None:
                is_complete = False
                continue
            entry = Entry(key, value)
            first = entries.setdefault(entry.name, entry)
            if first is not entry:
                self._report_repeated(first.key, key)
        span = self._whole(event, start, following, last)
        return Mapping(entries, span, is_complete)

    def _key(self, event: Event, depth: int) -> Scalar | None:
        """The name of an entry; None after an error."""
        node = self._node(event, depth + 1, is_key=True)
        if not isinstance(node, Scalar):
            self.bag.error(
                "RW0311",
                node.span,
                "a list or a group of entries can't be a name",
                help="a name is a word, a text in quotes or a whole number",
            )
            return None
        if isinstance(event, AliasEvent):
            return None
        if node.value == "<<" and not node.quoted:
            self.bag.error(
                "RW0307",
                node.span,
                "`<<` would copy entries from somewhere else; each entry is written out here",
                help="write the entries out",
            )
            return None
        if node.value is None or isinstance(node.value, bool):
            word = "nothing" if node.value is None else f"`{str(node.value).lower()}`"
            self.bag.error(
                "RW0311",
                node.span,
                f"{word} can't be the name of an entry",
                help="a name is a word, a text in quotes or a whole number",
            )
            return None
        return node

    def _value(self, event: Event, key_end: int, depth: int) -> DataNode:
        """The value of an entry; one that is not there has its place right after the colon."""
        node = self._node(event, depth + 1)
        if isinstance(node, Scalar) and not node.span.text:
            colon = self.clean.text.find(":", key_end, _start(event))
            place = colon + 1 if colon >= 0 else key_end
            return Scalar(node.value, self.clean.span(place, place))
        return node

    def _alias(self, event: AliasEvent) -> Scalar:
        span = self.clean.span(_start(event), _end(event))
        self.bag.error(
            "RW0307",
            span,
            f"`{span.text}` would repeat a value from elsewhere; each value is written out here",
            help="write the value out, or put the text in quotes if it begins with a `*`",
        )
        return Scalar(None, span)

    def _after_properties(self, event: NodeEvent) -> int:
        """Where the value itself begins; reports `&names` and `!tags` before it."""
        at, end = _start(event), _end(event)
        if isinstance(event, AliasEvent) or not (event.anchor or getattr(event, "tag", None)):
            return at
        text = self.clean.text
        while match := _PROPERTY.match(text, at, end):
            span = self.clean.span(at, match.end())
            if span.text.startswith("&"):
                self.bag.error(
                    "RW0307",
                    span,
                    f"`{span.text}` names a value to repeat it; each value is written out here",
                    help="take it out, or put the text in quotes if it begins with an `&`",
                )
            else:
                self.bag.error(
                    "RW0308",
                    span,
                    f"`{span.text}` is a tag; what a value is follows from its place here",
                    help="take it out, or put the text in quotes if it begins with a `!`",
                )
            at = match.end()
            while at < end and text[at].isspace():
                at += 1
        return at

    def _whole(self, event: NodeEvent, start: int, closing: Event, last: Span | None) -> Span:
        """The span of a collection: with its brackets, or from its first to its last entry."""
        assert isinstance(event, CollectionStartEvent)
        if event.flow_style or last is None:
            return self._trimmed(start, _end(closing))
        begin = self.clean.span(start, start)
        return Span(begin.source, begin.start, max(begin.start, last.end))

    def _trimmed(self, start: int, end: int) -> Span:
        return self.clean.span(start, start + len(self.clean.text[start:end].rstrip()))

    def _report_repeated(self, first: Scalar, second: Scalar) -> None:
        self.bag.error(
            "RW0302",
            second.span,
            f"`{second.value}` is given twice",
            label="given again here",
            also=[(first.span, "first given here")],
            help="keep one of the two",
        )

    def _report_empty(self) -> None:
        self.bag.error("RW0312", self.clean.span(0, 0), "there are no data in this file")

    def _report_second(self, event: DocumentStartEvent) -> None:
        start = _start(event)
        self.bag.error(
            "RW0309",
            self.clean.span(start, start + 3),
            "a second set of data begins here; a file holds one",
            help="take the line out, or move what follows to a file of its own",
        )

    def _stop_too_many(self, event: Event) -> NoReturn:
        self.bag.error(
            "RW0154",
            self.clean.span(_start(event), _end(event)),
            f"this file has more than {MOST_VALUES:,} values; it is read no further",
            help="is it the right file? data for a game have far fewer",
        )
        raise _StopReading

    def _stop_too_deep(self, event: Event) -> NoReturn:
        report_too_deep(self.clean, _start(event), self.bag)
        raise _StopReading
