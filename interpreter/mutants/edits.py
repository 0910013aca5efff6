"""What can be changed in a node of the syntax tree, for each class of nodes, and the walk to it.

Every class of nodes is in `OWN`, or in `LEFT` with the reason why nothing is changed in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any

from dsl.syntax import nodes as syntax
from dsl.syntax.nodes import scenarios
from interpreter.mutants.change import Edit, end_of_game
from interpreter.mutants.declarations import DECLARATIONS, whenever_it_happens
from interpreter.mutants.expressions import EXPRESSIONS
from interpreter.mutants.statements import STATEMENTS, WORDS, block_edits

OWN = {**EXPRESSIONS, **STATEMENTS, **DECLARATIONS}

LEFT: dict[type[syntax.Node], str] = {
    syntax.Name: "another name is another thing, not another size of it",
    syntax.Text: "a text is not a rule",
    **dict.fromkeys(WORDS, "words of the log, of a question or of an answer are no rule"),
    syntax.ErrorExpr: "what could not be read is not played",
    syntax.ErrorStmt: "what could not be read is not played",
    **dict.fromkeys(
        (
            syntax.WordType, syntax.KindType, syntax.RangeType, syntax.OptionalType,
            syntax.ChoiceType, syntax.ListType, syntax.MapType, syntax.Trait,
        ),
        "what may be, and who sees it, is no rule of play; that it is kept is checked elsewhere",
    ),
    **dict.fromkeys(
        (
            syntax.Signature, syntax.Head, syntax.Param, syntax.PrepParam, syntax.UnitDecl,
            syntax.ChoiceDecl,
        ),
        "names what others refer to",
    ),
    syntax.Remove: "what is merged has nothing of it any more",
    syntax.Replace: "what is merged has what it brings instead",
    syntax.Measure: "counts for reports and changes no game",
    syntax.Always: "a check of the rules, not a rule",
    **dict.fromkeys(
        (
            kind
            for kind in vars(scenarios).values()
            if isinstance(kind, type) and kind.__module__ == scenarios.__name__
        ),
        "is what tests, or how a bot plays",
    ),
    **dict.fromkeys(
        (syntax.Expect, syntax.May, syntax.WasAsked, syntax.GameIs), "is what tests"
    ),
}  # fmt: skip

# Parts in which nothing is changed: how much may be held is declared, and kept by the engine.
SKIPPED = frozenset({"span", "doc", "bound", "pool", "branches"})
BLOCKS = frozenset({"body", "then", "otherwise"})


def edits_of(node: syntax.Node) -> Iterator[Edit]:
    """All small changes in a node: its own, and those in what it is made of."""
    kind = type(node)
    if kind in LEFT:
        return
    yield from OWN[kind](node)
    if isinstance(node, syntax.If):
        yield from _of_branches(node)
    for name in _parts(kind):
        for edit in _below(getattr(node, name), is_block=name in BLOCKS):
            found = edit.inside(partial(_with, node, name))
            if isinstance(node, syntax.RuleDecl) and name == "condition":
                found = replace(found, marked=whenever_it_happens(node))
            yield found


def _with(node: Any, name: str, new: object) -> Any:
    return replace(node, **{name: new})


def _of_branches(node: syntax.If) -> Iterator[Edit]:
    """The changes in the conditions and blocks of an `if`."""
    for at, branch in enumerate(node.branches):
        for part, value in enumerate(branch):
            for edit in _below(value, is_block=part == 1):
                yield (
                    edit.inside(partial(_put, branch, part))
                    .inside(partial(_put, node.branches, at))
                    .inside(partial(_with, node, "branches"))
                )


def _put(values: tuple[Any, ...], at: int, new: object) -> tuple[Any, ...]:
    return (*values[:at], new, *values[at + 1 :])


def _below(value: object, *, is_block: bool) -> Iterator[Edit]:
    """The changes in a part: a node, or a tuple of parts; these may be statements of a block."""
    if isinstance(value, syntax.Node):
        yield from edits_of(value)
    elif isinstance(value, tuple):
        if is_block:
            yield from block_edits(value)
        for at, each in enumerate(value):
            for edit in _below(each, is_block=False):
                moved = edit.inside(partial(_put, value, at))
                if is_block and moved.marked is None:
                    mark = end_of_game(each.span)
                    moved = replace(moved, marked=(*value[:at], mark, *value[at:]))
                yield moved


def _parts(kind: type[Any]) -> tuple[str, ...]:
    return tuple(part.name for part in fields(kind) if part.name not in SKIPPED)
