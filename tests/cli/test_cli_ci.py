"""The hooks for pre-commit and the action for GitHub do what docs/ci.md says."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from cli_runs import ROOT, SCRIPT, invoke

HOOKS: list[dict[str, Any]] = yaml.safe_load(
    (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
)
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")


@pytest.fixture
def games(race: Path) -> Path:
    """A folder with a variant, a mod, and files of others."""
    folder = race.parent
    mod = folder / "mods" / "wind"
    (mod / "rules").mkdir(parents=True)
    (mod / "mod.yaml").write_text('mod: wind\ntitle: "Wind"\n', encoding="utf-8")
    (mod / "rules" / "wind.rules").write_text(
        'rule wind: after take_turn by player\n    say "!"\n', encoding="utf-8"
    )
    (folder / "compose.yaml").write_text("services: {}\n", encoding="utf-8")
    (folder / "std").mkdir()
    (folder / "std" / "tides.rules").write_text("unit wave\n", encoding="utf-8")
    return folder


def run(hook: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """What a hook says of all files that it is for, as pre-commit calls it."""
    monkeypatch.chdir(folder)
    paths = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*"))
    files = [path for path in paths if re.search(hook["files"], path)]
    assert "race/rules/race.rules" in files
    assert "compose.yaml" not in files
    assert "std/tides.rules" not in files
    program, *words = shlex.split(hook["entry"])
    assert program == "rulewright"
    return invoke(*words, *files)


@pytest.mark.parametrize("hook", HOOKS, ids=lambda hook: hook["id"])
def test_hooks(hook: dict[str, Any], games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = run(hook, games, monkeypatch)
    assert (result.exit_code, result.output) == (0, "")
    rules = games / "race" / "rules" / "race.rules"
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("money = 5", "money = 5 +"), encoding="utf-8")
    assert run(hook, games, monkeypatch).exit_code == 1


def test_a_hook_checks_each_game_once(games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(games)
    files = [str(path) for path in sorted(Path("race").rglob("*.*"))]
    assert invoke("check", *files).output == "race (2 and 4 players): nothing to mend\n"


def step(name: str, folder: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """Runs a step of the action with some inputs, the others as they are without."""
    (found,) = [each for each in ACTION["runs"]["steps"] if each.get("name") == name]
    given = {key: each.get("default", "") for key, each in ACTION["inputs"].items()} | inputs
    env = {
        key: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda match: given[match[1]], value)
        for key, value in found["env"].items()
    }
    path = f"{SCRIPT.parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", found["run"]],
        cwd=folder,
        env=os.environ | env | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.skipif(shutil.which("bash") is None, reason="the steps are for bash")
def test_steps_of_the_action(games: Path) -> None:
    assert step("check", games).returncode == 0
    assert step("test", games).returncode == 0
    inputs = {"playtest": "race", "games": "60"}
    good = step("playtest", games, **inputs, **{"assert": "limit < 90%\n\nturns.median > 1\n"})
    assert good.returncode == 0, good.stdout + good.stderr
    assert step("playtest", games, **inputs, **{"assert": "turns.median > 1000"}).returncode == 1
    rules = games / "race" / "rules" / "race.rules"
    rules.write_text(rules.read_text(encoding="utf-8") + "rule x after\n", encoding="utf-8")
    done = step("check", games)
    assert done.returncode == 1
    assert done.stdout.startswith("::error file=race/rules/race.rules,")


def test_no_input_is_put_into_a_script() -> None:
    for each in ACTION["runs"]["steps"]:
        assert "${{" not in each.get("run", "")


def test_the_page_names_what_there_is() -> None:
    for hook in HOOKS:
        assert f"- id: {hook['id']}\n" in PAGE
    for name in ACTION["inputs"]:
        assert f"| `{name}` |" in PAGE
    for example in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL):
        for name in (yaml.safe_load(example).get("jobs") or {}).values():
            given = name["steps"][1]["with"]
            assert set(given) <= set(ACTION["inputs"])
