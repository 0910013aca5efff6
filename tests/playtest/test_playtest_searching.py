"""Playtests with bots that search: the same games as sessions play, however they are shared out."""

from __future__ import annotations

import io
import multiprocessing
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor

import pytest

from interpreter import api
from interpreter.engine.native_engine import NATIVE
from interpreter.engine.python_engine import PythonEngine
from interpreter.playtest.conduct import Conductor, Plan, WrongPlan
from interpreter.playtest.machine import make_ready
from interpreter.playtest.printing import print_machine
from interpreter.playtest.report import as_json
from interpreter.playtest.rows import RowWriter
from interpreter.playtest.runner import InlineExecutor
from interpreter.playtest.searching import play_searching
from interpreter.search.bots import make_bot
from interpreter.session.compile import CompiledGame

Make = Callable[..., Conductor]
BOTS = ["mc:1", "walker", "ismcts:6"]
GAMES = 6


def played(conductor: Conductor, executor: Executor) -> tuple[dict[str, object], str]:
    """The report of a run, without how fast it was, and its rows."""
    file = io.StringIO()
    seats = conductor.setting.seats
    rows = RowWriter(
        file, seats, BOTS, conductor.endings, seed=conductor.setting.seed, has_scores=True
    )
    report = as_json(conductor.conduct(executor=executor, on_batch=rows.write), [])
    del report["speed"]
    return report, file.getvalue()


@pytest.fixture(scope="module")
def reference(race: CompiledGame) -> tuple[dict[str, object], str]:
    """A run in this thread."""
    plan = Plan(GAMES, BOTS, seed=4, workers=1)
    return played(Conductor(race, plan, print_machine), InlineExecutor())


def test_one_of_them_makes_it_the_python_engine(race: CompiledGame, conductor: Make) -> None:
    made = conductor(race, bots=BOTS)
    assert made.engine == "python"
    assert made.setting.searching == ("mc:1", "ismcts:6")
    assert conductor(race, bots=["walker"]).setting.searching == ()


def test_workers_change_nothing(
    race: CompiledGame, conductor: Make, reference: tuple[dict[str, object], str]
) -> None:
    new = multiprocessing.get_context("spawn")
    for executor, workers in (
        (ThreadPoolExecutor(2), 2),
        (ProcessPoolExecutor(1), 1),
        (ProcessPoolExecutor(3, mp_context=new), 3),
    ):
        with executor:
            made = conductor(race, games=GAMES, bots=BOTS, seed=4, workers=workers)
            assert played(made, executor) == reference


def test_what_is_not_cached_is_sent_to_workers(conductor: Make) -> None:
    variant = api.load_variant("bid", players=2, cached=False)
    found = []
    for workers in (1, 2):
        with ProcessPoolExecutor(workers) as executor:
            made = conductor(variant.compiled, games=3, bots=["mc:1", "random"], workers=workers)
            found.append(played(made, executor))
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("name", "players", "games"),
    [("deal", 2, 3), ("card_game", 3, 1), ("bid", 3, 2), ("jackpot", 2, 2)],
)
def test_games_are_those_of_sessions(name: str, players: int, games: int) -> None:
    """The engine of the playtest comes to the same end, to the bit, as the session did."""
    variant = api.load_variant(name, players=players)
    strategy = variant.strategies[0]
    bots = ["mc:1", *[strategy] * (players - 1)]
    ready = make_ready(variant.compiled, "python", print_machine, is_searched=True)
    code = ready.machine.parts.printed.code
    assert isinstance(code, str)
    engine = PythonEngine(ready.program, text=code)
    for number in range(games):
        seats: list[api.Seat] = [make_bot("mc:1"), *bots[1:]]
        turn = number % players
        session = variant.new_game(seed=3, game=number, seats=[*seats[turn:], *seats[:turn]])
        assert session.is_over
        limit = variant.compiled.program.phase_limit
        result = play_searching(variant.compiled, engine, [number], bots, seed=3, phase_limit=limit)
        assert engine.digest() == session.digest()
        assert list(result.scores) == list(session.scores.values())
        assert result.scalars["phases"][0] == session.phases


def test_plans_that_cannot_be(race: CompiledGame, conductor: Make) -> None:
    for name in ("ismcts:0", "ismcts:x", "mc:", "mc:-1", "mc:1:1"):
        with pytest.raises(WrongPlan, match=f"no bot `{name}`.*walker, .*ismcts:N, mc:N"):
            conductor(race, bots=[name])
    with pytest.raises(WrongPlan, match="did you mean `ismcts`"):
        conductor(race, bots=["ismct:20"])
    with pytest.raises(WrongPlan, match=r"there are .*walker, .*ismcts:N, mc:N"):
        conductor(race, bots=["nobody"])
    if NATIVE:
        with pytest.raises(WrongPlan, match="mc:1 is played by the Python engine"):
            conductor(race, bots=["mc:1"], engine="native")
