"""Everything that is declared, by name: what the passes of the checker fill and look up."""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import field
from typing import Literal

from dsl.check.evaluate import NotConstant, Value
from dsl.check.merged import Merged, RankedDecl
from dsl.core import nodes as core
from dsl.core.types import RefType, SetType, Type
from dsl.records import mutable, record
from dsl.source import Span
from dsl.syntax import nodes as syntax


@mutable
class KindInfo:
    """A kind or a thing. A thing is a kind with one entity, named as the thing is."""

    name: str
    base: str | None
    is_thing: bool
    pool: syntax.Expr | None
    plural: str
    doc: str
    layer: str
    span: Span
    fields: list[tuple[syntax.Field, str]] = field(default_factory=list)
    family: str = ""
    members: tuple[int, ...] = ()


@mutable
class ColumnInfo:
    """A field that holds a value, or how many of a unit. Sub-kinds may give other starts."""

    name: str
    field: str
    kind: str
    type: Type
    role: Literal["data", "state", "purse"]
    seen_by: core.Visibility
    doc: str
    span: Span
    starts: dict[str, syntax.Expr | None]  # by kind
    endless: set[str]  # kinds
    bounds: dict[str, int]  # of a purse, by kind
    is_shown: bool = False
    set_by: tuple[str, ...] = ()  # what alone sets it, by its word; anything where nothing is said


@mutable
class ZoneInfo:
    """A field that holds things."""

    name: str
    field: str
    kind: str
    holds: str
    back: str | None
    ordered: bool
    fanned: bool
    bound: int
    seen_by: core.Visibility
    count_hidden: bool
    doc: str
    span: Span
    starts: dict[str, syntax.Expr | None]
    is_shown: bool = True

    @property
    def holder(self) -> RefType:
        """The type of who holds it."""
        return RefType(self.kind)


@record
class BackInfo:
    """The `as` name of a zone: in whose zone a thing lies."""

    zone: ZoneInfo


Member = ColumnInfo | ZoneInfo | BackInfo


@mutable
class VariantInfo:
    """A define for one subject: what is written, and what becomes of it."""

    kind: str | None
    decl: syntax.Define | None  # None: the value of a field
    member: Member | None
    layer: str
    rank: int
    params: list[tuple[str, str, Type]]  # written name, name in the core, type
    exceptions: list[tuple[RankedDecl, syntax.ExceptionDecl]] = field(default_factory=list)
    checked: core.DefineVariant | None = None


@mutable
class DefineInfo:
    """All defines of one name whose subjects are related, narrowest first."""

    name: str
    word: str
    subject: Literal["none", "kind", "list"]
    type: Type
    params: list[Type]  # without the subject
    variants: list[VariantInfo]
    doc: str
    span: Span
    subject_type: SetType | None = None

    @property
    def is_list(self) -> bool:
        """Whether the subject is a list."""
        return self.subject == "list"


@mutable
class RoutineInfo:
    """The head of a routine or an event."""

    name: str
    verb: str
    has_object: bool
    prepositions: tuple[str, ...]
    params: list[tuple[str, Type]]
    gives: Type | None
    decl: syntax.Routine | syntax.EventDecl
    ranked: RankedDecl


@mutable
class WindowInfo:
    """The head of a window."""

    name: str
    prepositions: tuple[str | None, ...]
    params: list[tuple[str, Type]]
    decl: syntax.Window
    ranked: RankedDecl
    options: list[str] = field(default_factory=list)


@mutable
class OptionInfo:
    """The head of an option; `names` are its head's written names, once it is checked, and `at`
    is how it is in each window."""

    name: str
    decl: syntax.Option
    ranked: RankedDecl
    windows: list[str]
    at: dict[str, core.Option] = field(default_factory=dict)
    core: core.Option | None = None
    names: dict[str, tuple[str, Type]] = field(default_factory=dict)


@mutable
class AnswerInfo:
    """A named answer at a site and the names of its head."""

    head: tuple[core.HeadItem, ...]
    names: dict[str, tuple[str, Type]]


@mutable
class SiteInfo:
    """A site, its names as they are written, and what can be answered there."""

    site: core.Site
    names: dict[str, tuple[str, Type]]
    answers: dict[str, AnswerInfo] = field(default_factory=dict)
    pick: core.HeadPick | None = None


@mutable
class SwitchInfo:
    """A switch; `value` once it is known."""

    name: str
    decl: syntax.SwitchDecl
    layer: str
    type: Type | None = None
    value: core.Expr | None = None
    is_busy: bool = False


# Begins what is asked for when the lines of a define are looked up before play.
DEFINE = "define "


