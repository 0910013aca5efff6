"""Whatever a designer calls things, generated code has only names that the compiler made, and no
text of the designer's outside of comments."""

from __future__ import annotations

import ast
import io
import re
import shutil
import tokenize
from pathlib import Path

import pytest
from game_divergence import assert_same
from game_rigs import HERE, OPTIONS, Setup, rig

from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from interpreter.emit.names import BUILTINS, HELPERS
from interpreter.emit.python import print_python
from interpreter.emit.wat import print_wat
from interpreter.engine.native_engine import NATIVE
from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program
from interpreter.session.build import check
from interpreter.session.request import Request

HOSTILE = Setup("hostile", 3)
IN_COMMENTS, IN_DATA = "ZQC", "ZQX"
"""In every comment of the rules, and in every name and text, of the hostile game."""

METHODS = {
    "append", "bit_count", "bit_length", "clear", "copy", "count", "extend", "index", "insert",
    "pop", "remove",
}  # fmt: skip
HOSTED = Options(host=True, trace=True, measures=True, coverage=True)
SETUPS = [
    HOSTILE,
    Setup("classic", 2),
    Setup("crooked_cash", 2),
    Setup("deal", 2),
    Setup("card_game", 2),
]


def python_text(setup: Setup, options: Options) -> str:
    return print_python(lower_program(rig(setup).core, options))


def wat_text(setup: Setup) -> str:
    return print_wat(lower_program(rig(setup).core, OPTIONS), batch=True)


@pytest.mark.parametrize("options", [OPTIONS, HOSTED], ids=["batch", "hosted"])
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_python_knows_only_its_own_names(setup: Setup, options: Options) -> None:
    text = python_text(setup, options)
    tree = ast.parse(text)
    made = {"trace"}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            made |= {node.name, *(arg.arg for arg in node.args.args)}
            made |= {arg.arg for arg in (node.args.vararg, node.args.kwarg) if arg is not None}
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            made.add(node.id)
    assert all(re.fullmatch(r"(?!__)[A-Za-z_][A-Za-z0-9_]*", name, re.ASCII) for name in made)
    assert not made & {*BUILTINS, *HELPERS}
    strings = []
    for node in ast.walk(tree):
        assert not isinstance(
            node, ast.Import | ast.ImportFrom | ast.Lambda | ast.ClassDef | ast.Try
        )
        if isinstance(node, ast.Name):
            assert node.id in made or node.id in (*BUILTINS, *HELPERS), node.id
        elif isinstance(node, ast.Attribute):
            assert node.attr in METHODS, node.attr
        elif isinstance(node, ast.Constant) and not isinstance(node.value, int | None):
            strings.append(node.value)
    assert strings == [ast.get_docstring(tree)]


def test_python_has_no_text_of_the_designer_but_in_comments() -> None:
    for options in (OPTIONS, HOSTED):
        text = python_text(HOSTILE, options)
        assert IN_DATA not in text
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            assert token.type == tokenize.COMMENT or IN_COMMENTS not in token.string


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_webassembly_has_only_instructions_and_its_own_names(setup: Setup) -> None:
    text = wat_text(setup)
    code = re.sub(r"(?m);;.*$", "", text)
    assert "(;" not in code
    strings = re.findall(r'"([^"]*)"', code)
    hexes = re.compile(r"(?:\\[0-9a-f]{2})*")
    exported = [name for name in strings if not hexes.fullmatch(name)]
    assert all(re.fullmatch(r"[a-z_]+", name) for name in exported), exported
    assert IN_DATA not in text
    assert IN_COMMENTS not in code
    word = re.compile(
        r"[()]|\$[A-Za-z0-9_.]+|-?0x[0-9a-f]+|-?[0-9]+|[a-z][a-z0-9_.]*(?:=[0-9]+)?", re.ASCII
    )
    code = re.sub(r'"[^"]*"', " ", code)
    assert not word.sub(" ", code).split()
    words = set(word.findall(code))
    assert "import" not in words


@pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
def test_the_hostile_game_is_played_and_imports_nothing() -> None:
    ready = rig(HOSTILE)
    for seats in ready.line_ups():
        left = ready.play("python", 0, 20, seats)
        assert_same(left, ready.play("native", 0, 20, seats), ready, seats, 7)
        assert set(left.ends) == {1}
    assert list(ready.native._module.imports) == []


# ---------------------------------------------------------------- names that are no names

BAD_IDS = (
    "__import__", "_x", "Class", "größe", "a-b", "a b", "1st", "a.b", "$x", "'", '\\"', "a\\nb",
    "a;b", "e\u0301", "\u0430", "x\\u200b", "",
)  # fmt: skip
BAD_WORDS = (
    "__import__",
    "größe",
    "a-b",
    "a.b",
    "$x",
    "'x'",
    "\u0430b",
    "x\u200b",
    "import os",
    "Yield",
)


def _changed(folder: Path, file: str, old: str, new: str) -> Bag:
    """What is said of the hostile game after a change."""
    shutil.copytree(HERE / "variants" / "hostile", folder / "hostile")
    path = folder / "hostile" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    bag = Bag()
    assert check(Request(Library([folder]), "hostile", 2), bag) is None or bag.has_errors
    return bag


@pytest.mark.parametrize("id_", BAD_IDS)
def test_other_ids_are_refused(id_: str, tmp_path: Path) -> None:
    bag = _changed(tmp_path, "variant.yaml", "{id: def,", f'{{id: "{id_}",')
    assert any(diagnostic.span.source.name.endswith("variant.yaml") for diagnostic in bag.sorted())


@pytest.mark.parametrize("word", BAD_WORDS)
def test_other_words_are_refused(word: str, tmp_path: Path) -> None:
    bag = _changed(tmp_path, "rules/hostile.rules", "    yield: flag", f"    {word}: flag")
    assert any(diagnostic.span.source.name.endswith("hostile.rules") for diagnostic in bag.sorted())
