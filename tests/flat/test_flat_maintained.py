"""Derived values that are maintained: which ones are, and that at any time they are what they would
be if they were worked out anew."""

from __future__ import annotations

from functools import cache

import pytest
from flat_games import MARKET, checked, digests

from interpreter.engine.native_engine import NATIVE, NativeEngine
from interpreter.engine.python_engine import PythonEngine
from interpreter.flat.context.options import Options
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import all_nodes
from interpreter.flat.lower import lower_program
from interpreter.flat.plan.keeping import NOTHING_KEPT

LANES = """
define player.bright_lanes: list of Lane
    [each r in Lane where all(s.owner is player for each s in r.stalls)
        and not any(not s.lit for each s in r.stalls)]
define player.bright_streets: list of Lane
    [each r in Lane where any(s.owner is player for each s in r.stalls)
        and any(s.lit for each s in r.stalls)]
define player.lanes_in_reach: list of Lane
    [each r in Lane where any(s.owner is player for each s in r.stalls) and player.cash > 9]
define player.neighbours: list of Stall
    [each s in Stall where any(other.owner is player for each other in s.lane.stalls)]
define stall.tier: 0..9 = stall.size + 4 if stall.lit else stall.size
define stall.height: 0..9 = stall.size + 1
define stall.is_grand: flag = stall.size > 2 or (stall.lit and stall.size > 1 and stall.size < 1)
define stall.glow: 0..9 = stall.size + 1 if stall.lit else 0
define stall.shine: 0..99 = stall.glow + stall.tier
define stall.dearer_glow: 0..99 = stall.glow + 1
define stall.best_tier: 0..9 = max(s.tier for each s in stall.lane.stalls, default: 0)

option swap in market by player
    which mine in player.stalls
    which theirs in Stall where theirs.owner is not none and theirs.owner is not player
    needs player.gifts < 9, "enough for a life"
    player.gifts = player.gifts + 1
    exchange mine with theirs

option darken in market by player
    which stall in player.stalls
    needs stall.lit and player.gifts < 20, "it is dark"
    player.gifts = player.gifts + 1
    if stall.size > 1
        for each s in stall.lane.stalls
            s.lit = no
    else
        stall.lit = no

strategy keeper
    for market
        swap for each r in me.started_lanes where r not in me.whole_lanes with the most position(
            Lane, r)
        enlarge(stall: s) for each r in me.bright_lanes for each s in r.stalls with the least s.tier
        darken(stall: s) for each r in me.bright_streets for each s in r.stalls where (
            s.owner is me and s.tier is s.best_tier and s.height > 1)
        buy(stall: s) for each r in me.lanes_in_reach for each s in r.stalls where s.owner is none
        buy(stall: s) for each s in me.neighbours where s.owner is none
        light if any(s.shine > 9 and s.owner is me for each s in Stall)
        light if any(s.dearer_glow > 1 for each s in Stall)
        light if me.cash > 9
        buy
        pass
    for paying
        sell with the least stall.tier
"""
TABLES = ("classic", "cthulhu", "crooked_cash", "jackpot", "card_game", "bid", "deal")


@cache
def market() -> flat.Program:
    return lower_program(checked("market", 3, MARKET + LANES), Options(host=False))


def maintained_columns(program: flat.Program) -> set[str]:
    """The columns of what is maintained; of what is only remembered, `stale` says whose it is."""
    return {
        name
        for name in program.columns
        if name.startswith("kept_") and name.replace("kept", "stale", 1) not in program.scalars
    }


def test_what_is_maintained() -> None:
    assert maintained_columns(market()) == {
        "kept_player_whole_lanes",
        "kept_player_good_lanes",
        "kept_player_started_lanes",
        "kept_player_bright_lanes",  # the flags of what one holds in full
        "kept_stall_tier",
        "kept_stall_glow",
        "kept_stall_shine",  # worked out of two that are maintained
    }


def test_what_is_not() -> None:
    """Flags of what others may hold, a purse, things that decide about several elements, a number
    of one field, also where another one is named but never matters, a number of other entities."""
    columns = maintained_columns(market())
    for name in (
        "bright_streets",
        "lanes_in_reach",
        "neighbours",
        "height",
        "dearer_glow",
        "is_grand",
        "best_tier",
    ):
        assert not any(name in column for column in columns)


