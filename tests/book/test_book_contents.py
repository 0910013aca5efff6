"""The rulebook has all that a game has, and says it in sentences."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from book_rigs import GAMES, RACE, book, lines, made_blocks, source, texts

from dsl.core import nodes as core
from interpreter.book.markdown import write_markdown

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("game", GAMES)
def test_everything_of_a_game_is_in_its_book(game: str) -> None:
    program = source(game).programs[source(game).players]
    told = list(texts(book(game)))
    whole = "\n".join(told)
    anchors = {anchor for _, anchor in book(game).index}
    for family, printed in program.printed.items():
        if not program.families[family].pool:
            assert [text for text in printed if text and text not in whole] == []
    assert [name for name, _ in program.switches if name not in told] == []
    assert [name for name in program.options if f"option-{name}" not in anchors] == []
    rules = {hook.rule for routine in program.routines.values() for hook in _hooks(routine)}
    assert sorted(rule for rule in rules if f"rule-{rule}" not in anchors) == []
    for option in program.options.values():
        reasons = [item.reason for item in option.head if isinstance(item, core.HeadNeeds)]
        for reason in reasons:
            plain_parts = [part for part in reason.parts if isinstance(part, str)]
            assert all(part.strip() in whole for part in plain_parts), option.name


def _hooks(routine: core.Routine) -> list[core.Hook]:
    return [*routine.befores, *routine.insteads, *routine.afters]


@pytest.mark.parametrize("game", GAMES)
def test_no_sentence_has_a_word_of_the_rules_that_is_none_of_english(game: str) -> None:
    made = [line for block in made_blocks(book(game)) for line in lines(block.items)]
    assert made
    assert [line for line in made if re.search(r"\w_\w|\bNone\b|\w\.\.\w|[{}]|  ", line)] == []
    assert [line for line in made if line[:1] not in "“(" and line[:1] != line[:1].upper()] == []


def test_set_up_tells_what_depends_on_the_number_of_players() -> None:
    told = list(texts(book("bid")))
    assert any(re.search(r"\d", text) for text in told)
    assert len(source("classic").programs) == 7


def test_a_rule_without_a_comment_is_told_in_generated_sentences() -> None:
    told = list(texts(book(RACE)))
    assert "If the player’s purse is less than 5 c: Ann has less than 5 c." not in told
    assert "The player gives 5 c to the bank." in told
    assert "Chance picks the n among 0 to 1." in told


def test_a_comment_is_the_paragraph_of_the_book() -> None:
    assert "Who is there first has won." in list(texts(book(RACE)))


def test_golden_book_of_a_small_game() -> None:
    made, path = write_markdown(book(RACE)), GOLDEN / "race.md"
    if os.environ.get("RULEWRIGHT_BLESS"):
        path.write_text(made, encoding="utf-8")
    assert made == path.read_text(encoding="utf-8")


def test_language_of_the_book() -> None:
    told = book("crooked_cash", "eo")
    titles = [chapter.title for chapter in told.chapters]
    assert titles[0] == "La celo de la ludo"
    program = source("crooked_cash", "eo").programs[source("crooked_cash", "eo").players]
    whole = "\n".join(texts(told))
    assert all(text in whole for text in program.printed["Card"] if text)


def test_references_of_designers_are_not_for_players() -> None:
    whole = "\n".join(texts(book("crooked_cash")))
    assert "Three of them are laid out." in whole
    assert not re.search(r"\(K\d+\)", whole)


def test_mods_are_named() -> None:
    told = book("classic", mods=("free_parking_pot",))
    assert told.subtitle
    assert any(told.subtitle in text for text in texts(told))


def test_names_are_told_without_what_keeps_them_apart() -> None:
    assert not [text for text in texts(book("card_game")) if "@" in text]
