"""What can be turned about a game: a switch, or a number in the data (`new_york.price`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.chain import open_variant, read_chain, read_mods
from dsl.project.find import Library
from dsl.project.given import write_given
from dsl.project.parts import Wanted, section_entries, text_node

DEFAULT_POINTS = 8
MOST_POINTS = 1_000
_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)(?:/(\d+))?")
_ONE = r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?"
_NAME = re.compile(rf"{_ONE}(\+{_ONE})*")


class WrongKnob(ValueError):
    """Something that can't be turned, or not to that; the message says why."""


@dataclass(frozen=True, slots=True)
class Knob:
    """A switch, or a field of a thing in the data, and the values that it is to take; several with
    a `+` between them take the same."""

    name: str
    values: tuple[str, ...]

    def set_to(self, value: str) -> dict[str, str]:
        """All that is turned, with a value."""
        return dict.fromkeys(self.name.split("+"), value)


def parse_knob(text: str) -> Knob:
    """`toll=10..50/5` (five values from 10 to 50), `toll=10..50` (eight), `toll=5,10` or
    `pot=yes,no`. Names with a `+` between
    them (`a.price+b.price=100,200`) are turned together. Raises WrongKnob."""
    name, sign, said = (part.strip() for part in text.partition("="))
    if not sign or not said or not _NAME.fullmatch(name):
        raise WrongKnob(f"write SWITCH=FROM..TO/POINTS or THING.FIELD=A,B,C, not `{text}`")
    match = _RANGE.fullmatch(said)
    if match is None:
        return Knob(name, tuple(dict.fromkeys(part.strip() for part in said.split(","))))
    low, high, points = int(match[1]), int(match[2]), int(match[3] or DEFAULT_POINTS)
    if low > high:
        raise WrongKnob(f"{name} goes from the lower to the higher value, not from {low} to {high}")
    if not 2 <= points <= MOST_POINTS:
        raise WrongKnob(f"{name} takes 2 to {MOST_POINTS:,} values, not {points:,}")
    return Knob(name, spaced(low, high, points))


def spaced(low: int, high: int, points: int) -> tuple[str, ...]:
    """Whole numbers from the first to the last, as far from each other as can be; each once."""
    step = (high - low) / (points - 1)
    return tuple(dict.fromkeys(str(round(low + step * at)) for at in range(points)))


class DataMods:
    """Writes mods that change fields of things, into a folder of its own."""

    def __init__(self, library: Library, variant: str, mods: Sequence[str], folder: Path) -> None:
        self._sections = _sections(library, variant, mods)
        self._folder = folder

    def mod(
        self, fields: Mapping[str, str], *, removed: Sequence[str] = (), without: Sequence[str] = ()
    ) -> Path:
        """The folder of a mod that sets fields, by `thing.field`, and takes things out. `without`:
        the `always` lines that are removed. Raises WrongKnob."""
        lines: dict[str, dict[str, list[str]]] = {}
        for name, value in fields.items():
            thing, _, field = name.partition(".")
            lines.setdefault(self.section(thing), {}).setdefault(thing, []).append(
                f"{field}: {value}"
            )
        for thing in removed:
            lines.setdefault(self.section(thing), {})[thing] = ["remove: true"]
        text = [f"mod: {_NAME_OF_MOD}", 'title: "Changed data"', "things:"]
        for section, things in lines.items():
            text.append(f"  {section}:")
            text += [f"    - {{id: {thing}, {', '.join(said)}}}" for thing, said in things.items()]
        number = sum(1 for _ in self._folder.iterdir())
        folder = self._folder / str(number) / "mods" / _NAME_OF_MOD
        folder.mkdir(parents=True)
        (folder / "mod.yaml").write_text("\n".join([*text, ""]), encoding="utf-8")
        if without:
            script = folder / "rules" / f"{_NAME_OF_MOD}.rules"
            script.parent.mkdir()
            script.write_text("".join(f"remove always {name}\n" for name in without), "utf-8")
        return folder

    def section(self, thing: str) -> str:
        """The section of the data that a thing stands in. Raises WrongKnob."""
        if thing not in self._sections:
            near = did_you_mean(thing, self._sections)
            raise WrongKnob(f"the data have no thing `{thing}`; {near or 'see `rulewright words`'}")
        return self._sections[thing]

    def things(self) -> Mapping[str, str]:
        """All things that the data list, with their sections."""
        return self._sections


_NAME_OF_MOD = "changed_data"


def _sections(library: Library, variant: str, mods: Sequence[str]) -> dict[str, str]:
    """The section of each thing by its id; empty where the variant can't be read."""
    bag, wanted = Bag(), Wanted(scenarios=False)
    given = write_given(variant, mods, None, "en", {})
    opened = open_variant(library, variant, given.variant, bag)
    if opened is None:
        return {}
    around = library.beside(opened.folder)
    parts = [
        *(read_chain(opened, around, wanted, bag) or ()),
        *(read_mods(mods, given.mods, around, wanted, bag) or ()),
    ]
    found: dict[str, str] = {}
    for part in parts:
        for section, entry in section_entries(part.data.get("things")):
            id_ = text_node(entry.get("id"))
            if id_ is not None:
                found[str(id_.value)] = section
    return found
