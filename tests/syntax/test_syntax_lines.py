"""Lines that go on below: which words make them, and that they take no block away."""

from __future__ import annotations

import pytest
from syntax_trees import bare, kinds
from test_syntax_tree import parsed

from dsl.diagnostics.record import Bag
from dsl.source import Source
from dsl.syntax.parser import parse_script

# What is written on several lines, and the same on as few as can be.
LONG = """
choice Mood = calm
    | wild
    | sad
----
choice Mood = calm | wild | sad
====
define x: 0..9 = 1
    if a.b
    and c
    else 2
----
define x: 0..9 = 1 if a.b and c else 2
====
define x: 0..9
    y
    but z: 2
        if a
        or b
----
define x: 0..9
    y
    but z: 2 if a or b
====
to act
    let x = first(players)
        if yes
        else none
    for each p in players
            where p.out
        go
----
to act
    let x = first(players) if yes else none
    for each p in players where p.out
        go
====
option o in w by p
    which c in p.hand
        where c.x
    which 1..2 d in p.hand
        such that yes
    needs c.y
        or c.z
----
option o in w by p
    which c in p.hand where c.x
    which 1..2 d in p.hand such that yes
    needs c.y or c.z
====
strategy s
    for w
        trade(partner: d.owner)
            for each d in Deed
            where d.x
            if d.y
            with the most d.price,
                least d.y
        pass
----
strategy s
    for w
        trade(partner: d.owner) for each d in Deed where d.x if d.y with the most d.price, least d.y
        pass
====
forbid build in w
    if p.jailed,
    "no"
----
forbid build in w if p.jailed, "no"
====
window w
    ask each p in players
        where p.x
    once each
----
window w
    ask each p in players where p.x
    once each
====
always a: sum(p.x
    for each p in players
    where p.y) is 3
----
always a: sum(p.x for each p in players where p.y) is 3
"""
PAIRS = [tuple(case.strip("\n").split("\n----\n")) for case in LONG.split("\n====\n")]

BLOCKS = """
rule r: after go by p
        if p.out
            go
====
to act
    if yes
        for each p in players
            go
====
to act
    repeat
        if yes
            go
    until yes
====
phase turn
    ask p which c to keep in p.hand
        if c.x
            go
    else
        for each q in players
            go
then
    if yes
        next turn
====
option o in w by p
    if p.out
        go
====
replace rule r: after go by p
    if p.out
        go
"""


@pytest.mark.parametrize(("text", "short"), PAIRS, ids=range(len(PAIRS)))
def test_lines_go_on_below(text: str, short: str) -> None:
    assert bare(parsed(text + "\n")) == bare(parsed(short + "\n"))


def test_other_words_begin_no_line_that_goes_on() -> None:
    bag = Bag()
    parse_script(Source("long", "to act\n    move 5 from a\n        to b\n"), bag)
    assert [found.code for found in bag] == ["RW0109"]


@pytest.mark.parametrize("text", BLOCKS.split("\n====\n"))
def test_what_begins_a_block_is_no_line_that_goes_on(text: str) -> None:
    found = kinds(parsed(text + "\n"))
    assert "If" in found or "ForEach" in found
