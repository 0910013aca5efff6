"""Locals, and what is known about values at a place (narrowing)."""

from __future__ import annotations

from dataclasses import field, replace

from dsl.check import keys
from dsl.core import nodes as core
from dsl.core.types import Type
from dsl.records import mutable, record
from dsl.source import Span


@record
class LocalInfo:
    """A local: its name in the core, and its type."""

    name: str
    type: Type
    span: Span


@record
class Fact:
    """Something known about an expression; it ends when one of its fields or locals is written.

    `type` is the narrowed type, or None for a fact that is only there or not. `cases`: one of
    these groups of facts holds.
    """

    type: Type | None
    locals: frozenset[str]
    fields: frozenset[str]
    cases: tuple[dict[str, Fact], ...] = ()


@mutable
class Namer:
    """Gives locals names that are unique in their routine."""

    used: set[str] = field(default_factory=set)

    def fresh(self, wanted: str) -> str:
        """The wanted name, or the first free one like it."""
        name, number = wanted, 1
        while name in self.used:
            number += 1
            name = f"{wanted}_{number}"
        self.used.add(name)
        return name


@mutable
class Scope:
    """Written names to locals, and facts by the key of their expression.

    `asked`: the seat that answers here, whose knowledge `known(..)` asks for.
    """

    namer: Namer = field(default_factory=Namer)
    names: dict[str, LocalInfo] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    asked: core.Expr | None = None

    def child(self) -> Scope:
        """A scope that sees all this one does and changes nothing in it."""
        return Scope(self.namer, dict(self.names), dict(self.facts), self.asked)

    def declare(self, word: str, type_: Type, span: Span, wanted: str | None = None) -> LocalInfo:
        """Bring in a local."""
        info = LocalInfo(self.namer.fresh(wanted or word), type_, span)
        self.names[word] = info
        return info

    def bind(self, word: str, name: str, type_: Type, span: Span) -> None:
        """Bring in another name of a local that is there."""
        self.names[word] = LocalInfo(name, type_, span)

    def narrowed(self, expr: core.Expr) -> core.Expr:
        """The expression with the type that is known for it here."""
        if not self.facts:
            return expr
        fact = self.facts.get(keys.key_of(expr))
        if fact is None or fact.type is None:
            return expr
        return replace(expr, type=fact.type)

    def forget(self, fields: frozenset[str]) -> None:
        """Drop what may no longer hold after a write of these fields."""
        if fields:
            self.facts = {k: f for k, f in self.facts.items() if not f.fields & fields}

    def forget_local(self, name: str) -> None:
        """Drop what was known about a local that is set."""
        self.facts = {k: f for k, f in self.facts.items() if name not in f.locals}
