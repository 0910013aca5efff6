"""Games that end at a question, for the tests of this folder: small ones and the bundled ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from interpreter import api
from interpreter.search.hidden import UnseenThings
from interpreter.search.replica import Enough, Replica
from interpreter.session.asked import Asked
from interpreter.session.decision import Decision
from interpreter.session.tape import ReplayMismatch
from interpreter.session.values import members

PLAYERS = {
    "classic": 3,
    "cthulhu": 2,
    "crooked_cash": 4,
    "jackpot": 3,
    "bid": 3,
    "deal": 3,
    "card_game": 5,
}
"""The bundled variants, and for how many they are played here."""

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

CARDS = "\n".join(f'    - {{id: c{n}, name: "Card {n}", value: {n % 3 + 1}}}' for n in range(1, 19))

# Cards wander between an open pile, hands, boxes that nobody looks into, and a pack.
BOXES = """\
kind Card
    value: 1..3
    marked: flag starts no, seen by nobody

thing table
    pack: holds Card starts Card, ordered, seen by nobody
    pile: holds Card, ordered

add to Player
    hand: holds Card, seen by owner
    box: holds Card, seen by nobody, count hidden
    mood: 0..9 starts 0, seen by owner
    stake: 0..3 starts 0

rule deal: before set_up
    shuffle table.pack
    for each c in top(6, table.pack)
        c.marked = yes
    shuffle table.pack
    for each p in players
        move top(3, table.pack) to p.hand
        luck picks n in 0..9
        p.mood = n
    move top(2, table.pack) to table.pile

rule play_on: after take_turn by player
    open moves of player
    secretly ask each p in players how much bet to stake in 0..min(3, count(p.hand))
        for each p in players
            p.stake = bet[p]

window moves of actor: Player
    ask each p in [actor]
    exactly one

option take in moves by player of actor: Player
    which card in table.pile
    move card to player.hand
option lay in moves by player of actor: Player
    which card in player.hand
    move card to table.pile
option hide in moves by player of actor: Player
    which card in player.hand
    move card to player.box
option show in moves by player of actor: Player
    which card in table.pile
    move card to table.pile
    if card.marked
        reveal card.marked to player
option mix in moves by player of actor: Player
    move player.box to table.pack
    shuffle table.pack
option rest in moves by player of actor: Player
    needs player.stake > 0, "{player} has staked nothing"

always every_card: (count(table.pack) + count(table.pile)
    + sum(count(p.hand) + count(p.box) for each p in Player)) is count(Card)

strategy shy
    for stake
        pick 1
        pick 0
    for moves
        lay with the most card.value
        rest
        mix
"""

# One card each; whoever says rightly whether the other's is higher has won.
GUESS = """\
kind Card
    value: 1..3

thing table
    pack: holds Card starts Card, ordered, seen by nobody

add to Player
    hand: holds Card, seen by owner
    points: 0..9 starts 0

replace define player.final_score: money = player.points

define player.best: 0..3 = max(c.value for each c in player.hand, default: 0)

rule deal: before set_up
    shuffle table.pack
    for each p in players
        move top(1, table.pack) to p.hand

rule play_on: after take_turn by player
    let mine = player.best
    ask player about guess
        * higher
            if any(p.best > mine for each p in player.others)
                player.points = player.points + 1
        * not_higher
            if not any(p.best > mine for each p in player.others)
                player.points = player.points + 1
    end game
