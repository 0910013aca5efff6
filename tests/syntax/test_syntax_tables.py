"""The file of the parse tables: that of the grammar, never in the way when it is not."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import lark
import pytest
from lark.parsers.lalr_analysis import logger

from dsl.syntax import table_file
from dsl.syntax.table_file import GRAMMAR, TABLES, build, load_tables, packed
from dsl.syntax.tables import Tables


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the file that may be damaged, and no tables in memory."""
    copy = tmp_path / "tables.json"
    copy.write_bytes(TABLES.read_bytes())
    monkeypatch.setattr(table_file, "TABLES", copy)
    load_tables.cache_clear()
    yield copy
    load_tables.cache_clear()


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


def test_golden_tables() -> None:
    """The file is the one that the grammar gives; RULEWRIGHT_BLESS=1 rewrites it."""
    made = packed(build())
    if os.environ.get("RULEWRIGHT_BLESS"):
        TABLES.write_text(made, encoding="utf-8")
        load_tables.cache_clear()
    assert TABLES.read_text(encoding="utf-8") == made, "the grammar was changed: make bless"


def test_read_tables_are_those_that_are_built(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    built = without_memory(build())

    def fail(grammar: str) -> Tables:
        raise AssertionError("built again")

    monkeypatch.setattr("dsl.syntax.grammar.build_tables", fail)
    assert without_memory(load_tables()) == built


@pytest.mark.parametrize("damage", [b"", b"x", b"{}", b"[]", b'{"made_by": 1}', b"\x00" * 100])
def test_without_the_right_file_they_are_built(file: Path, damage: bytes) -> None:
    good = without_memory(load_tables())
    load_tables.cache_clear()
    file.write_bytes(damage)
    assert without_memory(load_tables()) == good


def test_tables_of_another_grammar_are_not_used(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in table_file._MADE_BY:
        (tmp_path / name).write_bytes(GRAMMAR.with_name(name).read_bytes())
    grammar = tmp_path / "rules.lark"
    monkeypatch.setattr(table_file, "GRAMMAR", grammar)
    assert "unit" in load_tables().keywords
    load_tables.cache_clear()
    text = grammar.read_text(encoding="utf-8")
    assert '"unit"' in text
    grammar.write_text(text.replace('"unit"', '"measuredin"'), encoding="utf-8")
    assert "measuredin" in load_tables().keywords


def test_the_numbers_of_states_are_the_same_in_each_run() -> None:
    program = (
        "import hashlib; from dsl.syntax.table_file import build, packed;"
        "print(hashlib.sha256(packed(build()).encode()).hexdigest())"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", program],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def test_lark_is_not_loaded() -> None:
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
