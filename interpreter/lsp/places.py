"""Places as the protocol has them (lines from 0, columns in UTF-16), and as the checker does."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types
from pygls import uris

from dsl.project.find import STD
from dsl.source import Source, Span


def path_of_uri(uri: str) -> Path | None:
    """The file that a URI names, if it is one."""
    found = uris.to_fs_path(uri)
    return Path(found) if found else None


def path_of_source(name: str) -> Path:
    """The file of a source by the name that messages show."""
    if name.startswith("std/") and not Path(name).exists():
        return STD / name.removeprefix("std/")
    return Path(name).absolute()


def uri_of(source: Source) -> str:
    """The URI of a source."""
    return uri_of_path(path_of_source(source.name))


def uri_of_path(path: Path) -> str:
    """The URI of a file."""
    return uris.from_fs_path(str(path)) or path.as_uri()


def position_of(source: Source, offset: int) -> types.Position:
    """The position of an offset."""
    line, column = source.position(min(offset, len(source.text)))
    before = source.line(line)[: column - 1]
    return types.Position(line - 1, _units(before))


def range_of(span: Span) -> types.Range:
    """The range of a span."""
    return types.Range(
        position_of(span.source, span.start), position_of(span.source, max(span.start, span.end))
    )


def location_of(span: Span) -> types.Location:
    """The location of a span."""
    return types.Location(uri_of(span.source), range_of(span))


def offset_of(text: str, position: types.Position) -> int:
    """The offset of a position in a text; beyond the end of a line it is this end."""
    start = 0
    for _ in range(position.line):
        end = text.find("\n", start)
        if end < 0:
            return len(text)
        start = end + 1
    end = text.find("\n", start)
    line = text[start : len(text) if end < 0 else end]
    units = 0
    for column, sign in enumerate(line):
        if units >= position.character:
            return start + column
        units += 2 if ord(sign) > 0xFFFF else 1
    return start + len(line)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2
