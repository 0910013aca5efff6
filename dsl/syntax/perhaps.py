"""What was perhaps meant where a line fits nothing: the help of a mistake that has no expert."""

from __future__ import annotations

from dsl.diagnostics.suggest import suggest
from dsl.syntax.case import Case

# Words that mean the same in English, or in another tool for tests.
_SYNONYMS = {
    "when": "where", "were": "where", "if": "where", "with": "given", "can": "may",
    "might": "may", "requires": "needs", "require": "needs", "foreach": "for each",
    "every": "each", "all": "each", "has": "holds", "contains": "holds", "hold": "holds",
    "equals": "is", "than": "then",
}  # fmt: skip

_VALUES = frozenset({"NAME", "NUMBER", "KIND", "STRING", "yes", "no", "none"})
_BETWEEN = frozenset({"is", "and", "+"})


def perhaps(case: Case) -> str | None:
    """The help line, or None where nothing can be guessed."""
    return _range(case) or _word(case) or _between(case)


def _range(case: Case) -> str | None:
    line = [token.text for token in case.mistake.line]
    if ".." in case.expected and line[-2:-1] == ["-"] and line[-3:-2]:
        return f"a range is written with two dots: `{line[-3]}..{line[-1]}`"
    if case.token.text == "." and line[-1:] == [".."]:
        return "a range is written with two dots: `..`"
    return None


def _word(case: Case) -> str | None:
    """The word before, or the one that does not fit, is a slip for one that does."""
    words = sorted(kind for kind in case.expected if kind.isalpha() and kind.islower())
    for token in (case.token, case.before):
        if token is None or not token.text.isidentifier():
            continue
        meant = _SYNONYMS.get(token.text) or suggest(
            token.text, [*words, "each", "holds", "where", "for", "is", "which", "if"]
        )
        if meant is not None and meant != token.text:
            return f"did you mean `{meant}`?"
    return None


def _between(case: Case) -> str | None:
    if case.token.type in _VALUES and case.expected >= _BETWEEN:
        return "between two values stands a word such as `is`, `and`, `or`, `if` or `+`"
    return None
