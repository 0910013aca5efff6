"""House rules that bend one thing of the library or of a game, and copy nothing of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.diagnostics import Bag
from dsl.diagnostics.render import render_text
from interpreter.api import library
from interpreter.scenario.suite import run_scenarios

MODS = {
    "all_but_one": """
exception to player.may_build_on(group)
    but all_but_one: yes if (group.buildable and not player.has_mortgage_in(group)
        and player.count_in(group) >= count(group.members) - 1)

scenario "two of three are enough, and what others do with the third is their affair"
    seats red, blue
    given
        red owns pacific, north_carolina
        blue owns pennsylvania
        pennsylvania is_mortgaged
    when red deals
        red: build(street: pacific), build(street: north_carolina), build(street: pacific)
    then
        pacific.houses is 2
        north_carolina.houses is 1
    when blue deals
        blue: lift_mortgage(deed: pennsylvania), mortgage(deed: pennsylvania)
    then
        pennsylvania.mortgaged
    when red deals
        red: sell_building(street: pacific), sell_building(street: north_carolina)
    then
        pacific.houses is 1
        bank.houses is was(bank.houses) + 2

scenario "even building among the own streets"
    seats red, blue
    given
        red owns pacific, north_carolina
        blue owns pennsylvania
        pacific has_buildings 5
        north_carolina has_buildings 5
    when red deals
        red: sell_building(street: pacific)
    then
        pacific.houses is 4
        north_carolina.hotels is 1
        pennsylvania.houses is 0
""",
    "two_cards": """
rule two_cards: after draw_card by player from deck if deck is chance and player.turns is 0
    player.turns = 1
    draw_card by player from community_chest

scenario "one more card, of the other deck"
    seats red, blue
    given
        ch_dividend lies_on_top
        cc_stock lies_on_top
    when blue lands_on chance_1
    then
        blue.cash is was(blue.cash) + 100
""",
    "half_back": """
rule half_back: before award_lot to buyer
    for each p in players where p is not buyer and count(p.stake) > 0
        move top(1, [each c in p.stake by c.value]) to table.discard

scenario "the losers lose a card of their bids"
    seats ann, ben
    given ann has money_5_1
    given ben has money_3_1, money_1_1
    given ann offers boardwalk
    when ann sells
        ann: [money_5_1]
        ben: [money_3_1, money_1_1]
    then
        boardwalk in ann.area
        money_1_1 in table.discard
        money_3_1 in ben.hand
""",
}
GAMES = {"all_but_one": "classic", "two_cards": "classic", "half_back": "bid"}


@pytest.mark.parametrize("name", MODS)
def test_a_house_rule_bends_one_thing(name: str, tmp_path: Path) -> None:
    rules, _, scenarios = MODS[name].partition("\nscenario")
    folder = tmp_path / "mods" / name
    for part, text in (("rules", rules), ("scenarios", f"scenario{scenarios}")):
        (folder / part).mkdir(parents=True)
        (folder / part / f"{name}.rules").write_text(text.lstrip(), encoding="utf-8")
    (folder / "mod.yaml").write_text(
        f'mod: {name}\ntitle: "A bend"\ndescription: "For a test."\noverlay_for: [{GAMES[name]}]\n',
        encoding="utf-8",
    )
    bag = Bag()
    report = run_scenarios(library([tmp_path]), f"{tmp_path}/mods/{name}", bag)
    assert not bag.has_errors, render_text(bag.sorted())
    assert report.passed, "\n".join(result.text() for result in report.results)
