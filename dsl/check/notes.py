"""What a check finds out of every expression, noted for editors: its type, and which declaration a
word means. A check without `noting` notes nothing and costs nothing more.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import cast

from dsl.check import fit
from dsl.check.checker import Checker
from dsl.check.context import Context, Place
from dsl.check.effects import Effects
from dsl.check.scope import Scope
from dsl.check.world import World
from dsl.core import nodes as core
from dsl.core.types import ChoiceType, RefType, Type
from dsl.diagnostics import Bag
from dsl.records import mutable, record
from dsl.source import Span
from dsl.syntax import nodes as syntax

Place3 = tuple[str, int, int]
"""A place as a key: the name of the source, from, to."""


@record
class Meaning:
    """Which declaration a word means: of what sort, and its name. See `dsl.check.uses`."""

    sort: str
    name: str


@record
class Here:
    """What is known where a wanted word stands: the names in scope with their types, and the type
    that is expected there."""

    names: dict[str, Type]
    expected: Type | None
    form: str


@mutable
class Notes:
    """What was found out. `wanted`: a word at whose place the scope is noted (`here`)."""

    wanted: str | None = None
    world: World | None = None
    types: dict[Place3, Type] = field(default_factory=dict)
    meanings: dict[tuple[str, int], Meaning] = field(default_factory=dict)
    decided: dict[Place3, tuple[Span, bool]] = field(default_factory=dict)
    here: Here | None = None

    def type_at(self, span: Span) -> Type | None:
        """The type of the expression at a place."""
        return self.types.get(place_of(span))


class StoppedError(Exception):
    """The check was not to go on."""


def place_of(span: Span) -> Place3:
    """A span as a key."""
    return span.source.name, span.start, span.end


def noting(notes: Notes, is_stopped: Callable[[], bool] | None = None) -> type[Context]:
    """A checker that notes what it finds. Where `is_stopped` says so, it raises StoppedError."""

    class Noting(Checker):
        """Checks, and notes the type and the meaning of each expression."""

        def __init__(
            self,
            world: World,
            effects: Effects,
            bag: Bag,
            place: Place,
            scope: Scope | None = None,
            prelude: list[core.Stmt] | None = None,
        ) -> None:
            super().__init__(world, effects, bag, place, scope, prelude)
            if notes.world is None:
                notes.world = world

        def infer(self, node: syntax.Expr, expected: Type | None = None) -> core.Expr:
            """The expression with its type, which is noted."""
            if is_stopped is not None and is_stopped():
                raise StoppedError
            made = super().infer(node, expected)
            _note(notes, self, node, expected, made)
            return made

    return Noting


def _note(
    notes: Notes, ctx: Context, node: syntax.Expr, expected: Type | None, made: core.Expr
) -> None:
    place = place_of(node.span)
    notes.types[place] = made.type
    if isinstance(node, syntax.NameExpr):
        if node.name == notes.wanted:
            names = {word: info.type for word, info in ctx.scope.names.items()}
            notes.here = Here(names, expected, ctx.place.form)
        meaning = _meaning(ctx, node.name, made)
        if meaning is not None:
            notes.meanings[place[:2]] = meaning
    elif isinstance(node, syntax.Binary | syntax.Unary) and _is_settled(made):
        notes.decided[place] = (node.span, cast(core.Const, made).value == 1)


def _meaning(ctx: Context, name: str, made: core.Expr) -> Meaning | None:
    """The same order in which `names.find_name` looks."""
    world = ctx.world
    if name in ctx.scope.names:
        return Meaning("local", name)
    type_ = made.type if isinstance(made, core.Const) else None
    if isinstance(type_, ChoiceType) and name in type_.values and name not in world.switches:
        return Meaning("word", f"{type_.name or ''}.{name}")
    if name in world.kinds:
        return Meaning("kind", name)
    for info in world.defines_by_word.get(name, ()):
        if info.subject == "none":
            return Meaning("define", info.name)
    if name in world.switches:
        return Meaning("switch", name)
    if isinstance(made, core.Const) and isinstance(made.type, RefType):
        return Meaning("entity", entity_key(world, made.type.kind, name))
    return None


def _is_settled(made: core.Expr) -> bool:
    """Whether a condition can only come out one way in this game."""
    return isinstance(made, core.Const) and made.type == fit.FLAG


def entity_key(world: World, kind: str, id_: str) -> str:
    """The name of an entity's meaning: ids are told apart by the root of their kinds."""
    chain = world.chain(kind)
    return f"{chain[-1] if chain else kind}.{id_}"
