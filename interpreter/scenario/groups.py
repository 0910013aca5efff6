"""Collects scenarios, and puts together those that need the same rules, so that each set of rules
is compiled once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from dsl.check.merged import Merged, RankedDecl
from dsl.check.program import check_program
from dsl.check.scenarios import scenario_header
from dsl.core import nodes as core
from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.find import Folder, Library, folder_at
from dsl.project.load import load_merged
from dsl.project.summary import overlay_of
from dsl.source import Span
from dsl.syntax import nodes as syntax
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context import APART, Options
from interpreter.flat.coverage import never
from interpreter.flat.lower import lower_program
from interpreter.scenario.results import (
    Coverage,
    Failure,
    NeverRan,
    ScenarioReport,
    ScenarioResult,
)
from interpreter.scenario.run import GroupRunner, written_given
from interpreter.session.facts import gather_facts
from interpreter.session.request import DEFAULT_PLAYERS

OPTIONS = Options(strategies=(), coverage=True, trace=True, scenarios=True, without=APART)


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


@dataclass(slots=True)
class _Counts:
    """What has run, over all groups: names of things that can run, and how often."""

    counts: dict[str, int] = field(default_factory=dict)
    places: dict[str, NeverRan] = field(default_factory=dict)

    def coverage(self) -> Coverage:
        """What ran, and what never did."""
        times = {label: self.counts.get(label, 0) for label in self.places}
        missing = [
            replace(self.places[label], name=shown) if "@" in label else self.places[label]
            for label, shown in never(times)
        ]
        return Coverage(sum(1 for number in times.values() if number), tuple(missing))


def run_scenarios(
    library: Library,
    name_or_path: str | Path,
    bag: Bag,
    *,
    word: str | None = None,
    coverage: bool = False,
) -> ScenarioReport:
    """Runs the scenarios of a variant or a mod; those of a mod with every variant it is for.

    `word`: only those with it in their title. Mistakes in rules and scenarios are in the bag; the
    scenarios that could not be checked count as failed.
    """
    report = ScenarioReport()
    counts = _Counts()
    for group in scenario_groups(library, name_or_path, bag, word):
        report.results += _run_group(library, group, counts, bag)
    report.results.sort(key=lambda result: (result.span.source.name, result.span.start))
    if coverage:
        report.coverage = counts.coverage()
    return report


# ---------------------------------------------------------------- which scenarios


def scenario_groups(
    library: Library, name_or_path: str | Path, bag: Bag, word: str | None = None
) -> list[Group]:
    """The scenarios of a variant or a mod (see `run_scenarios`), by the rules that they need."""
    mod = _mod(library, name_or_path)
    if mod is None:
        return _grouped(library, name_or_path, (), None, bag, word)
    wanted: str | Path = mod.name if mod.name in library.mods() else mod.path
    overlay = overlay_of(library.beside(mod), mod.name)
    mods = (*overlay.needed, wanted)
    found: list[Group] = []
    for host in overlay.variants:
        own = Bag()
        groups = _grouped(library, host, mods, mod.name, own, word)
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
    word: str | None,
) -> list[Group]:
    """The scenarios of a layer (None: of the variant itself) by the rules they need."""
    merged = load_merged(library, variant, mods=mods, bag=bag)
    if merged is None:
        return []
    groups: dict[tuple[object, ...], Group] = {}
    for ranked in _scenarios(merged, layer or merged.variant):
        decl = ranked.decl
        assert isinstance(decl, syntax.Scenario)
        if word is not None and word.lower() not in decl.title.lower():
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


def _run_group(library: Library, group: Group, counts: _Counts, bag: Bag) -> list[ScenarioResult]:
    program, guilty = _checked(library, group, bag)
    failed = [_unchecked(group, decl) for decl in guilty]
    if program is None:
        return failed
    flat = lower_program(program, OPTIONS)
    engine = PythonEngine(flat, cached=False)
    runner = GroupRunner(gather_facts(program), flat, engine)
    engine.clear_measures()
    results = [
        runner.run(info, written_given(scenario))
        for info, scenario in zip(flat.scenarios, program.scenarios, strict=True)
    ]
    _count(counts, runner, program)
    return [*failed, *results]


def _checked(
    library: Library, group: Group, bag: Bag
) -> tuple[core.Program | None, list[syntax.Scenario]]:
    """The program of a group, and the scenarios that can't be run: those with mistakes of their
    own, or all, without a program, where a mistake stands elsewhere."""
    known = {*library.mods(), *map(str, group.laid)}
    if [decl for decl in group.scenarios if not check_mods(decl, known, bag)]:
        return None, group.scenarios
    own = Bag()
    program = _program(library, group, own)
    errors = [found.span for found in own if found.severity == "error"]
    if not errors:
        bag.extend(own)
        return program, []
    guilty = [decl for decl in group.scenarios if any(_is_in(span, decl) for span in errors)]
    innocent = [decl for decl in group.scenarios if decl not in guilty]
    bag.extend(own)
    if not all(any(_is_in(span, decl) for decl in guilty) for span in errors) or not innocent:
        return None, group.scenarios
    rest = replace(group, scenarios=innocent, profile=innocent[0].profile)
    program, more = _checked(library, rest, bag)
    return program, [*guilty, *more]


def check_mods(decl: syntax.Scenario, known: Collection[str], bag: Bag) -> bool:
    """Whether all mods that a scenario asks for are known; without them it can't be run."""
    unknown = [mod for mod in decl.mods if mod.text not in known]
    for mod in unknown:
        help_ = did_you_mean(mod.text, known)
        bag.error("RW1003", mod.span, f"there is no mod `{mod.text}`", help=help_)
    return not unknown


