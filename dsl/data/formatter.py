"""A data file in the one style of all: no blanks at the ends of lines, single empty lines between
entries, a line end after the last.

How the values are written stays as it is: which are in quotes, which stand in one line, and above
all how tables are aligned by hand, which is what makes a board readable. What could be mistaken is
no matter of style in these files but a mistake, so that there is little to agree on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dsl.data.loader import load_yaml
from dsl.data.node import DataNode, Mapping, Scalar, to_plain
from dsl.diagnostics.record import Bag
from dsl.source import Source

_KEEPS = re.compile(r"[|>][0-9]*\+")  # the empty lines below are of the text, too
_COMMENT = re.compile(r"^(\s*#+)(?=[^\s#!])")


def format_data(source: Source, bag: Bag) -> str | None:
    """The text of a data file in the one style; None if it can't be read, which the bag says then.

    It holds the same values and comments.
    """
    clean = Source(source.name, source.text.replace("\r\n", "\n"))
    own = Bag()
    node = load_yaml(clean, own)
    if node is None or own.has_errors:
        bag.extend(own)
        return None
    inside = {line for span in _long_texts(node) for line in range(span[0], span[1] + 1)}
    text = "\n".join(_lines(clean, inside))
    if not inside or clean.text.endswith("\n"):  # else the line end would belong to the last text
        text += "\n"
    after = load_yaml(Source(source.name, text), Bag())
    is_same = after is not None and to_plain(after) == to_plain(node)
    assert is_same, f"formatting would change {source.name}"
    return text


def _lines(source: Source, inside: set[int]) -> Iterator[str]:
    """The lines, those inside of texts as they are."""
    is_parting = False
    is_first = True
    for number in range(1, _count(source) + 1):
        line = source.line(number)
        if number not in inside:
            line = _COMMENT.sub(r"\1 ", line.rstrip())
            if not line:
                is_parting = not is_first
                continue
        if is_parting:
            yield ""
        yield line
        is_parting = is_first = False


def _count(source: Source) -> int:
    return source.text.count("\n") + (not source.text.endswith("\n"))


def _long_texts(node: DataNode) -> Iterator[tuple[int, int]]:
    """The lines, from and to, of the texts that have several."""
    if isinstance(node, Mapping):
        for entry in node.entries:
            yield from _long_texts(entry.key)
            yield from _long_texts(entry.value)
    elif isinstance(node, Scalar):
        source = node.span.source
        first, last = source.position(node.span.start)[0], source.position(node.span.end)[0]
        if last > first:
            if _KEEPS.match(node.span.text):
                while last < _count(source) and not source.line(last + 1).strip():
                    last += 1
            yield first, last
    else:
        for item in node.items:
            yield from _long_texts(item)
