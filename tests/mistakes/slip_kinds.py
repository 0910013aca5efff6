"""All kinds of slips, by the sort of file in which they are made."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from slips import (
    WAYS,
    Maker,
    Page,
    Slip,
    dropped,
    keyword,
    less_indented,
    misspelt,
    more_indented,
    pattern,
    with_tab,
)

ALL = tuple(WAYS)
SHORT = ("letter left out", "letters exchanged", "letter doubled", "wrong letter")

NAMES: tuple[Maker, ...] = tuple(
    misspelt(sort, ALL if sort in ("kind", "entity", "field", "define") else SHORT)
    for sort in (
        "kind", "entity", "field", "define", "routine", "event", "window", "switch", "local",
        "param", "choice", "answer", "option", "question",
    )
)  # fmt: skip


def twice(page: Page) -> Iterator[Slip]:
    """A declaration is pasted a second time."""
    pattern_ = re.compile(
        r"^(?:define|switch|kind|thing|option|rule) .*\n(?:(?: .*)?\n)*", re.MULTILINE
    )
    for match in pattern_.finditer(page.text):
        yield Slip(
            "declared twice", page.path, match.end(), match.end(), match.group(), ("already",), 400
        )


def unknown_hook(page: Page) -> Iterator[Slip]:
    """A rule follows another rule by its name, which is no happening."""
    rules = re.findall(r"^rule (\w+): after", page.text, re.MULTILINE)
    for at, match in enumerate(re.finditer(r"(^rule \w+: after )(\w+)\b", page.text, re.MULTILINE)):
        other = rules[at - 1]
        if other != match.group(2):
            yield Slip("hook on a rule", page.path, match.start(2), match.end(2), other, ("rule",))


def literal_as_text(page: Page) -> Iterator[Slip]:
    """A number in quotes."""
    for token in page.tokens():
        before = page.text[: token.start].rsplit("\n", 1)[-1]
        if token.text.isdigit() and " = " in before and ":" not in before:
            yield page.slip("number as text", token, f'"{token.text}"', "number", "without quotes")


RULES: tuple[Maker, ...] = (
    *NAMES,
    keyword("each", "evry", "eahc", "all"),
    keyword("for", "fro", "foreach"),
    keyword("where", "were", "wher", "when"),
    keyword("needs", "need", "requires"),
    keyword("option", "optoin", "options"),
    keyword("rule", "rul", "ruel"),
    keyword("define", "defin", "def"),
    keyword("switch", "swich", "switches"),
    keyword("kind", "knd", "type"),
    keyword("which", "wich", "whcih"),
    keyword("move", "mov", "mvoe"),
    keyword("before", "befor", "bevore"),
    keyword("after", "aftr", "afer"),
    keyword("return", "retrun", "retun"),
    keyword("repeat", "repaet", "loop"),
    keyword("otherwise", "otherwis", "elif"),
    keyword("starts", "start", "strats"),
    keyword("holds", "hold", "holsd"),
    keyword("window", "windwo", "windows"),
    keyword("phase", "pase", "phse"),
    keyword("scenario", "scenari", "test"),
    keyword("given", "givn", "givne"),
    keyword("seats", "seat", "players"),
    keyword("yes", "true", name="other language: true"),
    keyword("no", "false", name="other language: false"),
    keyword("none", "null", "None", name="other language: null"),
    keyword("and", "&&", name="other language: &&"),
    keyword("or", "||", name="other language: ||"),
    keyword("not", "!", name="other language: !"),
    pattern("other language: ==", r"(?<=[\w)]) is (?!not\b)(?=\w)", " == ", "`is`"),
    pattern("other language: !=", r" is not (?=\w)", " != ", "`is not`", "is not"),
    pattern("assignment for comparison", r"(?<=\bif \w\w\w\w\w\w) is (?=\w)", " = ", "`is`"),
    pattern("comparison for assignment", r"^( +)([\w.]+) = (?=\w)", r"\1\2 is ", " = ", "`=`"),
    pattern("other language: :=", r"^( +)([\w.]+) = (?=\w)", r"\1\2 := ", "`=`"),
    pattern("other language: +=", r"^( +)([\w.]+) = \2 \+ ", r"\1\2 += ", "`x = x", " = "),
    pattern("other language: ++", r"^( +)([\w.]+) = \2 \+ 1$", r"\1\2++", " = "),
    pattern("other language: ;", r"(^    (?:pay|move) [^\n,(]*)$", r"\1;", ";"),
    pattern("other language: //", r"^-- ", "// ", "`--`", lines=400),
    pattern("other language: #", r"^-- ", "# ", "`--`", lines=400),
    pattern("other language: if ( )", r"^( +)if ([^\n(]+)$", r"\1if (\2) {", "{", "brace"),
    pattern("colon at the end", r"^( +)if ([^\n]+[a-z])$", r"\1if \2:", ":"),
    pattern("then", r"^( +)if ([^\n]+[a-z])$", r"\1if \2 then", "then"),
    pattern("quote missing", r"(, \"[^\"\n]*)\"", r"\1", "quote", '"', "closed"),
    pattern("bracket missing", r"(\([^()\n]*)\)", r"\1", ")", "bracket", lines=30),
    pattern("bracket too many", r"(\([^()\n]*\))", r"\1)", ")", lines=3),
    pattern("square bracket missing", r"(\[[^\[\]\n]*)\]", r"\1", "]", lines=30),
    pattern("comma missing", r"(?<=\w), (?=\w)", " ", ",", "`,`"),
    pattern("dot dot", r"(\d)\.\.(\d)", r"\1-\2", ".."),
    pattern("dots", r"(\d)\.\.(\d)", r"\1...\2", ".."),
    pattern("spaces in a name", r"\b([a-z]{3,})_([a-z]{3,})\b", r"\1 \2", "_"),
    dropped("by"),
    dropped("from"),
    dropped("to"),
    dropped("in"),
    dropped("is"),
    dropped("of"),
    dropped("each"),
    dropped("if"),
    less_indented,
    more_indented,
    with_tab,
    twice,
    unknown_hook,
    literal_as_text,
)


# ---------------------------------------------------------------- data


def misspelt_key(page: Page) -> Iterator[Slip]:
    """A key of an entry or of the variant is misspelt."""
    ways = tuple(WAYS[way] for way in SHORT)
    for at, match in enumerate(re.finditer(r"(?<=[{,\s])([a-z_]{4,}):(?= )", page.text)):
        new = ways[at % len(ways)](match.group(1))
        if new != match.group(1) and new not in page.known and not _is_in_text(page, match.start()):
            yield Slip(
                "key misspelt", page.path, match.start(1), match.end(1), new,
                (_quoted(match.group(1)),), _rest(page, match.start()),
            )  # fmt: skip


def _quoted(word: str) -> str:
    return f"`{word}`"


def _rest(page: Page, at: int) -> int:
    """An entry in braces may go over several lines."""
    return page.text[at:].split("}", 1)[0].count("\n") if "{" in page.text[:at] else 0


def _is_in_text(page: Page, at: int) -> bool:
    line = page.text.rfind("\n", 0, at) + 1
    before = page.text[line:at]
    return before.count('"') % 2 == 1 or "#" in before


def double_id(page: Page) -> Iterator[Slip]:
    """An entry has the id of the one before."""
    ids = list(re.finditer(r"\bid: (\w+)", page.text))
    for one, two in itertools.pairwise(ids):
        if one.group(1) != two.group(1):
            yield Slip(
                "double id", page.path, two.start(1), two.end(1), one.group(1),
                (one.group(1),), 400,
            )  # fmt: skip


def field_missing(page: Page) -> Iterator[Slip]:
    """An entry lacks a field."""
    for match in re.finditer(r", (price|rent|colour|group|value|kind): [^,{}\[\]\n]+", page.text):
        if not _is_in_text(page, match.start()):
            yield Slip(
                "field missing", page.path, match.start(), match.end(), "",
                (_quoted(match.group(1)), match.group(1)), 1,
            )  # fmt: skip


DATA: tuple[Maker, ...] = (
    misspelt_key,
    double_id,
    field_missing,
    misspelt("kind", ALL),
    misspelt("entity", ALL),
    pattern("text for a number", r"\b(price|value|amount|mortgage): (\d+)", r"\1: cheap", "number"),
    pattern("currency in a number", r"\b(price|value|amount): (\d+)", r"\1: $\2", "number"),
    pattern("negative number", r"\b(price|value|amount): (\d+)", r"\1: -\2", "0", "negative"),
    pattern("far too large", r"\b(price|value|amount): (\d+)", r"\1: \g<2>0000000"),
    pattern("blank behind the colon missing", r"\b(id|kind): (\w+)", r"\1:\2", ":", lines=3),
    pattern("brace missing", r"(\{[^{}\n]*)\}(?=\n)", r"\1", "}", "brace", lines=200),
    pattern("bracket missing", r"(\[[^\[\]\n]*)\]", r"\1", "]", "bracket", lines=200),
    pattern("comma missing", r"(?<=\w), (?=\w+: )", " ", ",", "comma", lines=3),
    pattern("tab", r"(?<=\n)  (?=- )", "\t", "tab", lines=3),
    pattern("list for a value", r"\b(price|group|colour): (\w+)", r"\1: [\2]", "list", "one"),
    pattern("quote missing", r'(: "[^"\n]*)"(?=[,}\n])', r"\1", "quote", '"', lines=400),
)


SCENARIOS: tuple[Maker, ...] = (
    *NAMES,
    keyword("scenario", "scenari", "test"),
    keyword("given", "givn", "with"),
    keyword("when", "whne", "wen"),
    keyword("then", "thne", "than"),
    keyword("may", "can", "might"),
    keyword("seats", "seat", "players"),
    pattern("title without quotes", r'^scenario "([^"\n]*)"', r"scenario \1", '"', "quote"),
    pattern("seat misspelt", r"^(        )(red|ann|ben|blue): ", r"\1\2d: ", "`red`", "`ann`",
            "`ben`", "`blue`"),
    less_indented,
    more_indented,
    with_tab,
)  # fmt: skip
