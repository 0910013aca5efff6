"""docs/data.md: its files are one library, and do what the page says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from project_games import Shelf

from dsl.check.schema import derived_schema
from dsl.data.outer import outer_schema

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "data.md").read_text(encoding="utf-8")
FILE = re.compile(r"^`([\w/.]+)`:\n\n```\w+\n(.*?)```\n", re.DOTALL | re.MULTILINE)


@pytest.fixture
def library(shelf: Shelf) -> Shelf:
    for name, text in FILE.findall(PAGE):
        shelf.put(name, text)
    return shelf


def test_all_files_are_found() -> None:
    assert len(FILE.findall(PAGE)) == 5


def test_the_variant(library: Shelf) -> None:
    merged = library.load().clean
    assert [row.id for row in merged.sections["cards"]] == [
        "tailwind_1",
        "tailwind_2",
        "tailwind_3",
    ]
    assert {what for what, _, _ in merged.assumed} == {
        "three tailwind cards",
        "The Mole (spaces): price",
    }
    assert derived_schema(merged)["properties"]["things"]["properties"].keys() == {
        "quays",
        "spaces",
        "cards",
    }


def test_the_child_and_the_mod(library: Shelf) -> None:
    merged = library.load("reef", "high_tide").clean
    assert [(row.id, row.name) for row in merged.sections["spaces"]] == [
        ("start", "Lighthouse"),
        ("old_pier", "Coral Pier"),
        ("lagoon", "Lagoon"),
    ]
    assert "flood" in [row.id for row in merged.sections["cards"]]
    assert [setting.layer for setting in merged.switchings] == ["harbour", "high_tide"]


def test_the_language(library: Shelf) -> None:
    merged = library.load("reef", language="fr").clean
    assert (merged.title, merged.currency["one"]) == ("The Reef", "couronne")
    assert merged.terms["crane"][0] == "palm"


def test_every_entry_is_on_the_page() -> None:
    schema = outer_schema()
    entries = [*schema["properties"], *schema["$defs"]["thing"]["properties"]]  # type: ignore[misc,index]
    missing = [name for name in entries if f"`{name}`" not in PAGE]
    assert not missing
