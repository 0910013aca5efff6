"""What a seat sees does not depend on what is hidden from it."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from session_games import some_answer, write_game

from dsl.core import nodes as core
from interpreter import api
from interpreter.session.driver import Driver
from interpreter.session.view import Sight

VARIANTS = [*api.variants()]


def stir(game: api.Game, seat: int, dice: random.Random) -> None:
    """Changes everything in the live state that a seat can't see: who holds which hidden thing,
    in which order piles lie, hidden fields, the streams of luck."""
    driver: Driver = game._driver
    state, engine, sight = driver.state, driver.engine, driver.sight
    for family in state.layout.held:
        _permute(driver, sight, seat, family, dice)
    for column in driver.compiled.program.columns.values():
        if column.role == "data" or column.seen_by == "everyone":
            continue
        members = driver.compiled.program.kinds[column.kind].members
        hidden = [one for one in members if not sight.sees_field(seat, column, one)]
        numbers = [state.number(column, one) for one in hidden]
        dice.shuffle(numbers)
        place = state.layout.fields[column.name]
        for entity, number in zip(hidden, numbers, strict=True):
            assert isinstance(number, int)
            if place.shape == "flags":
                whole = engine.scalar(place.name) & ~(1 << entity)
                engine.set_scalar(place.name, whole | number << entity)
            elif place.shape == "column":
                engine.set_cell(place.name, entity, number)
    engine.set_streams([dice.getrandbits(64) for _ in engine.streams()])


def _permute(driver: Driver, sight: Sight, seat: int, family: str, dice: random.Random) -> None:
    state, engine = driver.state, driver.engine
    held = state.layout.held[family]
    slots: list[tuple[core.Zone, int, list[int]]] = [
        (zone.zone, holder, state.things(zone.zone, holder))
        for zone in held.zones
        for holder in zone.zone.holders
    ]
    hidden = [
        (number, position)
        for number, (zone, holder, things) in enumerate(slots)
        if not sight.sees_zone(seat, zone, holder)
        for position in range(len(things))
    ]
    by_kind: dict[str, list[tuple[int, int]]] = {}
    for number, position in hidden:
        by_kind.setdefault(slots[number][0].holds, []).append((number, position))
    for places in by_kind.values():
        things = [slots[number][2][position] for number, position in places]
        dice.shuffle(things)
        for (number, position), thing in zip(places, things, strict=True):
            slots[number][2][position] = thing
    for zone, holder, things in slots:
        place = state.layout.zones[zone.name]
        at = place.base + place.step * (holder - place.first)
        engine.set_cell(held.sets, at + held.offset, sum(1 << thing for thing in things))
        for thing in things:
            engine.set_cell(held.place_column, thing, at)
        if place.rows is not None:
            index = holder - place.first if len(zone.holders) > 1 else 0
            engine.row(place.rows, index)[:] = things


def look(game: api.Game, seat: str) -> str:
    return json.dumps(game.view(seat), sort_keys=True)


def assert_hidden_is_hidden(game: api.Game, steps: int, seed: int) -> int:
    dice = random.Random(seed)
    stirred = 0
    for _ in range(steps):
        decision = game.pending
        if decision is None:
            break
        answer = some_answer(decision, dice)
        for number, seat in enumerate(game.seats):
            before = look(game, seat)
            words = game._driver.engine.save()
            stir(game, number, dice)
            stirred += game._driver.engine.save() != words
            assert look(game, seat) == before
            game._driver.engine.load(words)
        game.apply(answer)
    return stirred


@pytest.mark.parametrize("seed", range(3))
def test_views_do_not_depend_on_what_is_hidden(duel: api.Variant, seed: int) -> None:
    game = duel.new_game(seed, ["person", "person", "bold"])
    assert assert_hidden_is_hidden(game, 40, seed) > 100


@pytest.mark.parametrize("name", VARIANTS)
def test_bundled_views_do_not_depend_on_what_is_hidden(name: str) -> None:
    try:
        variant = api.load_variant(name)
    except api.RulesError as error:
        pytest.skip(f"{name} has mistakes: {error}")
    game = variant.new_game(4, ["person", "person", *["random"] * (variant.players - 2)])
    assert assert_hidden_is_hidden(game, 25, 1) > 0


def test_views_show_what_is_declared(duel: api.Variant) -> None:
    game = duel.new_game(4, ["person", "person", "person"])
    mine, other = game.view("ann"), game.view("ben")
    players = mine["players"]
    assert isinstance(players, dict)
    ann, ben = players["ann"], players["ben"]
    assert isinstance(ann, dict)
    assert isinstance(ben, dict)
    hand = ann["hand"]
    assert isinstance(hand, list)
    assert len(hand) == 3
    assert ben["hand"] == {"count": 3}
    assert "mood" in ann
    assert "mood" not in ben
    things = mine["things"]
    assert isinstance(things, dict)
    assert things["table"] == {"objected": False, "draw": {"count": 21}, "pile": []}
    assert mine["question"] == {
        "name": "stake",
        "prompt": "stake",
        "scope": {"player": "ann", "p": "ann"},
        "options": ["pick"],
        "may_pass": False,
        "shows": [],
    }
    assert all(card not in json.dumps(other) for card in hand)


def test_a_revealed_field_is_seen_by_whom_it_was_revealed_to(duel: api.Variant) -> None:
    known = 0
    for seed in range(6):
        game = duel.new_game(seed, ["person", "bold", "bold"])
        dice = random.Random(seed)
        for _ in range(40):
            decision = game.pending
            if decision is None:
                break
            game.apply(some_answer(decision, dice))
            cards = game.view("ann")["entities"]
            assert isinstance(cards, dict)
            assert game.view("ben")["entities"] != cards or not cards
            known += len(cards)
    assert known


def test_others_are_not_told_who_is_asked_in_secret(duel: api.Variant) -> None:
    game = duel.new_game(1, ["person", "person", "person"])
    game.apply(1, seat="ben")
    seen = game.view("cleo")
    assert "waiting_for" not in seen
    assert "ben" not in {decision.seat for decision in game.decisions}
    players = seen["players"]
    assert isinstance(players, dict)
    ben = players["ben"]
    assert isinstance(ben, dict)
    assert ben["stake"] == 0


def test_logs_name_no_card_that_is_hidden(duel: api.Variant) -> None:
    for seed in range(4):
        game = duel.new_game(seed, ["person", "bold", "bold"])
        dice = random.Random(seed)
        seen: set[str] = set()
        while (decision := game.pending) is not None:
            view = game.view("ann")
            text = json.dumps(view)
            seen |= {f"Card {n}" for n in range(1, 31) if f'"c{n}"' in text}
            game.apply(some_answer(decision, dice))
        final = game.view("ann")
        seen |= {f"Card {n}" for n in range(1, 31) if f'"c{n}"' in json.dumps(final)}
        lines = "\n".join(game.log("ann")) + "\n"
        told = {
            f"Card {n}" for n in range(1, 31) if f"Card {n} " in lines or f"Card {n}\n" in lines
        }
        assert told <= seen
        assert "your cards are worth" not in "\n".join(game.log("ben"))


def test_why_gives_places_of_rules(duel: api.Variant) -> None:
    game = duel.new_game(1, ["person", "bold", "bold"])
    game.apply(0)
    decision = game.pending
    assert decision is not None
    show = next(answer for answer in decision.answers() if answer.name == "show")
    game.apply(show)
    lines = game.why()
    option = next(line for line in lines if line.kind == "option")
    assert option.what == "show"
    assert "duel.rules:" in option.place
    known = game.why("ben")
    assert all(line.texts[1] is not None or line.kind in ("rule", "watch") for line in known)


def test_public_windows_are_passed_only_where_all_could_tell(duel: api.Variant) -> None:
    """With two people, whoever has cards is asked whether to object, able to or not."""
    posed = 0
    for seed in range(6):
        game = duel.new_game(seed, ["person", "person", "bold"])
        dice = random.Random(seed)
        for _ in range(60):
            decision = game.pending
            if decision is None:
                break
            if decision.question == "objections":
                view = game.view(decision.seat)["players"]
                assert isinstance(view, dict)
                mine = view[decision.seat]
                assert isinstance(mine, dict)
                assert mine["hand"] != []
                posed += [str(answer) for answer in decision.answers()] == ["pass"]
            game.apply(some_answer(decision, dice))
    assert posed


JOKERS = """\
kind Card
kind Joker is Card
thing table
    deck: holds Card starts Card, ordered, seen by nobody
    jokers: holds Joker, ordered, seen by nobody
add to Player
    hand: holds Card, seen by owner
rule deal: before set_up
    move [each c in table.deck] to first(Player).hand
rule give: after take_turn by player
    let joker = first(each c in player.hand where c is Joker)
    if joker is not none and joker is Joker
        say "{player} gives {joker}"
        move joker under table.deck
    let other = first(each c in table.deck where c is Joker)
    if other is not none and other is Joker
        move other to table.jokers
    ask player about ending
        * rest
        * stop
            end game
"""


def test_logs_name_a_hidden_thing_by_what_its_reader_may_know(tmp_path: Path) -> None:
    """What a rule knows of it where it moves it is hidden; what a zone holds is not."""
    data = "    - {id: one, kind: Joker}\n    - {id: two}\n    - {id: three}\n"
    variant = api.load_variant(write_game(tmp_path, JOKERS, "jokers", data), players=2)
    game = variant.new_game(1, ["person", "person"])
    lines = {seat: "\n".join(game.log(seat)) for seat in ("ann", "ben")}
    assert "A card goes to the table" in lines["ben"]
    assert "gives a card" in lines["ben"]
    assert "A joker goes to the table" in lines["ben"]
    assert "gives One" in lines["ann"]
