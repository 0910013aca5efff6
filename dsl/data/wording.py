"""What `schema` says: the sentences about data that don't fit, free of a validator's words."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from dsl.data.node import DataNode, Entry, Mapping, Plain, Scalar, Sequence, find, to_plain
from dsl.data.scalar import WHOLE
from dsl.diagnostics.cells import codepoint
from dsl.diagnostics.record import Edit, Fix
from dsl.diagnostics.suggest import did_you_mean, suggest
from dsl.records import record
from dsl.source import Span

Path = tuple[str | int, ...]

_MOST_SHOWN = 40
_MOST_LISTED = 12

_TYPE_WORDS = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "entries with names",
    "null": "nothing",
}
_FORMS = {
    "array": "a list is written `[one, two]`, or with `- ` before each item in lines of their own",
    "object": "entries are written `name: value`, indented below or in `{ }`",
}


@record
class Violation:
    """One keyword of a schema that a value does not satisfy."""

    path: Path
    keyword: str
    # The value of the keyword, and the schema it stands in.
    wanted: Any
    schema: dict[str, Any]
    value: Plain
    # The validator's own words, which no designer sees.
    raw: str

    @property
    def message(self) -> str | None:
        """The message that the schema itself has for it."""
        return annotation(self.schema, "errorMessage")

    @property
    def description(self) -> str | None:
        """What the schema says of the value."""
        return annotation(self.schema, "description")


@record
class Problem:
    """One thing to say at one place; the lower its rank, the nearer to the cause."""

    span: Span
    message: str
    help: str | None = None
    fix: Fix | None = None
    also: tuple[tuple[Span, str], ...] = ()
    rank: int = 1


def foreign_letters(text: str) -> list[str]:
    """The letters of a word that look like Latin ones beside them and are none, with their names;
    nothing where the word has no Latin letter at all."""
    if not re.search(r"[A-Za-z]", text):
        return []
    letters = dict.fromkeys(char for char in text if char.isalpha() and not char.isascii())
    return [
        f"{unicodedata.name(char, 'a letter').lower()} ({codepoint(char)})"
        for char in letters
        if not unicodedata.name(char, "LATIN").startswith("LATIN")
    ]


def has_pattern(text: str, pattern: str) -> bool:
    """Whether the pattern is found in the text; its final `$` is the very end."""
    if pattern.endswith("$") and not pattern.endswith("\\$"):
        pattern = pattern[:-1] + r"\Z"
    return re.search(pattern, text) is not None


def annotation(schema: object, name: str) -> str | None:
    """A text that a schema carries for people."""
    text = schema.get(name) if isinstance(schema, dict) else None
    return text if isinstance(text, str) else None


def place_name(root: DataNode, path: Path) -> str:
    """What a designer calls the place: "`price` of `harbour`", "entry 2 of `uses`"."""
    if not path:
        return "this file"
    last, outer = path[-1], path[:-1]
    own = identity(find(root, path))
    if isinstance(last, int):
        if own:
            return f"`{own}`"
        return f"entry {last + 1} of {place_name(root, outer)}"
    if not outer:
        return f"`{last}`"
    owner = place_name(root, outer)
    return f"`{last}` of {owner}" if owner.startswith(("`", "entry ")) else f"`{last}`"


def identity(node: DataNode | None) -> str | None:
    """The id that an entry of a list gives itself."""
    value = node.get("id") if isinstance(node, Mapping) else None
    if isinstance(value, Scalar) and isinstance(value.value, str) and value.value:
        return _shown(value.value)
    return None


def unknown_name(root: DataNode, path: Path, entry: Entry, allowed: list[str]) -> Problem:
    """An entry whose name is not among those allowed."""
    owner = place_name(root, path)
    message = f"{owner} has no entry `{_shown(entry.name)}`"
    strangers = foreign_letters(entry.name)
    if strangers:
        message += f"; it has letters of another alphabet: {', '.join(strangers)}"
    best = suggest(entry.name, allowed)
    if best:
        fix = Fix(f"write `{best}`", (Edit(entry.key.span, best),))
        return Problem(entry.key.span, message, did_you_mean(entry.name, allowed), fix, rank=0)
    help_text = None
    if 0 < len(allowed) <= _MOST_LISTED:
        help_text = f"it can still have {_listed(allowed, 'and')}"
    return Problem(entry.key.span, message, help_text, rank=0)


def missing_names(
    root: DataNode, path: Path, node: Mapping, span: Span, names: dict[str, str | None]
) -> Problem:
    """Entries that an object must have and has not; `names` with what they are about."""
    owner = place_name(root, path)
    kind = node.get("kind")
    if isinstance(kind, Scalar) and isinstance(kind.value, str):
        owner = f"{owner} is a `{_shown(kind.value)}` and"
    about = [f"`{name}`: {text}" for name, text in names.items() if text]
    return Problem(
        span,
        f"{owner} needs {_listed(list(names), 'and')}",
        "\n".join(about) or None,
    )


def repeated(root: DataNode, path: Path, node: Sequence) -> Problem:
    """An item of a list that is there already."""
    seen: list[tuple[Plain, Span]] = []
    for item in node.items:
        plain = to_plain(item)
        first = next((span for value, span in seen if _is_same(value, plain)), None)
        if first is not None:
            return Problem(
                item.span,
                f"{_value_words(item)} is twice in {place_name(root, path)}",
                also=((first, "first given here"),),
            )
        seen.append((plain, item.span))
    return Problem(node.span, f"{place_name(root, path)} has an item twice")


def _is_same(left: Plain, right: Plain) -> bool:
    return type(left) is type(right) and left == right


def wrong_name(key: Scalar, error: Violation) -> Problem:
    """A name that is not formed as names are in its place."""
    return _misformed(key, f"`{_shown(str(key.value))}`", error)


def wrong_value(root: DataNode, path: Path, node: DataNode, error: Violation) -> Problem:
    """A value of the wrong type, form or size."""
    name = place_name(root, path)
    message = error.message
    if message:
        return Problem(node.span, message, rank=0)
    if error.keyword == "type":
        return _wrong_type(name, node, error.wanted)
    if error.keyword == "enum" and isinstance(error.wanted, list):
        return _not_listed(name, node, error.wanted)
    if error.keyword == "pattern":
        return _misformed(node, f"{_value_words(node)} in {name}", error)
    return Problem(node.span, f"{name} {_limit_words(error, node)}", error.description)


def _wrong_type(name: str, node: DataNode, wanted: object) -> Problem:
    types = wanted if isinstance(wanted, list) else [wanted]
    words = _joined([_TYPE_WORDS.get(str(each), str(each)) for each in types], "or")
    if isinstance(node, Scalar) and node.value is None:
        span = node.span
        rest = span.source.text[span.end :].partition("\n")[0].lstrip()
        comment = "what follows `#` is a comment; put it in quotes if it is the value"
        return Problem(
            span,
            f"{name} is empty; it should be {words}",
            comment if rest.startswith("#") else _FORMS.get(str(types[0])),
            rank=0,
        )
    message = f"{name} should be {words}, not {_type_words(node)}"
    help_text, fix = _retyped(node, types)
    return Problem(node.span, message, help_text, fix, rank=0)


def _retyped(node: DataNode, types: list[object]) -> tuple[str | None, Fix | None]:
    """How a value of the wrong type can be mended."""
    form = _FORMS.get(str(types[0]))
    if not isinstance(node, Scalar):
        return form, None
    text = node.span.text
    if "string" in types and not node.quoted:
        return "put it in quotes", Fix(f'write "{text}"', (Edit(node.span, f'"{text}"'),))
    bare = str(node.value)
    is_wanted = ("integer" in types and WHOLE.fullmatch(bare)) or (
        "boolean" in types and bare in ("true", "false")
    )
    if node.quoted and is_wanted:
        return "take the quotes away", Fix(f"write `{bare}`", (Edit(node.span, bare),))
    if "array" in types and "\n" not in text:
        return form, Fix(f"write `[{text}]`", (Edit(node.span, f"[{text}]"),))
    return form, None


def _not_listed(name: str, node: DataNode, values: list[object]) -> Problem:
    """A value that is none of a closed list."""
    words = ["true" if each is True else "false" if each is False else str(each) for each in values]
    help_text = f"it can be {_listed(words, 'or')}" if len(words) <= _MOST_LISTED else None
    best = None
    if isinstance(node, Scalar):
        best = suggest(str(node.value), words)
        if best:
            help_text = did_you_mean(str(node.value), words)
    fix = Fix(f"write `{best}`", (Edit(node.span, best),)) if best else None
    return Problem(node.span, f"{name} can't be {_value_words(node)}", help_text, fix)


def _misformed(node: DataNode, what: str, error: Violation) -> Problem:
    """A text that does not have the form asked for; names are mended where it is plain how."""
    message = error.message
    if message is None:
        form = annotation(error.schema, "title")
        if error.keyword == "pattern":
            message = f"{what} is not {form}" if form else f"{what} is not written as it should be"
        else:
            message = f"{what} {_limit_words(error, node)}"
    text = to_plain(node)
    fix = None
    if isinstance(text, str) and "\n" in text and isinstance(error.wanted, str):
        line = json.dumps(" ".join(text.split()), ensure_ascii=False)
        if has_pattern(line, error.wanted):
            fix = Fix("write it on one line", (Edit(node.span, line),))
            return Problem(node.span, f"{what} is more than one line", error.description, fix)
    strangers = foreign_letters(text) if isinstance(text, str) else []
    if strangers:
        message = f"{what} has letters of another alphabet: {', '.join(strangers)}"
    elif isinstance(text, str) and isinstance(error.wanted, str):
        slug = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
        if node.span.source.text[: node.span.start].rstrip().endswith("kind:"):
            words = re.findall(r"[A-Za-z0-9]+", text)
            slug = "".join(word[:1].upper() + word[1:] for word in words)
        if slug and has_pattern(slug, error.wanted):
            fix = Fix(f"write `{slug}`", (Edit(node.span, slug),))
    return Problem(node.span, message, error.description, fix)


def _limit_words(error: Violation, node: DataNode) -> str:
    """What is wrong with a size, to follow the name of the place."""
    limit = error.wanted
    value = to_plain(node)
    shown = _shown(str(value)) if isinstance(node, Scalar) else ""
    phrases = {
        "minimum": f"is {shown}; the least is {limit}",
        "maximum": f"is {shown}; the most is {limit}",
        "exclusiveMinimum": f"is {shown}; it must be more than {limit}",
        "exclusiveMaximum": f"is {shown}; it must be less than {limit}",
        "multipleOf": f"is {shown}; it must be a multiple of {limit}",
        "const": f"should be `{str(limit).lower() if isinstance(limit, bool) else limit}`",
        "minLength": "is empty" if limit == 1 else f"is shorter than {limit} characters",
        "maxLength": f"is longer than {limit} characters",
        "minItems": "is empty" if limit == 1 else f"has fewer than {limit} items",
        "maxItems": f"has more than {limit} items",
        "minProperties": "is empty" if limit == 1 else f"has fewer than {limit} entries",
        "maxProperties": f"has more than {limit} entries",
    }
    return phrases.get(error.keyword, "does not have a form that is known here")


def _type_words(node: DataNode) -> str:
    if isinstance(node, Mapping):
        return _TYPE_WORDS["object"]
    if isinstance(node, Sequence):
        return _TYPE_WORDS["array"]
    if isinstance(node.value, str):
        return "text"
    return _value_words(node)


def _value_words(node: DataNode) -> str:
    if not isinstance(node, Scalar):
        return f"this {'list' if isinstance(node, Sequence) else 'group of entries'}"
    if node.value is None:
        return "empty"
    if isinstance(node.value, bool):
        return f"`{str(node.value).lower()}`"
    return f"`{_shown(str(node.value))}`"


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."


def _listed(words: list[str], link: str) -> str:
    return _joined([f"`{_shown(word)}`" for word in words], link)


def _joined(words: list[str], link: str) -> str:
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {link} {words[-1]}"
