"""The scripts in tests/benchmarks run: each in a tiny size, by a look at what it prints."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.engine.native_engine import NATIVE

FOLDER = Path(__file__).parent / "benchmarks"
TINY = ("--pairs", "1", "--scale", "0.02", "--rounds", "1")


def lines_of(script: str, *args: str) -> list[str]:
    """What a script prints. It may end with 1: so small a run says nothing about lost speed."""
    done = subprocess.run(
        [sys.executable, str(FOLDER / script), *args],
        env=os.environ | {"PYTHONPATH": str(FOLDER.parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout.splitlines()


def numbers(lines: list[str]) -> dict[str, float]:
    """What was measured: the first number after each name."""
    found = (re.match(r"  (.+?): ([\d.,e+]+) ", line) for line in lines)
    return {one[1]: float(one[2].replace(",", "")) for one in found if one is not None}


def test_run() -> None:
    measured = numbers(lines_of("run.py", *TINY, "--games", "bid"))
    wanted = {
        "python engine / monopoly.py", "python engine, setter", "bid, random, python",
        "deal for two, random, python", "a hand of 15 cards, 2 wild",
        "classic, from rules to Python", "rulewright --help", "check classic, a line edited",
        "compile classic, nothing kept", "compile classic, kept", "memory of this process",
    }  # fmt: skip
    assert wanted <= set(measured)
    assert all(value > 0 for value in measured.values())
    assert measured["rulewright --help"] < measured["compile classic, nothing kept"]


@pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
def test_native() -> None:
    args = (*TINY, "--games", "100", "--most", "100")
    measured = numbers(lines_of("native.py", *args))
    wanted = {
        "playtest / monopoly.py", "playtest, setter, one core", "... with invariants",
        "two workers instead of one", "100 games, cached module", "100 games, no cache",
    }  # fmt: skip
    assert wanted <= set(measured)
    assert all(value > 0 for value in measured.values())


def test_ismcts() -> None:
    args = ("bid", "--bot", "ismcts:5", "--games", "2", "--workers", "1", "--every", "1")
    lines = lines_of("ismcts.py", *args)
    assert len(lines) == 2
    assert re.search(r"of 2 games won, .* an equal share is 33\.3%", lines[1])
