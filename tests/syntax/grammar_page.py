"""docs/grammar.md from rules.lark: the grammar without what only the parser needs."""

from __future__ import annotations

import re
from pathlib import Path

from dsl.syntax.table_file import GRAMMAR

PAGE = Path(__file__).resolve().parents[2] / "docs" / "grammar.md"

HEAD = """\
# The grammar of the rules language

Made from `dsl/syntax/rules.lark`, which the parser is built from; `docs/language.md` says what
everything means.

`"word"` stands there as it is; `[x]` may be left out, `x*` is any number of them, `x+` at least
one, `x | y` one of the two. `NEWLINE` ends a line, `INDENT` and `DEDENT` stand around a block. In
which order the lines of a block come is not told here. Words in quotes are reserved everywhere.

```text
"""

_ALIAS = re.compile(r" *-> *\w+")
_BROKEN = re.compile(r"^ *\| BROKEN$")
_LAYOUT = (("_NL", "NEWLINE"), ("_INDENT", "INDENT"), ("_DEDENT", "DEDENT"))


def grammar_page() -> str:
    """The whole page."""
    lines: list[str] = []
    for line in _rules().split("\n"):
        kept = _ALIAS.sub("", line).rstrip()
        if _BROKEN.match(kept):
            continue
        if kept.startswith("// ----"):
            kept = f"# {kept.removeprefix('// ----').strip()}"
        elif kept.startswith("//"):
            continue
        kept = re.sub(r"^[?!]", "", kept)
        kept = re.sub(r"\b_(?=[a-z])", "", kept)
        for token, word in _LAYOUT:
            kept = re.sub(rf"{token}\b", word, kept)
        lines.append(kept)
    return HEAD + "\n".join(lines).strip("\n") + "\n```\n"


def _rules() -> str:
    """From the first rule to the last word; priorities of words are the lexer's own business."""
    text = GRAMMAR.read_text(encoding="utf-8")
    start, end = text.index("start:"), text.index("COMMENT:")
    return re.sub(r"^([A-Z_]+)\.\d+:", r"\1:", text[start:end], flags=re.MULTILINE)
