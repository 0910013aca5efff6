"""What a line waits for: only what can make its answer possible wakes it."""

from __future__ import annotations

import pytest
from flat_games import MARKET, checked, digests, lowered, program_of

from dsl.core import nodes as core
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.expr.consumed_answers import is_taken
from interpreter.flat.incremental.reads import ANY, LESS, MORE, OwnSubjects, Read, reads_of
from interpreter.flat.lower import ProgramLowering, lower_program

TILLS = """
add to Stall
    till: holds money
    worn: flag starts no
add to game
    host: Player starts first(Player)
option empty_till in market by player
    which stall in player.stalls
    how much amount in 1..stall.till
    move amount from stall to player
option mend in market by player
    which stall in player.stalls
    needs stall.worn, "it is as new"
    needs player.cash >= 1, "it costs 1"
    move 1 from player to bank
    stall.worn = no
rule takings: before take_turn by player
    for each s in Stall where s.owner is not none
        move 1 from bank to s
        s.worn = yes
    game.host = next_of(players, game.host)
strategy collector
    for market
        pass if me is game.host and me.cash > 3
        mend
        buy if all(s.lit for each s in me.stalls) with the least stall.price
        light if count(me.stalls) > 1 and me is not game.host
        empty_till(stall: s, amount: 5) for each s in me.stalls
        pass
strategy closer
    for market
        buy if me is game.host with the least stall.price
        pass if me.cash < 12 or any(not s.worn for each s in me.stalls)
        light
        empty_till(stall: s, amount: 2) for each s in me.stalls where s.lit
        mend
        pass
"""
ME = OwnSubjects(frozenset({"player", "me"}))
STALLS, LIT, CASH = "held:Stall", "Stall.lit", "Player.cash"


def lowering() -> ProgramLowering:
    return ProgramLowering(program_of("market", 3), Options())


def head_of(option: str) -> core.Expr | core.Generator:
    """What an option goes through, with its needs as conditions."""
    low = lowering()
    pick, *needs = low.program.options[option].head
    assert isinstance(pick, core.HeadPick)
    where = pick.where
    for one in needs:
        assert isinstance(one, core.HeadNeeds)
        where = one.condition
    return core.Generator(pick.name, pick.type, pick.source, where)


def found(expr: object, sign: int = MORE) -> set[Read]:
    return set(reads_of(lowering(), expr, ME, sign))


def test_a_flag_of_what_one_holds() -> None:
    comes = Read(STALLS, own=True, sign=MORE, where=(LIT, False))
    assert found(head_of("light")) == {comes, Read(LIT, own=True, sign=LESS)}


def test_what_somebody_else_holds_is_nobodys_own() -> None:
    assert found(head_of("buy")) == {Read(STALLS, False, MORE), Read(CASH, True, MORE)}


def test_turned_round() -> None:
    whole = lowering().program.defines["Player.whole_lanes"].variants[0]
    own = OwnSubjects(frozenset({"player"}))
    assert set(reads_of(lowering(), whole.base, own, MORE)) == {Read(STALLS, True, MORE)}
    assert set(reads_of(lowering(), whole.base, own, LESS)) == {Read(STALLS, True, LESS)}
    assert set(reads_of(lowering(), whole.base, own)) == {Read(STALLS, True, ANY)}


def test_being_who_a_field_names() -> None:
    program = program_of("classic", 4)
    low = ProgramLowering(program, Options())
    _, preferences = program.strategies["builder"].sites["moves/free_time"]
    not_active = next(one for one in preferences if one.answer == "pass").condition
    assert set(reads_of(low, not_active, ME, LESS)) == {Read("is:game.active", True, MORE)}
    assert set(reads_of(low, not_active, ME, MORE)) == {Read("is:game.active", True, LESS)}
    assert set(reads_of(low, not_active)) == {Read("game.active", False)}


def test_heeding() -> None:
    assert Read(CASH, True, MORE).heeds(grew=True)
    assert not Read(CASH, True, MORE).heeds(grew=False)
    assert not Read(CASH, True, LESS).heeds(grew=True)
    assert Read(CASH, True, LESS).heeds(grew=None)
    assert Read(CASH, True).heeds(grew=False)


def test_a_read_that_another_covers() -> None:
    assert Read(CASH, True, MORE).is_part_of(Read(CASH, True))
    assert not Read(CASH, True).is_part_of(Read(CASH, True, MORE))
    assert not Read(CASH, True, MORE).is_part_of(Read(CASH, False))
    filtered = Read(STALLS, True, MORE, (LIT, True))
    assert filtered.is_part_of(Read(STALLS, True, MORE))
    assert not Read(STALLS, True, MORE).is_part_of(filtered)


@pytest.mark.parametrize(
    ("option", "taken"), [("light", True), ("sell", True), ("enlarge", False), ("buy", True)]
)
def test_what_an_option_takes_away(option: str, taken: bool) -> None:
    low = lowering()
    pick = low.program.options[option].head[0]
    assert isinstance(pick, core.HeadPick)
    generator = head_of(option)
    assert isinstance(generator, core.Generator)
    assert is_taken(low, low.program.options[option], generator) is taken


def test_most_questions_are_answered() -> None:
    """Of the questions at the window of this strategy, few are put in vain."""
    engine = PythonEngine(lowered("market", 3), cached=False)
    asked = engine.space["bot_thrifty_market"]
    given: list[int] = []
    engine.space["bot_thrifty_market"] = lambda seat: given.append(asked(seat)) or given[-1]
    for game in range(20):
        engine.new_game(7, game)
        for seat in range(3):
            engine.seat(seat, "thrifty")
        engine.play(200)
    assert len(given) > 500
    assert given.count(0) < len(given) - given.count(0)


@pytest.mark.parametrize("strategy", ["collector", "closer"])
def test_tills_marks_and_turns_wake_as_asking_everybody_does(strategy: str) -> None:
    options = Options(host=False, strategies=(strategy,))
    program = lower_program(checked("market", 3, MARKET + TILLS), options)
    usual = digests(program, strategy, 8)
    assert usual == digests(program, strategy, 8, always=True)
    assert len({digest for _, digest in usual}) == 8
