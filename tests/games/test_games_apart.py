"""Games do not pay for each other: what is printed of one does not depend on the others."""

from __future__ import annotations

import shutil
from pathlib import Path

from dsl.check.program import check_program
from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from dsl.project.load import load_merged
from interpreter.bundled import variants_dir
from interpreter.emit.python import print_python
from interpreter.emit.wat import print_wat
from interpreter.flat.context.options import Options
from interpreter.flat.lower import lower_program

FOR_HIDDEN_NOTES = ("knows_", "place_note", "row_stack_notes", "host__sealed")
"""What programs of games with hidden notes and decks keep."""


def printed(folder: Path, variant: str) -> tuple[str, str]:
    bag = Bag()
    merged = load_merged(Library([folder]), variant, scenarios=False, bag=bag)
    assert merged is not None
    program = check_program(merged, 4, bag)
    assert program is not None
    assert not bag.has_errors
    flat = lower_program(program, Options(host=False))
    return print_python(flat), print_wat(flat, batch=True)


def test_classic_is_printed_alike_with_and_without_the_other_games(tmp_path: Path) -> None:
    shutil.copytree(variants_dir() / "classic", tmp_path / "classic")
    alone, among_others = printed(tmp_path, "classic"), printed(variants_dir(), "classic")
    assert alone == among_others


def test_classic_keeps_nothing_that_only_hidden_notes_need() -> None:
    classic, crooked = (printed(variants_dir(), name) for name in ("classic", "crooked_cash"))
    for word in FOR_HIDDEN_NOTES:
        assert not any(word in text for text in classic), word
    assert sum(word in crooked[0] for word in FOR_HIDDEN_NOTES) >= 2
