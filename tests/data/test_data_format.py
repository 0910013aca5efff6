"""Data files in the one style: the same values and comments, formatted once and for all."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dsl.data.formatter import format_data
from dsl.data.loader import load_yaml
from dsl.data.node import to_plain
from dsl.diagnostics.record import Bag
from dsl.source import Source

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([*ROOT.glob("variants/**/*.yaml"), *ROOT.glob("tests/**/*.yaml")])


def formatted(text: str) -> str:
    result = format_data(Source("made.yaml", text), Bag())
    assert result is not None
    return result


@pytest.mark.parametrize(
    ("text", "smooth"),
    [
        ("a: 1", "a: 1\n"),
        ("\n\na: 1  \n\n\n\nb: [1,   2]\n\n", "a: 1\n\nb: [1,   2]\n"),
        ("a: 1\r\nb: 2\r\n", "a: 1\nb: 2\n"),
        ("#why\n#  so\n#!mark\n##\na: 1 #beside\n", "# why\n#  so\n#!mark\n##\na: 1 #beside\n"),
        ('a: "x  \n\n\n  #y"\nb: 1\n', 'a: "x  \n\n\n  #y"\nb: 1\n'),
        ("a: |\n  x  \n\n\n  #y\n\n\nb: 1\n", "a: |\n  x  \n\n\n  #y\n\nb: 1\n"),
        ("a: |+\n  x\n\n\nb: 1\n", "a: |+\n  x\n\n\nb: 1\n"),
        ("a: |+\n  x\n\n\n", "a: |+\n  x\n\n\n"),
        ("a: |\n  x", "a: |\n  x"),
    ],
)
def test_what_the_style_says(text: str, smooth: str) -> None:
    assert formatted(text) == smooth
    assert formatted(smooth) == smooth


def test_what_can_not_be_read_is_left() -> None:
    bag = Bag()
    assert format_data(Source("made.yaml", "a: [1\n"), bag) is None
    assert bag.has_errors


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_all_files_are_formatted(path: Path) -> None:
    """Mend it with: rulewright fmt PATH"""
    text = path.read_text(encoding="utf-8")
    assert format_data(Source(path.name, text), Bag()) in (text, None)


LINES = [
    "a: |",
    "a: >-",
    "  x ",
    "   y",
    "",
    "  ",
    "#c",
    "b: 1",
    'd: "',
    '"',
    "  - e",
    "f:",
    "k: |+",
]


@settings(
    max_examples=300, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
@given(st.lists(st.sampled_from(LINES), max_size=8), st.sampled_from(["", "\n", "\n\n"]))
def test_values_stay_as_they_are(lines: list[str], end: str) -> None:
    text = "\n".join(lines) + end
    bag = Bag()
    node = load_yaml(Source("made.yaml", text), bag)
    smooth = format_data(Source("made.yaml", text), Bag())
    if node is None or bag.has_errors:
        assert smooth is None
        return
    assert smooth is not None
    after = load_yaml(Source("made.yaml", smooth), Bag())
    assert after is not None
    assert to_plain(after) == to_plain(node)
    assert formatted(smooth) == smooth
