"""Sets that the terminal suggests: legal, small ones first, alike ones once, found in good time."""

from __future__ import annotations

from interpreter.cli.suggesting import MOST_TRIED, suggested_sets

NOTES = {"a": 500, "b": 100, "c": 100, "d": 20, "e": 20, "f": 10}


def worth(things: list[str]) -> int:
    return sum(NOTES[thing] for thing in things)


def pays(due: int, things: list[str]) -> bool:
    return all(worth(things) >= due > worth(things) - NOTES[thing] for thing in things)


def test_small_sets_come_first_and_alike_ones_once() -> None:
    found = suggested_sets(
        list(NOTES), list(NOTES.values()), range(1, 7), lambda some: pays(120, some), 6
    )
    assert [[NOTES[thing] for thing in some] for some in found] == [
        [500],
        [100, 100],
        [100, 20],
    ]


def test_no_more_than_asked_for_and_the_empty_set_where_it_is_legal() -> None:
    found = list(suggested_sets(["a", "b", "c"], "xyz", range(4), lambda _: True, 2))
    assert found == [[], ["a"]]
    assert list(suggested_sets(["a", "b"], "xy", range(1, 3), lambda _: False, 3)) == []


def test_a_large_set_is_found_without_trying_all() -> None:
    things = [f"n{number}" for number in range(60)]
    tried = 0

    def is_legal(some: list[str]) -> bool:
        nonlocal tried
        tried += 1
        return len(some) == 40

    found = list(suggested_sets(things, things, range(1, 61), is_legal, 6))
    assert found == [things[:40]]
    assert tried < MOST_TRIED + 60 * 60 * 2
