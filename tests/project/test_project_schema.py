"""The derived JSON Schema: valid, fitting for its own data, and refusing what the check refuses."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from project_games import Shelf
from test_project_values import FULL, buoy

from dsl.check.schema import derived_schema
from dsl.data.loader import load_yaml
from dsl.data.node import Plain, to_plain
from dsl.data.schema import validate
from dsl.diagnostics.record import Bag
from dsl.source import Source


def schema_of(shelf: Shelf, name: str = "harbour", *mods: str) -> dict[str, Any]:
    schema = derived_schema(shelf.load(name, *mods).merged)
    Draft202012Validator.check_schema(schema)
    assert json.loads(json.dumps(schema)) == schema
    return schema


def problems(schema: dict[str, Any], text: str) -> list[tuple[str, str]]:
    """What is marked, and what is said of it."""
    bag = Bag()
    node = load_yaml(Source("variant.yaml", text), bag)
    assert node is not None
    validate(node, schema, bag)
    return [(each.span.text, each.message) for each in bag.sorted()]


def data_of(shelf: Shelf, name: str = "harbour") -> str:
    return (shelf.path / name / "variant.yaml").read_text()


def test_it_fits_its_own_data(shelf: Shelf) -> None:
    text = buoy(shelf)
    assert problems(schema_of(shelf), text) == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bell", '"true"'),
        ("motto", "12"),
        ("depth", "11"),
        ("depth", "deep"),
        ("stride", "25"),
        ("lucky", "-5"),
        ("mood", "storn"),
        ("sky", "rainy"),
        ("leads_to", "[pier]"),
        ("friends", "north"),
        ("friends", "[north, south, west]"),
        ("friends", "[north, north]"),
        ("catch", "[1, 10]"),
        ("tax", "[1, 2]"),
        ("tax", "{calm: 1}"),
        ("tax", "{calm: 1, storm: 2, fog: 3}"),
        ("fog", '{"yes": 1}'),
        ("fees", "{north: x}"),
        ("ways", "[start, pier, lamp]"),
        ("deepth", "3"),
        ("owner", "red"),
    ],
)
def test_it_refuses_wrong_shapes(shelf: Shelf, name: str, text: str) -> None:
    buoy(shelf)
    schema = schema_of(shelf)
    (found,) = problems(schema, buoy(shelf, **{name: text}))
    assert found[0] in f"{name}: {text}"


@pytest.mark.parametrize("name", list(FULL))
def test_it_asks_for_every_field(shelf: Shelf, name: str) -> None:
    buoy(shelf)
    schema = schema_of(shelf)
    (found,) = problems(schema, buoy(shelf, **{name: None}))
    assert f"needs `{name}`" in found[1]


def test_it_leaves_ids_to_the_check(shelf: Shelf) -> None:
    """An editor is not to offer the ids of yesterday."""
    buoy(shelf)
    schema = schema_of(shelf)
    assert problems(schema, buoy(shelf, leads_to="peer", friends="[nowhere]")) == []
    assert "north" not in json.dumps(schema)


@pytest.mark.parametrize(
    ("old", "new", "marked"),
    [
        ("spaces:", "spaecs:", "spaecs"),
        ("kind: Pier", "kind: Peer", "Peer"),
        (", kind: Pier", "", "id"),
        ("id: south", "id: south, kind: Pier", "Pier"),
        ("id: south", "id: south, depth: 3", "depth"),
        ("id: south", "id: 12", "12"),
    ],
)
def test_sections_and_kinds(harbour: Shelf, old: str, new: str, marked: str) -> None:
    found = problems(schema_of(harbour), data_of(harbour).replace(old, new, 1))
    assert marked in [text for text, _ in found]


def test_switches_and_profiles(harbour: Shelf) -> None:
    schema = schema_of(harbour)
    text = data_of(harbour)
    assert problems(schema, text + "set: {toll: 5, fair: storm}\n") == []
    assert problems(schema, text + "profiles: {p: {toll: 5}}\n") == []
    for wrong in ("{tol: 5}", "{toll: much}", "{fair: stormy}"):
        assert problems(schema, f"{text}set: {wrong}\n")
        assert problems(schema, f"{text}profiles: {{p: {wrong}}}\n")


def test_a_child_may_change_single_fields(harbour: Shelf) -> None:
    harbour.put_child(
        "atoll",
        """\
        things:
          spaces:
            - {id: pier, price: 70}
            - {id: mole, remove: true}
            - {id: lagoon, kind: Pier, quay: north, price: 1, dues: [1, 2, 3]}
        """,
    )
    assert harbour.load("atoll").clean
    schema = schema_of(harbour, "atoll")
    text = data_of(harbour, "atoll")
    assert problems(schema, text) == []
    assert [found for found, _ in problems(schema, text.replace("price: 70", "prize: 70"))] == [
        "prize"
    ]
    assert [found for found, _ in problems(schema, text.replace("price: 70", "price: x"))] == ["x"]


def test_documentation_for_editors(harbour: Shelf) -> None:
    schema = schema_of(harbour)
    text = json.dumps(schema)
    assert "By the number of cranes." in text
    assert "What a crane costs" in text


def test_no_bare_alternatives(shelf: Shelf) -> None:
    """With a discriminator every error lands on the line that is wrong."""
    buoy(shelf)
    text = json.dumps(schema_of(shelf))
    assert '"oneOf"' not in text
    assert '"anyOf"' not in text


def plain_of(text: str) -> Plain:
    node = load_yaml(Source("x", text), Bag())
    assert node is not None
    return to_plain(node)


def test_any_validator_can_use_it(shelf: Shelf) -> None:
    """Nothing in it needs Rulewright's own reading of a schema."""
    text = buoy(shelf)
    validator = Draft202012Validator(schema_of(shelf))
    assert list(validator.iter_errors(plain_of(text))) == []
    assert list(validator.iter_errors(plain_of(buoy(shelf, depth="11"))))
