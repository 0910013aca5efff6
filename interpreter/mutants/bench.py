"""Rules ready to be changed: the scenarios of a group under a changed variant, and whether one of
them notices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from dsl.check.data_rows import check_rows
from dsl.check.merged import Merged
from dsl.check.program import check_program
from dsl.core import nodes as core
from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from dsl.source import Span
from dsl.syntax import nodes as syntax
from interpreter.emit.python import print_python
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.ir.nodes import Program, Site
from interpreter.flat.lower import lower_program
from interpreter.mutants.change import Mutant
from interpreter.mutants.games import played
from interpreter.mutants.reach import mentioned
from interpreter.scenario.groups import Group, group_merged
from interpreter.scenario.results import ScenarioResult, place_of
from interpreter.scenario.run import GroupRunner, written_given
from interpreter.scenario.suite import OPTIONS
from interpreter.session.facts import gather_facts

Word = Literal["noticed", "refused", "same", "quiet"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a group says of a change: a scenario fails (`by` names it), the checker refuses it (`by`
    is the code), the program is the same, or it is another one and all scenarios pass."""

    word: Word
    by: str = ""


@dataclass(frozen=True, slots=True)
class Bench:
    """One group: its rules as they are, the program made of them, and the names of what its
    scenarios ran or speak of."""

    merged: Merged
    players: int
    text: str
    sites: Mapping[str, Site]
    names: frozenset[str]
    results: tuple[ScenarioResult, ...]
    _usual: list[str | None] = field(default_factory=list)

    @property
    def scenarios(self) -> int:
        """How many scenarios the group has."""
        return len(self.results)

    def runs(self, mutant: Mutant) -> bool:
        """Whether a scenario can come by the place of a mutant."""
        return mutant.reach is None or not mutant.reach.isdisjoint(self.names)

    def judge(self, mutant: Mutant) -> Verdict:
        """What the scenarios say of a mutant; one that fails as it is says nothing."""
        changed = mutant.apply(self.merged)
        bag = Bag()
        check_rows(changed, bag)
        program = None if bag.has_errors else check_program(changed, self.players, bag)
        if program is None:
            return self._refused(bag)
        flat = lower_program(program, OPTIONS)
        text = print_python(flat)
        # Whether one may pass is in no text: the host looks at the site.
        if text == self.text and flat.sites == self.sites:
            return Verdict("same")
        engine = PythonEngine(flat, text=text, cached=False)
        for usual, result in zip(self.results, _run(program, flat, engine), strict=True):
            if usual.passed and not result.passed:
                return Verdict("noticed", result.place)
        return Verdict("quiet")

    def plays_alike(self, mutant: Mutant) -> bool:
        """Whether a mutant leaves all as it is that players come to; scenarios may see more."""
        if not self._usual:
            self._usual.append(played(self.merged, self.players))
        return played(mutant.apply(self.merged), self.players) == self._usual[0]

    def _refused(self, bag: Bag) -> Verdict:
        """Where only what scenarios say is wrong now, it is a scenario that has noticed."""
        errors = [one for one in bag.sorted() if one.severity == "error"]
        for error in errors:
            if not any(
                _holds(scenario.span, error.span) for scenario in _scenarios_of(self.merged)
            ):
                return Verdict("refused", error.code)
        return Verdict("noticed", place_of(errors[0].span))


def make_bench(library: Library, group: Group, bag: Bag) -> Bench | None:
    """A group under the rules as they are; None, with errors in the bag, where they have
    mistakes."""
    found = group_merged(library, group, bag)
    program = None if found is None else check_program(*found, bag)
    if found is None or program is None:
        return None
    flat = lower_program(program, OPTIONS)
    text = print_python(flat)
    engine = PythonEngine(flat, text=text, cached=False)
    engine.clear_measures()
    results = tuple(_run(program, flat, engine))
    times = engine.measures()["coverage"]
    ran = (label for label, number in zip(flat.coverage, times, strict=False) if number)
    said = (mentioned(decl) for decl in _scenarios_of(found[0]))
    names = frozenset(map(_name, ran)).union(*said)
    return Bench(*found, text, flat.sites, names, results)


def _name(label: str) -> str:
    """What was counted: `trade` of `option trade@free_time`, `agree` of `answer deal.agree`."""
    return label.partition("@")[0].partition(" ")[2].rpartition(".")[2]


def _scenarios_of(merged: Merged) -> Iterator[syntax.Scenario]:
    """The scenarios of a group."""
    for ranked in merged.declarations:
        if isinstance(ranked.decl, syntax.Scenario):
            yield ranked.decl


def _run(program: core.Program, flat: Program, engine: PythonEngine) -> Iterator[ScenarioResult]:
    runner = GroupRunner(gather_facts(program), flat, engine)
    for info, scenario in zip(flat.scenarios, program.scenarios, strict=True):
        yield runner.run(info, written_given(scenario))


def _holds(whole: Span, part: Span) -> bool:
    return whole.source.name == part.source.name and whole.start <= part.start < whole.end
