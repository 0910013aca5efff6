"""Mistakes in the data of the bundled games that their `always` lines find before play."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dsl.check.program import check_program
from dsl.diagnostics import Bag
from dsl.project.find import Library
from dsl.project.load import load_merged
from interpreter.bundled import variants_dir

CLASSIC = [
    ("600, 1400, 1700, 2000", "600, 14000, 1700, 2000", "rents of Boardwalk must rise"),
    ("dark_blue, price: 400", "dark_blue, price: 0", "Boardwalk must cost something"),
    ('"Reading Railroad", group: transports', '"Reading Railroad", group: brown', "be a street"),
    ("kind: FreeParking", "kind: Jail", "a board must have one Jail"),
    ("kind: FreeParking", "kind: Go", "a board must have one GO"),
    ('name: "Baltic Avenue"', 'name: "Boardwalk"', "two deeds must not both be called Boardwalk"),
    ("- {id: ch_loan, ", "- {id: ch_loan, copies: 2, ", "Chance must have 16 cards"),
    (
        'deck: community_chest, name: "Sore throat"',
        'deck: chance, name: "Sore throat"',
        "must have 16",
    ),
    ("second_die, faces: [1, 2, 3, 4, 5, 6]", "second_die, faces: []", "must have faces"),
    ("faces: [1, 2, 3, 4, 5, 6]", "faces: [3, 3]", "must be able to decide who begins"),
    ("amount: 15, text", "amount: 150, text", "Parking ticket must speak of 150"),
    ("450], house_cost: 50}", "450], house_cost: 60}", "must have one price for a building"),
]
OTHERS = {
    "deal": ("value: 1, copies: 10,", "value: 1, copies: 9,", "the pack must have 106 cards"),
    "bid": ("copies: ", "copies: 1", "there must be 28 properties"),
    "card_game": ("kind: MrMonopoly", "kind: GoCard", "there must be 28 properties"),
    "jackpot": ("width: 15, ring: go,", "width: 16, ring: go,", "must make up 360 degrees"),
    "crooked_cash": ("whole_set: ", "whole_set: 1", "must rise"),
}


def messages(variant: str, folder: Path) -> list[str]:
    """The errors of a variant in a folder, for its fewest players."""
    bag = Bag()
    merged = load_merged(Library((folder,)), folder / variant, scenarios=False, bag=bag)
    assert merged is not None
    check_program(merged, merged.min_players, bag, scenarios=False)
    return [one.message for one in bag.sorted() if one.severity == "error"]


def spoilt(variant: str, folder: Path, old: str, new: str) -> None:
    """A copy of a bundled variant with one thing changed, everywhere it stands."""
    shutil.copytree(variants_dir() / variant, folder / variant)
    data = folder / variant / "variant.yaml"
    text = data.read_text(encoding="utf-8")
    assert old in text
    data.write_text(text.replace(old, new), encoding="utf-8")


@pytest.mark.parametrize(("old", "new", "expected"), CLASSIC)
def test_classic(tmp_path: Path, old: str, new: str, expected: str) -> None:
    spoilt("classic", tmp_path, old, new)
    found = messages("classic", tmp_path)
    assert found
    assert all(expected in message for message in found)


@pytest.mark.parametrize("variant", OTHERS)
def test_other_games(tmp_path: Path, variant: str) -> None:
    old, new, expected = OTHERS[variant]
    spoilt(variant, tmp_path, old, new)
    assert expected in "\n".join(messages(variant, tmp_path))


@pytest.mark.parametrize("variant", ["classic", *OTHERS])
def test_nothing_is_found_where_nothing_is_wrong(tmp_path: Path, variant: str) -> None:
    shutil.copytree(variants_dir() / variant, tmp_path / variant)
    assert messages(variant, tmp_path) == []


def test_what_must_hold_is_taken_out_by_name(tmp_path: Path) -> None:
    spoilt("classic", tmp_path, "dark_blue, price: 400", "dark_blue, price: 0")
    rules = tmp_path / "classic" / "rules" / "classic.rules"
    rules.write_text(
        rules.read_text(encoding="utf-8") + "remove always has_price\n", encoding="utf-8"
    )
    assert messages("classic", tmp_path) == []
