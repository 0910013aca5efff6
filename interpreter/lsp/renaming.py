"""Giving a name another one wherever it stands: in rules, data and translations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from dsl.check import fit
from dsl.check.notes import Meaning
from dsl.data.node import DataNode, Mapping
from dsl.diagnostics import Bag
from dsl.project.files import open_text, open_texts, read_data
from dsl.project.find import listed
from dsl.project.parts import LOCALE
from dsl.source import Span
from interpreter.lsp.analysis import Analysis, analyse
from interpreter.lsp.places import path_of_source

NAME = re.compile(r"[a-z][a-z0-9_]*")
KIND = re.compile(r"[A-Z][A-Za-z0-9]*")
HOLE = re.compile(r"\{([^{}:\n]+)(?::[^{}\n]*)?\}")
"""A hole of a text, perhaps with the form that it asks for."""

Wanted = tuple[tuple[str, int], ...]

# By the sort of a meaning: how the keys of its texts begin, and which part of a key is its name.
_KEYS: dict[str, Wanted] = {
    "entity": (("thing", 2), ("seat", 1)),
    "switch": (("switch", 1),),
    "rule": (("rule", 1),),
    "option": (("option", 1),),
    "phase": (("phase", 1),),
    "window": (("window", 1),),
    "strategy": (("strategy", 1),),
    "question": (("question", 1), ("answer", 1)),
    "answer": (("answer", 2),),
    "word": (("word", 1),),
    "kind": (("field", 1),),
    "field": (("field", 2),),
}


_OF_KIND: Wanted = (("term", 1), ("kind", 1))


class NoRenameError(Exception):
    """A name that can't be changed; the text says why."""


def renamed(analysis: Analysis, meaning: Meaning, old: str, new: str) -> list[tuple[Span, str]]:
    """The edits that rename what a meaning means, in an analysis with all scenarios. Raises
    NoRenameError with the reason why not."""
    pattern = KIND if old[:1].isupper() else NAME
    if not pattern.fullmatch(new):
        wanted = "a capital and no `_`" if pattern is KIND else "small letters, digits and `_`"
        raise NoRenameError(f"`{new}` can't be its name: it is written with {wanted}.")
    reason = why_not(analysis, meaning)
    if reason is not None:
        raise NoRenameError(reason)
    declared = analysis.uses.declaration(meaning)
    if declared is not None and declared.span.text != old:
        whole = f"rename `{declared.span.text}` where it is declared"
        raise NoRenameError(f"`{old}` is one of several copies: {whole}.")
    edits = list(_uses(analysis, meaning, old, new))
    if meaning.sort == "kind" and pattern is KIND:
        edits += _words_of_kind(analysis, old, new)
    owner = meaning.name.rpartition(".")[0] if meaning.sort == "field" else None
    keys = _keys(analysis, _KEYS.get(meaning.sort, ()), old, owner)
    edits += [(span, new) for span in keys]
    edits += _holes(analysis, meaning, old, new)
    edits = list({(e[0].source.name, e[0].start): e for e in edits}.values())
    _try(analysis, edits, old, new)
    return edits


def _uses(analysis: Analysis, meaning: Meaning, old: str, new: str) -> Iterator[tuple[Span, str]]:
    """All places of a name; of something of which there are several copies, theirs too."""
    declared = analysis.uses.declaration(meaning)
    copies = re.compile(rf"{re.escape(old)}(_\d+)")
    for use in analysis.uses.of(meaning):
        if use.span.text == old:
            yield use.span, new
    if declared is None or meaning.sort != "entity":
        return
    root = meaning.name.partition(".")[0]
    for (sort, name), uses in analysis.uses.by_meaning.items():
        copy = copies.fullmatch(name.partition(".")[2])
        if sort == "entity" and copy is not None and name.startswith(f"{root}."):
            for use in uses:
                if use.span.text == f"{old}{copy[1]}":
                    yield use.span, f"{new}{copy[1]}"


def why_not(analysis: Analysis, meaning: Meaning) -> str | None:
    """Why what is meant can't be renamed here."""
    declared = analysis.uses.declaration(meaning)
    if declared is None or meaning.name.startswith(".") or meaning.sort == "unit":
        return "This name is not declared in the rules or data here."
    folder = analysis.folder.path.absolute()
    if not path_of_source(declared.span.source.name).is_relative_to(folder):
        return f"It is declared in {declared.span.source.name}, which does not belong to this."
    if meaning.sort == "kind" and analysis.merged is not None:
        world = analysis.notes.world
        assert world is not None
        info = world.kinds.get(meaning.name)
        sections = analysis.merged.sections
        if info is not None and info.plural in sections and info.base is None:
            return (
                f"Its entries stand under `{info.plural}` in the data, which is made of its name."
            )
    return None


