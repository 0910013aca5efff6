"""What can be changed in an expression."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from dsl.syntax import nodes as syntax
from interpreter.mutants.change import Edit
from interpreter.mutants.writing import written

Edits = Iterator[Edit]

MOVED: dict[str, syntax.BinaryOp] = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
TURNED: dict[str, syntax.BinaryOp] = {
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
}
EXCHANGED: dict[str, syntax.BinaryOp] = {"+": "-", "-": "+", "*": "/", "/": "*"}
FUNCTIONS: dict[str, str] = {"min": "max", "max": "min", "any": "all", "all": "any"}


def edit(what: str, node: syntax.Node, new: Any) -> Edit:
    """The change of a node into another one."""
    return Edit(what, node.span, written(node), written(new), new)


def opposite(condition: syntax.Expr) -> syntax.Expr:
    """The condition, negated."""
    return syntax.Unary(condition.span, "not", condition)


def negations(condition: syntax.Expr) -> Edits:
    """A whole condition negated, where no smaller change does the same."""
    match condition:
        case syntax.Binary(op=op) if op in TURNED:
            return
        case syntax.Unary() | syntax.Literal_():
            return
        case _:
            yield edit("condition negated", condition, opposite(condition))


def number(node: syntax.Number) -> Edits:
    """One more, and one less."""
    yield edit("one more", node, replace(node, value=node.value + 1))
    if node.value > 0:
        yield edit("one less", node, replace(node, value=node.value - 1))


def percent(node: syntax.Percent) -> Edits:
    """One per cent more."""
    yield edit("one more", node, replace(node, value=node.value + 1))


def literal(node: syntax.Literal_) -> Edits:
    """Yes and no."""
    if node.word in ("yes", "no"):
        word = "no" if node.word == "yes" else "yes"
        yield edit("turned round", node, syntax.Literal_(node.span, word))  # type: ignore[arg-type]


def binary(node: syntax.Binary) -> Edits:
    """Comparisons moved or turned, sums and products exchanged, parts of conditions dropped."""
    if node.op in ("and", "or"):
        yield edit("condition dropped", node, node.right)
        yield edit("condition dropped", node, node.left)
    for what, table in (("bound moved", MOVED), ("turned round", TURNED)):
        if node.op in table:
            yield edit(what, node, replace(node, op=table[node.op]))
    if node.op in EXCHANGED:
        yield edit("operation exchanged", node, replace(node, op=EXCHANGED[node.op]))
    if node.op == "otherwise":
        yield edit("fallback taken at once", node, node.right)


def unary(node: syntax.Unary) -> Edits:
    """Without its sign."""
    what = "turned round" if node.op == "not" else "sign dropped"
    yield edit(what, node, node.operand)


def conditional(node: syntax.Conditional) -> Edits:
    """The two values exchanged."""
    new = replace(node, then_value=node.else_value, else_value=node.then_value)
    yield edit("condition negated", node, new)


def range_(node: syntax.Range) -> Edits:
    """A bound that is not a plain number, moved by one."""
    one = syntax.Number(node.span, 1)
    if not isinstance(node.low, syntax.Number):
        yield edit("bound moved", node, replace(node, low=_sum(node.low, one)))
    if not isinstance(node.high, syntax.Number):
        yield edit("bound moved", node, replace(node, high=_sum(node.high, one)))


def _sum(left: syntax.Expr, right: syntax.Expr) -> syntax.Expr:
    return syntax.Binary(left.span, "+", left, right)


def call(node: syntax.Call) -> Edits:
    """The least for the most, any for all."""
    other = FUNCTIONS.get(node.name.text)
    if other is not None:
        new = replace(node, name=replace(node.name, text=other))
        yield edit("function exchanged", node, new)


def clause(node: syntax.Clause) -> Edits:
    """What is gone through, without its condition or with the opposite one."""
    if node.where is not None:
        yield edit("condition dropped", node, replace(node, where=None))
        for one in negations(node.where):
            yield one.inside(lambda new: replace(node, where=new))


def query(node: syntax.Query) -> Edits:
    """Without its order."""
    if node.by is not None:
        yield edit("order dropped", node, replace(node, by=None))


def nothing(_: syntax.Node) -> Edits:
    """No change of its own; perhaps there are some in its parts."""
    return iter(())


EXPRESSIONS: dict[type[syntax.Node], Callable[[Any], Edits]] = {
    syntax.Number: number,
    syntax.Percent: percent,
    syntax.Literal_: literal,
    syntax.Binary: binary,
    syntax.Unary: unary,
    syntax.Conditional: conditional,
    syntax.Range: range_,
    syntax.Call: call,
    syntax.Clause: clause,
    syntax.Query: query,
    syntax.NameExpr: nothing,
    syntax.KindExpr: nothing,
    syntax.Dot: nothing,
    syntax.Index: nothing,
    syntax.New: nothing,
    syntax.ListExpr: nothing,
    syntax.Arg: nothing,
}
