"""Nodes of declarations."""

from __future__ import annotations

from typing import Literal

from dsl.records import record
from dsl.syntax.nodes.expressions import Clause, Expr, Name, Node, Text
from dsl.syntax.nodes.statements import Block, Label, Let, PassAs, Shows
from dsl.syntax.nodes.types import TypeNode


@record
class DeclBase(Node):
    """A declaration; `doc` is the comment block right above it, without its dashes."""

    doc: str


@record
class StateField(Node):
    """`name: TYPE [starts VALUE], traits`; without `starts` it is data."""

    name: Name
    type: TypeNode
    starts: Expr | None
    traits: tuple[Trait, ...]
    doc: str


@record
class HolderField(Node):
    """`name: holds WHAT [as BACK] [up to N] [starts VALUE], traits`."""

    name: Name
    what: Name
    back: Name | None
    bound: Expr | None
    starts: Expr | None
    traits: tuple[Trait, ...]
    doc: str


Field = StateField | HolderField


@record
class Trait(Node):
    """`seen by owner if CONDITION`: who sees a field may depend on a switch. `set by ROUTINE or
    RULE`: what alone sets it; `by` is all that is named."""

    word: Literal[
        "ordered", "endless", "fanned", "seen", "set", "count hidden", "shown", "not shown"
    ]
    by: str | None
    condition: Expr | None


@record
class KindDecl(DeclBase):
    name: Name
    base: Name | None
    plural: Name | None
    pool: Expr | None
    fields: tuple[Field, ...]


@record
class ThingDecl(DeclBase):
    name: Name
    base: Name | None
    fields: tuple[Field, ...]


@record
class ChoiceDecl(DeclBase):
    name: Name
    values: tuple[Name, ...]


@record
class UnitDecl(DeclBase):
    name: Name
    plural: Name | None


@record
class SwitchDecl(DeclBase):
    """`question` is the text shown for it."""

    name: Name
    type: TypeNode
    default: Expr
    question: Text | None


@record
class AddFields(DeclBase):
    owner: Name
    fields: tuple[Field, ...]


@record
class Param(Node):
    name: Name
    type: TypeNode | None


@record
class PrepParam(Node):
    preposition: str
    param: Param


@record
class Head(Node):
    """`subject.name(params)`; subject and params None where absent."""

    subject: Param | None
    name: Name
    params: tuple[Param, ...]


@record
class But(Node):
    """`but NAME: VALUE [if CONDITION]`; without a condition it always applies."""

    name: Name
    value: Expr
    condition: Expr | None


@record
class Define(DeclBase):
    """`seen_by`: the word of `, seen by everyone`, if it is said."""

    head: Head
    type: TypeNode
    seen_by: Name | None
    lets: tuple[Let, ...]
    base: Expr
    buts: tuple[But, ...]


@record
class ExceptionDecl(DeclBase):
    """`exception to HEAD` with its lines."""

    head: Head
    lets: tuple[Let, ...]
    buts: tuple[But, ...]


@record
class Signature(Node):
    """`verb [param] [prep param]*`; its key is (verb, has param, prepositions)."""

    verb: Name
    param: Param | None
    preps: tuple[PrepParam, ...]


@record
class Routine(DeclBase):
    signature: Signature
    gives: TypeNode | None
    body: Block


@record
class EventDecl(DeclBase):
    """An event; `body` is what happens by itself (often nothing)."""

    signature: Signature
    body: Block


@record
class RuleDecl(DeclBase):
    name: Name
    timing: Literal["before", "after", "instead of"]
    signature: Signature
    condition: Expr | None
    ahead_of: Name | None
    body: Block


@record
class WatchDecl(DeclBase):
    """`rule NAME: whenever CONDITION`."""

    name: Name
    condition: Expr
    body: Block


@record
class Always(DeclBase):
    """`always NAME [for each x in L] ...: CONDITION [, "reason"]`."""

    name: Name
    clauses: tuple[Clause, ...]
    condition: Expr
    reason: Text | None


@record
class Phase(DeclBase):
    """`then` always runs, also after `end NAME`; it says which phase is next."""

    name: Name
    body: Block
    then: Block | None


@record
class Measure(DeclBase):
    name: Name
    title: Text | None
    timing: Literal["before", "after", "instead of"]
    signature: Signature
    condition: Expr | None
    value: Expr
    per: tuple[Expr, ...]


Closing = Literal[
    "until all pass", "until one acts", "until nobody can", "once each", "exactly one"
]


@record
class Window(DeclBase):
    signature: Signature
    asked: Clause
    closing: Closing
    label: Label | None
    shows: Shows | None
    passes: tuple[PassAs, ...]


@record
class Option(DeclBase):
    name: Name
    windows: tuple[Name, ...]
    by: Param
    given: tuple[PrepParam, ...]
    body: Block


@record
class Forbid(DeclBase):
    """`forbid OPTION in WINDOW_OR_QUESTION if CONDITION, "reason"`."""

    option: Name
    place: Name
    condition: Expr
    reason: Text


@record
class Remove(DeclBase):
    """`remove rule NAME`, `remove exception LABEL to HEAD`."""

    what: str
    name: Name
    head: Head | None


@record
class SetSwitch(DeclBase):
    name: Name
    value: Expr
