"""What to say about the layout of a text: tabs, odd indentation, brackets."""

from __future__ import annotations

from dsl.source import Source, Span
from dsl.syntax.finding import Finding
from dsl.syntax.layout import MOST_LEVELS, OPENERS, Problem

_SPACES = "indent with spaces, four for each step"


def describe_problem(problem: Problem, source: Source) -> Finding:
    """The diagnostic for a problem of the layout."""
    span = Span(source, problem.start, problem.end)
    if problem.kind == "tab":
        return Finding("RW0101", span, "this line is indented with a tab", _SPACES)
    if problem.kind == "blank":
        sign = f"U+{ord(span.text[0]):04X}"
        return Finding("RW0102", span, f"this line is indented with odd blanks ({sign})", _SPACES)
    if problem.kind == "indent":
        return Finding(
            "RW0103",
            span,
            "this line is indented differently from all lines above that it could belong to",
            "indent it exactly like the line that it belongs with",
        )
    if problem.kind == "deep":
        return Finding(
            "RW0112",
            span,
            f"blocks are nested too deeply: at most {MOST_LEVELS} inside each other are read",
            "put inner blocks into routines of their own",
        )
    if problem.kind == "bracket":
        closing = OPENERS[span.text]
        return Finding(
            "RW0104",
            span,
            f"this `{span.text}` is never closed",
            f"put the `{closing}` in its place",
        )
    return Finding("RW0105", span, f"this `{span.text}` closes nothing", "leave it out")
