"""A game is its seed and its answers: played in sessions, batches and other processes alike."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from session_games import position, some_answer

from interpreter import api
from interpreter.engine.batch import play_batch

ROOT = Path(__file__).resolve().parents[2]
VARIANTS = [*api.variants()]


def loaded(name: str) -> api.Variant:
    try:
        return api.load_variant(name)
    except api.RulesError as error:
        pytest.skip(f"{name} has mistakes: {error}")


def line_up(variant: api.Variant, kind: str) -> list[str]:
    """Strategies for all seats."""
    written = [name for name in variant.strategies if name != "random"]
    if kind == "random":
        return ["random"] * variant.players
    if kind == "mixed" and written:
        names = [*written, "random"]
        return [names[seat % len(names)] for seat in range(variant.players)]
    return [(written or ["random"])[0]] * variant.players


def assert_same_as_batch(variant: api.Variant, seats: list[str], games: int, seed: int) -> None:
    engine = variant.compiled.engine("bare")
    limit = variant.compiled.program.phase_limit
    batch = play_batch(engine, 0, games, seats, seed=seed, phase_limit=limit, digests=True)
    for number in range(games):
        game = variant.new_game(seed=seed, seats=seats, game=number)
        assert game.is_over
        assert game.digest() == batch.digests[number], f"game {number} of {seats}"
        winners = [index for index, id_ in enumerate(game.seats) if id_ in game.winners]
        if game.end is not None and game.end.kind in ("rule", "limit"):
            assert sum(1 << index for index in winners) == batch.winners[number]
        assert game.broken() is None


@pytest.mark.parametrize("kind", ["written", "mixed", "random"])
def test_session_of_bots_is_the_batch(duel: api.Variant, kind: str) -> None:
    assert_same_as_batch(duel, line_up(duel, kind), games=40, seed=5)


@pytest.mark.parametrize("kind", ["written", "mixed"])
@pytest.mark.parametrize("name", VARIANTS)
def test_bundled_session_is_the_batch(name: str, kind: str) -> None:
    variant = loaded(name)
    assert_same_as_batch(variant, line_up(variant, kind), games=4, seed=2)


def play_with_checks(game: api.Game, variant: api.Variant, answers: int, seed: int) -> None:
    """After each answer: what was saved, undone and done again is the same."""
    dice = random.Random(seed)
    for number in range(answers):
        decisions = game.decisions
        if not decisions:
            return
        decision = dice.choice(decisions)
        before = position(game)
        answer = some_answer(decision, dice)
        game.apply(answer, seat=decision.seat)
        after = position(game)
        assert game.undo(decision.seat)
        assert position(game) == before
        game.apply(answer, seat=decision.seat)
        assert position(game) == after
        if number % 3 == 0:
            text = game.save()
            again = variant.load(text)
            assert position(again) == after
            assert again.save() == text


@pytest.mark.parametrize("people", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_saved_undone_and_redone(duel: api.Variant, people: int, seed: int) -> None:
    seats = ["person"] * people + ["bold", "random"][: 3 - people]
    play_with_checks(duel.new_game(seed, seats), duel, 120, seed)


@pytest.mark.parametrize("name", VARIANTS)
def test_bundled_saved_undone_and_redone(name: str) -> None:
    variant = loaded(name)
    seats = ["person", *line_up(variant, "mixed")[1:]]
    seats[-1] = "person"
    play_with_checks(variant.new_game(2, seats), variant, 25, 7)


def test_undo_over_phases(duel: api.Variant) -> None:
    game = duel.new_game(3, ["person", "bold", "bold"])
    dice = random.Random(1)
    seen = [position(game)]
    for _ in range(30):
        decision = game.pending
        if decision is None:
            break
        game.apply(some_answer(decision, dice))
        seen.append(position(game))
    assert game.phases > 3
    for before in reversed(seen[:-1]):
        assert game.undo()
        assert position(game) == before
    assert not game.undo()


def played(seed: int) -> list[str]:
    """Digests of some games with people who answer at random, for another process to repeat."""
    variant = api.load_variant("classic", players=3)
    found = []
    for number in range(2):
        game = variant.new_game(seed, ["person", "random", "person"], game=number)
        dice = random.Random(number)
        for _ in range(25):
            decision = game.pending
            if decision is None:
                break
            listed = [str(answer) for answer in decision.answers()]
            game.apply(some_answer(decision, dice))
            found.append(f"{game.digest()} {' '.join(listed)}")
        found.append(str(game.log("red")))
    return found


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_same_in_another_process(hash_seed: str) -> None:
    code = "import test_session_identity as t; print(t.played(4))"
    env = os.environ | {"PYTHONHASHSEED": hash_seed}
    env["PYTHONPATH"] = os.pathsep.join([str(ROOT), str(Path(__file__).parent)])
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == str(played(4))
