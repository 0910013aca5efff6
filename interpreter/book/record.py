"""A rulebook as plain records; HTML, Markdown and PDF are written from them. All texts are plain
text: whoever writes them escapes them."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.table.picture import Picture


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a list, with what belongs under it."""

    text: str
    inner: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph; one `is_aside` says less than the others. `is_english`: whatever the language
    of the book."""

    text: str
    is_aside: bool = False
    is_english: bool = False


@dataclass(frozen=True, slots=True)
class Bullets:
    """A list, with what leads to it. `is_detail`: it says exactly what was said before; a reader
    may pass over it. `is_english`: it is in English, whatever the language of the book."""

    items: tuple[Item, ...]
    lead: str = ""
    is_detail: bool = False
    is_english: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    """A table. `columns` on the right: those of numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Figure:
    """Pictures beside each other, with what they show in words."""

    pictures: tuple[Picture, ...]
    caption: str
    is_wide: bool = False


@dataclass(frozen=True, slots=True)
class Title:
    """A heading in a chapter, `level` 3 or 4, to which an index can point by its anchor. `note`: a
    word behind it, such as when it applies."""

    text: str
    anchor: str
    level: int = 3
    note: str = ""


Block = Paragraph | Bullets | Grid | Figure | Title


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter of the book."""

    title: str
    anchor: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """A rulebook. `index`: words with the anchors at which they are told of; `words` are those of
    the book itself, in its language."""

    title: str
    subtitle: str
    language: str
    chapters: tuple[Chapter, ...]
    index: tuple[tuple[str, str], ...]
    contents_word: str
    index_word: str
    exactly_word: str
