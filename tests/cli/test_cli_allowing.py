"""Comments that allow a warning at one place, and what is said of those that allow nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from cli_runs import invoke

from dsl.diagnostics.registry import page
from dsl.project.allowing import allowances
from dsl.source import Source
from dsl.syntax.parser import parse_script

ODD = "rule odd: after take_turn by player\n"


def with_rules(folder: Path, text: str) -> str:
    path = folder / "rules" / "more.rules"
    path.write_text(text, encoding="utf-8")
    return invoke("check", folder).output


def codes(output: str) -> list[str]:
    return re.findall(r"\[(RW\d+)\]", output)


ODD_LINE = "    move 007 from bank.chest to player.purse\n"
PLAIN_LINE = "    move 7 from bank.chest to player.purse\n"


def beside(line: str, comment: str) -> str:
    return f"{line.rstrip()}  -- {comment}\n"


@pytest.mark.parametrize(
    "body",
    [
        beside(ODD_LINE, "allow RW9005: agents have two noughts"),
        f"    -- allow RW9005: agents have two noughts\n{ODD_LINE}",
        f"    -- allow RW9005: agents\n    -- More of it.\n\n{ODD_LINE}",
        f"{beside(PLAIN_LINE, 'all')}{' ' * 44}-- allow RW9005: agents\n{ODD_LINE}",
    ],
)
def test_an_allowed_warning_is_not_told(race: Path, body: str) -> None:
    assert "nothing to mend" in with_rules(race, ODD + body)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # beside another line
        (ODD_LINE + beside(PLAIN_LINE, "allow RW9005: x"), ["RW9005", "RW9006"]),
        # another code
        (beside(ODD_LINE, "allow RW9004: x"), ["RW9005", "RW9006"]),
        # no reason, no code
        (beside(ODD_LINE, "allow RW9005"), ["RW9005", "RW9007"]),
        (beside(PLAIN_LINE, "allow RW90055: x"), ["RW9007"]),
        # an error is never allowed
        ("    move 7 from bank.chest to plyer.purse  -- allow RW0501: x\n", ["RW0501"]),
        # in a text
        (f'    say "-- allow RW9005: x"\n{ODD_LINE}', ["RW9005"]),
    ],
)
def test_what_allows_nothing(race: Path, body: str, expected: list[str]) -> None:
    assert codes(with_rules(race, ODD + body)) == expected


@pytest.mark.parametrize("code", ["RW9006", "RW9007"])
def test_examples_of_the_pages(race: Path, code: str) -> None:
    examples = re.findall(r"```rules\n(.*?)```", page(code), re.DOTALL)
    bad, good = (
        text.replace("landing", "stride")
        .replace(" on field: Start", " with pace")
        .replace("from bank to player", "from bank.chest to player.purse")
        .replace("pay", "move")
        for text in examples
    )
    assert code in codes(with_rules(race, bad))
    assert codes(with_rules(race, good)) == []


def test_a_warning_of_one_number_of_players_is_needed(race: Path) -> None:
    line = f"    -- allow RW9005: agents\n{ODD_LINE}"
    with_rules(race, ODD + line)
    partly = invoke("check", race, "--players", "3")
    assert codes(partly.output) == []


def test_comments_that_allow_are_not_documentation() -> None:
    from dsl.diagnostics import Bag
    from dsl.syntax import nodes

    source = Source("a.rules", "-- Good.\n-- allow RW9004: later\nswitch calm: flag = yes\n")
    (decl,) = parse_script(source, Bag()).declarations
    assert isinstance(decl, nodes.SwitchDecl)
    assert decl.doc == "Good."


def test_in_data() -> None:
    text = "a: 1  # allow RW1018: a\n# allow RW1015: b\nb: 2\nc: '# allow'\n"
    found = [(each.code, each.reason, each.line) for each in allowances(Source("v.yaml", text))]
    assert found == [("RW1018", "a", 1), ("RW1015", "b", 3)]
