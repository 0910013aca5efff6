"""Scripts in the one style: formatted once and for all, with the same tree and comments."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syntax_trees import bare, scripts

from dsl.diagnostics.record import Bag
from dsl.source import Source
from dsl.syntax import nodes
from dsl.syntax.formatter import format_text
from dsl.syntax.layout import lay_out
from dsl.syntax.parser import parse_script
from dsl.syntax.printer import format_script
from dsl.syntax.table_file import load_tables

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
ROUGH = HERE / "formatting" / "rough.rules"
KEPT = [*ROOT.glob("dsl/std/**/*.rules"), *ROOT.glob("variants/**/*.rules")]
PAGES = [ROOT / "README.md", *ROOT.glob("docs/**/*.md"), *ROOT.glob("dsl/diagnostics/pages/*.md")]
FENCE = re.compile(r"^```rules\n(.*?)^```$", re.MULTILINE | re.DOTALL)
WIDTH = 100

often = settings(
    max_examples=150, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


def formatted(text: str) -> str:
    bag = Bag()
    result = format_text(Source("made.rules", text), bag)
    assert result is not None, [(each.code, each.message, each.span.start) for each in bag]
    return result


def tree(text: str) -> object:
    return bare(parse_script(Source("made.rules", text), Bag()))


def comments(text: str) -> list[tuple[str, str]]:
    """All comments, with where they stand."""
    found = lay_out(Source("made.rules", text), load_tables()).comments.values()
    return [(comment.text, comment.stands) for comment in found]


def check_style(text: str) -> str:
    """Formats a text; what must hold for every text holds."""
    smooth = formatted(text)
    assert formatted(smooth) == smooth
    assert tree(smooth) == tree(text)
    assert comments(smooth) == comments(text)
    lines = smooth.split("\n")
    assert lines.pop() == ""
    assert all(line == line.rstrip() for line in lines)
    assert "\n\n\n" not in smooth
    return smooth


def test_golden_style() -> None:
    """What the style is, in one file; RULEWRIGHT_BLESS=1 rewrites it."""
    smooth = check_style(ROUGH.read_text(encoding="utf-8"))
    beside = ROUGH.with_name("smooth.rules")
    if os.environ.get("RULEWRIGHT_BLESS"):
        beside.write_text(smooth, encoding="utf-8")
    assert smooth == beside.read_text(encoding="utf-8")
    assert max(map(len, smooth.split("\n"))) <= WIDTH


@pytest.mark.parametrize("path", sorted(KEPT), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_all_rules_are_formatted(path: Path) -> None:
    """Mend it with: rulewright fmt dsl/std variants"""
    text = path.read_text(encoding="utf-8")
    assert check_style(text) == text


@pytest.mark.parametrize("path", sorted(PAGES), ids=lambda path: path.name)
def test_rules_that_are_shown_are_formatted(path: Path) -> None:
    for shown in FENCE.findall(path.read_text(encoding="utf-8")):
        assert format_text(Source(path.name, shown), Bag()) in (shown, None)


@pytest.mark.parametrize("path", sorted(HERE.glob("examples/*.rules")), ids=lambda path: path.stem)
def test_every_construct_can_be_formatted(path: Path) -> None:
    check_style(path.read_text(encoding="utf-8"))


@settings(often, max_examples=40)
@given(scripts)
def test_generated_trees_are_printed_in_the_style(script: nodes.Script) -> None:
    """The printer and the formatter agree, but that the printer breaks no line."""
    text = format_script(script)
    smooth = check_style(text)
    is_wide = max(map(len, text.split("\n"))) > WIDTH
    assert is_wide or smooth == text


@st.composite
def commented(draw: st.DrawFn) -> str:
    """A script with comments and empty lines put in at odd places."""
    path = draw(st.sampled_from([ROUGH, *sorted(HERE.glob("examples/*.rules"))]))
    lines = path.read_text(encoding="utf-8").split("\n")
    start = draw(st.integers(0, len(lines) - 1))
    for _ in range(draw(st.integers(1, 12))):
        at = min(start + draw(st.integers(0, 12)), len(lines) - 1)
        column = draw(st.integers(0, 20))
        match draw(st.sampled_from(["alone", "beside", "below", "empty", "long"])):
            case "alone":
                lines.insert(at, " " * column + "--made" + str(at))
            case "beside" if "--" not in lines[at] and lines[at].strip():
                lines[at] = lines[at].ljust(column) + " -- beside"
            case "below" if "--" in lines[at]:
                lines.insert(at + 1, " " * lines[at].index("--") + "-- below")
            case "long" if lines[at].strip():
                lines[at] = lines[at].replace(" ", " " * 9, 1)
            case _:
                lines.insert(at, " " * column)
    return "\n".join(lines)


@often
@given(commented())
def test_comments_stay_where_they_are(text: str) -> None:
    if format_text(Source("made.rules", text), Bag()) is not None:
        check_style(text)


@pytest.mark.parametrize("step", [1, 2, 3, 8])
def test_blanks_do_not_matter(step: int) -> None:
    """However blanks are strewn, and however deep a step is: the file comes out as it was."""
    chance = random.Random(step)
    for path in sorted(KEPT):
        rough = [_strewn(line, step, chance) for line in path.read_text("utf-8").split("\n")]
        text = "\n".join(rough)
        assert formatted(text) == path.read_text("utf-8"), path


def _strewn(line: str, step: int, chance: random.Random) -> str:
    code = line.lstrip()
    if not code:
        return " " * chance.randrange(9) + "\n" * chance.randrange(3)
    parts = re.split(r'("[^"]*"|--.*)', code)
    parts[::2] = [re.sub(" |(?<=[,(])", " " * chance.randint(1, 3), part) for part in parts[::2]]
    return " " * ((len(line) - len(code)) // 4 * step) + "".join(parts) + " " * chance.randrange(3)


def test_tabs_and_other_line_ends_are_mended() -> None:
    text = "\ufeffkind A\r\n\tx: flag\r\n\r\n\ty: flag\r\n"
    assert formatted(text) == "kind A\n    x: flag\n\n    y: flag\n"


@pytest.mark.parametrize("text", ["kind\n", "kind A\n        x: flag\n   y: flag\n", 'to f\n  x "'])
def test_what_can_not_be_read_is_left(text: str) -> None:
    bag = Bag()
    assert format_text(Source("made.rules", text), bag) is None
    assert bag.has_errors


def test_nothing_stays_nothing() -> None:
    assert formatted("") == formatted("\n\n  \n") == ""
    assert formatted("\n--why\n\n") == "-- why\n"
