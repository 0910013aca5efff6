"""Saved games: damaged ones and those of other rules are refused with a reason."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from session_games import DUEL, some_answer, write_game

from interpreter import api
from interpreter.session import records


@pytest.fixture(scope="module")
def saved(duel: api.Variant) -> str:
    game = duel.new_game(6, ["person", "person", "bold"])
    dice = random.Random(6)
    for _ in range(25):
        decision = game.pending
        assert decision is not None
        game.apply(some_answer(decision, dice))
    return game.save()


def refusal(variant: api.Variant, text: str) -> str:
    with pytest.raises(api.SaveError) as raised:
        variant.load(text)
    return str(raised.value)


def test_damage_is_told(duel: api.Variant, saved: str) -> None:
    assert "not a saved game, or it is damaged" in refusal(duel, "")
    assert "not a saved game, or it is damaged" in refusal(duel, saved[: len(saved) // 2])
    assert refusal(duel, "[1, 2]") == "This is not a saved game of Rulewright."
    assert refusal(duel, "{}") == "This is not a saved game of Rulewright."
    content = json.loads(saved)
    content["rulewright"] = 99
    assert "format 99" in refusal(duel, json.dumps(content))
    content = json.loads(saved)
    content["seed"] = 7
    assert "damaged or changed" in refusal(duel, json.dumps(content))
    assert "damaged" in refusal(duel, "[" * 100_000)
    assert refusal(duel, "1" * 5_000) == "This is not a saved game, or it is damaged."
    assert "see line 1, column 1." in refusal(duel, "x")


@pytest.mark.parametrize("seed", range(40))
def test_any_damage_is_refused(duel: api.Variant, saved: str, seed: int) -> None:
    dice = random.Random(seed)
    place = dice.randrange(len(saved))
    other = dice.choice('0123456789abc[]{}," ')
    text = saved[:place] + other + saved[place + 1 :]
    if json_or_none(text) == json.loads(saved):
        return
    with pytest.raises(api.SaveError):
        duel.load(text)


def json_or_none(text: str) -> object:
    try:
        return json.loads(text)
    except ValueError:
        return None


def resealed(text: str, **changes: object) -> str:
    """A changed saved game whose hash fits again, as a forger would make it."""
    content = json.loads(text) | changes
    content["check"] = records._check(content)
    return json.dumps(content)


def test_logs_that_do_not_fit_are_refused(duel: api.Variant, saved: str) -> None:
    content = json.loads(saved)
    assert "another version" in refusal(duel, resealed(saved, seed=7))
    assert "another version" in refusal(duel, resealed(saved, state="0" * 32))
    shorter = content["phases"][:-1]
    assert "another version" in refusal(duel, resealed(saved, phases=shorter))
    assert "incomplete or damaged" in refusal(duel, resealed(saved, phases=None))
    assert "incomplete or damaged" in refusal(duel, resealed(saved, log=[[99, 0, 1]]))
    assert "does not fit" in refusal(duel, resealed(saved, seats=["brave"] * 3))
    assert "incomplete or damaged" in refusal(duel, resealed(saved, players=2))
    assert "incomplete or damaged" in refusal(duel, resealed(saved, envelopes=[[0, -2, 1]]))


ODD = [
    0, 1, -1, 2, 99, 1 << 31, 1 << 40, -(1 << 70), 1.5, True, None, "", "pass", "bold", "change",
    [], [0], [[]], {}, 10**30, "\x1b[2J",
]  # fmt: skip


def forged(text: str, dice: random.Random) -> str:
    """A saved game with something else in one or two places, mostly of its answers, resealed."""
    content = json.loads(text)
    for _ in range(dice.choice((1, 1, 2))):
        places = list(places_of(content))
        answers = [place for place in places if place[0] in ("phases", "log", "envelopes")]
        *way, last = dice.choice(answers if answers and dice.random() < 0.8 else places)
        here = content
        for step in way:
            here = here[step]
        if isinstance(here[last], int) and dice.random() < 0.4:
            here[last] += dice.choice((-1, 1, 2, 32))
        elif isinstance(here, list) and dice.random() < 0.2:
            del here[last]
        else:
            here[last] = dice.choice(ODD)
    return resealed(json.dumps(content))


def places_of(value: object, way: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The ways to all that is in a saved game."""
    if way:
        yield way
    if isinstance(value, dict | list):
        inner = value.items() if isinstance(value, dict) else enumerate(value)
        for key, one in inner:
            if key != "check":
                yield from places_of(one, (*way, key))


@pytest.fixture(scope="module")
def sealed(duel: api.Variant) -> str:
    """A game in which one of two people has answered a secret question."""
    game = duel.new_game(6, ["person", "person", "bold"])
    assert [one.question for one in game.decisions] == ["stake"] * 2
    game.apply(1, seat=game.decisions[0].seat)
    return game.save()


