"""A search bot can't read what its seat can't see: whatever that is, it answers the same."""

from __future__ import annotations

from collections import defaultdict

import pytest
from search_games import PLAYERS, exchange_hidden, visit_questions

from interpreter import api
from interpreter.engine.native_engine import NATIVE
from interpreter.search import bots
from interpreter.search.hidden import Hidden, Unseen
from interpreter.search.replica import Replica
from interpreter.session.course import Course
from interpreter.session.decision import Decision

needs_native = pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")

KINDS = (bots.Ismcts, bots.MonteCarlo)


def test_two_games_that_look_alike_are_answered_alike(guess: api.Variant) -> None:
    """Real games: the seat holds the same card, what the other holds differs."""
    for kind in KINDS:
        answers: dict[str, set[str]] = defaultdict(set)
        hidden: dict[str, set[str]] = defaultdict(set)
        for seed in range(60):
            game = guess.new_game(seed=seed, seats=["person", "person"])
            decision = game.pending
            assert decision is not None
            view = {key: value for key, value in game.view("ann").items() if key != "question"}
            mine = str(game.view("ann")["players"]["ann"]["hand"])  # type: ignore[index, call-overload]
            other = str(game.view("ben")["players"]["ben"]["hand"])  # type: ignore[index, call-overload]
            answers[mine].add(str(kind(30)(view, decision)))
            hidden[mine].add(other)
        assert sum(len(cards) > 1 for cards in hidden.values()) >= 10
        assert all(len(given) == 1 for given in answers.values()), kind


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=needs_native)])
@pytest.mark.parametrize("name", PLAYERS)
def test_what_is_hidden_is_never_read(
    name: str, native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before the bot looks, all that its seat can't see is dealt anew in the game's place."""
    variant = api.load_variant(name, players=PLAYERS[name])
    truth: list[int] = [0]
    honest = Hidden.unseen

    def unseen(self: Hidden, seat: int) -> Unseen:
        found = honest(self, seat)
        if truth[0]:
            self.deal(found, truth[0])
            assert honest(self, seat) == found
        return found

    monkeypatch.setattr(Hidden, "unseen", unseen)

    def visit(view: api.View, decision: Decision) -> None:
        given = set()
        for truth[0] in (0, 101, 102):
            for number, kind in enumerate(KINDS):
                bot = kind(4 if native else 2, native=native, phases=4, seed=number)
                given.add((number, str(bot(view, decision))))
        assert len(given) == len(KINDS)

    assert visit_questions(variant, visit, 6, seed=3) == 6


HIDING = ("deal", "card_game", "bid", "crooked_cash")
"""Variants in which players have secrets."""


@pytest.mark.parametrize("native", [False, pytest.param(True, marks=needs_native)])
@pytest.mark.parametrize("name", HIDING)
def test_another_truth_is_answered_alike(
    name: str, native: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole phase is played with other hidden things: what was in a hand or a pile before it,
    and still is, lies elsewhere from the beginning. So neither what has been worked out on the way
    nor what is left of it in either engine tells a bot anything."""
    variant = api.load_variant(name, players=PLAYERS[name])
    truth, others = [0], [0]
    honest = Replica.follow

    def follow(self: Replica, course: Course) -> None:
        honest(self, course)
        if truth[0] and exchange_hidden(self, truth[0]):
            others[0] += 1

    monkeypatch.setattr(Replica, "follow", follow)

    def visit(view: api.View, decision: Decision) -> None:
        given = set()
        for truth[0] in (0, 1, 2, 3):
            bots._KEPT.playouts.clear()
            for number, kind in enumerate(KINDS):
                bot = kind(12 if native else 2, native=native, phases=4, seed=number)
                given.add((number, str(bot(view, decision))))
        assert len(given) == len(KINDS)

    assert visit_questions(variant, visit, 8, seed=11) == 8
    assert others[0] >= 12, "hardly ever could it have been otherwise"


def test_the_seed_of_a_bot_comes_from_what_is_seen(guess: api.Variant) -> None:
    bot = bots.Ismcts(10)
    numbers = defaultdict(set)
    for seed in range(30):
        game = guess.new_game(seed=seed, seats=["person", "person"])
        view = game.view("ann")
        assert game.pending is not None
        numbers[str(view)].add(bot._number(view, game.pending))
    assert all(len(found) == 1 for found in numbers.values())
    assert len({next(iter(found)) for found in numbers.values()}) == len(numbers)
