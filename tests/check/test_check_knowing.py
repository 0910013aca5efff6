"""What is hidden, who knows it all the same, and who may read it where."""

from __future__ import annotations

import pytest
from check_games import codes_of, program_of
from test_check_values import body

from dsl.core import nodes as core
from dsl.core.walking import walk

MARKS = "add to Card\n    mark: flag starts no, seen by nobody\n"
MINE = "define player.knows_mark(card): flag = known(card.mark, to: player) and card.mark\n"


def strategy(*lines: str) -> str:
    return f"{MARKS}{MINE}strategy sly\n    for market\n" + "".join(f"        {x}\n" for x in lines)


READABLE = [
    "buy_token if known(first(Card).mark) and first(Card).mark",
    "buy_token(number: 2) if not (not known(two.mark) or two.mark)",
    "buy_token if any(c.mark for each c in me.hand where known(c.mark))",
    "buy_token if any(known(c.mark) and c.mark for each c in me.hand)",
    "buy_token if sum(1 if c.mark else 2 for each c in me.hand where known(c.mark)) > 3",
    "buy_token if (two.mark if known(two.mark) else no)",
    "buy_token for each c in me.hand where known(c.mark) if c.mark with the most number",
    "buy_token for each c in me.hand if known(c.mark) with the most (1 if c.mark else 0)",
    "buy_token if me.knows_mark(two) and not known(five.mark)",
    "buy_token if count(player.hand) > known_value",
]
UNREADABLE = [
    "buy_token if two.mark",
    "buy_token if not known(two.mark) and two.mark",
    "buy_token if known(five.mark) and two.mark",
    "buy_token if known(two.mark) or two.mark",
    "buy_token if any(c.mark for each c in me.hand where not known(c.mark))",
    "buy_token with the most (1 if two.mark else 0)",
    "buy_token if known(two.mark, to: bank_clerk)",
    "buy_token if bank_clerk.knows_mark(two)",
]
MORE = (
    "define known_value: 0..9 = 3\n"
    "define bank_clerk: Player = first(Player)\n"
)  # fmt: skip


@pytest.mark.parametrize("line", READABLE)
def test_what_is_known_may_be_read(line: str) -> None:
    assert codes_of(strategy(line, "pass") + MORE) == []


@pytest.mark.parametrize("line", UNREADABLE)
def test_what_is_not_known_may_not(line: str) -> None:
    assert codes_of(strategy(line, "pass") + MORE) == ["RW0908"]


HEADS = [
    ("which card in player.hand where not known(card.mark)", []),
    ("which card in player.hand where known(card.mark) and card.mark", []),
    ("which card in player.hand where player.knows_mark(card)", []),
    ("which card in player.hand where card.mark", ["RW0621"]),
    ("which other in Player where known(two.mark, to: other)", ["RW0621"]),
    ('needs not known(two.mark), "you know"', []),
]


@pytest.mark.parametrize(("line", "codes"), HEADS)
def test_heads_may_ask_what_the_player_knows(line: str, codes: list[str]) -> None:
    option = f'option peek in market by player\n    {line}\n    say "so"\n'
    assert codes_of(MARKS + MINE + option) == codes


def test_known_asks_for_the_seat_that_answers() -> None:
    text = MARKS + body(
        "ask player which card to show in player.hand where known(card.mark)\n"
        '    if known(card.mark)\n        say "shown"\n'
        "secretly ask each p in players which card to give in p.hand where known(card.mark)\n"
        "    for each p in players where card[p] is not none\n        move card[p] to table.shown"
    )
    program = program_of(text)
    found = [
        node for node in walk(tuple(program.routines.values())) if isinstance(node, core.Builtin)
    ]
    seats = [node.args[1] for node in found if node.name == "known"]
    assert [seat.name for seat in seats if isinstance(seat, core.Local)] == [
        "player",
        "player",
        "p",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "define n: flag = known(two.mark)",
        "define n: flag = known(two, to: table.active)",
        "define n: flag = known(two.owner, to: table.active)",
        "define n: flag = known(table.active.final_score, to: table.active)",
    ],
)
def test_knowing_that_makes_no_sense(text: str) -> None:
    assert codes_of(MARKS + text) == ["RW0626"]


