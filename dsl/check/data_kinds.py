"""What the declared kinds ask of the data: sections, kinds, and the fields that YAML must give.

Read from declarations before names are resolved, so it is lenient: what does not make sense is
left out here and reported where names are resolved.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field

from dsl.check.fit import kind_word
from dsl.check.merged import Merged, RankedDecl, Switching
from dsl.data.node import Scalar
from dsl.records import mutable, record
from dsl.source import NOWHERE, Span
from dsl.syntax import nodes as syntax

PLAYER = "Player"

_MOST = 2**31  # beyond this a number is no bound of anything

# What every entry may have beside the fields of its kind.
ENTRY_WORDS = ("id", "kind", "name", "text", "copies", "assumed", "remove")


@record
class DataField:
    """A field that the data give, and the kind that declares it."""

    name: str
    type: syntax.TypeNode
    span: Span
    owner: str
    doc: str

    @property
    def is_optional(self) -> bool:
        """Whether an entry may leave it out, which means none."""
        return isinstance(self.type, syntax.OptionalType)


@mutable
class DataKind:
    """A kind or a thing: its place in its family and its fields, those of its bases included."""

    name: str
    span: Span
    doc: str
    base: str | None
    plural: str | None
    is_pool: bool
    is_thing: bool
    root: str = ""
    lineage: tuple[str, ...] = ()  # itself, its base, ... its root
    data: dict[str, DataField] = field(default_factory=dict)
    state: dict[str, Span] = field(default_factory=dict)

    @property
    def section(self) -> str:
        """Where entries of the kind would stand if it is a root."""
        return self.plural or kind_word(self.name) + "s"

    @property
    def has_entries(self) -> bool:
        """Whether its entities come from entries of the data."""
        return not (self.is_pool or self.is_thing or PLAYER in self.lineage)


@record
class DataWorld:
    """All kinds by name, sections by name with their root kind, choices, units and constants."""

    kinds: dict[str, DataKind]
    sections: dict[str, DataKind]
    choices: dict[str, tuple[str, ...]]
    units: frozenset[str]
    switches: dict[str, syntax.SwitchDecl]
    constants: dict[str, int]

    def family(self, root: str) -> Iterator[DataKind]:
        """The kinds of a family that can have entries, the root first."""
        return (kind for kind in self.kinds.values() if kind.root == root and kind.has_entries)

    def lone_kind(self, section: str) -> str | None:
        """The kind of entries that don't say theirs: the root, when it has no other kinds."""
        root = self.sections.get(section)
        if root is None:
            return None
        members = list(self.family(root.name))
        return members[0].name if len(members) == 1 else None

    def number(self, expr: syntax.Expr | None) -> int | None:
        """The value of a constant expression, or None."""
        return _number(expr, self.constants)

    def values_of(self, type_: syntax.RangeType) -> range | None:
        """The numbers of a range type, or None where its ends are not constant."""
        low, high = self.number(type_.low), self.number(type_.high)
        step = 1 if type_.step is None else self.number(type_.step)
        if low is None or high is None or step is None or step < 1:
            return None
        if max(abs(low), abs(high), step) > _MOST:
            return None
        return range(low, high + 1, step)


def data_world(merged: Merged) -> DataWorld:
    """What a merged variant asks of its data."""
    return read_kinds(merged.declarations, merged.switchings)


