"""Writes a rulebook as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator

from interpreter.book.record import Block, Book, Bullets, Figure, Grid, Item, Paragraph, Title

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&])")
_LINE_START = re.compile(r"^(\d+)([.)])|^([-+=])")


def write_markdown(book: Book) -> str:
    """The whole book as one text."""
    lines = [f"# {escaped(book.title)}", ""]
    if book.subtitle:
        lines += [escaped(book.subtitle), ""]
    lines += [f"- [{escaped(each.title)}](#{each.anchor})" for each in book.chapters]
    lines += [f"- [{escaped(book.index_word)}](#index)", ""]
    for chapter in book.chapters:
        lines += [*_anchor(chapter.anchor), f"## {escaped(chapter.title)}", ""]
        for block in chapter.blocks:
            lines += [*_block(block), ""]
    lines += [*_anchor("index"), f"## {escaped(book.index_word)}", ""]
    lines += [f"- [{escaped(word)}](#{anchor})" for word, anchor in book.index]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """A text in which nothing is a sign of Markdown."""
    flat = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _LINE_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", flat)


def _anchor(anchor: str) -> list[str]:
    return [f'<a id="{anchor}"></a>', ""]


def _block(block: Block) -> Iterator[str]:
    match block:
        case Title(text=text, anchor=anchor, level=level, note=note):
            yield from _anchor(anchor)
            behind = f" *{escaped(note)}*" if note else ""
            yield f"{'#' * level} {escaped(text)}{behind}"
        case Paragraph(text=text, is_aside=is_aside):
            yield f"*{escaped(text)}*" if is_aside else escaped(text)
        case Bullets(items=items, lead=lead):
            if lead:
                yield from (escaped(lead), "")
            yield from _items(items, 0)
        case Grid(head=head, rows=rows):
            yield _row(head)
            yield f"|{' --- |' * len(head)}"
            yield from map(_row, rows)
        case Figure(caption=caption, pictures=pictures):
            yield f"*{escaped(caption)}: {escaped(', '.join(each.alt for each in pictures))}*"


def _row(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(escaped(cell) for cell in cells)} |"


def _items(items: tuple[Item, ...], depth: int) -> Iterator[str]:
    for item in items:
        yield f"{'  ' * depth}- {escaped(item.text)}"
        yield from _items(item.inner, depth + 1)
