"""The extension for Visual Studio Code and the lexer for Pygments."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Error, Keyword, Name, String
from textmate import Grammar

from dsl.editors.lexer import RulesLexer
from dsl.editors.vsix import SOURCE, build_vsix
from dsl.syntax.table_file import load_tables
from interpreter.bundled import variants_dir

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).parent / "golden"
EXAMPLES = sorted((ROOT / "tests" / "syntax" / "examples").glob("*.rules"))
SCRIPTS = [*ROOT.glob("dsl/std/**/*.rules"), *ROOT.glob("variants/**/*.rules")]


def grammar() -> Grammar:
    path = SOURCE / "syntaxes" / "rulewright.tmLanguage.json"
    return Grammar(json.loads(path.read_text(encoding="utf-8")))


def package() -> dict[str, object]:
    found: dict[str, object] = json.loads((SOURCE / "package.json").read_text(encoding="utf-8"))
    return found


# ---------------------------------------------------------------- grammar


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_grammar_golden(path: Path) -> None:
    """What each piece of a line is; again after a change with RULEWRIGHT_BLESS=1."""
    text = path.read_text(encoding="utf-8")
    rows = []
    for line, pieces in zip(text.split("\n"), grammar().lines(text), strict=True):
        assert "".join(piece for piece, _ in pieces) == line
        rows.append(f"> {line}".rstrip())
        for piece, scopes in pieces:
            inner = " ".join(scope.removesuffix(".rulewright") for scope in scopes[1:])
            if inner:
                rows.append(f"    {piece!r}: {inner}")
    golden = GOLDEN / f"{path.stem}.txt"
    made = "\n".join(rows) + "\n"
    if os.environ.get("RULEWRIGHT_BLESS"):
        golden.write_text(made, encoding="utf-8")
    assert golden.read_text(encoding="utf-8") == made


@pytest.mark.parametrize("keyword", sorted(load_tables().keywords))
def test_grammar_and_lexer_know_every_keyword(keyword: str) -> None:
    ((_, *_),) = [list(line) for line in grammar().lines(f"x {keyword} x")][:1] or [[("", ())]]
    pieces = dict(next(grammar().lines(f"x {keyword} x")))
    assert re.search(r"keyword|constant\.language", " ".join(pieces[keyword])), keyword
    tokens = {text: kind for kind, text in RulesLexer().get_tokens(f"x {keyword} x")}
    assert tokens[keyword] in Keyword, keyword


# ---------------------------------------------------------------- package


def test_package_holds_what_it_names(tmp_path: Path) -> None:
    target = tmp_path / "rulewright.vsix"
    build_vsix(target)
    first = target.read_bytes()
    build_vsix(target)
    assert target.read_bytes() == first
    with zipfile.ZipFile(target) as packed:
        names = set(packed.namelist())
        manifest = ElementTree.fromstring(packed.read("extension.vsixmanifest"))
        types = packed.read("[Content_Types].xml").decode()
    space = "{http://schemas.microsoft.com/developer/vsx-schema/2011}"
    for asset in manifest.iter(f"{space}Asset"):
        assert asset.attrib["Path"] in names
    identity = next(manifest.iter(f"{space}Identity"))
    assert identity.attrib["Version"] == package()["version"]
    endings = {Path(name).suffix for name in names} - {".xml"}
    assert all(f'Extension="{ending}"' in types for ending in endings)
    text = (SOURCE / "package.json").read_text(encoding="utf-8")
    for path in re.findall(r'"\./([^"]+)"', text):
        assert f"extension/{path}" in names, path
    sources = [name for name in names if name.endswith(".js")]
    for name in sources:
        with zipfile.ZipFile(target) as packed:
            needed = re.findall(r'require\("([^"]+)"\)', packed.read(name).decode())
        for each in needed:
            is_there = each == "vscode" or each.startswith("node:")
            assert is_there or f"extension/src/{each.removeprefix('./')}.js" in names, each


def test_its_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert package()["version"] == project["version"]


def test_the_module_packs(tmp_path: Path) -> None:
    target = tmp_path / "dist" / "x.vsix"
    command = [sys.executable, "-m", "dsl.editors.vsix", str(target)]
    subprocess.run(command, cwd=ROOT, check=True)
    assert zipfile.is_zipfile(target)


def test_the_problem_matcher_reads_what_a_check_says(tmp_path: Path) -> None:
    shutil.copytree(variants_dir() / "bid", tmp_path / "bid")
    with (tmp_path / "bid" / "rules" / "bid.rules").open("a", encoding="utf-8") as file:
        file.write("rule odd: after nothing by player\n    say 5\n")
    script = Path(sys.executable).with_name("rulewright")
    done = subprocess.run(
        [script, "check", "./bid"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    (matcher,) = package()["contributes"]["problemMatchers"]  # type: ignore[index]
    first, second = (re.compile(each["regexp"]) for each in matcher["pattern"])
    lines = done.stdout.splitlines()
    found = [
        (one[1], one[2], two[1], two[2])
        for line, after in pairwise(lines)
        if (one := first.match(line)) and (two := second.match(after))
    ]
    assert found[0][0] == "error"
    assert found[0][2] == "bid/rules/bid.rules"
    assert len(found) == sum(line.startswith(("error[", "warning[")) for line in lines)


def test_every_snippet_is_good_rules() -> None:
    from dsl.diagnostics import Bag
    from dsl.source import Source
    from dsl.syntax.parser import parse_script

    path = SOURCE / "snippets" / "rulewright.json"
    for name, snippet in json.loads(path.read_text(encoding="utf-8")).items():
        text = "\n".join(snippet["body"])
        text = re.sub(r"\$\{\d+:([^}]*)\}", r"\1", text)
        text = re.sub(r"\$\d", lambda _, name=name: FILLED.get(name, 'say "x"'), text)
        if name == "ask":
            text = "to x by player\n    " + text.replace("\n", "\n    ")
        bag = Bag()
        parse_script(Source("snippet.rules", text + "\n"), bag)
        assert [each.message for each in bag] == [], name


FILLED = {"define": "5", "exception": "yes", "strategy": "yes", "scenario": "yes"}


@pytest.mark.skipif(shutil.which("node") is None, reason="the client is JavaScript")
def test_the_client_speaks_with_the_server(tmp_path: Path) -> None:
    shutil.copytree(variants_dir() / "classic", tmp_path / "classic")
    file = tmp_path / "classic" / "rules" / "classic.rules"
    script = Path(sys.executable).with_name("rulewright")
    done = subprocess.run(
        ["node", Path(__file__).parent / "drive_extension.js", SOURCE, file],
        env=os.environ | {"RULEWRIGHT_COMMAND": json.dumps([str(script)])},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    lines = len(file.read_text(encoding="utf-8").splitlines())
    assert said["before"] == 0
    assert said["codes"] == [["RW0501", 0, lines + 1]]
    assert "pay amount: money" in said["hover"]
    assert said["item"]["insertText"]["value"].startswith("pay ${1:amount}")
    assert [edit[1:] for edit in said["edits"]] == [[lines, "present"]]
    assert "does not belong to this" in said["refused"]
    assert said["tokens"] % 5 == 0
    assert said["tokens"] > 500
    assert said["symbols"][-1] == "gift"
    assert said["task"] == [str(script), ["check", "."]]
    assert said["messages"] == []


# ---------------------------------------------------------------- Pygments


def test_the_lexer_is_found_by_its_names() -> None:
    assert isinstance(get_lexer_by_name("rules"), RulesLexer)
    assert isinstance(get_lexer_by_name("rulewright"), RulesLexer)
    assert isinstance(get_lexer_for_filename("classic.rules"), RulesLexer)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_the_lexer_reads_everything(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tokens = list(RulesLexer(ensurenl=False, stripnl=False).get_tokens(text))
    assert "".join(part for _, part in tokens) == text
    assert not [part for kind, part in tokens if kind is Error]


def test_what_the_lexer_says() -> None:
    text = 'rule gift: after landing by player on space: Go\n    say "{player.cash}!"\n'
    found = [
        (str(kind).removeprefix("Token."), part) for kind, part in RulesLexer().get_tokens(text)
    ]
    for expected in (
        ("Keyword.Declaration", "rule"),
        ("Name.Function", "gift"),
        ("Keyword", "after"),
        ("Name.Class", "Go"),
        ("Literal.String.Interpol", "{"),
        ("Name.Attribute", "cash"),
        ("Literal.String", "!"),
    ):
        assert expected in found
    assert Name.Class in Name
    assert String.Interpol in String
