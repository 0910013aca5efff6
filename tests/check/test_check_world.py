"""Kinds, families, fields, data and starts in the core program."""

from __future__ import annotations

import pytest
from check_games import DATA, check, codes_of, program_of

from dsl.core.types import ChoiceType, IntType, MapType, RefType, SetType


def test_players_come_first_in_their_family() -> None:
    program = program_of("thing chest\nthing friend is Player\n    tokens: holds token\n")
    assert program.families["Party"].ids == ("ann", "ben", "bank", "friend")
    assert program.kinds["Player"].members == (0, 1, 3)
    assert program.kinds["bank"].members == (2,)
    assert program.families["chest"].ids == ("chest",)
    assert program.names["Party"][:2] == ("Ann", "Ben")


def test_pool_has_its_bound_as_size() -> None:
    program = program_of()
    family = program.families["Offer"]
    assert family.pool
    assert family.size == 4
    assert program.columns["Offer.price"].role == "state"


def test_kinds_of_rows() -> None:
    program = program_of()
    assert program.kinds["Field"].members == (0, 1, 2)
    assert program.kinds["Garden"].members == (1, 2)
    assert program.kinds["Joker"].members == (2,)


def test_data_becomes_numbers() -> None:
    columns = program_of().columns
    assert columns["Field.toll"].values == (0, 10, 20)
    blooms = columns["Garden.blooms"]
    assert isinstance(blooms.type, MapType)
    assert blooms.values == ((0, 0, 0, 0), (10, 20, 30, 40), (20, 40, 60, 80))


def test_purses_of_a_family_share_a_column() -> None:
    cash = program_of().columns["Player.cash"]
    assert cash.kind == "Party"
    assert cash.role == "purse"
    assert cash.values == (100, 100, 0)
    assert cash.endless == (2,)
    assert cash.type == IntType(0, 1_000_000, "money")


def test_starts_are_worked_out() -> None:
    program = program_of(
        "add to Player\n    target: Field starts first(each f in Field by -f.toll)\n"
        "add to table\n    pot: holds money starts count(Player) * 50 + (10 if high_toll else 5)\n",
    )
    assert program.columns["Player.target"].values[:2] == (2, 2)
    assert program.columns["table.pot"].values == (105,)
    assert program.columns["Player.place"].values[:2] == (0, 0)
    assert program.columns["Player.best"].values[:2] == (-1, -1)


def test_zones_and_what_lies_there() -> None:
    zones = program_of().zones
    deck = zones["table.deck"]
    assert deck.ordered
    assert deck.seen_by == "nobody"
    assert deck.starts == ((0, 1, 2),)
    hand = zones["Player.hand"]
    assert hand.holders == (0, 1)
    assert hand.back == "owner"
    assert hand.bound == 3


def test_zone_start_may_name_its_holder() -> None:
    program = program_of(
        "replace thing table\n"
        "    active: Player starts first(Player)\n"
        "    deck: holds Card, ordered, seen by nobody\n"
        "    shown: holds Card\n"
        "    mood: Mood starts calm\n"
        "add to Field\n"
        "    hidden: holds Card starts [each c in Card where c.value > field.toll], ordered\n"
        "    rank: 0..20 starts field.toll\n",
        things="fields:\n  - {id: go, kind: Start, toll: 8}\n"
        "cards:\n  - {id: two, value: 2}\n  - {id: nine, value: 9}\n",
    )
    assert program.zones["Field.hidden"].starts == ((1,),)
    assert program.columns["Field.rank"].values == (8,)


def test_narrower_kind_gives_another_start() -> None:
    program = program_of(
        "add to Field\n    luck_here: 0..9 starts 1\nadd to Garden\n    luck_here: 0..9 starts 4\n",
    )
    assert program.columns["Field.luck_here"].values == (1, 4, 4)
    assert "Garden.luck_here" not in program.columns


def test_types() -> None:
    program = program_of(
        "add to table\n"
        "    a: Player? starts none\n"
        "    b: list of Card starts []\n"
        "    c: row of 1..6 up to 3 starts [1, 2]\n"
        "    d: high | low starts low\n"
        "    f: 0..9 per Card starts 4\n"
        "    g: 0..9 per Mood starts [1, 2]\n"
        "    e: 2..6? starts none\n",
    )
    columns = program.columns
    assert columns["table.a"].type == RefType("Player", optional=True)
    assert columns["table.b"].type == SetType("Card")
    assert columns["table.c"].values == ((1, 2),)
    assert columns["table.d"].type == ChoiceType(None, ("high", "low"))
    assert columns["table.d"].values == (1,)
    assert columns["table.f"].values == ((4, 4, 4),)
    assert columns["table.g"].values == ((1, 2),)
    assert columns["table.e"].values == (1,)  # none is one below the lowest


def test_number_of_players_is_known_before_play() -> None:
    program = program_of("add to table\n    round: 0..9 starts count(Player)\n", players=3)
    assert program.columns["table.round"].values == (3,)
    assert program.families["Party"].ids == ("ann", "ben", "cleo", "bank")


def test_section_of_no_kind_is_reported_once() -> None:
    assert codes_of(things="flowers:\n  - {id: rose}\n  - {id: tulip}\n").count("RW0520") == 1


def test_digest_depends_on_the_number_of_players() -> None:
    assert program_of(players=2).digest != program_of(players=3).digest


TABLES = "".join(f"    t_{n}: 0..9 per 1..10000 starts 0\n" for n in range(450))


def test_what_all_fields_hold_is_bounded() -> None:
    """Once, at the field that is too much; what comes behind it is not looked at any more."""
    _, bag = check("add to table\n" + TABLES)
    (one,) = bag.sorted()
    assert one.code == "RW0615"
    assert "4,000,000" in one.message
    assert codes_of("add to table\n" + TABLES[: TABLES.index("    t_390")]) == []


def test_fields_of_a_kind_count_for_all_of_it() -> None:
    each = TABLES[: TABLES.index("    t_140")]  # of three cards
    assert codes_of("add to Card\n" + each) == ["RW0615"]
    assert codes_of("add to Card\n" + TABLES[: TABLES.index("    t_120")]) == []


@pytest.mark.parametrize(("price", "most"), [("5000000", True), ("1000000", False), ("-1", False)])
def test_an_amount_that_is_too_much_is_told_the_limit(price: str, most: bool) -> None:
    _, bag = check(things=DATA.replace("toll: 10", f"toll: {price}"))
    said = [one for one in bag.sorted() if one.code == "RW0522"]
    assert len(said) == (price != "1000000")
    for one in said:
        assert ("1,000,000 at most" in one.message) == most
        assert ("limits: {money: 50000000}" in (one.help or "")) == most
