"""Where output can't go: a full disk, a file that can't be written, a reader who is gone."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest
from cli_runs import command, invoke, process

from interpreter import api

FULL = Path("/dev/full")

pytestmark = pytest.mark.skipif(not FULL.exists(), reason="needs a device that is always full")

COMMANDS = (
    ("list",),
    ("words", "classic"),
    ("explain", "RW0501"),
    ("schema",),
    ("--help",),
    ("check", "bid"),
    ("test", "bid"),
    ("playtest", "bid", "--games", "2"),
    ("play", "bid", "--seats", "random"),
    ("compile", "bid", "--emit", "python"),
)


def written_to(stdout: object, *args: str) -> tuple[int, str]:
    """The exit code of a command, and what it says on stderr."""
    done = subprocess.run(
        command(*args),
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        check=False,  # type: ignore[call-overload]
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("args", COMMANDS, ids=lambda args: args[0])
def test_a_full_disk_is_one_plain_message(args: tuple[str, ...]) -> None:
    with FULL.open("w") as stdout:
        code, said = written_to(stdout, *args)
    assert code == 2
    assert said.splitlines()[-1:] == [
        "Error: The system can't read or write: No space left on device."
    ]
    assert "bug" not in said
    assert "Traceback" not in said


@pytest.mark.parametrize("args", COMMANDS, ids=lambda args: args[0])
def test_a_reader_who_is_gone_is_nobodys_fault(args: tuple[str, ...]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        code, said = written_to(writing, *args)
    finally:
        os.close(writing)
    assert (code, "Error" in said, "Traceback" in said) == (0, False, False)


@pytest.mark.parametrize("option", ["--csv", "--json"])
def test_files_that_can_not_be_written_are_named(race: Path, option: str, tmp_path: Path) -> None:
    for file, reason in ((FULL, "No space left"), (tmp_path, "Is a directory")):
        done = process("playtest", race, "--games", "4", option, str(file))
        assert done.returncode == 2
        assert f"`{file}`" in done.stderr
        assert reason in done.stderr
        assert "bug" not in done.stderr


def test_streams_that_are_closed_are_written_to_in_vain() -> None:
    for closed in (">&-", "2>&-", "<&-", ">&- 2>&-"):
        words = " ".join(command("list"))
        done = subprocess.run(["sh", "-c", f"{words} {closed}"], capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, b""), closed


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("/dev/full", "No space"),
        ("/nowhere/a", "No such file"),
        ("/tmp", "directory"),
        ("\0", "called"),
    ],
)
def test_a_save_that_can_not_be_written(name: str, reason: str) -> None:
    output = invoke("play", "classic", "--seed", "3", typed=f"save {name}\nload {name}\n").output
    assert f"`{name}` can't be written: " in output
    assert reason in output


def test_a_save_that_fails_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = tmp_path / "game"
    saved.write_text("before", encoding="utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.replace", full)
    output = invoke("play", "classic", "--seed", "3", typed=f"save {saved}\n").output
    assert "No space left on device" in output
    assert saved.read_text(encoding="utf-8") == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["game"]
    monkeypatch.undo()
    assert "Saved to" in invoke("play", "classic", "--seed", "3", typed=f"save {saved}\n").output
    assert saved.read_text(encoding="utf-8").startswith("{")


@pytest.mark.parametrize(
    "args", [("play", "classic"), ("test", "classic"), ("check", *api.variants())]
)
def test_interrupting_a_command(args: tuple[str, ...], tmp_path: Path) -> None:
    with subprocess.Popen(
        command(*args),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"RULEWRIGHT_CACHE": str(tmp_path)},
    ) as running:
        deadline = time.monotonic() + 60
        while not any(tmp_path.iterdir()):  # the first rules have been read: it is at work
            assert running.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        _, errors = running.communicate(timeout=60)
    assert running.returncode == 130
    assert errors.decode().splitlines()[-1] == "Interrupted."
