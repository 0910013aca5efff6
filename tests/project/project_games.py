"""A small game in a temporary folder, to be changed and broken by the tests of this folder."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

from dsl.check.merged import Merged
from dsl.check.schema import check_rows
from dsl.diagnostics.record import Bag, Diagnostic
from dsl.project.find import Library
from dsl.project.load import load_merged
from dsl.syntax import nodes as syntax

HEADER = """\
variant: harbour
title: "Harbour"
players: {min: 2, max: 2}
seats:
  - {id: red, name: "Red"}
  - {id: blue, name: "Blue"}
"""
THINGS = """\
things:
  quays:
    - {id: north}
    - {id: south}
  spaces:
    - {id: start, kind: Start}
    - {id: pier, kind: Pier, quay: north, price: 60, dues: [2, 10, 30]}
    - {id: mole, kind: Pier, quay: south, price: 80, dues: [4, 20, 60]}
"""
RULES = """\
kind Player
kind Quay
kind Space
kind Start is Space
kind Pier is Space
    quay: Quay
    price: money
    -- By the number of cranes.
    dues: money per 0..2
    owner: Player? starts none
kind Crate, made in play up to 20
    weight: 1..9
choice Weather = calm | storm
kind Ferry, plural ferries
    calls_at: list of Quay up to 3
    sails_in: Weather?
thing bank
switch toll: money = 10, "What a crane costs"
switch fair: calm | storm = calm

define pier.due: money
    pier.dues[0]
    but crane: pier.dues[1] if pier.owner is not none

to pay_toll of player
    say "paid"
event landing by player on space

rule toll_due: after landing by player on space: Pier
    pay_toll of player
rule wet: after landing by player on space: Start
    say "wet"

window free_time
    ask each p in Player
    until all pass
option build in free_time by player
    say "built"

always few: count(Pier) <= 40
measure landings: after landing by player on space add 1
"""

# What a child or a mod may add to the small game.
MOD_RULES = """\
set fair = storm
add to Quay
    gulls: 0..9 starts 3
exception to pier.due
    but deep: usual * 2 if fair is storm
forbid build in free_time if yes, "not today"
replace to pay_toll of player
    say "paid twice"
remove exception crane to pier.due
"""


@dataclass(slots=True)
class Shelf:
    """A library folder of its own, with what is put into it."""

    path: Path

    def put(self, name: str, text: str | bytes) -> Path:
        """Write a file, its folders included."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        content = text if isinstance(text, bytes) else dedent(text).encode()
        path.write_bytes(content)
        return path

    def put_harbour(self, *, things: str = THINGS, rules: str = RULES, more: str = "") -> None:
        """The small game itself."""
        self.put("harbour/variant.yaml", HEADER + dedent(more) + things)
        self.put("harbour/rules/harbour.rules", rules)

    def put_child(self, name: str, data: str = "", rules: str = "") -> None:
        """A variant that extends the small game."""
        self.put(
            f"{name}/variant.yaml",
            f'variant: {name}\ntitle: "{name}"\nextends: harbour\n{dedent(data)}',
        )
        if rules:
            self.put(f"{name}/rules/{name}.rules", rules)

    def put_mod(self, name: str, data: str = "", rules: str = "") -> None:
        """A mod."""
        self.put(f"mods/{name}/mod.yaml", f'mod: {name}\ntitle: "{name}"\n{dedent(data)}')
        if rules:
            self.put(f"mods/{name}/rules/{name}.rules", rules)

    @property
    def library(self) -> Library:
        """The library with this folder as its only search path, and modules of its own."""
        return Library([self.path], std=self.path / "library")

    def load(
        self,
        name: str | Path = "harbour",
        *mods: str | Path,
        switches: dict[str, str] | None = None,
        profile: str | syntax.Name | None = None,
        language: str = "en",
        scenarios: bool = True,
    ) -> Loaded:
        """Load and check the rows."""
        bag = Bag()
        merged = load_merged(
            self.library,
            name,
            mods=mods,
            switches=switches or {},
            profile=profile,
            language=language,
            scenarios=scenarios,
            bag=bag,
        )
        if merged is None:
            assert bag.has_errors
        else:
            check_rows(merged, bag)
        return Loaded(merged, bag)


@dataclass(slots=True)
class Loaded:
    """What came of loading."""

    found: Merged | None
    bag: Bag

    @property
    def merged(self) -> Merged:
        """The merged variant, which must be there."""
        assert self.found is not None, self.said
        return self.found

    @property
    def clean(self) -> Merged:
        """The merged variant, of which there must be nothing to say."""
        assert not self.said, self.said
        return self.merged

    @property
    def said(self) -> list[str]:
        """All messages with code and place, for a failing test to show."""
        return [f"{each.code} {place(each)}: {each.message}" for each in self.bag.sorted()]

    @property
    def codes(self) -> list[str]:
        """The codes in the order of the report."""
        return [each.code for each in self.bag.sorted()]

    def only(self, code: str) -> Diagnostic:
        """The one thing that was said."""
        assert self.codes == [code], self.said
        return self.bag.sorted()[0]


def place(found: Diagnostic) -> str:
    """File name, line, column and marked text."""
    span = found.span
    line, column = span.source.position(span.start)
    return f"{Path(span.source.name).name}:{line}:{column} {span.text!r}"


def names(merged: Merged, kind: type[syntax.Decl]) -> list[str]:
    """The names of all declarations of a sort, in order."""
    return [
        each.decl.name.text  # type: ignore[attr-defined]
        for each in merged.declarations
        if isinstance(each.decl, kind)
    ]
