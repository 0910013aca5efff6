"""Diagnostics of every shape, for the golden files of all renderers."""

from __future__ import annotations

from collections.abc import Callable

from dsl.diagnostics import Bag, Edit, Fix
from dsl.source import NOWHERE, Source, Span

# Compares a text with the golden file of a name: the fixture `golden`.
Golden = Callable[[str, str], None]

TEXT = (
    "variant: classic, variant: deal\n"
    "title:\tx「日本」 y\u200b yes\n"
    "players:\n"
    "  min: 2\n"
    "\n"
    "  max: 8\n"
    "  a: 1\n"
    "  b: 2\n"
    "- " + "{id: harbour, kind: Street, group: brown, price: 60}, " * 5 + "\n"
    "pct: 5%, a:b\n"
)
DATA = Source("variants/my game/variant.yaml", TEXT)
RULES = Source("rules/main.rules", "rule offer: after landing by player\n")
FOLDER = Source("variants/empty", "")


def span(piece: str, nth: int = 0, source: Source = DATA) -> Span:
    start = -1
    for _ in range(nth + 1):
        start = source.text.index(piece, start + 1)
    return Span(source, start, start + len(piece))


def samples() -> Bag:
    bag = Bag()
    bag.error(
        "RW0302",
        span("variant", 1),
        "`variant` is given twice",
        label="given again here",
        also=[(span("variant"), "first given here")],
        help="keep one of the two",
    )
    bag.error(
        "RW0401",
        span("日本"),
        "wide signs are marked in full",
        label="two wide ones",
        also=[(span("\u200b"), "not to be seen"), (span("yes"), "a word"), (span("y"), "")],
        notes=["a note", "another one,\nof two lines"],
    )
    bag.warning(
        "RW0401",
        span("players:\n  min: 2\n\n  max: 8"),
        "a place of several lines",
        label="all of this",
        also=[(span("offer", source=RULES), "asked for here")],
    )
    bag.warning("RW0401", span("min: 2\n\n  max: 8\n  a: 1\n  b: 2\n"), "a place of many lines")
    bag.note(
        "RW0401",
        span("price", 3),
        "a line too long to show",
        label="in the middle",
        fix=Fix("write `cost`", (Edit(span("price", 3), "cost"),)),
    )
    bag.error("RW0401", span("5%"), "100 % of\ntwo lines: a, b", help="write\nless")
    bag.error("RW0401", Span(DATA, len(TEXT), len(TEXT)), "the end of the text")
    bag.error("RW0401", span("Street").to(span("Street")), "a\x1b[31m control\u202e sign")
    bag.error("RW0312", Span(FOLDER, 0, 0), "a folder without data", label="here")
    bag.error("RW0401", NOWHERE, "nowhere at all", also=[(span("yes"), "but here")])
    bag.error("RW0401", span("a:b"), "and from here", also=[(NOWHERE, "built in")])
    return bag
