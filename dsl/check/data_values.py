"""One value of the data against the written type of its field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from dsl.check.data_kinds import PLAYER, DataKind, DataWorld
from dsl.check.merged import Merged, Row
from dsl.data.node import DataNode, Entry, Mapping, Scalar, Sequence
from dsl.data.scalar import WHOLE
from dsl.diagnostics.record import Bag, Edit, Fix
from dsl.diagnostics.suggest import did_you_mean, suggest
from dsl.records import mutable
from dsl.source import Span
from dsl.syntax import nodes as syntax

_MOST_LISTED = 12
_MOST_SHOWN = 40


def a(word: str) -> str:
    """A kind with its article, for a message."""
    return f"{'an' if word[:1] in 'AEIOUaeiou' else 'a'} {word}"


def listed(words: Iterable[str], link: str) -> str:
    """`one`, `two` and `three`."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) < 2:
        return "".join(quoted)
    return f"{', '.join(quoted[:-1])} {link} {quoted[-1]}"


@mutable
class ValueChecker:
    """Checks values; `entities` are all that an id can stand for, with their kinds and places."""

    merged: Merged
    world: DataWorld
    bag: Bag
    entities: dict[str, list[tuple[DataKind | None, Span | None]]] = field(
        init=False, default_factory=dict
    )
    missing: set[str] = field(init=False, default_factory=set)

    def __post_init__(self) -> None:
        for rows in self.merged.sections.values():
            for row in rows:
                self.entities.setdefault(row.id, []).append((self._kind_of(row), row.id_span))
        for kind in self.world.kinds.values():
            if kind.is_thing:
                self.entities.setdefault(kind.name, []).append((kind, kind.span))
        for seat, _ in self.merged.seats:
            self.entities.setdefault(seat, []).append((self.world.kinds[PLAYER], None))

    def _kind_of(self, row: Row) -> DataKind | None:
        return self.world.kinds.get(row.kind) if row.kind else None

    def check(self, node: DataNode, type_: syntax.TypeNode, what: str) -> None:
        """Report where a value does not have its type; `what` names it in messages."""
        match type_:
            case syntax.OptionalType(inner=inner):
                if not (isinstance(node, Scalar) and node.value is None):
                    self.check(node, inner, what)
            case syntax.ListType():
                self._check_list(node, type_, what)
            case syntax.MapType():
                self._check_table(node, type_, what)
            case syntax.WordType(name="flag"):
                if not isinstance(node, Scalar) or type(node.value) is not bool:
                    self._wrong(node, what, "`true` or `false`", "boolean")
            case syntax.WordType(name="text"):
                if not isinstance(node, Scalar) or type(node.value) is not str:
                    self._wrong(node, what, "a text", "string")
            case syntax.WordType(name=name):
                if name == "money" or name in self.world.units:
                    self._check_number(node, what, None, name)
            case syntax.RangeType():
                self._check_number(node, what, self.world.values_of(type_), None)
            case syntax.ChoiceType(values=values):
                self._check_word(node, what, [value.text for value in values])
            case syntax.KindType(name=name):
                if name in self.world.choices:
                    self._check_word(node, what, self.world.choices[name])
                elif name in self.world.kinds:
                    self._check_reference(node, what, self.world.kinds[name])

    # ------------------------------------------------------------ single values

    def _check_number(
        self, node: DataNode, what: str, values: range | None, unit: str | None
    ) -> None:
        if unit:
            wanted = "an amount of money" if unit == "money" else f"a number of `{unit}`"
            wanted += ", a whole number"
        else:
            wanted = "a whole number"
            if values:
                wanted += f" from {values[0]} to {values[-1]}"
        if not isinstance(node, Scalar) or type(node.value) is not int:
            self._wrong(node, what, wanted, "integer")
            return
        number = node.value
        if unit and number < 0:
            self.bag.error("RW0426", node.span, f"{what} is {number}; the least is 0")
        elif values is not None and number not in values:
            self._out_of_range(node, number, what, values)

    def _out_of_range(self, node: Scalar, number: int, what: str, values: range) -> None:
        if not values:
            reason = "no number is allowed here"
        elif number < values[0]:
            reason = f"the least is {values[0]}"
        elif number > values[-1]:
            reason = f"the most is {values[-1]}"
        else:
            reason = f"it goes from {values[0]} to {values[-1]} in steps of {values.step}"
        self.bag.error("RW0426", node.span, f"{what} is {number}; {reason}")

    def _check_word(self, node: DataNode, what: str, words: Iterable[str]) -> None:
        words = list(words)
        if isinstance(node, Scalar) and isinstance(node.value, str):
            if node.value not in words:
                self._report_word("RW0431", node, f"{what} can't be", node.value, words)
            return
        self._wrong(node, what, listed(words, "or"), "word")

    def _report_word(
        self, code: str, node: Scalar, message: str, word: str, words: Iterable[str]
    ) -> None:
        words = list(words)
        best = suggest(word, words)
        short = listed(words, "or") if 0 < len(words) <= _MOST_LISTED else ""
        self.bag.error(
            code,
            node.span,
            f"{message} `{_shown(word)}`",
            help=did_you_mean(word, words) or (f"it can be {short}" if short else None),
            fix=Fix(f"write `{best}`", (Edit(node.span, best),)) if best else None,
        )

    def _check_reference(self, node: DataNode, what: str, kind: DataKind) -> None:
        if not isinstance(node, Scalar) or not isinstance(node.value, str):
            self._wrong(node, what, f"the id of {a(kind.name)}", "word")
            return
        if kind.has_entries and self.merged.is_complete and not any(self._ids(kind)):
            self._report_none(node, what, kind)
            return
        found = self.entities.get(node.value)
        if found is None:
            if self.merged.is_complete:
                self._report_id(node, node.value, what, kind)
            return
        if any(other is None or kind.name in other.lineage for other, _ in found):
            return
        other, place = found[0]
        assert other is not None
        but = f"but `{node.value}` is {a(other.name)}"
        if other.is_thing:
            but = f"which `{node.value}` is not"
        self.bag.error(
            "RW0430",
            node.span,
            f"{what} should be {a(kind.name)}, {but}",
            also=[(place, f"`{node.value}`")] if place else [],
            help=_among(list(self._ids(kind))),
        )

    def _report_none(self, node: Scalar, what: str, kind: DataKind) -> None:
        """One message for a section that is missing as a whole."""
        if kind.name not in self.missing:
            self.missing.add(kind.name)
            section = self.world.kinds[kind.root].section
            self.bag.error(
                "RW0429",
                node.span,
                f"{what} should be {a(kind.name)}, and there is not one in the data",
                help=f"they stand under `things`, in a section `{section}`",
            )

    def _report_id(self, node: Scalar, word: str, what: str, kind: DataKind) -> None:
        ids = list(self._ids(kind))
        copies = [each for each in ids if each.startswith(f"{word}_")]
        if f"{word}_1" in copies:
            self.bag.error(
                "RW0429",
                node.span,
                f"there are several `{word}`, and {what} is one of them",
                help=f"name one: {listed(copies[:_MOST_LISTED], 'or')}",
            )
            return
        best = suggest(word, ids)
        self.bag.error(
            "RW0429",
            node.span,
            f"there is no {kind.name} `{_shown(word)}` for {what}",
            help=did_you_mean(word, ids) or _among(ids),
            fix=Fix(f"write `{best}`", (Edit(node.span, best),)) if best else None,
        )

    def _ids(self, kind: DataKind) -> Iterator[str]:
        """The ids of a kind's entities."""
        for each, found in self.entities.items():
            if any(other is not None and kind.name in other.lineage for other, _ in found):
                yield each

    # ------------------------------------------------------------ lists and tables

    def _check_list(self, node: DataNode, type_: syntax.ListType, what: str) -> None:
        if not isinstance(node, Sequence):
            self._wrong(node, what, "a list", "array")
            return
        most = self.world.number(type_.bound)
        if most is not None and len(node.items) > most:
            extra = node.items[max(most, 0)]
            self.bag.error(
                "RW0428",
                extra.span,
                f"{what} has {len(node.items)} items; the most is {most}",
                label="one too many" if len(node.items) == most + 1 else "too many from here on",
            )
        is_set = not type_.ordered and isinstance(type_.element, syntax.KindType)
        seen: dict[str, Span] = {}
        for item in node.items:
            self.check(item, type_.element, f"an item of {what}")
            if not is_set or not isinstance(item, Scalar) or not isinstance(item.value, str):
                continue
            first = seen.setdefault(item.value, item.span)
            if first is not item.span:
                self.bag.error(
                    "RW0428",
                    item.span,
                    f"`{_shown(item.value)}` is twice in {what}",
                    also=[(first, "first given here")],
                )

    def _check_table(self, node: DataNode, type_: syntax.MapType, what: str) -> None:
        if isinstance(type_.key, syntax.RangeType):
            keys = self.world.values_of(type_.key)
            self._check_row(node, type_, what, keys)
            return
        words = self._key_words(type_.key)
        if words is None:
            return
        if not isinstance(node, Mapping):
            shown = f", for {listed(words, 'and')}" if len(words) <= _MOST_LISTED else ""
            self._wrong(node, what, f"entries with names{shown}", "object")
            return
        missing = [word for word in words if node.entry(word) is None]
        for entry in node.entries:
            if entry.name in words:
                self.check(entry.value, type_.value, f"`{entry.name}` in {what}")
            else:
                missing = self._report_key(entry, what, words, missing)
        if missing and node.is_complete:
            self.bag.error(
                "RW0427",
                node.entries[0].key.span if node.entries else node.span,
                f"{what} needs a value for {listed(missing[:_MOST_LISTED], 'and')}",
            )

    def _report_key(
        self, entry: Entry, what: str, words: list[str], missing: list[str]
    ) -> list[str]:
        best = suggest(entry.name, missing)
        self.bag.error(
            "RW0427",
            entry.key.span,
            f"{what} has no place for `{_shown(entry.name)}`",
            help=did_you_mean(entry.name, missing) or _among(words),
            fix=Fix(f"write `{best}`", (Edit(entry.key.span, best),)) if best else None,
        )
        return [word for word in missing if word != best]

    def _check_row(
        self, node: DataNode, type_: syntax.MapType, what: str, keys: range | None
    ) -> None:
        """A table by numbers is written as a list, one value for each number."""
        wanted = "a list"
        if keys:
            wanted = f"a list of {len(keys)} values, for {keys[0]} to {keys[-1]}"
        if not isinstance(node, Sequence):
            self._wrong(node, what, wanted, "array")
            return
        for item in node.items:
            self.check(item, type_.value, f"a value of {what}")
        if keys is not None and len(node.items) != len(keys):
            self.bag.error(
                "RW0427",
                node.span,
                f"{what} should be {wanted}, but has {len(node.items)}",
                also=[(type_.span, "the rules ask for it here")],
            )

    def _key_words(self, key: syntax.TypeNode) -> list[str] | None:
        match key:
            case syntax.ChoiceType(values=values):
                return [value.text for value in values]
            case syntax.WordType(name="flag"):
                return ["yes", "no"]
            case syntax.KindType(name=name):
                if name in self.world.choices:
                    return list(self.world.choices[name])
                kind = self.world.kinds.get(name)
                return list(self._ids(kind)) if kind and self.merged.is_complete else None
        return None

    # ------------------------------------------------------------ wrong types

    def _wrong(self, node: DataNode, what: str, wanted: str, form: str) -> None:
        if isinstance(node, Scalar) and node.value is None:
            self.bag.error("RW0425", node.span, f"{what} is empty; it should be {wanted}")
            return
        help_text, fix = _mended(node, form)
        self.bag.error(
            "RW0425",
            node.span,
            f"{what} should be {wanted}, not {_described(node)}",
            help=help_text,
            fix=fix,
        )


