"""Collects scenarios, and puts together those that need the same rules, so that each set of rules
is compiled once. Loads no engine: what only checks scenarios imports it, too."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dsl.check.merged import Merged, RankedDecl
from dsl.check.program import check_program
from dsl.check.scenarios import scenario_header
from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.find import Folder, Library, folder_at
from dsl.project.load import load_merged
from dsl.project.summary import overlay_of, report_homeless
from dsl.source import Span
from dsl.syntax import nodes as syntax
from interpreter.session.request import DEFAULT_PLAYERS


@dataclass(slots=True)
class Group:
    """Scenarios that need the same rules: of one variant with the same mods, profile, switches and
    seats.

    `laid`: those among the mods that they need not name; `is_of_mod`: they are those of a mod.
    """

    variant: str | Path
    mods: tuple[str | Path, ...]
    laid: tuple[str | Path, ...]
    seats: tuple[str, ...]
    profile: syntax.Name | None
    switches: dict[str, syntax.Expr]
    is_of_mod: bool = False
    scenarios: list[syntax.Scenario] = field(default_factory=list)


# ---------------------------------------------------------------- which scenarios


IsWanted = Callable[[syntax.Scenario], bool]


def all_wanted(_: syntax.Scenario) -> bool:
    """Every scenario."""
    return True


def scenario_groups(
    library: Library, name_or_path: str | Path, bag: Bag, is_wanted: IsWanted = all_wanted
) -> list[Group]:
    """The scenarios of a variant or a mod (see `run_scenarios`), by the rules that they need."""
    mod = _mod(library, name_or_path)
    if mod is None:
        return _grouped(library, name_or_path, (), None, bag, is_wanted)
    wanted: str | Path = mod.name if mod.name in library.mods() else mod.path
    overlay = overlay_of(library.beside(mod), mod.name)
    if not overlay.variants:
        report_homeless(library.beside(mod), mod, bag)
    mods = (*overlay.needed, wanted)
    found: list[Group] = []
    for host in overlay.variants:
        own = Bag()
        groups = _grouped(library, host, mods, mod.name, own, is_wanted)
        if overlay.is_limited:
            bag.extend(own)
        elif own.has_errors or not _fits(library, host, mods):
            continue
        found += groups
        if groups and not overlay.is_limited:
            break
    return found


def _mod(library: Library, name_or_path: str | Path) -> Folder | None:
    text = str(name_or_path)
    if isinstance(name_or_path, str) and text in library.mods() and text not in library.variants():
        return library.mods()[text]
    folder = folder_at(Path(text)) if text not in library.variants() else None
    return folder if folder is not None and folder.is_mod else None


def _fits(library: Library, host: str, mods: tuple[str | Path, ...]) -> bool:
    bag = Bag()
    merged = load_merged(library, host, mods=mods, scenarios=False, bag=bag)
    if merged is None or bag.has_errors:
        return False
    return check_program(merged, merged.min_players, bag, scenarios=False) is not None


def _grouped(
    library: Library,
    variant: str | Path,
    mods: tuple[str | Path, ...],
    layer: str | None,
    bag: Bag,
    is_wanted: IsWanted,
) -> list[Group]:
    """The scenarios of a layer (None: of the variant itself) by the rules they need."""
    merged = load_merged(library, variant, mods=mods, bag=bag)
    if merged is None:
        return []
    groups: dict[tuple[object, ...], Group] = {}
    for ranked in _scenarios(merged, layer or merged.variant):
        decl = ranked.decl
        assert isinstance(decl, syntax.Scenario)
        if not is_wanted(decl):
            continue
        header = scenario_header(decl)
        known = {str(mod) for mod in mods}
        with_mods = (*mods, *(mod for mod in header.mods if mod not in known))
        switches = {one.name.text: one.value for one in header.switches}
        key = (
            with_mods, header.seats, header.profile,
            tuple((name, value.span.text) for name, value in switches.items()),
        )  # fmt: skip
        if key not in groups:
            groups[key] = Group(
                variant, with_mods, mods, header.seats, decl.profile, switches, layer is not None
            )
        groups[key].scenarios.append(decl)
    return list(groups.values())


def _scenarios(merged: Merged, layer: str) -> Iterator[RankedDecl]:
    for ranked in merged.declarations:
        if isinstance(ranked.decl, syntax.Scenario) and ranked.layer == layer:
            yield ranked


# ---------------------------------------------------------------- one group


def check_mods(decl: syntax.Scenario, known: Collection[str], bag: Bag) -> bool:
    """Whether all mods that a scenario asks for are known; without them it can't be run."""
    unknown = [mod for mod in decl.mods if mod.text not in known]
    for mod in unknown:
        help_ = did_you_mean(mod.text, known)
        bag.error("RW1003", mod.span, f"there is no mod `{mod.text}`", help=help_)
    return not unknown


def is_in(span: Span, decl: syntax.Decl) -> bool:
    """Whether a place lies in a declaration."""
    same = span.source.name == decl.span.source.name
    return same and decl.span.start <= span.start <= decl.span.end


def group_merged(library: Library, group: Group, bag: Bag) -> tuple[Merged, int] | None:
    """The rules of a group with its scenarios and no others, and its number of players; None, with
    an error in the bag, where something is missing or wrong. Mistakes in other scenarios are not
    told."""
    own = Bag()
    merged = load_merged(
        library,
        group.variant,
        mods=group.mods,
        profile=group.profile,
        switches=group.switches,
        bag=own,
    )
    mine = set(map(_place, group.scenarios))
    others = (
        []
        if merged is None
        else [
            each.decl
            for each in merged.declarations
            if isinstance(each.decl, syntax.Scenario) and _place(each.decl) not in mine
        ]
    )
    for found in own:
        if not any(is_in(found.span, decl) for decl in others):
            bag.add(found)
    if merged is None or bag.has_errors:
        return None
    merged = with_scenarios(merged, group.scenarios)
    seats = _seats(merged, group.seats)
    players = len(group.seats) or max(merged.min_players, min(merged.max_players, DEFAULT_PLAYERS))
    return replace(merged, seats=seats), players


def with_scenarios(merged: Merged, wanted: Iterable[syntax.Decl]) -> Merged:
    """A variant with these of its scenarios alone, which may have been read for another merging."""
    places = set(map(_place, wanted))
    kept = tuple(
        ranked
        for ranked in merged.declarations
        if not isinstance(ranked.decl, syntax.Scenario) or _place(ranked.decl) in places
    )
    return replace(merged, declarations=kept)


def _place(decl: syntax.Decl) -> tuple[str, int]:
    return decl.span.source.name, decl.span.start


def _seats(merged: Merged, first: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The seats of the variant, those of the scenario in front."""
    known = dict(merged.seats)
    front = [(seat, known[seat]) for seat in first if seat in known]
    return (*front, *((seat, name) for seat, name in merged.seats if seat not in first))
