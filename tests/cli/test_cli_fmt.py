"""`rulewright fmt`."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli_runs import invoke, process

ROUGH = "rule  r: after landing by player on space\n  pay 1 from player to bank -- why\n"
SMOOTH = "rule r: after landing by player on space\n    pay 1 from player to bank  -- why\n"


@pytest.fixture
def mod(tmp_path: Path) -> Path:
    folder = tmp_path / "odd"
    for name, text in {
        "mod.yaml": 'mod: odd   \ntitle: "Odd"\n',
        "rules/odd.rules": ROUGH,
        "rules/good.rules": SMOOTH,
        "locale/de.yaml": "a: 1",
        ".hidden/odd.rules": ROUGH,
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (tmp_path / "other.yaml").write_text("a: 1   \n", encoding="utf-8")
    return folder


def test_a_folder_is_formatted_once(mod: Path) -> None:
    rules = mod / "rules" / "odd.rules"
    checked = invoke("fmt", "--check", mod.parent)
    assert checked.exit_code == 1
    assert rules.read_text(encoding="utf-8") == ROUGH
    assert "4 files, 3 would be changed" in checked.stdout
    done = invoke("fmt", mod.parent)
    assert done.exit_code == 0
    assert "4 files, 3 changed" in done.stdout
    assert rules.read_text(encoding="utf-8") == SMOOTH
    assert (mod / "mod.yaml").read_text(encoding="utf-8") == 'mod: odd\ntitle: "Odd"\n'
    assert (mod / "locale" / "de.yaml").read_text(encoding="utf-8") == "a: 1\n"
    assert (mod / ".hidden" / "odd.rules").read_text(encoding="utf-8") == ROUGH
    assert (mod.parent / "other.yaml").read_text(encoding="utf-8") == "a: 1   \n"
    again = invoke("fmt", "--check", mod.parent)
    assert again.exit_code == 0
    assert "4 files, none would be changed" in again.stdout


def test_without_a_path_it_is_this_folder(mod: Path) -> None:
    done = process("fmt", cwd=mod)
    assert done.returncode == 0, done.stderr
    assert "changed: rules/odd.rules" in done.stdout


def test_a_file_with_mistakes_is_left(mod: Path) -> None:
    path = mod / "rules" / "odd.rules"
    path.write_text("rule\n" + ROUGH, encoding="utf-8")
    done = invoke("fmt", path)
    assert done.exit_code == 1
    assert "error[RW" in done.stdout
    assert path.read_text(encoding="utf-8") == "rule\n" + ROUGH


def test_line_ends_are_changed_too(tmp_path: Path) -> None:
    path = tmp_path / "a.rules"
    path.write_bytes(b"kind A\r\n")
    assert invoke("fmt", path).exit_code == 0
    assert path.read_bytes() == b"kind A\n"


def test_stdin() -> None:
    done = invoke("fmt", "-", typed=ROUGH)
    assert (done.exit_code, done.stdout) == (0, SMOOTH)
    done = invoke("fmt", "-", typed="rule\n")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "stdin:1" in done.stderr
    assert invoke("fmt", "-", "x.rules").exit_code == 2


@pytest.mark.parametrize("word", ["nowhere", "nowhere.rules", __file__])
def test_what_can_not_be_formatted(word: str) -> None:
    done = invoke("fmt", word)
    assert done.exit_code == 2
    assert "Error: " in done.stderr
