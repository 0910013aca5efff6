"""A book as a page and as Markdown: well formed, nothing from elsewhere, texts stay texts."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from book_rigs import GAMES, HOSTILE, RACE, book, source

from interpreter.book.html import write_html
from interpreter.book.make import make_book
from interpreter.book.markdown import escaped, write_markdown
from interpreter.cli.docs import source_of
from interpreter.cli.options import Wish

MANY = 4000
"""Fields; a game may have 4,096 things."""


def parsed(page: str) -> ET.Element:
    """A page as a tree; it is written so that XML can read it."""
    return ET.fromstring(page.removeprefix("<!DOCTYPE html>"))


@pytest.mark.parametrize("game", [*GAMES, RACE, HOSTILE])
def test_page_is_well_formed_and_asks_for_nothing(game: str) -> None:
    page = write_html(book(game))
    root = parsed(page)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not tags & {"script", "img", "link", "iframe", "object", "embed", "image", "use"}
    for element in root.iter():
        for name, value in element.attrib.items():
            local = name.rpartition("}")[2]
            assert not local.startswith("on")
            assert local not in ("src", "href") or value.startswith("#")
            assert "url(" not in value or local == "content"
    style = root.find("head/style")
    assert style is not None
    assert "url(" not in (style.text or "")
    assert "@import" not in (style.text or "")
    ids = [element.attrib["id"] for element in root.iter() if "id" in element.attrib]
    assert len(ids) == len(set(ids))
    hrefs = {element.attrib["href"][1:] for element in root.iter() if "href" in element.attrib}
    assert hrefs <= set(ids)


def test_hostile_texts_stay_texts() -> None:
    page = write_html(book(HOSTILE))
    assert "<script" not in page
    text = "".join(parsed(page).itertext())
    assert "<script>alert(1)</script>" in text
    assert "__import__('os').system('id')" in text
    markdown = write_markdown(book(HOSTILE))
    assert "<script" not in re.sub(r"\\<", "", markdown)
    assert "\\<script\\>" in markdown


def test_signs_of_markdown_are_escaped() -> None:
    assert escaped("# *a* [b](c) <d> | `e`") == "\\# \\*a\\* \\[b\\](c) \\<d\\> \\| \\`e\\`"
    assert escaped("1. one\n- two") == "1\\. one - two"


def test_book_of_as_many_things_as_a_game_may_have(tmp_path: Path) -> None:
    folder = tmp_path / "crowd"
    (folder / "rules").mkdir(parents=True)
    rows = [f'    - {{id: f_{n}, name: "Field {n}", worth: {n}}}' for n in range(MANY)]
    (folder / "variant.yaml").write_text(
        'variant: crowd\ntitle: "Crowd"\nplayers: {min: 2, max: 2}\nuses: [seats]\n'
        'board: {ring: fields, sides: 4}\nseats:\n  - {id: a, name: "A"}\n  - {id: b, name: "B"}\n'
        "things:\n  fields:\n" + "\n".join(rows) + "\n",
        encoding="utf-8",
    )
    (folder / "rules" / "crowd.rules").write_text(
        "-- A place.\nkind Field\n    worth: 0..4000\n"
        "rule ending: after take_turn by player\n    end game\n",
        encoding="utf-8",
    )
    told = make_book(source_of(Wish(str(folder))))
    page = write_html(told)
    assert f"Field {MANY - 1}" in page
    assert len(page) < 3_000_000


def test_source_is_of_all_numbers_of_players() -> None:
    assert list(source(RACE).programs) == [2, 3, 4]
