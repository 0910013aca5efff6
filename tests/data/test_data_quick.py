"""The quick look at data never takes for right what the real validator finds wrong."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl.data.loader import load_yaml
from dsl.data.node import Plain, to_plain
from dsl.data.outer import outer_schema
from dsl.data.quick import is_surely_right
from dsl.data.violations import Validator
from dsl.diagnostics.record import Bag
from dsl.source import Source
from interpreter.bundled import variants_dir

LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 3), st.sampled_from(["", "a", "b", "A b", "a\n"])
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=6,
)
TYPES = st.sampled_from(["object", "array", "string", "integer", "number", "boolean", "null"])


def keywords(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    names = st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=2, unique=True)),
            "properties": names,
            "additionalProperties": st.one_of(st.booleans(), inner),
            "patternProperties": names,
            "propertyNames": inner,
            "required": st.lists(st.sampled_from("abc"), max_size=2, unique=True),
            "items": inner,
            "minItems": st.integers(0, 2),
            "maxItems": st.integers(0, 2),
            "uniqueItems": st.booleans(),
            "minLength": st.integers(0, 2),
            "pattern": st.sampled_from(["^a", "b$", "^[a-z]+$"]),
            "minimum": st.integers(-1, 2),
            "maximum": st.integers(-1, 2),
            "enum": st.lists(LEAVES, min_size=1, max_size=3),
            "const": LEAVES,
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "allOf": st.lists(inner, min_size=1, max_size=2),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
        },
    )


SCHEMAS = st.recursive(
    st.one_of(st.booleans(), st.just({"$ref": "#/$defs/x"})), keywords, max_leaves=4
)


@settings(max_examples=400, deadline=None)
@given(VALUES, keywords(SCHEMAS), keywords(st.booleans()))
def test_what_is_taken_for_right_is_right(value: Plain, schema: Any, shared: Any) -> None:
    whole = {**schema, "$defs": {"x": shared}}
    if is_surely_right(value, whole):
        assert list(Validator(whole).violations(value)) == []


FILES = sorted(p for p in variants_dir().rglob("*.yaml") if p.parent.name != "locale")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.parent.name)
def test_good_data_need_nothing_else(path: Any) -> None:
    bag = Bag()
    node = load_yaml(Source(path.name, path.read_text(encoding="utf-8")), bag)
    assert node is not None
    assert is_surely_right(to_plain(node), outer_schema())
