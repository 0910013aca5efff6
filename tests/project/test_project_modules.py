"""Library modules: what they need, and the sayings that come with them."""

from __future__ import annotations

import pytest
from project_games import HEADER, RULES, THINGS, Shelf

from dsl.syntax import nodes as syntax

SWELL = "-- Long waves,\n-- as at sea. Needs tides, shore or cliff.\nunit crest\n"


def put(shelf: Shelf, uses: str) -> None:
    shelf.put("library/tides.rules", "-- Ebb and flood.\nunit wave\n")
    shelf.put("library/shore.rules", "unit pebble\n")
    shelf.put("library/cliff.rules", "unit rock\n")
    shelf.put("library/swell.rules", SWELL)
    shelf.put("harbour/variant.yaml", HEADER + f"uses: [{uses}]\n" + THINGS)
    shelf.put("harbour/rules/harbour.rules", RULES)


@pytest.mark.parametrize("uses", ["tides, shore, swell", "swell, cliff, tides", "tides"])
def test_modules_with_all_that_they_need(shelf: Shelf, uses: str) -> None:
    put(shelf, uses)
    assert shelf.load().codes == []


@pytest.mark.parametrize(
    ("uses", "missing"),
    [
        ("swell", "`tides` and `shore` or `cliff`"),
        ("tides, swell", "`shore` or `cliff`"),
        ("cliff, swell", "`tides`"),
    ],
)
def test_modules_without(shelf: Shelf, uses: str, missing: str) -> None:
    put(shelf, uses)
    (found,) = shelf.load().bag
    assert found.code == "RW1019"
    assert found.message == f"the module `swell` needs {missing}"
    assert found.help == f"add {missing} to `uses`"
    assert found.span.text == "swell"


def sayings(shelf: Shelf, *, scenarios: bool = True) -> list[tuple[str, str]]:
    merged = shelf.load(scenarios=scenarios).clean
    return [
        (ranked.layer, ranked.decl.verb.text)
        for ranked in merged.declarations
        if isinstance(ranked.decl, syntax.Saying)
    ]


SAID = 'saying quay floods\n    say "all"\nsaying quay dries with number: 0..9\n    say "none"\n'


def test_sayings_come_with_their_module(shelf: Shelf) -> None:
    put(shelf, "tides")
    shelf.put("library/sayings/tides.rules", SAID)
    shelf.put("library/sayings/shore.rules", 'saying quay crumbles\n    say "so"\n')
    assert sayings(shelf) == [("std/tides", "floods"), ("std/tides", "dries")]
    before = shelf.load(scenarios=False).clean.digest
    assert sayings(shelf, scenarios=False) == []
    shelf.put("library/sayings/tides.rules", SAID + "-- changed\n")
    assert shelf.load(scenarios=False).clean.digest == before


def test_a_saying_of_the_game_takes_the_place_of_the_library(shelf: Shelf) -> None:
    put(shelf, "tides")
    shelf.put("library/sayings/tides.rules", SAID)
    shelf.put(
        "harbour/scenarios/own.rules",
        'saying pier floods\n    say "mine"\nsaying pier dries\n    say "other form"\n',
    )
    assert sayings(shelf) == [
        ("std/tides", "dries"), ("harbour", "floods"), ("harbour", "dries"),
    ]  # fmt: skip