def read_kinds(
    declarations: Iterable[RankedDecl], switchings: Iterable[Switching] = ()
) -> DataWorld:
    """What declarations ask of the data, with the switch values in force."""
    decls = [ranked.decl for ranked in declarations]
    kinds = dict(_kinds(decls))
    if PLAYER not in kinds:
        kinds[PLAYER] = DataKind(PLAYER, NOWHERE, "", None, None, False, False)
    for kind in kinds.values():
        kind.lineage = tuple(_lineage(kind, kinds))
        kind.root = kind.lineage[-1]
    _add_fields(decls, kinds)
    switches = {decl.name.text: decl for decl in decls if isinstance(decl, syntax.SwitchDecl)}
    roots = [kind for kind in kinds.values() if kind.root == kind.name and not kind.is_thing]
    sections: dict[str, DataKind] = {}
    for root in roots:
        if root.name != PLAYER:
            sections.setdefault(root.section, root)
    return DataWorld(
        kinds,
        sections,
        {
            decl.name.text: tuple(value.text for value in decl.values)
            for decl in decls
            if isinstance(decl, syntax.ChoiceDecl)
        },
        frozenset(decl.name.text for decl in decls if isinstance(decl, syntax.UnitDecl)),
        switches,
        _constants(switches, switchings),
    )


def _kinds(decls: Iterable[syntax.Decl]) -> Iterator[tuple[str, DataKind]]:
    for decl in decls:
        if not isinstance(decl, syntax.KindDecl | syntax.ThingDecl):
            continue
        plural, is_pool = None, False
        if isinstance(decl, syntax.KindDecl):
            plural = decl.plural.text if decl.plural else None
            is_pool = decl.pool is not None
        base = decl.base.text if decl.base else None
        is_thing = isinstance(decl, syntax.ThingDecl)
        name = decl.name
        yield name.text, DataKind(name.text, name.span, decl.doc, base, plural, is_pool, is_thing)


def _lineage(kind: DataKind, kinds: dict[str, DataKind]) -> Iterator[str]:
    seen: set[str] = set()
    here: DataKind | None = kind
    while here is not None and here.name not in seen:
        seen.add(here.name)
        yield here.name
        here = kinds.get(here.base) if here.base else None


def _add_fields(decls: list[syntax.Decl], kinds: dict[str, DataKind]) -> None:
    """Give each kind its own fields and those of its bases; the first of a name counts."""
    own: dict[str, list[syntax.Field]] = {name: [] for name in kinds}
    for decl in decls:
        match decl:
            case syntax.KindDecl(name=owner) | syntax.ThingDecl(name=owner):
                own[owner.text] += decl.fields
            case syntax.AddFields(owner=owner) if owner.text in own:
                own[owner.text] += decl.fields
    for kind in kinds.values():
        for member in reversed(kind.lineage):
            for each in own[member]:
                name = each.name
                if isinstance(each, syntax.StateField) and each.starts is None:
                    found = DataField(name.text, each.type, name.span, member, each.doc)
                    kind.data.setdefault(name.text, found)
                else:
                    kind.state.setdefault(name.text, name.span)


def _constants(
    switches: dict[str, syntax.SwitchDecl], switchings: Iterable[Switching]
) -> dict[str, int]:
    """The switches that are numbers, with their values in force."""
    values: dict[str, int] = {}
    for name, decl in switches.items():
        default = _number(decl.default, {})
        if default is not None:
            values[name] = default
    for setting in switchings:
        chosen = _chosen(setting)
        if setting.name in values and chosen is not None:
            values[setting.name] = chosen
    return values


def _chosen(setting: Switching) -> int | None:
    value = setting.value
    if isinstance(value, str):
        return int(value) if value.isascii() and value.isdigit() and len(value) < 11 else None
    if isinstance(value, Scalar):
        return value.value if type(value.value) is int else None
    return _number(value, {}) if syntax.is_expr(value) else None


def _number(expr: syntax.Expr | None, constants: dict[str, int]) -> int | None:
    match expr:
        case syntax.Number(value=value):
            return value
        case syntax.NameExpr(name=name):
            return constants.get(name)
        case syntax.Unary(op="-", operand=operand):
            inner = _number(operand, constants)
            return None if inner is None else -inner
        case syntax.Binary(op="+" | "-" | "*" as op, left=left, right=right):
            one, other = _number(left, constants), _number(right, constants)
            if one is None or other is None:
                return None
            return one + other if op == "+" else one - other if op == "-" else one * other
    return None
