"""Did you mean."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl.diagnostics import suggest
from dsl.diagnostics.suggest import did_you_mean

WORDS = ["title", "players", "variant", "min", "max", "needs_mods", "free_parking", "id"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("titel", "title"),
        ("tilte", "title"),
        ("Title", "title"),
        ("player", "players"),
        ("variante", "variant"),
        ("need_mods", "needs_mods"),
        ("needs mods", "needs_mods"),
        ("free-parking", "free_parking"),
        ("freeparking", "free_parking"),
        ("mim", "min"),
        ("mi", "min"),
        ("var", "variant"),
        ("ide", "id"),
    ],
)
def test_a_slip_is_understood(typed: str, meant: str) -> None:
    assert suggest(typed, WORDS) == meant


@pytest.mark.parametrize("typed", ["boardwalk", "m", "x", "", "xy", "m_", "table", "sum"])
def test_nothing_is_guessed(typed: str) -> None:
    assert suggest(typed, WORDS) is None


def test_ties_go_to_the_first_and_the_word_itself_is_no_answer() -> None:
    assert suggest("bat", ["cat", "rat"]) == "cat"
    assert suggest("cat", ["cat"]) is None
    assert suggest("cat", iter(["cats"])) == "cats"


def test_help_line() -> None:
    assert did_you_mean("titel", WORDS) == "did you mean `title`?"
    assert did_you_mean("boardwalk", WORDS) is None


@settings(deadline=None)
@given(st.text(max_size=12), st.lists(st.text(max_size=12), max_size=6))
def test_the_answer_is_another_candidate(word: str, candidates: list[str]) -> None:
    answer = suggest(word, candidates)
    assert answer is None or (answer in candidates and answer != word)


@settings(deadline=None)
@given(st.text("abc_", min_size=3, max_size=12), st.data())
def test_two_neighbours_swapped_are_understood(word: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(word) - 2))
    swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if swapped != word:
        assert suggest(swapped, [word]) == word
