"""Text to tokens: words and signs, and the layout that makes lines and blocks of them.

A line ends with a `_NL`; a deeper line opens a block (`_INDENT`), which a shallower one closes
(`_DEDENT`). Nothing here raises: what does not belong in a script becomes a token that no rule
takes, with what there is to say about it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from functools import cache
from typing import Literal

from dsl.records import mutable, record
from dsl.source import Source
from dsl.syntax.tables import Tables


def word_set(words: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(words.split())


OPENERS = {"(": ")", "[": "]"}
CLOSERS = frozenset(OPENERS.values())

# A line that begins with one of these goes on with the line before.
CONTINUES = frozenset({"and", "or", "otherwise"})

# The same for these, where the line is indented deeper.
_GOES_ON = re.compile(r"\||(?:where|with +the|such +that)\b")

# And for these, where the line before takes no block that could begin with them.
_MAY_GO_ON = re.compile(r"(?:if|else|for +each)\b")
TAKES_BLOCK = word_set(
    "kind thing add exception to event rule phase window option saying scenario strategy "
    "if else for repeat ask secretly given when then *"
)

# What can't be in the middle of a value: an open bracket before it was forgotten.
STARTS_A_LINE = word_set(
    "ask get let needs open repeat secretly next end return expect rule define option window phase "
    "kind thing unit choice switch always measure saying scenario strategy event"
)

# Tokens that are no words or signs: the end of a line, and of the text; blocks.
MARKS = frozenset({"_NL", "_INDENT", "_DEDENT", "$END"})

TAB_STOP = 4

# Blocks inside blocks; deeper ones can't be read by people, and not by what walks the tree.
MOST_LEVELS = 20


@mutable
class Token:
    """A piece of the text. `is_first` on its line, at the block depth `level`."""

    type: str
    text: str
    start: int
    end: int
    is_first: bool = False
    level: int = 0


@record
class Comment:
    """One comment, `text` without its dashes.

    It stands alone on its line, beside something, or alone right below one that stands beside
    something, which it goes on with.
    """

    text: str
    column: int
    stands: Literal["alone", "beside", "below"]


ProblemKind = Literal["tab", "blank", "indent", "deep", "deeper", "bracket", "closer"]
"""`deeper`: in a block that is too deep already, so that nothing more is to be said."""


@record
class Problem:
    """What the layout has to say about a place in the text."""

    kind: ProblemKind
    start: int
    end: int


@mutable
class Layout:
    """The tokens of a text, its comments by line, and its problems in order."""

    tokens: list[Token] = field(default_factory=list)
    comments: dict[int, Comment] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def lay_out(source: Source, tables: Tables) -> Layout:
    """All tokens of a text, the last one being `$END`."""
    maker = _Maker(source.text, tables)
    maker.run()
    return maker.layout


def scan(text: str, start: int, end: int, tables: Tables) -> list[Token]:
    """The words and signs of a piece of one line, without layout."""
    keywords, words = tables.keywords, _pattern(tables.words)
    found: list[Token] = []
    for match in words.finditer(text, start, end):
        kind = match.lastgroup or "BAD"
        word = match[0]
        if kind == "NAME":
            if word in keywords:
                kind = word
        elif kind == "SIGN":
            kind = word
        elif kind == "BAD" and word == '"':
            # The text is not closed: all to the end of the line is inside.
            rest = text[match.start() : end].rstrip()
            found.append(Token("BAD", rest, match.start(), match.start() + len(rest)))
            break
        found.append(Token(kind, word, match.start(), match.end()))
    return found


def takes_block(tokens: Sequence[Token]) -> bool:
    """Whether a block may stand below a statement that begins with these tokens."""
    words = [token.type for token in tokens]
    if words[0] == "replace":
        del words[0]
    if words[:1] == ["define"]:
        return "=" not in words
    return not words or words[0] in TAKES_BLOCK


@cache
def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?P<COMMENT>--[^\n]*)|{words}")


_BLANK = re.compile(r"[^\S\n]*")
_CODE = re.compile(r"^([^\S\n]*)(?!--)\S", re.MULTILINE)
_FIRST_WORD = re.compile(r"[a-z_0-9]*")


class _Maker:
    """One run over a text, line by line."""

    def __init__(self, text: str, tables: Tables) -> None:
        self.text = text
        self.tables = tables
        self.layout = Layout()
        self.tokens = self.layout.tokens
        self.first = 0  # the index of the first token of the present statement
        self.open: list[Token] = []  # brackets
        self.levels: list[list[int]] = []  # the columns that count as each open block's
        self.column = 0  # of the line on which the present statement began
        self.end = 0  # of the last word or sign
        self.has_bracket_problem = False  # in the present statement: one is enough
        self.lost = 0  # brackets that were never closed

    def run(self) -> None:
        text = self.text
        start = 1 if text.startswith("\ufeff") else 0
        number = 1
        while start < len(text):
            end = text.find("\n", start)
            end = len(text) if end < 0 else end
            self._line(number, start, end)
            start = end + 1
            number += 1
        self._close_brackets()
        self._end_line()
        for _ in self.levels[1:]:
            self._mark("_DEDENT")
        self._mark("$END")

    def _line(self, number: int, start: int, end: int) -> None:
        text = self.text
        first = _BLANK.match(text, start, end).end()  # type: ignore[union-attr]
        if first == end:
            return
        column = first - start
        if text.startswith("--", first):
            self._comment(number, first, end, column, "alone")
            return
        blank = text[start:first]
        if blank.count(" ") != column:
            column = self._odd_blank(blank, start)
        is_new = self._begins_statement(first, column)
        if is_new:
            self._close_brackets()
            self.has_bracket_problem = False
            self._end_line()
            self._indent(column, start, first)
        self._words(number, start, first, end, is_new)

    def _words(self, number: int, start: int, first: int, end: int, is_new: bool) -> None:
        found = scan(self.text, first, end, self.tables)
        if found and found[-1].type == "COMMENT":
            comment = found.pop()
            self._comment(number, comment.start, end, comment.start - start, "beside")
        if not found:
            return
        level = len(self.levels) - 1
        tokens = self.tokens
        for token in found:
            if token.text in OPENERS:
                self.open.append(token)
            elif token.text in CLOSERS and not self._close(token, is_new):
                continue
            token.level = level
            token.is_first = is_new
            if is_new:
                self.first = len(tokens)
            is_new = False
            tokens.append(token)
            self.end = token.end

    def _end_line(self) -> None:
        if self.tokens and self.tokens[-1].type not in MARKS:
            self._mark("_NL")

    def _close(self, token: Token, is_first: bool) -> bool:
        """Whether a closing bracket has its opening one; what was open inside is closed too."""
        if not any(OPENERS[bracket.text] == token.text for bracket in self.open):
            if self.lost and is_first:  # it belongs to one that was taken as never closed
                self.lost -= 1
            else:
                self._bracket_problem("closer", token)
            return False
        while OPENERS[self.open[-1].text] != token.text:
            self._bracket_problem("bracket", self.open[-1])
            self._close_last(token.start)
        self.open.pop()
        return True

    def _close_brackets(self) -> None:
        if self.open:
            self._bracket_problem("bracket", self.open[0])
        while self.open:
            self._close_last(self.end)

    def _close_last(self, place: int) -> None:
        bracket = self.open.pop()
        self.lost += 1
        closing = OPENERS[bracket.text]
        self.tokens.append(Token(closing, closing, place, place, level=bracket.level))

    def _begins_statement(self, first: int, column: int) -> bool:
        """Whether a line begins anew and does not go on with the one before."""
        if not self.tokens:
            return True
        word = _FIRST_WORD.match(self.text, first)[0]  # type: ignore[index]
        if not self.open:
            return word not in CONTINUES and not self._goes_on(first, column)
        if word in STARTS_A_LINE:
            return True
        is_deeper = column > self.column or self.text[first] in CLOSERS
        return not is_deeper and word not in CONTINUES

    def _goes_on(self, first: int, column: int) -> bool:
        """Whether a line is a deeper one that can't be the beginning of a block."""
        if column <= self.column:
            return False
        if _GOES_ON.match(self.text, first) or self.tokens[-1].type == ",":
            return True
        if _MAY_GO_ON.match(self.text, first) is None:
            return False
        return not takes_block(self.tokens[self.first :])

    def _indent(self, column: int, start: int, first: int) -> None:
        """Open or close blocks, so that the line at `column` is in the right one."""
        self.column = column
        levels = self.levels
        if not levels:
            # The first line should stand at the margin, wherever that is.
            margin = column and min(len(blank) for blank in _CODE.findall(self.text))
            levels.append([margin])
            if column:
                self._problem("indent", start, first)
            return
        if column > max(levels[-1]) and len(levels) > MOST_LEVELS:
            self._problem("deep" if len(levels[-1]) == 1 else "deeper", start, first)
            levels[-1].append(column)
            return
        if column > max(levels[-1]):
            levels.append([column])
            self.tokens.append(Token("_INDENT", "", first, first, level=len(levels) - 1))
            return
        inner: list[int] | None = None
        while len(levels) > 1 and column < min(levels[-1]):
            inner = levels.pop()
            self._mark("_DEDENT")
        if column in levels[-1]:
            return
        self._problem("indent", start, first)
        if inner is not None and min(inner) - column <= column - max(levels[-1]):
            levels.append(inner)
            self.tokens.pop()
        levels[-1].append(column)

    def _odd_blank(self, blank: str, start: int) -> int:
        """The column after an indentation that is not made of spaces alone."""
        kind: ProblemKind = "tab" if "\t" in blank else "blank"
        if not any(problem.kind == kind for problem in self.layout.problems):
            odd = [at for at, sign in enumerate(blank) if sign != " "]
            self._problem(kind, start + odd[0], start + odd[-1] + 1)
        return len(blank.expandtabs(TAB_STOP))

    def _comment(
        self, number: int, start: int, end: int, column: int, stands: Literal["alone", "beside"]
    ) -> None:
        words = self.text[start:end].lstrip("-").removeprefix(" ").rstrip()
        comments = self.layout.comments
        above = comments.get(number - 1)
        goes_on = above is not None and above.stands != "alone" and above.column == column
        is_below = stands == "alone" and goes_on and column > 0
        comments[number] = Comment(words, column, "below" if is_below else stands)

    def _bracket_problem(self, kind: ProblemKind, bracket: Token) -> None:
        if not self.has_bracket_problem:
            self._problem(kind, bracket.start, bracket.end)
        self.has_bracket_problem = True

    def _problem(self, kind: ProblemKind, start: int, end: int) -> None:
        self.layout.problems.append(Problem(kind, start, end))

    def _mark(self, kind: str) -> None:
        level = max(len(self.levels) - 1, 0)
        self.tokens.append(Token(kind, "", self.end, self.end, level=level))
