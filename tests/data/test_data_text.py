"""Characters: what is refused, in how many words, and that reading goes on behind it."""

from __future__ import annotations

import pytest
from data_reading import fixed, load, problems, said

from dsl.data.loader import MOST_VALUES
from dsl.data.node import to_plain
from dsl.data.text import MOST_CHARACTERS


@pytest.mark.parametrize(
    ("char", "code"),
    [
        (char, "RW0151")
        for char in "\u200b\u200c\u200d\u2060\ufeff\u00a0\u2003\u3000\u00ad\u202e\x00"
    ]
    + [
        (char, "RW0151")
        for char in "\x07\x1b\x7f\x85\u2028\u2029\ufffe\ud800\U0001fffe\u2800\u3164"
    ]
    + [("\t", "RW0152")],
)
def test_refused_wherever_it_stands(char: str, code: str) -> None:
    for text in (f"a: x{char}y", f"a: x # c{char}", f"a: 'x{char}'", f"a{char}: x"):
        assert (code, char) in problems(text)


@pytest.mark.parametrize("char", "é日👍❤️½＄€\u0601ñ")
def test_accepted(char: str) -> None:
    assert problems(f"a: x{char}y") == []


def test_one_error_for_each_kind_with_one_fix_for_all() -> None:
    text = "a: x\u200by\nb: \u200bz\u00a0\nc: u\u200b\u200b\u200b\u200bv"
    _, bag = load(text)
    zero, blank = bag.sorted()
    assert (zero.span.start, blank.span.start) == (4, 12)
    assert len(zero.secondary) == 4
    assert zero.notes == ("there are 6 of them in this file",)
    assert fixed(text, zero) == "a: xy\nb: z\u00a0\nc: uv"


def test_reading_goes_on_with_exact_places() -> None:
    text = "ti\u200btle: e\u0301\u200bx\nfoo: 012\n\u00a0\u00a0\nfoo: 1\n"
    node, bag = load(text)
    assert node is not None
    assert to_plain(node) == {"title": "éx", "foo": "012"}
    assert said(bag) == [
        ("RW0151", "\u200b"),
        ("RW0153", "e\u0301"),
        ("RW0304", "012"),
        ("RW0151", "\u00a0"),
        ("RW0302", "foo"),
    ]


def test_a_tab_that_indents_stops_reading() -> None:
    node, bag = load("a:\n\tb: yes\n  \tc: 1\n")
    assert node is None
    assert said(bag) == [("RW0152", "\t")]
    assert len(bag.sorted()[0].secondary) == 1


def test_a_tab_elsewhere_does_not() -> None:
    node, bag = load("a:\t1\nb: 2 \t# two\n")
    assert node is not None
    assert to_plain(node) == {"a": 1, "b": 2}
    assert said(bag) == [("RW0152", "\t")]


def test_windows_line_ends_are_fine_and_lone_returns_are_not() -> None:
    assert problems("a: 1\r\nb: 2\r\n") == []
    assert problems("a: 1\rb: 2\r\n") == [("RW0151", "\r")]


def test_unusual_forms_are_marked_no_wider_than_needed() -> None:
    assert problems("a: Cafe\u0301s, na\u0131\u0308ve, ok") == [("RW0153", "e\u0301")]
    assert problems("a: \u212b") == [("RW0153", "\u212b")]
    assert problems("a: \u1112\u1161\u11ab") == [("RW0153", "\u1112\u1161\u11ab")]


def test_escapes_are_seen_through() -> None:
    assert problems('a: "\\u200D\\u00A0"') == []
    assert problems('a: "x\\0y"') == [("RW0151", '"x\\0y"')]
    assert problems('a: "\\ty"') == [("RW0151", '"\\ty"')]
    assert problems('a: "e\\u0301"') == [("RW0153", '"e\\u0301"')]
    node, _ = load('a: "x\\0y"')
    assert node is not None
    assert to_plain(node) == {"a": "xy"}


@pytest.mark.parametrize("char", ["\\u202e", "\\u202A", "\\u2066", "\\u2069", "\\u2028", "\\x1b"])
def test_no_escape_turns_or_breaks_a_line(char: str) -> None:
    assert problems(f'a: "x{char}y"') == [("RW0151", f'"x{char}y"')]


@pytest.mark.parametrize("char", ["\\n", "\\u00e9", "\\u05d0", "\\u200e", "\\u200b"])
def test_other_escapes_are_for_texts(char: str) -> None:
    assert problems(f'a: "x{char}y"') == []


def test_too_large() -> None:
    node, bag = load("a: " + "x" * MOST_CHARACTERS)
    assert node is None
    assert [each.code for each in bag] == ["RW0154"]
    assert problems("a: " + "x" * (MOST_CHARACTERS - 3)) == []


def test_a_text_has_so_many_values() -> None:
    """Its entries, the name `a` and the list are values, too."""
    fits = "a: [" + ", ".join(["1"] * (MOST_VALUES - 3)) + "]"
    assert problems(fits) == []
    text = fits[:-1] + ", 23]"
    node, bag = load(text)
    assert node is None
    (one,) = bag.sorted()
    assert one.code == "RW0154"
    assert "more than 50,000 values" in one.message
    assert one.span.text == "23"
