"""Shaking: set-ups drawn by lot, what goes wrong in them, and the fewest settings that show it."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dsl.check.drawable import drawable_switches
from dsl.diagnostics import Bag
from dsl.project.find import Library
from dsl.project.load import load_merged
from interpreter.bundled import variants_dir
from interpreter.cli.commands import commands
from interpreter.emit.python import print_python
from interpreter.engine.native_engine import NATIVE
from interpreter.flat.ir import nodes as flat
from interpreter.playtest import shaking
from interpreter.playtest.runner import InlineExecutor, never
from interpreter.playtest.shake import (
    ShakeReport,
    conduct_shaking,
    dealt,
    one_game,
    prepared,
    reduced,
)
from interpreter.session.request import Request

STUCK = Path(__file__).parent / "games" / "stuck"
LIBRARY = Library([variants_dir()])
WAYS = {
    "bound": "Player.height would be outside 0..5",
    "purse": "more was taken from Player.coins than was there",
    "empty": "luck has nothing to pick from",
    "zone": "Player.hand would hold more than 1",
    "broken": "nobody_is_lost",
    "never_true": "sun_shines",
}
needs_native = pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")


def shaken(name: str | Path, games: int, seed: int = 0, **switches: str) -> ShakeReport:
    known = prepared(Request(LIBRARY, name, switches=switches), seed, None)
    assert known is not None
    return conduct_shaking(
        *known, games, InlineExecutor(), workers=1, on_setup=lambda _: None, should_stop=never
    )


def invoke(*words: str) -> Result:
    return CliRunner().invoke(commands, list(words), catch_exceptions=False)


# ---------------------------------------------------------------- drawing


def test_switches_are_drawn_from_their_declared_values() -> None:
    merged = load_merged(LIBRARY, "classic", bag=Bag())
    assert merged is not None
    found = {each.name: each for each in drawable_switches(merged, 4)}
    assert found["mortgages"].others == ("no",)
    assert set(found["build_when"].others) == {"own_turn", "own_turn_before_roll"}
    assert set(found["jail_max_tries"].others) == {"1", "2"}
    scarce_and_rich = {int(value) for value in found["house_supply"].others}
    assert scarce_and_rich == {0, 1, 3, 16, 31, 33, 64, 200}
    assert max(int(value) for value in found["starting_cash"].others) == 15_000
    assert all(each.value not in each.others for each in found.values())


def test_a_number_is_always_the_same_setup_and_others_are_others() -> None:
    known = prepared(Request(LIBRARY, "classic"), 5, None)
    assert known is not None
    seen = [shaking.drawn_setup(known[1], number)[0] for number in (0, 1, 2, 3, 0)]
    assert seen[0] == seen[-1]
    assert len({str((each.players, each.mods, each.switches)) for each in seen}) == 4
    assert any(each.mods for each in seen)


def test_what_is_given_is_not_drawn() -> None:
    given = Request(LIBRARY, "classic", 3, ("no_auctions",), {"go_salary": "7"})
    known = prepared(given, 5, None)
    assert known is not None
    assert "no_auctions" not in known[1].mods
    for number in range(4):
        request, _, _ = shaking.drawn_setup(known[1], number)
        assert (request.players, request.mods[0]) == (3, "no_auctions")
        assert request.switches["go_salary"] == "7"


def test_only_mods_that_fit_are_drawn() -> None:
    for name, mods in (("bid", 0), ("crooked_cash", 3)):
        known = prepared(Request(LIBRARY, name), 0, None)
        assert known is not None
        assert len(known[1].mods) == mods


def test_all_games_are_dealt() -> None:
    for games in (1, 39, 40, 41, 1_000, 20_000):
        assert sum(dealt(games)) == games
    assert len(dealt(20_000)) == 50


# ---------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize("way", WAYS)
def test_whatever_goes_wrong_is_found_with_the_one_setting_that_it_takes(way: str) -> None:
    report = shaken(STUCK, 160, way=way)
    assert report.games == sum(report.ends.values()) == 160
    assert report.compared == (64 if NATIVE else 0)
    (found,) = (each for each in report.found if each.trouble.kind != "limit")
    trouble = found.trouble
    assert found.is_reduced
    assert trouble.request.switches == {"way": way}
    assert WAYS[way] in trouble.reason
    assert trouble.where is not None
    said = invoke(*shlex.split(trouble.again)[1:]).output
    assert WAYS[way] in said
    assert all(line in said for line in trouble.where.lines())


def test_what_goes_wrong_by_lot_is_found() -> None:
    kinds = {each.trouble.kind for each in shaken(STUCK, 800).found}
    assert {"fault", "broken"} <= kinds


def test_as_many_settings_are_kept_as_it_takes() -> None:
    switches = {"last_survivor_wins": "no", "way": "paired", "pair": "yes"}
    known = prepared(Request(LIBRARY, STUCK, switches=switches), 0, ("nodder",))
    assert known is not None
    trouble = one_game(known[1], 0)
    assert trouble is not None
    fewer, is_reduced = reduced(trouble)
    assert is_reduced
    assert fewer.request.switches == {"way": "paired", "pair": "yes"}
    assert fewer.where == trouble.where


@needs_native
def test_engines_that_differ_are_found_with_the_phase_and_the_field(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def wrong(program: flat.Program) -> str:
        text = print_python(program)
        assert "100" in text
        return text.replace("100", "3")

    monkeypatch.setattr(shaking, "print_python", wrong)
    report = shaken(STUCK, 40, way="nothing")
    found = [each for each in report.found if each.trouble.kind == "difference"]
    assert found
    assert "the engines differ after phase" in found[0].trouble.reason
    words = shlex.split(found[0].trouble.again)
    assert "--shake" in words
    result = invoke(*words[1:])
    assert result.exit_code == 1
    assert found[0].trouble.reason in result.output
    monkeypatch.undo()
    assert invoke(*words[1:]).exit_code == 0


# ---------------------------------------------------------------- the command


def test_the_command_says_it_all_and_ends_with_1(tmp_path: Path) -> None:
    file = tmp_path / "shaken.json"
    result = invoke(
        "playtest", str(STUCK), "--shake", "--games", "80", "--set", "way=purse",
        "--json", str(file), "--workers", "1",
    )  # fmt: skip
    assert result.exit_code == 1
    assert "fault: more was taken from Player.coins than was there" in result.output
    told = json.loads(file.read_text(encoding="utf-8"))
    (found,) = (each for each in told["found"] if each["kind"] == "fault")
    assert found["rule"] == "rule toll"
    assert found["place"] in result.output
    assert found["again"] in result.output


def test_where_nothing_is_wrong_it_says_so() -> None:
    result = invoke(
        "playtest", str(STUCK), "--shake", "--games", "40", "--set", "way=nothing",
        "--workers", "1",
    )  # fmt: skip
    assert result.exit_code == 0
    assert "No game was stopped, nothing was broken" in result.output


def test_one_game_is_played_as_it_is_set() -> None:
    words = ("playtest", str(STUCK), "--shake", "--game", "3", "--bots", "nodder")
    assert invoke(*words).exit_code == 0
    result = invoke(*words, "--set", "way=bound")
    assert result.exit_code == 1
    assert "Player.height would be outside 0..5" in result.output
    assert "in event climb by with" in result.output


@pytest.mark.parametrize(
    "words", [("--game", "1"), ("--shake", "--csv", "x"), ("--shake", "--bots", "nobody")]
)
def test_what_does_not_go_together_is_refused(words: tuple[str, ...]) -> None:
    assert invoke("playtest", str(STUCK), *words).exit_code == 2


# ---------------------------------------------------------------- all that comes along


VARIANTS = ("classic", "cthulhu", "crooked_cash", "jackpot", "bid", "deal", "card_game")


def assert_sound(report: ShakeReport, games: int) -> None:
    wrong = [each for each in report.found if each.is_wrong]
    assert not wrong, "\n".join(f"{each.trouble.reason}: {each.trouble.again}" for each in wrong)
    assert report.games == games


def test_a_bundled_variant_can_be_shaken() -> None:
    assert_sound(shaken("jackpot", 80), 80)


@pytest.mark.long
@pytest.mark.parametrize("name", VARIANTS)
def test_twenty_thousand_shaken_games_of_each(name: str) -> None:
    report = shaken(name, 20_000, seed=100)
    assert_sound(report, 20_000)
    assert not NATIVE or report.compared >= 500
