"""Things are dealt to rooms that differ in what they take."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from interpreter.search.fitting import Room, fit


@given(st.data(), st.integers(0, 1000))
def test_things_lie_where_they_can(data: st.DataObject, seed: int) -> None:
    """However narrow the rooms are: where there is a way, one is found."""
    things = data.draw(st.lists(st.integers(0, 15), unique=True, max_size=12))
    rooms_of = data.draw(st.lists(st.integers(0, 3), min_size=len(things), max_size=len(things)))
    rooms: list[Room] = []
    for number in range(4):
        own = [thing for thing, room in zip(things, rooms_of, strict=True) if room == number]
        others = data.draw(st.integers(0, (1 << 16) - 1))
        is_open = data.draw(st.booleans())
        allowed = others | sum(1 << thing for thing in own)
        rooms.append((None if is_open else len(own), allowed))
    pool = list(things)
    random.Random(seed).shuffle(pool)
    dealt = fit(pool, rooms, random.Random(seed))
    assert sorted(thing for got in dealt for thing in got) == sorted(things)
    for got, (count, allowed) in zip(dealt, rooms, strict=True):
        assert count is None or len(got) == count
        if all(count is not None for count, _ in rooms):
            assert all(allowed >> thing & 1 for thing in got)


def test_what_does_not_fit_is_dealt_all_the_same() -> None:
    dealt = fit([0, 1, 2], [(2, 0b001), (1, 0b001)], random.Random(1))
    assert sorted(thing for got in dealt for thing in got) == [0, 1, 2]
    assert [len(got) for got in dealt] == [2, 1]
