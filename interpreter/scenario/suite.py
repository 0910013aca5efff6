"""Runs the scenarios of a variant or a mod."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from dsl.check.program import check_program
from dsl.core import nodes as core
from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from dsl.syntax import nodes as syntax
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import APART, Options
from interpreter.flat.instrument.coverage import never
from interpreter.flat.lower import lower_program
from interpreter.scenario.groups import (
    Group,
    IsWanted,
    all_wanted,
    check_mods,
    group_merged,
    is_in,
    scenario_groups,
)
from interpreter.scenario.results import (
    Coverage,
    Failure,
    NeverRan,
    ScenarioReport,
    ScenarioResult,
)
from interpreter.scenario.run import GroupRunner, written_given
from interpreter.session.facts import gather_facts

OPTIONS = Options(strategies=(), coverage=True, trace=True, scenarios=True, without=APART)


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
    is_wanted: IsWanted = all_wanted,
    coverage: bool = False,
) -> ScenarioReport:
    """Runs the scenarios of a variant or a mod; those of a mod with every variant it is for.

    `word`: only those with it in their title; `is_wanted`: only those of which it says so.
    `coverage`: also what ran, of each and of all. Mistakes in rules and scenarios are in the bag;
    the scenarios that could not be checked count as failed.
    """
    report = ScenarioReport()
    counts = _Counts()

    def is_meant(decl: syntax.Scenario) -> bool:
        return is_wanted(decl) and (word is None or word.lower() in decl.title.lower())

    for group in scenario_groups(library, name_or_path, bag, is_meant):
        report.results += _run_group(library, group, counts, bag, coverage=coverage)
    report.results.sort(key=lambda result: (result.span.source.name, result.span.start))
    if coverage:
        report.coverage = counts.coverage()
    return report


def _run_group(
    library: Library, group: Group, counts: _Counts, bag: Bag, *, coverage: bool
) -> list[ScenarioResult]:
    program, guilty = _checked(library, group, bag)
    failed = [_unchecked(group, decl) for decl in guilty]
    if program is None:
        return failed
    flat = lower_program(program, OPTIONS)
    engine = PythonEngine(flat, cached=False)
    runner = GroupRunner(gather_facts(program), flat, engine)
    engine.clear_measures()
    results: list[ScenarioResult] = []
    for info, scenario in zip(flat.scenarios, program.scenarios, strict=True):
        before = list(engine.measures()["coverage"]) if coverage else []
        result = runner.run(info, written_given(scenario))
        results.append(replace(result, ran=_ran(runner, before)) if coverage else result)
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
    guilty = [decl for decl in group.scenarios if any(is_in(span, decl) for span in errors)]
    innocent = [decl for decl in group.scenarios if decl not in guilty]
    bag.extend(own)
    if not all(any(is_in(span, decl) for decl in guilty) for span in errors) or not innocent:
        return None, group.scenarios
    rest = replace(group, scenarios=innocent, profile=innocent[0].profile)
    program, more = _checked(library, rest, bag)
    return program, [*guilty, *more]


def _program(library: Library, group: Group, bag: Bag) -> core.Program | None:
    found = group_merged(library, group, bag)
    return None if found is None else check_program(*found, bag)


def _unchecked(group: Group, decl: syntax.Scenario) -> ScenarioResult:
    failure = Failure("the rules or the scenario have mistakes and can't be run", is_mistake=True)
    mods = tuple(str(mod) for mod in group.mods)
    return ScenarioResult(decl.title, str(group.variant), mods, decl.span, "", failure)


# ---------------------------------------------------------------- coverage


def _ran(runner: GroupRunner, before: list[int]) -> frozenset[str]:
    """What has run since the counts were these: `rule toll`, `option buy`."""
    now = runner.engine.measures()["coverage"]
    names = zip(runner.program.coverage, before, now, strict=False)
    return frozenset(name.partition("@")[0] for name, was, is_ in names if is_ > was)


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