def _mended(node: DataNode, form: str) -> tuple[str | None, Fix | None]:
    """How a value of the wrong type can be given the right one."""
    if form == "array":
        return "a list is written `[one, two]`, or with `- ` before each item on its own line", None
    if form == "object":
        return "entries are written `name: value`, indented below or in `{ }`", None
    if not isinstance(node, Scalar):
        return None, None
    bare = str(node.value)
    if form == "string" and not node.quoted:
        text = node.span.text
        return "put it in quotes", Fix(f'write "{text}"', (Edit(node.span, f'"{text}"'),))
    is_wanted = (form == "integer" and WHOLE.fullmatch(bare)) or (
        form == "boolean" and bare in ("true", "false")
    )
    if node.quoted and is_wanted:
        return "take the quotes away", Fix(f"write `{bare}`", (Edit(node.span, bare),))
    return None, None


def _described(node: DataNode) -> str:
    if isinstance(node, Mapping):
        return "entries with names"
    if isinstance(node, Sequence):
        return "a list"
    if isinstance(node.value, str):
        return f'the text "{_shown(node.value)}"'
    return f"`{str(node.value).lower()}`"


def _shown(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 3] + "..."


def _among(words: list[str]) -> str | None:
    return f"it can be {listed(words, 'or')}" if 0 < len(words) <= _MOST_LISTED else None
