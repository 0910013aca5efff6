"""The fixed outer shape of variant.yaml and mod.yaml, before any rule is known."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from dsl.data.node import DataNode, Mapping, Scalar, Sequence
from dsl.data.schema import Schema, validate
from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import did_you_mean

OUTER_SCHEMA_FILE = Path(__file__).parent / "outer.schema.json"


@cache
def outer_schema() -> Schema:
    """The JSON Schema of the outer shape; not to be changed by callers."""
    schema: Schema = json.loads(OUTER_SCHEMA_FILE.read_text(encoding="utf-8"))
    return schema


def check_outer(node: DataNode, bag: Bag) -> None:
    """Add an error for each place where a variant's or mod's data lack the outer shape."""
    validate(node, outer_schema(), bag)
    if isinstance(node, Mapping):
        _check_players(node.get("players"), bag)
        _check_assumed(node.get("things"), bag)


def _check_players(players: DataNode | None, bag: Bag) -> None:
    if not isinstance(players, Mapping):
        return
    least, most = players.get("min"), players.get("max")
    if not (isinstance(least, Scalar) and isinstance(most, Scalar)):
        return
    if type(least.value) is int and type(most.value) is int and least.value > most.value:
        bag.error(
            "RW0411",
            least.span,
            f"at least {least.value} players are asked for, but at most {most.value}",
            also=[(most.span, "the most")],
        )


def _check_assumed(things: DataNode | None, bag: Bag) -> None:
    """Each field that is marked as assumed must be there."""
    sections = things.entries if isinstance(things, Mapping) else ()
    for section in sections:
        items = section.value.items if isinstance(section.value, Sequence) else ()
        for thing in items:
            assumed = thing.get("assumed") if isinstance(thing, Mapping) else None
            if isinstance(thing, Mapping) and isinstance(assumed, Sequence):
                _check_assumed_fields(thing, assumed, bag)


def _check_assumed_fields(thing: Mapping, assumed: Sequence, bag: Bag) -> None:
    names = [entry.name for entry in thing.entries if entry.name != "assumed"]
    for item in assumed.items:
        if isinstance(item, Scalar) and isinstance(item.value, str) and item.value not in names:
            bag.error(
                "RW0412",
                item.span,
                f"`{item.value}` is marked as assumed, but there is no such field beside it",
                help=did_you_mean(item.value, names),
            )
