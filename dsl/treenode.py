"""What the nodes of the syntax tree and of the core are: plain records, told apart by identity.

There are some two hundred kinds of node, and making the methods of a usual dataclass takes longer
than checking a game. So nodes have an `__init__` and nothing else; that they are never changed is
seen to by the type checker alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, cast, dataclass_transform

C = TypeVar("C", bound=type)


@dataclass_transform(eq_default=False, frozen_default=True)
def node(cls: C) -> C:
    """Makes a class a node: its annotations are its parts, in order."""
    return cast(C, dataclass(slots=True, eq=False, repr=False)(cls))
