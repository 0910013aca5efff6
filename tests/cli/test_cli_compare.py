"""`rulewright compare` at the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_runs import invoke

from interpreter.engine.native_engine import NATIVE


def windy(race: Path) -> Path:
    """The race with another step at the start."""
    other = race.with_name("windy")
    for path in sorted(race.rglob("*")):
        if path.is_file():
            copy = other / path.relative_to(race)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8").replace("variant: race", "variant: windy")
            copy.write_text(text.replace("luck picks n in 0..1", "luck picks n in 0..2"))
    return other


def test_two_variants(race: Path, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    args = ("--games", "300", "--bots", "walker,runner", "--json", file)
    result = invoke("compare", race, windy(race), *args)
    assert result.exit_code == 0, result.output
    assert "300 pairs of games with the same luck, 2 players" in result.output
    assert "walker, runner (300 pairs)" in result.output
    assert "Games of B are longer by" in result.output
    written = json.loads(file.read_text(encoding="utf-8"))
    (line_up,) = written["line_ups"]
    assert (written["a"]["variant"], written["b"]["variant"]) == ("race", "windy")
    assert line_up["headlines"][0]["id"] == "turns.mean"
    assert line_up["headlines"][0]["low"] > 0


def test_each_bot_alone(race: Path) -> None:
    args = ("--games", "50", "--bots", "walker,runner", "--alone")
    output = invoke("compare", race, windy(race), *args).output
    for who in ("walker, runner (50 pairs)", "walker alone (50 pairs)", "runner alone (50 pairs)"):
        assert who in output
    assert "150 pairs of games with the same luck, 2 players" not in output
    assert "150 pairs of games with the same luck, 3 line-ups" in output


@pytest.mark.skipif(not NATIVE, reason="thousands of games need wasmtime")
def test_it_stops_early(race: Path) -> None:
    args = ("--games", "20000", "--bots", "walker,runner", "--until", "2turns")
    output = invoke("compare", race, windy(race), *args).output
    assert "stopped when that was enough" in output


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "Name what is to be compared"),
        (("--set", "prize=6", "--until", "soon"), "say how sure the run is to be"),
        (("--set", "prize=6", "--bots", "nobody"), "There is no bot `nobody`"),
        (("--set", "price=6"), "price"),
    ],
)
def test_wrong_usage(race: Path, args: tuple[str, ...], said: str) -> None:
    result = invoke("compare", race, *args)
    assert result.exit_code == 2
    assert said in result.output
