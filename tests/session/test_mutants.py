"""Tests of the tests: which small changes there are, and which of them scenarios notice."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest
from session_games import DUEL, write_game

from dsl.diagnostics.record import Bag
from dsl.source import Source
from dsl.syntax import nodes as syntax
from dsl.syntax.parser import parse_script
from interpreter import api
from interpreter.mutants.change import Mutant
from interpreter.mutants.collect import drawn
from interpreter.mutants.edits import LEFT, OWN, edits_of
from interpreter.mutants.games import Sample
from interpreter.mutants.report import Judged, MutantReport, as_json, as_text
from interpreter.mutants.run import Suite, Wanted, judge_mutants, make_suite

BUNDLED = (
    "bid", "card_game", "classic", "crooked_cash", "cthulhu", "deal", "jackpot",
    "double_salary_on_go", "free_parking_pot", "income_tax_choice", "no_auctions",
    "no_rent_from_jail", "speed_play",
)  # fmt: skip

SCENARIOS = """\
saying player has cards: list of Card up to 30
    move cards to player.hand
saying player moves
    game.active = player
    open moves of player

scenario "a shown card brings its value"
    seats ann, ben
    given ann has c1, c5
    when ann moves
        ann: show(card: c5)
    then
        ann.points is was(ann.points) + 6
        c5 in table.pile