@mutable
class World:
    """All tables."""

    merged: Merged
    players: int
    kinds: dict[str, KindInfo] = field(default_factory=dict)
    families: dict[str, core.Family] = field(default_factory=dict)
    entities: dict[str, list[tuple[str, int]]] = field(default_factory=dict)  # id -> kind, index
    entity_names: dict[str, list[str]] = field(default_factory=dict)  # family -> shown names
    entity_texts: dict[str, list[str | None]] = field(default_factory=dict)  # family -> `text`
    choices: dict[str, tuple[str, ...]] = field(default_factory=dict)
    units: dict[str, syntax.UnitDecl | None] = field(default_factory=dict)
    switches: dict[str, SwitchInfo] = field(default_factory=dict)
    columns: dict[str, ColumnInfo] = field(default_factory=dict)
    cells: int = 0  # values of all columns and their entities
    zones: dict[str, ZoneInfo] = field(default_factory=dict)
    members: dict[str, dict[str, Member]] = field(default_factory=dict)  # kind -> name -> member
    defines: dict[str, DefineInfo] = field(default_factory=dict)
    defines_by_word: dict[str, list[DefineInfo]] = field(default_factory=dict)
    routines: dict[str, RoutineInfo] = field(default_factory=dict)
    verbs: dict[str, list[RoutineInfo]] = field(default_factory=dict)
    phases: dict[str, RankedDecl] = field(default_factory=dict)
    windows: dict[str, WindowInfo] = field(default_factory=dict)
    options: dict[str, OptionInfo] = field(default_factory=dict)
    sayings: dict[str, list[syntax.Saying]] = field(default_factory=dict)
    forbids: dict[tuple[str, str], list[tuple[RankedDecl, syntax.Forbid]]] = field(
        default_factory=dict
    )
    used_forbids: set[int] = field(default_factory=set)
    sites: dict[str, SiteInfo] = field(default_factory=dict)
    texts: MutableMapping[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)  # a kind in lower case -> the kind
    values: dict[str, tuple[Value, ...]] = field(default_factory=dict)  # of data columns
    checked: dict[str, core.Define] = field(default_factory=dict)
    asked: set[str] = field(default_factory=set)  # switches and defines whose value was asked for

    def chain(self, kind: str) -> list[str]:
        """The kind, its base, and so on up to the root."""
        found: list[str] = []
        here: str | None = kind
        while here is not None and here in self.kinds and here not in found:
            found.append(here)
            here = self.kinds[here].base
        return found

    def is_a(self, kind: str, base: str) -> bool:
        """Whether every entity of the kind is one of the base."""
        return base in self.chain(kind)

    def are_related(self, one: str, other: str) -> bool:
        """Whether an entity may be of both kinds."""
        return self.is_a(one, other) or self.is_a(other, one)

    def join(self, one: str, other: str) -> str | None:
        """The narrowest kind that both are, or None when they have no root in common."""
        return next((kind for kind in self.chain(one) if self.is_a(other, kind)), None)

    def family(self, kind: str) -> core.Family:
        """The family of a kind."""
        return self.families[self.kinds[kind].family]

    def is_pool(self, kind: str) -> bool:
        """Whether the entities of the kind are taken and given back in play."""
        info = self.kinds.get(kind)
        return info is not None and self.kinds[self.chain(kind)[-1]].pool is not None

    def member(self, kind: str, name: str) -> Member | None:
        """The field, zone or back name of a kind, the narrowest first."""
        for step in self.chain(kind):
            found = self.members.get(step, {}).get(name)
            if found is not None:
                return found
        for column in self.columns.values():
            if column.role == "purse" and column.field == name and self.has(kind, column):
                return column
        return None

    def has(self, kind: str, column: ColumnInfo) -> bool:
        """Whether every entity of the kind has the field."""
        if any(self.is_a(kind, owner) for owner in column.starts):
            return True
        members = self.kinds[kind].members
        covered = {m for owner in column.starts for m in self.kinds[owner].members}
        return (
            bool(members)
            and self.kinds[kind].family == self.kinds[column.kind].family
            and (covered.issuperset(members))
        )

    def define(self, kind: str, name: str) -> DefineInfo | None:
        """The define that gives `name` of every entity of the kind."""
        chain = self.chain(kind)
        for info in self.defines_by_word.get(name, ()):
            if info.subject == "kind" and any(v.kind in chain for v in info.variants):
                return info
        return None

    def member_names(self, kind: str) -> list[str]:
        """All that can be read of an entity of the kind, narrowest first."""
        chain = self.chain(kind)
        names = [name for step in chain for name in self.members.get(step, {})]
        for word, infos in self.defines_by_word.items():
            if any(v.kind in chain for info in infos for v in info.variants):
                names.append(word)
        return names

    def holders_of(self, name: str) -> list[str]:
        """The kinds that have a field, zone, back name or define of this name."""
        kinds = [kind for kind, members in self.members.items() if name in members]
        for info in self.defines_by_word.get(name, ()):
            kinds += [variant.kind for variant in info.variants if variant.kind is not None]
        return list(dict.fromkeys(kinds))

    # -- what is known before play (evaluate.Known)

    def printed_on(self, kind: str, index: int) -> tuple[str, str | None]:
        """The name and the text of an entity."""
        family = self.kinds[kind].family
        return self.entity_names[family][index], self.entity_texts[family][index]

    def members_of(self, kind: str) -> tuple[int, ...]:
        """The entities of a kind."""
        info = self.kinds.get(kind)
        if info is None or self.is_pool(kind):
            raise NotConstant
        return info.members

    def data_of(self, column: str) -> tuple[Value, ...] | None:
        """A data column's values."""
        return self.values.get(column)

    def lines_of(self, define: str) -> core.Define | None:
        """A define that has been checked."""
        self.asked.add(DEFINE + define)
        return self.checked.get(define)
