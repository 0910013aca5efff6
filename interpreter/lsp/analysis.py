"""What is known of the variant or mod to which an open file belongs: checked anew with each change.

The quick check looks at the rules, the data and the scenarios of the file that is being edited, for
the most players. What else `rulewright check` finds follows when nobody types.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dsl.check.data_rows import check_rows
from dsl.check.merged import Merged
from dsl.check.notes import Meaning, Notes, entity_key, noting
from dsl.check.program import check_program
from dsl.check.scenarios import scenario_header
from dsl.check.uses import Uses, find_uses
from dsl.check.words import Word, list_words
from dsl.data.node import Mapping, Scalar, Sequence
from dsl.diagnostics import Bag, Diagnostic
from dsl.project.allowing import Allowing
from dsl.project.defaults import read_defaults, settled
from dsl.project.files import read_data
from dsl.project.find import Folder, Library, shown
from dsl.project.load import load_merged
from dsl.project.summary import overlay_of
from dsl.syntax import nodes as syntax
from interpreter.bundled import variants_dir
from interpreter.scenario.groups import is_in, with_scenarios


@dataclass
class Analysis:
    """What a quick check has found. `edited`: the name of the source whose scenarios it read."""

    folder: Folder
    edited: str
    notes: Notes
    merged: Merged | None = None
    diagnostics: list[Diagnostic] = field(default_factory=list)

    @cached_property
    def words(self) -> tuple[Word, ...]:
        """All that the variant declares."""
        return list_words(self.merged) if self.merged is not None else ()

    @cached_property
    def uses(self) -> Uses:
        """Which declaration each word means."""
        uses = find_uses(self.notes)
        _add_seats(self, uses)
        return uses


def library_around(folder: Folder) -> Library:
    """The variants that come along, and what lies beside a folder."""
    return Library([variants_dir()]).beside(folder)


def laid(folder: Folder, library: Library) -> tuple[str | Path, tuple[str | Path, ...]]:
    """The variant to be checked, and the mods over it; a mod is checked with the first variant that
    it fits."""
    if not folder.is_mod:
        return folder.path, ()
    overlay = overlay_of(library, folder.name)
    host = overlay.variants[0] if overlay.variants else folder.name
    return host, (*overlay.needed, folder.path)


def analyse(
    folder: Folder,
    path: Path,
    *,
    wanted: str | None = None,
    scenarios: bool = False,
    is_stopped: Callable[[], bool] | None = None,
) -> Analysis:
    """Checks what a file belongs to. `wanted`: a word at whose place the scope is noted;
    `scenarios`: those of all files are looked at, for who wants to know of every use. Raises
    StoppedError when it is not to go on."""
    library = library_around(folder)
    variant, mods = laid(folder, library)
    bag = Bag()
    notes = Notes(wanted)
    found = Analysis(folder, shown(path), notes)
    merged = load_merged(library, variant, mods=mods, bag=bag)
    if merged is not None:
        found.merged = merged
        mine = [
            ranked.decl
            for ranked in merged.declarations
            if isinstance(ranked.decl, syntax.Scenario)
            and (scenarios or ranked.decl.span.source.name == found.edited)
        ]
        check_rows(merged, bag)
        own = Bag()
        own.extend(bag)
        check_program(
            with_scenarios(merged, mine),
            merged.max_players,
            own,
            checker=noting(notes, is_stopped),
        )
        strange = [decl for decl in mine if _is_strange(decl, folder)]
        bag.extend(each for each in own if not any(is_in(each.span, decl) for decl in strange))
    defaults = read_defaults(folder, bag)
    found.diagnostics = settled(bag, defaults, Allowing()).sorted()
    return found


def _is_strange(decl: syntax.Scenario, folder: Folder) -> bool:
    """Whether a scenario is to be checked in a game of its own: the whole check does that."""
    header = scenario_header(decl)
    mods = set(header.mods) - {folder.name}
    return bool(decl.profile or header.switches or mods)


def _add_seats(analysis: Analysis, uses: Uses) -> None:
    """The ids of the seats are declared in the data, which the checker knows without places."""
    world = analysis.notes.world
    read = read_data(analysis.folder.file, Bag(), is_outer=True)
    data = read[1] if read is not None else None
    seats = data.get("seats") if isinstance(data, Mapping) else None
    for item in seats.items if isinstance(seats, Sequence) else ():
        id_ = item.get("id") if isinstance(item, Mapping) else None
        if world is not None and isinstance(id_, Scalar) and isinstance(id_.value, str):
            meaning = Meaning("entity", entity_key(world, "Player", id_.value))
            uses.add(id_.span, meaning, is_declared=True)
