"""A mistake with its surroundings, as the experts in `mistakes` look at it."""

from __future__ import annotations

from dsl.diagnostics.record import Edit, Fix
from dsl.records import record
from dsl.source import Source, Span
from dsl.syntax.layout import Token
from dsl.syntax.recovery import Mistake


@record
class Case:
    """A mistake and its source."""

    mistake: Mistake
    source: Source

    @property
    def token(self) -> Token:
        """What did not fit."""
        return self.mistake.token

    @property
    def expected(self) -> frozenset[str]:
        """The kinds of tokens that would have fitted."""
        return self.mistake.expected

    @property
    def before(self) -> Token | None:
        """The token before it on the line."""
        return self.mistake.line[-1] if self.mistake.line else None

    @property
    def next(self) -> Token | None:
        """The token after it on the line."""
        rest = self.mistake.rest
        return rest[0] if rest and rest[0].type != "_NL" else None

    @property
    def first(self) -> Token:
        """The first token of its line."""
        return self.mistake.line[0] if self.mistake.line else self.token

    @property
    def is_line_start(self) -> bool:
        """Whether the line as such is wrong."""
        return self.mistake.kind == "word" and self.token.is_first

    @property
    def span(self) -> Span:
        """The place of the mistake; at the end of a line, right behind its last word."""
        return self.place(self.token)

    def has_before(self, *types: str) -> bool:
        """Whether the tokens right before it are of these types."""
        line = self.mistake.line[-len(types) :]
        return [token.type for token in line] == list(types)

    def place(self, first: Token, last: Token | None = None) -> Span:
        """Where a token is, or several."""
        return Span(self.source, first.start, (last or first).end)

    def swap(self, span: Span, text: str, title: str | None = None) -> Fix:
        """A fix that puts a text in a place, with blanks around it where words would touch."""
        whole = self.source.text
        edit = text
        if text and text[0].isalpha() and span.start and not whole[span.start - 1].isspace():
            edit = f" {edit}"
        if text and text[-1].isalpha() and not whole[span.end : span.end + 1].isspace():
            edit = f"{edit} "
        return Fix(title or f"write `{text}`", (Edit(span, edit),))


def is_path(tokens: list[Token]) -> bool:
    """Whether these are names with dots between, at least one."""
    return bool(tokens) and all(token.type in ("NAME", ".") for token in tokens)


def touches(left: Token | None, right: Token | None) -> bool:
    """Whether nothing is between two tokens."""
    return left is not None and right is not None and left.end == right.start
