"""A theme speaks of its own things: no word of the game below it is left in what players read."""

from __future__ import annotations

import re

from game_rigs import Setup, checked

from dsl.diagnostics import Bag
from dsl.project import load
from interpreter.api import library
from interpreter.cli.wording import texts_of

WORDS = re.compile(r"\b(houses?|hotels?|streets?|railroads?|utility|utilities)\b", re.IGNORECASE)


def texts(name: str) -> dict[str, str]:
    merged = load.load_merged(library(), name, bag=Bag())
    assert merged is not None
    return texts_of(merged, checked(Setup(name, 4)))


def test_no_word_and_no_name_of_classic_is_left_in_cthulhu() -> None:
    classic, cthulhu = texts("classic"), texts("cthulhu")
    assert any(WORDS.search(text) for text in classic.values())
    names = {
        text
        for key, text in classic.items()
        if re.fullmatch(r"thing\.(spaces|decks)\..*\.name", key) and cthulhu[key] != text
    }
    assert len(names) > 30
    for key, text in cthulhu.items():
        if key.startswith("always."):
            continue  # what a designer reads, of kinds
        plain = re.sub(r"\{[^}]*\}", "", text)
        assert not WORDS.search(plain), (key, text)
        assert not [name for name in names if name in plain], (key, text)


def test_each_card_of_cthulhu_has_words_of_its_own() -> None:
    classic, cthulhu = texts("classic"), texts("cthulhu")
    cards = [key for key in classic if key.startswith("thing.cards.") and key.endswith(".text")]
    assert len(cards) > 30
    assert not [key for key in cards if classic[key] == cthulhu[key]]
