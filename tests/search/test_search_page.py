"""The examples of docs/bots.md are run as they stand, and the paths it names are there."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/bots.md"


def test_examples_of_the_page() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0


def test_paths_of_the_page_are_there() -> None:
    page = PAGE.read_text(encoding="utf-8")
    paths = re.findall(r"`((?:interpreter|tests|docs|dsl)/[\w./]+)`", page)
    assert paths
    missing = [path for path in paths if not (ROOT / path).exists()]
    assert not missing
