"""A search takes up a game where it is: in any phase of a whole game, at any question."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice

import pytest
from search_games import PLAYERS

from interpreter import api
from interpreter.emit.layout import encoded
from interpreter.emit.state import BOT_COUNT
from interpreter.engine.native_engine import NATIVE
from interpreter.flat.ir.nodes import RANDOM
from interpreter.search import replaying
from interpreter.search.finish import Moved
from interpreter.search.playouts import Playouts, Reply
from interpreter.search.replica import Enough
from interpreter.session.asked import Asked
from interpreter.session.course import Course
from interpreter.session.driver import Driver
from interpreter.session.tape import Tape

needs_native = pytest.mark.skipif(not NATIVE, reason="wasmtime is not installed")

SWITCHES = {"crooked_cash": {"hotel_supply": "1"}}
"""The last hotel is wanted more often where there is only one."""


@needs_native
@pytest.mark.parametrize(
    ("name", "is_random"),
    [*((name, False) for name in PLAYERS), *((name, True) for name in ("bid", "deal", "jackpot"))],
)
def test_every_phase_is_replayed_natively(name: str, is_random: bool) -> None:
    """From the state before it and its log alone a phase comes to the state after it."""
    variant = api.load_variant(name, players=PLAYERS[name], switches=SWITCHES.get(name))
    playouts = Playouts(variant.compiled)
    native = playouts._native
    assert native is not None
    driver = Driver(variant.compiled, who_plays(variant, is_random=is_random), 5, 1)
    driver.run()
    moved = Moved(driver.engine.fields, native.layout.fields)
    afterwards = [*(record.before for record in driver.past[1:]), driver.before]
    for record, after in zip(driver.past, afterwards, strict=True):
        log = [(entry.given, playouts._sets(entry)) for entry in record.log]
        if not native.start(moved.words(record.before), log, 0):
            continue
        native._game.write(native._places.parts, encoded([native._first, native._first], 0))
        native.call(replaying.SIMULATE, native._phases + 1, 1, 0)
        assert native.scalar(replaying.AT) == native._first
        difference = native.difference(moved.words(after))
        assert difference is None or difference.startswith(BOT_COUNT), difference


def secret_questions(driver: Driver) -> Iterator[Course]:
    """The question to the last of all who were asked in secret together, each time."""
    flat = driver.flat
    asked: list[Asked] = []

    def beyond(one: Asked) -> int:
        if one.site.form != "gather":
            raise Enough
        asked.append(one)
        return 0

    def sealed() -> None:
        if asked:
            raise Enough

    tape = Tape(driver.engine, flat, beyond, sealed)
    for number, record in enumerate(driver.past):
        before = [one.log for one in driver.past[:number]]
        for at, entry in enumerate(record.log):
            if entry.secret and entry.secret != (record.log[at - 1].secret if at else 0):
                asked.clear()
                tape.start(record.before, record.log[:at])
                with suppress(Enough):
                    driver.engine.run_phase()
                log = tuple(record.log[:at])
                yield Course(
                    driver.compiled, driver.seed, driver.game, tuple(before), log, asked[-1]
                )


@pytest.mark.parametrize("name", [name for name in PLAYERS if name != "deal"])
def test_every_secret_question_is_searched(name: str) -> None:
    """Whatever the seat answers there, the game goes on, and alike on both engines."""
    players = 3 if name in SWITCHES else PLAYERS[name]
    variant = api.load_variant(name, players=players, switches=SWITCHES.get(name))
    compiled = variant.compiled
    sites = compiled.module("play").program.sites.values()
    secret = {site.name for site in sites if site.form == "gather"}
    native, python = Playouts(compiled, phases=3), Playouts(compiled, phases=3, native=False)
    searched: set[str] = set()
    for number in range(60):
        driver = Driver(compiled, who_plays(variant, is_random=name in SWITCHES), 2, number)
        driver.run()
        for course in islice(secret_questions(driver), 3):
            native.follow(course)
            python.follow(course)
            tried = [[Reply(native.site, given)] for given in native.listed(1).values()]
            outcomes = native.play(1, tried)
            assert None not in outcomes
            assert outcomes == python.play(1, tried)
            searched.add(native.site)
        if searched == secret:
            break
    assert searched == secret != set()


def who_plays(variant: api.Variant, *, is_random: bool) -> list[str]:
    """The written strategies, or the random one, at all seats."""
    written = [one for one in variant.compiled.facts.strategies if one != RANDOM]
    names = [RANDOM] if is_random or not written else written
    return [names[seat % len(names)] for seat in range(variant.players)]
