"""Files with mistakes beside what is said about them; RULEWRIGHT_BLESS=1 rewrites the latter."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from dsl.diagnostics import registry
from dsl.diagnostics.record import Bag, Diagnostic
from dsl.diagnostics.render import render_text
from dsl.source import Source
from dsl.syntax.parser import parse_script

ERRORS = Path(__file__).parent / "errors"
FILES = sorted(ERRORS.glob("*.rules"))
WRITTEN_OUT = re.compile(r"<U\+([0-9A-F]{4,6})>")
EXAMPLE = re.compile(r"## (Bad|Good)\n\n```rules\n(.*?)\n```\n", re.DOTALL)
CODES = [code for code in registry.codes() if "RW0101" <= code <= "RW0149" or code[:4] == "RW02"]


def found(name: str, text: str) -> list[Diagnostic]:
    bag = Bag()
    parse_script(Source(name, WRITTEN_OUT.sub(lambda match: chr(int(match[1], 16)), text)), bag)
    return bag.sorted()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_golden_messages(path: Path) -> None:
    text = render_text(found(path.name, path.read_text(encoding="utf-8")))
    beside = path.with_suffix(".txt")
    if os.environ.get("RULEWRIGHT_BLESS"):
        beside.write_text(text, encoding="utf-8")
    assert beside.exists()
    assert text == beside.read_text(encoding="utf-8")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_mistake_is_found_where_it_is_marked(path: Path) -> None:
    """Lines that end with `-- !CODE` have that mistake, and no other line has any."""
    text = path.read_text(encoding="utf-8")
    marked = {
        (number, code)
        for number, line in enumerate(text.split("\n"), 1)
        for code in re.findall(r"RW\d{4}", line.partition("-- !")[2])
    }
    said = {
        (each.span.source.position(each.span.start)[0], each.code)
        for each in found(path.name, text)
    }
    assert said == marked


def test_all_codes_occur_in_golden_files() -> None:
    said = {
        each.code for path in FILES for each in found(path.name, path.read_text(encoding="utf-8"))
    }
    assert set(CODES) - said == set()


@pytest.mark.parametrize("code", CODES)
def test_examples_of_pages(code: str) -> None:
    examples = dict(EXAMPLE.findall(registry.page(code)))
    assert {each.code for each in found(code, examples["Bad"] + "\n")} == {code}
    assert found(code, examples["Good"] + "\n") == []
