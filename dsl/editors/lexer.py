"""A lexer of rules for Pygments, and so for everything that colours code with it: Sphinx, MkDocs,
rich. Its name is `rules` or `rulewright`.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import (
    Comment,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
)

from dsl.syntax.table_file import load_tables

_DECLARED = (
    r"(kind|thing|unit|choice|switch|event|phase|window|option|always|measure|strategy|saying|rule)"
)
_SEVERAL = (
    r"(made +in +play +up +to|instead +of|until +all +pass|until +one +acts|until +nobody +can|"
    r"once +each|exactly +one|count +hidden|luck +gives|the +game +is +over|the +game +goes +on|"
    r"is +not +asked|is +asked|before|after|says +nothing|says)\b"
)
_CONSTANTS = ("yes", "no", "none", "usual")
_TYPES = ("flag", "text", "money")


class RulesLexer(RegexLexer):
    """Colours the rules of games."""

    name = "Rulewright"
    aliases: ClassVar[list[str]] = ["rules", "rulewright"]
    filenames: ClassVar[list[str]] = ["*.rules"]
    flags = re.MULTILINE

    _keywords = tuple(sorted(load_tables().keywords - {*_CONSTANTS, *_TYPES}))
    _value: ClassVar[list[Any]] = [
        (r"\s+", Whitespace),
        (r"--[^\n]*", Comment.Single),
        (r'"', String, "text"),
        (r"\d[\d_]*%?", Number.Integer),
        (_SEVERAL, Keyword),
        (words(_CONSTANTS, prefix=r"\b", suffix=r"\b"), Keyword.Constant),
        (words(_TYPES, prefix=r"\b", suffix=r"\b"), Keyword.Type),
        (words(_keywords, prefix=r"\b", suffix=r"\b"), Keyword),
        (r"[A-Z][A-Za-z0-9]*", Name.Class),
        (r"(\.)([a-z]\w*)", lambda lexer, match: _member(match)),
        (r"[a-z_]\w*(?=\()", Name.Function),
        (r"[a-z_]\w*", Name),
        (r"\.\.|[-+*/<>=?|]+", Operator),
        (r"[()\[\].,:{}]", Punctuation),
        (r".", Name),
    ]
    tokens: ClassVar[dict[str, list[Any]]] = {
        "root": [
            (
                rf"^((?:replace +)?){_DECLARED}( +)([A-Za-z_]\w*)",
                lambda lexer, match: _declared(match),
            ),
            *_value,
        ],
        "text": [
            (r"\{\{|\}\}", String.Escape),
            (r"\{", String.Interpol, "hole"),
            (r'"', String, "#pop"),
            (r"\n", Whitespace, "#pop"),
            (r'[^"{}\n]+|\}', String),
        ],
        "hole": [(r"\}", String.Interpol, "#pop"), (r"\n", Whitespace, "#pop"), *_value],
    }


def _member(match: re.Match[str]) -> Any:
    yield match.start(1), Punctuation, match[1]
    yield match.start(2), Name.Attribute, match[2]


def _declared(match: re.Match[str]) -> Any:
    if match[1]:
        yield match.start(1), Keyword.Declaration, match[1]
    yield match.start(2), Keyword.Declaration, match[2]
    yield match.start(3), Whitespace, match[3]
    is_kind = match[4][0].isupper()
    yield match.start(4), Name.Class if is_kind else Name.Function, match[4]
