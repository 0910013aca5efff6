"""What may stand at a place of a script that is being written."""

from __future__ import annotations

from dsl.source import Source, Span
from dsl.syntax import nodes
from dsl.syntax.builder import Builder
from dsl.syntax.driver import Program
from dsl.syntax.layout import lay_out
from dsl.syntax.recovery import Mistake, Reader
from dsl.syntax.table_file import load_tables

# A sign that is no part of the language: what would have fitted in its place may stand there.
_SIGN = "\x01"


def expected_at(text: str, offset: int) -> frozenset[str]:
    """The kinds of tokens that may come next after the text up to an offset; none where its line
    can't be read."""
    tables = load_tables()
    source = Source("", f"{text[:offset]}{_SIGN}\n")
    layout = lay_out(source, tables)
    found: list[frozenset[str]] = []

    def note(mistake: Mistake) -> None:
        if mistake.token.start == offset:
            found.append(mistake.expected)

    def no_value(start: int, end: int) -> nodes.Expr:
        return nodes.ErrorExpr(Span(source, start, end))

    program = Program(tables, Builder(source, {}, no_value))
    Reader(program, "start", layout.tokens, [], note).run()
    return found[0] if found else frozenset()
