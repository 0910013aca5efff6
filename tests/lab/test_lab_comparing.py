"""Two versions of a game with the same luck: what is planted is found, and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from interpreter.engine.native_engine import NATIVE
from interpreter.lab.comparing import Change, Comparing, LineUp, NotComparable, compare, parse_until
from interpreter.lab.saying import as_json, remarks
from interpreter.playtest.conduct import Conductor
from interpreter.playtest.machine import Chunk, play_chunk

Make = Callable[..., Conductor]
Mod = Callable[..., Path]

pytestmark = pytest.mark.skipif(not NATIVE, reason="thousands of games need wasmtime")

RACE = ("walker", "runner")
WIND = """\
rule wind: before take_turn by player if player.turns is 1
    luck picks n in 0..1
    if n is 1
        player.field = next_of(Field, player.field)
"""


@pytest.fixture
def windy(version: Make, mod: Mod) -> Callable[..., Conductor]:
    """The race, and some begin a step further on."""
    folder = mod("race", WIND)
    return lambda seed=0: version("race", 3, RACE, mods=[folder], seed=seed)


def by_id(line_up: LineUp) -> dict[str, Change]:
    return {each.figure.id: each for each in (*line_up.headlines, *line_up.changes)}


def test_a_version_is_like_itself(version: Make) -> None:
    found = Comparing(version("race", 3, RACE), version("race", 3, RACE)).line_up(500)
    assert found.pairs == 500
    assert not found.changes
    assert all(each.difference == 0 and each.saved is None for each in found.headlines)


def test_differences_are_those_of_the_games(version: Make, windy: Make) -> None:
    """Worked out again from the games of each side."""
    sides = version("race", 3, RACE), windy()
    found = by_id(Comparing(*sides).line_up(600))
    one, other = (play_chunk(Chunk(side.ready.machine, 0, 600, RACE, 0, 60)) for side in sides)
    lengths = [result.scalars["phases"] for result in (one, other)]
    assert found["turns.mean"].difference == pytest.approx(
        (sum(lengths[1]) - sum(lengths[0])) / 600
    )
    for seat, name in enumerate(("ann", "ben", "cleo")):
        wins = [
            sum(winners >> seat & 1 for winners in result.winners) / 600 for result in (one, other)
        ]
        change = found[f"seat.{name}"]
        assert (change.one, change.other) == pytest.approx(tuple(wins))
    visits = [sum(result.measures[_visits(sides[0])]) / 600 for result in (one, other)]
    changed = [each for id_, each in found.items() if id_.startswith("measure.visits.")]
    assert changed, "who is further on steps less"
    assert sum(each.difference for each in changed) == pytest.approx(visits[1] - visits[0], rel=0.1)


def _visits(side: Conductor) -> str:
    return side.ready.program.measures["visits"].column


def test_sides_can_be_exchanged(version: Make, windy: Make) -> None:
    sides = version("race", 3, RACE), windy()
    there, back = (by_id(Comparing(*two).line_up(400)) for two in (sides, sides[::-1]))
    assert there.keys() == back.keys()
    for id_, change in there.items():
        assert change.difference == pytest.approx(-back[id_].difference)
        assert (change.low, change.p) == pytest.approx((-back[id_].high, back[id_].p))


def test_workers_change_nothing(version: Make, windy: Make) -> None:
    sides = version("race", 3, RACE), windy()
    comparing = Comparing(*sides)
    with ThreadPoolExecutor(1) as executor:
        assert comparing.line_up(900, executor=executor) == comparing.line_up(900)


@pytest.mark.parametrize(
    ("text", "most"), [("2turns", 2.0), ("1turn", 1.0), ("1pp", 0.01), ("2 %", 0.02)]
)
def test_a_run_stops_when_it_knows_enough(
    version: Make, windy: Make, text: str, most: float
) -> None:
    sides = version("race", 3, RACE), windy()
    found = Comparing(*sides).line_up(60_000, until=parse_until(text))
    assert found.is_early
    assert 400 <= found.pairs < 60_000
    heads = found.headlines
    wanted = [each for each in heads if each.figure.is_share] if most < 0.1 else [found.turns]
    assert all((each.high - each.low) / 2 <= most for each in wanted)


def test_a_run_stops_when_something_is_found(version: Make) -> None:
    """And goes on to its end where there is nothing."""
    plain = version("race", 3, ("walker",))
    slow = version("race", 3, ("runner",))
    found = Comparing(plain, version("race", 3, ("walker",), switches={"prize": "9"})).line_up(
        4_000, until=parse_until("found")
    )
    assert not found.is_early, "walkers do not care for prizes"
    with pytest.raises(NotComparable, match="runner and walker can't play on both sides"):
        Comparing(plain, slow)


@pytest.mark.parametrize("text", ["", "1", "turns", "0turns", "-1pp", "soon", "1e3turns"])
def test_what_is_no_end(text: str) -> None:
    with pytest.raises(ValueError, match="2turns"):
        parse_until(text)


def test_tables_of_other_sizes_are_refused(version: Make) -> None:
    with pytest.raises(NotComparable, match="3 players, the other 2"):
        Comparing(version("race", 3, RACE), version("race", 2, RACE))


def test_a_card_more_leaves_the_luck_of_the_others(version: Make, mod: Mod) -> None:
    """In Deal: with shuffles by place nothing of it was left, a ratio of 1.07."""
    more = mod(
        "deal",
        "remove always whole_pack\n",
        'things:\n  cards:\n    - {id: money_7, kind: Money, name: "M 7", value: 7}\n',
    )
    found = Comparing(version("deal", 4), version("deal", 4, mods=[more])).line_up(2_000)
    assert found.turns.saved is not None
    assert found.turns.saved > 1.6


def test_the_report_says_all(version: Make, windy: Make) -> None:
    sides = version("race", 3, RACE), windy()
    comparison = compare([Comparing(*sides)], 500)
    written = as_json(comparison)
    assert written["format"] == 1
    text = "\n".join(remarks(comparison))
    turns = comparison.line_ups[0].turns
    assert ("found" if not turns.is_found else "Games of B are") in text
    assert "turns" in text


# ---------------------------------------------------------------- planted faults


CHEAP = "things:\n  spaces:\n    - {id: new_york, price: 160}\n"
STRONGER = """\
rule stronger: after set_up
    pay 30 from bank to blue
