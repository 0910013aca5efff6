"""The JSON Schema of a variant's data, with the fields that its kinds declare.

`derived_schema` is for editors and other tools: it knows shapes, not which ids exist.
`check_rows`, the check with messages for people, also looks at ids.
"""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from dsl.check.data_kinds import ENTRY_WORDS, DataKind, DataWorld, data_world
from dsl.check.data_rows import check_rows
from dsl.check.merged import Merged
from dsl.data.outer import outer_schema
from dsl.syntax import nodes as syntax

Schema = dict[str, Any]

_MOST_LISTED = 64

_REMOVE: Schema = {
    "description": "takes this entry of the parent out again; nothing but `id` stands beside it",
    "const": True,
}
# What they hold is said once, in the outer schema.
_ENTRY: Schema = dict.fromkeys(ENTRY_WORDS, True) | {"remove": _REMOVE}


def derived_schema(merged: Merged) -> Schema:
    """The JSON Schema of variant.yaml for this variant, its switches and things included.

    Where the variant extends another, or mods are laid over it, an entry may change a single field
    of an earlier one, so fields are not required there.
    """
    world = data_world(merged)
    is_partial = bool(merged.parents or merged.mods)
    schema: Schema = deepcopy(outer_schema())
    schema["title"] = f"the data of {merged.title}"
    schema["properties"]["things"] = {
        "description": "everything the game is played with, in sections",
        "type": "object",
        "properties": {
            section: _section(world, section, root, is_partial)
            for section, root in world.sections.items()
            if any(world.family(root.name))
        },
        "additionalProperties": False,
    }
    schema["$defs"]["switches"] = {
        "type": "object",
        "properties": {name: _switch(world, decl) for name, decl in world.switches.items()},
        "additionalProperties": False,
    }
    return schema


def _section(world: DataWorld, section: str, root: DataKind, is_partial: bool) -> Schema:
    kinds = list(world.family(root.name))
    lone = world.lone_kind(section)
    thing: Schema = {"$ref": "#/$defs/thing"}
    required = ["id"] if lone or is_partial else ["id", "kind"]
    entry: Schema = {
        "type": "object",
        "properties": {
            "kind": {
                "description": f"which kind of {root.name} it is",
                "enum": [kind.name for kind in kinds],
            }
        },
        "required": required,
        "allOf": [thing, *(_kind_case(world, kind, is_partial) for kind in kinds)],
    }
    if lone or is_partial:
        entry["allOf"].append(_no_kind_case(world, kinds, is_partial))
    section_schema: Schema = {"type": "array", "items": entry}
    if root.doc:
        section_schema["description"] = root.doc
    return section_schema


def _kind_case(world: DataWorld, kind: DataKind, is_partial: bool) -> Schema:
    """What an entry that names its kind must hold."""
    return {
        "if": {"properties": {"kind": {"const": kind.name}}, "required": ["kind"]},
        "then": _fields(world, kind, is_partial),
    }


def _no_kind_case(world: DataWorld, kinds: list[DataKind], is_partial: bool) -> Schema:
    """What an entry without a kind can hold: the fields of the only kind, or of any of them."""
    if len(kinds) == 1:
        then = _fields(world, kinds[0], is_partial)
    else:
        known: Schema = {}
        for kind in kinds:
            for name, schema in _data(world, kind).items():
                known[name] = schema if known.get(name, schema) == schema else True
        then = {"properties": _ENTRY | known, "additionalProperties": False}
    return {"if": {"not": {"required": ["kind"]}}, "then": then}


def _fields(world: DataWorld, kind: DataKind, is_partial: bool) -> Schema:
    required = [name for name, each in kind.data.items() if not each.is_optional]
    schema: Schema = {
        "properties": _ENTRY | _data(world, kind),
        "additionalProperties": False,
    }
    if required and not is_partial:
        schema["required"] = required
    return schema


def _data(world: DataWorld, kind: DataKind) -> Schema:
    return {
        name: _described(type_schema(world, each.type), each.doc)
        for name, each in kind.data.items()
    }


def _described(schema: Schema, doc: str) -> Schema:
    return {"description": doc} | schema if doc else schema


def _switch(world: DataWorld, decl: syntax.SwitchDecl) -> Schema:
    question = decl.question
    texts = question.parts if question is not None else ()
    return _described(
        type_schema(world, decl.type), "".join(part for part in texts if isinstance(part, str))
    )


def type_schema(world: DataWorld, type_: syntax.TypeNode) -> Schema:
    """The JSON Schema of a written type; anything goes where the type is not known."""
    match type_:
        case syntax.OptionalType(inner=inner):
            return {"if": {"not": {"type": "null"}}, "then": type_schema(world, inner)}
        case syntax.WordType(name="flag"):
            return {"type": "boolean"}
        case syntax.WordType(name="text"):
            return {"type": "string"}
        case syntax.WordType(name=name):
            if name == "money" or name in world.units:
                return {"type": "integer", "minimum": 0}
        case syntax.RangeType():
            return _range_schema(world.values_of(type_))
        case syntax.ChoiceType(values=values):
            return {"enum": [value.text for value in values]}
        case syntax.KindType(name=name):
            if name in world.choices:
                return {"enum": list(world.choices[name])}
            if name in world.kinds:
                return {"title": f"the id of a {name}", "$ref": "#/$defs/id"}
        case syntax.ListType():
            return _list_schema(world, type_)
        case syntax.MapType():
            return _table_schema(world, type_)
    return {}


def _range_schema(values: range | None) -> Schema:
    if not values:
        return {"type": "integer"}
    schema: Schema = {"type": "integer", "minimum": values[0], "maximum": values[-1]}
    if values.step == 1:
        return schema
    if len(values) <= _MOST_LISTED:
        return {"enum": list(values)}
    return schema | ({"multipleOf": values.step} if values[0] % values.step == 0 else {})


def _list_schema(world: DataWorld, type_: syntax.ListType) -> Schema:
    schema: Schema = {"type": "array", "items": type_schema(world, type_.element)}
    most = world.number(type_.bound)
    if most is not None and most >= 0:
        schema["maxItems"] = most
    if not type_.ordered and isinstance(type_.element, syntax.KindType):
        schema["uniqueItems"] = True
    return schema


def _table_schema(world: DataWorld, type_: syntax.MapType) -> Schema:
    value = type_schema(world, type_.value)
    words: list[str] = []
    match type_.key:
        case syntax.RangeType():
            schema: Schema = {"type": "array", "items": value}
            keys = world.values_of(type_.key)
            if keys is not None:
                schema |= {"minItems": len(keys), "maxItems": len(keys)}
            return schema
        case syntax.ChoiceType(values=values):
            words = [each.text for each in values]
        case syntax.WordType(name="flag"):
            words = ["yes", "no"]
        case syntax.KindType(name=name):
            words = list(world.choices.get(name, ()))
    if not words:
        return {"type": "object", "additionalProperties": value}
    return {
        "type": "object",
        "properties": dict.fromkeys(words, value),
        "required": words,
        "additionalProperties": False,
    }


__all__ = ["check_rows", "derived_schema", "type_schema"]
