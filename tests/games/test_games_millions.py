"""An edition in millions: money beyond what a variant has that says nothing of it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from game_divergence import assert_same
from game_rigs import HERE, LIBRARY, Setup, checked, rig

import dsl.data
from dsl.check import fit
from dsl.diagnostics import Bag, Diagnostic
from interpreter.emit.ends import FAULT, GAME_OVER
from interpreter.engine.native_engine import NATIVE
from interpreter.session.build import check
from interpreter.session.request import Request

MOST = 50_000_000
CASH = "Player.cash"
MILLIONS = Setup("millions", 4)
RICH = Setup("millions", 2, switches=(("starting_cash", f"{MOST}"),))
PARTS = """
add to Player
    down: money starts 0
    cut: money starts 0
    raised: money starts 0
    near: money starts 0
    tenth: money starts 0
rule parts: before take_turn by player
    player.down = player.cash * 97 / 101
    player.cut = round_down(player.cash * 97 / 101, 1000)
    player.raised = round_up(player.cash * 97 / 101)
    player.near = round_near(player.cash * 97 / 101, 10)
    player.tenth = player.cash * 97%
    end game
"""
needs_native = pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")


def found_in(name: str, **request: object) -> list[Diagnostic]:
    bag = Bag()
    check(Request(LIBRARY, name, 4, **request), bag)  # type: ignore[arg-type]
    return bag.sorted()


@needs_native
def test_games_in_millions_are_the_same_on_both_engines() -> None:
    played = rig(MILLIONS)
    for seats in played.line_ups():
        one, other = (played.play(engine, 0, 3, seats) for engine in ("python", "native"))
        assert_same(one, other, played, seats, 7)
    result = played.play("native", 0, 200, played.seats(*played.written), phase_limit=2_000)
    assert result.ends.count(GAME_OVER) > 190
    assert max(result.scores) > 20 * fit.MOST_MONEY


@needs_native
@pytest.mark.parametrize("engine", ["python", "native"])
def test_a_purse_holds_the_limit_and_not_a_dollar_more(engine: str) -> None:
    """What is in it is never more, and where more would come the game ends, with a name."""
    played = rig(RICH)
    result = played.play(engine, 0, 20, played.seats("builder", "greedy"))
    named = [
        played.flat.faults[fault]
        for fault, end in zip(result.scalars["fault"], result.ends, strict=True)
        if end == FAULT
    ]
    assert named
    assert set(named) == {f"{CASH} would hold more than {MOST}"}


@needs_native
def test_parts_of_the_limit_are_exact(tmp_path: Path) -> None:
    """`a * b / c` may pass what the engines count with in between."""
    mod = tmp_path / "parts"
    (mod / "rules").mkdir(parents=True)
    (mod / "mod.yaml").write_text("mod: parts\ntitle: Parts\noverlay_for: [classic]\n")
    (mod / "rules" / "parts.rules").write_text(PARTS)
    played = rig(Setup(RICH.variant, RICH.players, (str(mod),), switches=RICH.switches))
    exact = MOST * 97 / 101
    wanted = {
        "down": int(exact), "cut": int(exact) // 1000 * 1000, "raised": int(exact) + 1,
        "near": round(exact / 10) * 10, "tenth": MOST // 100 * 97,
    }  # fmt: skip
    for engine in (played.python, played.native):
        engine.new_game(0, 0)
        for seat in range(2):
            engine.seat(seat, "greedy")
        engine.play(10, checks=True)
        first = next(p for p in range(8) if engine.cell("s_player_down", p))
        assert {name: engine.cell(f"s_player_{name}", first) for name in wanted} == wanted


def test_the_limit_is_told_with_how_to_raise_it() -> None:
    (one,) = found_in("classic", switches={"starting_cash": "5000000"})
    assert "limits: {money: 50000000}" in (one.help or "")
    (one,) = found_in("millions", switches={"starting_cash": "50000001"})
    assert "in thousands" in (one.help or "")


def test_the_schema_knows_the_most_that_can_be_set() -> None:
    schema = json.loads((Path(dsl.data.__file__).parent / "outer.schema.json").read_text())
    least, most = schema["properties"]["limits"]["properties"]["money"]["allOf"]
    assert (least["minimum"], most["maximum"]) == (fit.MOST_MONEY, fit.MOST_MONEY_LIMIT)


@pytest.mark.parametrize(("most", "word"), [("50000001", "thousands"), ("999999", "the least is")])
def test_other_limits_are_refused(tmp_path: Path, most: str, word: str) -> None:
    text = (HERE / "variants" / "millions" / "variant.yaml").read_text()
    folder = tmp_path / "millions"
    folder.mkdir()
    (folder / "variant.yaml").write_text(re.sub(r"money: \d+\}\n", f"money: {most}}}\n", text))
    bag = Bag()
    check(Request(LIBRARY, folder, 4), bag)
    assert any(word in one.message and "money" in one.message for one in bag.sorted())


def test_all_of_the_family_can_be_counted_at_the_most() -> None:
    for players in (2, 8):
        checked(Setup("millions", players))
