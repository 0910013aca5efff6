"""What every part of the checker works with: the world, the bag, the scope and the place.

The parts (expressions, queries, statements, questions, ...) are modules of functions that take a
`Context`. They reach each other through its `infer` and `block`, which `checker.Checker` provides.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import field, replace
from typing import Literal

from dsl.check import fit, narrowing
from dsl.check.effects import Effects
from dsl.check.evaluate import key_count
from dsl.check.scope import LocalInfo, Scope
from dsl.check.world import RoutineInfo, World
from dsl.core import nodes as core
from dsl.core.types import (
    ChoiceType,
    FlagType,
    IntType,
    MapType,
    RefType,
    SeqType,
    SetType,
    TextType,
    Type,
    none_value,
)
from dsl.diagnostics import Bag, Fix
from dsl.records import mutable
from dsl.source import Span
from dsl.syntax import nodes as syntax

Form = Literal[
    "value",
    "routine",
    "rule",
    "instead",
    "phase",
    "then",
    "watch",
    "option",
    "saying",
    "scenario",
    "strategy",
    "start",
    "always",
]


@mutable
class Place:
    """The declaration that is being checked, shared by everything in it."""

    name: str
    key: str
    layer: str
    form: Form
    gives: Type | None = None
    usual: Type | None = None
    hooked: RoutineInfo | None = None
    hook_params: list[tuple[str, str, Type]] = field(default_factory=list)
    assigned: frozenset[str] = frozenset()
    numbers: dict[str, int] = field(default_factory=dict)
    # Conditions that came out as a plain yes or no, by identity, and what was written.
    folded: dict[int, tuple[core.Expr, core.Expr]] = field(default_factory=dict)

    @property
    def is_library(self) -> bool:
        """Whether it belongs to the standard library, which knows no data."""
        return self.layer.startswith("std/")

    def number(self, what: str) -> int:
        """How many of something there have been so far, this one included."""
        self.numbers[what] = self.numbers.get(what, 0) + 1
        return self.numbers[what]


class Context(ABC):
    """A place in the program, and what is known there."""

    def __init__(
        self,
        world: World,
        effects: Effects,
        bag: Bag,
        place: Place,
        scope: Scope | None = None,
        prelude: list[core.Stmt] | None = None,
    ) -> None:
        self.world = world
        self.effects = effects
        self.bag = bag
        self.place = place
        self.scope = scope or Scope()
        self.prelude = prelude

    @abstractmethod
    def infer(self, node: syntax.Expr, expected: Type | None = None) -> core.Expr:
        """The expression with its type; `expected` helps bare words to mean something."""

    @abstractmethod
    def block(self, stmts: syntax.Block) -> core.Block:
        """The statements, in a scope of their own."""

    def at(self, scope: Scope, *, prelude: list[core.Stmt] | None = None) -> Context:
        """The same place with another scope."""
        return type(self)(self.world, self.effects, self.bag, self.place, scope, prelude)

    def unheard(self, scope: Scope) -> Context:
        """The same place with another scope, where mistakes are not reported."""
        return type(self)(self.world, self.effects, Bag(), self.place, scope)

    def placed(self, place: Place, scope: Scope | None = None) -> Context:
        """Another place, with nothing in scope unless it is given."""
        return type(self)(self.world, self.effects, self.bag, place, scope)

    def child(self) -> Context:
        """The same place in a scope of its own; nothing can be made there."""
        return self.at(self.scope.child())

    def assuming(self, condition: core.Expr, truth: bool = True) -> Context:
        """The same place where a condition is known to hold, or not to hold."""
        inner = self.child()
        inner.learn(condition, truth)
        return inner

    def learn(self, condition: core.Expr, truth: bool = True) -> None:
        """From here on the condition is known to hold, or not to hold."""
        written = self.written(condition)
        self.scope.facts.update(narrowing.facts_of(written, truth, self.effects))

    def fold(self, result: core.Expr, written: core.Expr) -> core.Expr:
        """A condition; if a switch decides it, what was written still says what is known in the
        branch that will never run, so that the branch can be checked."""
        if not isinstance(result, core.Const) or fit.is_poison(result.type):
            return result
        result = replace(result, span=written.span)
        self.place.folded[id(result)] = (result, written)
        return result

    def written(self, condition: core.Expr) -> core.Expr:
        """A condition as it was before switches decided it."""
        found = self.place.folded.get(id(condition))
        return condition if found is None else found[1]

    # -- reporting

    def error(
        self,
        code: str,
        span: Span,
        message: str,
        *,
        label: str = "",
        also: Iterable[tuple[Span, str]] = (),
        notes: Iterable[str] = (),
        help: str | None = None,  # noqa: A002
        fix: Fix | None = None,
    ) -> core.Expr:
        """Report, and give what stands for the value that could not be had."""
        self.bag.error(code, span, message, label=label, also=also, notes=notes, help=help, fix=fix)
        return self.poison(span)

    def poison(self, span: Span) -> core.Expr:
        """Stands for a value that could not be had; nothing more is said about it."""
        return core.Const(fit.POISON, span, 0)

    # -- locals

    def declare(self, name: syntax.Name, type_: Type) -> LocalInfo:
        """Bring in a local; one name means one thing in a block."""
        before = self.scope.names.get(name.text)
        if before is not None and self.place.form != "strategy":
            self.error(
                "RW0507",
                name.span,
                f"`{name.text}` already has a meaning here",
                also=[(before.span, "it comes from here")],
                help="take another name, or set it with `name = value` if you mean the same one",
            )
        return self.scope.declare(name.text, type_, name.span)

    def local(self, info: LocalInfo, span: Span) -> core.Expr:
        """A local as an expression, with what is known about it."""
        return self.scope.narrowed(core.Local(info.type, span, info.name))

    # -- fitting

    def value(self, node: syntax.Expr, type_: Type) -> core.Expr:
        """The expression, which must have this type."""
        return self.coerce(self.infer(node, type_), type_)

    def flag(self, node: syntax.Expr) -> core.Expr:
        """The expression, which must be yes or no."""
        return self.value(node, fit.FLAG)

    def number(self, node: syntax.Expr) -> core.Expr:
        """The expression, which must be a number that is there."""
        return self.as_number(self.infer(node))

    def as_number(self, expr: core.Expr) -> core.Expr:
        """The same, for an expression."""
        if fit.is_poison(expr.type):
            return expr
        if not isinstance(expr.type, IntType):
            found = fit.describe(expr.type)
            return self.error("RW0601", expr.span, f"a number belongs here, not {found}")
        return self.present(expr)

    def present(self, expr: core.Expr) -> core.Expr:
        """The expression, which must not be none."""
        if not fit.is_optional(expr.type):
            return expr
        text = expr.span.text
        return self.error(
            "RW0602",
            expr.span,
            f"`{text}` may be none here",
            label="there may be nothing",
            help=f"ask first (`if {text} is not none`), or say what holds then: "
            f"`{text} otherwise ...`",
        )

    def entity(self, node: syntax.Expr) -> core.Expr:
        """The expression, which must be one entity that is there."""
        expr = self.infer(node)
        if fit.is_poison(expr.type):
            return expr
        if not isinstance(expr.type, RefType):
            found = fit.describe(expr.type)
            return self.error("RW0601", expr.span, f"one thing or player belongs here, not {found}")
        return self.present(expr)

    def coerce(self, expr: core.Expr, target: Type) -> core.Expr:
        """The expression as a value of another type; an error where it does not fit."""
        source = expr.type
        if fit.is_poison(source) or fit.is_poison(target):
            return replace(expr, type=fit.POISON)
        if fit.is_optional(source) and not fit.is_optional(target) and _same_sort(source, target):
            return self.present(expr)
        fitted = self._fitted(expr, source, target)
        return fitted if fitted is not None else self._misfit(expr, target)

    def _fitted(self, expr: core.Expr, source: Type, target: Type) -> core.Expr | None:
        if isinstance(source, IntType) and isinstance(target, IntType):
            return self._fit_number(expr, source, target)
        if isinstance(source, RefType) and isinstance(target, RefType):
            return expr if self.world.is_a(source.kind, target.kind) else None
        if isinstance(source, ChoiceType) and isinstance(target, ChoiceType):
            return expr if source.values == target.values else None
        if isinstance(source, SetType) and isinstance(target, SetType):
            fits = source.kind == "" or self.world.is_a(source.kind, target.kind)
            return replace(expr, type=target) if source.kind == "" else expr if fits else None
        if isinstance(source, SeqType) and isinstance(target, SeqType):
            return self._fit_row(expr, source, target)
        if isinstance(source, SeqType) and isinstance(target, SetType):
            return self._fit_list(expr, source, target)
        if isinstance(source, SetType) and isinstance(target, SeqType):
            if source.kind == "":
                return core.SeqOf(target, expr.span, ())
            fits = isinstance(target.element, RefType)
            fits = fits and self.world.is_a(source.kind, target.element.kind)  # type: ignore[attr-defined]
            return self.as_row(expr) if fits else None
        if isinstance(target, MapType):
            return self._fit_table(expr, source, target)
        both = (type(source), type(target))
        return expr if both in ((FlagType, FlagType), (TextType, TextType)) else None

    def fits(self, source: Type, target: Type) -> bool:
        """Whether a value of one type can be used where the other is wanted, as it is."""
        if fit.is_poison(source) or fit.is_poison(target):
            return True
        if fit.is_optional(source) and not fit.is_optional(target):
            return False
        if isinstance(source, IntType) and isinstance(target, IntType):
            return source.unit == target.unit or None in (source.unit, target.unit)
        if isinstance(source, RefType) and isinstance(target, RefType):
            return self.world.is_a(source.kind, target.kind)
        if isinstance(source, ChoiceType) and isinstance(target, ChoiceType):
            return source.values == target.values
        if isinstance(source, SetType) and isinstance(target, SetType):
            return source.kind == "" or self.world.is_a(source.kind, target.kind)
        if isinstance(source, SeqType) and isinstance(target, SeqType):
            return self.fits(source.element, target.element)
        if isinstance(source, MapType) and isinstance(target, MapType):
            return self.fits(source.value, target.value) and self.fits(target.key, source.key)
        return type(source) is type(target)

    def _fit_number(self, expr: core.Expr, source: IntType, target: IntType) -> core.Expr | None:
        if source.unit and target.unit and source.unit != target.unit:
            return self.error(
                "RW0603",
                expr.span,
                f"{fit.describe(target)} belongs here, not {fit.describe(source)}",
            )
        if isinstance(expr, core.Const) and source.optional:
            return core.Const(target, expr.span, none_value(target))
        if source.low > target.high or source.high < target.low:
            return self.error(
                "RW0609",
                expr.span,
                f"this is {_range(source)}, and only {_range(target)} fits here",
                help=fit.for_more_money(target.high) if fit.is_more_money(source, target) else None,
            )
        if source.optional and target.optional and none_value(source) != none_value(target):
            return self._with_none(expr, source, target)
        return expr

    def _with_none(self, expr: core.Expr, source: IntType, target: IntType) -> core.Expr:
        none = core.Const(source, expr.span, none_value(source))
        return core.Conditional(
            target,
            expr.span,
            core.Compare(fit.FLAG, expr.span, "is", expr, none),
            core.Const(target, expr.span, none_value(target)),
            replace(expr, type=fit.opened(source)),
        )

    def _fit_row(self, expr: core.Expr, source: SeqType, target: SeqType) -> core.Expr | None:
        if isinstance(expr, core.SeqOf):
            items = tuple(self.coerce(item, target.element) for item in expr.items)
            return core.SeqOf(target, expr.span, items)
        return expr if self.fits(source.element, target.element) else None

    def _fit_table(self, expr: core.Expr, source: Type, target: MapType) -> core.Expr | None:
        if isinstance(expr, core.SeqOf) and isinstance(source, SeqType):
            if len(expr.items) != key_count(target.key) or isinstance(target.key, RefType):
                return None
            items = tuple(self.coerce(item, target.value) for item in expr.items)
            return core.SeqOf(target, expr.span, items)
        return expr if self.fits(source, target) else None

    def _fit_list(self, expr: core.Expr, source: SeqType, target: SetType) -> core.Expr | None:
        if not self.fits(source.element, RefType(target.kind)):
            return None
        if has_own_order(expr):
            return self.error(
                "RW0612",
                expr.span,
                "the order made here would be lost: a list is always in the order of the data",
                help=f"write `row of {target.kind}` instead of `list of {target.kind}`",
            )
        return self.as_set(expr)

    def _misfit(self, expr: core.Expr, target: Type) -> core.Expr:
        source = expr.type
        help_ = None
        if isinstance(source, RefType) and isinstance(target, RefType):
            if self.world.is_a(target.kind, source.kind):
                help_ = f"ask first: `if {expr.span.text} is {target.kind}`"
        elif isinstance(source, RefType) and isinstance(target, SetType | SeqType):
            help_ = f"a list of one is `[{expr.span.text}]`"
        wanted, found = fit.describe(target), fit.describe(source)
        return self.error("RW0601", expr.span, f"{wanted} belongs here, not {found}", help=help_)

    # -- lists

    def as_set(self, expr: core.Expr) -> core.Expr:
        """A row of entities as a list."""
        if not isinstance(expr.type, SeqType) or not isinstance(expr.type.element, RefType):
            return expr
        if isinstance(expr, core.SeqOf):
            return core.SetOf(SetType(expr.type.element.kind), expr.span, expr.items)
        element = fit.opened(expr.type.element)
        kind = expr.type.element.kind
        return self._copied(expr, "set", SetType(kind), element)

    def as_row(self, expr: core.Expr) -> core.Expr:
        """A list as a row, in the order of the data."""
        if not isinstance(expr.type, SetType):
            return expr
        element = RefType(expr.type.kind)
        return self._copied(expr, "row", SeqType(element, self.bound(expr.type)), element)

    def _copied(self, expr: core.Expr, kind: core.FoldKind, type_: Type, item: Type) -> core.Expr:
        name = self.scope.namer.fresh("each")
        generator = core.Generator(name, item, expr, None)
        value = core.Local(item, expr.span, name)
        return core.Fold(type_, expr.span, kind, (generator,), value, None, None)

    def bound(self, type_: Type) -> int:
        """How many items there are at most."""
        if isinstance(type_, SetType):
            if type_.kind not in self.world.kinds:
                return 0
            return len(self.world.kinds[type_.kind].members)
        return type_.bound if isinstance(type_, SeqType) else 0


def has_own_order(expr: core.Expr) -> bool:
    """Whether the order of a row was asked for; that of a zone is just how things lie there."""
    if isinstance(expr, core.Fold):
        return expr.key is not None or any(has_own_order(g.source) for g in expr.generators)
    if not isinstance(expr.type, SeqType):
        return False
    return isinstance(expr, core.Builtin | core.CallDefine)


def _same_sort(source: Type, target: Type) -> bool:
    return type(source) is type(target)


def _range(type_: IntType) -> str:
    return str(type_.low) if type_.low == type_.high else f"{type_.low}..{type_.high}"