@pytest.mark.parametrize("part", range(10))
def test_forged_games_are_refused_or_go_on(
    duel: api.Variant, saved: str, sealed: str, part: int
) -> None:
    """What is loaded is a game like any other: it can be looked at, played and saved."""
    for seed in range(100 * part, 100 * part + 100):
        dice = random.Random(seed)
        try:
            game = duel.load(forged(dice.choice((saved, sealed)), dice))
        except api.SaveError:
            continue
        for _ in range(3):
            for seat in game.seats:
                assert game.view(seat)
                game.log(seat)
            if game.pending is not None:
                game.apply(some_answer(game.pending, dice))
        assert duel.load(game.save()).digest() == game.digest()


@pytest.mark.parametrize("depth", [*range(100, 1000, 60), 100_000])
def test_a_saved_game_that_is_nested_deep_is_damaged(duel: api.Variant, depth: int) -> None:
    inner = "[" * depth + "]" * depth
    text = f'{{"rulewright": {records.FORMAT}, "log": {inner}, "check": ""}}'
    assert "damaged" in refusal(duel, text)


def test_other_rules_are_refused(duel: api.Variant, saved: str, tmp_path: Path) -> None:
    folder = write_game(tmp_path)
    two = api.load_variant(folder, players=2, cached=False)
    assert refusal(two, saved) == "This game is for 3 players, not 2."
    switched = api.load_variant(folder, players=3, switches={"hand_size": "4"}, cached=False)
    told = refusal(switched, saved)
    assert told == "This game was saved with other switches: hand_size was 3."
    changed = write_game(tmp_path / "changed", DUEL.replace("card.value, 900", "card.value, 800"))
    other = api.load_variant(changed, players=3, cached=False)
    assert "other rules or data of Duel" in refusal(other, saved)
    renamed = write_game(tmp_path, DUEL, name="contest")
    contest = api.load_variant(renamed, players=3, cached=False)
    assert refusal(contest, saved) == "This is a saved game of Duel, not of Contest."


SAME_GAME = {
    "a comment": ("kind Card\n", "-- Thirty of them.\nkind Card\n"),
    "brackets": ("needs player.points > 0, ", "needs (player.points > 0), "),
    "a text": ('say "{player} shows {card}"', 'say "{card} is shown by {player}"'),
    "a reason": ('"somebody has objected already"', '"too late"'),
    "what a switch says": ('"Cards dealt"', '"Cards in a hand"'),
    "a strategy": ("        pick 1 if count(me.hand) > 0\n", ""),
}
OTHER_GAME = {
    "a number": ("card.value, 900", "card.value, 899"),
    "a condition": ("needs player.points > 0, ", "needs player.points > 1, "),
    "an order": ("        * rest\n        * boast\n", "        * boast\n        * rest\n"),
    "who sees it": ("hand: holds Card, seen by owner", "hand: holds Card"),
    "a statement less": ("    table.objected = no\n    move", "    move"),
    "a start": ("points: 0..1000 starts 0", "points: 0..1000 starts 1"),
}


@pytest.mark.parametrize("what", [*SAME_GAME, *OTHER_GAME])
def test_a_save_names_what_the_rules_mean(saved: str, tmp_path: Path, what: str) -> None:
    before, after = (SAME_GAME | OTHER_GAME)[what]
    assert before in DUEL
    variant = api.load_variant(
        write_game(tmp_path, DUEL.replace(before, after)), players=3, cached=False
    )
    if what in OTHER_GAME:
        assert "other rules or data of Duel" in refusal(variant, saved)
    else:
        again = variant.load(saved)
        assert json.loads(again.save()) == json.loads(saved)


@pytest.mark.parametrize(
    ("before", "after", "is_same"),
    [
        ("things:\n", "# All of them.\nthings:\n", True),
        ("Card 4", "Card the fourth", True),
        ('title: "Duel"', 'title: "The duel"', True),
        ("value: 5", "value: 6", False),
        ("{id: cleo,", "{id: clea,", False),
    ],
)
def test_a_save_names_what_the_data_mean(
    saved: str, tmp_path: Path, before: str, after: str, is_same: bool
) -> None:
    folder = write_game(tmp_path)
    path = folder / "variant.yaml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")
    variant = api.load_variant(folder, players=3, cached=False)
    if is_same:
        again = variant.load(saved)
        assert json.loads(again.save())["phases"] == json.loads(saved)["phases"]
    else:
        assert "other rules or data of" in refusal(variant, saved)


def test_other_mods_are_refused() -> None:
    plain = api.load_variant("classic", players=2)
    with_mod = api.load_variant("classic", players=2, mods=["no_auctions"])
    text = with_mod.new_game(1).save()
    told = refusal(plain, text)
    assert told == "This game was saved with no_auctions; these rules are without mods."


def test_bots_can_be_put_back(duel: api.Variant) -> None:
    def first(view: api.View, decision: api.Decision) -> api.Answer:
        return decision.answers()[0]

    game = duel.new_game(2, ["person", first, "bold"])
    text = game.save()
    assert duel.load(text).players["ben"] == "person"
    again = duel.load(text, bots={"ben": first})
    assert again.players == game.players
    assert again.save() == text


def test_a_finished_game_is_saved_too(duel: api.Variant) -> None:
    game = duel.new_game(2, ["bold", "bold", "random"])
    assert game.is_over
    again = duel.load(game.save())
    assert (again.end, again.winners, again.scores) == (game.end, game.winners, game.scores)
    assert again.digest() == game.digest()
