"""docs/language.md, docs/grammar.md: every example is read, and nothing is missing."""

from __future__ import annotations

import os
import re
import textwrap
from pathlib import Path

import pytest
from grammar_page import PAGE as GRAMMAR_PAGE
from grammar_page import grammar_page

from dsl.check.commands import BUILTINS
from dsl.check.functions import FUNCTIONS
from dsl.diagnostics import registry
from dsl.diagnostics.record import Bag
from dsl.source import Source
from dsl.syntax.parser import parse_expression, parse_script
from dsl.syntax.table_file import load_tables

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w*) ?(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
EXAMPLES = [(kind, text) for language, kind, text in FENCE.findall(PAGE) if language == "rules"]
DEMANDS = (ROOT / "docs" / "design" / "README.md").read_text(encoding="utf-8")
PLACE = re.compile(r"`([\w/]+\.(?:rules|yaml|md))`: ((?:`\w+`(?:, )?)+)")


def mistakes(kind: str, text: str) -> list[str]:
    bag = Bag()
    if kind == "values":
        for line in text.splitlines():
            parse_expression(Source("language.md", line), bag)
    elif kind == "statements":
        whole = "to example gives 1..6\n" + textwrap.indent(text, "    ")
        parse_script(Source("language.md", whole), bag)
    else:
        assert kind == ""
        parse_script(Source("language.md", text), bag)
    return [f"{found.message}: {found.span.text}" for found in bag]


@pytest.mark.parametrize(("kind", "text"), EXAMPLES, ids=range(len(EXAMPLES)))
def test_examples_are_read(kind: str, text: str) -> None:
    assert mistakes(kind, text) == []


def test_there_are_examples_of_everything() -> None:
    assert len(EXAMPLES) > 15
    assert not re.search(r"^ {4}\S", FENCE.sub("", PAGE), re.MULTILINE)  # none without a fence


def test_reserved_words_are_listed() -> None:
    listed = re.search(r"reserved everywhere: ([^.]*)\.", PAGE)
    assert listed is not None
    assert set(listed[1].split()) == load_tables().keywords


def test_all_that_is_built_in_is_named() -> None:
    for word in (*FUNCTIONS, *BUILTINS):
        assert re.search(rf"\b{word}\b", PAGE), word


def test_all_areas_of_codes_are_in_the_table() -> None:
    assert {code[:4] for code in registry.codes()} == set(re.findall(r"(RW\d\d)xx", PAGE))
    assert set(re.findall(r"RW\d{4}", PAGE)) <= set(registry.codes())


def test_links_lead_somewhere() -> None:
    headings = {
        re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")
        for title in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    }
    for target in re.findall(r"\]\(([^)]*)\)", PAGE):
        if target.startswith("#"):
            assert target[1:] in headings, target
        else:
            assert (ROOT / "docs" / target).exists(), target


def test_demands_name_what_is_there() -> None:
    places = PLACE.findall(DEMANDS)
    assert len(places) > 60
    rows = [line for line in DEMANDS.splitlines() if line.startswith("| ")]
    assert not [row for row in rows if not PLACE.search(row) and "---" not in row][3:]
    for path, words in places:
        text = (ROOT / path).read_text(encoding="utf-8")
        for word in re.findall(r"\w+", words):
            assert re.search(rf"\b{word}\b", text), f"{path} has no {word}"


def test_golden_grammar_page() -> None:
    if os.environ.get("RULEWRIGHT_BLESS"):
        GRAMMAR_PAGE.write_text(grammar_page(), encoding="utf-8")
    assert GRAMMAR_PAGE.read_text(encoding="utf-8") == grammar_page()
