"""Samples agree with all that the seat has seen, and differ in what it has not."""

from __future__ import annotations

from collections import Counter

import pytest
from search_games import PLAYERS, assert_whole, visit_questions

from interpreter import api
from interpreter.search.playouts import Playouts
from interpreter.session.decision import Decision


def check_samples(variant: api.Variant, most: int, samples: int, seed: int = 0) -> Counter[str]:
    """Looks at samples at some questions; counts what was seen."""
    playouts = Playouts(variant.compiled, native=False)
    replica = playouts.replica
    seen: Counter[str] = Counter()

    def visit(view: api.View, decision: Decision) -> None:
        playouts.follow(decision.course())
        counts = things_by_zone(playouts)
        answers = [str(answer) for answer in decision.answers()]
        states = set()
        for number in range(samples):
            assert playouts.view(number) == view
            assert_whole(replica)
            assert things_by_zone(playouts) == counts
            assert replica.engine.check_always() == 0
            listed = [str(answer) for answer in replica.answering.listed(replica.asked)]
            assert listed == answers
            states.add(tuple(playouts.sample(number).words))
            seen["samples"] += 1
        seen["questions"] += 1
        seen["different"] += len(states)

    visit_questions(variant, visit, most, seed=seed)
    return seen


def things_by_zone(playouts: Playouts) -> dict[tuple[str, int], int]:
    """How many things lie in each zone whose number the seat can see, and in all others of the
    family together."""
    replica = playouts.replica
    counts: dict[tuple[str, int], int] = {}
    for zone in replica.compiled.program.zones.values():
        for holder in zone.holders:
            number = len(replica.state.things(zone, holder))
            if replica.sight.counts_zone(playouts.seat, zone, holder):
                counts[zone.name, holder] = number
            else:
                counts[zone.holds, -1] = counts.get((zone.holds, -1), 0) + number
    return counts


@pytest.mark.parametrize("name", PLAYERS)
def test_views_are_equal_in_every_sample(name: str) -> None:
    variant = api.load_variant(name, players=PLAYERS[name])
    seen = check_samples(variant, 12, 4)
    assert seen["questions"] == 12
    if name != "jackpot":
        assert seen["different"] > seen["questions"]


@pytest.mark.long
@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("more", [False, True])
def test_views_are_equal_in_thousands_of_samples(name: str, more: bool) -> None:
    variant = api.load_variant(name, players=PLAYERS[name] + more)
    assert check_samples(variant, 150, 10, seed=7)["samples"] == 1500


def test_hidden_fields_and_secret_counts_are_dealt_too(boxes: api.Variant) -> None:
    seen = check_samples(boxes, 40, 10)
    assert seen["different"] > 300


def test_samples_deal_evenly(guess: api.Variant) -> None:
    """Of the card of the other, and of the order of the pack, everything is equally likely."""
    playouts = Playouts(guess.compiled, native=False)
    mine: Counter[int] = Counter()
    tops: Counter[int] = Counter()

    def visit(_: api.View, decision: Decision) -> None:
        playouts.follow(decision.course())
        for number in range(3400):
            playouts.view(number)
            state = playouts.replica.state
            hand = state.program.zones["Player.hand"]
            mine[state.things(hand, 1 - playouts.seat)[0]] += 1
            pack = state.program.zones["table.pack"]
            tops[state.things(pack, pack.holders[0])[0]] += 1

    visit_questions(guess, visit, 1, chance=1.0)
    for counted in (mine, tops):
        assert len(counted) == 17
        assert all(130 < times < 280 for times in counted.values())


def test_equal_seeds_give_equal_samples(boxes: api.Variant) -> None:
    first, second = (Playouts(boxes.compiled, native=False) for _ in range(2))

    def visit(_: api.View, decision: Decision) -> None:
        for playouts in (first, second):
            playouts.follow(decision.course())
        for number in (3, 1, 2):
            one = first.sample(number)
            second.sample(number + 1)
            other = second.sample(number)
            assert (one.words, one.gathered, one.line_up) == (
                other.words,
                other.gathered,
                other.line_up,
            )

    visit_questions(boxes, visit, 10)


def test_undone_answers_are_left_out(boxes: api.Variant) -> None:
    game = boxes.new_game(seed=1, seats=["person", "shy", "shy"])
    playouts = Playouts(boxes.compiled, native=False)
    for _ in range(3):
        for _ in range(4):
            assert game.pending is not None
            playouts.follow(game.pending.course())
            assert game.view(game.pending.seat) | playouts.view(0) == game.view(game.pending.seat)
            game.apply(game.answers()[0])
        game.undo()
        game.undo()
        assert game.pending is not None
        playouts.follow(game.pending.course())
        assert game.view(game.pending.seat) | playouts.view(0) == game.view(game.pending.seat)