# ---------------------------------------------------------------- texts

SAID = [
    ('say "{two.mark}"', ["RW0625"]),
    ('say "{two.mark}" to player', ["RW0625"]),
    ('reveal two.mark to everyone\nsay "{two.mark}"', []),
    ('reveal two.mark to player\nsay "{two.mark}" to player', []),
    ('reveal two.mark to player\nsay "{two.mark}"', ["RW0625"]),
    ('if known(two.mark, to: player)\n    say "{two.mark}" to player', []),
    ('if known(two.mark, to: player)\n    say "{two.mark}"', ["RW0625"]),
    ('for each c in player.hand\n    say "{first(player.hand)}"', ["RW0625"]),
    ('say "{count(player.hand)} and {player} and {two}"', []),
    ('say "{first(player.hand)}" to player', []),
    ('say "{first(table.deck)}" to player', ["RW0625"]),
]


@pytest.mark.parametrize(("text", "codes"), SAID)
def test_texts_show_nothing_hidden(text: str, codes: list[str]) -> None:
    assert codes_of(MARKS + body(text)) == codes


def test_reasons_show_nothing_hidden() -> None:
    option = (
        "option peek in market by player\n"
        '    needs player.cash > 0, "{first(table.deck)} is next"\n    say "so"\n'
    )
    assert codes_of(option) == ["RW0625"]


# ---------------------------------------------------------------- traits by a switch

SECRETS = (
    "add to table\n"
    "    secret: holds Card, seen by nobody if high_toll, count hidden if high_toll\n"
    "    mark: 0..9 starts 0, seen by owner if not high_toll, seen by nobody\n"
)


def test_traits_may_depend_on_switches() -> None:
    program = program_of(SECRETS)
    zone = program.zones["table.secret"]
    assert (zone.seen_by, zone.count_hidden) == ("everyone", False)
    assert program.columns["table.mark"].seen_by == "owner"
    program = program_of(SECRETS, settings={"high_toll": "yes"})
    zone = program.zones["table.secret"]
    assert (zone.seen_by, zone.count_hidden) == ("nobody", True)
    assert program.columns["table.mark"].seen_by == "nobody"


def test_traits_depend_on_nothing_that_changes() -> None:
    text = "add to table\n    secret: holds Card, seen by nobody if table.active.out\n"
    assert codes_of(text) == ["RW0616"]


