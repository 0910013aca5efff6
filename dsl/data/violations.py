"""What a JSON Schema finds wrong with plain data. The only module that imports jsonschema, which
takes as long as checking a game; so this one is imported only where something is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from dsl.data import wording
from dsl.data.node import Plain
from dsl.data.wording import Violation

Schema = dict[str, object]


class Validator:
    """Finds what is wrong by one schema."""

    def __init__(self, schema: Schema) -> None:
        self._validator = _VALIDATOR(schema)

    def violations(self, value: Plain) -> Iterator[Violation]:
        """All that is wrong with a value."""
        for error in self._validator.iter_errors(value):
            yield _violation(error)

    def fits(self, part: object, value: object) -> bool:
        """Whether a value is right by a part of the schema."""
        return bool(self._validator.evolve(schema=part).is_valid(value))


def _check_pattern(
    validator: Draft202012Validator, pattern: str, instance: object, schema: Schema
) -> Iterator[ValidationError]:
    """`pattern` as JSON Schema means it: `$` is the end, not also the place before a line end."""
    if isinstance(instance, str) and not wording.has_pattern(instance, pattern):
        yield ValidationError("pattern")


_VALIDATOR = extend(Draft202012Validator, {"pattern": _check_pattern})  # type: ignore[no-untyped-call]


def _violation(error: ValidationError) -> Violation:
    """The part of the validator's error that is used here."""
    schema: object = error.schema
    return Violation(
        tuple(error.absolute_path),
        str(error.validator),
        error.validator_value,
        schema if isinstance(schema, dict) else {},
        error.instance,  # type: ignore[arg-type]
        error.message,
    )
