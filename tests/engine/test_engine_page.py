"""The listings of docs/engine.md are what the commands print now. `make bless` writes them anew."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from interpreter.bundled import variants_dir
from interpreter.cli.commands import commands
from interpreter.emit.layout import Layout
from interpreter.playtest.lowering import playtest_program
from interpreter.session.build import check
from interpreter.session.request import Request

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "engine.md"
LISTING = re.compile(r"^```console\n\$ rulewright (?P<command>.*)\n(?:.*\n)*?```$", re.MULTILINE)
SOURCE = re.compile(r"^```rules\n-- (?P<file>.*)\n(?P<shown>(?:.*\n)*?)```$", re.MULTILINE)
PATH = re.compile(r"`((?:interpreter|tests|emit|engine|session|search|dsl)/[\w/]+\.py)`")


def printed(match: re.Match[str]) -> str:
    """A listing as it is now."""
    words = shlex.split(match["command"])
    done = CliRunner().invoke(commands, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return f"```console\n$ rulewright {match['command']}\n{done.output.strip()}\n```"


def test_golden_listings() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(LISTING.findall(page)) == 4
    now = LISTING.sub(printed, page)
    if os.environ.get("RULEWRIGHT_BLESS"):
        PAGE.write_text(now, encoding="utf-8")
        return
    assert page == now, "docs/engine.md is out of date: make bless"


def test_the_rule_is_what_the_variant_says() -> None:
    found = SOURCE.findall(PAGE.read_text(encoding="utf-8"))
    assert found
    for file, shown in found:
        assert shown in (ROOT / file).read_text(encoding="utf-8")


def test_golden_address() -> None:
    """The address that the page explains."""
    program = check(Request(Library([variants_dir()]), "classic", 4), Bag())
    assert program is not None
    layout = Layout(playtest_program(program))
    address = layout.columns["s_player_cash"].address
    now = f"{address} is where the column of cash starts, 4 bytes for each holder."
    page = PAGE.read_text(encoding="utf-8")
    said = re.compile(r"\d+ is where the column of cash .*\.")
    if os.environ.get("RULEWRIGHT_BLESS"):
        PAGE.write_text(said.sub(now, page), encoding="utf-8")
        return
    assert now in page, "docs/engine.md is out of date: make bless"


@pytest.mark.parametrize("path", PATH.findall(PAGE.read_text(encoding="utf-8")))
def test_paths_are_there(path: str) -> None:
    assert (ROOT / path).exists() or (ROOT / "interpreter" / path).exists()