def _is_in(span: Span, decl: syntax.Decl) -> bool:
    same = span.source.name == decl.span.source.name
    return same and decl.span.start <= span.start <= decl.span.end


def _program(library: Library, group: Group, bag: Bag) -> core.Program | None:
    found = group_merged(library, group, bag)
    return None if found is None else check_program(*found, bag)


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
    wanted = {(decl.span.source.name, decl.span.start) for decl in group.scenarios}
    declarations = () if merged is None else merged.declarations
    others = [ranked.decl for ranked in declarations if not _is_wanted(ranked, wanted)]
    for found in own:
        if not any(_is_in(found.span, decl) for decl in others):
            bag.add(found)
    if merged is None or bag.has_errors:
        return None
    kept = tuple(ranked for ranked in merged.declarations if _is_wanted(ranked, wanted))
    seats = _seats(merged, group.seats)
    players = len(group.seats) or max(merged.min_players, min(merged.max_players, DEFAULT_PLAYERS))
    return replace(merged, declarations=kept, seats=seats), players


def _is_wanted(ranked: RankedDecl, wanted: Iterable[tuple[str, int]]) -> bool:
    decl = ranked.decl
    if not isinstance(decl, syntax.Scenario):
        return True
    return (decl.span.source.name, decl.span.start) in wanted


def _seats(merged: Merged, first: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The seats of the variant, those of the scenario in front."""
    known = dict(merged.seats)
    front = [(seat, known[seat]) for seat in first if seat in known]
    return (*front, *((seat, name) for seat, name in merged.seats if seat not in first))


def _unchecked(group: Group, decl: syntax.Scenario) -> ScenarioResult:
    failure = Failure("the rules or the scenario have mistakes and can't be run", is_mistake=True)
    mods = tuple(str(mod) for mod in group.mods)
    return ScenarioResult(decl.title, str(group.variant), mods, decl.span, "", failure)


# ---------------------------------------------------------------- coverage


def _count(counts: _Counts, runner: GroupRunner, program: core.Program) -> None:
    times = runner.engine.measures()["coverage"]
    for name, number in zip(runner.program.coverage, times, strict=False):
        counts.counts[name] = counts.counts.get(name, 0) + number
    for (what, name), span in runner.facts.rules.items():
        if what == "always":
            continue  # a check, which no scenario runs
        counts.places.setdefault(f"{what} {name}", NeverRan(what, name, span))
    for what, family, id_, shown in _drawn(program):
        key = f"{what} {id_}"
        counts.places.setdefault(key, NeverRan(what, shown))
        if (family, id_) in runner.met:
            counts.counts[key] = counts.counts.get(key, 0) + 1


def _drawn(program: core.Program) -> Iterator[tuple[str, str, str, str]]:
    """Things that lie in piles and that rules react to by kind: cards, that is."""
    piles = {program.kinds[zone.holds].family for zone in program.zones.values() if zone.ordered}
    reacting: set[tuple[str, int]] = set()
    for routine in program.routines.values():
        for hook in (*routine.befores, *routine.insteads, *routine.afters):
            for pattern in hook.patterns:
                kind = program.kinds[pattern.kind]
                if kind.family in piles:
                    reacting.update((kind.family, member) for member in kind.members)
    for family, member in sorted(reacting):
        id_ = program.families[family].ids[member]
        yield family.lower(), family, id_, f"{program.names[family][member]} ({id_})"
