"""Schemas: each error at its exact place, once, in plain words."""

from __future__ import annotations

from typing import Any

import pytest
from data_reading import fixed, load, said

from dsl.data.schema import validate
from dsl.diagnostics import Bag

Schema = dict[str, Any]


def check(text: str, schema: Schema) -> Bag:
    node, bag = load(text)
    assert node is not None
    validate(node, schema, bag)
    return bag


def messages(text: str, schema: Schema) -> list[tuple[str, str]]:
    """Marked text and message."""
    return [(each.span.text, each.message) for each in check(text, schema).sorted()]


def of(**properties: object) -> Schema:
    return {"type": "object", "properties": properties, "additionalProperties": False}


NAME = {"type": "string", "pattern": "^[a-z_]+$", "title": "a name", "description": "small letters"}


@pytest.mark.parametrize(
    ("schema", "text", "marked", "message"),
    [
        ({"type": "string"}, "5", "5", "`a` should be text, not `5`"),
        ({"type": "string"}, "true", "true", "`a` should be text, not `true`"),
        ({"type": "string"}, "[x]", "[x]", "`a` should be text, not a list"),
        ({"type": "string"}, "{x: 1}", "{x: 1}", "`a` should be text, not entries with names"),
        ({"type": "string"}, "null", "null", "`a` is empty; it should be text"),
        ({"type": "integer"}, "x", "x", "`a` should be a whole number, not text"),
        ({"type": "integer"}, "true", "true", "`a` should be a whole number, not `true`"),
        (
            {"type": ["integer", "boolean"]},
            "x",
            "x",
            "`a` should be a whole number or `true` or `false`, not text",
        ),
        ({"type": "object"}, "x", "x", "`a` should be entries with names, not text"),
        ({"enum": ["up", "down"]}, "left", "left", "`a` can't be `left`"),
        ({"enum": [1, True]}, "[]", "[]", "`a` can't be this list"),
        ({"const": True}, "false", "false", "`a` should be `true`"),
        ({"minimum": 1}, "0", "0", "`a` is 0; the least is 1"),
        ({"maximum": 9}, "10", "10", "`a` is 10; the most is 9"),
        ({"exclusiveMinimum": 1}, "1", "1", "`a` is 1; it must be more than 1"),
        ({"exclusiveMaximum": 1}, "1", "1", "`a` is 1; it must be less than 1"),
        ({"multipleOf": 5}, "7", "7", "`a` is 7; it must be a multiple of 5"),
        ({"minLength": 1}, "''", "''", "`a` is empty"),
        ({"minLength": 3}, "xy", "xy", "`a` is shorter than 3 characters"),
        ({"maxLength": 1}, "xy", "xy", "`a` is longer than 1 characters"),
        ({"minItems": 1}, "[]", "[]", "`a` is empty"),
        ({"minItems": 2}, "[1]", "[1]", "`a` has fewer than 2 items"),
        ({"maxItems": 1}, "[1, 2]", "[1, 2]", "`a` has more than 1 items"),
        ({"uniqueItems": True}, "[x, z, x]", "x", "`x` is twice in `a`"),
        ({"minProperties": 1}, "{}", "{}", "`a` is empty"),
        ({"maxProperties": 0}, "{x: 1}", "{x: 1}", "`a` has more than 0 entries"),
        (NAME, "Old Town", "Old Town", "`Old Town` in `a` is not a name"),
        (NAME, '"x\\n"', '"x\\n"', "`x` in `a` is not a name"),
        ({"propertyNames": NAME}, "{x: 1, X: 2}", "X", "`X` is not a name"),
        (
            {"propertyNames": {"maxLength": 2}},
            "{xyz: 1}",
            "xyz",
            "`xyz` is longer than 2 characters",
        ),
        ({"not": {}}, "5", "a", "`a` does not belong here"),
        ({"not": {}, "errorMessage": "no `a`, please"}, "5", "a", "no `a`, please"),
        ({"type": "string", "errorMessage": "words only"}, "5", "5", "words only"),
        (
            {"items": {"type": "integer"}},
            "[1, x]",
            "x",
            "entry 2 of `a` should be a whole number, not text",
        ),
        (
            {"oneOf": [{"minimum": 1}, {"minimum": 2}]},
            "3",
            "3",
            "`a` does not have a form that is known here",
        ),
    ],
)
def test_a_wrong_value(schema: Schema, text: str, marked: str, message: str) -> None:
    assert messages(f"{{a: {text}}}", {"properties": {"a": schema}}) == [(marked, message)]


