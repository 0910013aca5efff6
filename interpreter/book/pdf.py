"""Writes a rulebook, or sheets to print, as PDF, through Typst. Texts are handed over as data, so
that nothing in them is a sign of its language; it fetches nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from importlib.resources import files

import typst

from interpreter.book.html import svg
from interpreter.book.record import Block, Book, Figure
from interpreter.table.picture import Picture


def write_pdf(book: Book) -> bytes:
    """The whole book."""
    chapters = [
        {
            "title": chapter.title,
            "anchor": chapter.anchor,
            "blocks": [_block(block) for block in chapter.blocks],
        }
        for chapter in book.chapters
    ]
    language = re.match(r"[a-z]{2,3}(?![a-z])", book.language)
    said = {
        "title": book.title,
        "subtitle": book.subtitle,
        "lang": language[0] if language else "en",
        "chapters": chapters,
        "index": book.index,
        "index_word": book.index_word,
    }
    return _compiled("book.typ", book=said)


def write_sheets_pdf(sheets: Sequence[Picture], title: str) -> bytes:
    """Sheets to print, in their own size."""
    pages = [
        {"width": sheet.width, "height": sheet.height, "svg": svg(sheet), "alt": sheet.alt}
        for sheet in sheets
    ]
    return _compiled("sheets.typ", sheets={"title": title, "pages": pages})


def _compiled(template: str, **said: object) -> bytes:
    main = files(__package__).joinpath(template).read_bytes()
    inputs = {name: json.dumps(value, ensure_ascii=False) for name, value in said.items()}
    made = typst.compile(main, format="pdf", sys_inputs=inputs)
    assert isinstance(made, bytes)
    return made


def _block(block: Block) -> dict[str, object]:
    sort = type(block).__name__.lower()
    if isinstance(block, Figure):
        pictures = [{"svg": svg(each), "alt": each.alt} for each in block.pictures]
        return {
            "sort": sort,
            "pictures": pictures,
            "caption": block.caption,
            "is_wide": block.is_wide,
        }
    return {"sort": sort, **asdict(block)}
