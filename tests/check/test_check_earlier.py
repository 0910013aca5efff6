"""Rules whose head an earlier rule of the same happening may make true."""

from __future__ import annotations

import pytest
from check_games import check

LANDING = "landing by player on field"


def rule(name: str, head: str, *body: str) -> str:
    return f"rule {name}: {head}\n" + "".join(f"    {line}\n" for line in body)


def warned(*texts: str, mods: tuple[str, ...] = ()) -> list[tuple[str, str]]:
    """What is warned of, and the earlier rule."""
    _, bag = check(*texts, mods=mods)
    return [
        (one.primary.span.text, one.secondary[0].span.text)
        for one in bag.sorted()
        if one.code == "RW0714"
    ]


GROW = "player.wins = min(player.wins + 1, 9)"
MANY = "player.wins > 3"
SAY = 'say "so"'


@pytest.mark.parametrize("timing", ["before", "after"])
def test_a_later_rule_is_warned_of(timing: str) -> None:
    text = rule("one", f"{timing} {LANDING}", GROW) + rule(
        "two", f"{timing} {LANDING} if {MANY}", SAY
    )
    assert warned(text) == [(MANY, "one")]
    assert warned(text.replace(f"if {MANY}", "").replace(SAY, f"if {MANY}\n        {SAY}")) == []


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("player.wins <= 3", MANY),
        ("not player.out", "player.out and player.wins > 2"),
        ("field is Start", f"field is Garden and {MANY}"),
    ],
)
def test_heads_that_exclude_each_other_are_meant_so(one: str, two: str) -> None:
    text = rule("one", f"after {LANDING} if {one}", GROW) + rule(
        "two", f"after {LANDING} if {two}", SAY
    )
    assert warned(text) == []


def test_kinds_that_have_nothing_in_common_never_meet() -> None:
    text = rule("one", f"after {LANDING}: Start", GROW)
    assert warned(text + rule("two", f"after {LANDING}: Garden if {MANY}", SAY)) == []


@pytest.mark.parametrize(
    ("set_to", "asked", "found"),
    [
        ("yes", "player.out", True),
        ("no", "player.out", False),
        ("yes", "not player.out", False),
        ("no", "not player.out and player.wins < 3", True),
        ("player.wins > 3", "not player.out", True),
    ],
)
def test_a_flag_that_can_only_turn_the_other_way_is_no_matter(
    set_to: str, asked: str, found: bool
) -> None:
    text = rule("one", f"after {LANDING}", f"player.out = {set_to}")
    assert bool(warned(text + rule("two", f"after {LANDING} if {asked}", SAY))) is found


def test_what_a_question_a_window_or_a_watch_sets_off_counts() -> None:
    two = rule("two", f"after {LANDING} if count(player.hand) > 2", SAY)
    watch = rule("watch", "whenever player_of_all.cash > 7", "get card from draw by first(Player)")
    watch += "define player_of_all: Player = first(Player)\n"
    asks = rule("one", f"after {LANDING}", "open market by player")
    assert warned(asks + two) == []
    assert warned(watch + asks + two) == [("count(player.hand) > 2", "one")]
    tokens = rule("two", f"after {LANDING} if player.tokens > 2", SAY)
    assert warned(asks + tokens) == [("player.tokens > 2", "one")]


def test_a_pool_that_grows_counts() -> None:
    make = "let offer = new Offer(giver: player, price: 5)"
    text = rule("one", f"after {LANDING}", make, "drop offer")
    two = rule("two", f"after {LANDING} if count(Offer) > 0", SAY)
    assert warned(text + two) == [("count(Offer) > 0", "one")]


def test_rules_instead_run_inside_each_other() -> None:
    inner = rule("inner", f"instead of {LANDING} if {MANY}", SAY)
    outer = rule("outer", f"instead of {LANDING} if field is Start ahead of inner", GROW)
    assert warned(inner + outer) == []
    assert warned(inner + outer + "    as usual\n") == [(MANY, "outer")]


def test_a_measure_looks_like_a_rule() -> None:
    text = rule("one", f"after {LANDING}", GROW)
    assert warned(text + f"measure m: after {LANDING} if {MANY} add 1\n") == [(MANY, "one")]
    assert warned(text + f"measure m: after {LANDING} add player.wins\n") == []


def test_two_mods_are_told_of_each_other_and_of_the_variant() -> None:
    one, two = rule("one", f"after {LANDING}", GROW), rule("two", f"after {LANDING} if {MANY}", SAY)
    assert warned("", one, two, mods=("first", "second")) == [(MANY, "one")]
    assert warned(one, two, mods=("first",)) == [(MANY, "one")]


def test_what_two_rules_of_a_library_do_is_not_for_the_variant_to_hear() -> None:
    text = rule("one", f"after {LANDING}", GROW) + rule("two", f"after {LANDING} if {MANY}", SAY)
    _, bag = check(text, library=True)
    assert [one.code for one in bag.sorted() if one.code == "RW0714"] == []
