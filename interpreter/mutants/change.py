"""A small change of what was written: to a node of a syntax tree, or to what is merged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from dsl.check.merged import Merged
from dsl.source import Span
from dsl.syntax import nodes as syntax

GONE = None
"""What takes the place of a declaration that is left out."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A node as it would be with one change in it, or None where the change leaves it out.

    `what`: the change in words; `span`: what is changed, which was `before` and is `after`.
    `marked`: the unchanged node with an end of the game in front of what is changed; None where no
    statement can stand there. It tells whether a game comes by.
    """

    what: str
    span: Span
    before: str
    after: str
    node: Any
    marked: Any = None

    def inside(self, put: Callable[[Any], Any]) -> Edit:
        """The same change, told of the node around it; `put` puts a node in its place there."""
        marked = None if self.marked is None else put(self.marked)
        return replace(self, node=put(self.node), marked=marked)


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of a variant or mod.

    `owner`: the declaration or entry in which it is, in a designer's words; `key`: what tells it
    from all others, whatever stands elsewhere; `apply` makes the change in what is merged, `mark`
    puts the end of the game there (see `Edit`). `reach`: the names through which it can be noticed
    (see `Reach`); None where that is not known.
    """

    what: str
    span: Span
    before: str
    after: str
    owner: str
    key: str
    apply: Callable[[Merged], Merged]
    mark: Callable[[Merged], Merged] | None
    sketch: tuple[str, ...]
    reach: frozenset[str] | None = None

    @property
    def file(self) -> str:
        """The file in which it is."""
        return self.span.source.name

    @property
    def line(self) -> int:
        """The line, counted from 1."""
        return self.span.source.position(self.span.start)[0]


def end_of_game(span: Span) -> syntax.End:
    """`end game`, as if it stood there."""
    return syntax.End(span, syntax.Name(span, "game"))