"""


def write_game(folder: Path, rules: str, name: str) -> Path:
    """A variant in a folder of its own."""
    here = folder / name
    (here / "rules").mkdir(parents=True)
    header = HEADER.format(name=name, title=name.capitalize())
    (here / "variant.yaml").write_text(header + CARDS + "\n", encoding="utf-8")
    (here / "rules" / f"{name}.rules").write_text(rules, encoding="utf-8")
    return here


class Stop(Exception):
    """Ends a game in which enough was seen."""


def visit_questions(
    variant: api.Variant,
    visit: Callable[[api.View, Decision], object],
    most: int,
    *,
    seed: int = 0,
    chance: float = 0.3,
) -> int:
    """Calls `visit` at some questions of games in which all answer at random, while they are open,
    until it has been called `most` times. Gives how often it was."""
    dice = random.Random(seed)
    visited = 0

    def bot(view: api.View, decision: Decision) -> api.Answer:
        nonlocal visited
        if dice.random() < chance:
            visit(view, decision)
            visited += 1
            if visited >= most:
                raise Stop
        return any_answer(decision, dice)

    for number in range(50):
        game = variant.new_game(seed=seed, game=number, seats=[bot] * variant.players)
        try:
            assert game.is_over
        except Stop:
            break
    return visited


def any_answer(decision: Decision, dice: random.Random) -> api.Answer:
    """A legal answer, something other than a pass more often than not."""
    answers = decision.answers(most=40)
    dice.shuffle(answers)
    if decision.may_pass and dice.random() < 0.5:
        return api.Answer(api.PASS)
    for answer in answers:
        for _ in range(4):
            chosen = _closed(answer, dice)
            if decision.why_not(chosen) is None:
                return chosen
    legal = [answer for answer in decision.answers() if not answer.is_open]
    return legal[0] if legal else _some_set(decision, dice)


def _closed(answer: api.Answer, dice: random.Random) -> api.Answer:
    picks: dict[str, object] = {}
    for name, value in answer.picks.items():
        if isinstance(value, api.Amount):
            value = dice.choice(range(value.low, value.high + 1, value.step))
        elif isinstance(value, api.Several):
            value = dice.sample(value.of, dice.randint(value.least, value.most))
        picks[name] = value
    return api.Answer(answer.name, picks)


def _some_set(decision: Decision, dice: random.Random) -> api.Answer:
    """A legal answer where only a set that fits together will do: things are taken until it
    does."""
    for _ in range(200):
        for answer in decision.answers():
            name, several = next(iter(answer.picks.items()))
            assert isinstance(several, api.Several)
            things = dice.sample(several.of, len(several.of))
            for size in range(several.least, several.most + 1):
                chosen = things[:size]
                for thing in list(chosen):
                    fewer = [one for one in chosen if one != thing]
                    if decision.why_not(api.Answer(answer.name, {name: fewer})) is None:
                        chosen = fewer
                given = api.Answer(answer.name, {name: chosen})
                if decision.why_not(given) is None:
                    return given
    raise AssertionError(f"no legal answer to {decision.question} was found")


def assert_whole(replica: Replica) -> None:
    """Every thing lies in exactly one place, and all that says where agrees."""
    engine, state = replica.engine, replica.state
    for held in state.layout.held.values():
        places = replica.hidden.column(held.place_column)
        sets = replica.hidden.column(held.sets)
        for thing, place in enumerate(places):
            here = [at for at, bits in enumerate(sets) if bits >> thing & 1]
            is_kept = place != -1 or held.keeps_nowhere
            assert here == [place + held.offset] * is_kept, f"{held.family} {thing}"
        for zone in held.zones:
            if zone.rows is None:
                continue
            for position, holder in enumerate(zone.zone.holders):
                row = engine.row(zone.rows, position)
                at = zone.base + zone.step * (holder - zone.first) + held.offset
                assert sorted(row) == members(sets[at])


def exchange_hidden(replica: Replica, seed: int) -> bool:
    """Plays the phase of a question again from a state before it in which things that the seat does
    not know have changed places, as far as they don't move in the phase. False, and nothing has
    changed, if that is seen or makes no difference."""
    seat, hidden, engine = replica.asked.seat, replica.hidden, replica.engine
    dice = random.Random(seed)
    before, state, seen = replica.before, engine.save(), _seen(replica)
    unseen = replica._unseen
    places = [list(hidden.column(things.held.place_column)) for things in unseen.things]
    fields = [
        {entity: hidden._read(one.place, one.knowing, entity) for entity in one.entities}
        for one in unseen.values
    ]
    engine.load(before)
    for things, then in zip(unseen.things, places, strict=True):
        now = hidden.column(things.held.place_column)
        staying = [thing for thing in things.unknown if now[thing] == then[thing]]
        slots = hidden._unseen_things(seat, things.held).slots
        for room in slots:
            bits = sum(1 << thing for thing in staying if now[thing] == room.place)
            here = hidden.column(things.held.sets)[room.at]
            room.known, room.count = here & ~bits, bits.bit_count()
            if room.row is not None:
                row = replica.state.things(room.zone.zone, room.holder)
                room.row = [None if bits >> thing & 1 else thing for thing in row]
        there = [thing for thing in staying if any(now[thing] == room.place for room in slots)]
        dice.shuffle(there)
        hidden._deal_things(UnseenThings(things.held, there, slots), dice)
    for one, values in zip(unseen.values, fields, strict=True):
        same = [
            entity
            for entity, value in values.items()
            if hidden._read(one.place, one.knowing, entity) == value
        ]
        for entity, other in zip(same, dice.sample(same, len(same)), strict=True):
            hidden._write(one, entity, values[other])
    changed = engine.save()
    try:
        _play_to_question(replica, changed)
        if _seen(replica) == seen and engine.save() != state:
            return True
    except ReplayMismatch:
        pass
    _play_to_question(replica, before)
    return False


def _play_to_question(replica: Replica, before: list[int]) -> None:
    replica._before = before

    def look(asked: Asked) -> None:
        replica._unseen = replica.hidden.unseen(asked.seat)
        raise Enough

    replica._to_question(look)
    replica._is_at_question = True


def _seen(replica: Replica) -> tuple[api.View, list[str]]:
    """All that the seat sees at the question, and what it may answer."""
    answers = [str(answer) for answer in replica.answering.listed(replica.asked)]
    return replica.look(replica.asked.seat), answers
