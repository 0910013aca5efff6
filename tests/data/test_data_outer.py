"""The outer shape of variant.yaml and mod.yaml: good and bad examples, with exact places."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy

import pytest
from data_reading import Golden, outer, said, spans
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from dsl.data.node import Scalar
from dsl.data.outer import check_outer, outer_schema
from dsl.diagnostics import Bag
from dsl.diagnostics.frame import render_text
from dsl.source import Source, Span

VARIANT = """\
variant: old_town
title: Old Town
description: A small game.
players: {min: 2, max: 6}
uses: [seats, board]
conflicts: [no_bank]
set: {bonus: 200, order: [clockwise, 2], strict: true}
profiles:
  early: {bonus: 100}
currency: {name: {one: crown, other: crowns}, symbol: "¤", position: after}
terms:
  Street: {one: lane, other: lanes}
seats:
  - {id: red, name: Red}
things:
  spaces:
    - {id: go, kind: Go}
    - {id: high_street, kind: Street, copies: 2, name: High Street, prices: [1, {a: 2}]}
    - {id: ticket, text: Buy it.}
    - {id: low_street, kind: Street, price: 60, assumed: [price, kind]}
    - {id: lane, assumed: true}
  cards: []
texts: {rule.offer.question: "Buy it?"}
limits: {phases: 500, acts: 1000}
assumed:
  - {what: the price of Low Street, why: not printed}
board: {ring: spaces, sides: 4}
"""
MOD = """\
mod: pot
title: The pot
overlay_for: [old_town]
needs_mods: [fines]
conflicts: [no_pot]
uses: [board]
set: {bonus: 400}
things:
  pots: [{id: middle}]
"""
BAD = """\
variant: Old Town
title:
players: {min: 6, max: 2, most: 8}
uses: seats
set: {Bonus: 200, order: {a: 1}, list: [[1]]}
profiles: {early: 5}
currency: {name: crown, symbol: '', position: left}
terms: {"a b": {one: x, few: y}}
seats: []
things:
  spaces:
    - {kind: Go}
    - {id: High Street, copies: 0, Name: x, assumed: yes, kind: 5}
    - {id: low_street, assumed: []}
    - {id: lane, prize: 1, assumed: [price, 3]}
    - {id: go, assumed: false}
  cards: {a: 1}
texts: {"a..b": x, ok: [y]}
limits: {phases: 0, turns: 5}
assumed: [{what: x}, y]
board: {ring: spaces, side: 4}
overlay_for: [x]
"""


@pytest.mark.parametrize(
    "text",
    [
        VARIANT,
        MOD,
        "variant: x\ntitle: X\nplayers: {min: 1, max: 1}\n",
        "variant: x\ntitle: X\nextends: z\n",
        "variant: x\ntitle: X\nextends: z\nplayers: {min: 2, max: 4}\n",
        "mod: x\ntitle: X\n",
    ],
)
def test_good(text: str) -> None:
    assert said(outer(text)) == []


def test_bad_golden(golden: Golden) -> None:
    golden("outer.txt", render_text(outer(BAD).sorted()))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("title: x\n", ["title"]),
        ("{}", ["{}"]),
        ("variant: x\nmod: y_\ntitle: x\nextends: z\n", ["mod"]),
        ("mod: x\ntitle: X\nplayers: {min: 1, max: 1}\n", ["players"]),
        ("mod: x\ntitle: X\nextends: z\nboard: {ring: a, sides: 4}\n", ["extends", "board"]),
        ("variant: x\ntitle: X\n", ["variant"]),
        ("variante: x\ntitle: X\nextends: z\n", ["variante"]),
        ("modd: x\ntitle: X\n", ["modd"]),
        ("variant: x\ntitle: X\nextends: z\noverlay_for: [w]\n", ["overlay_for"]),
        ("variant: x\ntitle: X\nplayers: {min: 3, max: 2}\n", ["3"]),
        ("variant: x\ntitle: X\nplayers: {min: 3}\n", ["min"]),
        ("variant: x\ntitle: X\nplayers: {min: 0, max: 17}\n", ["0", "17"]),
        ("variant: x\ntitle: X\nextends: z\nuses: [a, b, a]\n", ["a"]),
        ("variant: x\ntitle: X\nextends: z\nset: {a: null}\n", ["null"]),
        ("variant: x\ntitle: X\nextends: z\nthings: {a: [5]}\n", ["5"]),
        ("- a\n", ["- a"]),
        ("a word\n", ["a word"]),
    ],
)
def test_bad_places(text: str, expected: list[str]) -> None:
    assert [marked for _, marked in said(outer(text))] == expected


def test_neither_and_both() -> None:
    (neither,) = outer("title: x\n").sorted()
    assert neither.message.startswith("this file should say which it is")
    (both,) = outer("variant: x\nmod: z\ntitle: x\nextends: z\n").sorted()
    assert both.message.startswith("a file is a variant or a mod")


def test_schema_is_a_schema_and_stays_as_it_is() -> None:
    before = deepcopy(outer_schema())
    Draft202012Validator.check_schema(before)
    outer(BAD)
    assert outer_schema() == before
    assert "oneOf" not in json.dumps(before)
    assert "anyOf" not in json.dumps(before)


def test_every_entry_has_a_description_for_editors() -> None:
    properties = outer_schema()["properties"]
    assert isinstance(properties, dict)
    assert all(each.get("description") for each in properties.values())


def test_loading_does_not_import_the_slow_validator() -> None:
    code = "import sys, dsl.data.loader; sys.exit('jsonschema' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


LINES = st.sampled_from(
    [*VARIANT.splitlines(), *MOD.splitlines(), *BAD.splitlines(), "  x: 1", "- a"]
)


@settings(deadline=None)
@given(st.lists(LINES, max_size=12).map("\n".join))
def test_no_text_raises_and_all_places_are_inside(text: str) -> None:
    bag = outer(text)
    for diagnostic in bag:
        assert all(0 <= span.start <= span.end <= len(text) for span in spans(diagnostic))
    found = bag.sorted()
    starts = [each.span.start for each in found]
    assert len(starts) == len(set(starts)) or not text
    render_text(found)


def test_a_node_that_is_no_mapping() -> None:
    bag = Bag()
    source = Source("x.yaml", "5")
    check_outer(Scalar(5, Span(source, 0, 1)), bag)
    assert said(bag) == [("RW0401", "5")]


NAMES = ["title: Old Town", "name: Red", 'symbol: "¤"', "name: High Street", "other: crowns"]


@pytest.mark.parametrize("name", NAMES)
def test_names_are_one_line(name: str) -> None:
    key, _, value = name.partition(": ")
    bare = value.strip('"')
    (one,) = outer(VARIANT.replace(name, f'{key}: "{bare}\\n"')).sorted()
    assert one.message.endswith("is more than one line")
    assert one.fix is not None
    assert one.fix.edits[0].text == f'"{bare}"'


def test_what_is_printed_may_be_several_lines() -> None:
    assert said(outer(VARIANT.replace("Buy it.", '"Buy it.\\nNow."'))) == []
    assert said(outer(VARIANT.replace("not printed", '"not\\nprinted"'))) == []
