"""The bag: order, repetitions, and one error for one cause."""

from __future__ import annotations

from dsl.diagnostics import Bag
from dsl.source import NOWHERE, Source, Span

FIRST = Source("a.yaml", "one two three\n")
SECOND = Source("b.yaml", "four\n")


def said(bag: Bag) -> list[str]:
    return [diagnostic.message for diagnostic in bag.sorted()]


def test_sorted_by_file_offset_severity_code() -> None:
    bag = Bag()
    bag.error("RW0301", Span(SECOND, 0, 4), "sixth")
    bag.note("RW0301", Span(FIRST, 4, 7), "fifth")
    bag.warning("RW0302", Span(FIRST, 4, 7), "fourth")
    bag.warning("RW0301", Span(FIRST, 4, 7), "third")
    bag.error("RW0303", Span(FIRST, 4, 7), "second")
    bag.warning("RW0303", Span(FIRST, 0, 3), "first")
    assert said(bag) == ["first", "second", "third", "fourth", "fifth", "sixth"]


def test_same_place_and_code_keep_the_order_of_finding() -> None:
    bag = Bag()
    for text in ("b", "a", "c"):
        bag.warning("RW0301", Span(FIRST, 0, 3), text)
    assert said(bag) == ["b", "a", "c"]


def test_repetitions_are_dropped() -> None:
    bag = Bag()
    for _ in range(2):
        bag.error("RW0301", Span(Source("a.yaml", FIRST.text), 0, 3), "broken")
        bag.warning("RW0301", Span(FIRST, 0, 3), "doubtful")
    assert said(bag) == ["broken", "doubtful"]


def test_one_cause_one_error() -> None:
    bag = Bag()
    bag.error("RW0401", Span(FIRST, 4, 7), "the cause")
    bag.error("RW0301", Span(FIRST, 4, 13), "a consequence")
    bag.error("RW0401", Span(FIRST, 8, 13), "something else")
    assert said(bag) == ["the cause", "something else"]


def test_a_warning_hides_no_error() -> None:
    bag = Bag()
    bag.warning("RW0301", Span(FIRST, 0, 3), "doubtful")
    bag.error("RW0302", Span(FIRST, 0, 3), "broken")
    assert said(bag) == ["broken", "doubtful"]


def test_errors_without_a_place_in_a_text_are_all_kept() -> None:
    folder = Span(Source("some/folder", ""), 0, 0)
    bag = Bag()
    bag.error("RW0301", NOWHERE, "one")
    bag.error("RW0301", NOWHERE, "two")
    bag.error("RW0301", folder, "three")
    bag.error("RW0302", folder, "four")
    bag.error("RW0302", folder, "four")
    assert said(bag) == ["one", "two", "three", "four"]


def test_has_errors() -> None:
    bag = Bag()
    bag.warning("RW0301", NOWHERE, "doubtful")
    assert not bag.has_errors
    bag.error("RW0301", NOWHERE, "broken")
    assert bag.has_errors


def test_extend_takes_a_bag_or_a_list() -> None:
    bag, other = Bag(), Bag()
    other.error("RW0301", Span(FIRST, 0, 3), "one")
    bag.extend(other)
    bag.extend(other.sorted())
    assert said(bag) == ["one"]
    bag.extend(bag)
    assert len(list(bag)) == 4