def wakings(grand: str) -> int:
    """How many statements wake a line that waits for a grand stall."""
    rules = f"""
define stall.grand: flag = {grand}
strategy waiter
    for market
        light if any(s.grand for each s in Stall)
        pass
"""
    program = checked("market", 3, MARKET + rules)
    lowered = lower_program(program, Options(host=False, strategies=("waiter",)))
    nodes = all_nodes(tuple(function.body for function in lowered.functions.values()))
    return sum(isinstance(node, flat.SetScalar) and node.name == "wake_market" for node in nodes)


def test_a_field_that_never_matters_wakes_nobody() -> None:
    usual = wakings("stall.size > 2")
    assert wakings("stall.size > 2 or (stall.lit and stall.size > 1 and stall.size < 1)") == usual
    assert wakings("stall.size > 2 or (stall.lit and stall.size > 1)") > usual


GUARDED = """
define player.neighbours: list of Stall
    [each s in Stall where any(other.owner is player for each other in s.lane.stalls)]
rule all_over: whenever count(game.active.neighbours) >= 6
    end game
"""


def test_a_watch_reads_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its condition follows a write: what only it reads is kept up to date by all writes."""
    program = checked("market", 3, MARKET + GUARDED)
    usual = lower_program(program, Options(host=False))
    assert "kept_player_neighbours" in usual.columns
    monkeypatch.setattr("interpreter.flat.lower.choose_kept", lambda _: NOTHING_KEPT)
    plain = lower_program(program, Options(host=False))
    assert not any(name.startswith("kept_") for name in plain.columns)
    for strategy in program.strategies:
        assert digests(usual, strategy, 12) == digests(plain, strategy, 12, always=True)


@pytest.mark.parametrize("strategy", ["keeper", "thrifty", "generous", "random"])
def test_those_who_wait_for_it_are_woken(strategy: str) -> None:
    usual = digests(market(), strategy, 12)
    assert usual == digests(market(), strategy, 12, always=True)
    assert len({digest for _, digest in usual}) == 12


def assert_kept(engine: PythonEngine, columns: set[str], seen: dict[str, set[int]]) -> None:
    """What is maintained is as it would be if it were worked out anew."""
    cells = {name: engine.space[engine.names.columns[name]] for name in columns}
    kept = {name: list(values) for name, values in cells.items()}
    for name, values in kept.items():
        seen.setdefault(name, set()).update(values)
        cells[name][:] = [-1] * len(values)
    engine.function(flat.REFRESH)()
    for name, values in kept.items():
        worked_out = [value for value in cells[name] if value != -1]
        members = [value for value, new in zip(values, cells[name], strict=True) if new != -1]
        assert members == worked_out, name
        cells[name][:] = values


@pytest.mark.parametrize("name", ["market", *TABLES])
def test_maintained_is_what_is_worked_out_anew(name: str) -> None:
    program = (
        market() if name == "market" else lower_program(checked(name, 3, ""), Options(host=False))
    )
    columns = maintained_columns(program)
    assert (flat.REFRESH in program.functions) == bool(columns)
    engine = PythonEngine(program, cached=False)
    seen: dict[str, set[int]] = {}
    for number, strategy in enumerate(program.strategies):
        engine.new_game(3, number)
        for seat in range(program.players):
            engine.seat(seat, strategy)
        for _ in range(150 if columns else 1):
            code = engine.run_phase()
            if columns:
                assert_kept(engine, columns, seen)
            if code:
                break
    assert all(len(values) > 1 for values in seen.values()), "something never changed"


@pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")
def test_both_engines_take_it_up_after_loading() -> None:
    program = market()
    engines = PythonEngine(program, cached=False), NativeEngine(program, cached=False)
    for engine in engines:
        engine.new_game(5, 1)
        for seat in range(3):
            engine.seat(seat, "keeper")
        for _ in range(12):
            engine.run_phase()
    saved = engines[0].save()
    ends = []
    for engine in engines:
        engine.new_game(6, 2)
        engine.load(saved)
        ends.append((engine.play(60), engine.digest()))
    assert ends[0] == ends[1]
