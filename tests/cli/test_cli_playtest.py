"""`rulewright playtest`: the same bytes with any workers, engine and hash seed; and its options."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli_runs import command, invoke, process

from interpreter.engine.native_engine import NATIVE

needs_native = pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")


def rows(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


# ---------------------------------------------------------------- determinism


@needs_native
def test_csv_is_the_same_to_the_byte(tmp_path: Path) -> None:
    runs = [
        ("native", "1", "0"), ("native", "3", "1"), ("python", "1", "2"), ("python", "2", "3"),
    ]  # fmt: skip
    contents = set()
    for engine, workers, hash_seed in runs:
        file = tmp_path / f"{engine}-{workers}.csv"
        done = process(
            "playtest", "classic", "--games", "24", "--seed", "9", "--engine", engine,
            "--workers", workers, "--csv", file,
            PYTHONHASHSEED=hash_seed,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        contents.add(file.read_bytes())
    assert len(contents) == 1
    assert contents.pop().count(b"\n") == 25


def test_json_is_the_same_but_for_the_speed(race: Path, tmp_path: Path) -> None:
    found = []
    for workers in ("1", "2"):
        file = tmp_path / f"{workers}.json"
        args = ("--games", "50", "--engine", "python", "--workers", workers, "--json", file)
        assert invoke("playtest", race, *args).exit_code == 0
        content = json.loads(file.read_text(encoding="utf-8"))
        assert content.pop("speed")["workers"] == int(workers)
        found.append(content)
    assert found[0] == found[1]


# ---------------------------------------------------------------- the report


def test_the_report_names_what_was_played(race: Path) -> None:
    result = invoke(
        "playtest", race, "--games", "40", "--seed", "8", "--set", "prize=7", "--bots",
        "walker,random", "--players", "3",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    for part in (
        "40 games, 3 players, seed 8",
        "prize=7",
        "walker, random, in all orders",
        "all that were started",
        "What to look at",
    ):
        assert part in result.output, part
    assert re.search(r"games and [\d,]+ decisions a second \(.*\)$", result.output.rstrip())


def test_names_of_files_need_not_be_utf8(race: Path) -> None:
    for folder in (race, race / "rules", race.parent):
        (folder / os.fsdecode(b"caf\xe9")).touch()
    for words in (("playtest", race, "--games", "2"), ("play", race, "--seats", "walker,runner")):
        result = invoke(*words)
        assert result.exit_code == 0, result.output


def test_bots_say_how_many_play(race: Path) -> None:
    result = invoke("playtest", race, "--games", "10", "--bots", "walker,runner")
    assert "10 games, 2 players" in result.output


def test_bots_that_search_are_named_with_the_engine(race: Path, tmp_path: Path) -> None:
    contents = set()
    for workers in ("1", "2"):
        file = tmp_path / f"{workers}.csv"
        args = ("--games", "6", "--bots", "ismcts:6,walker", "--workers", workers, "--csv", file)
        result = invoke("playtest", race, *args)
        assert result.exit_code == 0, result.output
        assert "bots      ismcts:6, walker, in all orders" in result.output
        assert "engine    Python: ismcts:6 can't play on the native one\n" in result.output
        assert "(python engine, " in result.output
        contents.add(file.read_bytes())
    assert len(contents) == 1
    assert "engine    Python" not in invoke("playtest", race, "--games", "2").output


def test_a_mod_is_named(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    args = ("--with", "speed_play,free_parking_pot", "--games", "10", "--json", file)
    assert invoke("playtest", "classic", *args).exit_code == 0
    setting = json.loads(file.read_text(encoding="utf-8"))["setting"]
    assert setting["mods"] == ["speed_play", "free_parking_pot"]
    assert setting["switches"]["houses_before_hotel"] == "3"


def test_stdout_for_programs(race: Path) -> None:
    done = process("playtest", race, "--games", "5", "--csv", "-")
    assert len(done.stdout.splitlines()) == 6
    assert "Race: a playtest" in done.stderr
    done = process("playtest", race, "--games", "5", "--json", "-")
    assert json.loads(done.stdout)["games"] == 5


def test_full_tables(race: Path) -> None:
    short = invoke("playtest", "classic", "--games", "5").output
    assert "(first 8 and last 4 of 40)" in short
    assert "(first 8" not in invoke("playtest", "classic", "--games", "5", "--full").output


# ---------------------------------------------------------------- engines


def test_without_wasmtime_one_line_says_so(race: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.cli.playtest.NATIVE", False)
    monkeypatch.setattr("interpreter.playtest.conduct.NATIVE", False)
    result = invoke("playtest", race, "--games", "5", "--workers", "1")
    assert result.exit_code == 0
    assert result.stderr == "wasmtime is not installed, so the slower Python engine plays.\n"
    assert "(python engine, 1 worker)" in result.output
    result = invoke("playtest", race, "--engine", "native")
    assert result.exit_code == 2
    assert "needs the package wasmtime" in result.output


# ---------------------------------------------------------------- wrong usage, findings


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("--bots", "wlker"), "There is no bot `wlker`; did you mean `walker`?"),
        (("--bots", "ismcts:0"), "how many playouts it makes for each decision, from 1 to"),
        (("--bots", "walker,ismcts:x"), "There are walker, runner, random, ismcts:N, mc:N."),
        (("--bots", "mc:2", "--engine", "native"), "Python engine"),
        (("--games", "0"), "Invalid value for '--games'"),
        (("--games", str(1 << 31)), "Invalid value for '--games'"),
        (("--seed", str(1 << 64)), "Invalid value for '--seed'"),
        (("--seed", "-1"), "Invalid value for '--seed'"),
        (("--workers", "0"), "Invalid value for '--workers'"),
        (("--engine", "steam"), "Invalid value for '--engine'"),
        (("--csv", "/nowhere/at/all.csv"), "can't be written"),
        (("--csv", "-", "--json", "-"), "Only one of --json and --csv"),
        (("--players", "7"), "is for 2 to 4 players, not for 7"),
        (("--with", "nothing"), "there is no mod `nothing`"),
    ],
)
def test_wrong_usage(race: Path, args: tuple[str, ...], said: str) -> None:
    result = invoke("playtest", race, *args)
    assert result.exit_code == 2, result.output
    assert said in result.output


def test_broken_rules_are_findings(race: Path) -> None:
    path = race / "rules" / "race.rules"
    path.write_text(path.read_text(encoding="utf-8").replace("goal", "gaol"), encoding="utf-8")
    result = invoke("playtest", race)
    assert result.exit_code == 1
    assert "did you mean `goal`?" in result.output


# ---------------------------------------------------------------- interrupted


@contextmanager
def under_way(
    race: Path, *args: str | Path, folder: Path, least: int = 0, within: float = 100
) -> Iterator[subprocess.Popen[str]]:
    """A playtest that has written more than so many bytes to a file in a folder, under another
    name, which it has to do within some seconds."""
    with subprocess.Popen(
        command("playtest", race, *args), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, start_new_session=True,
    ) as running:  # fmt: skip
        deadline = time.monotonic() + within
        while not any(path.stat().st_size > least for path in folder.glob(".new-*")):
            assert running.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.05)
        try:
            yield running
        finally:
            running.kill()


def interrupted(race: Path, *args: str | Path, folder: Path, least: int = 0) -> str:
    """What a playtest says that gets Ctrl-C while it is under way."""
    with under_way(race, *args, folder=folder, least=least) as running:
        os.killpg(running.pid, signal.SIGINT)
        output, errors = running.communicate(timeout=60)
    assert running.returncode == 130, errors
    assert "Traceback" not in errors
    return output


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("engine", ["python", pytest.param("native", marks=needs_native)])
def test_ctrl_c_reports_what_was_played(race: Path, tmp_path: Path, engine: str) -> None:
    file = tmp_path / "games.csv"
    args = ("--games", "100000000", "--engine", engine, "--workers", "2", "--csv", file)
    output = interrupted(race, *args, folder=tmp_path, least=2_000)
    assert "of 100,000,000 (interrupted)" in output
    played = len(rows(file)) - 1
    assert f"{played:,} games of" in output
    assert [int(row.split(",")[0]) for row in rows(file)[1:]] == list(range(played))


@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_a_run_of_bots_that_search(race: Path, tmp_path: Path, workers: str) -> None:
    file = tmp_path / "games.csv"
    args = ("--games", "1000000", "--bots", "mc:2,walker", "--workers", workers, "--csv", file)
    output = interrupted(race, *args, folder=tmp_path)
    assert "of 1,000,000 (interrupted)" in output
    assert [int(row.split(",")[0]) for row in rows(file)[1:]] == list(range(len(rows(file)) - 1))


# ---------------------------------------------------------------- workers that end


def workers_of(running: subprocess.Popen[str]) -> list[int]:
    """The processes that a process has started."""
    path = Path(f"/proc/{running.pid}/task/{running.pid}/children")
    return [int(word) for word in path.read_text(encoding="utf-8").split()]


def is_there(process_id: int) -> bool:
    """Whether a process runs; one that has ended and that nobody asked for does not."""
    try:
        state = Path(f"/proc/{process_id}/stat").read_text(encoding="utf-8").rpartition(")")[2]
    except OSError:
        return False
    return state.split()[0] not in "ZX"


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
LONG = ("--games", "100000000", "--engine", "python", "--workers", "2", "--csv")


@needs_proc
@pytest.mark.parametrize("name", ["SIGTERM", "SIGKILL"])
def test_workers_end_with_their_parent(race: Path, tmp_path: Path, name: str) -> None:
    with under_way(race, *LONG, tmp_path / "games.csv", folder=tmp_path) as running:
        workers = workers_of(running)
        assert len(workers) == 2
        assert all(map(is_there, workers))
        running.send_signal(getattr(signal, name))
        running.wait(timeout=30)
        deadline = time.monotonic() + 30
        while any(map(is_there, workers)):
            assert time.monotonic() < deadline
            time.sleep(0.05)


@needs_proc
def test_a_killed_worker_is_no_reason_to_lose_the_games(race: Path, tmp_path: Path) -> None:
    rows_file, report = tmp_path / "games.csv", tmp_path / "report.json"
    args = (*LONG, rows_file, "--json", report)
    with under_way(race, *args, folder=tmp_path, least=2_000) as running:
        os.kill(workers_of(running)[0], signal.SIGKILL)
        output, errors = running.communicate(timeout=60)
    assert running.returncode == 2
    assert "bug" not in errors
    assert "Traceback" not in errors
    played = len(rows(rows_file)) - 1
    assert f"Error: {played:,} games were played; a worker was ended from outside" in errors
    assert "of 100,000,000 (a worker was ended from outside" in output
    found = json.loads(report.read_text(encoding="utf-8"))
    assert found["games"] == played > 0
    assert found["cut_short"].startswith("a worker was ended")


# ---------------------------------------------------------------- files that can't be written


@pytest.mark.skipif(os.name != "posix", reason="needs a limit for files")
@pytest.mark.parametrize("option", ["--csv", "--json"])
def test_a_full_disk_leaves_the_report(race: Path, tmp_path: Path, option: str) -> None:
    """It is full once three kilobytes are written."""
    folder = tmp_path / "out"
    folder.mkdir()
    file = folder / "file"
    file.write_text("before", encoding="utf-8")
    code = (
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        "from interpreter.cli.main import main; main()"
    )
    args = ["playtest", str(race), "--games", "3000", "--engine", "python", "--workers", "1"]
    words = [sys.executable, "-c", code, *args, option, str(file)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 2
    assert f"Error: The system can't read or write `{file}`: File too large." in done.stderr
    assert "bug" not in done.stderr
    assert "3,000 games" in done.stdout
    assert "What to look at" in done.stdout
    assert [(path.name, path.read_text(encoding="utf-8")) for path in folder.iterdir()] == [
        ("file", "before")
    ]


def test_warnings_of_a_check_are_shown_again_and_again(race: Path) -> None:
    for name in ("fog", "mist"):
        folder = race.parent / "mods" / name
        (folder / "rules").mkdir(parents=True)
        (folder / "mod.yaml").write_text(
            f'mod: {name}\ntitle: "X"\ndescription: "X."\n', encoding="utf-8"
        )
        (folder / "rules" / "x.rules").write_text(
            "replace rule stepping: after take_turn by player\n    end game\n", encoding="utf-8"
        )
    mods = ",".join(str(race.parent / "mods" / name) for name in ("fog", "mist"))
    for _ in range(2):
        result = invoke("playtest", race, "--with", mods, "--games", "2", "--engine", "python")
        assert result.exit_code == 0, result.output
        assert "warning[RW08" in result.output


@pytest.mark.parametrize(
    ("wanted", "code", "said"),
    [
        (("turns.mean < 500", "limit < 99%"), 0, "turns.mean < 500: holds"),
        (("turns.mean < 500", "turns.mean < 1"), 1, "turns.mean < 1: fails"),
        (("turns.mean < 500", "bot.gap < 1pp"), 4, "bot.gap < 1pp: not enough games"),
        (("turns.maen < 5",), 2, "did you mean `turns.mean`"),
        (("turns",), 2, "write FIGURE < NUMBER"),
    ],
)
def test_assertions_decide_the_end(
    race: Path, tmp_path: Path, wanted: tuple[str, ...], code: int, said: str
) -> None:
    file = tmp_path / "report.json"
    args = [word for each in wanted for word in ("--assert", each)]
    bots = ("--bots", "walker,walker,runner", "--games", "60")
    done = process("playtest", race, *bots, *args, "--json", file)
    assert done.returncode == code, done.stdout + done.stderr
    assert said in done.stdout + done.stderr
    if code != 2:
        written = json.loads(file.read_text(encoding="utf-8"))
        assert len(written["assertions"]) == len(wanted)
        assert written["format"] == 1


def test_who_wins_from_a_saved_game(race: Path, tmp_path: Path) -> None:
    saved, file = tmp_path / "game.json", tmp_path / "from.json"
    seats = ("--seats", "me,walker,walker", "--seed", "1")
    invoke("play", race, *seats, typed=f"walk\nsave {saved}\nquit\n")
    args = ("--from", saved, "--games", "80", "--bots", "walker")
    result = invoke("playtest", race, *args, "--json", file)
    assert result.exit_code == 0, result.output
    assert "Race: who wins from here" in result.output
    assert "80, as Ann sees it: what Ann can't know is dealt anew" in result.output
    written = json.loads(file.read_text(encoding="utf-8"))
    assert [each["id"] for each in written["shares"]] == ["ann", "ben", "cleo"]
    assert sum(each["wins"] for each in written["shares"]) == 80
    for wrong, said in (
        (("--bots", "walkr"), "did you mean `walker`"),
        (("--csv", "-"), "--from goes with none of"),
        (("--with", "nothing"), "nothing"),
    ):
        assert said in invoke("playtest", race, *args, *wrong).output
    saved.write_text("{}")
    assert "can't be loaded" in invoke("playtest", race, *args).output


def test_a_history_is_kept(race: Path, tmp_path: Path) -> None:
    bots = ("--bots", "walker,runner", "--games", "200")
    assert "Nothing is kept" in invoke("history", race).output
    for more in ((), (), ("--set", "prize=7")):
        assert invoke("playtest", race, *bots, "--keep", *more).exit_code == 0
    assert (race / "history.sqlite").exists()
    output = invoke("history", race).output
    assert [line.split()[0] for line in output.splitlines()[3:]] == ["2", "3"], "one was replaced"
    assert "prize=7" in output
    file = tmp_path / "diff.json"
    output = invoke("history", race, "--diff", "2", "3", "--json", file).output
    assert "More than chance: nothing." in output, "a prize changes nothing about who is first"
    assert json.loads(file.read_text(encoding="utf-8"))["figures"][0]["id"] == "turns.mean"
    assert "There is no line 9" in invoke("history", race, "--diff", "2", "9").output


def test_the_history_of_a_bundled_variant_lies_with_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert invoke("playtest", "deal", "--games", "10", "--keep").exit_code == 0
    assert (tmp_path / "rulewright" / "deal" / "history.sqlite").exists()
    assert "deal: what playtests have said" in invoke("history", "deal").output
