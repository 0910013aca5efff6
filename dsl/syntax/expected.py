"""What would have fitted, in a designer's words."""

from __future__ import annotations

from dsl.syntax.layout import Token, word_set

PREPOSITIONS = word_set("from to on onto with at by of into under over against")

DECLARATIONS = word_set(
    "kind thing unit choice switch define to event rule phase window option always measure saying "
    "replace remove set add exception forbid strategy scenario"
)

STATEMENTS = word_set(
    "let get open if for repeat ask secretly luck which how needs expect end next return as"
)

_VALUES = word_set("NAME KIND NUMBER PERCENT STRING yes no none usual ( [ new - not")

# A value can be followed by all of these anywhere, so naming them helps nobody.
_OPERATORS = word_set("+ - * / . .. ( [ and or otherwise is in not < <= > >= step ?")

# What a group of kinds is called: it is named if all of `signs` fit, and then stands for all of
# `members`.
_GROUPS: tuple[tuple[str, frozenset[str], frozenset[str]], ...] = (
    ("a declaration", frozenset({"rule", "define", "kind"}), DECLARATIONS),
    (
        "a statement",
        frozenset({"let", "ask", "repeat"}),
        STATEMENTS | {"NAME", "LUCK_GIVES", "SAYS", "SAYS_NOTHING", "SHOWS"},
    ),
    ("a type", frozenset({"list", "KIND"}), _VALUES | {"list", "row", "holds"}),
    ("a value", frozenset({"NUMBER", "STRING", "("}), _VALUES | {"each", "pass"}),
    ("a value", frozenset({"NUMBER", "("}), _VALUES),
    ("a word such as `from` or `to`", frozenset({"from", "onto", "over"}), PREPOSITIONS),
)

_NAMED = {
    "NAME": "a name",
    "KIND": "a kind",
    "NUMBER": "a number",
    "PERCENT": "a percentage",
    "STRING": "a text in quotes",
    "CLOSE": "the line that says when it closes, such as `until all pass`",
    "MADE": "`made in play up to`",
    "COUNT_HIDDEN": "`count hidden`",
    "IF_ANY": "`if any`",
    "IS_ASKED": "`is asked`",
    "NOT_ASKED": "`is not asked`",
    "GAME_OVER": "`the game is over`",
    "GAME_ON": "`the game goes on`",
    "LUCK_GIVES": "`luck gives`",
    "SAYS": "`says`",
    "SHOWS": "`shows`",
    "SHOWN": "`shown`",
    "SAYS_NOTHING": "`says nothing`",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the value",
}

_WORDS_IN_ORDER = "NAME KIND NUMBER STRING before after : = , to in if else then until ) ]"
_ORDER = [*_WORDS_IN_ORDER.split(), "_INDENT", "_NL", "_DEDENT", "$END"]

# What fits in many places, and is named only if nothing else fits.
_IN_MANY_PLACES = ("_DEDENT", "if", "per", "|", "GAME_OVER", "GAME_ON", "IS_ASKED", "NOT_ASKED")

# More alternatives than this are no help.
_MOST = 4


def is_statement_in_value(token: Token, expected: frozenset[str]) -> bool:
    """Whether a line of a `define` or `exception` does something, where there are only values."""
    is_statement = token.type in STATEMENTS - {"let"} or token.type in ("else", "until")
    return bool(token.is_first and token.level and is_statement and "but" in expected)


def is_value_expected(expected: frozenset[str]) -> bool:
    """Whether a value of any sort would fit."""
    return {"NUMBER", "(", "NAME"} <= expected


def phrases(expected: frozenset[str]) -> list[str]:
    """What would fit, the most likely first."""
    rest = set(expected)
    found: list[str] = []
    for phrase, signs, members in _GROUPS:
        if signs <= rest:
            found.append(phrase)
            rest -= members
    if found or rest - _OPERATORS:
        rest -= _OPERATORS
    if found:
        rest -= {"_DEDENT", "$END"}
    if is_value_expected(expected) and "from" not in expected:
        rest.discard("to")  # of `known(x.field, to: player)`
    for kind in _IN_MANY_PLACES:
        if len(rest) > 1:
            rest.discard(kind)
    if "WHEN" in rest:
        rest = (rest - {"WHEN"}) | {"before", "after", "instead of"}
    ranks = {kind: rank for rank, kind in enumerate(_ORDER)}
    ordered = sorted(rest, key=lambda kind: (ranks.get(kind, len(ranks)), kind))
    return found + [_NAMED.get(kind, f"`{kind}`") for kind in ordered]


def listed(words: list[str]) -> str:
    """`a, b or c`."""
    shown = words if len(words) <= _MOST else words[:_MOST]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} or {shown[-1]}"


def shown(token: Token) -> str:
    """A token as a message names it."""
    if token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
        return "the end of the line" if token.type == "_NL" else "the end of the block"
    text = token.text if len(token.text) <= 30 else token.text[:29] + "…"
    return f"`{text}`"
