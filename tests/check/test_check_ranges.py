"""Sums that may go beyond a field, and luck that may have nothing to pick from: warnings."""

from __future__ import annotations

import pytest
from check_games import codes_of
from test_check_values import body

ONE_MORE = "player.wins = player.wins + 1"
SUMS = [
    (ONE_MORE, True),
    ("player.wins = player.wins - 1", True),
    ("player.wins = min(player.wins + 1, 9)", False),
    ("player.wins = max(player.wins - 1, 0)", False),
    (f"if player.wins < 9\n    {ONE_MORE}", False),
    (f"if player.wins <= 8\n    {ONE_MORE}", False),
    (f"if player.wins < 4\n    {ONE_MORE}", False),
    ("if player.wins < 9\n    player.wins = player.wins + 2", True),
    (f"if 9 > player.wins\n    {ONE_MORE}", False),
    (f"if player.wins is not 9\n    {ONE_MORE}", False),
    (f"if player.wins is not 8\n    {ONE_MORE}", True),
    (f"if player.wins is 9\n    end turn\n{ONE_MORE}", False),
    ("if player.wins > 0\n    player.wins = player.wins - 1", False),
    ("if player.wins >= 3\n    player.wins = player.wins - 3", False),
    ("if player.wins >= 3\n    player.wins = player.wins - 4", True),
    ("let n = count(player.hand)\nif player.wins >= n\n    player.wins = player.wins - n", False),
    ("let n = count(player.hand)\nplayer.wins = player.wins - n", True),
    (f"if player.wins < 9\n    {ONE_MORE}\n    {ONE_MORE}", True),
    ("for each g in Garden\n    g.grown = g.grown + 1", True),
    ("for each g in Garden where g.grown < 3\n    g.grown = g.grown + 1", False),
]


@pytest.mark.parametrize(("text", "may_not_fit"), SUMS)
def test_a_sum_may_go_beyond_its_field(text: str, may_not_fit: bool) -> None:
    assert codes_of(body(text)) == ["RW0717"] * may_not_fit


PICKS = [
    ("luck picks p in Player", False),
    ("luck picks n in 1..6", False),
    ("luck picks c in [two, five]", False),
    ("luck picks p in players", True),
    ("luck picks c in player.hand", True),
    ("if count(player.hand) > 0\n    luck picks c in player.hand", False),
    ("if any(each c in player.hand)\n    luck picks c in player.hand", False),
    ("luck picks o in Offer", True),
    ("luck picks n in 1..player.wins", True),
    ("if player.wins >= 1\n    luck picks n in 1..player.wins", False),
]


@pytest.mark.parametrize(("text", "may_be_empty"), PICKS)
def test_luck_needs_something_to_pick_from(text: str, may_be_empty: bool) -> None:
    assert codes_of(body(text)) == ["RW0716"] * may_be_empty