RICH = "any(c.value > 4 for each c in p.hand)"
OWN = "any(c.value > 4 for each c in player.hand)"
INVITE = "to invite player with rich: flag\n    if rich\n        open market by player\n"
ASKED = [
    # Who is asked.
    (f"window fair\n    ask each p in Player where {RICH}\n    once each\n", True),
    (f"window fair\n    ask each p in [each p in Player where {RICH}]\n    once each\n", True),
    ("window fair\n    ask each p in Player where count(p.hand) > 3\n    once each\n", False),
    ((f"define player.is_rich: flag = {OWN}\n"
     "window fair\n    ask each p in Player where p.is_rich\n    once each\n"), True),
    ((f"define player.is_rich: flag, seen by everyone = {OWN}\n"
     "window fair\n    ask each p in Player where p.is_rich\n    once each\n"), False),
    (body(f"secretly ask each p in Player where {RICH} how much n to bid in 0..9\n"
          '    say "bid"'), True),
    (body("ask table.active which f to see in [rose]\n    player.place = f"), False),
    (f"define player.chosen: Player = player if {OWN} else first(Player)\n"
     + body("ask player.chosen which f to see in [rose]\n    player.place = f"), True),
    (body(f"open market by (player if {OWN} else first(Player))"), True),
    # Whether anybody is.
    (body(f"if {OWN}\n    open market by player"), True),
    (body(f"if player.out\n    say \"x\"\nelse if {OWN}\n    say \"y\"\nelse\n"
          "    open market by player"), True),
    (body(f"if {OWN}\n    player.wins = 3"), False),
    (body(f"if player.out\n    open market by player\nif {OWN}\n    player.wins = 3"), False),
    (body(f"for each p in Player where {RICH}\n    open market by p"), True),
    (body(f"repeat\n    open market by player\nuntil {OWN}"), True),
    (body(f"ask player about it\n    * one\n        if {OWN}\n            open market by player\n"
          "    * other"), True),
    # What is kept in a local is as hidden as what it was worked out of.
    (body(f"let rich = {OWN}\nif rich\n    open market by player"), True),
    (body(f"let rich = {OWN}\nif player.out\n    open market by player"), False),
    (body(f"let rich = no\nif {OWN}\n    rich = yes\nif rich\n    open market by player"), True),
    (body("let one = first(each c in player.hand where c.value > 4)\n"
          "if one is not none\n    open market by player"), True),
    (body("let one = first(player.hand)\nif one is not none\n    open market by player"), False),
    (body("let one = first(player.hand)\nif one is not none and one is Joker\n"
          "    open market by player"), True),
    (body("let one = first(player.hand)\nif one is not none\n    move one to table.shown\n"
          "    if one is Joker\n        open market by player"), False),
    (body(f"let rich = {OWN}\nfor each p in players\n    ask p about it\n        * one\n"
          "            needs rich, \"no\"\n        * other"), True),
    # So is what a routine is given, and what its caller asks.
    (INVITE + body(f"invite player with {OWN}"), True),
    (INVITE + body("invite player with player.out"), False),
    (INVITE + body(f"if {OWN}\n    invite player with yes"), True),
    (INVITE + "to pass_on player with many: flag\n    invite player with many\n"
     + body(f"pass_on player with {OWN}"), True),
    ("event bell by player\nrule ringing: after bell by player\n    open market by player\n"
     + body(f"if {OWN}\n    bell by player"), True),
    (f"rule ringing: after landing by player on field if {OWN}\n    open market by player\n", True),
    (("rule ringing: whenever any(c.value > 4 for each c in table.active.hand)\n"
      "    open market by table.active\n"), True),
    # What was shown to all is no secret; what was shown to one is.
    (MARKS + body("reveal two.mark to everyone\nif two.mark\n    open market by player"), False),
    (MARKS + body("reveal two.mark to player\nif two.mark\n    open market by player"), True),
    (MARKS + body("reveal five.mark to everyone\nif two.mark\n    open market by player"), True),
]  # fmt: skip


@pytest.mark.parametrize(("text", "tells"), ASKED)
def test_being_asked_tells_nothing_hidden(text: str, tells: bool) -> None:
    assert codes_of(text) == ["RW0621"] * tells


def test_what_is_worked_out_is_seen_by_everyone_or_as_its_parts_are() -> None:
    assert codes_of(f"define player.is_rich: flag, seen by owner = {OWN}\n") == ["RW0511"]
    told = f"define player.is_rich: flag, seen by everyone = {OWN}\n"
    assert codes_of(told + body('say "{player.is_rich}"')) == []
    assert codes_of(told + body('say "{first(player.hand)}"')) == ["RW0625"]


@pytest.mark.parametrize("question", ["grow", "shrink"])
def test_each_part_of_a_strategy_is_looked_through(question: str) -> None:
    asks = "".join(
        f'    ask player how much {size} to {name} in 0..3\n    say "{{{size}}}"\n'
        for name, size in (("grow", "more"), ("shrink", "less"))
    )
    sizes = {"grow": "more", "shrink": "less"}
    other = {"grow": "shrink", "shrink": "grow"}[question]
    mine, its = sizes[question], sizes[other]
    parts = (
        f"strategy sly\n    for {question}\n        pick {mine} if two.mark\n"
        f"        pick {mine}\n    for {other}\n        pick {its}\n"
    )
    rule = f"rule a: after landing by player on field: Garden\n{asks}"
    assert codes_of(MARKS + MINE + rule + parts + MORE) == ["RW0908"]
