"""What is kept of derived values, as a plan: which ones are maintained with every write, which ones
are remembered until something that they read is written.

The plan is made from the core alone, before anything is lowered (see `choosing`), and is frozen:
lowering looks things up in it and decides nothing, so that it does not matter what is lowered
first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.ir import nodes as flat


@dataclass(frozen=True, slots=True)
class Maintained:
    """A maintained derived value of the entities `members`, in a column (see `maintained`).

    `sources`: the keys of the writes that it changes with. Of a collection: `elements` is the
    element that each thing decides about, -1 for none, and `where` the condition.
    """

    define: str
    column: str
    type: flat.FlatType
    subject: str
    family: str
    members: tuple[int, ...]
    value: core.Expr
    sources: frozenset[str]
    elements: tuple[int, ...] | None = None
    where: core.Generator | None = None


@dataclass(frozen=True, slots=True)
class Remembered:
    """A remembered derived set of the entities of a family (see `memo`).

    `reads`: the keys of the writes that make it stale; whether only that of the written seat.
    """

    define: str
    column: str
    stale: str
    fill: str
    size: int
    type: flat.Set
    param: tuple[str, t.RefType]
    value: core.Expr
    reads: tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Keeping:
    """The plan, by the names of defines, each after those that it uses. `sources`: the fields that
    a number of an entity is worked out of, where all of them are its own."""

    maintained: Mapping[str, Maintained]
    remembered: Mapping[str, Remembered]
    sources: Mapping[str, frozenset[str]]

    def is_collection(self, define: str) -> bool:
        """Whether a define is a maintained collection."""
        found = self.maintained.get(define)
        return found is not None and found.elements is not None


NOTHING_KEPT = Keeping({}, {}, {})


@dataclass(slots=True)
class KeptReads:
    """The defines whose kept value is read in a program that is being lowered."""

    defines: set[str] = field(default_factory=set)
