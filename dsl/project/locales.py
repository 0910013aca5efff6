"""All texts that a game is given by keys, in all its languages, for those who check them: a game
has one at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dsl.diagnostics.record import Bag
from dsl.project.chain import open_variant, read_chain, read_mods
from dsl.project.find import Library
from dsl.project.parts import LOCALE, Part, TextLine, Wanted, locale_files, locale_lines, own_lines
from dsl.records import record
from dsl.source import NOWHERE


@record
class Locale:
    """The texts of one folder in one language, or those of its data (None). `is_own`: of what was
    named, not of a parent; `folder`: where its file lies."""

    layer: str
    language: str | None
    lines: dict[str, TextLine]
    is_own: bool
    folder: Path | None = None


def read_locales(
    library: Library, name_or_path: str | Path, mods: Sequence[str | Path], bag: Bag
) -> list[Locale]:
    """All texts of a variant with its mods in all languages; mistakes in the files are in the bag.

    Nothing if the variant can't be read: that is reported by whoever loads it.
    """
    known = Bag()
    opened = open_variant(library, name_or_path, NOWHERE, known)
    if opened is None:
        return []
    around = library.beside(opened.folder)
    wanted = Wanted(scenarios=False)
    chain = read_chain(opened, around, wanted, known)
    laid = read_mods(mods, [NOWHERE] * len(mods), around, wanted, known)
    own = laid or (chain or [])[-1:]
    parts = [*(chain or []), *(laid or [])]
    found = [
        Locale(part.name, language, locale_lines(path, bag), part in own, path.parent)
        for part in parts
        for language, path in locale_files(part.folder.path / LOCALE, Bag()).items()
    ]
    return [*found, *(Locale(part.name, None, _of_data(part), part in own) for part in parts)]


def _of_data(part: Part) -> dict[str, TextLine]:
    """What the data give by a key: texts, and terms for words of the rules."""
    terms = part.entries("terms")
    words = {f"term.{entry.name}": TextLine("", entry.key.span) for entry in terms}
    return {**own_lines(part.data), **words}
