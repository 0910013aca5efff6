"""What must hold for every text and every tree."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from syntax_trees import bare, exprs, kinds, scripts

from dsl.diagnostics.record import Bag
from dsl.diagnostics.render import render_text
from dsl.source import Source
from dsl.syntax import nodes
from dsl.syntax.parser import parse_expression, parse_script
from dsl.syntax.print_expressions import format_expr
from dsl.syntax.printer import format_script
from dsl.syntax.table_file import load_tables

HERE = Path(__file__).parent
SIGNS = ["\n", "\n   ", "\n       ", "x", "y", "Z", "3", *"=:.,()[]-*?|"]
WORDS = {*load_tables().keywords, *SIGNS}

often = settings(
    max_examples=300, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True
)


def parsed(text: str) -> nodes.Script:
    bag = Bag()
    script = parse_script(Source("made.rules", text), bag)
    assert [(each.code, each.message, each.span.start) for each in bag] == [], text
    return script


@settings(often, max_examples=60)
@given(scripts)
def test_formatted_trees_parse_to_themselves(script: nodes.Script) -> None:
    text = format_script(script)
    again = parsed(text)
    assert bare(again) == bare(script), text
    assert format_script(again) == text


@often
@given(exprs)
def test_formatted_values_parse_to_themselves(expr: nodes.Expr) -> None:
    text = format_expr(expr)
    bag = Bag()
    again = parse_expression(Source("made", text), bag)
    assert not list(bag), text
    assert bare(again) == bare(expr), text


EXAMPLES = [path.read_text(encoding="utf-8") for path in sorted(HERE.glob("examples/*.rules"))]
PIECES = re.compile(r"\w+|[^\w\s]|\n *| ")


def check_any_text(text: str) -> None:
    """Nothing is raised; all places are in the text; what has no mistake can be formatted."""
    bag = Bag()
    source = Source("any.rules", text)
    script = parse_script(source, bag)
    for each in bag:
        assert 0 <= each.span.start <= each.span.end <= len(text)
        assert each.message
    if not bag.has_errors:
        assert not kinds(script) & {"ErrorStmt", "ErrorExpr"}
        assert bare(parsed(format_script(script))) == bare(script)
    assert len(render_text(bag.sorted())) < 1000 * (len(text) + 1)


@often
@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    check_any_text(text)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """An example with some of its pieces lost, doubled, swapped or replaced."""
    pieces = PIECES.findall(draw(st.sampled_from(EXAMPLES)))
    start = draw(st.integers(0, len(pieces) - 1))
    pieces = pieces[start : start + draw(st.integers(1, 200))]
    for _ in range(draw(st.integers(1, 6))):
        at = draw(st.integers(0, len(pieces) - 1))
        other = draw(
            st.sampled_from(pieces) | st.sampled_from(["\n", "\n    ", "\t", '"', "(", "é"])
        )
        pieces[at : at + 1] = draw(st.sampled_from([[], [other], [pieces[at], other]]))
        if not pieces:
            break
    return "".join(pieces)


@often
@given(damaged())
def test_damaged_examples_are_read(text: str) -> None:
    check_any_text(text)


@often
@given(st.lists(st.sampled_from(sorted(WORDS)), max_size=60))
def test_any_words_are_read(words: list[str]) -> None:
    check_any_text(" ".join(words))


@often
@given(st.text(max_size=60))
def test_any_value_is_read(text: str) -> None:
    bag = Bag()
    expr = parse_expression(Source("any", text), bag)
    assert isinstance(expr, nodes.ExprBase)
    assert bag.has_errors or "ErrorExpr" not in kinds(expr)
