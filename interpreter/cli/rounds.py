"""What `rulewright watch` does after each change, and what is different since the last time.

Nothing is printed here. The playtest is played in a process of its own meanwhile.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field

from dsl.check.merged import Merged
from dsl.check.scenarios import scenario_header
from dsl.diagnostics import Bag, Diagnostic
from dsl.project.summary import overlay_of
from dsl.syntax import nodes as syntax
from interpreter.cli.check import check_one
from interpreter.cli.checking import Target, targets
from interpreter.cli.defaults import defaults_of
from interpreter.cli.games import request_of
from interpreter.cli.options import Wish
from interpreter.cli.playtest import print_one_machine
from interpreter.cli.test import scenarios_of
from interpreter.playtest.conduct import Conductor, Plan
from interpreter.playtest.remarks import remarks
from interpreter.playtest.report import Report
from interpreter.scenario.results import ScenarioResult
from interpreter.scenario.suite import run_scenarios
from interpreter.scenario.touching import at_once, touched
from interpreter.session.compile import load_compiled

GAMES = 100

AT_ONCE = 12
"""Scenarios of one game that are run at once."""

BUDGET = 0.4
"""Seconds after which no more scenarios are begun at once; the others come when nobody saves."""


@dataclass(frozen=True, slots=True)
class Played:
    """A quick playtest in a few figures, by what they are called; and what there is to look at."""

    figures: dict[str, str]
    remarks: tuple[str, ...]
    seconds: float


@dataclass(slots=True)
class Look:
    """What one round has found. `fresh` and `gone`: findings that are new, and those that are no
    more; `broken` and `mended`: scenarios; `waiting`: how many of them are still to be run;
    `played` None where mistakes left nothing to play."""

    findings: list[Diagnostic] = field(default_factory=list)
    fresh: list[Diagnostic] = field(default_factory=list)
    gone: list[Diagnostic] = field(default_factory=list)
    has_errors: bool = False
    results: list[ScenarioResult] = field(default_factory=list)
    failing: list[ScenarioResult] = field(default_factory=list)
    waiting: int = 0
    broken: list[ScenarioResult] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    played: Played | None = None
    changed: dict[str, tuple[str, str]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)


class Rounds:
    """Looks at a variant or mod again and again, and remembers what was so before."""

    def __init__(self, word: str, games: int, processes: Executor | None) -> None:
        self.word = word
        self.games = games
        self._processes = processes
        self._merged: Merged | None = None
        self._findings: dict[tuple[str, ...], Diagnostic] = {}
        self._failing: dict[str, ScenarioResult] = {}
        self._ran: dict[str, frozenset[str]] = {}
        self._waiting: list[set[str]] = []  # titles of scenarios that need the same rules
        self._played: Played | None = None

    def look(self) -> Look:
        """One round: check, touched scenarios, playtest."""
        found = Look()
        (target,) = targets((self.word,))
        playing = self._begin_playtest(target)
        start = time.perf_counter()
        bag = Bag()
        checked = check_one(target, Wish(target.name), bag)
        self._compare_findings(found, bag.sorted())
        found.seconds["check"] = time.perf_counter() - start
        if found.has_errors:
            return found
        self._choose(checked[0].merged if checked else None)
        self._run_waiting(found, target, BUDGET)
        self._compare_playtest(found, playing)
        return found

    @property
    def is_waiting(self) -> bool:
        """Whether there are scenarios that are still to be run."""
        return bool(self._waiting)

    def go_on(self) -> Look:
        """Runs scenarios that are still to be run, those that need the same rules."""
        found = Look()
        (target,) = targets((self.word,))
        self._run_waiting(found, target, 0)
        return found

    def _compare_findings(self, found: Look, now: list[Diagnostic]) -> None:
        named = {_name(each): each for each in now}
        found.findings = now
        found.has_errors = any(each.severity == "error" for each in now)
        found.fresh = [each for name, each in named.items() if name not in self._findings]
        found.gone = [each for name, each in self._findings.items() if name not in named]
        self._findings = named

    # ------------------------------------------------------------ scenarios

    def _choose(self, merged: Merged | None) -> None:
        """Which scenarios are to be run: what the change can have touched, what was still waiting,
        and what failed. First come those that speak of it."""
        if merged is None:
            return
        decls = [ranked.decl for ranked in merged.declarations]
        scenarios = [decl for decl in decls if isinstance(decl, syntax.Scenario)]
        wanted, first = {decl.title for decl in scenarios}, set()
        if self._merged is not None:
            waiting = set().union(*self._waiting, self._failing)
            wanted &= touched(self._merged, merged, self._ran) | waiting
            first = at_once(self._merged, merged)
        batches: dict[object, set[str]] = {}
        for decl in scenarios:
            if decl.title in wanted:
                batches.setdefault(_rules_of(decl), set()).add(decl.title)
        known = {decl.title for decl in scenarios}
        self._failing = {title: each for title, each in self._failing.items() if title in known}
        self._waiting = _in_order(batches.values(), first)
        self._merged = merged

    def _run_waiting(self, found: Look, target: Target, budget: float) -> None:
        """Runs scenarios as long as there is time, at least those of one game."""
        start = time.perf_counter()
        while self._waiting:
            titles = self._waiting.pop(0)
            self._run(found, target, titles)
            if time.perf_counter() - start > budget:
                break
        found.failing = list(self._failing.values())
        found.waiting = sum(map(len, self._waiting))
        found.seconds["scenarios"] = time.perf_counter() - start

    def _run(self, found: Look, target: Target, titles: set[str]) -> None:
        report = run_scenarios(
            target.library,
            scenarios_of(target),
            Bag(),
            is_wanted=lambda decl: decl.title in titles,
            coverage=True,
        )
        found.results += report.results
        for result in report.results:
            self._ran[result.title] = result.ran
            before = self._failing.pop(result.title, None)
            if not result.passed:
                self._failing[result.title] = result
                found.broken += [result] if before is None else []
            elif before is not None:
                found.mended.append(result.title)

    # ------------------------------------------------------------ playtest

    def _begin_playtest(self, target: Target) -> Future[Played | None] | None:
        if self._processes is None or not self.games:
            return None
        return self._processes.submit(quick_playtest, self.word, self.games)

    def _compare_playtest(self, found: Look, playing: Future[Played | None] | None) -> None:
        if playing is None:
            return
        played = playing.result()
        if played is None:
            return
        found.played = played
        found.seconds["playtest"] = played.seconds
        before = self._played.figures if self._played is not None else {}
        for name in dict.fromkeys((*before, *played.figures)):
            was, now = before.get(name, "none"), played.figures.get(name, "none")
            if before and was != now:
                found.changed[name] = (was, now)
        self._played = played


def _name(found: Diagnostic) -> tuple[str, ...]:
    """What a finding is, wherever it has moved to in its file."""
    return found.code, found.span.source.name, found.message, found.span.text


def _in_order(batches: Iterable[set[str]], first: set[str]) -> list[set[str]]:
    """Those first that have most of what comes first; and of them at once no more than can be run
    in a moment."""
    ordered = sorted(batches, key=lambda titles: -len(titles & first))
    if ordered and len(ordered[0]) > AT_ONCE:
        urgent = sorted(ordered[0], key=lambda title: (title not in first, title))
        ordered[:1] = [set(urgent[:AT_ONCE]), set(urgent[AT_ONCE:])]
    return ordered


def _rules_of(decl: syntax.Scenario) -> object:
    """What a scenario needs: those that need the same are run in one game."""
    header = scenario_header(decl)
    switches = tuple((each.name.text, each.value.span.text) for each in header.switches)
    return header.mods, header.seats, header.profile, switches


# ---------------------------------------------------------------- in the other process


def quick_playtest(word: str, games: int) -> Played | None:
    """Plays some games of what a word names, as its defaults say; a mod with the first variant that
    it fits. None where there is nothing to play: the check says why."""
    start = time.perf_counter()
    (target,) = targets((word,))
    defaults = defaults_of(word, target.library)
    name, mods = _game_of(target)
    wish = Wish(name, (*mods, *defaults.mods), players=defaults.players)
    game = load_compiled(request_of(wish), Bag(), flavour=None)
    if game is None:
        return None
    plan = Plan(games, list(defaults.bots) or None, defaults.seed or 0, workers=1)
    report = Conductor(game, plan, print_one_machine).conduct()
    return Played(figures_of(report), tuple(remarks(report)), time.perf_counter() - start)


def _game_of(target: Target) -> tuple[str, tuple[str, ...]]:
    if target.mod is None:
        return target.name, ()
    overlay = overlay_of(target.library, target.mod.name)
    host = overlay.variants[0] if overlay.variants else target.name
    return host, (*overlay.needed, str(target.mod.path.absolute()))


def figures_of(report: Report) -> dict[str, str]:
    """The figures that tell one state of the rules from another."""
    found: dict[str, str] = {}
    if report.turns is not None:
        found["turns"] = f"{report.turns.lasting.mean:.1f}"
    if report.decisions is not None:
        found["decisions"] = f"{report.decisions.mean:.1f}"
    for end in report.ends:
        found[f"ended by {end.reason}"] = _percent(end.share)
    rows: Iterable[tuple[str, float]] = ()
    if report.won.by_bot is not None:
        rows = ((row.name, row.share.share) for row in report.won.by_bot.rows)
    for name, share in rows:
        found[f"{name} wins"] = _percent(share)
    return found


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