"""


def changes(text: str) -> list[tuple[str, str, str]]:
    """What is changed in a declaration, and how it is written then."""
    script = parse_script(Source("test.rules", text), Bag())
    return [
        (edit.what, edit.before, edit.after)
        for decl in script.declarations
        for edit in edits_of(decl)
    ]


def test_every_class_of_nodes_is_changed_or_left_for_a_reason() -> None:
    classes = {
        found
        for found in vars(syntax).values()
        if inspect.isclass(found) and issubclass(found, syntax.Node)
    } - {syntax.Node, syntax.ExprBase, syntax.StmtBase, syntax.DeclBase, syntax.TypeNodeBase}
    assert classes == OWN.keys() | LEFT.keys()
    assert not OWN.keys() & LEFT.keys()


def test_the_changes_of_a_rule() -> None:
    found = changes(
        "rule tax: after landing by player on space if space.level >= 2\n"
        "    pay 10 from player to bank\n"
        "    space.level = 0\n"
    )
    assert found == [
        ("left out", "rule tax: after landing by player on space if space.level >= 2", ""),
        ("time exchanged", "after", "before"),
        ("condition dropped", "space.level >= 2", ""),
        ("condition negated", "space.level >= 2", "not space.level >= 2"),
        ("bound moved", "space.level >= 2", "space.level > 2"),
        ("one more", "2", "3"),
        ("one less", "2", "1"),
        ("statement left out", "pay 10 from player to bank", ""),
        ("statement left out", "space.level = 0", ""),
        (
            "neighbours exchanged",
            "pay 10 from player to bank; space.level = 0",
            "space.level = 0; pay 10 from player to bank",
        ),
        (
            "payer and payee exchanged",
            "pay 10 from player to bank",
            "pay 10 from bank to player",
        ),
        ("one more", "10", "11"),
        ("one less", "10", "9"),
        ("one more", "0", "1"),
    ]


def test_the_changes_of_a_define() -> None:
    found = changes(
        "define street.rent: money\n"
        "    min(street.price, 50)\n"
        "    but bare: usual if not street.built\n"
        "    but owned: 0 if street.owner is none or street.dark\n"
    )
    assert [what for what, _, _ in found] == [
        "`but` line left out",
        "`but` line left out",
        "neighbours exchanged",
        "function exchanged",
        "one more",
        "one less",
        "condition dropped",
        "turned round",
        "condition dropped",
        "condition negated",
        "one more",
        "condition dropped",
        "condition dropped",
        "turned round",
    ]
    assert ("turned round", "not street.built", "street.built") in found
    assert ("condition dropped", "street.owner is none or street.dark", "street.dark") in found


def test_what_only_names_things_is_left_alone() -> None:
    assert changes('always fair: 1 < 2\nmeasure moves "M": after act add 1\nunit chip\n') == []


def test_plain_values_set_beside_each_other_have_no_order() -> None:
    swapped = [one for one in changes("to act\n    a.x = 1\n    b.y = 2\n") if "neigh" in one[0]]
    assert not swapped
    two = "to act\n    shuffle table.draw\n    shuffle table.{}\n"
    swapped = [one for one in changes(two.format("used")) if "neigh" in one[0]]
    assert not swapped
    swapped = [one for one in changes("to act\n    a.x = 1\n    b.y = a.x\n") if "neigh" in one[0]]
    assert swapped


def test_what_the_head_of_an_option_needs_has_no_order() -> None:
    found = changes(
        "option show in moves by player\n"
        "    which card in player.hand\n"
        "    needs card.value > 1\n"
        "    needs player.points > 2\n"
        "    move card to table.pile\n"
        "    collect card\n"
    )
    swapped = [before for what, before, _ in found if what == "neighbours exchanged"]
    assert swapped == [
        "needs player.points > 2; move card to table.pile",
        "move card to table.pile; collect card",
    ]


# ---------------------------------------------------------------- judged


def suite_of(
    folder: Path, more: str = "", scenarios: str = SCENARIOS, failing: int = 0
) -> tuple[Wanted, Suite]:
    game = write_game(folder, DUEL + more)
    (game / "scenarios").mkdir()
    (game / "scenarios" / "duel.rules").write_text(scenarios, encoding="utf-8")
    library = api.library()
    wanted = Wanted(game, None, 0, library.search_paths, library.std)
    bag = Bag()
    suite = make_suite(wanted, bag)
    assert suite is not None, [one.message for one in bag]
    assert len(suite.failing) == failing
    return wanted, suite


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> tuple[Wanted, Suite]:
    """A small game with one scenario."""
    return suite_of(tmp_path_factory.mktemp("mutants"))


def judged(suite: Suite, owner: str, what: str, before: str) -> Judged:
    """The verdict on one mutant, of the declaration that begins so."""
    (number,) = [
        at
        for at, one in enumerate(suite.mutants)
        if (one.what, one.before) == (what, before) and one.owner.startswith(owner)
    ]
    return suite.judge(number)


def test_a_change_that_a_scenario_notices(duel: tuple[Wanted, Suite]) -> None:
    _, suite = duel
    found = judged(suite, "option show", "statement left out", "move card to table.pile")
    assert found.outcome == "noticed"
    assert found.by.endswith("scenarios/duel.rules:7")
    points = "player.points + card.value"
    assert judged(suite, "option show", "operation exchanged", points).outcome == "noticed"


def test_a_switch_that_only_the_head_of_a_rule_reads(tmp_path: Path) -> None:
    """Who notices has never run the rule, but what it would take the place of."""
    rules = """
switch generous: flag = yes, "Whether gifts are given"
to give_to player
    player.points = player.points + 3
rule no_gifts: instead of give_to player if not generous
    player.mood = 0
"""
    gift = """\
scenario "a gift is three points"
    seats ann, ben
    when give_to ann
    then
        ann.points is 3
scenario "where nobody is generous there are no gifts"
    seats ann, ben
    set generous = no
    when give_to ann
    then
        ann.points is 0
"""
    _, suite = suite_of(tmp_path, rules, gift)
    assert judged(suite, "switch generous", "turned round", "yes").outcome == "noticed"


def test_a_change_that_no_scenario_notices(duel: tuple[Wanted, Suite]) -> None:
    _, suite = duel
    found = judged(suite, "option object", "bound moved", "card.value >= 6")
    assert found.outcome == "unnoticed"
    line = DUEL.splitlines()[found.mutant.line - 1]
    assert line.strip() == "which card in player.hand where card.value >= 6"
    assert "at the bound" in found.mutant.sketch[-1]


def test_whether_one_may_decline_is_noticed(tmp_path: Path) -> None:
    """The text of the program is the same; what the host knows of the question is another."""
    more = """
