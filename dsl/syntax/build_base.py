"""What all builders share: places, names, texts with holes, comments, and what was noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from dsl.diagnostics.record import Fix
from dsl.records import record
from dsl.source import Source, Span
from dsl.syntax import nodes
from dsl.syntax.comments import ALLOWS
from dsl.syntax.finding import Finding
from dsl.syntax.layout import Comment, Token

# More digits than any game needs, and than a machine word holds.
MOST_DIGITS = 15


@record
class Broken:
    """A line that could not be read, where the syntax tree has no node for such."""

    span: Span


Parts = list[Any]


class BuilderBase:
    """Makes nodes of one source. `read_hole` parses the value between two offsets."""

    def __init__(
        self,
        source: Source,
        comments: dict[int, Comment],
        read_hole: Callable[[int, int], nodes.Expr],
    ) -> None:
        self.source = source
        self.comments = comments
        self.read_hole = read_hole
        self.remarks: list[Finding] = []
        self.unread: list[Span] = []

    def broken(self, span: Span) -> Broken:
        """What could not be read: it is left out, and its words are remembered."""
        self.unread.append(span)
        return Broken(span)

    def remark(
        self, code: str, span: Span, message: str, help_: str | None = None, fix: Fix | None = None
    ) -> None:
        """Note a mistake; the parser drops it again if the line can't be read anyway."""
        self.remarks.append(Finding(code, span, message, help_, fix=fix))

    def place(self, token: Token) -> Span:
        """Where a token is."""
        return Span(self.source, token.start, token.end)

    def name(self, token: Token) -> nodes.Name:
        """A token as a name."""
        return nodes.Name(Span(self.source, token.start, token.end), token.text)

    def name_or_none(self, token: Token | None) -> nodes.Name | None:
        """An optional token as a name."""
        return None if token is None else self.name(token)

    def names(self, tokens: Iterable[Token]) -> tuple[nodes.Name, ...]:
        """Several tokens as names."""
        return tuple(self.name(token) for token in tokens)

    def whole(self, span: Span, digits: str) -> int:
        """The value of digits with underscores."""
        digits = digits.replace("_", "")
        if len(digits.lstrip("0")) > MOST_DIGITS:
            self.remark(
                "RW0110", span, f"this number is too large: at most {MOST_DIGITS} digits are read"
            )
            return 0
        return int(digits)

    def first_word(self, span: Span) -> Span:
        """The first word of a place."""
        length = len(span.text.split(maxsplit=1)[0])
        return Span(self.source, span.start, span.start + length)

    # ------------------------------------------------------------ texts

    def text(self, token: Token) -> nodes.Text:
        """A text with its holes."""
        parts: list[str | nodes.Expr] = []
        literal = ""
        source, at, end = self.source.text, token.start + 1, token.end - 1
        while at < end:
            sign = source[at]
            if sign not in "{}":
                stop = at + 1
                while stop < end and source[stop] not in "{}":
                    stop += 1
                literal += source[at:stop]
                at = stop
            elif source[at : at + 2] == sign * 2 and at + 1 < end:
                literal += sign
                at += 2
            elif sign == "}":
                self._stray_brace(at)
                at += 1
            else:
                close = source.find("}", at, end)
                if literal:
                    parts.append(literal)
                    literal = ""
                if close < 0:
                    parts.append(self._open_hole(at, end))
                    at = end
                else:
                    parts.append(self._hole(at, close))
                    at = close + 1
        if literal:
            parts.append(literal)
        return nodes.Text(self.place(token), tuple(parts))

    def text_or_none(self, token: Token | None) -> nodes.Text | None:
        """An optional text."""
        return None if token is None else self.text(token)

    def _hole(self, start: int, close: int) -> nodes.Expr:
        if self.source.text[start + 1 : close].strip():
            return self.read_hole(start + 1, close)
        span = Span(self.source, start, close + 1)
        self.remark(
            "RW0108",
            span,
            "these braces are empty: a value belongs between them",
            "write `{{` for a brace that is shown as it is",
        )
        return nodes.ErrorExpr(span)

    def _open_hole(self, start: int, end: int) -> nodes.Expr:
        span = Span(self.source, start, end)
        self.remark(
            "RW0108",
            Span(self.source, start, start + 1),
            "this `{` opens a value in the text, but no `}` closes it",
            "close it with `}`, or write `{{` for a brace that is shown as it is",
        )
        return nodes.ErrorExpr(span)

    def _stray_brace(self, at: int) -> None:
        self.remark(
            "RW0108",
            Span(self.source, at, at + 1),
            "this `}` closes nothing: no `{` comes before it",
            "write `}}` for a brace that is shown as it is",
        )

    # ------------------------------------------------------------ comments

    def doc(self, start: int) -> str:
        """The block of comment lines directly above the line of an offset."""
        if not self.comments:
            return ""
        line = self.source.position(start)[0]
        return _joined(self._above(line))

    def field_doc(self, start: int, end: int) -> str:
        """The comment lines above a field, and the comment at its end with what goes on below."""
        if not self.comments:
            return ""
        lines = self._above(self.source.position(start)[0])
        line = self.source.position(end)[0]
        beside = self.comments.get(line)
        if beside is not None and beside.stands == "beside":
            lines.append(beside.text)
            while (below := self.comments.get(line + 1)) is not None and below.stands == "below":
                lines.append(below.text)
                line += 1
        return _joined(lines)

    def _above(self, line: int) -> list[str]:
        found: list[str] = []
        line -= 1
        while (comment := self.comments.get(line)) is not None and comment.stands == "alone":
            if ALLOWS.match(comment.text) is None:
                found.append(comment.text)
            line -= 1
        found.reverse()
        return found


def _joined(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n")
