"""Text to syntax tree: the one way into this package for whoever has a script.

What can't be read becomes an error node and is reported; nothing is raised, whatever the text.
"""

from __future__ import annotations

from dsl.diagnostics.record import Bag
from dsl.source import Source, Span
from dsl.syntax import nodes
from dsl.syntax.builder import Builder
from dsl.syntax.driver import Program
from dsl.syntax.finding import Finding
from dsl.syntax.layout import Layout, Problem, Token, lay_out, scan
from dsl.syntax.mistakes import describe
from dsl.syntax.problems import describe_problem
from dsl.syntax.recovery import Mistake, Reader
from dsl.syntax.table_file import load_tables
from dsl.syntax.tables import Tables
from dsl.syntax.unseen import find_unseen


def parse_script(source: Source, bag: Bag) -> nodes.Script:
    """The syntax tree of a whole file; what could not be read is in the bag."""
    parse = _Parse(source, load_tables())
    layout = lay_out(source, parse.tables)
    parse.builder.comments = layout.comments
    script = parse.read("start", layout, parse.findings)
    parse.findings += find_unseen(source, layout.tokens)
    parse.report(layout.problems, bag)
    if not isinstance(script, nodes.Script):
        whole = Span(source, 0, len(source.text))
        return nodes.Script(whole, (), (whole,))
    return script


def parse_expression(
    source: Source, bag: Bag, *, start: int = 0, end: int | None = None
) -> nodes.Expr:
    """The value that a text is, or the piece of it from `start` to `end`."""
    end = len(source.text) if end is None else end
    parse = _Parse(source, load_tables())
    value = parse.value(start, end, parse.findings)
    parse.report([], bag)
    return value


class _Parse:
    """One run over one source."""

    def __init__(self, source: Source, tables: Tables) -> None:
        self.source = source
        self.tables = tables
        self.builder = Builder(source, {}, self.hole)
        self.program = Program(tables, self.builder)
        self.findings: list[Finding] = []
        self.inner: list[Finding] = []  # what is wrong inside of texts
        self.void: list[tuple[int, int]] = []

    def read(self, start: str, layout: Layout, found: list[Finding]) -> object:
        """The value of tokens, or None."""

        def note(mistake: Mistake) -> None:
            found.append(describe(mistake, self.source))

        reader = Reader(self.program, start, layout.tokens, layout.problems, note)
        value = reader.run()
        self.void.extend(reader.void)
        return value

    def hole(self, start: int, end: int) -> nodes.Expr:
        """The value in a hole of a text; mistakes are void if the text's statement is."""
        return self.value(start, end, self.inner)

    def value(self, start: int, end: int, found: list[Finding]) -> nodes.Expr:
        """The value between two offsets."""
        scanned = scan(self.source.text, start, end, self.tables)
        tokens = [token for token in scanned if token.type != "COMMENT"]
        last = tokens[-1].end if tokens else start
        tokens.append(Token("$END", "", last, last))
        tokens[0].is_first = True
        value = self.read("expr", Layout(tokens), found)
        if nodes.is_expr(value):
            return value
        return nodes.ErrorExpr(Span(self.source, start, end))

    def report(self, problems: list[Problem], bag: Bag) -> None:
        """Put into the bag what was found, in the order of the text."""
        found = [describe_problem(each, self.source) for each in problems if each.kind != "deeper"]
        found += self.findings
        found += [
            finding
            for finding in (*self.inner, *self.builder.remarks)
            if not any(start <= finding.span.start < end for start, end in self.void)
        ]
        for finding in sorted(found, key=lambda finding: (finding.span.start, finding.code)):
            bag.error(
                finding.code,
                finding.span,
                finding.message,
                help=finding.help,
                also=finding.also,
                fix=finding.fix,
            )
