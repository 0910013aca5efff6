"""Books and sheets as PDF: they open, have pages in the right size, and texts stay texts."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import pytest
from book_rigs import GAMES, HOSTILE, RACE, book, source
from click.testing import CliRunner

from interpreter.book.printing import make_sheets
from interpreter.cli.commands import commands
from interpreter.table.svg import CARD_WIDTH

pytest.importorskip("typst", reason="an extra of the package")

from interpreter.book.pdf import write_pdf, write_sheets_pdf

MILLIMETRE = 72 / 25.4


def pages(made: bytes) -> list[tuple[float, float]]:
    """Width and height of each page, in millimetres."""
    found = []
    for text in [made, *_streams(made)]:
        for box in re.findall(rb"/MediaBox\s*\[([^\]]+)\]", text):
            _, _, width, height = (float(each) / MILLIMETRE for each in box.split())
            found.append((width, height))
    return found


def _streams(made: bytes) -> list[bytes]:
    found = []
    for raw in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", made, re.DOTALL):
        try:
            found.append(zlib.decompress(raw))
        except zlib.error:
            continue
    return found


@pytest.mark.parametrize("game", [*GAMES, RACE, HOSTILE])
def test_book_is_a_pdf_with_pages(game: str) -> None:
    made = write_pdf(book(game))
    assert made.startswith(b"%PDF-")
    assert b"%%EOF" in made[-32:]
    sizes = pages(made)
    assert len(sizes) >= 2
    assert all(size == (pytest.approx(210, abs=0.1), pytest.approx(297, abs=0.1)) for size in sizes)


@pytest.mark.parametrize(("paper", "size"), [("a4", (210, 297)), ("letter", (215.9, 279.4))])
def test_sheets_are_as_large_as_the_paper(paper: str, size: tuple[float, float]) -> None:
    sheets = make_sheets(source("deal"), paper)
    sizes = pages(write_sheets_pdf(sheets, "Deal"))
    assert len(sizes) == len(sheets)
    for width, height in sizes:
        assert width == pytest.approx(size[0], abs=0.05)
        assert height == pytest.approx(size[1], abs=0.05)
    assert CARD_WIDTH == 63.5


def test_same_book_same_bytes() -> None:
    assert write_pdf(book(RACE)) == write_pdf(book(RACE))


def test_command_writes_a_pdf(tmp_path: Path) -> None:
    place = tmp_path / "book.pdf"
    words = ["docs", RACE, "--format", "pdf", "-o", str(place)]
    result = CliRunner().invoke(commands, words, catch_exceptions=False)
    assert result.exit_code == 0
    assert place.read_bytes().startswith(b"%PDF-")
