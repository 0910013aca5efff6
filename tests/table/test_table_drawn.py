"""Tables as they are drawn: every game in the middle of play and one that declares nothing, at two
widths, beside what they should look like. RULEWRIGHT_BLESS=1 rewrites the pictures: read them."""

from __future__ import annotations

import io
import json
import os
from dataclasses import asdict
from pathlib import Path

import pytest
from rich.console import Console

from interpreter import api
from interpreter.cli.drawing import Drawing
from interpreter.cli.plain import PlainScreen
from interpreter.session.game import Game
from interpreter.table.describe import Describer

GOLDEN = Path(__file__).parent / "golden"
WIDTHS = (80, 140)
PHASES = {"classic": 100, "cthulhu": 90, "crooked_cash": 60, "bare": 4}

BARE = """\
variant: bare
title: "Bare"
players: {min: 2, max: 3}
uses: [seats]
things:
  cards:
    - {id: c1, name: "Card 1", value: 1}
    - {id: c2, name: "Card 2", value: 2}
    - {id: c3, name: "Card 3", value: 3}
"""
BARE_RULES = """\
kind Card
    value: 1..9
thing pile
    cards: holds Card starts Card, ordered, seen by nobody
    round: 0..90 starts 0
add to Player
    hand: holds Card, seen by owner
    count_of_turns: 0..90 starts 0
rule draws: after take_turn by player
    player.count_of_turns = min(90, player.count_of_turns + 1)
    if count(pile.cards) > 0
        move top(1, pile.cards) to player.hand
    else
        end game
"""


def variant_of(name: str, tmp: Path) -> api.Variant:
    if name != "bare":
        return api.load_variant(name)
    (tmp / "bare/rules").mkdir(parents=True)
    (tmp / "bare/variant.yaml").write_text(BARE)
    (tmp / "bare/rules/bare.rules").write_text(BARE_RULES)
    return api.load_variant(tmp / "bare", players=2, cached=False)


def in_the_middle(variant: api.Variant, phases: int) -> Game:
    """A game that is played by chance: what strategies learn changes no picture."""
    game = Game(variant.compiled, ["random"] * len(variant.seats), seed=3, by_phase=True)
    for _ in range(phases):
        if not game.is_over:
            game.play_phase()
    return game


def pictures(variant: api.Variant, game: Game, width: int) -> str:
    """The table drawn without colours, and in plain lines."""
    describer = Describer(variant.compiled.facts)
    scene = describer.scene(game.view(0))
    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None, highlight=False)
    console.print(Drawing(describer, console).table(scene))
    drawn = "\n".join(line.rstrip() for line in out.getvalue().split("\n"))
    return f"{drawn}\n{PlainScreen(describer, width).table(scene)}\n"


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", [*api.variants(), "bare"])
def test_the_picture_is_that_which_was_read(name: str, width: int, tmp_path: Path) -> None:
    variant = variant_of(name, tmp_path)
    game = in_the_middle(variant, PHASES.get(name, 9))
    picture = pictures(variant, game, width)
    path = GOLDEN / f"{name}_{width}.txt"
    if os.environ.get("RULEWRIGHT_BLESS"):
        path.write_text(picture, encoding="utf-8")
    assert picture == path.read_text("utf-8")
    assert max(map(len, picture.split("\n"))) <= width


@pytest.mark.parametrize("name", [*api.variants(), "bare"])
def test_a_scene_has_nothing_that_the_seat_does_not_see(name: str, tmp_path: Path) -> None:
    """Names of cards that lie where the seat can't see them are in none of its piles."""
    variant = variant_of(name, tmp_path)
    game = in_the_middle(variant, PHASES.get(name, 9))
    describer = Describer(variant.compiled.facts)
    view = game.view(0)
    scene = describer.scene(view)
    for holder in (*scene.seats, *scene.others):
        for pile in holder.piles:
            hidden = pile.count is not None and not pile.is_open and len(pile.cards) < pile.count
            assert not (hidden and pile.cards), (holder.name, pile.label)
    assert json.loads(json.dumps(asdict(scene)))["title"] == variant.title


def test_no_bookkeeping_is_seen(tmp_path: Path) -> None:
    """State is shown where its field says so; what is given and what is held, unless it says no."""
    variant = variant_of("bare", tmp_path)
    picture = pictures(variant, in_the_middle(variant, 3), 80)
    assert "hand" in picture
    for field in ("count of turns", "round", "active"):
        assert field not in picture
    classic = api.load_variant("classic")
    picture = pictures(classic, in_the_middle(classic, 40), 140)
    for field in ("doubles", "next bidder", "opening roll", "again", "turns", "offers"):
        assert field not in picture
    assert "mortgaged" in picture


def test_owners_and_groups_have_their_colours() -> None:
    classic = api.load_variant("classic")
    describer = Describer(classic.compiled.facts)
    scene = describer.scene(in_the_middle(classic, 100).view(0))
    boardwalk = next(place for place in scene.ring if place.name == "Boardwalk")
    assert boardwalk.band == "Dark Blue"
    assert boardwalk.worth == "$400"
    assert boardwalk.owner is not None
    out = io.StringIO()
    console = Console(file=out, width=80, force_terminal=True, color_system="truecolor")
    console.print(Drawing(describer, console).table(scene))
    assert "\x1b[37;48;2;42;63;157mBoardw" in out.getvalue()
    letters = [seat.letter for seat in scene.seats]
    assert len(set(letters)) == len(letters)


def test_a_card_says_all_that_matters() -> None:
    classic = api.load_variant("classic")
    describer = Describer(classic.compiled.facts)
    game = in_the_middle(classic, 100)
    view = game.view(0)
    card = describer.card(view, "Deed", "boardwalk")
    said = {line.label: line.text for line in card.lines}
    assert said["price"] == "$400"
    assert said["group"] == "Dark Blue"
    assert said["rents"] == "$50 · $200 · $600 · $1400 · $1700 · $2000"
    owner = describer.owner(view, "boardwalk")
    assert owner is not None
    assert said["owner"] == describer.seat_name(owner)
    beside = describer.owner(view, "park_place")
    assert card.beside == (f"Park Place ({describer.seat_name(beside)})",)
