"""The figures of a report, counted again in plain Python from the rows of the CSV."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations

import pytest

from interpreter.playtest.conduct import Conductor
from interpreter.playtest.report import Report
from interpreter.playtest.rows import RowWriter
from interpreter.playtest.standings import Standings
from interpreter.session.compile import CompiledGame

Make = Callable[..., Conductor]
SEATS = ("ann", "ben", "cleo")
Game = dict[str, str]


@pytest.fixture(scope="module")
def run(race: CompiledGame) -> tuple[Report, list[Game]]:
    """300 games of two bots at three seats, some of them cut off after ten turns."""
    from dataclasses import replace

    from interpreter.playtest.conduct import Plan
    from interpreter.playtest.printing import print_machine

    program = replace(race.program, phase_limit=SHORT)
    short = CompiledGame(replace(race.facts, program=program), None, race.source)
    plan = Plan(300, ["walker", "runner"], seed=9, engine="python", workers=1)
    made = Conductor(short, plan, print_machine)
    file = io.StringIO()
    setting = made.setting
    rows = RowWriter(
        file, setting.seats, setting.bots, made.endings, seed=9, has_scores=made.has_scores
    )
    report = made.conduct(on_batch=rows.write)
    file.seek(0)
    return report, list(csv.DictReader(file))


SHORT = 20


def parts(games: list[Game], column: str, name: str, winners: str) -> Iterator[tuple[float, float]]:
    """For each game the part of the win that a row has, and the part of the seats."""
    for game in games:
        mine = [
            seat
            for seat in SEATS
            if (seat if column == "seat" else game[f"{column}_{seat}"]) == name
        ]
        won = game[winners].split("+") if game[winners] else []
        yield len(set(mine) & set(won)) / max(1, len(won)), len(mine) / len(SEATS)


def determinant(matrix: list[list[Fraction]]) -> Fraction:
    """By the sum over all permutations."""
    size = len(matrix)
    total = Fraction(0)
    for order in permutations(range(size)):
        swaps = sum(order[i] > order[j] for i in range(size) for j in range(i + 1, size))
        product = Fraction(1)
        for row, col in enumerate(order):
            product *= matrix[row][col]
        total += -product if swaps % 2 else product
    return total


def statistic(rows: list[list[tuple[float, float]]]) -> float:
    """n m' V^-1 m by Cramer's rule, in fractions."""
    n = len(rows[0])
    beyond = [[Fraction(won - held).limit_denominator(12) for won, held in row] for row in rows]
    fair = [sum(Fraction(held).limit_denominator(12) for _, held in row) / n for row in rows]
    mean = [sum(row) / n for row in beyond]
    free = range(len(rows) - 1)
    spread = [
        [
            sum(x * y for x, y in zip(beyond[i], beyond[j], strict=True)) / n
            - mean[i] * mean[j]
            + sum(((k == i) - fair[i]) * ((k == j) - fair[j]) for k in range(len(rows))) / n
            for j in free
        ]
        for i in free
    ]
    whole = determinant(spread)
    total = Fraction(0)
    for col in free:
        changed = [[mean[i] if j == col else spread[i][j] for j in free] for i in free]
        total += mean[col] * determinant(changed) / whole
    return float(n * total)


@pytest.mark.parametrize("column", ["place", "seat", "bot"])
def test_standings(run: tuple[Report, list[Game]], column: str) -> None:
    report, games = run
    over = [game for game in games if game["end"].startswith("rule")]
    assert 0 < len(over) < len(games)
    standings: Standings | None = getattr(report.won, f"by_{column}")
    assert standings is not None
    names = {
        "place": ["1", "2", "3"], "seat": list(SEATS), "bot": ["walker", "runner"],
    }[column]  # fmt: skip
    rows = [list(parts(over, column, name, "winners")) for name in names]
    for row, standing in zip(rows, standings.rows, strict=True):
        won = sum(one for one, _ in row)
        assert standing.share.wins == pytest.approx(won)
        assert standing.share.share == pytest.approx(won / len(over))
        assert standing.share.fair == pytest.approx(sum(held for _, held in row) / len(over))
        pull = won / sum(held for _, held in row)
        variance = sum((one - pull * held) ** 2 for one, held in row) / len(over)
        error = 1.96 * math.sqrt(variance / len(over))
        assert standing.share.high - standing.share.low == pytest.approx(2 * error, rel=0.02)
    assert standings.test.statistic == pytest.approx(statistic(rows))


def test_who_led(run: tuple[Report, list[Game]]) -> None:
    report, games = run
    cut = [game for game in games if game["end"].startswith("limit")]
    assert report.led is not None
    assert report.led.games == len(cut)
    assert all(not game["winners"] for game in cut)
    for seat, standing in zip(SEATS, report.led.by_seat.rows, strict=True):
        led = sum(won for won, _ in parts(cut, "seat", seat, "leaders"))
        assert standing.share.wins == pytest.approx(led)


def test_scores(run: tuple[Report, list[Game]]) -> None:
    report, games = run
    over = [game for game in games if game["end"].startswith("rule")]
    assert report.won.by_bot is not None
    for standing in report.won.by_bot.rows:
        scores = [
            int(game[f"score_{seat}"])
            for game in over
            for seat in SEATS
            if game[f"bot_{seat}"] == standing.name
        ]
        assert standing.score == pytest.approx(sum(scores) / len(scores))


def test_lengths(run: tuple[Report, list[Game]]) -> None:
    """All are cut at the same turn: what lasts longer is counted, and the mean is a plain one."""
    report, games = run
    assert report.turns is not None
    lasting = report.turns.lasting
    turns = [int(game["turns"]) for game in games]
    assert lasting.longest == max(turns) == SHORT
    mean = sum(turns) / len(turns)
    error = math.sqrt(sum((turn - mean) ** 2 for turn in turns)) / len(turns)
    assert lasting.mean == pytest.approx(mean)
    assert lasting.high - lasting.low == pytest.approx(2 * 1.96 * error, rel=0.01)
    for turn in range(1, SHORT):
        assert lasting.share_after(turn) == pytest.approx(
            sum(each > turn for each in turns) / len(turns)
        )
    assert sum(bar.count for bar in report.turns.bars) == len(games)
