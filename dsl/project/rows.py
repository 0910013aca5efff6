"""The things of all layers as one list of rows per section: entries merged by id, copies made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from dsl.check.data_kinds import ENTRY_WORDS, DataWorld
from dsl.check.merged import Row
from dsl.data.node import DataNode, Mapping, Scalar, Sequence
from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.parts import Part, TextLine, text_node
from dsl.records import mutable
from dsl.source import Span

# All entities of a game together; a misplaced `copies` must not fill the memory.
MOST_THINGS = 4_096

Assumption = tuple[str, str, Span]


@mutable
class _Draft:
    """An entity as the layers so far describe it."""

    section: str
    id: str
    id_span: Span
    span: Span
    kind: Scalar | None = None
    name: str | None = None
    text: str | None = None
    copies: Scalar | None = None
    forms: dict[str, str] = field(default_factory=dict)
    fields: dict[str, DataNode] = field(default_factory=dict)
    keys: dict[str, Span] = field(default_factory=dict)
    assumed: dict[str, Span] = field(default_factory=dict)
    is_complete: bool = True


@mutable
class Things:
    """Takes the layers one after another, the root first; then `rows` gives the result."""

    bag: Bag
    sections: dict[str, dict[str, _Draft]] = field(default_factory=dict)
    places: dict[str, Span] = field(default_factory=dict)
    known: set[tuple[str, str]] = field(default_factory=set)

    def lay(self, part: Part) -> None:
        """Lay the things of a variant or a mod over what is there, and its texts over both."""
        for section in part.entries("things"):
            self.places.setdefault(section.name, section.key.span)
            drafts = self.sections.setdefault(section.name, {})
            items = section.value.items if isinstance(section.value, Sequence) else ()
            here: dict[str, Span] = {}
            for item in items:
                if isinstance(item, Mapping):
                    self._lay_entry(section.name, drafts, item, here)
        self.translate(part.texts)

    def translate(self, texts: dict[str, TextLine]) -> None:
        """Use the texts that are about things."""
        forms = {"class", *(key.split(".")[1] for key in texts if key.startswith("form."))}
        for key, line in texts.items():
            first, *rest = key.split(".")
            if first == "thing":
                self._translate(rest, line, forms)

    def _lay_entry(
        self, section: str, drafts: dict[str, _Draft], item: Mapping, here: dict[str, Span]
    ) -> None:
        id_node = text_node(item.get("id"))
        if id_node is None:
            return
        name = str(id_node.value)
        first = here.setdefault(name, id_node.span)
        if first is not id_node.span:
            self.bag.error(
                "RW0432",
                id_node.span,
                f"`{name}` stands twice in `{section}`",
                label="again here",
                also=[(first, "first here")],
                help="give one of them another id, or use `copies`",
            )
            return
        if item.entry("remove") is not None:
            self._remove(section, drafts, name, id_node.span, item)
            return
        draft = drafts.get(name)
        if draft is None:
            draft = drafts[name] = _Draft(section, name, id_node.span, item.span)
            self.known.add((section, name))
        _change(draft, item, id_node.span)

    def _remove(
        self, section: str, drafts: dict[str, _Draft], name: str, span: Span, item: Mapping
    ) -> None:
        removal = item.entry("remove")
        assert removal is not None
        is_true = isinstance(removal.value, Scalar) and removal.value.value is True
        others = [entry for entry in item.entries if entry.name not in ("id", "remove")]
        if not is_true or others:
            self.bag.error(
                "RW0811",
                others[0].key.span if is_true else removal.value.span,
                f"`{name}` is taken out here, so nothing else can be said of it"
                if is_true
                else "`remove` can only be `true`",
                help=f"write `{{id: {name}, remove: true}}`, or leave `remove` out",
            )
            return
        if drafts.pop(name, None) is None:
            self.bag.error(
                "RW0810",
                span,
                f"there is no `{name}` in `{section}` to take out",
                help=did_you_mean(name, drafts),
            )

    def _translate(self, rest: list[str], line: TextLine, forms: set[str]) -> None:
        if len(rest) == 3 and rest[2] in {"name", "text", *forms}:
            section, name, what = rest
            draft = self.sections.get(section, {}).get(name)
            if draft is not None:
                if what == "name":
                    draft.name, draft.forms = line.text, {}
                elif what == "text":
                    draft.text = line.text
                else:
                    draft.forms[what] = line.text
            elif (section, name) not in self.known:
                self._warn_lost(section, name, line)
            return
        self.bag.warning(
            "RW1018",
            line.span,
            f"no text has the key `{'.'.join(['thing', *rest])}`",
            help="texts of things have keys such as `thing.spaces.go.name`, or `.text` at the end",
        )

    def _warn_lost(self, section: str, name: str, line: TextLine) -> None:
        if section in self.sections:
            help_text = did_you_mean(name, self.sections[section])
            what = f"there is no `{name}` in `{section}`"
        else:
            help_text = did_you_mean(section, self.sections)
            what = f"there is no section `{section}`"
        self.bag.warning("RW1018", line.span, f"{what} for this text", help=help_text)

    def rows(self, world: DataWorld) -> dict[str, tuple[Row, ...]]:
        """The sections, copies made; entries without a kind have the only kind there is."""
        left = MOST_THINGS
        done: dict[str, tuple[Row, ...]] = {}
        for section, drafts in self.sections.items():
            lone = world.lone_kind(section)
            rows: list[Row] = []
            for draft in drafts.values():
                wanted = _copies(draft) or 1
                if wanted > left:
                    self.bag.error(
                        "RW0434",
                        draft.copies.span if draft.copies else draft.id_span,
                        f"with this, the game has more than {MOST_THINGS:,} things",
                        help="a game with fewer copies is large enough",
                    )
                    return done | {section: tuple(rows)}
                left -= wanted
                rows += _rows(draft, lone)
            done[section] = tuple(rows)
        return done

    def forms(self) -> dict[str, dict[str, str]]:
        """The forms that names give themselves, by name."""
        drafts = [draft for each in self.sections.values() for draft in each.values()]
        return {draft.name: draft.forms for draft in drafts if draft.name and draft.forms}

    def assumptions(self) -> Iterator[Assumption]:
        """What entries say of themselves that no source gives."""
        for section, drafts in self.sections.items():
            for draft in drafts.values():
                if not draft.assumed:
                    continue
                name = draft.name or _name_of(draft.id)
                span = next(iter(draft.assumed.values()))
                fields = ", ".join(each for each in draft.assumed if each != "*")
                what = f"{name} ({section})" + ("" if "*" in draft.assumed else f": {fields}")
                yield what, "", span


def _change(draft: _Draft, item: Mapping, id_span: Span) -> None:
    """Let an entry's fields take the place of earlier ones; another kind begins anew."""
    draft.is_complete = draft.is_complete and item.is_complete
    kind = text_node(item.get("kind"))
    if kind is not None:
        if draft.kind is not None and draft.kind.value != kind.value:
            draft.fields, draft.keys, draft.assumed = {}, {}, {}
        draft.kind, draft.span, draft.id_span = kind, item.span, id_span
        draft.keys["kind"] = kind.span
    for entry in item.entries:
        name, node = entry.name, entry.value
        draft.assumed.pop(name, None)
        if name in ("id", "assumed"):
            continue
        text = text_node(node)
        if name == "name":
            draft.name = str(text.value) if text else draft.name
        elif name == "text":
            draft.text = str(text.value) if text else draft.text
        elif name == "copies":
            draft.copies = node if isinstance(node, Scalar) else draft.copies
        elif name not in ENTRY_WORDS:
            draft.fields[name] = node
            draft.keys[name] = entry.key.span
    assumed = item.entry("assumed")
    if assumed is None:
        return
    if isinstance(assumed.value, Sequence):
        for field_node in assumed.value.items:
            field_name = text_node(field_node)
            if field_name is not None:
                draft.assumed[str(field_name.value)] = field_name.span
    elif isinstance(assumed.value, Scalar) and assumed.value.value is True:
        draft.assumed["*"] = assumed.key.span


def _copies(draft: _Draft) -> int | None:
    """How many there are, or None for one without a number."""
    value = draft.copies.value if draft.copies else None
    return value if type(value) is int and value > 0 else None


def _rows(draft: _Draft, lone: str | None) -> Iterator[Row]:
    copies = _copies(draft)
    ids = [draft.id] if copies is None else [f"{draft.id}_{n}" for n in range(1, copies + 1)]
    kind = str(draft.kind.value) if draft.kind else lone
    name = draft.name if draft.name is not None else _name_of(draft.id)
    for each in ids:
        yield Row(
            id=each,
            id_span=draft.id_span,
            kind=kind,
            fields=draft.fields,
            name=name,
            text=draft.text,
            span=draft.span,
            keys=draft.keys,
            is_complete=draft.is_complete,
        )


def _name_of(id_: str) -> str:
    """A name for what has none: its id as words."""
    return id_.replace("_", " ").capitalize()
