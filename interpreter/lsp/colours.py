"""Semantic tokens: what each word of a script is, by what it means."""

from __future__ import annotations

from collections.abc import Iterator

from lsprotocol import types

from dsl.check.uses import Use, Uses
from dsl.source import Source
from dsl.syntax.layout import MARKS, Layout, lay_out
from dsl.syntax.layout import Token as LexToken
from dsl.syntax.table_file import load_tables
from interpreter.lsp.places import position_of

TYPES = (
    "keyword", "number", "string", "comment", "class", "enum", "enumMember", "property", "function",
    "event", "namespace", "interface", "method", "variable", "parameter", "type", "struct",
)  # fmt: skip
MODIFIERS = ("declaration", "readonly")

LEGEND = types.SemanticTokensLegend(list(TYPES), list(MODIFIERS))

# By the sort of a meaning; whether it can't be set.
_OF_SORT = {
    "kind": ("class", False),
    "choice": ("enum", False),
    "word": ("enumMember", True),
    "unit": ("type", False),
    "field": ("property", False),
    "define": ("property", True),
    "routine": ("function", False),
    "phase": ("namespace", False),
    "window": ("interface", False),
    "question": ("interface", False),
    "option": ("method", False),
    "answer": ("method", False),
    "rule": ("method", False),
    "switch": ("variable", True),
    "entity": ("variable", True),
    "local": ("parameter", False),
    "saying": ("function", False),
    "strategy": ("struct", False),
}

Token = tuple[int, int, str, int]
"""From, to, type, modifiers."""


def semantic_tokens(source: Source, uses: Uses | None) -> list[int]:
    """The tokens of a script as the protocol packs them."""
    tables = load_tables()
    layout = lay_out(source, tables)
    known = {use.span.start: use for use in uses.by_source.get(source.name, ())} if uses else {}
    tokens = [*_words(source, layout, tables.keywords, known), *_comments(source, layout)]
    return _packed(source, sorted(tokens))


def _words(
    source: Source, layout: Layout, keywords: frozenset[str], known: dict[int, Use]
) -> Iterator[Token]:
    for token in layout.tokens:
        if token.type in MARKS or token.start == token.end:
            continue
        use = known.get(token.start)
        if token.type == "STRING":
            yield from _text(token.start, token.end, known)
        elif use is not None and use.span.end == token.end:
            yield _of_use(use)
        elif token.type in ("NUMBER", "PERCENT"):
            yield token.start, token.end, "number", 0
        elif token.type == "KIND":
            yield token.start, token.end, "class", 0
        elif _is_keyword(token, keywords):
            yield token.start, token.end, "keyword", 0


def _is_keyword(token: LexToken, keywords: frozenset[str]) -> bool:
    is_several = token.type.isupper() and token.type != "NAME"
    return token.text[:1].isalpha() and (token.text in keywords or is_several)


def _text(start: int, end: int, known: dict[int, Use]) -> Iterator[Token]:
    """A text with the words in its holes between its pieces."""
    at = start
    for use in sorted(
        (use for place, use in known.items() if start < place < end),
        key=lambda use: use.span.start,
    ):
        if use.span.start > at:
            yield at, use.span.start, "string", 0
        yield _of_use(use)
        at = use.span.end
    if at < end:
        yield at, end, "string", 0


def _of_use(use: Use) -> Token:
    type_, is_readonly = _OF_SORT.get(use.meaning.sort, ("variable", False))
    modifiers = (1 if use.is_declared else 0) | (2 if is_readonly else 0)
    return use.span.start, use.span.end, type_, modifiers


def _comments(source: Source, layout: Layout) -> Iterator[Token]:
    starts = [0, *(at + 1 for at, sign in enumerate(source.text) if sign == "\n")]
    for line, comment in layout.comments.items():
        start = starts[line - 1] + comment.column
        yield start, starts[line - 1] + len(source.line(line)), "comment", 0


def _packed(source: Source, tokens: list[Token]) -> list[int]:
    """Each as its distance from the one before, its length, its type and its modifiers."""
    data: list[int] = []
    line, character = 0, 0
    for start, end, type_, modifiers in tokens:
        position, stop = position_of(source, start), position_of(source, end)
        if stop.line != position.line or stop.character <= position.character:
            continue
        here = position.character - (character if position.line == line else 0)
        length = stop.character - position.character
        data += [position.line - line, here, length, TYPES.index(type_), modifiers]
        line, character = position.line, position.character
    return data
