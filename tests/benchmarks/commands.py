"""How long commands take from their start to their end, by the clock on the wall: `run.py` prints
it beside what is wanted. The rules are a copy of Classic, which is edited before each check.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dsl.cache import FOLDER_VARIABLE
from interpreter.bundled import variants_dir

SCRIPT = Path(sys.executable).with_name("rulewright")


@dataclass(frozen=True, slots=True)
class Timed:
    """The median time of some runs of a command, and what is wanted."""

    name: str
    seconds: float
    wanted: float


def timed_commands(rounds: int) -> Iterator[Timed]:
    """Help, a check after an edit, and the compiler without and with what it has kept."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy = folder / "variants" / "classic"
        shutil.copytree(variants_dir() / "classic", copy)
        cache = folder / "cache"
        yield Timed("rulewright --help", _median(rounds, cache, "--help"), 0.25)
        yield Timed(
            "check classic, a line edited",
            _median(rounds, cache, "check", str(copy), before=lambda: _edit(copy)),
            0.5,
        )
        compile_ = ("compile", "classic")
        cold = _median(rounds, cache, *compile_, before=lambda: shutil.rmtree(cache))
        yield Timed("compile classic, nothing kept", cold, 1.0)
        yield Timed("compile classic, kept", _median(rounds, cache, *compile_), 0.2)


def _median(
    rounds: int, cache: Path, *words: str, before: Callable[[], object] = lambda: None
) -> float:
    """The median of so many runs; one before them loads what the system keeps."""
    times = []
    for _ in range(1 + rounds):
        before()
        times.append(_time(cache, words))
    return statistics.median(times[1:])


def _time(cache: Path, words: tuple[str, ...]) -> float:
    environment = os.environ | {FOLDER_VARIABLE: str(cache)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = time.perf_counter()
    done = subprocess.run([str(SCRIPT), *words], env=environment, capture_output=True, check=False)
    took = time.perf_counter() - start
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} failed: {done.stderr.decode()}")
    return took


def _edit(variant: Path) -> None:
    """Changes a line of the rules, each time into another one."""
    path = variant / "rules" / "classic.rules"
    text = path.read_text(encoding="utf-8")
    head, _, rest = text.partition("\n")
    rest = rest if head.startswith("-- edited") else text
    path.write_text(f"-- edited at {time.time_ns()}\n{rest}", encoding="utf-8")
