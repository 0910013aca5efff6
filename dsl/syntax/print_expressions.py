"""Expressions and types as text, with brackets only where they are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, assert_never

from dsl.syntax import nodes

# How tightly each form binds, as the grammar nests them; a looser one inside needs brackets.
EXPR, TEST, EITHER, BOTH, NEGATION, COMPARE, SPAN, SUM, PRODUCT, FACTOR, POST, ATOM = range(12)

_BINARY: dict[str, tuple[int, int, int]] = {
    # op: (its own level, what it takes on the left, on the right)
    "otherwise": (TEST, EITHER, TEST),
    "or": (EITHER, EITHER, BOTH),
    "and": (BOTH, BOTH, NEGATION),
    "+": (SUM, SUM, PRODUCT),
    "-": (SUM, SUM, PRODUCT),
    "*": (PRODUCT, PRODUCT, FACTOR),
    "/": (PRODUCT, PRODUCT, FACTOR),
}
_COMPARISON = (COMPARE, SPAN, SPAN)

Form = tuple[int, str]


def format_expr(expr: nodes.Expr, level: int = EXPR) -> str:
    """The text of an expression, in brackets if it is looser than `level`."""
    own, text = _FORMS[type(expr)](expr)
    return f"({text})" if own < level else text


def _binary(expr: nodes.Binary) -> Form:
    own, left, right = _BINARY.get(expr.op, _COMPARISON)
    return own, f"{format_expr(expr.left, left)} {expr.op} {format_expr(expr.right, right)}"


def _unary(expr: nodes.Unary) -> Form:
    if expr.op == "not":
        return NEGATION, f"not {format_expr(expr.operand, NEGATION)}"
    return FACTOR, f"-{format_expr(expr.operand, FACTOR)}" if not _is_minus(expr.operand) else (
        f"-({format_expr(expr.operand)})"
    )


def _is_minus(expr: nodes.Expr) -> bool:
    """Two minus signs in a row would begin a comment."""
    return isinstance(expr, nodes.Unary) and expr.op == "-"


def _conditional(expr: nodes.Conditional) -> Form:
    then, condition = format_expr(expr.then_value, TEST), format_expr(expr.condition, TEST)
    return EXPR, f"{then} if {condition} else {format_expr(expr.else_value)}"


def _range(expr: nodes.Range | nodes.RangeType) -> Form:
    text = f"{format_expr(expr.low, SUM)}..{format_expr(expr.high, SUM)}"
    return SPAN, text + optional(" step ", expr.step, SUM)


def _text(expr: nodes.Text) -> Form:
    parts = (
        part.replace("{", "{{").replace("}", "}}")
        if isinstance(part, str)
        else f"{{{format_expr(part)}}}"
        for part in expr.parts
    )
    return ATOM, f'"{"".join(parts)}"'


def _dot(expr: nodes.Dot) -> Form:
    text = f"{format_expr(expr.subject, POST)}.{expr.name.text}"
    return POST, text if expr.args is None else f"{text}({format_args(expr.args)})"


def _index(expr: nodes.Index) -> Form:
    return POST, f"{format_expr(expr.subject, POST)}[{format_expr(expr.key)}]"


def _query(expr: nodes.Query) -> Form:
    value = "" if expr.value is None else f"{format_expr(expr.value)} for "
    clauses = " for ".join(format_clause(clause) for clause in expr.clauses)
    return ATOM, value + clauses + optional(" by ", expr.by, TEST)


def _list(expr: nodes.ListExpr) -> Form:
    return ATOM, f"[{', '.join(format_expr(item) for item in expr.items)}]"


_FORMS: dict[type[nodes.Expr], Callable[[Any], Form]] = {
    nodes.Number: lambda expr: (ATOM, str(expr.value)),
    nodes.Percent: lambda expr: (ATOM, f"{expr.value}%"),
    nodes.Text: _text,
    nodes.Literal_: lambda expr: (ATOM, expr.word),
    nodes.NameExpr: lambda expr: (ATOM, expr.name),
    nodes.KindExpr: lambda expr: (ATOM, expr.name),
    nodes.Dot: _dot,
    nodes.Index: _index,
    nodes.Call: lambda expr: (ATOM, f"{expr.name.text}({format_args(expr.args)})"),
    nodes.New: lambda expr: (ATOM, f"new {expr.kind.text}({format_args(expr.args)})"),
    nodes.ListExpr: _list,
    nodes.Query: _query,
    nodes.Binary: _binary,
    nodes.Unary: _unary,
    nodes.Conditional: _conditional,
    nodes.Range: _range,
    nodes.ErrorExpr: lambda expr: (ATOM, expr.span.text),
}


def format_args(args: Iterable[nodes.Arg]) -> str:
    """Arguments, without their brackets."""
    return ", ".join(
        format_expr(arg.value) if arg.name is None else f"{arg.name.text}: {format_expr(arg.value)}"
        for arg in args
    )


def format_clause(clause: nodes.Clause) -> str:
    """`each x in LIST where CONDITION`."""
    source = format_expr(clause.source, TEST)
    return f"each {clause.variable.text} in {source}{optional(' where ', clause.where, TEST)}"


def optional(before: str, expr: nodes.Expr | None, level: int = EXPR) -> str:
    """An expression with what leads to it, or nothing."""
    return "" if expr is None else before + format_expr(expr, level)


def format_type(node: nodes.TypeNode) -> str:
    """The text of a type."""
    match node:
        case nodes.WordType() | nodes.KindType():
            return node.name
        case nodes.RangeType():
            return _range(node)[1]
        case nodes.OptionalType():
            return f"{format_type(node.inner)}?"
        case nodes.ChoiceType():
            return " | ".join(value.text for value in node.values)
        case nodes.ListType():
            bound = optional(" up to ", node.bound, SUM)
            word = "row" if node.ordered else "list"
            return f"{word} of {format_type(node.element)}{bound}"
        case nodes.MapType():
            return f"{format_type(node.value)} per {format_type(node.key)}"
        case _:
            assert_never(node)
