"""Lowering: the one public way from a core program to flat core."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from dsl.core import nodes as core
from interpreter.flat.agents import strategies
from interpreter.flat.ask import heads, questions, windows
from interpreter.flat.context.env import Env
from interpreter.flat.context.frames import Frame
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.context.options import Options
from interpreter.flat.expr import exprs, knowledge, ordered, sets
from interpreter.flat.incremental.choosing import choose_kept
from interpreter.flat.instrument import measures
from interpreter.flat.instrument.coverage import Coverage
from interpreter.flat.instrument.tracing import MarkTracer
from interpreter.flat.ir import nodes as flat
from interpreter.flat.pipeline import LOWERING, Between, run_passes
from interpreter.flat.plan.faults import ENDLESS_RULES
from interpreter.flat.plan.keeping import NOTHING_KEPT, Keeping
from interpreter.flat.program import phases, scenarios, write_expansion
from interpreter.flat.program.happenings import Happenings

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


class ProgramLowering(Lowering):
    """The lowering of a program: here expressions, statements, questions and events meet."""

    def __init__(
        self, program: core.Program, options: Options, keeping: Keeping = NOTHING_KEPT
    ) -> None:
        super().__init__(program, options, keeping)
        self.happenings = Happenings(self)
        if options.trace:
            self.tracer = MarkTracer(self)
        if options.coverage:
            self.counter = Coverage()
        knowledge.declare(self)

    def expr(self, env: Env, expr: core.Expr) -> flat.Expr:
        """See `exprs`."""
        return exprs.lower(self, env, expr)

    def set_(self, env: Env, expr: core.Expr) -> flat.Expr:
        """See `sets`."""
        return sets.lower_set(self, env, expr)

    def let(self, env: Env, name: str, value: core.Expr) -> tuple[list[flat.Stmt], Env]:
        """See `heads`."""
        return heads.head_let(self, env, name, value)

    def iterate(
        self, env: Env, generator: core.Generator, visit: Callable[[Env], list[flat.Stmt]]
    ) -> list[flat.Stmt]:
        """See `ordered`."""
        return ordered.iterate(self, env, generator, visit)

    def happen(self, routine: str, args: tuple[flat.Expr, ...]) -> flat.Expr:
        """See `happenings`."""
        return self.happenings.happen(routine, args)

    def active_at(self, routine: str, position: int) -> frozenset[int] | None:
        """See `happenings`."""
        return self.happenings.active_at(routine, position)

    def question(self, frame: Frame, env: Env, stmt: core.Stmt) -> tuple[list[flat.Stmt], Env]:
        """See `questions`."""
        return questions.lower_question(self, frame, env, stmt)

    def open_window(self, env: Env, stmt: core.OpenWindow) -> list[flat.Stmt]:
        """See `windows`."""
        return windows.open_window(self, env, stmt)

    def scenario_statement(self, frame: Frame, env: Env, stmt: core.Stmt) -> list[flat.Stmt]:
        """See `scenarios`."""
        return scenarios.scenario_statement(self, frame, env, stmt)


def _lowered(program: core.Program, options: Options) -> flat.Program:
    low = ProgramLowering(program, options, _keeping_of(program, options))
    phases.declare(low)
    measures.declare(low)
    phases.add_phases(low, low.happenings)
    phases.add_watches(low)
    phases.add_results(low)
    if options.scenarios:
        scenarios.add_scenarios(low)
    strategies.add_strategies(low)
    write_expansion.settle_writes(low)
    low.counter.declare(low.out)
    low.out.streams = tuple(low.numbers.streams)
    low.out.sites = {name: low.out.sites[name] for name in _in_order(low)}
    low.out.endings = list(low.numbers.endings)
    low.out.faults = list(low.numbers.faults)
    low.out.too_deep = low.fault(ENDLESS_RULES)
    return low.out


def _keeping_of(program: core.Program, options: Options) -> Keeping:
    if "kept" in options.without:
        return NOTHING_KEPT
    return choose_kept(lambda plan: ProgramLowering(program, Options(), plan))


def _in_order(low: Lowering) -> list[str]:
    """The names of the sites that are asked, as the core has them; then what hosts are asked."""
    known = dict.fromkeys([*low.numbers.sites.values(), *low.numbers.windows.values()])
    own = [name for name in known if name in low.out.sites]
    return [*own, *(name for name in low.out.sites if name not in known)]
