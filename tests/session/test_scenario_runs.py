"""The scenario runner: what passes, and what a failing scenario shows."""

from __future__ import annotations

from pathlib import Path

import pytest
from session_games import DUEL, write_game

from dsl.diagnostics.record import Bag
from interpreter import api
from interpreter.scenario.results import ScenarioReport
from interpreter.scenario.suite import run_scenarios

SAYINGS = """\
saying player has cards: list of Card up to 30
    move cards to player.hand
saying player moves
    game.active = player
    open moves of player
"""


def run(folder: Path, scenarios: str, *, word: str | None = None, more: str = "") -> ScenarioReport:
    """The scenarios of the small game, perhaps with more rules."""
    game = write_game(folder, DUEL + more)
    (game / "scenarios").mkdir()
    (game / "scenarios" / "duel.rules").write_text(SAYINGS + scenarios, encoding="utf-8")
    bag = Bag()
    report = run_scenarios(api.library(), game, bag, word=word, coverage=True)
    assert not bag.has_errors, [one.message for one in bag]
    return report


def failing(folder: Path, scenario: str) -> str:
    """What is told of a scenario that fails, without the folder."""
    report = run(folder, scenario)
    assert not report.passed
    return report.results[0].text().replace(f"{folder}/duel/", "")


PASSING = """
scenario "a shown card brings its value"
    seats ann, ben
    given ann has c1, c5
    when ann moves up to moves
        ann: show(card: c5)
    then
        ann.points is was(ann.points) + 6
        c5 in table.pile
        ann may show(card: c1)
        ann may not show(card: c5)
        ann may pass
        ben is asked objections
        ben is not asked moves
        ann is not asked objections
        the game goes on
    when
        ann: show
    then
        ann.points is was(ann.points) + 2

scenario "an objection"
    seats ann, ben
    given ann has c1
    given ben has c8
    when ann moves
        ann: show
        ben: object
    then
        ann.points is 0
        c8 in table.pile

scenario "nobody pays with nothing"
    seats ann, ben
    given ann has c1
    when ann moves up to moves
    then
        ann may not look(cards: [c1]), "{player} has nothing to pay with"

scenario "a bigger hand"
    seats ann, ben, cleo
    set hand_size = 5
    when play start
    then
        all(count(p.hand) is 5 for each p in players)

scenario "who is not mentioned stakes nothing"
    seats ben, cleo
    given ben has c1
    when play turn
        ben: 1, rest
    then
        ben.stake is 1 and cleo.stake is 0

scenario "all are asked in secret, and each for his own"
    seats ben, cleo
    given ben has c1
    given cleo has c2, c3
    when play turn up to stake
    then
        ben may pick 1
        ben may not pick 2
        cleo may pick 2
        cleo may not pick 3
        ben may not pass
        cleo is asked stake
    when
        ben: 1
        cleo: 0
    then
        ben.stake is 1
        ben is not asked stake
        cleo is not asked stake

scenario "one legal answer needs not be said"
    seats ann, ben
    when play turn
    then
        ann is asked ending
        ben is not asked ending
        count(ann.hand) is 1

scenario "an answer waits for its question"
    seats ann, ben
    given ann.points = 3
    given ann has c1, c9
    when play turn
        ann: 1 at stake, pass at moves, boast at ending
    then
        ann.points is was(ann.points) + 1

scenario "a set is refused for what is said of sets"
    seats ann, ben
    given ann.points = 1
    given ann has c1, c8, c7
    when ann moves up to moves
    then
        ann may look(cards: [c1])
        ann may not look(cards: [c8, c7]), "worth {cards.worth}, not below 9"
        ann may not look(cards: [c1, c8, c7])

scenario "what there is can be looked at before anything happens"
    seats ann, ben
    then
        count(Card) is 30
    given ann has c1
    then
        count(ann.hand) is 1

scenario "the end"
    seats ann, ben
    given move table.draw to table.pile
    when play turn
    then
        the game is over
"""


def test_passing(tmp_path: Path) -> None:
    report = run(tmp_path, PASSING)
    assert [result.text() for result in report.results if not result.passed] == []
    assert len(report.results) == 11
    assert report.coverage is not None
    assert [(one.what, one.name) for one in report.coverage.never] == [
        ("rule", "last_one_left"),
        ("option", "look"),
    ]


def test_by_word(tmp_path: Path) -> None:
    report = run(tmp_path, PASSING, word="OBJECTION")
    assert [result.title for result in report.results] == ["an objection"]


def test_what_does_not_hold(tmp_path: Path) -> None:
    text = failing(
        tmp_path,
        """
scenario "too much"
    seats ann, ben
    given ann has c1, c5
    when ann moves
        ann: show(card: c5)
    then
        ann.points is was(ann.points) + 7
""",
    )
    assert (
        text
        == """\
FAILED: too much
  scenarios/duel.rules:7
  what is expected does not hold  (scenarios/duel.rules:13)
  given:
    ann has c1, c5
  expected: ann.points is was(ann.points) + 7
  got:
    ann.points = 6
    was(ann.points) + 7 = 7
  what led there:
    scenarios/duel.rules:4  the game: active Ann
    rules/duel.rules:48  Ann: show (card Card 5)
    rules/duel.rules:50  the table: objected no
    rules/duel.rules:51  Card 5 goes to the table
    rules/duel.rules:67  Ben passes at `objections`
    rules/duel.rules:54  Ann: points 6
    rules/duel.rules:55  Ann shows Card 5
    rules/duel.rules:44  Ann passes at `moves`"""
    )


