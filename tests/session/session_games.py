"""Small games for the tests of this folder, written on the spot, and helpers to play any game."""

from __future__ import annotations

import random
from pathlib import Path

from interpreter import api

HEADER = """\
variant: {name}
title: "{title}"
players: {{min: 2, max: 4}}
uses: [seats]
seats:
  - {{id: ann, name: "Ann"}}
  - {{id: ben, name: "Ben"}}
  - {{id: cleo, name: "Cleo"}}
  - {{id: dan, name: "Dan"}}
things:
  cards:
"""

CARDS = "\n".join(f'    - {{id: c{n}, name: "Card {n}", value: {n % 9 + 1}}}' for n in range(1, 31))

# Hidden hands, a hidden deck, a hidden mark, secret bets, a reaction window, picks of all forms.
DUEL = """\
kind Card
    value: 1..9
    marked: flag starts no, seen by nobody

thing table
    draw: holds Card starts Card, ordered, seen by nobody
    pile: holds Card, ordered
    objected: flag starts no

add to Player
    hand: holds Card, seen by owner
    points: 0..1000 starts 0
    stake: 0..3 starts 0
    mood: 0..9 starts 0, seen by owner

switch hand_size: 1..5 = 3, "Cards dealt"

replace define player.final_score: money = player.points

rule deal: before set_up
    shuffle table.draw
    for each c in Card
        luck picks n in 1..4
        c.marked = n is 1
    for each p in players
        move top(hand_size, table.draw) to p.hand
        luck picks n in 0..9
        p.mood = n

rule play_on: after take_turn by player
    secretly ask each p in players how much bet to stake in 0..min(3, count(p.hand))
        for each p in players
            p.stake = bet[p]
    open moves of player
    ask player about ending
        * rest
        * boast
            needs player.points > 2, "{player} has only {player.points} points"
            player.points = player.points + 1
    if count(table.draw) is 0
        end game
    move top(1, table.draw) to player.hand

window moves of actor: Player
    ask each p in [actor]
    until all pass

option show in moves by player of actor: Player
    which card in player.hand
    table.objected = no
    move card to table.pile
    open objections of player
    if not table.objected
        player.points = min(player.points + card.value, 900)
        say "{player} shows {card}"
        if card.marked
            reveal card.marked to player

option look in moves by player of actor: Player
    which 1..2 cards in player.hand such that (
        cards.worth < 9), "worth {cards.worth}, not below 9"
    needs player.points > 0, "{player} has nothing to pay with"
    player.points = player.points - 1
    say "your cards are worth {sum(c.value for each c in cards)}" to player
    move cards to table.pile

window objections of actor: Player
    ask each p in actor.others
    until all pass

option object in objections by player of actor: Player
    which card in player.hand where card.value >= 6
    needs not table.objected, "somebody has objected already"
    table.objected = yes
    move card to table.pile

define (cards: list of Card up to 30).worth: 0..300 = sum(c.value for each c in cards)

always every_card: (count(table.draw) + count(table.pile)
    + sum(count(p.hand) for each p in Player)) is count(Card)

strategy bold
    for stake
        pick 1 if count(me.hand) > 0
        pick 0
    for moves
        show with the most card.value
        pass
    for objections
        object with the least card.value
        pass
    for ending
        boast
        rest
"""


def write_game(folder: Path, rules: str = DUEL, name: str = "duel", data: str = CARDS) -> Path:
    """A variant in a folder of its own."""
    here = folder / name
    (here / "rules").mkdir(parents=True)
    header = HEADER.format(name=name, title=name.capitalize())
    (here / "variant.yaml").write_text(header + data + "\n", encoding="utf-8")
    (here / "rules" / f"{name}.rules").write_text(rules, encoding="utf-8")
    return here


def closed(answer: api.Answer, dice: random.Random) -> api.Answer:
    """An answer with something chosen wherever it was left open."""
    picks: dict[str, object] = {}
    for name, value in answer.picks.items():
        if isinstance(value, api.Amount):
            value = dice.choice(range(value.low, value.high + 1, value.step))
        elif isinstance(value, api.Several):
            value = dice.sample(value.of, dice.randint(value.least, min(value.most, 3)))
        picks[name] = value
    return api.Answer(answer.name, picks)  # type: ignore[arg-type]


def some_answer(decision: api.Decision, dice: random.Random) -> api.Answer:
    """A legal answer at random."""
    listed = decision.answers()
    assert listed, f"nothing can be answered to {decision}"
    for _ in range(200):
        answer = closed(dice.choice(listed), dice)
        if decision.why_not(answer) is None:
            return answer
    return next(answer for answer in listed if decision.why_not(answer) is None)


def position(game: api.Game) -> tuple[object, ...]:
    """Everything that can be seen of a game from outside, the open questions included."""
    questions = [
        (d.seat, d.question, d.scope, d.options, [str(answer) for answer in d.answers()])
        for d in game.decisions
    ]
    return (game.digest(), questions, game.end, [game.view(seat) for seat in game.seats])
