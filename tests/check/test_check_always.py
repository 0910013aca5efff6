"""What must always hold: tested before play where it can be, else in play."""

from __future__ import annotations

import pytest
from check_games import check, program_of

BROKEN = "this must always hold, and does not"
FACTS = ("RW0450", "RW0616", "RW0709", "RW0601")


def said(text: str) -> list[tuple[str, str]]:
    """What is said of facts, and the text that each message marks."""
    _, bag = check(text)
    found = [one for one in bag.sorted() if one.code in FACTS]
    return [(one.message, one.primary.span.text) for one in found]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (' for each garden in Garden: garden.toll <= 10, "{garden} is dear"', "tulip is dear: 20"),
        (
            " for each garden in Garden: all(garden.blooms[n] < 50 for each n in 0..3)",
            f"{BROKEN}: `all(garden.blooms[n] < 50 for each n in 0..3)`: [20, 40, 60, 80]",
        ),
        (" for each card in Card: card.value < 9", f"{BROKEN}: `card.value < 9`: 9"),
        (
            " for each a in Garden for each b in Garden: a.toll >= b.toll, \"{a} and {b}\"",
            "rose and tulip: 20",
        ),
        (': count(Garden) is 1, "one garden, not {count(Garden)}"', "one garden, not 2: tulip"),
        (': count(Joker) is 2, "two jokers"', "two jokers: joker"),
        (
            ' for each garden in Garden: not any(named_alike(garden, f) for each f in Field), "no"',
            "no: rose|no: tulip",
        ),
        (': high_toll, "tolls are high"', "tolls are high: a"),
        (': count(Player) > 5, "more players"', "more players: a"),
        (": not high_toll and count(Garden) is 2", ""),
        (": all(c.value > 1 for each c in Card)", ""),
        (" for each c in Card where c is Joker: c.value is 9", ""),
        (" for each card in Card: says(card, 5)", ""),
    ],
)  # fmt: skip
def test_what_is_known_before_play_is_told_where_the_data_say_it(line: str, expected: str) -> None:
    assert "|".join(f"{message}: {place}" for message, place in said(f"always a{line}")) == expected


@pytest.mark.parametrize(
    ("text", "number", "shows"),
    [
        ("Pay 50.", 50, True), ("Pay 150.", 50, False), ("Pay 50 each, 1,500 at most", 1500, True),
        ("It costs 1.5", 15, False), ("Take 5M", 5, True), ("Pay $200", 200, True),
        ("Go to 2 000 now", 2000, True), ("Nothing", 5, False),
    ],
)  # fmt: skip
def test_numbers_are_found_in_printed_texts(text: str, number: int, shows: bool) -> None:
    things = f'cards:\n  - {{id: one, name: "Bill", text: "{text}", value: 2}}\n'
    _, bag = check(f'always a for each card in Card: says(card, {number}), "says"', things=things)
    assert [one.message for one in bag.sorted() if one.code == "RW0450"] == ["says"] * (not shows)


def test_what_holds_before_play_is_not_tested_in_play() -> None:
    program = program_of(
        "always a: count(Garden) is 2\nalways b: table.mood is calm\n"
        "always c for each player in Player: player.cash >= 0\n"
        "always d: count(Garden) is 2 or table.mood is calm"
    )
    assert [check.name for check in program.always] == ["b", "c"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "always a for each c in table.shown: says(c, 5)",
            "what is printed is read before play, and the rest of this line changes in play",
        ),
        (
            "rule r: after landing by player on field\n    if says(field, 5)\n        say \"5\"",
            "`says` can only stand in an `always` line: what is printed is read before play",
        ),
        ("always a: named_alike(bank, table)", "two things of one family belong here"),
        (
            "always a for each g in Garden: position([go], g) is 0",
            "this has no value: it is not in the list",
        ),
    ],
)  # fmt: skip
def test_what_can_t_be_told_before_play_is_refused(text: str, message: str) -> None:
    assert message in [one for one, _ in said(text)]


def test_a_mistake_in_the_data_is_told_once() -> None:
    things = "fields:\n  - {id: rose, kind: Garden, toll: ten, blooms: [1, 2, 3, 4]}\n"
    _, bag = check("always a for each g in Garden: g.toll > 5", things=things)
    assert "RW0450" not in [one.code for one in bag.sorted()]
