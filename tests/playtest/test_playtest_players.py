"""The players of the classic family: who beats whom, and what they look at."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from test_playtest_planted import with_mod

from interpreter.engine.native_engine import NATIVE
from interpreter.playtest.alone import differing
from interpreter.playtest.conduct import Conductor

Make = Callable[..., Conductor]
OTHERS = ("builder", "cautious", "greedy")

pytestmark = pytest.mark.skipif(not NATIVE, reason="hundreds of games need wasmtime")

COUNTED = """\
measure at_its_price: after acquire deed by player at price if deed is mediterranean
    and price is deed.price add 1
measure whole: before trade_deed deed to player if deed is Transport
    and player.count_in(deed.group) is count(deed.group.members) - 1 add 1
"""


@pytest.mark.parametrize("variant", ["classic", "cthulhu"])
def test_the_reckoner_beats_the_three_others(tmp_path: Path, conductor: Make, variant: str) -> None:
    game = with_mod(tmp_path, variant, "-- Nothing.\n")
    won = conductor(game, games=400, bots=("reckoner", *OTHERS)).conduct().won.by_bot
    (share,) = [row.share for row in won.rows if row.name == "reckoner"]
    assert share.fair == 0.25
    assert share.low > share.fair


def counted(folder: Path, conductor: Make, price: int, *bots: str) -> dict[str, int]:
    """What is counted in 400 games, with such a price of Mediterranean Avenue."""
    data = f"things: {{spaces: [{{id: mediterranean, price: {price}}}]}}\n"
    game = with_mod(folder, "classic", COUNTED, data)
    report = conductor(game, games=400, bots=bots).conduct()
    return {each.name: each.total for each in report.measures}


def test_the_reckoner_takes_a_cheaper_street_for_better(tmp_path: Path, conductor: Make) -> None:
    """It buys at 30 and at 60, and declines at 400; others buy what they can pay."""
    for bot, declines in (("reckoner", True), ("greedy", False)):
        cheap, usual, dear = (
            counted(tmp_path / f"{bot}{price}", conductor, price, bot)["at_its_price"]
            for price in (30, 60, 400)
        )
        assert cheap >= usual * 0.95
        assert (dear < usual / 4) == declines


def test_setters_do_not_complete_the_railroads_of_others_for_little(
    tmp_path: Path, conductor: Make
) -> None:
    game = counted(tmp_path, conductor, 60, "setter", "greedy", "setter", "setter")
    assert game["whole"] == 0


def test_what_depends_on_who_plays_comes_first(tmp_path: Path, conductor: Make) -> None:
    """Games among the greedy are short, those among the cautious long; all greedy are alike."""
    game = with_mod(tmp_path, "classic", "-- Nothing.\n")
    reports = {
        bot: conductor(game, games=400, bots=(bot,)).conduct() for bot in ("greedy", "cautious")
    }
    mixed = conductor(game, games=400, bots=("greedy", "cautious")).conduct()
    (said,) = differing(mixed, reports)
    assert said.startswith("How long a game is depends on who plays: ")
    assert "among greedy alone" in said
    assert said.endswith("among all together.")
    again = conductor(game, games=400, bots=("greedy",), seed=1).conduct()
    assert differing(mixed, {"greedy": reports["greedy"], "the same": again}) == []
