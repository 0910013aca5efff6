"""Lines that go on below: which words make them, and that they take no block away."""

from __future__ import annotations

import pytest
from syntax_trees import bare, kinds
from test_syntax_tree import parsed

from dsl.diagnostics.record import Bag
from dsl.source import Source
from dsl.syntax.parser import parse_script

LONG = {
    "choice Mood = calm\n    | wild\n    | sad\n": "choice Mood = calm | wild | sad\n",
    "kind Street\n    colour: red\n        | blue\n        if yes\n": None,
    "define x: 0..9 = 1\n    if yes\n    else 2\n": "define x: 0..9 = 1 if yes else 2\n",
    "define x: 0..9 = 1\n    if a.b\n    and c else 2\n": "define x: 0..9 = 1 if a.b and c else 2\n",
    "define x: 0..9\n    y\n    but z: 2\n        if a\n        or b\n":
        "define x: 0..9\n    y\n    but z: 2 if a or b\n",
    "to act\n    let x = first(players)\n        if yes\n        otherwise none\n    go\n": None,
    "to act\n    for each p in players\n            where p.out\n        go\n":
        "to act\n    for each p in players where p.out\n        go\n",
    "option o in w by p\n    which c in p.hand\n        where c.x\n    which 1..2 d in p.hand\n"
    "        such that yes\n    needs c.y\n        or c.z\n":
        "option o in w by p\n    which c in p.hand where c.x\n"
        "    which 1..2 d in p.hand such that yes\n    needs c.y or c.z\n",
    "strategy s\n    for w\n        trade(partner: d.owner)\n            for each d in Deed\n"
    "            where d.x\n            if d.y\n            with the most d.price,\n"
    "                least d.y\n        pass\n":
        "strategy s\n    for w\n        trade(partner: d.owner) for each d in Deed where d.x "
        "if d.y with the most d.price, least d.y\n        pass\n",
    "forbid build in w\n    if p.jailed, \"no\"\n": 'forbid build in w if p.jailed, "no"\n',
    "window w\n    ask each p in players\n        where p.x\n    once each\n":
        "window w\n    ask each p in players where p.x\n    once each\n",
    "always a: sum(p.x\n    for each p in players\n    where p.y) is 3\n":
        "always a: sum(p.x for each p in players where p.y) is 3\n",
}  # fmt: skip


@pytest.mark.parametrize("text", LONG)
def test_lines_go_on_below(text: str) -> None:
    short = LONG[text]
    if short is None:
        bag = Bag()
        parse_script(Source("long", text), bag)
        assert list(bag)
        return
    assert bare(parsed(text)) == bare(parsed(short))


BLOCKS = [
    "rule r: after go by p\n        if p.out\n            go\n",
    "to act\n    if yes\n        for each p in players\n            go\n",
    "to act\n    repeat\n        if yes\n            go\n    until yes\n",
    "phase turn\n    ask p which c to keep in p.hand\n        if c.x\n            go\n    else\n"
    "        for each q in players\n            go\nthen\n    if yes\n        next turn\n",
    "option o in w by p\n    if p.out\n        go\n",
    "replace rule r: after go by p\n    if p.out\n        go\n",
]


@pytest.mark.parametrize("text", BLOCKS)
def test_what_begins_a_block_is_no_line_that_goes_on(text: str) -> None:
    found = kinds(parsed(text))
    assert "If" in found or "ForEach" in found
