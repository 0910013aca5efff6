"""Whatever happens to the cache, a playtest gives the same result; and the cache is mended."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from dsl.cache import FOLDER_VARIABLE
from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from interpreter.engine.native_engine import NATIVE, assemble
from interpreter.playtest import machine
from interpreter.playtest.conduct import Conductor, Plan
from interpreter.playtest.machine import EngineName
from interpreter.playtest.printing import print_machine
from interpreter.playtest.report import as_json
from interpreter.session.compile import load_compiled
from interpreter.session.request import Request

GAMES = Path(__file__).parent.parent / "playtest" / "games"
FILES = 200
needs_native = pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own."""
    cache = tmp_path / "cache"
    monkeypatch.setenv(FOLDER_VARIABLE, str(cache))
    return cache


def played(engine: EngineName) -> dict[str, object]:
    """What a short playtest says, as a process that has just started would play it."""
    machine._NATIVE.clear()
    machine._MINE.engines.clear()
    bag = Bag()
    game = load_compiled(Request(Library([GAMES]), "race", 3), bag, flavour=None)
    assert game is not None, bag.sorted()
    plan = Plan(12, seed=4, engine=engine, workers=1)
    said = as_json(Conductor(game, plan, print_machine).conduct(), [])
    del said["speed"]
    return said


def a_bit(content: bytes, rng: random.Random, _: bytes) -> bytes:
    """One bit is another."""
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def cut_off(content: bytes, rng: random.Random, _: bytes) -> bytes:
    """The end is missing, perhaps everything."""
    return content[: rng.randrange(len(content))]


def noise(content: bytes, rng: random.Random, _: bytes) -> bytes:
    """Something else, of any length."""
    return rng.randbytes(rng.randrange(2 * len(content)))


def a_hole(content: bytes, rng: random.Random, _: bytes) -> bytes:
    """A page of zeros, as after a crash of the machine."""
    at = rng.randrange(len(content))
    return content[:at] + bytes(min(4096, len(content) - at)) + content[at + 4096 :]


def longer(content: bytes, rng: random.Random, _: bytes) -> bytes:
    """Something behind the end."""
    return content + rng.randbytes(rng.randrange(1, 99))


def another(_: bytes, __: random.Random, other: bytes) -> bytes:
    """A good file under a wrong name."""
    return other


DAMAGES: list[Callable[[bytes, random.Random, bytes], bytes]] = [
    a_bit, cut_off, noise, a_hole, longer, another,
]  # fmt: skip


@needs_native
def test_two_hundred_damaged_files(folder: Path) -> None:
    rng = random.Random(7)
    expected = played("native")
    assert played("python") == expected
    good = {path.name: path.read_bytes() for path in folder.iterdir()}
    engines: list[EngineName] = ["native", "python"]
    for number in range(FILES):
        name = rng.choice(sorted(good))
        damage = DAMAGES[number % len(DAMAGES)]
        others = [content for other, content in good.items() if other != name]
        (folder / name).write_bytes(damage(good[name], rng, rng.choice(others)))
        engine: EngineName = "native" if name.endswith("native") else rng.choice(engines)
        assert played(engine) == expected, (name, damage.__doc__)
    played("native")
    played("python")
    assert {path.name for path in folder.iterdir()} == set(good)
    assert played("native") == played("python") == expected


@needs_native
@pytest.mark.parametrize("wasm", [assemble("(module)") if NATIVE else b"", b"no module at all"])
def test_a_wasm_of_other_content_is_made_anew(folder: Path, wasm: bytes) -> None:
    """Even where somebody has sealed it as the cache does."""
    from dataclasses import replace

    from dsl.kept import keep, read_kept

    expected = played("native")
    (path,) = folder.glob("*.playtest-native-*")
    kept = read_kept(path.name, machine.Printed)
    assert kept is not None
    keep(path.name, replace(kept, code=wasm))
    assert played("native") == expected
    assert read_kept(path.name, machine.Printed) == kept


# ---------------------------------------------------------------- processes


def start(*args: str | Path, code: str = "") -> subprocess.Popen[str]:
    """A playtest in a process of its own."""
    words = ["playtest", GAMES / "race", "--games", "60", "--csv", "-", *args]
    program = f"{code}from interpreter.cli.main import main; main()"
    return subprocess.Popen(
        [sys.executable, "-c", program, *(str(word) for word in words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ,
    )


@needs_native
def test_processes_race_for_the_cache(folder: Path) -> None:
    running = [start() for _ in range(5)]
    told = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * 5, told
    assert len({rows for rows, _ in told}) == 1
    kept = {path.name for path in folder.iterdir()}
    assert not [name for name in kept if name.startswith(".")]
    (again,) = [start()]
    assert again.communicate(timeout=120)[0] == told[0][0]
    assert {path.name for path in folder.iterdir()} == kept


def test_without_wasmtime_python_plays() -> None:
    blocked = start(code="import sys; sys.modules['wasmtime'] = None; ")
    rows, said = blocked.communicate(timeout=120)
    assert blocked.returncode == 0, said
    assert said.splitlines()[0] == ("wasmtime is not installed, so the slower Python engine plays.")
    assert "(python engine, " in said
    if NATIVE:
        native = start("--engine", "native")
        assert native.communicate(timeout=120)[0] == rows
