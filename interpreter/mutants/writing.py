"""Nodes as they are written, in one line: what a change was before and is after."""

from __future__ import annotations

from dsl.syntax import nodes as syntax
from dsl.syntax.print_expressions import format_clause, format_expr
from dsl.syntax.print_statements import format_command, format_stmt

MOST = 100


def written(node: object) -> str:
    """The text of an expression, or the first line of a statement."""
    match node:
        case _ if syntax.is_expr(node):
            text = format_expr(node)
        case syntax.Command():
            text = format_command(node)
        case _ if syntax.is_stmt(node):
            text = next(iter(format_stmt(node)))
        case syntax.Clause():
            text = format_clause(node)
        case syntax.Node():
            text = " ".join(node.span.text.split("\n", 1)[0].split())
        case _:
            text = str(node)
    return short(text)


def short(text: str) -> str:
    """A text in one line that is not too long."""
    text = " ".join(text.split())
    return text if len(text) <= MOST else f"{text[: MOST - 3]}..."
