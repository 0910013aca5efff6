"""A script as it is written, in the one style of all scripts.

The lines are made anew from the tokens, not from the tree: so every comment, every empty line that
parts one thing from another, and every place where the author went on on the next line stays where
it was. What the style says is in docs/language.md, section 1.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from dsl.diagnostics.record import Bag
from dsl.records import mutable
from dsl.source import Source
from dsl.syntax import nodes
from dsl.syntax.breaking import STEP, Statement, plain
from dsl.syntax.layout import MARKS, Comment, Layout, Token, lay_out
from dsl.syntax.parser import parse_script
from dsl.syntax.table_file import load_tables

# Mistakes that formatting mends: indentation that is not made of spaces.
_MENDED = frozenset({"RW0101", "RW0102"})

_DASHES = re.compile(r"-+")


def format_text(source: Source, bag: Bag) -> str | None:
    """The text of a script in the one style; None if it can't be read, which the bag says then.

    Its tree is the same but for places, and so are its comments.
    """
    clean = Source(source.name, source.text.removeprefix("\ufeff").replace("\r\n", "\n"))
    own = Bag()
    script = parse_script(clean, own)
    mistakes = [each for each in own if each.severity == "error" and each.code not in _MENDED]
    if mistakes:
        bag.extend(own)
        return None
    before = lay_out(clean, load_tables())
    text = _Formatter(clean, before, frozenset(_verb_ends(script))).run()
    after = lay_out(Source(source.name, text), load_tables())
    assert _said(after) == _said(before), f"formatting would change {source.name}"
    return text


def _said(layout: Layout) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """All that a text says, without where it says it."""
    return (
        [(token.type, plain(token)) for token in layout.tokens],
        [(comment.text, comment.stands) for comment in layout.comments.values()],
    )


def _verb_ends(node: object) -> Iterator[int]:
    """Where the verbs of commands end: a bracket behind one is no call."""
    if isinstance(node, tuple):
        for each in node:
            yield from _verb_ends(each)
    elif isinstance(node, nodes.Node):
        if isinstance(node, nodes.Command):
            yield node.verb.span.end
        assert is_dataclass(node)
        for part in fields(node):
            yield from _verb_ends(getattr(node, part.name))


@mutable
class _Row:
    """A line of the new text. `was`: the column of the comment beside it in the old one."""

    code: str
    comment: str = ""
    was: int = 0


class _Formatter:
    """One run over a text, line by line."""

    def __init__(self, source: Source, layout: Layout, verbs: frozenset[int]) -> None:
        self.source = source
        self.comments = layout.comments
        self.verbs = verbs
        self.lines = _by_line(source, layout.tokens)
        self.numbers = list(self.lines)
        self.blocks = _with_block(layout.tokens)
        self.rows: list[_Row] = []
        self.columns: list[int] = []  # of the open blocks, in the old text
        self.statement: Statement | None = None
        self.level = 0

    def run(self) -> str:
        last = max([0, *self.lines, *self.comments])  # what follows is empty
        for number in range(1, last + 1):
            comment = self.comments.get(number)
            if number in self.lines:
                self._code(number, comment)
            elif comment is not None:
                self._alone(number, comment)
            elif self._is_parting(number):
                self.rows.append(_Row(""))
        return "".join(f"{line}\n" for line in _aligned(self.rows))

    def _code(self, number: int, comment: Comment | None) -> None:
        tokens = self.lines[number]
        first = tokens[0]
        if first.is_first:
            self.level = first.level
            column = self.source.position(first.start)[1] - 1
            self.columns[self.level :] = [column]
            has_block = id(first) in self.blocks
            self.statement = Statement(STEP * first.level, self.verbs, has_block=has_block)
        assert self.statement is not None
        self.rows += map(_Row, self.statement.lines(tokens))
        if comment is not None:
            self.rows[-1].comment = self._text(number, comment)
            self.rows[-1].was = comment.column

    def _alone(self, number: int, comment: Comment) -> None:
        """A comment with a line for itself, at the column of what it belongs to."""
        text = self._text(number, comment)
        following = self._following(number)
        if comment.stands == "below":
            self.rows.append(_Row("", text, comment.column))
        elif following is not None and not following.is_first and self.statement is not None:
            self.rows.append(_Row(" " * self.statement.indent_of(following) + text))
        else:
            level = 0 if following is None else following.level
            while level < self.level and self.columns[level + 1] <= comment.column:
                level += 1
            self.rows.append(_Row(" " * (STEP * level) + text))

    def _text(self, number: int, comment: Comment) -> str:
        """A comment with a blank behind its dashes."""
        text = self.source.line(number)[comment.column :].rstrip()
        dashes = _DASHES.match(text)
        assert dashes is not None
        rest = text[dashes.end() :]
        return dashes[0] + ("" if not rest or rest[0].isspace() else " ") + rest

    def _following(self, number: int) -> Token | None:
        """The first token below a line."""
        at = bisect_right(self.numbers, number)
        return self.lines[self.numbers[at]][0] if at < len(self.numbers) else None

    def _is_parting(self, number: int) -> bool:
        """Whether an empty line stays: one, between two things, but not below a head."""
        if not self.rows or not (self.rows[-1].code or self.rows[-1].comment):
            return False
        following = self._following(number)
        return following is None or (following.is_first and following.level <= self.level)


def _by_line(source: Source, tokens: list[Token]) -> dict[int, list[Token]]:
    found: dict[int, list[Token]] = {}
    for token in tokens:
        if token.type not in MARKS:
            found.setdefault(source.position(token.start)[0], []).append(token)
    return found


def _with_block(tokens: list[Token]) -> frozenset[int]:
    """The first tokens of the statements that have a block below them, by identity."""
    found: set[int] = set()
    first: Token | None = None
    for token in tokens:
        if token.is_first:
            first = token
        elif token.type == "_INDENT" and first is not None:
            found.add(id(first))
    return frozenset(found)


def _aligned(rows: list[_Row]) -> Iterator[str]:
    """The lines, with comments beside them: those that stood below each other still do."""
    place = 0
    for number, row in enumerate(rows):
        is_next = number > 0 and _are_aligned(rows[number - 1], row)
        if row.comment and not is_next:
            place = _place(rows, number)
        yield row.code.ljust(place) + row.comment if row.comment else row.code


def _are_aligned(above: _Row, row: _Row) -> bool:
    return bool(above.comment and row.comment) and above.was == row.was


def _place(rows: list[_Row], start: int) -> int:
    """The column for the comments that stood below each other from a line on: two blanks behind
    the longest line. Where a comment of its own follows at this column it is one more, so that
    the two stay apart."""
    end = start + 1
    while end < len(rows) and _are_aligned(rows[end - 1], rows[end]):
        end += 1
    place = max(len(row.code) for row in rows[start:end]) + 2
    is_taken = end < len(rows) and rows[end].code.startswith(" " * place + "--")
    return place + 1 if is_taken else place
