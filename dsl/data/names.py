"""Which names a JSON Schema knows for an object, by the alternatives that apply to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field

from dsl.data.wording import has_pattern
from dsl.records import mutable

Fits = Callable[[object, object], bool]


@mutable
class Known:
    """Names an object may have; `choosers` are those whose values choose an alternative."""

    names: set[str] = field(default_factory=set)
    patterns: set[str] = field(default_factory=set)
    choosers: set[str] = field(default_factory=set)
    is_open: bool = False

    def has(self, name: str) -> bool:
        """Whether the object may have an entry of this name."""
        return (
            self.is_open
            or name in self.names
            or any(has_pattern(name, pattern) for pattern in self.patterns)
        )


def known_names(schema: object, root: object, value: object, fits: Fits) -> Known:
    """What the schema knows for the value; `fits` tells whether a value has a schema's shape.

    Other than the validator's own account it does not forget the names of an alternative in which
    some value is wrong: that value has its own error.
    """
    known = Known()
    _collect(schema, root, value, fits, known, set())
    return known


def _collect(
    schema: object, root: object, value: object, fits: Fits, known: Known, seen: set[str]
) -> None:
    if not isinstance(schema, dict):
        return
    known.names |= set(schema.get("properties", ()))
    known.patterns |= set(schema.get("patternProperties", ()))
    known.is_open |= schema.get("additionalProperties", False) is not False
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in seen:
        _collect(_referred(reference, root), root, value, fits, known, seen | {reference})
    for keyword in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(keyword, ()):
            _collect(part, root, value, fits, known, seen)
    if "if" in schema:
        test = schema["if"]
        known.choosers |= set(test.get("properties", ())) if isinstance(test, dict) else set()
        chosen = schema.get("then" if fits(test, value) else "else")
        _collect(test, root, value, fits, known, seen)
        _collect(chosen, root, value, fits, known, seen)


def _referred(reference: str, root: object) -> object:
    """The schema that a reference inside the same file points to."""
    here = root
    for step in reference.removeprefix("#").split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        here = here.get(name) if isinstance(here, dict) else None
    return here
