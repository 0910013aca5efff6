"""Several people at one table: secret questions, and passing for as long as one has said."""

from __future__ import annotations

import itertools
import random

import pytest
from session_games import position, some_answer

from interpreter import api
from interpreter.session.passing import Standing
from interpreter.session.records import PhaseRecord


def test_secret_answers_come_in_any_order(duel: api.Variant) -> None:
    stakes = {"ann": 2, "ben": 0, "cleo": 3}
    ends = []
    for order in itertools.permutations(stakes):
        game = duel.new_game(5, ["person", "person", "person"])
        assert [decision.seat for decision in game.decisions] == ["ann", "ben", "cleo"]
        for number, seat in enumerate(order):
            game.apply(stakes[seat], seat=seat)
            if number < 2:
                again = duel.load(game.save())
                assert position(again) == position(game)
                assert all(one.question == "stake" for one in game.decisions)
        ends.append(position(game))
    assert all(end == ends[0] for end in ends)


def test_a_secret_answer_can_be_taken_back_until_the_last_is_in(duel: api.Variant) -> None:
    game = duel.new_game(5, ["person", "person", "person"])
    start = position(game)
    game.apply(2, seat="ben")
    game.apply(1, seat="ann")
    assert game.undo("ben")
    assert [decision.seat for decision in game.decisions] == ["ben", "cleo"]
    assert game.undo()
    assert position(game) == start
    assert not game.undo()
    for seat in game.seats:
        game.apply(1, seat=seat)
    assert game.undo("ben")
    assert [decision.seat for decision in game.decisions] == ["ben"]
    game.apply(0, seat="ben")
    players = game.view("ann")["players"]
    assert isinstance(players, dict)
    assert [player["stake"] for player in players.values()] == [1, 0, 1]  # type: ignore[index, call-overload]


def questions(game: api.Game, seat: str, most: int, **kept: api.Policy) -> list[tuple[str, str]]:
    """What is asked when everybody passes where possible; with a policy for one question."""
    found: list[tuple[str, str]] = []
    dice = random.Random(1)
    while (decision := game.pending) is not None and len(found) < most:
        players = game.view(decision.seat)["things"]
        assert isinstance(players, dict)
        table = players["game"]
        assert isinstance(table, dict)
        if decision.seat == seat:
            found.append((decision.question, str(table["active"])))
        if decision.may_pass:
            game.apply("pass", until=kept.get(decision.question))
        else:
            game.apply(some_answer(decision, dice))
    return found


def test_passing_until_the_own_turn(classic: api.Variant) -> None:
    seats = ["person", "builder", "builder", "builder"]
    automatic = api.load_variant("classic", switches={"rent_claim": "automatic"})
    for variant, has_claims in ((classic, True), (automatic, False)):
        often = questions(variant.new_game(2, seats), "red", 60)
        seldom = questions(variant.new_game(2, seats), "red", 60, free_time="turn")
        assert any(who != "red" for what, who in often if what == "free_time")
        asked = [who for what, who in seldom if what == "free_time"]
        assert asked
        assert any(who != "red" for who in asked) == has_claims, "rent that falls due is told"


@pytest.mark.parametrize("policy", api.POLICIES)
def test_policies_are_kept_in_saved_games(classic: api.Variant, policy: api.Policy) -> None:
    seats = ["person", "builder", "builder", "person"]
    game = classic.new_game(4, seats)
    dice = random.Random(2)
    for number in range(40):
        decision = game.pending
        if decision is None:
            break
        before = position(game)
        until = policy if decision.may_pass else None
        answer = api.Answer("pass") if decision.may_pass else some_answer(decision, dice)
        game.apply(answer, until=until)
        after = position(game)
        assert game.undo(decision.seat)
        assert position(game) == before
        game.apply(answer, until=until)
        assert position(game) == after
        if number % 5 == 0:
            again = classic.load(game.save())
            assert position(again) == after
            assert again._driver.passing.policies == game._driver.passing.policies


def test_passing_until_something_changes(classic: api.Variant) -> None:
    seats = ["person", "builder", "builder", "builder"]
    often = questions(classic.new_game(4, seats), "red", 40)
    game = classic.new_game(4, seats)
    seldom = questions(game, "red", 40, free_time="change")
    assert len([one for one in seldom if one[0] == "free_time"]) < len(
        [one for one in often if one[0] == "free_time"]
    )


def test_only_a_pass_can_say_for_how_long(duel: api.Variant) -> None:
    game = duel.new_game(1, ["person", "bold", "bold"])
    with pytest.raises(api.IllegalAnswer, match="only who passes"):
        game.apply(0, until="turn")


def test_the_own_turn_ends_a_policy_even_unasked(classic: api.Variant) -> None:
    """Who had nothing to do in his own turn is asked again in the next one of another."""
    game = classic.new_game(4, ["person", "builder", "builder", "builder"])
    driver = game._driver
    dice = random.Random(1)
    while (decision := game.pending) is not None:
        if decision.question == "free_time" and driver.passing.whose_phase() != 0:
            break
        game.apply(some_answer(decision, dice))
    asked = driver.asked[0]
    standing = Standing("turn", 0, "")

    def stands(*whose: int) -> bool:
        past = [PhaseRecord([], [], one) for one in whose]
        return driver.passing._stands(standing, asked, past)

    assert stands(0, 1)
    assert stands(0, 1, 2)
    assert not stands(0, 1, 0)
    assert not stands(0, 1, 0, 1)
