"""Ways through a body: what is given, what comes next; values that may not be there."""

from __future__ import annotations

import pytest
from check_games import codes_of, program_of
from test_check_values import body, hook

from dsl.core import nodes as core
from dsl.core.types import IntType, MapType, RefType

DRAW = "rule probe: instead of draw by player"
INSTEADS = [
    (DRAW, 'say "no"', ["RW0704"]),
    (DRAW + " if player.wins > 3", 'say "no"', ["RW0704"]),
    (DRAW + " if player.wins > 3", "as usual", []),
    (DRAW, "return none", []),
    (DRAW, "if player.out\n    return none\nas usual", []),
    (DRAW, "if player.out\n    as usual\nelse\n    return player.best", []),
    (DRAW, "if player.out\n    as usual", ["RW0704"]),
    (DRAW, "end game", []),
    (DRAW, 'as usual\nsay "after"', ["RW0708"]),
    (DRAW, ("ask player about it\n    * yes_please\n        as usual\n    * no_thanks\n"
     "        return none"), []),
    (DRAW, "ask player about it\n    * yes_please\n        as usual\n    * no_thanks", ["RW0704"]),
    (DRAW, ("ask player about it\n    * yes_please\n        needs player.cash > 5\n"
     "        as usual\n    * no_thanks\n        needs player.cash < 5\n        return none"),
     ["RW0704"]),
    (DRAW, "ask player which card to keep in player.hand\nreturn card", ["RW0704"]),
    ("rule probe: instead of go_on by player", 'say "no"', []),
    ("rule probe: instead of go_on by player", 'as usual\nsay "after"', []),
]  # fmt: skip


def indented(lines: str) -> str:
    return "".join(f"    {line}\n" for line in lines.splitlines())


@pytest.mark.parametrize(("head", "lines", "codes"), INSTEADS)
def test_instead_of_what_gives_something_gives_it(head: str, lines: str, codes: list[str]) -> None:
    assert codes_of(f"{head}\n{indented(lines)}") == codes


THENS = [
    ("next turn", []),
    ("table.mood = calm", []),
    ("if table.mood is calm\n    next turn", ["RW0713"]),
    ("if table.mood is calm\n    next turn\nelse\n    next start", []),
    ("if table.mood is calm\n    next turn\nelse\n    end game", []),
    ("if table.mood is calm\n    next turn\nend game", []),
    ("if table.mood is calm\n    next turn\nelse if high_toll\n    next start", ["RW0713"]),
    ("if high_toll\n    next turn", ["RW0713"]),
    ("for each p in players\n    next turn", ["RW0713"]),
    ("ask table.active which card to keep in Card\nnext turn", ["RW0713"]),
    ("ask table.active which card to keep, if any, in Card\nnext turn", []),
    (
        "ask table.active about it\n    * more\n        next turn\n    * stop\n        end game",
        [],
    ),
    ("ask table.active about it\n    * more\n        next turn\n    * stop", ["RW0713"]),
]


@pytest.mark.parametrize(("lines", "codes"), THENS)
def test_every_way_says_what_comes_next(lines: str, codes: list[str]) -> None:
    assert codes_of(f"phase rest\n    table.mood = wild\nthen\n{indented(lines)}") == codes


EXTREMES = [
    ("max(p.wins for each p in Player)", []),
    ("max(p.wins for each p in Player where p.wins > 4)", ["RW0627"]),
    ("max(p.wins for each p in Player where p.wins > 4, default: 1)", []),
    ("min(p.wins for each p in players)", ["RW0627"]),
    ("min(p.wins for each p in rotated(Player, first(Player)))", []),
    ("min(p.wins for each p in [first(Player)])", []),
    ("max(p.wins for each p in [first(Player)] + players)", []),
    ("max(n for each n in 1..4)", []),
    ("max(n for each n in 1..count(players))", ["RW0627"]),
    ("max(n for each n in 0..count(players))", []),
    ("max(o.giver.wins for each o in Offer)", ["RW0627"]),
    ("max(p.wins for each p in players) if count(players) > 0 else 0", []),
    ("max(p.wins for each p in players) if any(each p in players) else 0", []),
    ("max(p.wins for each p in players) if any(p.wins > 3 for each p in players) else 0", []),
    ("0 if count(players) is 0 else max(p.wins for each p in players)", []),
    ("max(p.wins for each p in Player for each c in p.hand)", ["RW0627"]),
    ("max(p.wins for each p in Player for each n in 1..3)", []),
]


