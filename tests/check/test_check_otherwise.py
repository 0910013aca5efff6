"""A word of one sort where another belongs: the message says what it is, and how that is said."""

from __future__ import annotations

from pathlib import Path

import pytest
from check_games import check

from dsl.diagnostics import Bag
from dsl.project.find import Library
from dsl.project.load import load_merged
from interpreter.bundled import variants_dir

IN_RULE = "rule mine: after landing by player on field: Garden\n    "


@pytest.mark.parametrize(
    ("text", "code", "help_"),
    [
        ("switch fee_paid: money = 5\nexception to fee_paid\n    but a: 1 if yes\n", "RW0516",
         "it is a switch: `set fee_paid = VALUE`"),
        ("rule mine: instead of toll by player\n    as usual\n", "RW0513",
         "`toll` is a rule; hook what it hooks"),
        ("rule mine: instead of fee by player\n    as usual\n", "RW0513", "it is a value"),
        ("rule mine: instead of blooms by player\n    as usual\n", "RW0513", "has it as a field"),
        ("rule mine: instead of market by player\n    as usual\n", "RW0513", "it is a window"),
        ("add to plain\n    x: 0..3\n", "RW0502", "it is a strategy: `strategy NAME is plain`"),
        (IN_RULE + "give 20 to player\n", "RW0505", "`pay 50 from a to b` is a payment"),
        (IN_RULE + "ann is_on rose\n", "RW0505", "sayings stand in scenarios"),
        (IN_RULE + "luck picks 2 card in table.deck\n", "RW0201",
         "write `luck picks NAME in LIST`"),
        (IN_RULE + "luck picks c in table.deck where c.value > 2\n", "RW0201",
         "write `luck picks x in [each x in LIST where CONDITION]`"),
    ],
)  # fmt: skip
def test_the_help_leads_to_the_form(text: str, code: str, help_: str | None) -> None:
    _, bag = check(text)
    found = [each for each in bag.sorted() if each.code == code]
    assert found, [(each.code, each.message, each.help) for each in bag.sorted()]
    if help_ is not None:
        assert help_ in (found[0].help or ""), found[0].help


@pytest.mark.parametrize(
    ("lines", "help_"),
    [
        ("    when play turn\n        ann: slep\n    then\n        ann.cash is 3\n",
         "did you mean the answer `sleep`?"),
        ("    when ann.place = rose\n    then\n        ann.cash is 3\n",
         "what is so before that stands above it: `given THING.FIELD = VALUE`"),
    ],
)  # fmt: skip
def test_the_help_in_scenarios(lines: str, help_: str) -> None:
    _, bag = check('scenario "one"\n    seats ann, ben\n' + lines)
    assert help_ in [each.help for each in bag.sorted()]


def test_a_field_of_what_is_here_is_meant() -> None:
    _, bag = check(IN_RULE + 'if place is field\n        say "here"\n')
    (found,) = (each for each in bag.sorted() if each.code == "RW0501")
    assert found.help == "did you mean `player.place`?"


def test_a_kind_of_several_words_is_mended_as_kinds_are_written(tmp_path: Path) -> None:
    (tmp_path / "variant.yaml").write_text(
        'variant: v\ntitle: "V"\nextends: classic\nthings:\n  spaces:\n'
        '    - {id: stop, kind: Bus Stop, name: "X"}\n',
        encoding="utf-8",
    )
    bag = Bag()
    load_merged(Library([variants_dir()]), tmp_path, bag=bag)
    (found,) = bag.sorted()
    assert found.fix is not None
    assert found.fix.edits[0].text == "BusStop"