to choose by player
    ask player which card to keep in player.hand
        move card to table.pile
"""
    says = """
saying player keeps_one
    choose by player
scenario "one must be kept"
    seats ann, ben
    given ann has c1, c5
    when ann keeps_one up to keep
    then
        ann may not pass
"""
    _, suite = suite_of(tmp_path, more, f"{SCENARIOS}{says}")
    found = judged(
        suite, "to choose", "declining turned round", "which card to keep in player.hand"
    )
    assert found.outcome == "noticed"


def test_a_scenario_that_fails_as_it_is_notices_nothing(tmp_path: Path) -> None:
    wrong = SCENARIOS.replace("was(ann.points) + 6", "was(ann.points) + 7")
    _, suite = suite_of(tmp_path, scenarios=wrong, failing=1)
    found = judged(suite, "option show", "statement left out", "move card to table.pile")
    assert found.outcome != "noticed"


def test_a_change_that_the_checker_refuses(duel: tuple[Wanted, Suite]) -> None:
    _, suite = duel
    both = "which card in player.hand; table.objected = no"
    found = judged(suite, "option show", "neighbours exchanged", both)
    assert (found.outcome, found.by) == ("refused", "RW0707")


def test_a_change_after_which_only_scenarios_open_a_window(duel: tuple[Wanted, Suite]) -> None:
    _, suite = duel
    found = judged(suite, "rule play_on", "statement left out", "open moves of player")
    assert found.outcome == "unnoticed"


def test_what_makes_no_other_games_is_set_aside(tmp_path: Path) -> None:
    """A neighbour is exchanged that bots come by in every turn, and nothing comes of it."""
    stake = "player.stake = player.stake - 0"
    _, suite = suite_of(tmp_path, f"\nrule thrice: before take_turn by player\n    {stake}\n")
    found = judged(suite, "rule thrice", "statement left out", stake)
    assert found.outcome in ("same program", "same games")


def test_a_question_that_strategies_speak_of_is_no_hindrance(tmp_path: Path) -> None:
    """Nobody has so many points: the rule comes in every turn, and a strategy answers it."""
    more = """
rule dared: after take_turn by player if player.points < 999
    ask player about dare
        * dare_it
            player.stake = 1
        * leave_it
            player.stake = 2
strategy daring
    for dare
        dare_it
