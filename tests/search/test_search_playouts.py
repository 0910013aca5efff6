"""Playouts: both engines give the same ends, and candidates are legal and bounded."""

from __future__ import annotations

import random

import pytest
from search_games import PLAYERS, visit_questions

from interpreter import api
from interpreter.engine.native_engine import NATIVE
from interpreter.search.candidates import MOST
from interpreter.search.hidden import CACHES, GATHERED
from interpreter.search.playouts import Playouts, Reply
from interpreter.session.decision import Decision

needs_native = pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")


@needs_native
@pytest.mark.parametrize("name", PLAYERS)
def test_both_engines_play_on_alike(name: str) -> None:
    """From any question, through the answers that are tried, to the end or the cut."""
    variant = api.load_variant(name, players=PLAYERS[name])
    native = Playouts(variant.compiled, phases=12)
    python = Playouts(variant.compiled, phases=12, native=False)
    dice = random.Random(1)

    def visit(_: api.View, decision: Decision) -> None:
        course = decision.course()
        native.follow(course)
        python.follow(course)
        found = list(native.listed(5).values())
        assert found == list(python.listed(5).values())
        for sample in range(3):
            replies = [Reply(native.site, dice.choice(found))]
            for _ in range(3):
                tried = [replies, replies[:-1], [*replies]]
                outcomes = native.play(sample, tried)
                assert outcomes[0] == outcomes[2] is not None
                assert outcomes == python.play(sample, tried)
                following = native.next_question(sample, replies)
                if following is None:
                    break
                site, options = following
                replies.append(Reply(site, dice.choice(list(options.values()))))

    visit_questions(variant, visit, 8)


def test_hands_that_are_counted_are_found_in_play() -> None:
    """Of the bundled games only one counts hands; in the others points come little by little, or
    for one player at a time."""
    for name in PLAYERS:
        for players in {PLAYERS[name], 2}:
            variant = api.load_variant(name, players=players)
            playouts = Playouts(variant.compiled, native=False)
            assert playouts.is_counted is (name == "card_game"), (name, players)


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=needs_native)])
def test_where_hands_are_counted_a_playout_ends_there(native: bool) -> None:
    variant = api.load_variant("card_game", players=3)
    playouts = Playouts(variant.compiled, native=native)
    seen = []

    def visit(_: api.View, decision: Decision) -> None:
        playouts.follow(decision.course())
        given = next(iter(playouts.listed(1).values()))
        for sample in range(3):
            before = playouts.sample(sample).points
            [counted] = playouts.play(sample, [[Reply(playouts.site, given)]])
            playouts.is_counted = False
            [whole] = playouts.play(sample, [[Reply(playouts.site, given)]])
            playouts.is_counted = True
            assert counted is not None
            assert whole is not None
            assert whole.is_over
            assert counted.scores != before
            assert all(a <= b for a, b in zip(counted.scores, whole.scores, strict=True))
            seen.append(counted.is_over)

    visit_questions(variant, visit, 8, chance=0.1)
    assert len(seen) == 24
    assert not all(seen)


@needs_native
def test_a_long_log_is_played_in_python(
    boxes: api.Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interpreter.search.replaying.LOG_SIZE", 2)
    playouts = Playouts(boxes.compiled)

    def visit(_: api.View, decision: Decision) -> None:
        playouts.follow(decision.course())
        given = next(iter(playouts.listed(1).values()))
        assert playouts.play(1, [[Reply(playouts.site, given)]]) != [None]

    visit_questions(boxes, visit, 5)


@pytest.mark.parametrize("name", PLAYERS)
def test_candidates_are_legal_few_and_different(name: str) -> None:
    variant = api.load_variant(name, players=PLAYERS[name])
    playouts = Playouts(variant.compiled, native=False)

    def visit(_: api.View, decision: Decision) -> None:
        playouts.follow(decision.course())
        found = playouts.listed(1)
        assert 1 <= len(found) <= MOST
        for given in found.values():
            assert decision.why_not(decision.written(given)) is None
        assert len(set(found.values())) == len(found)
        usual = [playouts.replica.of_strategy(name, playouts.replica.asked) for name in
                 playouts.strategies]  # fmt: skip
        keys = [playouts.candidates.key(playouts.replica.asked, given) for given in usual]
        assert list(found)[: len(set(keys))] == list(dict.fromkeys(keys))
        few = playouts.listed(1, most=0)
        assert set(few) <= set(found)

    visit_questions(variant, visit, 15)


@pytest.mark.parametrize("name", PLAYERS)
def test_all_that_programs_remember_is_known(name: str) -> None:
    """What a program has worked out before a sample must be forgotten in it; what it is doing must
    not. Whoever adds scratch to programs says here which it is."""
    variant = api.load_variant(name, players=PLAYERS[name])
    for flavour in ("search", "bare"):
        program = variant.compiled.module(flavour).program
        scratch = [
            one.name
            for one in (*program.scalars.values(), *program.columns.values())
            if one.role == "scratch" and not one.name.startswith("s_")
        ]
        doing = {"questions", "fuel", "depth", "pending", "ending", "always", "result"}
        rest = [name for name in scratch if not name.startswith((*CACHES, GATHERED, "answer_"))]
        assert set(rest) <= doing | {name for name in rest if name.startswith("result_set_")}
