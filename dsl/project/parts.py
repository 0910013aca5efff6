"""One variant or mod as its folder has it: data, scripts and texts, read but not yet merged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from dsl.data.node import DataNode, Entry, Mapping, Scalar, Sequence
from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import suggest
from dsl.project.files import read_data, read_script
from dsl.project.find import MOD_FILE, VARIANT_FILE, Folder, is_directory, listed, shown
from dsl.records import record
from dsl.source import Source, Span
from dsl.syntax import nodes as syntax

SCRIPT_FOLDERS = ("rules", "strategies", "scenarios")
LOCALE = "locale"
STAMPS = ".stamps.json"
"""The end of the file beside a language that has, for each text, of which English it was made."""

_KEY = re.compile(r"[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*")
_ONE_LINE = re.compile(r"title|(seat|term|currency)\..*|thing\..*\.name")


@record
class Wanted:
    """What is read beside the data and the rules."""

    language: str = "en"
    scenarios: bool = True


@record
class TextLine:
    """A text and the place of its key."""

    text: str
    span: Span


@record
class Part:
    """What one folder says. `sources` are the texts that decide how the game goes, in order.

    `texts` are by message key, those of the wanted language over those of the data.
    """

    name: str
    folder: Folder
    data: Mapping
    declarations: tuple[syntax.Decl, ...]
    texts: dict[str, TextLine]
    languages: tuple[str, ...]
    sources: tuple[tuple[str, Source], ...]
    are_scripts_whole: bool
    unread: tuple[Span, ...] = ()

    @property
    def is_mod(self) -> bool:
        """Whether it is laid over variants."""
        return self.folder.is_mod

    @property
    def is_complete(self) -> bool:
        """Whether no mistake has taken something away that others may refer to."""
        return self.are_scripts_whole and self._is_data_complete()

    def _is_data_complete(self) -> bool:
        things = self.data.get("things")
        if not isinstance(things, Mapping):
            return self.data.is_complete
        return (
            self.data.is_complete
            and things.is_complete
            and all(entry.is_complete for _, entry in section_entries(things))
        )

    def word(self, name: str) -> Scalar | None:
        """An entry of the data that is a word or a text."""
        return text_node(self.data.get(name))

    def words(self, name: str) -> list[tuple[str, Span]]:
        """An entry of the data that is a list of words."""
        node = self.data.get(name)
        items = node.items if isinstance(node, Sequence) else ()
        return [
            (item.value, item.span)
            for item in items
            if isinstance(item, Scalar) and isinstance(item.value, str)
        ]

    def entries(self, name: str) -> tuple[Entry, ...]:
        """The entries of a mapping in the data."""
        node = self.data.get(name)
        return node.entries if isinstance(node, Mapping) else ()


def text_node(node: DataNode | None) -> Scalar | None:
    """The node if it is a text."""
    return node if isinstance(node, Scalar) and isinstance(node.value, str) else None


def section_entries(things: DataNode | None) -> Iterator[tuple[str, Mapping]]:
    """All entries of all sections that have the shape of entries."""
    for section in things.entries if isinstance(things, Mapping) else ():
        for item in section.value.items if isinstance(section.value, Sequence) else ():
            if isinstance(item, Mapping):
                yield section.name, item


def read_part(folder: Folder, wanted: Wanted, bag: Bag, *, is_parent: bool = False) -> Part | None:
    """Read all files of a variant or a mod. None, after an error, when there are no data.

    Scenarios of a parent are left out, their sayings are not.
    """
    read = read_data(folder.file, bag, is_outer=True)
    if read is None:
        return None
    source, data = read
    if not isinstance(data, Mapping):
        return None
    sources = [(folder.file.name, source)]
    declarations: list[syntax.Decl] = []
    is_whole, unread = True, list[Span]()
    for inner in SCRIPT_FOLDERS:
        if inner == "scenarios" and not wanted.scenarios:
            continue
        for path in _files(folder.path / inner, ".rules", bag):
            script = read_script(path, bag)
            if script is None:
                return None
            sources.append((f"{inner}/{path.name}", script.source))
            declarations += script.script.declarations
            is_whole = is_whole and script.is_whole
            unread += script.script.unread
    _warn_of_strays(folder, bag)
    if is_parent or not wanted.scenarios:
        declarations = [each for each in declarations if not isinstance(each, syntax.Scenario)]
    texts, languages = _texts(folder, data, wanted, bag)
    name = text_node(data.get("mod" if folder.is_mod else "variant"))
    return Part(
        str(name.value) if name else folder.name,
        folder,
        data,
        tuple(declarations),
        texts,
        languages,
        tuple(sources),
        is_whole,
        tuple(unread),
    )


def _files(folder: Path, ending: str, bag: Bag) -> list[Path]:
    """The files of a folder to be read, by name; a warning for each that looks forgotten."""
    found = []
    for path in listed(folder):
        if path.suffix == ending:
            found.append(path)
        elif path.name.endswith(STAMPS):
            continue
        else:
            reason = f"only files that end in `{ending}` are read"
            if is_directory(path):
                reason = "folders inside are not looked into"
            _warn_unread(path, reason, bag)
    return found


def _warn_of_strays(folder: Folder, bag: Bag) -> None:
    """Files and folders whose names say that they were meant to be read."""
    known = (*SCRIPT_FOLDERS, LOCALE)
    for path in listed(folder.path):
        if path.name in known or path == folder.file:
            continue
        if path.suffix == ".rules":
            _warn_unread(path, f"rules stand in the folder `{SCRIPT_FOLDERS[0]}`", bag)
        elif is_directory(path):
            near = suggest(path.name, known)
            if near:
                _warn_unread(path, f"did you mean `{near}`?", bag)
        elif path.name in (VARIANT_FILE, MOD_FILE):
            _warn_unread(path, f"`{folder.file.name}` beside it is", bag)


def _warn_unread(path: Path, reason: str, bag: Bag) -> None:
    name = shown(path)
    place = Span(Source(name, ""), 0, 0)
    bag.warning("RW1015", place, f"`{name}` is not read: {reason}")


# ---------------------------------------------------------------- texts


def _texts(
    folder: Folder, data: Mapping, wanted: Wanted, bag: Bag
) -> tuple[dict[str, TextLine], tuple[str, ...]]:
    languages, translated = read_locale(folder.path / LOCALE, wanted.language, bag)
    return own_lines(data) | translated, languages


def own_lines(data: Mapping) -> dict[str, TextLine]:
    """The texts that the data themselves have; their shape is checked with the rest of them."""
    own = data.get("texts")
    return dict(_lines(own, "", Bag())) if isinstance(own, Mapping) else {}


def locale_files(folder: Path, bag: Bag) -> dict[str, Path]:
    """The files of a folder with texts, by language."""
    return {path.stem: path for path in _files(folder, ".yaml", bag)}


def locale_lines(path: Path, bag: Bag) -> dict[str, TextLine]:
    """The texts of one file by their keys."""
    read = read_data(path, bag, is_outer=False)
    node = read[1] if read else None
    if isinstance(node, Mapping):
        return dict(_lines(node, "", bag))
    if node is not None:
        bag.error(
            "RW1014",
            node.span,
            "texts are given by their keys",
            help='write lines such as `thing.spaces.go.name: "Start"`',
        )
    return {}


def read_locale(
    folder: Path, language: str, bag: Bag
) -> tuple[tuple[str, ...], dict[str, TextLine]]:
    """The languages that a folder has, and its texts in one of them."""
    files = locale_files(folder, bag)
    path = files.get(language)
    return tuple(files), locale_lines(path, bag) if path else {}


def _lines(node: Mapping, outer: str, bag: Bag) -> Iterator[tuple[str, TextLine]]:
    """Keys and texts; keys may be written whole, or as entries inside entries."""
    for entry in node.entries:
        key = f"{outer}.{entry.name}" if outer else entry.name
        if not _KEY.fullmatch(entry.name):
            bag.error(
                "RW1014",
                entry.key.span,
                f"`{entry.name}` is not the key of a text",
                help="a key has words of letters, digits and `_`, joined by dots",
            )
        elif isinstance(entry.value, Mapping):
            yield from _lines(entry.value, key, bag)
        elif isinstance(entry.value, Scalar) and isinstance(entry.value.value, str):
            if _ONE_LINE.fullmatch(key) and "\n" in entry.value.value:
                bag.error("RW1014", entry.value.span, f"`{key}` is a name: it is one line")
            yield key, TextLine(entry.value.value, entry.key.span)
        else:
            bag.error(
                "RW1014",
                entry.value.span,
                f"`{key}` should be a text",
                help="put it in quotes",
            )
