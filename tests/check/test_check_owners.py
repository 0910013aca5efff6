"""Fields that belong to what keeps them true."""

from __future__ import annotations

import pytest
from check_games import check, codes_of

TIRED = (
    "add to Player\n    tired: flag starts no, set by {owners}\n"
    "    naps: 0..9 per flag starts 0, set by {owners}\n"
    'to rest player\n    player.tired = yes\n    player.naps[yes] = 1\n'
)  # fmt: skip
PLACES = [
    ("rest", "", []),
    ("rest", "rule late: after landing by player on field\n    player.tired = no\n", ["RW0628"]),
    ("rest", "rule late: after landing by player on field\n    player.naps[no] = 2\n", ["RW0628"]),
    ("rest", "rule late: after landing by player on field\n    rest player\n", []),
    ("rest or late", "rule late: after landing by player on field\n    player.tired = no\n", []),
    ("rest", "rule late: instead of rest player\n    player.tired = no\n", []),
    ("rest", "rule late: before rest player\n    player.tired = no\n", ["RW0628"]),
    ("rest", "rule late: instead of go_on by player\n    player.tired = no\n", ["RW0628"]),
    ("rest", "option nap in market by player\n    player.tired = yes\n", ["RW0628"]),
    ("rest or nap", "option nap in market by player\n    player.tired = yes\n", []),
    ("rest", "rule late: whenever table.active.out\n    table.active.tired = yes\n", ["RW0628"]),
    ("rest", "phase night\n    table.active.tired = yes\n", ["RW0628"]),
    ("rest or night", "phase night\n    table.active.tired = yes\n", []),
    ("rest", 'saying player sleeps\n    player.tired = yes\n', []),
    ("rest", ('scenario "sleep"\n    given ann.tired = yes\n    when play turn\n'
     "    then\n        ann.tired\n"), []),
    ("sleep", "", ["RW0628"]),
]  # fmt: skip


@pytest.mark.parametrize(("owners", "text", "codes"), PLACES)
def test_only_its_owners_set_a_field(owners: str, text: str, codes: list[str]) -> None:
    found = codes_of(TIRED.replace("{owners}", owners) + text)
    assert sorted(set(found)) == codes


def test_a_mod_is_told_what_to_call() -> None:
    _, bag = check(
        TIRED.replace("{owners}", "rest"),
        "rule late: after landing by player on field\n    player.tired = no\n",
        mods=("mod",),
    )
    (found,) = (one for one in bag.sorted() if one.code == "RW0628")
    assert found.message == "only `rest` may set `tired`"
    assert found.help is not None
    assert "`rest`" in found.help


def test_data_is_set_by_nobody() -> None:
    assert "RW0511" in codes_of("add to Field\n    size: 0..9, set by go_on\n")
