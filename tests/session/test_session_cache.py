"""Compiled variants in the cache: quick to load, rebuilt when damaged, foreign or out of date."""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from pathlib import Path

import pytest
from session_games import DUEL, write_game

from dsl.cache import FOLDER_VARIABLE, write_cached
from dsl.kept import read_kept
from interpreter import api


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    cache = tmp_path / "cache"
    monkeypatch.setenv(FOLDER_VARIABLE, str(cache))
    return cache


def final(variant: api.Variant) -> int:
    return variant.new_game(3, ["bold", "bold", "random"]).digest()


def test_from_the_cache_it_is_the_same(tmp_path: Path, folder: Path) -> None:
    game = write_game(tmp_path)
    first = api.load_variant(game, players=3)
    expected = final(first)
    kept = sorted(path.name for path in folder.iterdir())
    second = api.load_variant(game, players=3)
    assert second.compiled.key == first.compiled.key
    assert final(second) == expected == final(api.load_variant(game, players=3, cached=False))
    assert second.strategies == first.strategies
    assert sorted(path.name for path in folder.iterdir()) == kept
    assert second.new_game(1, ["person", "bold", "bold"]).log("ann")


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\0" * 500, None])
def test_damaged_files_are_rebuilt(tmp_path: Path, folder: Path, damage: bytes | None) -> None:
    game = write_game(tmp_path)
    expected = final(api.load_variant(game, players=3))
    for path in list(folder.iterdir()):
        content = path.read_bytes()
        path.write_bytes(content[: len(content) // 2] if damage is None else damage)
    assert final(api.load_variant(game, players=3)) == expected
    assert final(api.load_variant(game, players=3)) == expected


class Foreign:
    """Would do harm when read."""

    def __reduce__(self) -> tuple[object, ...]:
        return (exec, ("raise SystemExit('harm')",))


def test_foreign_files_are_rebuilt(tmp_path: Path, folder: Path) -> None:
    game = write_game(tmp_path)
    expected = final(api.load_variant(game, players=3))
    for path in list(folder.iterdir()):
        if path.suffix != ".code":
            write_cached(path.name, pickle.dumps(Foreign()))
    assert final(api.load_variant(game, players=3)) == expected
    write_cached("other", pickle.dumps({"a": 1}))
    assert read_kept("other", list) is None
    assert read_kept("other", dict) == {"a": 1}


def test_an_edit_is_noticed(tmp_path: Path, folder: Path) -> None:
    game = write_game(tmp_path)
    first = api.load_variant(game, players=3)
    path = game / "rules" / "duel.rules"
    path.write_text(DUEL.replace("hand_size: 1..5 = 3", "hand_size: 1..5 = 2"), encoding="utf-8")
    second = api.load_variant(game, players=3)
    assert second.switches["hand_size"] == "2"
    assert second.digest != first.digest
    (game / "rules" / "more.rules").write_text("rule x: after set_up\n    end game\n")
    third = api.load_variant(game, players=3)
    assert third.new_game(1, ["bold"] * 3).end_reason == "the game is over: x"
    path.write_text("nonsense here", encoding="utf-8")
    with pytest.raises(api.RulesError):
        api.load_variant(game, players=3)


def test_an_edit_is_noticed_where_a_folder_is_called_by_its_name_alone(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = write_game(tmp_path)
    monkeypatch.chdir(game.parent)
    first = api.load_variant(game.name, players=3).digest
    for path in game.rglob("*.rules"):
        path.write_text(path.read_text(encoding="utf-8") + "-- edited\n", encoding="utf-8")
    assert api.load_variant(game.name, players=3).digest != first


def test_a_folder_that_cannot_be_used_costs_only_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "blocked"
    blocked.write_text("no folder")
    monkeypatch.setenv(FOLDER_VARIABLE, str(blocked / "cache"))
    game = write_game(tmp_path)
    assert api.load_variant(game, players=3).new_game(1).pending is not None


def test_classic_is_there_at_once(folder: Path) -> None:
    api.load_variant("classic").new_game()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        api.load_variant("classic").new_game()
        times.append(time.perf_counter() - start)
    assert min(times) < 0.2


def test_a_cached_variant_needs_neither_parser_nor_checker(folder: Path) -> None:
    code = (
        "from interpreter import api; import sys; api.load_variant('classic').new_game();"
        "heavy = ('lark', 'yaml', 'jsonschema', 'dsl.check.program', 'interpreter.flat.lower');"
        "print([name for name in heavy if name in sys.modules])"
    )
    told = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert told[1].stdout.strip() == "[]"
