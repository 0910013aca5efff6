"""The forms of names in one language: cases, articles, numbers. A language declares them in its
texts (see docs/data.md, section 7); the categories of numbers are those of CLDR.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

# Unicode CLDR, release 46, plural rules of cardinals, for whole numbers that are not negative:
# https://www.unicode.org/cldr/charts/46/supplemental/language_plural_rules.html


def _one(n: int) -> str:
    return "one" if n == 1 else "other"


def _zero_or_one(n: int) -> str:
    return "one" if n in (0, 1) else "other"


def _none(_: int) -> str:
    return "other"


def _slavic(n: int) -> str:
    if n % 10 == 1 and n % 100 != 11:
        return "one"
    return "few" if n % 10 in (2, 3, 4) and n % 100 not in (12, 13, 14) else "many"


def _polish(n: int) -> str:
    return "one" if n == 1 else "many" if _slavic(n) == "one" else _slavic(n)


def _czech(n: int) -> str:
    return "one" if n == 1 else "few" if n in (2, 3, 4) else "other"


_PLURALS: Mapping[str, Callable[[int], str]] = {
    **dict.fromkeys(("fr", "pt", "hi"), _zero_or_one),
    **dict.fromkeys(("ja", "ko", "zh", "vi", "th", "id"), _none),
    **dict.fromkeys(("ru", "uk"), _slavic),
    "pl": _polish,
    **dict.fromkeys(("cs", "sk"), _czech),
}
"""Languages in which not just 1 is `one`; all others here have `one` and `other`."""


def plural_category(language: str, number: int) -> str:
    """The category of a number: `one`, `few`, `many` or `other`."""
    return _PLURALS.get(language.partition("_")[0].partition("-")[0], _one)(abs(number))


class Forms:
    """Gives names the forms that texts ask for. `texts`: those of the language; `own`: the forms
    that names give themselves, by name."""

    def __init__(self, texts: Mapping[str, str], own: Mapping[str, Mapping[str, str]]) -> None:
        self._texts = texts
        self._own = own
        self._done: dict[tuple[str, str], str] = {}

    def take(self, name: str, form: str | None) -> str:
        """A name in a form; as it is where none is asked for, or the language has no such form."""
        if not form:
            return name
        key = (name, form)
        if key not in self._done:
            self._done[key] = self._made(name, form)
        return self._done[key]

    def _made(self, name: str, form: str) -> str:
        own = self._own.get(name, {})
        if form in own:
            return own[form]
        class_ = own.get("class") or self._class_of(name)
        rule = self._texts.get(f"form.{form}.{class_}") or self._texts.get(f"form.{form}")
        if rule is None:
            return name
        if "{name}" in rule:
            return rule.replace("{name}", name)
        return self._inflected(name, _pairs(rule), self._words(f"form.{form}.until"))

    def _class_of(self, name: str) -> str:
        """The class (such as the gender) that a name has by its ending: of several endings that fit
        the longest counts."""
        found = ("", "")
        for key, text in self._texts.items():
            if key.startswith("class."):
                for ending in text.split(", "):
                    if name.lower().endswith(ending) and len(ending) > len(found[0]):
                        found = (ending, key.removeprefix("class."))
        return found[1]

    def _words(self, key: str) -> frozenset[str]:
        return frozenset(self._texts.get(key, "").split(", "))

    def _inflected(self, name: str, pairs: list[tuple[str, str]], until: frozenset[str]) -> str:
        """Each word with its new ending, up to the first of the words that end the phrase."""
        words = re.split(r"(\s+)", name)
        for place, word in enumerate(words):
            if word in until:
                break
            for old, new in pairs:
                if word.endswith(old) and len(word) > len(old):
                    words[place] = word.removesuffix(old) + new
                    break
        return "".join(words)


def _pairs(rule: str) -> list[tuple[str, str]]:
    """Endings and what takes their place, the longest first."""
    found = [part.partition(" > ") for part in rule.split(", ")]
    return sorted(((old, new) for old, _, new in found), key=lambda pair: -len(pair[0]))
