"""Search bots: their names, their answers in every variant, and that searching pays."""

from __future__ import annotations

import random

import pytest
from search_games import PLAYERS, any_answer, visit_questions

from interpreter import api
from interpreter.engine.native_engine import NATIVE
from interpreter.search import bots
from interpreter.search.candidates import Key
from interpreter.search.finish import Outcome
from interpreter.search.names import is_search_bot
from interpreter.search.native import NativePlayouts, Numbered
from interpreter.search.playouts import Playouts
from interpreter.session.asked import Given
from interpreter.session.decision import Bot, Decision


def test_bots_are_made_by_name() -> None:
    for name, kind, number in (
        ("ismcts:150", bots.Ismcts, 150),
        ("mc:7", bots.MonteCarlo, 7),
        ("ismcts", bots.Ismcts, 200),
        ("mc", bots.MonteCarlo, 20),
    ):
        bot = bots.make_bot(name)
        assert is_search_bot(name)
        assert isinstance(bot, kind)
        assert bot.number == number
    assert not is_search_bot("cautious")
    assert not is_search_bot("person")


@pytest.mark.parametrize(
    "name", ["mcts:20", "random", "mc:", "mc:0", "mc:-3", "ismcts:many", "mc:1:2"]
)
def test_other_names_are_refused_in_words(name: str) -> None:
    with pytest.raises(ValueError, match=r"There is no bot|playouts"):
        bots.make_bot(name)
    with pytest.raises(ValueError, match="at least one"):
        bots.MonteCarlo(0)


@pytest.mark.parametrize("name", PLAYERS)
def test_bots_answer_in_every_variant(name: str) -> None:
    variant = api.load_variant(name, players=PLAYERS[name])
    kinds = bots.Ismcts(12, phases=3), bots.MonteCarlo(1, phases=3)

    def visit(view: api.View, decision: Decision) -> None:
        for bot in kinds:
            answer = bot(view, decision)
            assert decision.why_not(answer) is None
            assert bot(view, decision) == answer

    assert visit_questions(variant, visit, 8, seed=2) == 8


def test_equal_games_are_played_equally() -> None:
    variant = api.load_variant("deal", players=2)
    digests = set()
    for _ in range(2):
        game = variant.new_game(seed=3, seats=[bots.make_bot("ismcts:10"), "collector"])
        assert game.is_over
        digests.add(game.digest())
    assert len(digests) == 1


def test_saved_games_are_taken_up_by_a_bot() -> None:
    variant = api.load_variant("deal", players=2)
    game = variant.new_game(seed=3, seats=["person", "collector"])
    dice = random.Random(1)
    for _ in range(12):
        assert game.pending is not None
        game.apply(any_answer(game.pending, dice))
    bot = bots.make_bot("mc:1")
    taken_up = variant.load(game.save(), bots={game.people[0]: bot})
    assert taken_up.is_over
    assert taken_up.winners


def test_what_costs_nothing_does_not_go_on_for_ever() -> None:
    """Cards on the table of Deal may be moved about for nothing, as often as one likes."""
    variant = api.load_variant("deal", players=2)
    restless = Restless()
    game = variant.new_game(seed=1, seats=[restless, "collector"])
    assert game.is_over
    assert restless.most_in_a_phase <= bots.MOST_ACTS + 12


class Restless(bots.MonteCarlo):
    """Always prefers what no strategy would answer."""

    def __init__(self) -> None:
        super().__init__(1)
        self.most_in_a_phase = 0

    def __call__(self, view: api.View, decision: Decision) -> api.Answer:
        self.most_in_a_phase = max(self.most_in_a_phase, bots._acts(decision.course()))
        return super().__call__(view, decision)

    def ranked(self, _: Playouts, found: dict[Key, Given], __: int) -> list[Given]:
        return list(reversed(list(found.values())))


@pytest.mark.parametrize("name", ["ismcts:30", "mc:3"])
def test_searching_beats_random_players(name: str) -> None:
    """In Deal, for two; the random player wins one game in a hundred or so by luck."""
    variant = api.load_variant("deal", players=2)
    won = 0
    for number in range(6):
        seats: list[str | Bot] = ["random", bots.make_bot(name)]
        seats = seats[number % 2 :] + seats[: number % 2]
        game = variant.new_game(seed=5, game=number, seats=seats)
        won += game.winners == (game.seats[1 - number % 2],)
    assert won >= 5


@pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
@pytest.mark.parametrize("name", PLAYERS)
def test_flat_monte_carlo_plays_on_natively(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the middle of a game: the state before the phase and the log of its answers go in, with
    each sample one call for all candidates, and what comes out decides as it does in Python."""
    variant = api.load_variant(name, players=PLAYERS[name])
    calls: list[int] = []
    honest = NativePlayouts.simulate

    def simulate(
        self: NativePlayouts, tried: list[list[Numbered]], phases: int, *, is_counted: bool
    ) -> list[Outcome | None]:
        calls.append(len(tried))
        return honest(self, tried, phases, is_counted=is_counted)

    monkeypatch.setattr(NativePlayouts, "simulate", simulate)
    monkeypatch.setattr(Playouts, "_play", _never)
    native, python = bots.MonteCarlo(3, phases=4), bots.MonteCarlo(3, phases=4, native=False)
    logs: list[int] = []

    def visit(view: api.View, decision: Decision) -> None:
        calls.clear()
        answer = native(view, decision)
        assert not calls or calls == [calls[0]] * 3
        logs.append(len(decision.course().log))
        with monkeypatch.context() as patched:
            patched.setattr(Playouts, "_play", PLAY)
            assert python(view, decision) == answer
        asked.append(bool(calls))

    asked: list[bool] = []
    visit_questions(variant, visit, 8, seed=6)
    assert any(asked)
    assert any(logs), "no question was in the middle of a phase"


PLAY = Playouts._play


def _never(*_: object) -> None:
    raise AssertionError("a playout was made in Python")