def test_unknown_names_are_marked_one_by_one() -> None:
    schema = of(title={}, players={})
    assert messages("{titel: 1, players: 2, boards: 3}", schema) == [
        ("titel", "this file has no entry `titel`"),
        ("boards", "this file has no entry `boards`"),
    ]
    titel, boards = check("{titel: 1, players: 2, boards: 3}", schema).sorted()
    assert titel.help == "did you mean `title`?"
    assert boards.help == "it can still have `title`"
    assert fixed("{titel: 1, players: 2, boards: 3}", titel) == "{title: 1, players: 2, boards: 3}"


def test_a_name_in_use_is_not_suggested() -> None:
    (found,) = check("{title: 1, titles: 2}", of(title={})).sorted()
    assert found.help is None


def test_missing_names_are_one_error_at_the_first_key() -> None:
    schema = of(a=of(x={"description": "the first"}, u={}, z={}) | {"required": ["x", "u", "z"]})
    (found,) = check("a:\n  u: 1\n", schema).sorted()
    assert (found.span.text, found.message) == ("u", "`a` needs `x` and `z`")
    assert found.help == "`x`: the first"
    assert messages("a: {}", schema) == [("{}", "`a` needs `x`, `u` and `z`")]


def test_a_misspelt_name_is_not_missing_too() -> None:
    schema = of(title={}, players={}) | {"required": ["title", "players"]}
    assert messages("{titel: 1, players: 2}", schema) == [
        ("titel", "this file has no entry `titel`")
    ]
    assert messages("{titel: 1}", schema) == [("titel", "this file has no entry `titel`")]
    assert messages("{titel: 1, board: 2}", schema) == [
        ("titel", "this file has no entry `titel`"),
        ("board", "this file has no entry `board`"),
    ]


def test_what_is_missing_is_said_beside_other_errors() -> None:
    schema = of(title={}, players={}) | {"required": ["players"]}
    assert messages("{xyz: 1, title: 2}", schema) == [
        ("xyz", "this file has no entry `xyz`"),
        ("title", "this file needs `players`"),
    ]


def test_nothing_is_missing_where_the_loader_took_entries_away() -> None:
    schema = of(a={}) | {"required": ["a"]}
    assert said(check("{<<: 1}", schema)) == [("RW0307", "<<")]


def test_values_that_the_loader_refused_are_not_reported_again() -> None:
    schema = of(a={"type": "integer"}, b={"type": "boolean"}, c={"type": "object"})
    assert said(check("{a: 012, b: yes, c: *x}", schema)) == [
        ("RW0304", "012"),
        ("RW0303", "yes"),
        ("RW0307", "*x"),
    ]


def test_names_by_pattern_and_what_one_entry_asks_of_others() -> None:
    schema: Schema = {
        "properties": {"a": {}, "b": {}, "c": {}},
        "patternProperties": {"^x_": {"type": "integer"}},
        "additionalProperties": False,
        "dependentRequired": {"a": ["b", "c"]},
    }
    assert messages("{a: 1, c: 1, x_1: 1}", schema) == [("a", "this file needs `b`")]
    assert messages("{b: 1, x_1: u, z: 1}", schema) == [
        ("u", "`x_1` should be a whole number, not text"),
        ("z", "this file has no entry `z`"),
    ]


def test_look_alikes_are_named_and_not_mended_by_leaving_them_out() -> None:
    (value,) = check("{a: n\u0430me}", of(a=NAME)).sorted()
    assert "cyrillic small letter a (U+0430)" in value.message
    assert value.fix is None
    (key,) = check("{n\u0430me: x}", of(name=NAME)).sorted()
    assert "cyrillic small letter a (U+0430)" in key.message
    (umlaut,) = check("{a: n\u00e4me}", of(a=NAME)).sorted()
    assert "alphabet" not in umlaut.message


