"""The cache of the parse tables: fast when it is there, never in the way when it is not."""

from __future__ import annotations

import logging
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import lark
import pytest
from lark.parsers.lalr_analysis import logger

from dsl.syntax import table_cache
from dsl.syntax.table_cache import GRAMMAR, load_tables
from dsl.syntax.tables import Tables


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache, and no tables in memory."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    load_tables.cache_clear()
    yield tmp_path / "cache"
    load_tables.cache_clear()


def again() -> Tables:
    load_tables.cache_clear()
    return load_tables()


def without_memory(tables: Tables) -> tuple[object, ...]:
    return (
        tables.actions,
        tables.gotos,
        tables.productions,
        tables.starts,
        tables.ends,
        tables.keywords,
        tables.words,
    )


def test_cached_tables_are_those_that_were_built(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = without_memory(load_tables())

    def fail(grammar: str) -> Tables:
        raise AssertionError("built again")

    monkeypatch.setattr("dsl.syntax.grammar.build_tables", fail)
    assert without_memory(again()) == built
    assert [path.suffix for path in folder.iterdir()] == [".json"]


@pytest.mark.parametrize("damage", [b"", b"x", b"{}", b"a\n{}", b"\x00" * 100])
def test_damaged_files_are_made_again(folder: Path, damage: bytes) -> None:
    good = load_tables()
    (path,) = folder.iterdir()
    path.write_bytes(damage)
    assert again().productions == good.productions
    assert path.read_bytes() != damage


def test_a_changed_byte_is_noticed(folder: Path) -> None:
    load_tables()
    (path,) = folder.iterdir()
    content = path.read_bytes()
    changed = content[:5000] + bytes([content[5000] ^ 1]) + content[5001:]
    path.write_bytes(changed)
    again()
    assert path.read_bytes() != changed


def test_no_place_to_write_is_no_trouble(folder: Path) -> None:
    folder.write_text("a file where the folder should be")
    assert load_tables().actions


def test_old_files_are_removed(folder: Path) -> None:
    folder.mkdir()
    for number in range(10):
        (folder / f"grammar-{number}.json").write_text("old")
    load_tables()
    assert len(list(folder.iterdir())) == table_cache._MOST_FILES


def test_lark_is_not_loaded_when_the_tables_are_cached(folder: Path) -> None:
    load_tables()
    program = (
        "import sys; from dsl.diagnostics.record import Bag; from dsl.source import Source;"
        "from dsl.syntax.parser import parse_script;"
        "parse_script(Source('x', 'unit x'), Bag()); assert 'lark' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_grammar_has_no_conflicts(caplog: pytest.LogCaptureFixture) -> None:
    """Lark settles shift/reduce conflicts by itself and only logs them."""
    logger.addHandler(caplog.handler)
    level = logger.level
    logger.setLevel(logging.DEBUG)
    try:
        lark.Lark(
            GRAMMAR.read_text(encoding="utf-8"),
            parser="lalr",
            lexer="basic",
            start="start",
            postlex=_Nothing(),
            debug=True,
        )
    finally:
        logger.setLevel(level)
        logger.removeHandler(caplog.handler)
    assert not [line for line in caplog.messages if "onflict" in line]


class _Nothing:
    always_accept = ()

    def process(self, stream: object) -> object:
        return stream
