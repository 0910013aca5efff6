"""docs/design: what is quoted there can be read, and is there."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from dsl.diagnostics.record import Bag
from dsl.source import Source
from dsl.syntax.parser import parse_script

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs" / "design").glob("*.md"))
BLOCK = re.compile(r"(?:^    .*\n(?:\n(?=    ))*)+", re.MULTILINE)
LEFT_OUT = re.compile(r"^( *)\.\.\.\n", re.MULTILINE)
NAMED = re.compile(r"^ *(?:replace )?(?:rule|option|window|kind|thing|event|phase|unit) (\w+)")
RULES = "\n".join(
    path.read_text(encoding="utf-8")
    for folder in ("variants", "dsl/std")
    for path in sorted((ROOT / folder).rglob("*.rules"))
)


def blocks() -> list[tuple[str, str]]:
    return [
        (page.name, textwrap.dedent(found[0]))
        for page in PAGES
        for found in BLOCK.finditer(page.read_text(encoding="utf-8"))
    ]


def mistakes(text: str) -> list[str]:
    """What is wrong with a block as declarations, or else as statements. A line of `...` stands for
    some statements, or for some lines of a value."""
    ways = []
    for shown in (LEFT_OUT.sub("", text), LEFT_OUT.sub(r'\1say "..."\n', text)):
        for whole in (shown, "to example gives 1..6\n" + textwrap.indent(shown, "    ")):
            bag = Bag()
            parse_script(Source("design", whole), bag)
            ways.append([f"{found.message}: {found.span.text}" for found in bag])
    return min(ways, key=len)


def test_there_is_much_to_read() -> None:
    assert len(blocks()) >= 30


@pytest.mark.parametrize(("page", "text"), blocks(), ids=lambda part: part[:30].split("\n")[0])
def test_what_is_quoted_is_read_and_is_there(page: str, text: str) -> None:
    assert mistakes(text) == [], page
    for line in text.splitlines():
        named = NAMED.match(line)
        if named is not None:
            assert re.search(rf"\b{named[1]}\b", RULES), f"{page}: no {named[1]}"
