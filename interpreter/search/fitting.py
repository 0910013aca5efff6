"""Things into rooms that differ in how many and which they take."""

from __future__ import annotations

import random
from collections.abc import Sequence

Room = tuple[int | None, int]
"""How many things belong in it (None: any number), and which can, as bits."""


def fit(pool: Sequence[int], rooms: Sequence[Room], rng: random.Random) -> list[list[int]]:
    """The things of a pool, already in random order, for each room.

    Rooms that take the fewest kinds of things get theirs first; where that does not work out,
    things are moved on from room to room. What a room can't take goes where it fits the least
    badly, so all things are dealt in any case.
    """
    dealt: list[list[int]] = [[] for _ in rooms]
    bits = sum(1 << thing for thing in pool)
    if all(count is not None and bits & ~allowed == 0 for count, allowed in rooms):
        start = 0
        for got, (number, _) in zip(dealt, rooms, strict=True):
            assert number is not None
            got += pool[start : start + number]
            start += number
        return dealt
    left = dict.fromkeys(pool)
    order = sorted(range(len(rooms)), key=lambda room: (rooms[room][1] & bits).bit_count())
    for room in order:
        most, allowed = rooms[room]
        if most is None:
            continue
        takes = [thing for thing in left if allowed >> thing & 1]
        for thing in takes[:most]:
            dealt[room].append(thing)
            del left[thing]
    for room in order:
        wanted, _ = rooms[room]
        while wanted is not None and len(dealt[room]) < wanted and left:
            if not _moved_on(room, dealt, rooms, left):
                thing = next(iter(left))
                dealt[room].append(thing)
                del left[thing]
    for thing in left:
        free = [room for room, (count, _) in enumerate(rooms) if count is None]
        fitting = [room for room in free if rooms[room][1] >> thing & 1]
        dealt[rng.choice(fitting or free)].append(thing)
    return dealt


def _moved_on(
    room: int, dealt: list[list[int]], rooms: Sequence[Room], left: dict[int, None]
) -> bool:
    """Fills one more place of a room: a thing comes from another room, which takes one from a
    third, and so on, up to one that takes what is left."""
    came: dict[int, tuple[int, int] | None] = {room: None}
    waiting = [room]
    while waiting:
        here = waiting.pop(0)
        spare = next((thing for thing in left if rooms[here][1] >> thing & 1), None)
        if spare is not None:
            del left[spare]
            while (step := came[here]) is not None:
                wants, moved = step
                dealt[here].remove(moved)
                dealt[here].append(spare)
                here, spare = wants, moved
            dealt[here].append(spare)
            return True
        for other in range(len(rooms)):
            if other in came:
                continue
            thing = next((one for one in dealt[other] if rooms[here][1] >> one & 1), None)
            if thing is not None:
                came[other] = (here, thing)
                waiting.append(other)
    return False
