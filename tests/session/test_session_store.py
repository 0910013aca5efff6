"""Under which names compiled variants are kept."""

from __future__ import annotations

from dsl.project.find import Library
from interpreter.bundled import variants_dir
from interpreter.session.request import Request
from interpreter.session.store import request_key


def test_the_usual_number_of_players_is_part_of_the_name() -> None:
    """Two bots at the table, then no bots named: what is kept for two is no game for four."""
    library = Library([variants_dir()])
    two, four = (request_key(Request(library, "deal", usual=usual)) for usual in (2, 4))
    named = request_key(Request(library, "deal", 4, usual=2))
    assert len({two, four, named}) == 3
    assert named == request_key(Request(library, "deal", 4, usual=3))
