"""The data of a variant that say how its board is drawn: `board: {ring: SECTION, sides: N}`."""

from __future__ import annotations

from dataclasses import dataclass

from dsl.data.node import DataNode, Mapping, Scalar, Sequence
from dsl.diagnostics import Bag
from dsl.project.chain import open_variant
from dsl.project.files import read_data
from dsl.project.find import Library
from dsl.source import NOWHERE

DEFAULT_SIDES = 4


@dataclass(frozen=True, slots=True)
class Board:
    """A ring of things: the id of one of them, and in how many sides it is drawn."""

    one: str
    sides: int


def board_of(library: Library, name: str) -> Board | None:
    """The board of a variant, a profile or a path; None where it has none."""
    opened = open_variant(library, name, NOWHERE, Bag())
    if opened is None:
        return None
    around = library.beside(opened.folder)
    folder = opened.folder
    ring: str | None = None
    sides: int | None = None
    things: list[Mapping] = []
    for _ in range(len(around.variants()) + 1):
        read = read_data(folder.file, Bag(), is_outer=True)
        data = read[1] if read else None
        if not isinstance(data, Mapping):
            break
        board = data.get("board")
        if isinstance(board, Mapping):
            ring = ring or _text(board.get("ring"))
            sides = sides or _number(board.get("sides"))
        section = data.get("things")
        if isinstance(section, Mapping):
            things.append(section)
        parent = around.variants().get(_text(data.get("extends")) or "")
        if parent is None:
            break
        folder = parent
    one = next((id_ for each in things if (id_ := _first_id(each, ring))), None)
    return None if one is None else Board(one, sides or DEFAULT_SIDES)


def _first_id(things: Mapping, section: str | None) -> str | None:
    rows = things.get(section) if section is not None else None
    for row in rows.items if isinstance(rows, Sequence) else ():
        id_ = _text(row.get("id")) if isinstance(row, Mapping) else None
        if id_ is not None:
            return id_
    return None


def _text(node: DataNode | None) -> str | None:
    return str(node.value) if isinstance(node, Scalar) and isinstance(node.value, str) else None


def _number(node: DataNode | None) -> int | None:
    value = node.value if isinstance(node, Scalar) else None
    return value if type(value) is int else None
