"""The one context there is: it knows how to check an expression and a block."""

from __future__ import annotations

from dsl.check import expressions, statements
from dsl.check.context import Context
from dsl.core import nodes as core
from dsl.core.types import Type
from dsl.syntax import nodes as syntax


class Checker(Context):
    """Checks what is written at a place."""

    def infer(self, node: syntax.Expr, expected: Type | None = None) -> core.Expr:
        """The expression with its type; `expected` helps bare words to mean something."""
        return expressions.infer_expression(self, node, expected)

    def block(self, stmts: syntax.Block) -> core.Block:
        """The statements, in a scope of their own."""
        return statements.check_block(self, stmts)
