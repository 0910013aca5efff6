"""`rulewright.yaml`: what commands begin with for a variant or mod, and how much warnings count.

The file lies in the folder of the variant or mod, or in the folder around, for all in it; the
nearest one counts. Only what people and tools run reads it: games are the same without.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from functools import cache
from pathlib import Path
from typing import cast

from dsl.data.node import DataNode, Scalar, to_plain
from dsl.data.node import Mapping as DataMapping
from dsl.data.schema import Schema, validate
from dsl.diagnostics.record import Bag, Diagnostic, Severity
from dsl.diagnostics.registry import codes, is_registered
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.allowing import Allowing
from dsl.project.files import read_data
from dsl.project.find import Folder, is_file, is_path
from dsl.records import record

FILE = "rulewright.yaml"
SCHEMA_FILE = Path(__file__).resolve().parents[1] / "data" / "defaults.schema.json"
SILENT = "silent"


@record
class Defaults:
    """What a file of defaults says. None, or empty: nothing."""

    players: int | None = None
    mods: tuple[str, ...] = ()
    bots: tuple[str, ...] = ()
    seed: int | None = None
    levels: Mapping[str, str] = field(default_factory=dict)

    def leveled(self, found: Iterable[Diagnostic]) -> list[Diagnostic]:
        """Diagnostics with warnings counting as much as they are to count; silent ones are gone."""
        result = []
        for each in found:
            level = self.levels.get(each.code) if each.severity == "warning" else None
            if level == SILENT:
                continue
            result.append(each if level is None else replace(each, severity=cast(Severity, level)))
        return result


def settled(found: Iterable[Diagnostic], defaults: Defaults, allowing: Allowing) -> Bag:
    """What is left of some diagnostics, each counting as much as it is to count."""
    bag = Bag()
    bag.extend(defaults.leveled(allowing.kept(found)))
    return bag


def defaults_path(folder: Folder) -> Path | None:
    """The file of defaults that counts for a variant or mod."""
    around = folder.path.absolute().parent
    places = [folder.path, around, *([around.parent] if around.name == "mods" else [])]
    return next((place / FILE for place in places if is_file(place / FILE)), None)


def read_defaults(folder: Folder, bag: Bag) -> Defaults:
    """The defaults for a variant or mod; after a mistake, which is in the bag, there are none."""
    path = defaults_path(folder)
    own = Bag()
    read = read_data(path, own, is_outer=False) if path is not None else None
    node = read[1] if read is not None else None
    if node is not None:
        validate(node, _schema(), own)
    if isinstance(node, DataMapping):
        _check_codes(node.get("warnings"), own)
    bag.extend(own)
    if path is None or not isinstance(node, DataMapping) or own.has_errors:
        return Defaults()
    said = cast("dict[str, object]", to_plain(node))
    return Defaults(
        players=cast("int | None", said.get("players")),
        mods=tuple(_placed(mod, path.parent) for mod in cast("list[str]", said.get("mods", []))),
        bots=tuple(cast("list[str]", said.get("bots", []))),
        seed=cast("int | None", said.get("seed")),
        levels=cast("dict[str, str]", said.get("warnings", {})),
    )


def _placed(mod: str, folder: Path) -> str:
    """A mod by its name, or by its path from the file of defaults."""
    return str(folder / mod) if is_path(mod) else mod


def _check_codes(levels: DataNode | None, bag: Bag) -> None:
    for entry in levels.entries if isinstance(levels, DataMapping) else ():
        if not is_registered(entry.name) and isinstance(entry.value, Scalar):
            bag.error(
                "RW1021",
                entry.key.span,
                f"there is no warning `{entry.name}`",
                help=did_you_mean(entry.name, codes()),
            )


@cache
def _schema() -> Schema:
    schema: Schema = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
    return schema
