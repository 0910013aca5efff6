"""Conducts a whole playtest: from a variant and a plan to the report, on any executor."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import BrokenExecutor, Executor
from contextlib import ExitStack
from dataclasses import dataclass

from dsl.diagnostics.suggest import did_you_mean
from interpreter.engine.batch import BatchResult
from interpreter.engine.native_engine import NATIVE
from interpreter.engine.seeding import check_game
from interpreter.flat.ir.nodes import RANDOM
from interpreter.playtest.ends import Endings, Stopped, endings_of
from interpreter.playtest.machine import EngineName, Printer, Wanted, make_ready
from interpreter.playtest.report import Report, Setting, Speed, make_report
from interpreter.playtest.runner import Run, default_workers, make_executor, never, play
from interpreter.playtest.tally import Tally
from interpreter.search.names import FORMS, KINDS, is_search_bot, parse_bot
from interpreter.session.compile import CompiledGame

WORKER_LOST = "a worker was ended from outside, or by too little memory"


class WrongPlan(ValueError):
    """A plan that can't be carried out; the message says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played.

    `bots`: strategies of the variant, `random`, or search bots (`ismcts:200`); None: all strategies
    of the variant. Who plays where, `interpreter.engine.seating` says. `engine` None: native,
    where it can run and no search bot plays. `workers` None: as many as there are processors.
    `profile` and `chosen`: how the variant was asked for, for the report.
    """

    games: int = 1_000
    bots: Sequence[str] | None = None
    seed: int = 0
    engine: EngineName | None = None
    workers: int | None = None
    profile: str | None = None
    chosen: tuple[tuple[str, str], ...] = ()
    version: str = ""


class Conductor:
    """A plan that is ready to be played. Raises WrongPlan where it can't be."""

    def __init__(self, game: CompiledGame, plan: Plan, printer: Printer) -> None:
        _check_plan(plan)
        self.game = game
        self.plan = plan
        searching = _searching(game, plan.bots)
        is_native = NATIVE and not searching
        self.engine: EngineName = plan.engine or ("native" if is_native else "python")
        if searching and self.engine == "native":
            raise WrongPlan(f"A table with {searching[0]} is played by the Python engine.")
        self.workers = plan.workers or default_workers()
        bots = _bots(game.facts.strategies, plan.bots)
        self.ready = make_ready(
            game, self.engine, printer, _wanted(game, bots, searching), is_searched=bool(searching)
        )
        self.setting = _setting(game, plan, bots, searching)
        self.endings: Endings = endings_of(self.ready.program, game.program, game.facts.always)

    @property
    def has_scores(self) -> bool:
        """Whether games have scores."""
        return "score" in self.ready.program.functions

    def conduct(
        self,
        *,
        executor: Executor | None = None,
        on_batch: Callable[[BatchResult], None] | None = None,
        should_stop: Callable[[], bool] = never,
    ) -> Report:
        """Plays the games and reports.

        `executor`: any of `concurrent.futures`, or one that works like them; it is not shut down.
        `on_batch` gets the results as they come, in the order of the games. Once `should_stop` says
        so, or a worker is lost, the report is about what has been played.
        """
        run = Run(
            self.ready.machine,
            self.setting.bots,
            self.plan.games,
            self.plan.seed,
            self.game.program.phase_limit,
            is_searched=bool(self.setting.searching),
        )
        tally = Tally(self.setting.players, self.setting.bots)
        start = time.perf_counter()
        cut = None
        with ExitStack() as stack:
            if executor is None:
                executor = stack.enter_context(make_executor(self.engine, self.workers))
            try:
                for result in play(run, executor, workers=self.workers, should_stop=should_stop):
                    tally.add(result)
                    if on_batch is not None:
                        on_batch(result)
            except BrokenExecutor:
                cut = WORKER_LOST
        speed = _speed(self.engine, self.workers, time.perf_counter() - start, tally)
        stopped = self._stopped(tally, should_stop)
        return make_report(
            self.setting, tally, self.ready, self.game.facts, self.endings, speed, stopped, cut
        )

    def _stopped(
        self, tally: Tally, should_stop: Callable[[], bool]
    ) -> dict[tuple[int, int], tuple[Stopped, ...]]:
        """Where games were stopped that no rule ended, and how to get there."""
        if not tally.examples:
            return {}
        from interpreter.playtest.stopped import look_at

        most = 1 if self.setting.searching else None
        examples = {reason: games[:most] for reason, games in tally.examples.items()}
        bots, seed = self.setting.bots, self.setting.seed
        return look_at(self.game, examples, bots, seed, self.endings, should_stop)


