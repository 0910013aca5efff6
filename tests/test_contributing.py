"""docs/contributing.md: the files and rooms that it names are there, and no room is left out."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
FOLDERS = ("dsl", "interpreter", "tests", "docs", "variants")


def named() -> list[str]:
    """All paths from the top of the project, but those with a NAME to be put in."""
    quoted = re.findall(r"`([\w./-]+)`", PAGE)
    return [name for name in quoted if name.split("/")[0] in FOLDERS and "NAME" not in name]


def test_what_is_named_is_there() -> None:
    assert len(named()) > 50
    assert [name for name in named() if not (ROOT / name).exists()] == []


def test_every_room_has_its_line() -> None:
    rooms = {
        f"{package}/{folder.name}"
        for package in ("dsl", "interpreter")
        for folder in (ROOT / package).iterdir()
        if folder.is_dir() and folder.name != "__pycache__"
    }
    assert rooms == set(re.findall(r"^\| `([\w/]+)` \|", PAGE, re.MULTILINE)) & rooms
    assert rooms <= set(named())


def test_places_of_a_statement_are_all_named() -> None:
    """`reveal` is the worked example: whoever knows its node is in the list."""
    knowing = {
        path.relative_to(ROOT).as_posix()
        for package in ("dsl", "interpreter")
        for path in (ROOT / package).rglob("*.py")
        if re.search(r"\bReveal\b|\"reveal\"", path.read_text(encoding="utf-8"))
    }
    assert len(knowing) > 8
    assert sorted(knowing - set(named())) == []
