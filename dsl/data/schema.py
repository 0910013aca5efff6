"""Data nodes against a JSON Schema, with every error at the exact place and in plain words.

For a schema to give good messages:

- `title` says what a value is, as a phrase (`a name in small letters`), used for patterns;
- `description` explains it further, as a phrase, used as help and shown by editors;
- `errorMessage` (known to editors too) replaces the message of the subschema it stands in;
- alternatives are chosen by `if`/`then`, never by a bare `oneOf` or `anyOf`; then what depends on
  a value that is wrong or missing itself (a misspelt kind) is not reported as well;
- an entry is forbidden by `{"not": {}}`; for `false` the validator does not tell the place.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from dsl.data import wording
from dsl.data.names import Fits, Known, known_names
from dsl.data.node import DataNode, Mapping, Plain, Sequence, find, to_plain
from dsl.data.quick import is_surely_right
from dsl.data.wording import Path, Problem, Violation
from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import suggest
from dsl.records import mutable
from dsl.source import Span

Schema = dict[str, object]


def validate(node: DataNode, schema: Schema, bag: Bag, *, code: str = "RW0401") -> None:
    """Add an error for each place where the data don't have the shape that the schema asks for."""
    value = to_plain(node)
    if is_surely_right(value, schema):
        return
    from dsl.data.violations import Validator

    validator = Validator(schema)
    found = _Found(node, schema, validator.fits)
    for violation in validator.violations(value):
        found.take(violation)
    for problem in found.settled():
        bag.error(
            code,
            problem.span,
            problem.message,
            also=problem.also,
            help=problem.help,
            fix=problem.fix,
        )


@mutable
class _Unknown:
    """Names that an object has and the schema does not know for it."""

    known: Known
    names: list[str]


@mutable
class _Missing:
    """Names that an object needs and lacks; a message of the schema's own may say it better."""

    names: dict[str, str | None] = field(default_factory=dict)
    messages: list[str] = field(default_factory=list)


@mutable
class _Found:
    """Sorts the validator's errors: unknown names, missing names, and the rest."""

    root: DataNode
    schema: Schema
    fits: Fits
    wrong: set[Path] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)
    unknown: dict[Path, _Unknown] = field(default_factory=dict)
    missing: dict[Path, _Missing] = field(default_factory=dict)

    def take(self, error: Violation) -> None:
        path, keyword = error.path, error.keyword
        node = find(self.root, path)
        if node is None:
            return
        if isinstance(node, Mapping) and isinstance(error.value, str):
            self._take_name(error, node)
        elif keyword in ("additionalProperties", "unevaluatedProperties"):
            self._take_unknown(error, path)
        elif keyword in ("required", "dependentRequired"):
            self._take_missing(error, path)
        elif keyword == "not":
            self._take_unwanted(error, path, node)
        elif keyword == "uniqueItems" and isinstance(node, Sequence):
            self.problems.append(wording.repeated(self.root, path, node))
        else:
            self.wrong.add(path)
            self.problems.append(wording.wrong_value(self.root, path, node, error))

    def _take_name(self, error: Violation, node: Mapping) -> None:
        entry = node.entry(str(error.value))
        if entry is not None:
            self.problems.append(wording.wrong_name(entry.key, error))

    def _take_unknown(self, error: Violation, path: Path) -> None:
        if error.keyword == "additionalProperties":
            keywords = ("properties", "patternProperties")
            part: object = {each: error.schema[each] for each in keywords if each in error.schema}
        else:
            part = error.schema
        known = known_names(part, self.schema, error.value, self.fits)
        names = [name for name in _names(error.value) if not known.has(name)]
        if names and path not in self.unknown:
            self.unknown[path] = _Unknown(known, names)

    def _take_missing(self, error: Violation, path: Path) -> None:
        missing = self.missing.setdefault(path, _Missing())
        message = error.message
        if message:
            missing.messages.append(message)
            return
        asked, present = error.wanted, _names(error.value)
        if isinstance(asked, dict):
            asked = [name for owner in asked if owner in present for name in asked[owner]]
        properties = error.schema.get("properties", {})
        for name in asked:
            if name not in present:
                about = properties.get(name)
                missing.names.setdefault(name, wording.annotation(about, "description"))

    def _take_unwanted(self, error: Violation, path: Path, node: DataNode) -> None:
        """An entry that should not be there at all."""
        parent = find(self.root, path[:-1]) if path else None
        entry = parent.entry(str(path[-1])) if isinstance(parent, Mapping) else None
        span = entry.key.span if entry else node.span
        name = wording.place_name(self.root, path)
        message = error.message or f"{name} does not belong here"
        self.problems.append(Problem(span, message))

    def settled(self) -> list[Problem]:
        """One problem for each place, in the order of the text."""
        problems = sorted(self.problems, key=lambda problem: (problem.span.start, problem.rank))
        problems[:0] = self._unknown_problems()
        taken = {problem.span.start for problem in problems}
        problems += self._missing_problems(taken)
        first: dict[int, Problem] = {}
        for problem in problems:
            first.setdefault(problem.span.start, problem)
        return sorted(first.values(), key=lambda problem: problem.span.start)

    def _unknown_problems(self) -> Iterator[Problem]:
        for path, unknown in self.unknown.items():
            node = self._mapping(path)
            if any(self._is_undecided(path, chooser) for chooser in unknown.known.choosers):
                continue
            free = _free_names(node, unknown.known)
            for name in unknown.names:
                entry = node.entry(name)
                if entry is not None:
                    yield wording.unknown_name(self.root, path, entry, free)

    def _is_undecided(self, path: Path, name: str) -> bool:
        """Whether the value that chooses an alternative is wrong or missing itself."""
        missing = self.missing.get(path)
        return (*path, name) in self.wrong or (missing is not None and name in missing.names)

    def _mapping(self, path: Path) -> Mapping:
        node = find(self.root, path)
        assert isinstance(node, Mapping)
        return node

    def _missing_problems(self, taken: set[int]) -> Iterator[Problem]:
        for path, missing in self.missing.items():
            node = self._mapping(path)
            if not node.is_complete:
                continue
            misspelt = set()
            if path in self.unknown:
                unknown = self.unknown[path]
                free = _free_names(node, unknown.known)
                misspelt = {suggest(name, free) for name in unknown.names}
            names = {name: about for name, about in missing.names.items() if name not in misspelt}
            first = _first_key(node)
            if missing.messages and first.start not in taken:
                yield Problem(first, missing.messages[0])
                taken.add(first.start)
            if names:
                span = _free_key(node, taken)
                yield wording.missing_names(self.root, path, node, span, names)


def _free_names(node: Mapping, known: Known) -> list[str]:
    """Known names that are not in use, so that a misspelt one is not taken for another."""
    return [name for name in sorted(known.names) if node.entry(name) is None]


def _names(value: Plain) -> list[str]:
    return list(value) if isinstance(value, dict) else []


def _first_key(node: Mapping) -> Span:
    return node.entries[0].key.span if node.entries else node.span


def _free_key(node: Mapping, taken: set[int]) -> Span:
    """The first key that bears no other error, or else the first one."""
    free = (entry.key.span for entry in node.entries if entry.key.span.start not in taken)
    return next(free, _first_key(node))
