"""Characters in scripts that can't be seen, and letters that look like others."""

from __future__ import annotations

import pytest

from dsl.diagnostics import Bag
from dsl.diagnostics.record import Diagnostic
from dsl.source import Source
from dsl.syntax.parser import parse_script

TURNED, BLANK, ESCAPE, NOTHING = "\u202e", "\u00a0", "\x1b", "\u200b"


def found(text: str) -> list[Diagnostic]:
    bag = Bag()
    parse_script(Source("a.rules", text), bag)
    return bag.sorted()


@pytest.mark.parametrize("char", [TURNED, BLANK, ESCAPE, NOTHING])
@pytest.mark.parametrize(
    "text",
    [
        '-- a commentX\nrule a: after x\n    say "b"\n',
        'rule a: after x\n    say "bXc"\n',
        'rule a: after x\n    say "b"\n-- the endX',
        'rule a:X after x\n    say "b"\n',
    ],
)
def test_nothing_unseen_in_a_script(char: str, text: str) -> None:
    (one,) = found(text.replace("X", char))
    assert one.code == "RW0107"
    assert f"U+{ord(char):04X}" in one.message
    assert one.span.text == char


def test_one_error_for_each_kind_with_one_fix_for_all() -> None:
    (one,) = found(f'-- a{TURNED}\nrule a: after x\n    say "{TURNED}b{TURNED}"\n')
    assert one.fix is not None
    assert len(one.fix.edits) == 3


@pytest.mark.parametrize("text", ['say "\u00e9 \u05d0 \u4e2d \U0001f3b2"', "-- caf\u00e9"])
def test_letters_of_all_languages_may_stand_in_texts(text: str) -> None:
    assert found(f"rule a: after x\n    {text}\n    end turn\n") == []


def test_a_look_alike_is_named() -> None:
    (one, *_) = found('rule n\u0430me: after x\n    say "b"\n')
    assert "cyrillic small letter a" in one.message
