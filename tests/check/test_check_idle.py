"""What never happens, and mods that get into each other's way."""

from __future__ import annotations

import pytest
from check_games import check, codes_of


def said(*texts: str, mods: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    _, bag = check(*texts, mods=mods)
    return [(found.code, found.span.text) for found in bag.sorted()]


def rule(name: str, head: str, act: str = 'say "so"') -> str:
    return f"rule {name}: {head}\n    {act}\n"


DANCE = 'option dance in fair by player\n    say "so"\n'
IDLE = [
    ("", []),
    ("event party by player\n", [("RW9001", "party")]),
    ('to sing by player\n    say "la"\n', [("RW9001", "sing")]),
    # A rule on what never happens says nothing more.
    ("event party by player\n" + rule("cake", "after party by player"), [("RW9001", "party")]),
    ("kind Bog is Field\n" + rule("mud", "after landing by player on bog"), [("RW9002", "mud")]),
    (rule("never", "after landing by player on field if 1 > 2"), [("RW9002", "1 > 2")]),
    (rule("never", "whenever 1 > 2", "end game"), [("RW9002", "1 > 2")]),
    (rule("off", "after landing by player on field if high_toll"), []),
    (rule("off", "whenever high_toll and 1 > 2", "end game"), []),
    (rule("wall", "instead of landing by player on field"), [("RW9002", "toll")]),
    (rule("wall", "instead of landing by player on field", "as usual"), []),
    (rule("wall", "instead of landing by player on field if player.out"), []),
    (
        rule("wall", "instead of pay amount from payer to payee")
        + rule("gone", "before pay amount from payer to payee"),
        [("RW9002", "gone")],
    ),
    (
        "window fair by player\n    ask each p in [player]\n    once each\n" + DANCE,
        [("RW9003", "fair")],
    ),
    ("switch odd: flag = no\n", [("RW9004", "odd")]),
    ("switch odd: 1..6 = 3\nkind Pebble, made in play up to odd\n", []),
]  # fmt: skip


@pytest.mark.parametrize(("text", "found"), IDLE)
def test_what_is_idle(text: str, found: list[tuple[str, str]]) -> None:
    assert said(text) == found


def test_a_library_need_not_be_used() -> None:
    _, bag = check('to sing by player\n    say "la"\nswitch odd: flag = no\n', library=True)
    assert list(bag) == []


def test_a_mod_may_take_the_place_of_what_it_is_laid_over() -> None:
    wall = rule("wall", "instead of landing by player on field")
    late = rule("late", "before landing by player on field")
    assert said("", wall, mods=("first",)) == []
    assert said("", wall, late, mods=("first", "second")) == [("RW9002", "late")]


# ---------------------------------------------------------------- two mods

APART = [
    ("player.out", "not player.out"),
    ("player.out and player.wins > 3", "not (player.out or player.cash > 3)"),
    ("player.cash > 5", "player.cash <= 5"),
    ("player.cash > 5", "player.cash < 6"),
    ("5 < player.cash", "player.cash is 3"),
    ("player.cash is 5", "player.cash is not 5"),
    ("player.cash < player.place.toll", "player.place.toll <= player.cash"),
    ("player.best is none", "player.best is not none"),
    ("player.place is Start", "player.place is Garden"),
    ("player.place is rose", "player.place is tulip"),
    ("table.mood is calm", "table.mood is wild"),
]
TOGETHER = [
    ("player.out", "player.cash > 5"),
    ("player.cash > 5", "player.cash < 7"),
    ("player.cash >= 5", "player.cash <= 5"),
    ("player.cash is not 5", "player.cash is not 6"),
    ("player.place is Garden", "player.place is rose"),
    ("player.cash < player.place.toll", "player.place.toll > player.cash"),
    ("player.out or player.wins > 3", "not player.out"),
]


def exception(value: int, condition: str) -> str:
    return f"exception to player.final_score\n    but line_{value}: {value} if {condition}\n"


@pytest.mark.parametrize(("one", "other"), APART)
def test_conditions_that_exclude_each_other(one: str, other: str) -> None:
    mods = ("first", "second")
    assert codes_of("", exception(1, one), exception(2, other), mods=mods) == []
    rules = (
        rule("a", f"instead of draw by player if {one}", "return none"),
        rule("b", f"instead of draw by p: Player if {other}", "return none").replace(
            "player.", "p."
        ),
    )
    assert codes_of("", *rules, mods=mods) == []


@pytest.mark.parametrize(("one", "other"), TOGETHER)
def test_conditions_that_may_come_together(one: str, other: str) -> None:
    mods = ("first", "second")
    assert codes_of("", exception(1, one), exception(2, other), mods=mods) == ["RW0851"]
    rules = (
        rule("a", f"instead of draw by player if {one}", "return none"),
        rule("b", f"instead of draw by player if {other}", "return none"),
    )
    assert codes_of("", *rules, mods=mods) == ["RW0852"]


def test_mods_that_say_the_same_do_not_matter_to_each_other() -> None:
    one = exception(1, "player.out")
    other = exception(1, "player.cash > 5").replace("line_1", "other")
    assert codes_of("", one, other, mods=("first", "second")) == []


PAYS = "rule {name}: {timing} landing by player on field{head}\n    {body}\n"
GIFT = PAYS.format(name="gift", timing="after", head=": Start", body="pay 10 from bank to player")
DOUBLED = [
    ("after", "", "pay 50 from bank to player", True),
    ("before", "", "pay 50 from bank to player", True),
    ("after", "", "if player.cash > 5\n        pay 50 from bank to player", True),
    ("after", ": Garden", "pay 50 from bank to player", False),
    ("after", "", "pay 50 from player to bank", False),
    ("after", "", "player.wins = 0", False),
]


@pytest.mark.parametrize(("timing", "head", "body", "clash"), DOUBLED)
def test_two_mods_that_pay_at_one_happening(timing: str, head: str, body: str, clash: bool) -> None:
    other = PAYS.format(name="prize", timing=timing, head=head, body=body)
    assert codes_of("", GIFT, other, mods=("one", "two")) == ["RW0853"] * clash
    assert codes_of("", GIFT + other, mods=("one",)) == []


SET = [
    ("player.wins = 1", "player.wins = 2", True),
    ("player.wins = 1", "player.wins = 1", False),
    ("player.wins = 1", "player.best = none", False),
    ("player.wins = 1", "table.active.wins = 2", False),
    ("move 1 token from bank to player", "move 2 token from bank to player", True),
    ("move 1 token from bank to player", "move 1 token from player to bank", False),
]


@pytest.mark.parametrize(("one", "other", "clash"), SET)
def test_two_mods_that_set_one_field_at_one_happening(one: str, other: str, clash: bool) -> None:
    rules = [
        PAYS.format(name=f"rule_{place}", timing="after", head="", body=body)
        for place, body in enumerate((one, other))
    ]
    found = [code for code in codes_of("", *rules, mods=("one", "two")) if code != "RW0710"]
    assert found == ["RW0853"] * clash