@pytest.mark.parametrize(("value", "codes"), EXTREMES)
def test_the_most_of_nothing_needs_a_default(value: str, codes: list[str]) -> None:
    assert codes_of(f"define the_most: 0..9 = {value}\n") == codes


SECRETS = [
    # Everybody has something to pick.
    ("each p in Player how much n to risk in 0..p.cash", "table.active.wins = min(9, n[p])", []),
    # Somebody was not asked.
    ("each p in players how much n to risk in 0..p.cash", "p.wins = min(9, n[p])", []),
    ("each p in players where p.wins > 3 how much n to risk in 0..p.cash", "p.wins = min(9, n[p])",
     ["RW0602"]),
    ("each p in players how much n to risk in 0..p.cash",
     "p.wins = min(9, n[table.active])", ["RW0602"]),
    ("each p in players how much n to risk in 0..p.cash",
     "p.wins = min(9, n[table.active] otherwise 3)", []),
    # There may be nothing to pick.
    ("each p in Player how much n to risk in 5..p.cash", "p.wins = min(9, n[p])", ["RW0602"]),
    ("each p in Player which c to play in p.hand", "p.best = c[p]", []),
    ("each p in Player which c to play in p.hand", "p.wins = c[p].value", ["RW0602"]),
    ("each p in Player which c to play in p.hand",
     "if c[p] is not none\n            p.wins = c[p].value", []),
    ("each p in Player which c to play in Card", "p.wins = c[p].value", []),
    ("each p in Player which c to play in Card where c.value > 2", "p.wins = c[p].value",
     ["RW0602"]),
    # A set may be empty.
    ("each p in Player which 1..2 cards to play in p.hand", "move cards[p] to table.shown", []),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "use", "codes"), SECRETS)
def test_a_secret_pick_may_be_missing(asked: str, use: str, codes: list[str]) -> None:
    source = "players" if "in players" in asked else "Player"
    text = f"secretly ask {asked}\n    for each p in {source}\n        {use}"
    assert codes_of(body(text)) == codes


def test_what_was_known_of_the_answers_ends_when_the_players_change() -> None:
    text = (
        "secretly ask each p in players how much n to risk in 0..p.cash\n"
        "    table.active.out = no\n"
        "    for each p in players\n        p.wins = min(9, n[p])"
    )
    assert codes_of(body(text)) == ["RW0602"]


def test_the_table_of_missing_picks_has_none() -> None:
    text = 'secretly ask each p in players how much n to risk in 5..9\n    say "asked"'
    (gather,) = hook(program_of(body(text))).body
    assert isinstance(gather, core.Gather)
    assert gather.table_type == MapType(IntType(5, 9, optional=True), RefType("Player"))


PLACES = [
    ("position(Player, player)", []),
    ("position(players, player)", ["RW0602"]),
    ("position(players, player) if player in players else 5", []),
    ("position(players, player) otherwise 5", []),
    ("max(position(players, p) for each p in players, default: 0)", []),
    ("position(Garden, player.place)", ["RW0602"]),
]


@pytest.mark.parametrize(("value", "codes"), PLACES)
def test_the_place_of_what_is_not_there_is_none(value: str, codes: list[str]) -> None:
    assert codes_of(f"define player.rank: 0..9 = {value}\n") == codes
