"""Realistic mistakes: what somebody writes who means a text of a bundled game, and slips once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dsl.check.uses import Use

TOKEN = re.compile(
    r"--[^\n]*|#[^\n]*|\"[^\"\n]*\"|[A-Za-z_][A-Za-z_0-9]*|\d+|\.\.|<=|>=|[-+*/<>=.,:()\[\]{}|?]"
)


@dataclass(frozen=True, slots=True)
class Slip:
    """One mistake in a file: `new` stands where `start` to `end` should.

    `repair`: pieces of text of which one must be in what is told, so that the reader knows what to
    write; empty where nobody could guess. `lines`: how many lines on it may be told of.
    """

    kind: str
    path: Path
    start: int
    end: int
    new: str
    repair: tuple[str, ...] = ()
    lines: int = 0


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number, text or sign, outside comments."""

    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)

    @property
    def is_word(self) -> bool:
        """Whether it is a word or name."""
        return self.text[0].isalpha() or self.text[0] == "_"


@dataclass(frozen=True, slots=True)
class Page:
    """A file: its text, what its words mean (by their offset), and all words that mean anything."""

    path: Path
    text: str
    uses: dict[int, Use]
    known: frozenset[str]

    def tokens(self) -> list[Token]:
        """All tokens but comments."""
        found = (Token(match.group(), match.start()) for match in TOKEN.finditer(self.text))
        return [token for token in found if not token.text.startswith(("--", "#"))]

    def slip(self, kind: str, token: Token, new: str, *repair: str, lines: int = 0) -> Slip:
        """Another text for a token."""
        return Slip(kind, self.path, token.start, token.end, new, repair, lines)


Maker = Callable[[Page], Iterator[Slip]]


def _quoted(word: str) -> str:
    return f"`{word}`"


# ---------------------------------------------------------------- names

NEIGHBOURS = dict(zip("abcdefghijklmnopqrstuvwxyz", "svxsrdfgujkjknibqetryxwczs", strict=True))


def left_out(word: str) -> str:
    """A letter is missing."""
    return word[: len(word) // 2] + word[len(word) // 2 + 1 :]


def exchanged(word: str) -> str:
    """Two letters in the wrong order."""
    at = max(1, len(word) // 2 - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def doubled(word: str) -> str:
    """A letter twice."""
    at = len(word) // 2
    return word[: at + 1] + word[at:]


def beside(word: str) -> str:
    """The key beside the right one."""
    at = len(word) // 2
    return word[:at] + NEIGHBOURS.get(word[at], "x") + word[at + 1 :]


def other_case(word: str) -> str:
    """A capital where none should be, or none where one should."""
    return word[0].swapcase() + word[1:]


def plural(word: str) -> str:
    """The plural."""
    return f"{word}s"


def dashed(word: str) -> str:
    """With a dash, as in prose."""
    return word.replace("_", "-", 1)


def joined(word: str) -> str:
    """In one word."""
    return word.replace("_", "", 1)


WAYS: dict[str, Callable[[str], str]] = {
    "letter left out": left_out,
    "letters exchanged": exchanged,
    "letter doubled": doubled,
    "wrong letter": beside,
    "capital": other_case,
    "plural": plural,
    "dash": dashed,
    "joined": joined,
}


def misspelt(sort: str, ways: tuple[str, ...]) -> Maker:
    """A name of this sort is misspelt where it is used, in one of these ways, in turn."""

    def make(page: Page) -> Iterator[Slip]:
        number = 0
        for token in page.tokens():
            use = page.uses.get(token.start)
            if use is None or use.is_declared or use.meaning.sort != sort or len(token.text) < 4:
                continue
            way = ways[number % len(ways)]
            new = WAYS[way](token.text)
            if new == token.text or new in page.known:
                continue
            number += 1
            yield page.slip(f"{sort} misspelt: {way}", token, new, _quoted(token.text))

    return make


# ---------------------------------------------------------------- words of the language


def keyword(word: str, *wrong: str, name: str = "") -> Maker:
    """A word of the language is misspelt, or said as in another language."""

    def make(page: Page) -> Iterator[Slip]:
        number = 0
        for token in page.tokens():
            if token.text == word and token.start not in page.uses:
                yield page.slip(
                    name or f"word misspelt: {word}", token, wrong[number % len(wrong)],
                    _quoted(word), f" {word} ", f"{word} ",
                )  # fmt: skip
                number += 1

    return make


def dropped(word: str) -> Maker:
    """A word of the language is missing."""

    def make(page: Page) -> Iterator[Slip]:
        for token in page.tokens():
            if token.text == word and token.start not in page.uses:
                end = token.end + (page.text[token.end : token.end + 1] == " ")
                yield Slip(
                    f"word missing: {word}", page.path, token.start, end, "",
                    (_quoted(word), f"{word} "),
                )  # fmt: skip

    return make


def pattern(kind: str, wanted: str, new: str, *repair: str, lines: int = 0) -> Maker:
    """What fits a regular expression is written in another way."""
    expression = re.compile(wanted, re.MULTILINE)

    def make(page: Page) -> Iterator[Slip]:
        for match in expression.finditer(page.text):
            line = page.text.rfind("\n", 0, match.start()) + 1
            if "--" in page.text[line : match.start()] or page.text[line:].startswith("#"):
                continue
            if page.text[line : match.start()].count('"') % 2:
                continue
            yield Slip(
                kind, page.path, match.start(), match.end(), match.expand(new), repair, lines
            )

    return make


# ---------------------------------------------------------------- lines


def less_indented(page: Page) -> Iterator[Slip]:
    """A line lost its indentation."""
    for match in re.finditer(r"(?<=\n)    (?=[a-z])", page.text):
        yield Slip("indent lost", page.path, match.start(), match.end(), "", (), 1)


def more_indented(page: Page) -> Iterator[Slip]:
    """A line is indented too far."""
    for match in re.finditer(r"(?<=\n)    (?=[a-z])", page.text):
        yield Slip("indent too deep", page.path, match.end(), match.end(), "    ", ("indent",), 1)


def with_tab(page: Page) -> Iterator[Slip]:
    """A tab for blanks."""
    for match in re.finditer(r"(?<=\n)    (?=[a-z])", page.text):
        yield Slip("tab", page.path, match.start(), match.end(), "\t", ("blank", "space"))
