"""Books of variants, and all that stands in them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from interpreter.book.make import Source, make_book
from interpreter.book.record import Book, Bullets, Figure, Grid, Item, Paragraph, Title
from interpreter.cli.docs import source_of
from interpreter.cli.options import Wish

TESTS = Path(__file__).resolve().parents[1]
RACE = str(TESTS / "playtest" / "games" / "race")
HOSTILE = str(TESTS / "games" / "variants" / "hostile")
GAMES = ("classic", "cthulhu", "crooked_cash", "jackpot", "card_game", "bid", "deal")


@cache
def source(name: str, language: str = "en", mods: tuple[str, ...] = ()) -> Source:
    """What the book of a variant is made of."""
    return source_of(Wish(name, mods=mods, language=language))


@cache
def book(name: str, language: str = "en", mods: tuple[str, ...] = ()) -> Book:
    """The book of a variant."""
    return make_book(source(name, language, mods))


def texts(told: Book) -> Iterator[str]:
    """All that can be read in a book, piece by piece."""
    yield told.title
    for chapter in told.chapters:
        yield chapter.title
        for block in chapter.blocks:
            match block:
                case Title(text=text, note=note):
                    yield from (text, note)
                case Paragraph(text=text):
                    yield text
                case Bullets(items=items, lead=lead):
                    yield lead
                    yield from lines(items)
                case Grid(head=head, rows=rows):
                    yield from head
                    for row in rows:
                        yield from row
                case Figure(caption=caption):
                    yield caption


def lines(items: tuple[Item, ...]) -> Iterator[str]:
    """All lines of a list."""
    for item in items:
        yield item.text
        yield from lines(item.inner)


def made_blocks(told: Book) -> Iterator[Bullets]:
    """The lists whose sentences are made from the rules."""
    for chapter in told.chapters:
        for block in chapter.blocks:
            if isinstance(block, Bullets) and block.is_english:
                yield block