"""
    _, suite = suite_of(tmp_path, more)
    found = judged(suite, "rule dared", "condition dropped", "player.points < 999")
    assert found.outcome == "same games"


def test_what_no_play_brings_about_is_set_aside(tmp_path: Path) -> None:
    """Only a scenario calls it: another text, and the same to whoever plays."""
    more = "\nto foul by player\n    player.points = 7\n"
    foul = "saying player fouls\n    foul by player\n"
    _, suite = suite_of(tmp_path, more, f"{foul}{SCENARIOS}")
    found = judged(suite, "to foul", "statement left out", "player.points = 7")
    assert found.outcome == "same program"


def test_no_change_is_equal_because_nobody_came_by(tmp_path: Path) -> None:
    """The games are the same, and prove nothing: no game ever gets there."""
    rule = "\nrule never: after take_turn by player\n    if player.points > 899\n"
    _, suite = suite_of(tmp_path, f"{rule}        player.points = 7\n")
    found = judged(suite, "rule never", "statement left out", "player.points = 7")
    assert found.outcome == "unnoticed"


def test_games_of_more_players_come_by_too(tmp_path: Path) -> None:
    stake = "player.stake = player.stake - 0"
    rule = "\nrule crowded: before take_turn by player if count(players) > 2\n"
    _, suite = suite_of(tmp_path, f"{rule}    {stake}\n")
    (mutant,) = [one for one in suite.mutants if one.before == stake and not one.after]
    assert suite.sample.is_same(mutant)
    assert Sample(suite.sample.merged, (2, 3), 0).is_same(mutant)
    assert not Sample(suite.sample.merged, (2,), 0).is_same(mutant)


def test_the_sample_is_stable(duel: tuple[Wanted, Suite]) -> None:
    """Mutants keep their order when some are added or taken away, and another seed has another."""
    _, suite = duel
    mutants = list(suite.mutants)
    assert drawn(reversed(mutants), 0) == mutants
    assert drawn(mutants[::2], 0) == mutants[::2]
    assert drawn(mutants, 1) != mutants
    assert len({one.key for one in mutants}) == len(mutants)


def test_the_report(duel: tuple[Wanted, Suite]) -> None:
    wanted, suite = duel
    few = Wanted("duel", 12, 0, wanted.search_paths, wanted.std)
    report = judge_mutants(few, suite, workers=1)
    assert report.counted == 12
    assert sum(counted for _, counted in report.files().values()) == 12
    lines = list(as_text(report))
    assert lines[0].startswith(f"duel: {12 - len(report.unnoticed)} of 12 changes noticed (")
    assert sum(line.startswith("not noticed: ") for line in lines) == len(report.unnoticed) > 0
    (plain,) = as_json([report])
    assert plain["counted"] == 12
    assert len(plain["mutants"]) == len(report.judged)  # type: ignore[arg-type]


def test_workers_find_the_same(duel: tuple[Wanted, Suite]) -> None:
    wanted, suite = duel
    few = Wanted(wanted.name, 8, 0, wanted.search_paths, wanted.std)
    alone, together = (judge_mutants(few, suite, workers=count) for count in (1, 2))
    assert [(one.mutant.key, one.outcome, one.by) for one in alone.judged] == [
        (one.mutant.key, one.outcome, one.by) for one in together.judged
    ]


# ---------------------------------------------------------------- the bundled games

SHARE = 0.95


@pytest.mark.long
@pytest.mark.parametrize("name", BUNDLED)
def test_scenarios_notice_what_is_changed(name: str) -> None:
    library = api.library()
    wanted = Wanted(name, 300, 0, library.search_paths, library.std)
    suite = make_suite(wanted, Bag())
    assert suite is not None
    assert not suite.failing
    report: MutantReport = judge_mutants(wanted, suite, workers=1)
    assert report.share >= SHARE, "\n".join(as_text(report))


def test_how_bots_play_is_left_alone(tmp_path: Path) -> None:
    """What stands beside strategies is theirs, and is in no program that scenarios run."""
    game = write_game(tmp_path, DUEL)
    for folder, text in (
        ("scenarios", SCENARIOS),
        ("strategies", "define player.hope: 0..9 = min(player.points, 9)\n"),
    ):
        (game / folder).mkdir(exist_ok=True)
        (game / folder / "duel.rules").write_text(text, encoding="utf-8")
    library = api.library()
    suite = make_suite(Wanted(game, None, 0, library.search_paths, library.std), Bag())
    assert suite is not None
    assert not [one.key for one in suite.mutants if "hope" in one.owner]


def test_all_own_places_are_changed_and_no_others() -> None:
    """What a game is built on is tested there."""
    library = api.library()
    files: dict[str, set[str]] = {}
    for name in ("cthulhu", "free_parking_pot"):
        suite = make_suite(Wanted(name, None, 0, library.search_paths, library.std), Bag())
        assert suite is not None
        mutants: tuple[Mutant, ...] = suite.mutants
        files[name] = {Path(one.file).name for one in mutants}
    assert files == {"cthulhu": {"variant.yaml"}, "free_parking_pot": {"free_parking_pot.rules"}}
