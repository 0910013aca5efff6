"""Lowering: the one public way from a core program to flat core."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from dsl.core import nodes as core
from interpreter.flat import (
    coverage,
    exprs,
    heads,
    luck,
    marks,
    measures,
    ordered,
    phases,
    questions,
    scenarios,
    sets,
    settle,
    strategies,
    windows,
)
from interpreter.flat import nodes as flat
from interpreter.flat.choosing import choose_kept
from interpreter.flat.context import Lowering, Options
from interpreter.flat.core_tree import walk
from interpreter.flat.faults import ENDLESS_RULES
from interpreter.flat.happenings import Happenings
from interpreter.flat.keeping import NOTHING_KEPT
from interpreter.flat.pipeline import LOWERING, Between, run_passes

DEEPEST = 20_000
"""Calls inside each other in Python, while a program is lowered."""


def lower_program(
    program: core.Program,
    options: Options = Options(),  # noqa: B008
    *,
    after: str | None = None,
    between: Between | None = None,
) -> flat.Program:
    """The flat core of a checked program. Cannot fail: what could be wrong was found by the
    checker. `after`, `between`: see `run_passes`; with `after="lowering"` there is no pass.
    """
    with _deep_enough():
        lowered = _lowered(program, options)
        if after != LOWERING:
            run_passes(lowered, options.left_out, after=after, between=between)
        return lowered


@contextmanager
def _deep_enough() -> Iterator[None]:
    """Lowering goes down into what is called: a hundred routines (what the checker allows), each
    with its call in the innermost of twenty blocks."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEPEST))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def _lowered(program: core.Program, options: Options) -> flat.Program:
    trial = Lowering(program, Options())
    _wire(trial, Happenings(trial))
    keeping = NOTHING_KEPT if "kept" in options.without else choose_kept(trial)
    low = Lowering(program, options, keeping)
    happenings = Happenings(low)
    _wire(low, happenings)
    low.has_waiting_watches = any(not watch.ends for watch in program.watches)
    for node in (node for root in _bodies(program) for node in walk(root)):
        if isinstance(node, core.Reveal):
            low.knowledge(node.column)  # known to every move, also to those lowered before it
    phases.declare(low)
    measures.declare(low)
    phases.add_phases(low, happenings)
    phases.add_watches(low)
    phases.add_results(low)
    if options.scenarios:
        scenarios.add_scenarios(low)
    strategies.add_strategies(low)
    settle.settle_writes(low)
    coverage.declare(low)
    low.out.streams = tuple(low.numbers.streams)
    low.out.sites = {name: low.out.sites[name] for name in _in_order(low)}
    low.out.endings = list(low.numbers.endings)
    low.out.faults = list(low.numbers.faults)
    low.out.too_deep = low.fault(ENDLESS_RULES)
    return low.out


def _in_order(low: Lowering) -> list[str]:
    """The names of the sites that are asked, as the core has them; then what hosts are asked."""
    known = dict.fromkeys([*low.numbers.sites.values(), *low.numbers.windows.values()])
    own = [name for name in known if name in low.out.sites]
    return [*own, *(name for name in low.out.sites if name not in known)]


def _wire(low: Lowering, happenings: Happenings) -> None:
    """Expressions, statements, questions and events contain each other; modules don't: they meet
    here.
    """
    low.expr = lambda env, expr: exprs.lower(low, env, expr)
    low.set_ = lambda env, expr: sets.lower_set(low, env, expr)
    low.let = lambda env, name, value: heads.head_let(low, env, name, value)
    low.iterate = lambda env, generator, visit: ordered.iterate(low, env, generator, visit)
    low.happen = happenings.happen
    low.active_at = happenings.active_at
    low.question = lambda frame, env, stmt: questions.lower_question(low, frame, env, stmt)
    low.open_window = lambda env, stmt: windows.open_window(low, env, stmt)
    low.scenario_statement = lambda frame, env, stmt: scenarios.scenario_statement(
        low, frame, env, stmt
    )
    low.first_legal = lambda site: strategies.first_legal(low, site)
    low.member_at = lambda bits: luck.member_at(low, bits)
    low.trace = lambda env, stmt: marks.trace(low, env, stmt)
    low.trace_step = lambda frame, stmt: marks.trace_step(low, frame, stmt)
    low.trace_fault = lambda words: marks.trace_fault(low, words)
    low.trace_rule = lambda env, hook: marks.trace_rule(low, env, hook)
    low.trace_watch = lambda watch: marks.trace_watch(low, watch)
    low.trace_option = lambda env, option: marks.trace_option(low, env, option)
    low.trace_answer = lambda env, stmt, answer: marks.trace_answer(low, env, stmt, answer)
    low.trace_pick = lambda env, stmt: marks.trace_pick(low, env, stmt)
    low.cover = lambda what: coverage.cover(low, what)


def _bodies(program: core.Program) -> list[object]:
    roots: list[object] = []
    for routine in program.routines.values():
        roots += [*routine.body, *routine.befores, *routine.insteads, *routine.afters]
    for phase in program.phases.values():
        roots += [*phase.body, *phase.then, *phase.befores, *phase.afters]
    for watch in program.watches:
        roots += watch.body
    for option in program.options.values():
        roots += option.body
    for scenario in program.scenarios:
        for step in scenario.steps:
            roots += [*step.given, *(step.act or ())]
    return roots
