"""Pairs of games that differ only in marks that nobody has seen: every seat sees, reads, is offered
and is refused the same, until a note or card is decoded that tells the two apart."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from session_games import some_answer

from interpreter import api
from interpreter.cli.suggesting import suggested_sets

SEATS = 4
DECODED = ("has found a fake", "is genuine", "is fake", "was fake", "challenge")

MOD = """\
mod: other_marks
title: "Other marks"
overlay_for: [crooked_cash]
"""

RULES = """\
-- As many fakes as before, but of each value one that was is not, and one that was not is.
rule other_marks: after set_up
    for each s in Stack
        let forged = [each n in Note where n.value is s.value and n.fake]
        let real = [each n in Note where n.value is s.value and not n.fake]
        let no_more = lowest(forged)
        let instead_of_it = lowest(real)
        for each n in no_more
            n.fake = no
        for each n in instead_of_it
            n.fake = yes
define lowest(notes: list of Note): list of Note
    [each n in notes where all(n is m or position(Note, n) < position(Note, m) for each m in notes)]
"""


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[api.Variant, api.Variant]:
    """The game, and the same with some marks exchanged after the deal."""
    mod = tmp_path_factory.mktemp("marks") / "other_marks"
    (mod / "rules").mkdir(parents=True)
    (mod / "mod.yaml").write_text(MOD, encoding="utf-8")
    (mod / "rules/other_marks.rules").write_text(RULES, encoding="utf-8")
    plain = api.load_variant("crooked_cash", players=SEATS)
    return plain, api.load_variant("crooked_cash", players=SEATS, mods=[mod], cached=False)


def marks(game: api.Game) -> list[bool]:
    """Which notes are fakes, as nobody sees it."""
    driver = game._driver
    assert game.pending is not None, "the live state is that at the question"
    column = driver.compiled.program.columns["Note.fake"]
    notes = driver.compiled.program.kinds["Note"].members
    return [bool(driver.state.number(column, note)) for note in notes]


def seen(game: api.Game) -> Iterator[object]:
    """All that any seat gets to see, and why answers are refused to those who are asked."""
    for seat in game.seats:
        yield seat, game.view(seat)
        yield seat, game.log(seat, max(0, game.phases - 2), details=True)
        yield seat, [(line.text, line.place) for line in game.why(seat)]
    for decision in game.decisions:
        listed = decision.answers()
        yield decision.seat, decision.question, decision.prompt, decision.scope, decision.options
        yield decision.seat, [str(answer) for answer in listed]
        for option in decision.options:
            for note in ("note_500_1", "note_100_2", "note_10_3"):
                for pick in ("note", "card", "notes"):
                    value = [note] if pick == "notes" else note
                    yield option, decision.why_not(api.Answer(option, {pick: value}))


def chosen(decision: api.Decision, dice: random.Random) -> api.Answer:
    """A legal answer, for notes to lay down one that fits."""
    if decision.form == "pick" and isinstance(some := decision.choices("pick"), api.Several):
        [word] = decision.answers()[0].picks

        def fits(things: list[str]) -> bool:
            return decision.why_not(api.Answer("pick", {word: things})) is None

        looks = [thing.rpartition("_")[0] for thing in some.of]
        sizes = range(some.least, some.most + 1)
        found = list(suggested_sets(some.of, looks, sizes, fits, 6))
        return api.Answer("pick", {word: dice.choice(found)})
    return some_answer(decision, dice)


@pytest.mark.parametrize("seed", [3, 4])
def test_people_are_told_the_same(pair: tuple[api.Variant, api.Variant], seed: int) -> None:
    one, other = (variant.new_game(seed, ["person"] * SEATS) for variant in pair)
    hidden = marks(one)
    assert sum(hidden) == sum(marks(other))
    assert hidden != marks(other)
    dice = random.Random(seed)
    same = 0
    for _ in range(150):
        if list(seen(one)) != list(seen(other)):
            break
        same += 1
        decision = one.pending
        if decision is None:
            break
        answer = chosen(decision, dice)
        decodes = str(answer).startswith("challenge")
        one.apply(answer, seat=decision.seat)
        other.apply(answer, seat=decision.seat)
    assert same > 20
    if list(seen(one)) != list(seen(other)):
        assert decodes, f"told apart by {answer}"


@pytest.mark.parametrize("seed", range(5))
def test_strategies_answer_the_same(pair: tuple[api.Variant, api.Variant], seed: int) -> None:
    seats = ["sceptic", "hoarder", "shifty", "trusting"]
    one, other = (variant.new_game(seed, seats) for variant in pair)
    assert one.is_over
    for seat in one.seats:
        lines, others = one.log(seat), other.log(seat)
        assert len(lines) > 50
        first = next(
            (n for n, two in enumerate(zip(lines, others, strict=False)) if two[0] != two[1]), None
        )
        if first is not None:
            told = (lines[first], others[first])
            assert any(word in line for line in told for word in DECODED), told
