"""Searches over all subsets or assignments: only in queries, with a bound everybody can see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

from dsl.check.effects import walk_syntax
from dsl.check.keys import walk
from dsl.check.merged import Merged
from dsl.core import nodes as core
from dsl.core.types import IntType, SeqType, SetType
from dsl.diagnostics import Bag
from dsl.source import Span
from dsl.syntax import nodes as syntax

_SEARCHES = ("subsets", "assignments")


@dataclass(frozen=True, slots=True)
class SearchBound:
    """A query that searches, and how many cases it may have to look at, at most."""

    place: str
    bound: int
    span: Span


def check_searches(bag: Bag, program: core.Program) -> None:
    """Report searches that are stored or passed on: there are too many cases for a list."""
    parts = (program.defines, program.routines, program.phases, program.options)
    sources: set[int] = set()
    for node in walk(tuple(part for named in parts for part in named.values())):
        if isinstance(node, core.Generator):
            sources.add(id(node.source))
        elif isinstance(node, core.Builtin) and node.name in _SEARCHES and id(node) not in sources:
            bag.error(
                "RW0623",
                node.span,
                f"`{node.name}` can only be gone through in a query",
                help=f"write `max(... for each x in {node.span.text})`, or `any(...)`",
            )


def search_bounds(program: core.Program, merged: Merged) -> tuple[SearchBound, ...]:
    """The bounds of all searches of a program: `rulewright check --bounds` prints them."""
    declared = _declared_bounds(merged)
    found: dict[tuple[str, int], SearchBound] = {}
    bodies: Mapping[str, object] = {**program.defines, **program.routines, **program.options}
    for place, body in bodies.items():
        for node in walk(body):
            if not isinstance(node, core.Fold):
                continue
            if not any(_is_search(generator) for generator in node.generators):
                continue
            bound = 1
            for generator in node.generators:
                bound *= _cases(program, generator.source, declared)
            found.setdefault((place, node.span.start), SearchBound(place, bound, node.span))
    return tuple(found.values())


def _declared_bounds(merged: Merged) -> dict[str, int]:
    """What lists hold at most, by the name of the value or parameter that is declared so."""
    found: dict[str, int] = {}
    for ranked in merged.declarations:
        for node in walk_syntax(ranked.decl):
            if isinstance(node, syntax.Define):
                _note(found, node.head.name.text, node.type)
            elif isinstance(node, syntax.Param):
                _note(found, node.name.text, node.type)
    return found


def _note(found: dict[str, int], name: str, type_: syntax.TypeNode | None) -> None:
    if isinstance(type_, syntax.ListType) and isinstance(type_.bound, syntax.Number):
        found[name] = max(found.get(name, 0), type_.bound.value)


def _is_search(generator: core.Generator) -> bool:
    return isinstance(generator.source, core.Builtin) and generator.source.name in _SEARCHES


def _cases(program: core.Program, source: core.Expr, declared: Mapping[str, int]) -> int:
    if not isinstance(source, core.Builtin) or source.name not in _SEARCHES:
        return _size(program, source, declared)
    items, number = _size(program, source.args[0], declared), source.args[1]
    if source.name == "subsets" and isinstance(number.type, IntType):
        sizes = {number.type.low, number.type.high, items // 2}
        likely = [size for size in sizes if number.type.low <= size <= number.type.high]
        return max((comb(items, max(0, size)) for size in likely), default=1)
    return int(_size(program, number, declared) ** items)


def _size(program: core.Program, expr: core.Expr, declared: Mapping[str, int]) -> int:
    size = 1
    if isinstance(expr.type, SetType):
        size = len(program.kinds[expr.type.kind].members)
    elif isinstance(expr.type, SeqType):
        size = expr.type.bound
    if isinstance(expr, core.CallDefine):
        return min(size, declared.get(expr.define.rpartition(".")[2], size))
    return min(size, declared.get(expr.name, size)) if isinstance(expr, core.Local) else size
