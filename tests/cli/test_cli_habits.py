"""What people expect of any command line: this folder, help, quiet, completion, defaults."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cli_runs import ROOT, SCRIPT, invoke, process

from dsl.diagnostics.registry import page
from interpreter.cli.commands import COMMANDS

RULES = "rules/race.rules"


def append(folder: Path, text: str, file: str = RULES) -> None:
    path = folder / file
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(before + text, encoding="utf-8")


# ---------------------------------------------------------------- this folder


def test_check_and_test_take_this_folder(race: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(race)
    assert invoke("check").output == "race (2 and 4 players): nothing to mend\n"
    assert " passed in " in invoke("test").output
    monkeypatch.chdir(race / "rules")
    assert invoke("check").output == "race (2 and 4 players): nothing to mend\n"


def test_a_folder_that_holds_several(race: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(race, race.parent / "chase")
    append(race.parent / "chase", "", "variant.yaml")
    path = race.parent / "chase" / "variant.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("race", "chase"), encoding="utf-8")
    monkeypatch.chdir(race.parent)
    assert invoke("check").output.count("(2 and 4 players)") == 2


@pytest.mark.parametrize("command", ["check", "test"])
def test_a_folder_without_games(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = invoke(command)
    assert result.exit_code == 2
    assert "This folder is no variant or mod, and there is none in it" in result.output


# ---------------------------------------------------------------- help, quiet, python -m


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command(command: str) -> None:
    assert invoke("help", command).output == invoke(command, "--help").output


def test_help_alone_and_of_what_there_is_not() -> None:
    assert invoke("help").output == invoke("--help").output
    result = invoke("help", "chek")
    assert result.exit_code == 2
    assert "did you mean `check`?" in result.output


def test_the_package_is_a_program() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == process("--version").stdout


def test_quiet_says_only_what_is_to_be_mended(race: Path) -> None:
    assert invoke("check", race, "--quiet").output == ""
    assert invoke("test", race, "-q").output == ""
    assert invoke("fmt", race, "-q").output == ""
    append(
        race, "rule odd: after take_turn by player\n    move 007 from bank.chest to player.purse\n"
    )
    shown = invoke("check", race, "-q").output
    assert "RW9005" in shown
    assert "error" not in shown.splitlines()[-1]
    played = invoke("playtest", race, "--games", "20", "--engine", "python", "-q")
    assert "What to look at" in played.output
    assert "How the games ended" not in played.output


# ---------------------------------------------------------------- completion


def completed(shell: str, words: str, number: str) -> str:
    variables = {"_RULEWRIGHT_COMPLETE": f"{shell}_complete", "COMP_WORDS": words}
    return process(**variables, COMP_CWORD=number).stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_prints_a_script(shell: str) -> None:
    script = invoke("completion", shell).output
    assert "_RULEWRIGHT_COMPLETE" in script
    assert f"{shell}_complete" in script


def test_bash_completes() -> None:
    assert completed("bash", "rulewright pla", "1").split() == ["plain,play", "plain,playtest"]
    assert completed("bash", "rulewright check cth", "2") == "plain,cthulhu\n"
    assert completed("bash", "rulewright explain rw900", "2").startswith("plain,RW9001\n")
    assert completed("bash", "rulewright play classic --with speed_play,fre", "4") == (
        "plain,speed_play,free_parking_pot\n"
    )
    assert completed("bash", "rulewright check ./my", "2") == "file,./my\n"


def test_bash_takes_the_script(tmp_path: Path) -> None:
    bash = shutil.which("bash")
    assert bash is not None
    lines = [
        'eval "$(rulewright completion bash)"',
        "COMP_WORDS=(rulewright check cth); COMP_CWORD=2",
        "_rulewright_completion rulewright cth check",
        'echo "${COMPREPLY[@]}"',
    ]
    path = f"{SCRIPT.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [bash, "-c", "\n".join(lines)],
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    assert done.stdout == "cthulhu\n"


def test_powershell_completes() -> None:
    lines = completed("powershell", "rulewright help expl", "expl").splitlines()
    assert [line.split("\t")[1] for line in lines] == ["explain", "explain-order"]
    lines = completed("powershell", "rulewright check ", "").splitlines()
    assert any(line.startswith("plain\tclassic\t") for line in lines)


# ---------------------------------------------------------------- defaults


def test_defaults_of_a_playtest(race: Path) -> None:
    append(race, "players: 3\nbots: [random]\nseed: 7\n", "rulewright.yaml")
    args = ("playtest", race, "--games", "6", "--engine", "python", "--json", race / "out.json")

    def setting(*more: str) -> dict[str, object]:
        assert invoke(*args, *more).exit_code == 0
        said = json.loads((race / "out.json").read_text(encoding="utf-8"))["setting"]
        return {key: said[key] for key in ("players", "bots", "seed")}

    assert setting() == {"players": 3, "bots": ["random"], "seed": 7}
    assert setting("--players", "2", "--seed", "0") == {
        "players": 2,
        "bots": ["random"],
        "seed": 0,
    }
    assert setting("--bots", "random,random,random,random")["players"] == 4


def test_defaults_of_mods_and_those_around(race: Path) -> None:
    mod = race.parent / "mods" / "wind"
    (mod / "rules").mkdir(parents=True)
    (mod / "mod.yaml").write_text('mod: wind\ntitle: "Wind"\n', encoding="utf-8")
    (race.parent / "rulewright.yaml").write_text("mods: [./mods/wind]\n", encoding="utf-8")
    args = ("playtest", race, "--games", "2", "--engine", "python")
    assert "mods      wind" in invoke(*args).output
    assert "mods      none" in invoke(*args, "--with", "").output


def test_bots_of_a_game_at_the_terminal(race: Path) -> None:
    append(race, "players: 2\nbots: [random]\n", "rulewright.yaml")
    result = invoke("play", race, "--seed", "1", typed="q\n")
    assert result.exit_code == 0
    assert "Until next time." in result.output
    assert "Cleo" not in result.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("playrs: 3\n", "did you mean `players`?"),
        ("warnings: {RW9005: loud}\n", "RW9005"),
        ("warnings: {RW90055: note}\n", "there is no warning `RW90055`"),
        ("- 3\n", "rulewright.yaml:1:1"),
    ],
)
def test_mistakes_in_defaults(race: Path, text: str, said: str) -> None:
    append(race, text, "rulewright.yaml")
    for args in (("check", race), ("playtest", race, "--games", "1"), ("test", race)):
        result = invoke(*args)
        assert result.exit_code == 1
        assert said in result.output


@pytest.mark.parametrize(
    ("level", "code", "said"),
    [("error", 1, "error[RW9005]"), ("note", 0, "note[RW9005]"), ("silent", 0, "nothing to mend")],
)
def test_levels_of_warnings(race: Path, level: str, code: int, said: str) -> None:
    append(race, 'rule odd: after take_turn by player\n    say "{0 + 007} steps"\n')
    append(race, f"warnings: {{RW9005: {level}}}\n", "rulewright.yaml")
    result = invoke("check", race)
    assert (result.exit_code, said in result.output) == (code, True), result.output
    assert invoke("test", race).exit_code == (1 if level == "error" else 0)


def test_examples_of_the_page_of_levels(race: Path) -> None:
    bad, good = re.findall(r"```yaml\n(.*?)```", page("RW1021"), re.DOTALL)
    path = race / "rulewright.yaml"
    path.write_text(bad, encoding="utf-8")
    assert "error[RW1021]" in invoke("check", race).output
    path.write_text(good, encoding="utf-8")
    assert invoke("check", race).exit_code == 0
