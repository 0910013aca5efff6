"""The variants that come with Rulewright, and their mods, for every number of players."""

from __future__ import annotations

from pathlib import Path

import pytest

from dsl.check.merged import Merged
from dsl.check.program import check_program
from dsl.diagnostics import Bag
from dsl.project.find import Library
from dsl.project.load import load_merged

VARIANTS = Path(__file__).resolve().parents[2] / "variants"
LIBRARY = Library([VARIANTS])


def said(bag: Bag) -> list[str]:
    return [
        f"{d.span.source.name}:{d.span.source.position(d.span.start)[0]} {d.code} {d.message}"
        for d in bag.sorted()
    ]


def loaded(name: str, mods: tuple[str, ...], bag: Bag) -> Merged:
    merged = load_merged(LIBRARY, name, mods=mods, scenarios=False, bag=bag)
    assert merged is not None, said(bag)
    return merged


@pytest.mark.parametrize("name", sorted(LIBRARY.variants()))
def test_variant_is_without_faults(name: str) -> None:
    bag = Bag()
    merged = loaded(name, (), bag)
    for players in range(merged.min_players, merged.max_players + 1):
        program = check_program(merged, players, bag)
        assert said(bag) == []
        assert program is not None
        assert program.players == players


@pytest.mark.parametrize("mod", sorted(LIBRARY.mods()))
def test_mod_is_without_faults(mod: str) -> None:
    bag = Bag()
    merged = loaded("classic", (mod,), bag)
    program = check_program(merged, merged.max_players, bag)
    assert said(bag) == []
    assert program is not None
    assert program.mods == (mod,)


@pytest.mark.parametrize(
    ("name", "switch", "value"),
    [
        ("crooked_cash", "kept_chance_visible", "no"),
        ("crooked_cash", "hands_of_notes", "counts_open"),
        ("classic", "kept_chance_visible", "no"),
    ],
)
def test_hidden_cards_tell_nobody_anything(name: str, switch: str, value: str) -> None:
    bag = Bag()
    merged = load_merged(LIBRARY, name, switches={switch: value}, scenarios=False, bag=bag)
    assert merged is not None
    program = check_program(merged, 4, bag)
    assert said(bag) == []
    assert program is not None
    kept, notes = program.zones["Player.kept"], program.zones.get("Player.notes")
    assert (kept.seen_by == "owner") == (switch == "kept_chance_visible")
    assert notes is None or notes.count_hidden == (switch != "hands_of_notes")
