"""Reports of many games find what was planted, and their intervals cover what they promise."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from interpreter.bundled import variants_dir
from interpreter.engine.native_engine import NATIVE
from interpreter.playtest.conduct import Conductor
from interpreter.playtest.machine import Chunk, play_chunk
from interpreter.playtest.remarks import remarks
from interpreter.playtest.standings import by_bot, by_place, by_seat
from interpreter.playtest.stats import lasting_of
from interpreter.playtest.tally import Tally
from interpreter.session.compile import CompiledGame, load_compiled
from interpreter.session.request import Request

Make = Callable[..., Conductor]

pytestmark = pytest.mark.skipif(not NATIVE, reason="thousands of games need wasmtime")

SEAT = """\
rule richer: after set_up
    pay 100 from bank to blue
"""
PLACE = """\
rule richer: before take_turn by player if count(each p in Player where p.turns is 0) is 1
    if player.turns is 1
        pay 100 from bank to player
"""


def with_mod(folder: Path, variant: str, rules: str, data: str = "") -> CompiledGame:
    """A variant with a mod of these rules, and perhaps data."""
    mod = folder / "mods" / "richer"
    (mod / "rules").mkdir(parents=True)
    (mod / "mod.yaml").write_text(f"mod: richer\ntitle: Richer\noverlay_for: [{variant}]\n{data}")
    (mod / "rules" / "richer.rules").write_text(rules)
    bag = Bag()
    game = load_compiled(Request(Library([variants_dir(), folder]), variant, 4, [mod]), bag)
    assert game is not None, bag.sorted()
    return game


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules", "said", "not_said"),
    [
        (SEAT, "The seat Battleship is favoured: it wins 2", "The seat Race Car is favoured"),
        (PLACE, "The 3rd place in the order of play is favoured: it wins 2", "The seat"),
    ],
)
def test_a_hundred_more_are_found(
    tmp_path: Path, conductor: Make, rules: str, said: str, not_said: str
) -> None:
    report = conductor(with_mod(tmp_path, "classic", rules), games=10_000, seed=1).conduct()
    text = "\n".join(remarks(report))
    assert said in text
    assert not_said not in text


@pytest.mark.parametrize(
    ("variant", "forbidden", "said"),
    [
        ("deal", "birthday in plays if card is its_my_birthday_1", "It's My Birthday (1)"),
        ("deal", "just_say_no in refusal if card is just_say_no_2", "Just Say No (2)"),
        ("deal", "just_say_no in refusal if yes", "Just Say No (1), Just Say No (2), "),
        ("deal", "rent in plays if double_the_rent_1 in doublers", "Double the Rent (1)"),
        ("deal", "build in plays if card is hotel_1", "Hotel (1)"),
        ("crooked_cash", "use_jail_card in jail_turn if card is cc_jail_free", "Way out of Jail"),
        ("classic", "use_jail_card in jail_turn if card is ch_jail_free", "Way out of Jail (1)"),
        (
            "classic",
            "use_jail_card in jail_turn if yes",
            "Way out of Jail (1), Way out of Jail (2)",
        ),
    ],
)
def test_a_card_that_cannot_be_played_is_named(
    tmp_path: Path, conductor: Make, variant: str, forbidden: str, said: str
) -> None:
    """Its row is zero, and the remark names it and no other."""
    rule = f'forbid {forbidden}, "not this one"\n'
    report = conductor(with_mod(tmp_path, variant, rule), games=1_500).conduct()
    title = "Kept cards used" if variant == "classic" else "Cards played"
    (line,) = [one for one in remarks(report) if one.startswith(f"{title}: never")]
    assert line.startswith(f"{title}: never {said}")
    assert line.count(",") == max(said.count(","), 0)


def test_all_cards_of_the_games_are_played(conductor: Make, tmp_path: Path) -> None:
    for variant in ("deal", "crooked_cash", "classic"):
        report = conductor(with_mod(tmp_path / variant, variant, "-- Nothing.\n"), games=1_500)
        assert not [one for one in remarks(report.conduct()) if ": never" in one]


@pytest.mark.long
def test_nothing_is_found_where_nothing_is(tmp_path: Path, conductor: Make) -> None:
    """Seats of Classic are alike: who begins is decided by the dice."""
    game = with_mod(tmp_path, "classic", "-- Nothing.\n")
    found = []
    for seed in range(20):
        test = conductor(game, games=500, seed=seed).conduct().won.by_seat.test
        assert test.p is not None
        found.append(test.p)
    assert sum(p < 0.05 for p in found) <= 4
    assert min(found) > 0.0005


RUNS, GAMES = 2_000, 150


@pytest.mark.long
@pytest.mark.parametrize("bots", [("walker",), ("walker", "runner"), ("random", "walker")])
def test_intervals_cover_what_many_games_tell(
    race: CompiledGame, conductor: Make, bots: tuple[str, ...]
) -> None:
    """2,000 runs at three seats: of 95 % intervals as many cover the mean of all. Those of seats
    and places are wider where bots of different strength move through them."""
    plan = conductor(race, games=GAMES, bots=bots, engine="native")
    whole = Tally(3, bots)
    parts = []
    for run in range(RUNS):
        result = play_chunk(Chunk(plan.ready.machine, run * GAMES, GAMES, bots, 78, 60))
        part = Tally(3, bots)
        part.add(result)
        whole.add(result)
        parts.append(part)

    figures = figures_of(whole)
    covered = Counter(
        name
        for part in parts
        for name, (_, low, high) in figures_of(part).items()
        if low <= figures[name][0] <= high
    )
    for name in figures:
        most = 0.965 if len(bots) == 1 or name in (*bots, "turns") else 0.975
        assert 0.935 <= covered[name] / RUNS <= most, (name, covered)


def figures_of(tally: Tally) -> dict[str, tuple[float, float, float]]:
    """Figures of a report with their intervals."""
    found = {}
    for standings in (
        by_seat(tally.decided, ["a", "b", "c"], has_scores=True),
        by_place(tally.decided, 3, has_scores=True),
        by_bot(tally.decided, tally.names, has_scores=True),
    ):
        for row in standings.rows if standings else ():
            found[row.name] = (row.share.share, row.share.low, row.share.high)
    lasting = lasting_of(tally.turns, tally.cut_turns)
    assert lasting is not None
    found["turns"] = (lasting.mean, lasting.low, lasting.high)
    return found