def _words_of_kind(analysis: Analysis, old: str, new: str) -> Iterator[tuple[Span, str]]:
    """A parameter of the name of a kind is of this kind without saying so; and texts name kinds."""
    word = fit.kind_word(old)
    for span in (*_keys(analysis, _OF_KIND, word), *_terms(analysis, word)):
        yield span, fit.kind_word(new)
    for uses in analysis.uses.by_source.values():
        for use in uses:
            if use.meaning.sort == "local" and use.span.text == word:
                yield use.span, fit.kind_word(new)


def _terms(analysis: Analysis, word: str) -> Iterator[Span]:
    """Where the data say how a kind is called."""
    read = read_data(analysis.folder.file, Bag(), is_outer=True)
    terms = read[1].get("terms") if read is not None and isinstance(read[1], Mapping) else None
    for entry in terms.entries if isinstance(terms, Mapping) else ():
        if entry.name == word and entry.key.span.text == word:
            yield entry.key.span


def _holes(analysis: Analysis, meaning: Meaning, old: str, new: str) -> Iterator[tuple[Span, str]]:
    """The holes of translations that are called like holes of texts in which it is named."""
    called: dict[str, str] = {}
    for use in analysis.uses.of(meaning):
        hole = _hole_around(use.span)
        if use.span.text == old and hole is not None:
            at = use.span.start - hole.start
            called[hole.text] = hole.text[:at] + new + hole.text[at + len(old) :]
    for path in _translations(analysis):
        read = read_data(path, Bag(), is_outer=False)
        node = read[1] if called and read is not None else None
        source = node.span.source if node is not None else None
        for match in HOLE.finditer(source.text) if source is not None else ():
            if match[1] in called:
                assert source is not None
                yield Span(source, match.start(1), match.end(1)), called[match[1]]


def _hole_around(span: Span) -> Span | None:
    """The hole of a text in which a place lies, without its brackets."""
    text = span.source.text
    begin = text.rfind("{", 0, span.start) + 1
    end = text.find("}", span.end)
    whole = text[begin:end]
    return Span(span.source, begin, end) if begin and not re.search(r'[\n"{}]', whole) else None


def _translations(analysis: Analysis) -> Iterator[Path]:
    return (path for path in listed(analysis.folder.path / LOCALE) if path.suffix == ".yaml")


def _keys(analysis: Analysis, wanted: Wanted, old: str, owner: str | None = None) -> Iterator[Span]:
    """Where the keys of texts name it, in the data and in translations. `owner`: the kind that must
    stand before a field, for others can have one of that name."""
    for path, inside in (
        (analysis.folder.file, "texts"),
        *((path, None) for path in _translations(analysis)),
    ):
        read = read_data(path, Bag(), is_outer=inside is not None)
        node = read[1] if read is not None else None
        if inside is not None:
            node = node.get(inside) if isinstance(node, Mapping) else None
        if node is not None:
            yield from _parts(node, (), wanted, old, owner)


def _parts(
    node: DataNode, outer: tuple[str, ...], wanted: Wanted, old: str, owner: str | None
) -> Iterator[Span]:
    for entry in node.entries if isinstance(node, Mapping) else ():
        words = entry.name.split(".")
        whole = (*outer, *words)
        for first, number in wanted:
            inside = number - len(outer)
            if owner is not None and whole[number - 1 : number] != (owner,):
                continue
            if whole[0] == first and 0 <= inside < len(words) and words[inside] == old:
                span = entry.key.span
                at = span.text.find(entry.name) + sum(len(word) + 1 for word in words[:inside])
                yield Span(span.source, span.start + at, span.start + at + len(old))
        yield from _parts(entry.value, whole, wanted, old, owner)


def _try(analysis: Analysis, edits: list[tuple[Span, str]], old: str, new: str) -> None:
    """Checks the texts as they would be: a name that is taken must not come to mean two things."""
    before = open_texts()
    by_source: dict[str, list[tuple[Span, str]]] = {}
    for span, text in edits:
        by_source.setdefault(span.source.name, []).append((span, text))
    path = path_of_source(analysis.edited)
    was = sum(each.severity == "error" for each in analysis.diagnostics)
    try:
        for name, own in by_source.items():
            open_text(path_of_source(name), edited_text(own[0][0].source.text, own))
        again = analyse(analysis.folder, path, scenarios=True)
    finally:
        for name in by_source:
            place = path_of_source(name)
            open_text(place, before.get(str(place)))
    errors = [each for each in again.diagnostics if each.severity == "error"]
    if len(errors) > was:
        raise NoRenameError(f"`{old}` can't be called `{new}`: {errors[0].message}.")


def edited_text(text: str, edits: list[tuple[Span, str]]) -> str:
    """A text with edits made, none of which overlap."""
    for span, new in sorted(edits, key=lambda edit: -edit[0].start):
        text = text[: span.start] + new + text[span.end :]
    return text
