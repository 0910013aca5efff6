"""Writes a rulebook as one HTML file that asks for nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from importlib.resources import files

from interpreter.book.record import Block, Book, Bullets, Figure, Grid, Item, Paragraph, Title
from interpreter.table.picture import Picture


def write_html(book: Book) -> str:
    """The whole book as one page."""
    return "\n".join(_page(book)) + "\n"


def write_sheets(sheets: Sequence[Picture], title: str, language: str, paper: str) -> str:
    """Sheets to print, each on a page of its own."""
    style = style_of("sheets.css").replace("PAPER", "A4" if paper == "a4" else paper)
    lines = [*page_head(title, language, style), "<body><main>"]
    lines += [f"<section>{svg(sheet, is_sized=True)}</section>" for sheet in sheets]
    return "\n".join([*lines, "</main></body></html>"]) + "\n"


def page_head(title: str, language: str, style: str) -> Iterator[str]:
    """What every page begins with; no script, nothing from elsewhere."""
    yield "<!DOCTYPE html>"
    yield f'<html lang="{escape(language)}">'
    yield "<head>"
    yield '<meta charset="utf-8"/>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
    yield (
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\"/>"
    )
    yield f"<title>{escape(title)}</title>"
    yield f"<style>\n{style}</style>"
    yield "</head>"


def svg(picture: Picture, *, is_sized: bool = False) -> str:
    """A picture as an element of the page; `is_sized`: as large as it is meant to be."""
    size = f' width="{picture.width:g}mm" height="{picture.height:g}mm"' if is_sized else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(picture.alt)}" '
        f'viewBox="0 0 {picture.width:g} {picture.height:g}"{size}>{picture.body}</svg>'
    )


def style_of(name: str) -> str:
    """A style sheet of this package."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def _page(book: Book) -> Iterator[str]:
    yield from page_head(book.title, book.language, style_of("book.css"))
    yield "<body>"
    yield f"<header><h1>{escape(book.title)}</h1>"
    if book.subtitle:
        yield f"<p>{escape(book.subtitle)}</p>"
    yield "</header>"
    yield f'<nav aria-label="{escape(book.contents_word)}"><ol>'
    for chapter in book.chapters:
        yield f'<li><a href="#{escape(chapter.anchor)}">{escape(chapter.title)}</a></li>'
    yield f'<li><a href="#index">{escape(book.index_word)}</a></li></ol></nav>'
    yield "<main>"
    for chapter in book.chapters:
        yield f'<section id="{escape(chapter.anchor)}"><h2>{escape(chapter.title)}</h2>'
        for block in chapter.blocks:
            yield from _block(block, book)
        yield "</section>"
    yield f'<section id="index"><h2>{escape(book.index_word)}</h2><ul class="index">'
    for word, anchor in book.index:
        yield f'<li><a href="#{escape(anchor)}">{escape(word)}</a></li>'
    yield "</ul></section></main></body></html>"


def _block(block: Block, book: Book) -> Iterator[str]:
    match block:
        case Title(text=text, anchor=anchor, level=level, note=note):
            behind = f" <small>{escape(note)}</small>" if note else ""
            yield f'<h{level} id="{escape(anchor)}">{escape(text)}{behind}</h{level}>'
        case Paragraph(text=text, is_aside=is_aside, is_english=is_english):
            yield f"<p{_class(is_aside)}{_language(book, is_english)}>{escape(text)}</p>"
        case Bullets():
            yield from _bullets(block, book)
        case Grid(head=head, rows=rows):
            yield '<div class="grid"><table><thead><tr>'
            yield "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
            yield "</tr></thead><tbody>"
            for row in rows:
                yield f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>"
            yield "</tbody></table></div>"
        case Figure(pictures=pictures, caption=caption, is_wide=is_wide):
            yield f'<figure class="{"wide" if is_wide else "cards"}"><div>'
            yield from map(svg, pictures)
            yield f"</div><figcaption>{escape(caption)}</figcaption></figure>"


def _class(is_aside: bool) -> str:
    return ' class="aside"' if is_aside else ""


def _language(book: Book, is_english: bool) -> str:
    return ' lang="en"' if is_english and book.language != "en" else ""


def _bullets(block: Bullets, book: Book) -> Iterator[str]:
    language = _language(book, block.is_english)
    if block.is_detail:
        yield f"<details{language}><summary>{escape(book.exactly_word)}</summary>"
    if block.lead:
        yield f'<p class="lead">{escape(block.lead)}</p>'
    yield f"<ul{language}>{''.join(_items(block.items))}</ul>"
    if block.is_detail:
        yield "</details>"


def _items(items: tuple[Item, ...]) -> Iterator[str]:
    for item in items:
        inner = f"<ul>{''.join(_items(item.inner))}</ul>" if item.inner else ""
        yield f"<li>{escape(item.text)}{inner}</li>"
