"""README and docs/commands.md: what they show is there, and does what they say."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_runs import ROOT, process

from dsl.diagnostics import Bag
from dsl.project.chain import needs_of
from dsl.project.files import read_script
from interpreter.cli.commands import COMMANDS, commands

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGE = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
FENCE = re.compile(r"(?:^`([^`\n]+)`[^\n]*:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def fences(language: str) -> Iterator[tuple[str, str]]:
    """The named file, if any, and the content of each example in a language."""
    for name, kind, content in FENCE.findall(README):
        if kind == language:
            yield name, content


@pytest.fixture
def tour(tmp_path: Path) -> Path:
    """A folder with the files of the tour."""
    for name, content in (*fences("yaml"), *fences("rules")):
        if name:
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
    return tmp_path


def test_the_tour_of_the_readme(tour: Path) -> None:
    lines = [line for _, content in fences("console") for line in content.splitlines()]
    assert lines
    while lines:
        words = shlex.split(lines.pop(0).removeprefix("$ rulewright "))
        words = ["40" if word == "5000" else word for word in words]
        done = process(*words, cwd=tour)
        assert done.returncode == 0, done.stdout + done.stderr
        while lines and not lines[0].startswith("$ "):
            assert lines.pop(0) in done.stdout


def test_the_mistake_of_the_readme(tour: Path) -> None:
    path = tour / "my/mods/snake_eyes/rules/snake_eyes.rules"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("pay snake_eyes_bonus", "pay snake_eye_bonus"), encoding="utf-8")
    done = process("check", "my/mods/snake_eyes", cwd=tour)
    assert done.returncode == 1
    ((_, shown),) = [each for each in fences("text") if "error[" in each[1]]
    assert shown in done.stdout


def test_rules_that_are_shown_are_real() -> None:
    scripts = [*ROOT.glob("dsl/std/*.rules"), *ROOT.glob("variants/**/*.rules")]
    texts = [path.read_text(encoding="utf-8") for path in scripts]
    shown = [content for name, content in fences("rules") if not name]
    assert shown
    for content in shown:
        assert any(content in text for text in texts), content


def test_paths_and_links_exist() -> None:
    for text, base in ((README, ROOT), (PAGE, ROOT / "docs")):
        for link in re.findall(r"\]\(([^)#]+)\)", text):
            assert (base / link).exists(), link


def test_the_page_tells_of_every_command() -> None:
    for name in COMMANDS:
        assert f"rulewright {name}" in PAGE, name


def test_options_that_are_shown_exist() -> None:
    context = commands.make_context("rulewright", [], resilient_parsing=True)
    known = {"--help", "--version"}
    for name in COMMANDS:
        command = commands.get_command(context, name)
        assert command is not None
        known |= {option for param in command.params for option in param.opts}
    for text in (README, PAGE):
        for option in re.findall(r"(?<![\w-])(--[a-z]+(?:-[a-z]+)*)", text):
            assert option in known, option


def test_the_page_of_the_library_tells_of_every_module() -> None:
    page = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \|.*\| (.*) \|$", page, re.MULTILINE))
    paths = {path.stem: path for path in (ROOT / "dsl" / "std").glob("*.rules")}
    assert rows.keys() == paths.keys()
    parts = re.split(r"^### ", page, flags=re.MULTILINE)
    sections = {part.partition("\n")[0]: part for part in parts}
    for name, path in paths.items():
        script = read_script(path, Bag())
        assert script is not None
        needs = [" or ".join(each) for each in needs_of(script)]
        assert rows[name] == (", ".join(needs) or "nothing")
        said = ROOT / "dsl" / "std" / "sayings" / path.name
        text = path.read_text(encoding="utf-8")
        text += said.read_text(encoding="utf-8") if said.exists() else ""
        for word in re.findall(r"^(?:switch|option|window|event|kind) (\w+)", text, re.MULTILINE):
            assert f"`{word}" in sections[name], f"{name}: {word}"
        for verb in re.findall(r"^saying \w+ (\w+)", text, re.MULTILINE):
            assert f" {verb}" in sections[name], f"{name}: {verb}"
