"""What the switches exclude is not reported as something that never happened."""

from __future__ import annotations

import pytest

from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from interpreter.bundled import variants_dir
from interpreter.playtest.excluded import excluded
from interpreter.session.build import check
from interpreter.session.compile import CompiledGame
from interpreter.session.request import Request

WASTE = "option waste"
PAY_NOW = "answer failed_try.pay_now"
LAST = "rule last_one_left"


def excluded_of(variant: str, **switches: str) -> frozenset[str]:
    bag = Bag()
    request = Request(Library([variants_dir()]), variant, 4, switches=switches)
    program = check(request, bag)
    assert program is not None, bag.sorted()
    return excluded(program)


@pytest.mark.parametrize(
    ("variant", "label", "switch", "value"),
    [
        ("deal", WASTE, "no_target_action", "wasted"),
        ("classic", PAY_NOW, "jail_pay_when", "before_or_after_the_try"),
    ],
)
def test_a_switch_excludes_an_option_or_an_answer(
    variant: str, label: str, switch: str, value: str
) -> None:
    assert label in excluded_of(variant)
    assert label not in excluded_of(variant, **{switch: value})


def test_a_rule_that_waits_for_what_never_changes() -> None:
    """Nobody leaves a game of Deal; in Classic the last one left has won."""
    assert LAST in excluded_of("deal")
    assert LAST not in excluded_of("classic")


def test_what_is_only_rare_is_not_excluded(race: CompiledGame) -> None:
    assert excluded(race.source()) == {LAST}
