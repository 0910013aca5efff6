"""The log that people read: sentences under what caused them, in the words of the rules, and
nothing of how the program works."""

from __future__ import annotations

import re
from itertools import cycle, islice
from pathlib import Path

import pytest
from session_games import write_game

from interpreter import api

TELLING = """\
kind Card
    value: 1..9
thing deck
    cards: holds Card starts Card, ordered, seen by nobody
    pile: holds Card
kind Sum, made in play up to 4
    owed: 0..9
add to Player
    hand: holds Card, seen by owner
    sums: holds Sum up to 4
    score: 0..90 starts 0
unit bead
add to Player
    beads: holds bead starts 9
    spare: holds bead

replace define player.final_score: 0..90 = player.score

event bell by player
event hush by player
    says nothing

to draw by player
    says "{player} takes from the top"
    move top(1, deck.cards) to player.hand
to settle by player
    move 1 bead from player to player.spare
    let debt = new Sum(owed: 3)
    move debt to player.sums

option play in moves by player
    as "Play {card} for {card.value}"
    says "{player} plays {[card, card.value]}" otherwise "{player} plays something"
    which card in player.hand
    move card to deck.pile
    player.score = min(90, player.score + card.value)
    bell by player
option look in moves by player
    as "Look"
    says "{player} looks at {card}" otherwise "{player} looks at a hand"
    which card in player.hand
    end moving
option wait in moves by player
    settle by player
window moves by player
    ask each p in [player]
    exactly one
    as "{player}, what now? You have {count(player.hand)}"

to moving by player
    open moves by player

rule ring: after bell by player
    say "a bell rings"
    move 1 bead from player to player.spare

rule turn_of: after take_turn by player
    draw by player
    hush by player
    moving by player
    ask player about more
        as "Enough, {player}?"
        * yes_please
            as "Enough"
            end game
        * go_on
"""


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> api.Variant:
    path = write_game(tmp_path_factory.mktemp("telling"), TELLING)
    return api.load_variant(path, players=2, cached=False)


def at_the_first_question(telling: api.Variant) -> api.Game:
    return telling.new_game(seed=4, seats=["person", "person"])


def test_a_sentence_covers_its_block_and_rules_speak_for_themselves(telling: api.Variant) -> None:
    game = at_the_first_question(telling)
    drawn = game.view("ann")["players"]["ann"]["hand"][0]
    name = telling.names()["Card"][drawn]
    value = telling.data("Card")[drawn]["value"]
    game.apply({"answer": "play", "picks": {"card": drawn}})
    said = [
        "Ann is on turn",
        "  Ann takes from the top",
        f"    Ann gets {name}",
        f"  Ann plays {name} and {value}",
        "    Ann: bell",
        "      A bell rings",
        "      Ann puts 1 bead down",
    ]
    assert game.log("ann") == said
    assert game.log("ben") == said[:2] + said[3:]  # what was drawn, he can't see


def test_what_was_looked_at_alone_is_told_to_who_saw_it(telling: api.Variant) -> None:
    game = at_the_first_question(telling)
    drawn = game.view("ann")["players"]["ann"]["hand"][0]
    game.apply({"answer": "look", "picks": {"card": drawn}})
    assert game.log("ann")[-1] == f"  Ann looks at {telling.names()['Card'][drawn]}"
    assert game.log("ben")[-1] == "  Ann looks at a hand"


def test_without_a_sentence_the_names_of_answers_and_what_moves_are_told(
    telling: api.Variant,
) -> None:
    game = at_the_first_question(telling)
    game.apply("wait")
    assert game.log("ben")[-2:] == ["  Ann: wait", "    Ann puts 1 bead down"]
    assert any("sum 1" in line for line in game.log(None, details=True))


def test_what_is_left_early_holds_nothing_behind_it(telling: api.Variant) -> None:
    game = at_the_first_question(telling)
    drawn = game.view("ann")["players"]["ann"]["hand"][0]
    game.apply({"answer": "look", "picks": {"card": drawn}})
    game.apply("go_on")
    assert game.log("ben")[-3:] == [
        "  Ann: go on",
        "Ben is on turn",
        "  Ben takes from the top",
    ] or (game.log("ben")[-2].startswith("  Ben takes"))


def test_questions_and_answers_are_put_as_the_rules_say(telling: api.Variant) -> None:
    game = at_the_first_question(telling)
    decision = game.pending
    assert decision is not None
    drawn = game.view("ann")["players"]["ann"]["hand"][0]
    name, value = telling.names()["Card"][drawn], telling.data("Card")[drawn]["value"]
    assert decision.prompt == "Ann, what now? You have 1"
    assert decision.is_put
    labels = [decision.label(answer) for answer in decision.answers()]
    assert labels == [f"Play {name} for {value}", "Look", None]
    game.apply("wait")
    assert game.pending is not None
    assert game.pending.prompt == "Enough, Ann?"
    assert [game.pending.label(answer) for answer in game.pending.answers()] == ["Enough", None]


# ---------------------------------------------------------------- every game

PATH = re.compile(r"\.rules\b|:\d+\b(?!\d)")
IDENTIFIER = re.compile(r"\b[a-z]+_[a-z_]+\b")


def read_all(name: str, seeds: range, tmp: Path | None = None) -> None:
    """Every line that any seat reads in some games."""
    variant = api.load_variant(name)
    bots = [each for each in variant.strategies if each != "random"]
    program = variant.compiled.program
    pools = [family.name for family in program.families.values() if family.pool]
    numbered = re.compile(
        "|".join(rf"\b{_words(pool)} \d+\b" for pool in pools) or "(?!)", re.IGNORECASE
    )
    for seed in seeds:
        seats = list(islice(cycle(bots if seed % 2 else ["random"]), len(variant.seats)))
        game = variant.new_game(seed=seed, seats=seats)
        for seat in (*variant.seats, None):
            for line in game.log(seat):
                for wrong in (PATH, IDENTIFIER, numbered, re.compile("[{}→]")):
                    assert not wrong.search(line), (name, seed, line)


def _words(kind: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", " ", kind).lower()


@pytest.mark.parametrize("name", api.variants())
def test_no_line_of_a_log_speaks_of_the_program(name: str) -> None:
    read_all(name, range(1, 2))


@pytest.mark.long
@pytest.mark.parametrize("name", api.variants())
def test_no_line_of_many_logs_speaks_of_the_program(name: str) -> None:
    read_all(name, range(2, 22))