"""


@pytest.mark.long
def test_a_player_a_little_stronger_is_found(version: Make, mod: Mod) -> None:
    """Who has 30 more at the start wins a good 3 % more often, 25.8 instead of 25.0 of 100."""
    richer = version("classic", 4, mods=[mod("classic", STRONGER)])
    found = by_id(Comparing(version("classic", 4), richer).line_up(30_000))
    assert found["seat.blue"].is_found
    assert 0.003 < found["seat.blue"].difference < 0.015
    assert not any(each.is_found for id_, each in found.items() if id_.startswith("place."))


@pytest.mark.long
def test_a_street_too_cheap_is_found(version: Make, mod: Mod) -> None:
    """New York Avenue for 160 instead of 200: what is put into it falls most of all."""
    cheap = version("classic", 4, mods=[mod("classic", data=CHEAP)])
    found = Comparing(version("classic", 4), cheap).line_up(10_000)
    money = [each for each in found.changes if each.figure.unit == "money"]
    assert by_id(found)["measure.spent.new_york"].difference < -40
    assert max(money, key=lambda each: each.least).figure.id == "measure.spent.new_york"


@pytest.mark.long
def test_intervals_cover_the_difference(version: Make, windy: Make) -> None:
    """300 runs of 400 pairs: every kind of figure is covered by 95 of 100 intervals, give or take
    what 300 runs can tell."""
    runs, size = 300, 400
    sides = version("race", 3, RACE), windy()
    truth = by_id(Comparing(*sides).line_up(runs * size))
    covered: Counter[str] = Counter()
    for seed in range(1, runs + 1):
        sides = (
            version("race", 3, RACE, seed=seed),
            windy(seed),
        )
        for change in Comparing(*sides).line_up(size).headlines:
            covered[change.figure.id] += (
                change.low <= truth[change.figure.id].difference <= change.high
            )
    for id_, times in covered.items():
        if truth[id_].one or truth[id_].other:
            assert times / runs >= 0.925, (id_, times)
            assert times / runs <= 0.985 or id_ in ("limit", "faults", "shared"), (id_, times)
