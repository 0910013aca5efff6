"""Answers: legal ones are taken, all others are refused with a reason and change nothing."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from session_games import closed, position, some_answer

from interpreter import api
from interpreter.playtest.conduct import WrongPlan


def nonsense(decision: api.Decision, variant: api.Variant) -> list[object]:
    """Answers that mean nothing at the question, or nothing at all."""
    ids = list(variant.names())[:5]
    options = decision.options
    return [
        "nonsense",
        "",
        api.Answer("nonsense"),
        api.Answer(options[0], {"nonsense": 1}),
        {"answer": options[0], "picks": {"x": [1, 2]}},
        {"nonsense": True},
        {"answer": options[0], "nonsense": 1},
        -1,
        10**12,
        True,
        None,
        1.5,
        ids,
        [None],
        ["nonsense"],
        object(),
    ]


@pytest.mark.parametrize("seed", range(4))
def test_legal_answers_are_taken_and_others_refused(duel: api.Variant, seed: int) -> None:
    game = duel.new_game(seed, ["person", "person", "bold"])
    dice = random.Random(seed)
    refused = 0
    for _ in range(80):
        decision = game.pending
        if decision is None:
            break
        before = position(game)
        for answer in nonsense(decision, duel):
            reason = decision.why_not(answer)  # type: ignore[arg-type]
            if reason is None:
                continue  # a plain number may be what is asked for
            with pytest.raises(api.IllegalAnswer) as raised:
                game.apply(answer)  # type: ignore[arg-type]
            assert str(raised.value) == reason
            refused += 1
        assert position(game) == before
        game.apply(some_answer(decision, dice))
    assert refused > 100


@pytest.mark.parametrize("seed", range(2))
def test_every_listed_answer_without_choices_is_legal(duel: api.Variant, seed: int) -> None:
    game = duel.new_game(seed, ["person", "person", "person"])
    dice = random.Random(seed)
    for _ in range(60):
        decision = game.pending
        if decision is None:
            break
        for answer in decision.answers():
            if not answer.is_open:
                assert decision.why_not(answer) is None, str(answer)
        game.apply(some_answer(decision, dice))


def test_what_is_not_listed_is_refused(duel: api.Variant) -> None:
    game = duel.new_game(1, ["person", "bold", "bold"])
    dice = random.Random(2)
    cards = [f"c{number}" for number in range(1, 31)]
    seen = 0
    for _ in range(60):
        decision = game.pending
        if decision is None:
            break
        if decision.question == "moves":
            listed = {str(answer) for answer in decision.answers()}
            for card in cards:
                answer = api.Answer("show", {"card": card})
                is_legal = decision.why_not(answer) is None
                assert is_legal == (str(answer) in listed)
                seen += not is_legal
        game.apply(some_answer(decision, dice))
    assert seen > 50


def test_reasons_are_told_in_words(duel: api.Variant) -> None:
    game = duel.new_game(1, ["person", "bold", "bold"])
    game.apply(0)  # the stake
    decision = game.pending
    assert decision is not None
    assert decision.question == "moves"
    card = decision.choices("look")
    assert isinstance(card, api.Several)
    reason = decision.why_not(api.Answer("look", {"cards": [card.of[0]]}))
    assert reason == "Ann has nothing to pay with"
    hidden = next(f"c{n}" for n in range(1, 31) if f"c{n}" not in card.of)
    reason = decision.why_not(api.Answer("show", {"card": hidden}))
    *names, last = (f"Card {held[1:]}" for held in card.of)
    among = f"{', '.join(names)} and {last}"
    assert reason == f"Card {hidden[1:]} can't be picked here, only {among}"
    assert decision.why_not("show") == "`show` needs a value for `card`"
    assert decision.why_not("fold") == "there is no answer `fold` to moves"


def test_a_set_is_refused_for_the_reason_that_the_rules_give(duel: api.Variant) -> None:
    reasons: set[str | None] = set()
    for seed in range(6):
        game = duel.new_game(seed, ["person", "bold", "bold"])
        game.apply(0)  # the stake
        decision = game.pending
        assert decision is not None
        cards = decision.choices("look")
        assert isinstance(cards, api.Several)
        for pair in combinations(cards.of, 2):
            worth = sum(int(card[1:]) % 9 + 1 for card in pair)
            reason = decision.why_not(api.Answer("look", {"cards": list(pair)}))
            too_much = f"worth {worth}, not below 9"
            assert reason == (too_much if worth >= 9 else "Ann has nothing to pay with")
            reasons.add(reason)
    assert len(reasons) > 3


def test_amounts_say_their_bounds(duel: api.Variant) -> None:
    game = duel.new_game(1, ["person", "bold", "bold"])
    assert game.why_not(4) == "4 is not an amount from 0 to 3"
    assert [str(answer) for answer in game.answers()] == [f"pick(bet: {n})" for n in range(4)]


def test_choices_go_step_by_step(classic: api.Variant) -> None:
    game = classic.new_game(3, ["person", "builder", "builder", "builder"])
    dice = random.Random(3)
    for _ in range(200):
        decision = game.pending
        assert decision is not None
        trades = [answer for answer in decision.answers() if answer.name == "trade"]
        if trades:
            break
        game.apply(some_answer(decision, dice))
    partners = decision.choices("trade")
    assert isinstance(partners, list)
    partner = partners[0]
    offered = decision.choices("trade", partner=partner)
    assert isinstance(offered, api.Several)
    amount = decision.choices(
        "trade", partner=partner, offered=[], wanted=[], cards_offered=[], cards_wanted=[]
    )
    assert isinstance(amount, api.Amount)
    with pytest.raises(api.IllegalAnswer):
        decision.choices("nonsense")


def test_open_answers_are_described_not_taken(classic: api.Variant) -> None:
    game = classic.new_game(3, ["person", "builder", "builder", "builder"])
    dice = random.Random(3)
    opened = 0
    for _ in range(60):
        decision = game.pending
        if decision is None:
            break
        for answer in decision.answers():
            if answer.is_open:
                opened += 1
                assert decision.why_not(answer) is not None
                assert closed(answer, dice).is_open is False
        game.apply(some_answer(decision, dice))
    assert opened


def test_a_decision_ends_with_the_next_answer(duel: api.Variant) -> None:
    game = duel.new_game(1, ["person", "bold", "bold"])
    decision = game.pending
    assert decision is not None
    game.apply(0)
    with pytest.raises(api.StaleDecision):
        decision.answers()


def test_python_bots_are_checked_like_people(duel: api.Variant) -> None:
    asked: list[str] = []

    def shy(view: api.View, decision: api.Decision) -> api.Answer:
        asked.append(decision.question)
        assert view["seat"] == decision.seat
        return decision.answers()[-1]

    game = duel.new_game(2, [shy, shy, "random"])
    assert game.is_over
    assert game.players == {"ann": "bot", "ben": "bot", "cleo": "random"}
    assert set(asked) == {"stake", "moves", "ending", "objections"}

    def cheat(view: api.View, decision: api.Decision) -> str:
        return "nonsense"

    cheating = duel.new_game(2, [cheat, shy, "random"])
    with pytest.raises(api.IllegalAnswer):
        assert cheating.is_over


def test_wrong_seats_are_refused(duel: api.Variant) -> None:
    with pytest.raises(ValueError, match="3 seats are needed"):
        duel.new_game(1, ["bold"])
    with pytest.raises(ValueError, match="no strategy `brave`"):
        duel.new_game(1, ["brave", "bold", "bold"])
    game = duel.new_game(1, ["person", "bold", "bold"])
    with pytest.raises(ValueError, match="no seat 'zoe'"):
        game.view("zoe")
    with pytest.raises(api.IllegalAnswer, match="ben is not asked"):
        game.apply(0, seat="ben")


def test_a_bot_cannot_ask_the_game(duel: api.Variant) -> None:
    games: list[api.Game] = []

    def curious(view: api.View, decision: api.Decision) -> api.Answer:
        games[0].view("ben")
        return decision.answers()[0]

    games.append(duel.new_game(2, [curious, "bold", "bold"]))
    with pytest.raises(RuntimeError, match="can't ask the game"):
        assert games[0].is_over


def test_what_can_be_no_seat_or_seed_is_refused(duel: api.Variant) -> None:
    with pytest.raises(TypeError, match="a function or a person, not 5"):
        duel.new_game(1, [5, "bold", "bold"])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="seed is a whole number"):
        duel.new_game(1.5)  # type: ignore[arg-type]
    for seed in (-1, 1 << 64):
        with pytest.raises(ValueError, match=f"seed goes from 0 to .*; {seed} is none"):
            duel.new_game(seed)
        with pytest.raises(WrongPlan, match="seed goes from 0"):
            duel.playtest(1, seed=seed)
    for game in (-1, (1 << 31) - 1):
        with pytest.raises(ValueError, match="number of a game goes from 0"):
            duel.new_game(1, game=game)
    with pytest.raises(WrongPlan, match="number of a game"):
        duel.playtest(1 << 31)


def test_the_greatest_seed_is_a_seed_of_its_own(duel: api.Variant) -> None:
    games = [duel.new_game(seed, ["bold"] * 3) for seed in (0, (1 << 64) - 1)]
    assert all(game.is_over for game in games)
    assert games[0].digest() != games[1].digest()
    assert duel.load(games[1].save()).digest() == games[1].digest()


def test_choices_of_what_there_is_not_are_refused(duel: api.Variant) -> None:
    decision = duel.new_game(1, ["person", "bold", "bold"]).pending
    assert decision is not None
    with pytest.raises(api.IllegalAnswer, match="no answer `nonsense`"):
        decision.choices("nonsense")
    with pytest.raises(api.IllegalAnswer, match="has no `nonsense`"):
        decision.choices(decision.options[0], nonsense=1)


def test_after_the_end_there_is_a_reason(duel: api.Variant) -> None:
    game = duel.new_game(1, ["bold"] * 3)
    assert game.is_over
    assert game.why_not("pass") == "the game is over"


@pytest.mark.parametrize(
    ("wish", "reason"),
    [
        ({"switches": {"go_salary": 400}}, "`go_salary` is set to is a text"),
        ({"players": "2"}, "a whole number, not '2'"),
        ({"language": None}, "such as 'en'"),
    ],
)
def test_what_can_be_no_wish_is_refused(wish: dict[str, Any], reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        api.load_variant("classic", **wish)


def test_nobody_is_too_few_players() -> None:
    with pytest.raises(api.WrongPlayers, match="not for 0"):
        api.load_variant("classic", players=0)
