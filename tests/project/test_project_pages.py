"""The pages of the codes for rows, merging and project files: their examples do what they say."""

from __future__ import annotations

import re

import pytest
from project_games import HEADER, Shelf

from dsl.diagnostics import registry

EXAMPLE = re.compile(r"## (Bad|Good)\n\n```(yaml|rules)\n(.*?)\n```\n", re.DOTALL)
NAMED = re.compile(r"variant: (\w+)\n")
# These need the checked program, two mods, or a command: tests/cli/test_cli_texts.py,
# tests/check, tests/cli/test_cli_habits.py.
OF_PROGRAMS = {"RW0812", "RW1020", "RW1021"}
CODES = [
    code
    for code in registry.codes()
    if "RW0420" <= code <= "RW0449" or "RW0801" <= code <= "RW0819" or code[:4] == "RW10"
    if code not in OF_PROGRAMS
]
# What a mod can't show: this rule stands in the game itself.
IN_THE_GAME = {"RW0433"}


def examples(code: str) -> dict[str, tuple[str, str]]:
    return {
        which: (form, text + "\n") for which, form, text in EXAMPLE.findall(registry.page(code))
    }


def codes_of(shelf: Shelf, code: str, form: str, text: str) -> set[str]:
    """What is said of an example, laid where its kind of text belongs."""
    shelf.put("library/tides.rules", "unit wave\n")
    shelf.put("library/swell.rules", "-- Long waves. Needs tides.\nunit crest\n")
    shelf.put_harbour()
    named = NAMED.match(text)
    if named:
        shelf.put(f"{named[1]}/variant.yaml", text)
        return set(shelf.load(named[1]).codes)
    if form == "rules" and code in IN_THE_GAME:
        shelf.put("harbour/rules/more.rules", text)
    elif form == "rules":
        shelf.put_mod("example", rules=text)
        return set(shelf.load("harbour", "example").codes)
    elif text.startswith("thing"):
        if not text.startswith("things:"):
            shelf.put("harbour/locale/en.yaml", text)
        else:
            shelf.put("harbour/variant.yaml", HEADER + text)
    else:
        shelf.put("harbour/variant.yaml", HEADER + text)
    return set(shelf.load().codes)


@pytest.mark.parametrize("code", [code for code in CODES if examples(code)])
@pytest.mark.parametrize("which", ["Bad", "Good"])
def test_examples(shelf: Shelf, code: str, which: str) -> None:
    found = codes_of(shelf, code, *examples(code)[which])
    assert found == ({code} if which == "Bad" else set())


def test_all_codes_are_there() -> None:
    assert len(CODES) == 17 + 11 + 19