def _check_plan(plan: Plan) -> None:
    for name, value in (("games", plan.games), ("workers", plan.workers), ("seed", plan.seed)):
        whole = isinstance(value, int) and not isinstance(value, bool)
        if not whole and not (name == "workers" and value is None):
            raise WrongPlan(f"{name} is a whole number, not {value!r}.")
    if plan.games < 1:
        raise WrongPlan("At least one game has to be played.")
    try:
        check_game(plan.seed, plan.games - 1)
    except ValueError as error:
        raise WrongPlan(str(error)) from None
    if plan.workers is not None and plan.workers < 1:
        raise WrongPlan("At least one worker has to play.")
    if plan.engine not in (None, "native", "python"):
        raise WrongPlan(f"There is no engine {plan.engine!r}; there are native and python.")
    if plan.engine == "native" and not NATIVE:
        raise WrongPlan("The native engine needs the package wasmtime.")
    if isinstance(plan.bots, str):
        raise WrongPlan(f'bots is a list of names: ["{plan.bots}"].')
    if plan.bots is not None and not any(plan.bots):
        raise WrongPlan("At least one bot has to be named.")


def _searching(game: CompiledGame, wanted: Sequence[str] | None) -> tuple[str, ...]:
    """The search bots among those who are to play; a strategy may have such a name as well."""
    named = [each for each in wanted or () if is_search_bot(each)]
    known = game.facts.strategies
    return tuple(dict.fromkeys(each for each in named if each not in known))


def _wanted(game: CompiledGame, bots: tuple[str, ...], searching: tuple[str, ...]) -> Wanted:
    """The strategies to print: those that sit at the table. Search bots try others too."""
    return None if searching else tuple(one for one in game.facts.strategies if one in bots)


def _bots(known: Sequence[str], wanted: Sequence[str] | None) -> tuple[str, ...]:
    """Who plays."""
    names = list(wanted) if wanted is not None else [each for each in known if each != RANDOM]
    names = names or [RANDOM]
    for each in names:
        if each not in known:
            _check_search_bot(each, known)
    return tuple(names)


def _check_search_bot(name: str, strategies: Sequence[str]) -> None:
    everybody = ", ".join((*strategies, *FORMS))
    if not is_search_bot(name):
        near = did_you_mean(name.partition(":")[0], (*strategies, *KINDS))
        raise WrongPlan(f"There is no bot `{name}`; {near or f'there are {everybody}'}")
    try:
        parse_bot(name)
    except ValueError as error:
        raise WrongPlan(f"{error} There are {everybody}.") from None


def _setting(
    game: CompiledGame, plan: Plan, bots: tuple[str, ...], searching: tuple[str, ...]
) -> Setting:
    program = game.program
    player = program.kinds[program.player_kind]
    ids = program.families[player.family].ids
    return Setting(
        variant=program.variant,
        title=program.title,
        mods=program.mods,
        profile=plan.profile,
        chosen=plan.chosen,
        switches=program.switches,
        players=program.players,
        seats=tuple(ids[member] for member in player.members),
        bots=bots,
        seed=plan.seed,
        asked=plan.games,
        rules=program.digest,
        version=plan.version,
        searching=searching,
    )


def _speed(engine: str, workers: int, seconds: float, tally: Tally) -> Speed:
    decisions = sum(length * games for length, games in tally.decisions.items())
    per = 1 / seconds if seconds > 0 else 0.0
    return Speed(engine, workers, seconds, tally.games * per, decisions * per)
