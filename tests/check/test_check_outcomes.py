"""Comparisons and questions that can only come out one way, and what else is said for nothing."""

from __future__ import annotations

import pytest
from check_games import check, codes_of
from test_check_values import body

COMPARISONS = [
    ("player.wins > -1", True),
    ("player.wins >= 0", True),
    ("player.wins > 0", False),
    ("0 <= player.wins", True),
    ("player.wins <= 9", True),
    ("player.wins < 9", False),
    ("player.wins > 9", True),
    ("player.wins is 10", True),
    ("player.wins is not 10", True),
    ("player.wins is 9", False),
    ("player.tokens > 5", True),
    ("player.tokens >= 5", False),
    ("player.cash < 0", True),
    ("count(player.hand) >= 0", True),
    ("count(player.hand) > 40", False),
    ("count(players) > 5", False),
    ("player.wins - 1 < 0", False),
    ("player.wins is player.wins", True),
    ("player is player", True),
    ("player is table.active", False),
    ("player.wins > 5 and player.wins < 3", True),
    ("player.wins > 3 and player.wins < 5", False),
    ("player.wins > 3 and not player.wins > 3", True),
    ("table.mood is calm and table.mood is wild", True),
    ("player.wins >= limit", False),
    ("player.wins > 5 and player.wins < limit", False),
    ("count(players) - limit < 0", False),
    ("player is Player", True),
    ("player is not Player", True),
    ("player.place is Field", True),
    ("player.place is Garden", False),
    ("rose is Garden", True),
    ("first(player.hand) is Card", False),
]


@pytest.mark.parametrize(("text", "is_settled"), COMPARISONS)
def test_a_comparison_that_can_only_come_out_one_way(text: str, is_settled: bool) -> None:
    switch = 'switch limit: 0..9 = 0, "The most"\n'
    assert codes_of(switch + body(f'if {text}\n    say "so"')) == ["RW0718"] * is_settled


CHAINS = [
    (("if player.out\n    say \"a\"\nelse if player.wins > 3\n    say \"b\"\n"
      "else if player.out\n    say \"c\""), True),
    ("if player.out\n    say \"a\"\nelse if not player.out\n    say \"b\"", False),
    ("if player.out\n    say \"a\"\nif player.out\n    say \"b\"", False),
    ("if limit > 0\n    say \"a\"\nelse if limit > 0\n    say \"b\"", False),
    ("let n = 1 if player.out else 2 if player.out else 3\nsay \"{n}\"", True),
    ("let n = 1 if player.out else 2 if player.wins > 3 else 3\nsay \"{n}\"", False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "is_repeated"), CHAINS)
def test_what_was_asked_above_does_not_hold_behind_else(text: str, is_repeated: bool) -> None:
    switch = 'switch limit: 0..9 = 0, "The most"\n'
    assert codes_of(switch + body(text)) == ["RW0718"] * is_repeated


def test_the_remark_says_which_way_and_why() -> None:
    _, bag = check(body('if player.wins > -1\n    say "so"\nif player.wins > 9\n    say "so"'))
    assert [one.message for one in bag if one.code == "RW0718"] == [
        "this always holds: `player.wins` is 0 to 9",
        "this never holds: `player.wins` is 0 to 9",
    ]


def test_the_library_may_compare_what_no_variant_needs() -> None:
    text = "define player.is_there: flag = player.wins >= 0\n"
    assert codes_of(text) == ["RW0718"]
    assert codes_of(text, library=True) == []


PICKS = [
    ("which 0..0 cards to give in player.hand", True),
    ("which 0..1 cards to give in player.hand", False),
    ("which 1..1 cards to give in player.hand", False),
    ("how much n to give in 5..5", True),
    ("how much n to give in 0..5", False),
    ("how much n to give in limit..limit", False),
]


@pytest.mark.parametrize(("text", "has_one_answer"), PICKS)
def test_a_question_with_only_one_answer(text: str, has_one_answer: bool) -> None:
    switch = 'switch limit: 0..9 = 0, "The most"\n'
    found = codes_of(switch + body(f'ask player {text}\n    say "so"'))
    assert found == ["RW0719"] * has_one_answer


def test_a_line_twice_in_a_strategy() -> None:
    asked = body('ask player about rest\n    * sleep\n        say "zz"\n    * sing\n')
    head = "strategy bold\n    for rest\n"
    line = "        sleep if me.cash  > 50\n"
    other = "        sleep if me.cash > 60\n"
    assert codes_of(asked + head + line + other) == []
    assert codes_of(asked + head + line + other + line.replace("  >", " >")) == ["RW0910"]


@pytest.mark.parametrize(("number", "zeros"), [("00", 1), ("007", 1), ("0", 0), ("1_000", 0)])
def test_zeros_in_front(number: str, zeros: int) -> None:
    _, bag = check(body(f"pay {number} from bank to player"))
    found = [one for one in bag.sorted() if one.code == "RW9005"]
    assert len(found) == zeros
    for one in found:
        assert one.fix is not None
        assert one.fix.edits[0].text == str(int(number))
