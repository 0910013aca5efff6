"""The pages of the checker's codes: the bad example raises its code, the good one nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from check_games import DATA, IDLE, check

from dsl.diagnostics.registry import PAGES

SOURCES = Path(__file__).resolve().parents[2] / "dsl" / "check"
OTHERS = (
    "follow_ups",
    "merge",
    "settings",
    "schema",
    "data_kinds",
    "data_rows",
    "data_values",
    "declared",
)
FENCE = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
# Entries that share a name, for the page about such names.
TWO_REDS = DATA + "colours:\n  - {id: red}\npaints:\n  - {id: red}\n"


def codes() -> list[str]:
    found = set()
    for path in SOURCES.glob("*.py"):
        if path.stem not in OTHERS:
            found |= set(re.findall(r'"(RW[0-9]{4})"', path.read_text(encoding="utf-8")))
    return sorted(found)


def said(code: str, example: int) -> list[str]:
    page = (PAGES / f"{code}.md").read_text(encoding="utf-8")
    language, text = FENCE.findall(page)[example]
    if language == "yaml":
        _, bag = check(things=text + DATA.removeprefix("\nfields:\n"))
    elif code in ("RW0812", "RW0851", "RW0852", "RW0853"):
        _, first, second = re.split(r"-- the .* mod\n", text)
        _, bag = check("", first, second, mods=("first", "second"))
    elif code == "RW0514":
        _, bag = check("kind Paint\n" + text, things=TWO_REDS)
    elif code == "RW0515":
        _, bag = check(text, library=True)
    else:
        _, bag = check(going_on(text))
    found = [diagnostic.code for diagnostic in bag.sorted()]
    return found if code.startswith(IDLE) else [one for one in found if not one.startswith(IDLE)]


def going_on(text: str) -> str:
    """An example with what it leaves out: its last declaration again and again, up to the one that
    is named, with the next number each time; that one needs no other."""
    end = re.search(r"-- and so on, to \w+_([0-9]+)\n", text)
    if end is None:
        return text
    shown = text[: end.start()]
    last = re.split(r"^(?=\w)", shown, flags=re.MULTILINE)[-1]
    first = int(re.findall(r"_([0-9]+)", last)[0])

    def later(steps: int) -> str:
        return re.sub(r"_([0-9]+)", lambda found: f"_{int(found[1]) + steps}", last)

    more = [later(number - first) for number in range(first + 1, int(end[1]))]
    top = later(int(end[1]) - first).splitlines()[0]
    is_value = last.startswith("define")
    top = top.partition("=")[0] + "= 1\n" if is_value else top + '\n    say "up"\n'
    return shown + "".join(more) + top


@pytest.mark.parametrize("code", codes())
def test_bad_example_raises_its_code(code: str) -> None:
    assert said(code, 0) == [code]


@pytest.mark.parametrize("code", codes())
def test_good_example_raises_nothing(code: str) -> None:
    assert said(code, 1) == []
