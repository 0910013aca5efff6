"""All texts that people read in a game, by their keys: what a translation can give."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dsl.check import fit
from dsl.check.merged import Merged
from dsl.core import nodes as core
from dsl.core.types import ChoiceType
from dsl.diagnostics import Bag
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.locales import Locale
from dsl.project.parts import TextLine
from interpreter.session.words import WORDS

PASS = "pass"

_UNSEEN = ("define.", "always.", "phase.")
"""Texts that no player meets: the designer's checker speaks English."""

_MADE = ("form.", "class.")
"""Keys with which a language says how its names are formed."""


def texts_of(merged: Merged, program: core.Program) -> dict[str, str]:
    """Every key with its text, in the order of the data and of the rules."""
    found = dict(_of_data(merged))
    for key, text in program.texts.items():
        if key in program.said and not key.startswith(_UNSEEN) and _is_read(program, key):
            found.setdefault(key, text)
    for key, text in _holders(program):
        found.setdefault(key, text)
    for column in program.columns.values():
        if isinstance(column.type, ChoiceType):
            for word in column.type.values:
                key = f"word.{word}"
                found.setdefault(key, merged.texts.get(key, word.replace("_", " ")))
    found.setdefault("answer.pass", PASS)
    return found | {key: text for key, text in WORDS.items() if key not in found}


def _is_read(program: core.Program, key: str) -> bool:
    """Whether people read a text: of fields only those that a table shows, of kinds only those of
    which things may lie somewhere."""
    what, _, name = key.partition(".")
    if what == "field":
        columns, zones = program.columns, program.zones
        found = columns.get(name) or zones.get(name)
        return found is not None and found.is_shown
    if what == "kind":
        named = {zone.holds for zone in program.zones.values()}
        named |= {name for name, kind in program.kinds.items() if kind.base is None}
        return name in {fit.kind_word(each) for each in named}
    return True


def _holders(program: core.Program) -> Iterator[tuple[str, str]]:
    """What things are called that hold or have something, such as the bank."""
    for name, kind in program.kinds.items():
        ids = program.families[kind.family].ids
        if kind.members and len(kind.members) == 1 and ids[kind.members[0]] == name:
            yield f"term.{name}.one", program.names[kind.family][kind.members[0]]
    for zone in program.zones.values():
        if zone.back is not None:
            yield f"field.{zone.holds}.{zone.back}", zone.back.replace("_", " ")


def _of_data(merged: Merged) -> Iterator[tuple[str, str]]:
    yield "title", merged.title
    yield "description", merged.description
    for seat, name in merged.seats:
        yield f"seat.{seat}", name
    for what in ("one", "other", "symbol"):
        if what in merged.currency:
            yield f"currency.{what}", merged.currency[what]
    for term, (one, other) in merged.terms.items():
        yield f"term.{term}.one", one
        yield f"term.{term}.other", other
    for section, rows in merged.sections.items():
        for row in rows:
            # Copies share their texts: the key has the id as it is written.
            id_ = row.id_span.text.strip("\"'")
            yield f"thing.{section}.{id_}.name", row.name
            if row.text is not None:
                yield f"thing.{section}.{id_}.text", row.text


def known_keys(merged: Merged, programs: Iterable[core.Program]) -> dict[str, str]:
    """The keys of all texts there are, shown or not, with the text that rules and data have."""
    found = dict(WORDS)
    for program in programs:
        found |= texts_of(merged, program) | program.said
        found |= {f"word.{word}": word for word in _choice_words(program)}
        words = [fit.kind_word(name) for name in program.kinds]
        words += [key.split(".")[1] for key in program.said if key.startswith("unit.")]
        ends = ("", ".one", ".other")
        found |= {f"term.{word}{end}": word for word in words for end in ends}
    things = [key for key in found if key.startswith("thing.") and key.endswith(".name")]
    return {key.removesuffix("name") + "text": "" for key in things} | found


def _choice_words(program: core.Program) -> Iterator[str]:
    sites = [type_ for site in program.sites.values() for _, type_ in site.scope]
    for type_ in (*sites, *(column.type for column in program.columns.values())):
        value = getattr(type_, "value", type_)
        for part in (value, getattr(type_, "key", None)):
            if isinstance(part, ChoiceType):
                yield from part.values


def report_lost(locales: Iterable[Locale], known: dict[str, str], bag: Bag) -> None:
    """A warning for each text that nothing asks for, and each hole that has no value there."""
    for locale in locales:
        for key, line in locale.lines.items():
            if not locale.is_own or key.startswith(("word.", *_MADE)):
                continue
            if _is_form(key, locale, known):
                continue
            if key in known:
                _report_holes(key, line, known[key], bag)
            else:
                near = did_you_mean(key, _near(key, known)) or _longer(key, known)
                bag.warning("RW1018", line.span, f"no text has the key `{key}`", help=near)


def _is_form(key: str, locale: Locale, known: dict[str, str]) -> bool:
    """Whether a text is a name in a form that its language declares."""
    name, _, form = key.rpartition(".")
    is_declared = form == "class" or any(f"form.{form}" in each for each in locale.lines)
    return is_declared and (f"{name}.name" in known or f"{name}.one" in known)


def _report_holes(key: str, line: TextLine, text: str, bag: Bag) -> None:
    holes = _holes(text)
    for hole in _holes(line.text):
        if key.startswith("thing.") or hole in holes or hole.partition(":")[0] in holes:
            continue
        near = did_you_mean(hole, holes)
        has = " and ".join(f"`{{{each}}}`" for each in holes)
        bag.warning(
            "RW1020",
            line.span,
            f"`{key}` has no value for `{{{hole}}}`, so people would read it as it stands",
            help=near or (f"there is {has}" if holes else "a brace is written twice: `{{`"),
        )


def _holes(text: str) -> list[str]:
    """What stands in single braces."""
    plain = text.replace("{{", "").replace("}}", "")
    return list(dict.fromkeys(re.findall(r"\{([^{}]*)\}", plain)))


def _near(key: str, known: dict[str, str]) -> list[str]:
    """The keys that begin alike: of some hundreds the nearest would often be of another kind."""
    first = key.partition(".")[0]
    return sorted(each for each in known if each.partition(".")[0] == first) or sorted(known)


def _longer(key: str, known: dict[str, str]) -> str:
    """The whole key, where only its last words were written."""
    whole = sorted(each for each in known if each.endswith(f".{key}"))
    return f"did you mean `{whole[0]}`?" if whole else "`rulewright texts NAME` lists all keys"
