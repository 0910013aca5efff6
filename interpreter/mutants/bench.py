"""Rules ready to be changed: the scenarios of a group under a changed variant, and whether one of
them notices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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
from interpreter.scenario.groups import Group, group_merged, is_in, with_scenarios
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
class Tried:
    """A scenario under the rules as they are: what became of it, and the names of what it ran or
    speaks of."""

    scenario: syntax.Scenario
    result: ScenarioResult
    names: frozenset[str]


@dataclass(frozen=True, slots=True)
class Bench:
    """One group: its rules as they are, the program made of them, and its scenarios."""

    merged: Merged
    players: int
    text: str
    sites: Mapping[str, Site]
    tried: tuple[Tried, ...]
    _usual: list[str | None] = field(default_factory=list)

    @property
    def scenarios(self) -> int:
        """How many scenarios the group has."""
        return len(self.tried)

    @property
    def results(self) -> Iterator[ScenarioResult]:
        """What became of the scenarios under the rules as they are."""
        return (each.result for each in self.tried)

    def runs(self, mutant: Mutant) -> list[Tried]:
        """The scenarios that can come by the place of a mutant."""
        reach = mutant.reach
        return [one for one in self.tried if reach is None or not reach.isdisjoint(one.names)]

    def judge(self, mutant: Mutant) -> Verdict:
        """What the scenarios say of a mutant that can come by its place (all, where none can); one
        that fails under the rules as they are says nothing."""
        tried = self.runs(mutant) or list(self.tried)
        program = self._changed(mutant, tried)
        if isinstance(program, Verdict):
            return program
        flat = lower_program(program, OPTIONS)
        text = print_python(flat)
        # Whether one may pass is in no text: the host looks at the site.
        if text == self.text and flat.sites == self.sites:
            return Verdict("same")
        engine = PythonEngine(flat, text=text, cached=False)
        usual = {_place(one.scenario.span): one.result.passed for one in tried}
        for result in _run(program, flat, engine):
            if usual[_place(result.span)] and not result.passed:
                return Verdict("noticed", result.place)
        return Verdict("same" if self._is_same(mutant) else "quiet")

    def plays_alike(self, mutant: Mutant) -> bool:
        """Whether a mutant leaves all as it is that players come to; scenarios may see more."""
        if not self._usual:
            self._usual.append(played(self.merged, self.players))
        return played(mutant.apply(self.merged), self.players) == self._usual[0]

    def _changed(self, mutant: Mutant, tried: Sequence[Tried]) -> core.Program | Verdict:
        """The changed rules with some scenarios, or what there is to say where they have mistakes:
        if only what scenarios say is wrong now, it is a scenario that has noticed."""
        scenarios = [one.scenario for one in tried]
        changed = mutant.apply(with_scenarios(self.merged, scenarios))
        bag = Bag()
        check_rows(changed, bag)
        program = None if bag.has_errors else check_program(changed, self.players, bag)
        if program is not None:
            return program
        errors = [one for one in bag.sorted() if one.severity == "error"]
        for error in errors:
            if not any(is_in(error.span, scenario) for scenario in scenarios):
                return Verdict("refused", error.code)
        return Verdict("noticed", place_of(errors[0].span))

    def _is_same(self, mutant: Mutant) -> bool:
        """Whether the program of all scenarios is the same."""
        program = self._changed(mutant, self.tried)
        if isinstance(program, Verdict):
            return False
        flat = lower_program(program, OPTIONS)
        return print_python(flat) == self.text and flat.sites == self.sites


def make_bench(library: Library, group: Group, bag: Bag) -> Bench | None:
    """A group under the rules as they are; None, with errors in the bag, where they have
    mistakes."""
    found = group_merged(library, group, bag)
    program = None if found is None else check_program(*found, bag)
    if found is None or program is None:
        return None
    merged, players = found
    flat = lower_program(program, OPTIONS)
    text = print_python(flat)
    engine = PythonEngine(flat, text=text, cached=False)
    engine.clear_measures()
    decls = {_place(ranked.decl.span): ranked.decl for ranked in merged.declarations}
    tried: list[Tried] = []
    for result in _run(program, flat, engine):
        scenario = decls[_place(result.span)]
        assert isinstance(scenario, syntax.Scenario)
        tried.append(Tried(scenario, result, mentioned(scenario) | _ran(flat, engine)))
        engine.clear_measures()
    return Bench(merged, players, text, flat.sites, tuple(tried))


def _ran(flat: Program, engine: PythonEngine) -> frozenset[str]:
    """The names of what was counted: `trade` of `option trade@free_time`, `agree` of `answer
    deal.agree`."""
    times = engine.measures()["coverage"]
    ran = (label for label, number in zip(flat.coverage, times, strict=False) if number)
    return frozenset(label.partition("@")[0].partition(" ")[2].rpartition(".")[2] for label in ran)


def _place(span: Span) -> tuple[str, int]:
    return span.source.name, span.start


def _run(program: core.Program, flat: Program, engine: PythonEngine) -> Iterator[ScenarioResult]:
    runner = GroupRunner(gather_facts(program), flat, engine)
    for info, scenario in zip(flat.scenarios, program.scenarios, strict=True):
        yield runner.run(info, written_given(scenario))
