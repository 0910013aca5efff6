"""Running the command line: in this process, and in one of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from interpreter.cli.commands import commands

SCRIPT = Path(sys.executable).with_name("rulewright")
ROOT = Path(__file__).resolve().parents[2]


def invoke(*args: str | Path, typed: str = "") -> Result:
    """Runs a command here; whatever it raises beyond exit codes is a failure."""
    words = [str(arg) for arg in args]
    result = CliRunner().invoke(commands, words, input=typed, catch_exceptions=False)
    assert "Traceback" not in result.output
    return result


def command(*args: str | Path) -> list[str]:
    """The command line of a process."""
    return [str(SCRIPT), *(str(arg) for arg in args)]


def process(
    *args: str | Path, cwd: Path | None = None, typed: str = "", **env: str
) -> subprocess.CompletedProcess[str]:
    """Runs a command in a process of its own."""
    return subprocess.run(
        command(*args),
        cwd=cwd,
        env=os.environ | env,
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
