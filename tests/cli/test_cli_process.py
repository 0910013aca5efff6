"""The program as a process: start-up, help, bugs without a traceback, pipes that close."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import pytest
from cli_runs import command, invoke, process

from interpreter.bundled import variants_dir
from interpreter.cli import commands as cli
from interpreter.cli.commands import COMMANDS, run
from interpreter.engine.native_engine import NATIVE

if os.name == "posix":
    import resource

HEAVY = (
    "lark",
    "yaml",
    "jsonschema",
    "rich",
    "wasmtime",
    "dsl.check",
    "interpreter.session",
    "pygls",
)


@pytest.mark.skipif(os.name != "posix", reason="needs the times of a child")
def test_help_starts_at_once() -> None:
    assert best_time("--help") < 0.25


def best_time(*args: str | Path, before: Callable[[int], object] = abs) -> float:
    """The best of five runs in time of the processor: others may be using it, too."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
    best = 9.0
    for number in range(5):
        before(number)
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command(*args), check=True, capture_output=True, env=kept)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime)
    return best


@pytest.mark.skipif(os.name != "posix", reason="needs the times of a child")
def test_a_check_after_an_edit_takes_no_time(tmp_path: Path) -> None:
    shutil.copytree(variants_dir() / "classic", tmp_path / "classic")
    rules = tmp_path / "classic" / "rules" / "classic.rules"
    text = rules.read_text(encoding="utf-8")

    def edit(number: int) -> None:
        rules.write_text(f"-- edited {number}\n{text}", encoding="utf-8")

    assert best_time("check", rules.parents[1], before=edit) < 0.5


@pytest.mark.skipif(os.name != "posix", reason="needs the times of a child")
def test_what_was_compiled_is_there_at_once() -> None:
    assert best_time("compile", "classic") < 0.2


@pytest.mark.skipif(os.name != "posix", reason="files have no such owners")
def test_a_cache_in_which_others_can_write_is_told(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    cache.chmod(0o777)
    done = process("compile", "bid", "--emit", "core", "--only", "bid", RULEWRIGHT_CACHE=str(cache))
    assert done.returncode == 0
    assert done.stderr.startswith(f"Nothing is kept in {cache}: others own it or can write to it")
    assert list(cache.iterdir()) == []
    cache.chmod(0o755)
    done = process("compile", "bid", "--emit", "core", "--only", "bid", RULEWRIGHT_CACHE=str(cache))
    assert done.stderr == ""
    assert list(cache.iterdir())


def test_help_loads_no_command() -> None:
    code = (
        "import sys\n"
        "from interpreter.cli.commands import run\n"
        "run(['--help'])\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.strip() == "[]"


def test_every_command_has_help() -> None:
    output = invoke("--help").output
    for name, (_, short) in COMMANDS.items():
        assert name in output
        result = invoke(name, "--help")
        assert result.exit_code == 0
        assert result.output.startswith(f"Usage: commands {name}")
        assert short.split()[0] in output
    assert invoke("--version").output.startswith("rulewright 0.")


def test_no_command_shows_the_help() -> None:
    assert "Commands:" in invoke().output


def test_an_unknown_command() -> None:
    result = invoke("chekc")
    assert result.exit_code == 2
    assert "did you mean `check`?" in result.output


def test_a_bug_is_called_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError("the cat\nis gone")

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr(cli.Commands, "get_command", lambda *_: click.command()(broken))
    assert run(["check"]) == 3
    said = capsys.readouterr().err
    assert "This is a bug in Rulewright, not in your rules: RuntimeError: the cat\n" in said
    assert "Please report it" in said
    assert "Traceback" not in said
    (details,) = tmp_path.glob("rulewright-bug-*.txt")
    assert str(details) in said
    assert "Traceback" in details.read_text(encoding="utf-8")
    assert details.read_text(encoding="utf-8").startswith("rulewright check\n")


def test_interrupting(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(**_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.Commands, "get_command", lambda *_: click.command()(interrupted))
    assert run(["check"]) == 130
    assert "Interrupted." in capsys.readouterr().err


def test_exit_codes_of_processes(race: Path) -> None:
    assert process("check", race).returncode == 0
    assert process("check", "nowhere").returncode == 2
    (race / "rules" / "race.rules").write_text("nonsense\n")
    assert process("check", race).returncode == 1


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe")
def test_a_reader_that_has_seen_enough() -> None:
    with subprocess.Popen(
        command("words", "classic"), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        errors = running.stderr.read()
    assert b"Traceback" not in errors
    assert b"BrokenPipe" not in errors


@pytest.mark.skipif(os.name != "posix", reason="needs a pipe")
@pytest.mark.parametrize("command_word", ["check", "test", "playtest"])
def test_findings_are_findings_whoever_reads_them(race: Path, command_word: str) -> None:
    """Nobody reads a word of what is said, on either stream."""
    assert unread(command_word, race) == 0
    path = race / "rules" / "race.rules"
    path.write_text(path.read_text(encoding="utf-8").replace("goal", "gaol"), encoding="utf-8")
    assert unread(command_word, race) == 1


def unread(*args: str | Path) -> int:
    """The exit code of a command whose output goes to a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        games = ("--games", "5", "--engine", "python") if args[0] == "playtest" else ()
        return subprocess.run(
            command(*args, *games), stdout=writing, stderr=writing, check=False, timeout=120
        ).returncode
    finally:
        os.close(writing)


def test_terminals_that_know_little(race: Path) -> None:
    done = process(
        "playtest", race, "--games", "20", PYTHONUTF8="0", LC_ALL="C", PYTHONCOERCECLOCALE="0",
        PYTHONIOENCODING="ascii",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "What to look at" in done.stdout


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("module", ["click", "interpreter.cli.check"])
def test_ctrl_c_is_quiet_while_the_command_is_loaded(tmp_path: Path, module: str) -> None:
    """The signal comes while a module is imported: the first one there is, and one of a command."""
    code = (
        "import os, signal, sys\n"
        "class Finder:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Finder())\n"
        "sys.argv[1:] = ['check', 'bid']\n"
        "from interpreter.cli.main import main\n"
        "main()\n"
    )
    words = [sys.executable, "-c", code]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert done.stdout == ""
    assert done.stderr.strip() in ("", "Interrupted.")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs a bound on memory")
@pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
def test_too_little_memory_is_one_plain_line() -> None:
    """wasmtime sets 4 GB of addresses aside for each memory, so that it need not look at them."""
    most = 2_000_000_000
    code = (
        f"import resource; resource.setrlimit(resource.RLIMIT_AS, ({most}, {most}))\n"
        "from interpreter.cli.main import main; main()"
    )
    words = [sys.executable, "-c", code, "playtest", "bid", "--games", "2", "--workers", "1"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: There is too little memory: the native engine found no ")
    assert done.stderr.endswith("; `--engine python` needs less.\n")
    assert done.stderr.count("\n") == 1
    words += ["--engine", "python"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