FAILURES = {
    "ann was asked `ending`, and the scenario gives no answer": """
    given ann.points = 3
    when play turn
    then
        ann.points is 0
""",
    "ann was asked `ending`; the answer `boast` is refused: Ann has only 0 points": """
    when play turn
        ann: 0, boast
    then
        ann.points is 0
""",
    "ann was asked `ending`; the answer `c1` is none to it": """
    given ann.points = 3
    when play turn
        ann: c1
    then
        ann.points is 0
""",
    "ann could never answer `look(cards: [c1])`: Ann has nothing to pay with": """
    when ann moves
        ann: look(cards: [c1])
    then
        ann.points is 0
""",
    "ben was never asked for `object`": """
    when ann moves
        ben: object
    then
        ann.points is 0
""",
    "ben was never asked for `pass`": """
    when ann moves
        ben: pass
    then
        ann.points is 0
""",
    "ann was never asked for `pass at objections`": """
    when ann moves
        ann: pass at objections
    then
        ann.points is 0
""",
    "2 results of luck were not used": """
    when ann moves
        luck: 1, 2
    then
        ann.points is 0
""",
    "this may be answered": """
    when ann moves up to moves
    then
        ann may not show(card: c1)
""",
    "this may not be answered: Ann has nothing to pay with": """
    when ann moves up to moves
    then
        ann may look(cards: [c1])
""",
    "it is refused for another reason: Card 9 can't be picked, for nothing can be picked here": """
    when ann moves up to objections
        ann: show(card: c1)
    then
        ben may not object(card: c9), "somebody has objected already"
""",
    'it is refused for a reason that has to be said: "{player} has nothing to pay with"': """
    when ann moves up to moves
    then
        ann may not look(cards: [c1])
""",
    "Ben is not asked `moves` here: it asks Ann": """
    when ann moves up to moves
    then
        ben may not show(card: c1)
""",
    "Ann is asked `moves`": """
    when ann moves up to moves
    then
        ann is not asked moves
""",
    "Ben was not asked `moves`": """
    when ann moves
    then
        ben is asked moves
""",
    "play never came to `objections`": """
    when ann moves up to objections
    then
        yes
""",
    "play never came to `objections`: the game was over before": """
    given move table.draw to table.pile
    when play turn up to objections
    then
        yes
""",
    "the game goes on": """
    when ann moves
    then
        the game is over
""",
    "the game is over": """
    given move table.draw to table.pile
    when play turn
    then
        the game goes on
""",
    "the game is over: nothing can happen after its end": """
    given move table.draw to table.pile
    when play turn
    when play turn
    then
        the game is over
""",
}


def test_who_was_asked_in_a_round_is_asked_no_more(tmp_path: Path) -> None:
    """Where each is asked once, the question that waits is not for those before."""
    more = """
window boasts
    ask each p in players
    once each
option boast_of in boasts by player
    which card in player.hand
    player.points = card.value
"""
    report = run(
        tmp_path,
        """
saying player begins
    game.active = player
    open boasts
scenario "one after the other"
    seats ann, ben, cleo
    given
        ann has c1
        ben has c2
    when ann begins up to boasts
    then
        ann may boast_of(card: c1)
        ben may boast_of(card: c2)
    when up to boasts
        ann: boast_of(card: c1)
    then
        ann is not asked boasts
        ben may boast_of(card: c2)
""",
        more=more,
    )
    assert report.passed, [one.text() for one in report.results]


def test_nothing_is_left_of_the_scenario_before(tmp_path: Path) -> None:
    """Play that waited, what was asked and luck belong to one scenario."""
    report = run(
        tmp_path,
        """
scenario "it ends where play waits"
    seats ann, ben
    given ann has c1
    when ann moves up to objections
        ann: show(card: c1)
    then
        ben may pass
scenario "it looks at once"
    seats ann, ben
    then
        ben is not asked objections
        ann is not asked moves
        count(table.pile) is 0
        the game goes on
scenario "it plays"
    seats ann, ben
    given ann has c1
    when ann moves
        ann: show(card: c1)
    then
        ann.points is was(ann.points) + 2
""",
    )
    assert [result.text() for result in report.results if not result.passed] == []
    assert len(report.results) == 3


@pytest.mark.parametrize("told", FAILURES)
def test_failures(tmp_path: Path, told: str) -> None:
    head = 'scenario "x"\n    seats ann, ben\n    given ann has c1, c5'
    assert told in failing(tmp_path, head + FAILURES[told])


def test_legal_answers_are_told(tmp_path: Path) -> None:
    text = failing(
        tmp_path,
        """
scenario "no answer"
    seats ann, ben
    given ann.points = 3
    given ann has c1, c2
    when play turn
    then
        ann.points is 0
""",
    )
    assert "  legal answers:\n    rest\n    boast\n  what led there:" in text
    assert "rules/duel.rules:31  Ann: 0 at `stake` (not said)\n" in text
    assert "Ann passes at `moves`" in text


def test_mistakes_are_in_the_bag(tmp_path: Path) -> None:
    game = write_game(tmp_path, DUEL)
    (game / "scenarios").mkdir()
    text = 'scenario "x"\n    seats ann, ben\n    when ann dances\n    then\n        yes\n'
    (game / "scenarios" / "duel.rules").write_text(text, encoding="utf-8")
    bag = Bag()
    report = run_scenarios(api.library(), game, bag)
    assert bag.has_errors
    assert [result.passed for result in report.results] == [False]


VARIANTS = [*api.variants(), *api.library().mods()]


@pytest.mark.parametrize("name", VARIANTS)
def test_bundled_scenarios_pass(name: str) -> None:
    bag = Bag()
    report = run_scenarios(api.library(), name, bag)
    assert not bag.has_errors, [one.message for one in bag]
    assert report.results
    failed = [result.text() for result in report.results if not result.passed]
    assert not failed, "\n\n".join(failed)
