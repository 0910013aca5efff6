"""Whether data surely have the shape that a JSON Schema asks for: quick, and without jsonschema.

Data that are right, as nearly all are, need nothing else; `schema` says of the rest what is wrong.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from dsl.data.node import Plain
from dsl.data.wording import has_pattern

_ANNOTATIONS = frozenset(
    ("$schema", "$id", "$defs", "title", "description", "errorMessage", "default", "examples",
     "markdownDescription", "then", "else", "patternProperties")
)  # fmt: skip
_LOCAL = "#/$defs/"


def is_surely_right(value: Plain, schema: Mapping[str, Any]) -> bool:
    """Whether nothing is wrong. No for data that are wrong, and for what is not understood here."""
    return _Quick(schema).fits(value, schema)


class _NotUnderstood(Exception):
    """A keyword that only the real validator knows."""


class _Quick:
    def __init__(self, root: Mapping[str, Any]) -> None:
        self._defs = root.get("$defs", {})

    def fits(self, value: Plain, schema: object) -> bool:
        """Whether a value fits, as far as can be told."""
        try:
            return self._fits(value, schema)
        except _NotUnderstood:
            return False

    def _fits(self, value: Plain, schema: object) -> bool:
        if isinstance(schema, bool):
            return schema
        if not isinstance(schema, dict) or "patternProperties" in schema:
            raise _NotUnderstood
        for keyword, wanted in schema.items():
            if keyword in _ANNOTATIONS:
                continue
            check = _CHECKS.get(keyword)
            if check is None:
                raise _NotUnderstood
            if not check(self, value, wanted, schema):
                return False
        return True

    def ref(self, value: Plain, wanted: str, _: Mapping[str, Any]) -> bool:
        if not wanted.startswith(_LOCAL) or wanted.removeprefix(_LOCAL) not in self._defs:
            raise _NotUnderstood
        return self._fits(value, self._defs[wanted.removeprefix(_LOCAL)])

    def all_of(self, value: Plain, wanted: list[object], _: Mapping[str, Any]) -> bool:
        return all(self._fits(value, each) for each in wanted)

    def negated(self, value: Plain, wanted: object, _: Mapping[str, Any]) -> bool:
        return not self._fits(value, wanted)

    def alternative(self, value: Plain, wanted: object, schema: Mapping[str, Any]) -> bool:
        which = "then" if self._fits(value, wanted) else "else"
        return which not in schema or self._fits(value, schema[which])

    def properties(self, value: Plain, wanted: dict[str, Any], _: Mapping[str, Any]) -> bool:
        if not isinstance(value, dict):
            return True
        return all(self._fits(value[name], each) for name, each in wanted.items() if name in value)

    def others(self, value: Plain, wanted: object, schema: Mapping[str, Any]) -> bool:
        if not isinstance(value, dict):
            return True
        known = schema.get("properties", {})
        return all(self._fits(each, wanted) for name, each in value.items() if name not in known)

    def names(self, value: Plain, wanted: object, _: Mapping[str, Any]) -> bool:
        return not isinstance(value, dict) or all(self._fits(name, wanted) for name in value)

    def items(self, value: Plain, wanted: object, _: Mapping[str, Any]) -> bool:
        return not isinstance(value, list) or all(self._fits(each, wanted) for each in value)


def _is_number(value: Plain) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: dict[str, Callable[[Plain], bool]] = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": _is_number,
}


def _has_type(value: Plain, wanted: str | list[str]) -> bool:
    names = wanted if isinstance(wanted, list) else [wanted]
    if not all(name in _TYPES for name in names):
        raise _NotUnderstood
    return any(_TYPES[name](value) for name in names)


def _written(value: object) -> str:
    """Tells values apart as JSON does: 1 and true are two."""
    return json.dumps(value, sort_keys=True)


_Check = Callable[[_Quick, Any, Any, Mapping[str, Any]], bool]

_CHECKS: dict[str, _Check] = {
    "$ref": _Quick.ref,
    "allOf": _Quick.all_of,
    "not": _Quick.negated,
    "if": _Quick.alternative,
    "properties": _Quick.properties,
    "additionalProperties": _Quick.others,
    "propertyNames": _Quick.names,
    "items": _Quick.items,
    "type": lambda _, value, wanted, __: _has_type(value, wanted),
    "enum": lambda _, value, wanted, __: _written(value) in map(_written, wanted),
    "const": lambda _, value, wanted, __: _written(value) == _written(wanted),
    "pattern": lambda _, value, wanted, __: (
        not isinstance(value, str) or has_pattern(value, wanted)
    ),
    "required": lambda _, value, wanted, __: (
        not isinstance(value, dict) or all(name in value for name in wanted)
    ),
    "minItems": lambda _, value, wanted, __: not isinstance(value, list) or len(value) >= wanted,
    "maxItems": lambda _, value, wanted, __: not isinstance(value, list) or len(value) <= wanted,
    "minLength": lambda _, value, wanted, __: not isinstance(value, str) or len(value) >= wanted,
    "minimum": lambda _, value, wanted, __: not _is_number(value) or value >= wanted,
    "maximum": lambda _, value, wanted, __: not _is_number(value) or value <= wanted,
    "uniqueItems": lambda _, value, wanted, __: (
        not isinstance(value, list) or not wanted or len({*map(_written, value)}) == len(value)
    ),
}
