"""Sheets of variants: all cards, and nobody knows a card of a pile by its back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from book_rigs import GAMES, HOSTILE, book, source
from click.testing import CliRunner
from test_book_written import parsed

from interpreter.book.printing import make_sheets
from interpreter.book.record import Figure
from interpreter.cli.commands import commands


def run(*args: str) -> tuple[int, str]:
    result = CliRunner().invoke(commands, ["docs", *args], catch_exceptions=False)
    return result.exit_code, result.output


@pytest.mark.parametrize("game", GAMES)
def test_the_book_shows_the_board_and_every_face(game: str) -> None:
    figures = [
        b for chapter in book(game).chapters for b in chapter.blocks if isinstance(b, Figure)
    ]
    program = source(game).programs[source(game).players]
    assert any(figure.is_wide for figure in figures) == (program.board.ring is not None)
    shown = "\n".join(picture.alt for figure in figures for picture in figure.pictures)
    for family, printed in program.printed.items():
        if not program.families[family].pool:
            assert [text for text in printed if text and text not in shown] == []


@pytest.mark.parametrize("game", ["classic", "deal", "crooked_cash"])
def test_every_card_is_printed(game: str) -> None:
    sheets = make_sheets(source(game), "a4")
    program = source(game).programs[source(game).players]
    fronts = " ".join(sheet.alt for sheet in sheets[::2])
    for text in filter(None, program.printed["Card"]):
        assert text in fronts
    many = sum(sheet.body.count("<g transform") for sheet in sheets if "viewBox" not in sheet.body)
    assert many >= 2 * program.families["Card"].size


def test_decks_have_backs_of_their_own() -> None:
    backs = "".join(sheet.body for sheet in make_sheets(source("classic"), "letter")[1::2])
    assert {"Chance", "Deed"} <= set(re.findall(r">([A-Z]\w+)</text>", backs))


def test_sheets_are_a_page_that_asks_for_nothing(tmp_path: Path) -> None:
    place = tmp_path / "sheets.html"
    assert run("classic", "--print", "letter", "-o", str(place))[0] == 0
    page = place.read_text(encoding="utf-8")
    parsed(page)
    assert "size: letter" in page
    assert not re.search(r"src=|href=|url\(|@import", page)


def test_hostile_texts_on_sheets(tmp_path: Path) -> None:
    place = tmp_path / "sheets.html"
    code, said = run(HOSTILE, "--print", "a4", "-o", str(place))
    assert code in (0, 2), said
    if code == 0:
        parsed(place.read_text(encoding="utf-8"))


def test_sheets_are_no_markdown() -> None:
    code, said = run("classic", "--print", "a4", "--format", "md")
    assert code == 2
    assert "Sheets to print are drawn" in said
