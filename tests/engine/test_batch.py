"""Batches: the same games whoever plays them, however they are cut."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from flat_programs import INT, binary, column, function, num, phase, program, scalar, site, var

from interpreter.emit.ends import BROKEN
from interpreter.emit.layout import BATCH_GAMES
from interpreter.emit.random_words import GOLDEN
from interpreter.engine.batch import BatchResult, merge_results, play_batch
from interpreter.engine.native_engine import NativeEngine, NativeError
from interpreter.engine.python_engine import PythonEngine
from interpreter.engine.seeding import bot_key, game_seed, mix, stream_word
from interpreter.flat.ir import nodes as n


def race() -> n.Program:
    """Players throw in turn, each as far as his strategy lets him; 30 wins, 37 breaks the rules."""
    made = program(
        function(
            "bold_go",
            [("seat", INT)],
            n.Give(binary("+", n.BotDraw(var("seat"), num(3)), num(5))),
            gives=INT,
        ),
        function("shy_go", [("seat", INT)], n.Give(num(4)), gives=INT),
        function("score", [("p", INT)], n.Give(n.Cell("way", var("p"))), gives=INT),
        function("winners", (), n.Give(n.Scalar("won", n.Set(2))), gives=n.Set(2)),
        function("check_always", (), n.Give(binary("==", n.Scalar("phases"), num(9))), gives=INT),
    )
    scalar(made, "won", 0, n.Set(2))
    column(made, "way", [0, 0])
    column(made, "bot_count", [0, 0])
    column(made, "thrown", [0] * 8, role="measure")
    made.streams = ("dice",)
    site(made, "go", {"bold": "bold_go", "shy": "shy_go"})
    p, d = var("p"), var("d")
    phase(
        made,
        n.SetScalar("phases", binary("+", n.Scalar("phases"), num(1))),
        n.ForRange(
            "p",
            num(0),
            num(1),
            num(1),
            (
                n.SetScalar("questions", binary("+", n.Scalar("questions"), num(1))),
                n.SetVar("d", n.Draw(0, n.AskSeat("go", p, ()))),
                n.AddCell("thrown", d, num(1)),
                n.AddCell("way", p, d),
                n.If(
                    binary(">=", n.Cell("way", p), num(30)),
                    (n.SetScalar("won", n.Single(p, 2), n.Set(2)), n.Exit(num(1))),
                ),
                n.If(
                    binary("==", n.Cell("way", p), num(17)),
                    (n.SetScalar("fault", num(3)), n.Exit(num(2))),
                ),
            ),
        ),
    )
    return made


@pytest.fixture(scope="module")
def python() -> PythonEngine:
    return PythonEngine(race(), cached=False)


@pytest.fixture(scope="module")
def native() -> NativeEngine:
    return NativeEngine(race(), cached=False)


@pytest.mark.parametrize("reseat", [False, True])
@pytest.mark.parametrize("checks", [False, True])
@pytest.mark.parametrize("limit", [3, 1000])
def test_engines_agree(
    python: PythonEngine, native: NativeEngine, reseat: bool, checks: bool, limit: int
) -> None:
    seats = ["bold", "shy"]
    options = {
        "seed": 1 << 63 | 5,
        "phase_limit": limit,
        "reseat": reseat,
        "checks": checks,
        "digests": True,
    }
    one = play_batch(python, 3, 90, seats, **options)  # type: ignore[arg-type]
    other = native.play_batch(3, 90, seats, **options)  # type: ignore[arg-type]
    assert one == other
    assert one.games == 90
    assert len(one.scores) == 180
    assert set(one.ends) == ({0} if limit == 3 else {1, 2, BROKEN} if checks else {1, 2})
    assert len(set(one.digests)) > 60


def test_what_is_recorded(python: PythonEngine) -> None:
    result = play_batch(python, 0, 40, ["bold", "shy"])
    assert set(result.scalars) == {"phases", "questions", "fault"}
    assert not result.digests
    assert sum(result.measures["thrown"]) == sum(result.scalars["questions"])
    for game, end in enumerate(result.ends):
        scores = result.scores[2 * game : 2 * game + 2]
        if end == 1:
            assert max(scores) >= 30
            assert result.winners[game] == 1 << scores.index(max(scores))
        else:
            assert (result.scalars["fault"][game], result.winners[game], *scores) == (3, 0, 0, 0)


def test_batches_can_be_cut_anywhere(native: NativeEngine) -> None:
    seats = ["bold", "shy"]
    games = BATCH_GAMES + 76
    whole = native.play_batch(0, games, seats, reseat=True, digests=True)
    cuts = [(0, 1), (1, 500), (501, games - 501)]
    parts = [native.play_batch(at, size, seats, reseat=True, digests=True) for at, size in cuts]
    assert merge_results(reversed(parts)) == whole


def test_merge_refuses_gaps_and_overlaps(native: NativeEngine) -> None:
    seats = ["bold", "shy"]
    parts: list[BatchResult] = [native.play_batch(at, 5, seats) for at in (0, 4, 6)]
    with pytest.raises(ValueError, match="5"):
        merge_results([parts[0], parts[2]])
    with pytest.raises(ValueError, match="twice"):
        merge_results(parts[:2])
    with pytest.raises(ValueError, match="no batch"):
        merge_results([])


def test_threads_have_games_of_their_own(native: NativeEngine) -> None:
    seats = ["bold", "shy"]
    alone = [native.play_batch(at, 50, seats, digests=True) for at in range(0, 400, 50)]
    with ThreadPoolExecutor(4) as pool:
        together = list(
            pool.map(lambda at: native.play_batch(at, 50, seats, digests=True), range(0, 400, 50))
        )
    assert together == alone


def test_everyone_moves_on_by_a_seat(native: NativeEngine) -> None:
    fixed = native.play_batch(0, 1, ["bold", "shy"], digests=True)
    swapped = native.play_batch(1, 1, ["shy", "bold"], digests=True)
    moved = native.play_batch(0, 2, ["bold", "shy"], reseat=True, digests=True)
    assert moved.digests == fixed.digests + swapped.digests


def test_a_stop_names_the_game() -> None:
    made = program()
    made.streams = ("dice",)
    made.strategies["any"] = {}
    seats = ["any", "any"]
    seventh = binary("-", n.Draw(0, num(40)), num(7))
    phase(made, n.Run(binary("//", num(1), seventh)), n.Exit(num(1)))
    python, native = PythonEngine(made, cached=False), NativeEngine(made, cached=False)
    with pytest.raises(NativeError, match="divide by zero") as stop:
        native.play_batch(0, 500, seats)
    python.new_game(0, stop.value.game)
    with pytest.raises(ZeroDivisionError):
        python.run_phase()
    assert native.play_batch(0, stop.value.game, seats).games == stop.value.game


def test_seeds() -> None:
    """The published first outputs of splitmix64 for the seed 0, and no two streams alike."""
    assert [mix(k * GOLDEN) for k in range(3)] == [
        0xE220A8397B1DCDAF,
        0x6E789E6AA1B965F4,
        0x06C45D188009454F,
    ]
    assert mix(0) == 0xE220A8397B1DCDAF
    seen = {game_seed(run, game) for run in range(4) for game in range(100)}
    seen |= {stream_word(game_seed(0, 0), str(k)) for k in range(8)}
    seen |= {bot_key(game_seed(0, 0), seat) for seat in range(8)}
    assert len(seen) == 416
    assert game_seed(-1, 0) == game_seed((1 << 64) - 1, 0)