KINDS: Schema = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"id": {"type": "string"}, "kind": {"enum": ["Street", "Card"]}},
        "required": ["id", "kind"],
        "allOf": [
            {
                "if": {"properties": {"kind": {"const": "Street"}}, "required": ["kind"]},
                "then": {"properties": {"price": {"type": "integer"}}, "required": ["price"]},
            },
            {
                "if": {"properties": {"kind": {"const": "Card"}}, "required": ["kind"]},
                "then": {"properties": {"text": {"type": "string"}}},
            },
        ],
        "unevaluatedProperties": False,
    },
}


def test_kinds_chosen_by_a_discriminator() -> None:
    text = """\
- {id: high_street, kind: Street, price: cheap}
- {id: low_street, kind: Street, pride: 60}
- {id: go, kind: Card, text: 5, price: 1}
- {id: x, kind: Stret}
- {kind: Card}
- {id: 7, kind: Street}
"""
    assert messages(text, KINDS) == [
        ("cheap", "`price` of `high_street` should be a whole number, not text"),
        ("pride", "`low_street` has no entry `pride`"),
        ("5", "`text` of `go` should be text, not `5`"),
        ("price", "`go` has no entry `price`"),
        ("Stret", "`kind` of `x` can't be `Stret`"),
        ("kind", "entry 5 of this file is a `Card` and needs `id`"),
        ("id", "entry 6 of this file is a `Street` and needs `price`"),
        ("7", "`id` of entry 6 of this file should be text, not `7`"),
    ]


def test_a_wrong_kind_makes_no_entry_unknown() -> None:
    text = "[{id: a, kind: Stret, price: 1}, {id: b, price: 1}]"
    assert messages(text, KINDS) == [
        ("Stret", "`kind` of `a` can't be `Stret`"),
        ("id", "`b` needs `kind`"),
    ]


def test_alternatives_by_reference() -> None:
    schema: Schema = {
        "$defs": {"Street": of(id={}, kind={}, price={"type": "integer"})},
        "properties": {"kind": {"enum": ["Street"]}},
        "if": {"properties": {"kind": {"const": "Street"}}},
        "then": {"$ref": "#/$defs/Street"},
    }
    assert messages("{id: x, kind: Street, prise: 1}", schema) == [
        ("prise", "this file has no entry `prise`")
    ]
    loose = {**schema, "unevaluatedProperties": False}
    loose["$defs"] = {"Street": {"properties": {"price": {"type": "integer"}, "id": {}}}}
    assert messages("{id: x, kind: Street, price: z, prise: 1}", loose) == [
        ("z", "`price` should be a whole number, not text"),
        ("prise", "this file has no entry `prise`"),
    ]


@pytest.mark.parametrize(
    ("schema", "text", "mended"),
    [
        ({"type": "string"}, "{a: 5}", '{a: "5"}'),
        ({"type": "integer"}, "{a: '-5'}", "{a: -5}"),
        ({"type": "boolean"}, "{a: 'true'}", "{a: true}"),
        ({"type": "array"}, "{a: x}", "{a: [x]}"),
        ({"enum": ["before", "after"]}, "{a: befor}", "{a: before}"),
        (NAME, "{a: Old Town!}", "{a: old_town}"),
    ],
)
def test_fixes(schema: Schema, text: str, mended: str) -> None:
    (found,) = check(text, of(a=schema)).sorted()
    assert fixed(text, found) == mended
    assert not check(mended, of(a=schema)).has_errors


@pytest.mark.parametrize("value", ["x1", "'12a'", "'yes'", "99"])
def test_no_fix_where_none_is_plain(value: str) -> None:
    (found,) = check(f"{{a: {value}}}", of(a={"type": "boolean"})).sorted()
    assert found.fix is None


def test_a_comment_taken_for_a_value() -> None:
    (found,) = check("symbol: # $\nx: 1", {"properties": {"symbol": {"type": "string"}}}).sorted()
    assert found.help == "what follows `#` is a comment; put it in quotes if it is the value"


def test_code_of_another_check() -> None:
    node, bag = load("5")
    assert node is not None
    validate(node, {"type": "string"}, bag, code="RW0411")
    assert said(bag) == [("RW0411", "5")]
