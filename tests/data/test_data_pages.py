"""The pages of this package's codes: the bad example raises its own code, the good none."""

from __future__ import annotations

import re

import pytest
from data_reading import outer, problems, said

from dsl.diagnostics import registry

EXAMPLE = re.compile(r"## (Bad|Good)\n\n```yaml\n(.*?)\n```\n", re.DOTALL)
WRITTEN_OUT = re.compile(r"<U\+([0-9A-F]{4,6})>")
OUTER = {"RW0401", "RW0411", "RW0412"}
# Its example would be a file of a million characters.
WITHOUT_EXAMPLE = {"RW0154"}
CODES = [
    code
    for code in registry.codes()
    if code[:4] == "RW03" or "RW0151" <= code <= "RW0199" or code in OUTER
]


def example(code: str, which: str) -> str:
    found = dict(EXAMPLE.findall(registry.page(code)))
    return WRITTEN_OUT.sub(lambda match: chr(int(match[1], 16)), found[which] + "\n")


def found_in(code: str, text: str) -> set[str]:
    return {each for each, _ in (said(outer(text)) if code in OUTER else problems(text))}


@pytest.mark.parametrize("code", [code for code in CODES if code not in WITHOUT_EXAMPLE])
def test_examples(code: str) -> None:
    assert found_in(code, example(code, "Bad")) == {code}
    assert found_in(code, example(code, "Good")) == set()


def test_all_codes_are_there() -> None:
    assert len(CODES) >= 20
