"""What there is to play: the variants and mods of a library, each in a few facts, without rules."""

from __future__ import annotations

from dsl.data.node import DataNode, Mapping, Scalar, Sequence
from dsl.diagnostics.record import Bag
from dsl.project.files import read_data
from dsl.project.find import Folder, Library
from dsl.project.parts import text_node
from dsl.records import record


@record
class Summary:
    """A variant or a mod. `players` is None where a parent has the numbers."""

    name: str
    folder: Folder
    title: str
    description: str
    players: tuple[int, int] | None
    extends: str | None
    profiles: tuple[str, ...]
    overlay_for: tuple[str, ...] | None

    @property
    def is_mod(self) -> bool:
        """Whether it is laid over variants."""
        return self.folder.is_mod


def summaries(library: Library) -> list[Summary]:
    """Variants, then mods, by name. Mistakes in their files are left to `load_merged`."""
    folders = [*library.variants().values(), *library.mods().values()]
    return [_summary(folder) for folder in folders]


def hosts(library: Library, mod: str) -> list[str]:
    """The variants over which a mod can be laid, by what it says itself."""
    found = {each.name: each for each in summaries(library)}
    wanted = found[mod].overlay_for if mod in found else ()
    variants = [each for each in found.values() if not each.is_mod]
    if wanted is None:
        return [each.name for each in variants]
    return [each.name for each in variants if _is_one_of(each, wanted, found)]


def _is_one_of(variant: Summary, wanted: tuple[str, ...], found: dict[str, Summary]) -> bool:
    """Whether it or something that it extends is wanted."""
    seen: set[str] = set()
    here: Summary | None = variant
    while here is not None and here.name not in seen:
        if here.name in wanted:
            return True
        seen.add(here.name)
        here = found.get(here.extends) if here.extends else None
    return False


def _summary(folder: Folder) -> Summary:
    read = read_data(folder.file, Bag(), is_outer=True)
    node = read[1] if read else None
    data = node if isinstance(node, Mapping) else None
    profiles = data.get("profiles") if data else None
    overlay = data.get("overlay_for") if data else None
    return Summary(
        name=folder.name,
        folder=folder,
        title=_text(data, "title") or folder.name,
        description=_text(data, "description") or "",
        players=_players(data.get("players") if data else None),
        extends=_text(data, "extends"),
        profiles=tuple(entry.name for entry in profiles.entries)
        if isinstance(profiles, Mapping)
        else (),
        overlay_for=_words(overlay) if overlay is not None else None,
    )


def _text(data: Mapping | None, name: str) -> str | None:
    found = text_node(data.get(name)) if data else None
    return str(found.value) if found else None


def _words(node: DataNode) -> tuple[str, ...]:
    items = node.items if isinstance(node, Sequence) else ()
    return tuple(str(found.value) for item in items if (found := text_node(item)))


def _players(node: DataNode | None) -> tuple[int, int] | None:
    if not isinstance(node, Mapping):
        return None
    least, most = node.get("min"), node.get("max")
    if not isinstance(least, Scalar) or not isinstance(most, Scalar):
        return None
    if type(least.value) is not int or type(most.value) is not int:
        return None
    return least.value, most.value
