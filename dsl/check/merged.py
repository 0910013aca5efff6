"""What a variant is made of once its parents, library modules and mods are put together.

Names are not resolved yet.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import field, replace

from dsl.data.node import DataNode
from dsl.records import record
from dsl.source import Span
from dsl.syntax import nodes as syntax


@record
class RankedDecl:
    """A declaration that survived replace and remove.

    `rank` orders layers: 0 library, then parents, the variant, the mods in the order given.
    Declarations of a merged program are sorted by (rank, file order, place). One that replaces
    another has the rank and the place of that one, and the name of its own layer.
    """

    decl: syntax.Decl
    rank: int
    layer: str  # "std/board", "classic", "speed_play"


@record
class Row:
    """One entity of the data: its merged fields (a child's entry overrides field by field).

    `span` and `id_span` are of the entry that says which kind it is, else of the first one.
    """

    id: str
    id_span: Span
    kind: str | None
    fields: dict[str, DataNode]
    name: str
    text: str | None
    span: Span
    keys: dict[str, Span] = field(default_factory=dict)  # places of field names and of the kind
    is_complete: bool = True  # not, when a mistake in the YAML took fields away


@record
class Switching:
    """A chosen switch value: from `set` in YAML or rules, a profile, or the command line."""

    name: str
    value: DataNode | syntax.Expr | str
    span: Span
    layer: str


@record
class Merged:
    """A variant with its mods. `sections` maps a root kind's plural to its rows in order."""

    variant: str
    title: str
    description: str
    mods: tuple[str, ...]
    min_players: int
    max_players: int
    seats: tuple[tuple[str, str], ...]  # (id, shown name), at least max_players
    declarations: tuple[RankedDecl, ...]
    switchings: tuple[Switching, ...]  # later ones win
    sections: dict[str, tuple[Row, ...]]
    currency: dict[str, str]  # one, other, symbol, position
    terms: dict[str, tuple[str, str]]  # word -> (one, other)
    texts: dict[str, str]
    board: dict[str, str | int]
    colours: dict[str, str]
    language: str
    forms: dict[str, dict[str, str]]
    phase_limit: int
    act_limit: int
    money_limit: int  # of an amount, and of a purse that does not say another number
    assumed: tuple[tuple[str, str, Span], ...]  # (what, why, place)
    digest: str  # hash over every source and choice that went in
    parents: tuple[str, ...] = ()  # what the variant extends, the root first
    profile: str | None = None
    section_places: dict[str, Span] = field(default_factory=dict)  # of the sections' names
    is_complete: bool = True  # not, when a mistake in a text took something away
    unread: tuple[Span, ...] = ()  # declarations and lines that could not be read


def with_switches(merged: Merged, switches: Mapping[str, syntax.Expr]) -> Merged:
    """The variant where a scenario sets switches, which must be declared; nothing else of what is
    merged depends on their values."""
    more = tuple(
        Switching(name, value, value.span, "command line") for name, value in switches.items()
    )
    said = [merged.digest, *(f"{name}={value.span.text}" for name, value in switches.items())]
    return replace(
        merged,
        switchings=(*merged.switchings, *more),
        digest=hashlib.sha256("\0".join(said).encode()).hexdigest(),
    )
