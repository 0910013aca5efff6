"""What is drawn as SVG: whole, inside its edges, as large as it has to be, and texts stay texts."""

from __future__ import annotations

import re
import time
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from interpreter.table.picture import Picture
from interpreter.table.scene import Card, Line, Place, Scene
from interpreter.table.sheets import LEAST_MARGIN, PAPERS, Printed, board_sheets, card_sheets
from interpreter.table.svg import (
    CARD_HEIGHT,
    CARD_WIDTH,
    MARGIN,
    draw_back,
    draw_board,
    draw_card,
    fitted,
    text_width,
    wrapped,
)  # fmt: skip

EVIL = "<script>alert(1)</script> & \"'\x00\x1b 漢字 " + "W" * 300


def parsed(picture: Picture) -> ET.Element:
    return ET.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{picture.body}</svg>')


def scene(count: int, sides: int = 4, name: str = "Place") -> Scene:
    ring = tuple(
        Place(f"{name} {n}", None, "#2f5fc4" if n % 3 else None, "$60", None, (), ())
        for n in range(count)
    )
    return Scene("Game", ring, sides, (), (), ())


def test_a_card_has_all_that_is_known_of_it() -> None:
    lines = (Line("price", "$60"), Line("tolls", "$2 · $10 · $30"), Line("marked", ""))
    card = Card("Old Road", "road", lines, "Brown", "#8b5a2b", "A road that is very old.")
    picture = draw_card(card)
    said = " ".join(" ".join(parsed(picture).itertext()).split())
    for word in ("Old Road", "road", "price", "$60", "$30", "marked", "A road that is"):
        assert word in said
    assert (picture.width, picture.height) == (63.5, 88.9)


@pytest.mark.parametrize("name", ["A", EVIL, "Donaudampfschifffahrtsgesellschaft " * 8, "漢" * 200])
def test_texts_stay_texts_and_inside_the_card(name: str) -> None:
    card = Card(
        name, name, (Line(name, name), Line("n", " · ".join([name] * 40))), None, None, name
    )
    for picture in (draw_card(card), draw_back(name, name, "#2f5fc4")):
        root = parsed(picture)
        assert {each.tag.rpartition("}")[2] for each in root.iter()} <= {"svg", "rect", "text", "g"}
        for each in root.iter("{http://www.w3.org/2000/svg}text"):
            assert 0 < float(each.attrib["y"]) < CARD_HEIGHT
            size = float(each.attrib["font-size"])
            assert text_width(each.text or "", size) <= CARD_WIDTH - MARGIN + 0.1


def test_wrapping_keeps_all_that_there_is_room_for() -> None:
    words = "the quick brown fox jumps over the lazy dog"
    assert " ".join(wrapped(words, 30, 3)) == words
    assert all(text_width(line, 3) <= 30 for line in wrapped("x" * 200, 30, 3))
    assert wrapped(words, 20, 3, 2)[-1].endswith("…")
    size, lines = fitted(words, 60, 60, 5, 2)
    assert size == 5
    assert " ".join(lines) == words


@pytest.mark.parametrize(("count", "sides"), [(40, 4), (41, 4), (42, 4), (43, 4), (6, 2), (1, 4)])
def test_every_place_of_a_board_has_its_own(count: int, sides: int) -> None:
    picture = draw_board(scene(count, sides))
    assert picture is not None
    moved = re.findall(r'transform="translate\(([\d.]+) ([\d.]+)\)', picture.body)
    assert len(set(moved)) == count
    assert all(float(x) < picture.width and float(y) < picture.height for x, y in moved)
    steps = [(float(x), float(y)) for x, y in moved]
    for (x, y), (to_x, to_y) in pairwise(steps):
        assert abs(x - to_x) + abs(y - to_y) == pytest.approx(22)


def test_no_board_where_there_are_no_places() -> None:
    assert draw_board(scene(0)) is None


def test_a_large_board_is_drawn_at_once() -> None:
    begun = time.process_time()
    picture = draw_board(scene(4000, name="W" * 80))
    assert picture is not None
    assert time.process_time() - begun < 20


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_sheets_have_cards_of_the_right_size_with_backs_behind_them(paper: str) -> None:
    cards = [
        Printed(draw_card(Card(f"Card {n}", "card")), draw_back("Game", f"Back {n}", "#2f5fc4"))
        for n in range(11)
    ]
    sheets = list(card_sheets(cards, paper, "note"))
    width, height = PAPERS[paper]
    assert len(sheets) == 4
    assert {(sheet.width, sheet.height) for sheet in sheets} == {(width, height)}
    fronts, backs = placed(sheets[0], "Card"), placed(sheets[1], "Back")
    assert len(fronts) == len(backs) == 9
    for name, (x, y) in fronts.items():
        assert x >= LEAST_MARGIN
        assert y >= LEAST_MARGIN
        behind = backs[name]
        assert behind[0] + CARD_WIDTH == pytest.approx(width - x)
        assert behind[1] == y
    assert len(placed(sheets[2], "Card")) == 2
    xs = sorted({x for x, _ in fronts.values()})
    assert [b - a for a, b in pairwise(xs)] == pytest.approx([63.5, 63.5])


def placed(sheet: Picture, word: str) -> dict[str, tuple[float, float]]:
    """Where each card of a sheet lies, by its number."""
    found = re.finditer(r'<g transform="translate\(([\d.]+) ([\d.]+)\)">(.*?)</g>', sheet.body)
    return {
        number[1]: (float(each[1]), float(each[2]))
        for each in found
        if (number := re.search(rf">{word} (\d+)<", each[3]))
    }


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_a_board_on_sheets_is_whole_and_cuts_no_place(paper: str) -> None:
    board = draw_board(scene(40), 36)
    assert board is not None
    boxes = [
        tuple(map(float, re.findall(r'viewBox="([^"]+)"', sheet.body)[0].split()))
        for sheet in board_sheets(board, 36, paper)
    ]
    assert sum(wide * high for _, _, wide, high in boxes) == pytest.approx(
        board.width * board.height
    )
    assert all(edge % 36 == 0 for box in boxes for edge in box)
    width, height = PAPERS[paper]
    assert all(w < width - 2 * LEAST_MARGIN and h < height - 2 * LEAST_MARGIN for *_, w, h in boxes)
