"""The entries of the data against the kinds of the rules: every field and every reference."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from dsl.check.data_kinds import (
    ENTRY_WORDS,
    PLAYER,
    DataField,
    DataKind,
    DataWorld,
    data_world,
)
from dsl.check.data_values import ValueChecker, a, listed
from dsl.check.merged import Merged, Row
from dsl.diagnostics.record import Bag, Edit, Fix
from dsl.diagnostics.suggest import did_you_mean, suggest
from dsl.records import mutable
from dsl.source import Span

_MOST_LISTED = 12
_MOST_PLACES = 3


def check_rows(merged: Merged, bag: Bag) -> None:
    """Report what in the data does not fit the kinds that the rules declare."""
    world = data_world(merged)
    _check_declarations(world, bag)
    _check_ids(merged, world, bag)
    checker = _RowChecker(merged, world, bag, ValueChecker(merged, world, bag))
    for section, rows in merged.sections.items():
        root = world.sections.get(section)
        if root is None or not any(world.family(root.name)):
            if merged.is_complete:
                _report_section(section, merged.section_places.get(section), rows, world, bag)
            continue
        for row in rows:
            checker.check(row, section, root)


def _report_section(
    section: str, place: Span | None, rows: tuple[Row, ...], world: DataWorld, bag: Bag
) -> None:
    if place is None:
        if not rows:
            return
        place = rows[0].id_span
    player = world.kinds[PLAYER].lineage
    names = {
        name: None
        for name, root in world.sections.items()
        if any(world.family(root.name)) and root.name not in player
    }
    kind = world.sections.get(section)
    best = suggest(section, names)
    if kind is not None:
        message = f"no entry of the data can be a `{kind.name}`, so there is no section `{section}`"
    else:
        message = f"no kind has its entries in a section `{section}`"
    bag.error(
        "RW0420",
        place,
        message,
        help=did_you_mean(section, names) or _known("the sections are", names),
        fix=Fix(f"write `{best}`", (Edit(place, best),)) if best else None,
    )


def _known(words: str, names: Iterable[str]) -> str | None:
    names = list(names)
    if not names or len(names) > _MOST_LISTED:
        return None
    return f"{words} {listed(names, 'and')}"


def _check_declarations(world: DataWorld, bag: Bag) -> None:
    """Fields of the data that an entry could not tell from what each entry has."""
    for kind in world.kinds.values():
        for each in kind.data.values():
            if each.owner != kind.name:
                continue
            if each.name in ENTRY_WORDS:
                bag.error(
                    "RW0433",
                    each.span,
                    f"every entry of the data has its own `{each.name}`; it can't be a field too",
                    help="give the field another name",
                )


def _check_ids(merged: Merged, world: DataWorld, bag: Bag) -> None:
    """An id is the name of one entity only."""
    first: dict[str, tuple[Span, str]] = {
        kind.name: (kind.span, "the thing of that name")
        for kind in world.kinds.values()
        if kind.is_thing
    }
    reported: set[tuple[str, int]] = set()
    for section, rows in merged.sections.items():
        for row in rows:
            place, label = first.setdefault(row.id, (row.id_span, f"in `{section}` first"))
            here = (row.id_span.source.name, row.id_span.start)
            if place is row.id_span or here in reported:
                continue
            reported.add(here)
            bag.error(
                "RW0432",
                row.id_span,
                f"`{row.id}` is the id of something else already",
                label=f"again in `{section}`",
                also=[(place, label)],
                help="give one of them another id",
            )


@mutable
class _RowChecker:
    merged: Merged
    world: DataWorld
    bag: Bag
    values: ValueChecker
    # Copies of one entry share their fields; they are checked once.
    seen: set[tuple[str, int]] = field(default_factory=set)

    def check(self, row: Row, section: str, root: DataKind) -> None:
        """Report what is wrong with an entry."""
        place = (row.span.source.name, row.span.start)
        if place in self.seen:
            return
        self.seen.add(place)
        kind = self._kind(row, section, root)
        if kind is None:
            return
        unknown = [name for name in row.fields if name not in kind.data]
        meant = {self._report_unknown(row, kind, name) for name in unknown}
        missing = [
            each
            for each in kind.data.values()
            if not (each.is_optional or each.name in row.fields or each.name in meant)
            and each.name not in ENTRY_WORDS
        ]
        if missing and row.is_complete:
            self._report_missing(row, section, kind, missing)
        for name, node in row.fields.items():
            if name in kind.data:
                self.values.check(node, kind.data[name].type, f"`{name}` of `{row.id}`")

    def _kind(self, row: Row, section: str, root: DataKind) -> DataKind | None:
        """The kind of an entry, or None after an error."""
        family = {kind.name: None for kind in self.world.family(root.name)}
        if row.kind is None:
            if row.is_complete:
                self.bag.error(
                    "RW0422",
                    row.id_span,
                    f"`{row.id}` does not say its kind",
                    help=self._near_id(row, section) or _known("it can be", family),
                )
            return None
        kind = self.world.kinds.get(row.kind)
        if kind is not None and kind.name in family:
            return kind
        place = row.keys.get("kind", row.id_span)
        if kind is None and not self.merged.is_complete:
            return None
        if kind is None:
            best = suggest(row.kind, family)
            self.bag.error(
                "RW0421",
                place,
                f"there is no kind `{row.kind}`",
                help=did_you_mean(row.kind, family)
                or _known(f"entries of `{section}` can be", family),
                fix=Fix(f"write `{best}`", (Edit(place, best),)) if best else None,
            )
            return None
        home = self.world.kinds[kind.root].section
        if PLAYER in kind.lineage:
            why, way_out = "players come from the seats", "name the players in `seats`"
        elif kind.is_pool:
            why, way_out = f"{a(kind.name)} is only made in play", None
        else:
            why = f"{a(kind.name)} is not one of the `{section}`"
            way_out = f"entries of that kind stand in `{home}`"
        self.bag.error(
            "RW0421",
            place,
            why,
            also=[(kind.span, "the kind is declared here")],
            help=way_out,
        )
        return None

    def _near_id(self, row: Row, section: str) -> str | None:
        """An entry without its kind may have been meant to change one of a parent's."""
        if not (self.merged.parents or self.merged.mods):
            return None
        others = {
            other.id: None
            for other in self.merged.sections[section]
            if other.span.source is not row.span.source
        }
        best = suggest(row.id, others)
        return f"a new entry needs a kind; or did you mean `{best}`?" if best else None

    def _report_unknown(self, row: Row, kind: DataKind, name: str) -> str | None:
        """The field that was probably meant."""
        place = row.keys.get(name, row.id_span)
        if name in kind.state:
            self.bag.error(
                "RW0423",
                place,
                f"`{name}` of {a(kind.name)} belongs to the play; the data can't give it",
                also=[(kind.state[name], "declared here, with what it starts with")],
                help="take it out here, or leave out its start in the rules to make it data",
            )
            return None
        if not self.merged.is_complete:
            return None
        free = [each for each in kind.data if each not in row.fields]
        best = suggest(name, free)
        owner = next((k for k in self.world.family(kind.root) if name in k.data), None)
        help_text = did_you_mean(name, free)
        if help_text is None and owner is not None:
            help_text = f"{a(owner.name)} has it"
        self.bag.error(
            "RW0423",
            place,
            f"{a(kind.name)} has no field `{name}`",
            help=help_text or _known("its fields are", kind.data) or "it has no fields of its own",
            fix=Fix(f"write `{best}`", (Edit(place, best),)) if best else None,
        )
        return best

    def _report_missing(
        self, row: Row, section: str, kind: DataKind, missing: list[DataField]
    ) -> None:
        names = listed([each.name for each in missing], "and")
        about = [f"`{each.name}`: {each.doc.splitlines()[0]}" for each in missing if each.doc]
        self.bag.error(
            "RW0424",
            row.id_span,
            f"`{row.id}` is {a(kind.name)} and needs {names}",
            also=[(each.span, "declared here") for each in missing[:_MOST_PLACES]],
            notes=about,
            help=self._near_id(row, section),
        )
