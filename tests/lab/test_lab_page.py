"""docs/experiments.md: its commands run, with few games."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from interpreter.cli.commands import commands
from interpreter.engine.native_engine import NATIVE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "experiments.md"
LINES = re.findall(r"^\$ rulewright (.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
BUNDLED = [line for line in LINES if "./mine" not in line and "game.json" not in line]


def test_there_is_something_to_run() -> None:
    assert len(BUNDLED) >= 5


@pytest.mark.long
@pytest.mark.skipif(not NATIVE, reason="thousands of games need wasmtime")
@pytest.mark.parametrize("line", BUNDLED)
def test_commands_run(line: str) -> None:
    words = [*shlex.split(re.sub(r" --games \d+", "", line)), "--games", "60"]
    result = CliRunner().invoke(commands, words, catch_exceptions=False)
    assert result.exit_code in (0, 1), result.output


@pytest.mark.parametrize("line", LINES)
def test_options_are_known(line: str) -> None:
    name, *words = shlex.split(line)
    known = commands.get_command(None, name)  # type: ignore[arg-type]
    assert known is not None
    options = {option for each in known.params for option in each.opts}
    assert {word for word in words if word.startswith("--")} <= options
