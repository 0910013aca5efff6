"""Frames: golden forms, and that the marks stand under the exact text."""

from __future__ import annotations

import re
import unicodedata

import pytest
from diagnostic_samples import Golden, samples
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dsl.diagnostics import Bag, frame
from dsl.diagnostics.cells import is_unseen
from dsl.diagnostics.frame import MOST_ALIKE, MOST_COLUMNS, render_text
from dsl.source import Source, Span

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def test_frames_golden(golden: Golden) -> None:
    golden("frames.txt", render_text(samples().sorted()))


def test_color_only_adds_escapes(golden: Golden) -> None:
    found = samples().sorted()
    colored = render_text(found, color=True)
    golden("frames-in-color.txt", colored)
    bare = [line.rstrip() for line in ESCAPE.sub("", colored).split("\n")]
    assert bare == render_text(found).split("\n")


def test_nothing_to_say() -> None:
    assert render_text([]) == ""


TEXTS = st.text(st.sampled_from("ab :\n\t\r日é\u0301\u200b\x00\ud800👍"), max_size=60)


@st.composite
def spans(draw: st.DrawFn) -> list[Span]:
    source = Source("x.yaml", draw(TEXTS | st.text(max_size=30)))
    places = draw(
        st.lists(st.tuples(*[st.integers(0, len(source.text))] * 2), min_size=1, max_size=4)
    )
    return [Span(source, min(place), max(place)) for place in places]


@settings(deadline=None)
@given(spans())
@example([Span(Source("x", "\r\n\r"), 0, 3)])
def test_any_places_in_any_text_can_be_shown(places: list[Span]) -> None:
    bag = Bag()
    also = [(place, "second\nline") for place in places[1:]]
    bag.error("RW0301", places[0], "broken", label="here", also=also)
    text = render_text(bag.sorted())
    assert not any(is_unseen(char) for char in text)
    text.encode()
    assert not places[0].source.text or "^" in text


@settings(deadline=None)
@given(
    st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), min_size=1, max_size=300),
    st.data(),
)
def test_marks_stand_under_the_text(line: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(line) - 1))
    end = data.draw(st.integers(start + 1, min(len(line), start + 40)))
    bag = Bag()
    bag.error("RW0301", Span(Source("x", line), start, end), "broken")
    shown, marks = render_text(bag.sorted()).split("\n")[3:5]
    left = marks.index("^")
    # Blanks at the end of an output line are cut off.
    assert shown[left : left + marks.count("^")] == line[start:end][: len(shown[left:])]
    assert len(shown) <= MOST_COLUMNS + len("1 | ......")


def test_unseen_characters() -> None:
    assert all(map(is_unseen, "\t\r\x00\x7f\x85\xa0\xad\u200b\u2028\u202e\u3000\ufeff\ufffe\ud800"))
    assert not any(map(is_unseen, "aé日👍 \n\ufe0f\u0301"))
    assert unicodedata.category("\u0601") == "Cf"
    assert not is_unseen("\u0601")


def test_what_is_said_many_times_is_shown_a_few_times() -> None:
    text = "nope\n" * 30 + "none\n"
    source = Source("a.rules", text)
    bag = Bag()
    for start in range(0, 150, 5):
        bag.error("RW0501", Span(source, start, start + 4), "nothing here is called `nope`")
    bag.error("RW0501", Span(source, 150, 154), "nothing here is called `none`")
    shown = render_text(bag.sorted())
    assert shown.count("called `nope`") == MOST_ALIKE
    assert shown.count("called `none`") == 1
    assert (
        "note: the same at a.rules:6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 and 13 more" in shown
    )


def test_a_long_line_is_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of one line may have an error at every word: what that costs is in proportion."""
    seen: list[str] = []

    def counted(char: str) -> str:
        seen.append(char)
        return char

    monkeypatch.setattr(frame, "char_cell", counted)
    source = Source("long.yaml", "word " * 1_000)
    bag = Bag()
    for at in range(0, 5_000, 5):
        bag.error("RW0401", Span(source, at, at + 4), f"no {at}")
    text = render_text(bag.sorted())
    assert text.count("^^^^") == 1_000
    assert len(seen) == 5_000
