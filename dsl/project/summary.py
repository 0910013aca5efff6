"""What there is to play: the variants and mods of a library, each in a few facts, without rules."""

from __future__ import annotations

from dsl.data.node import DataNode, Mapping, Scalar, Sequence
from dsl.diagnostics.record import Bag
from dsl.diagnostics.suggest import did_you_mean
from dsl.project.files import read_data
from dsl.project.find import Folder, Library
from dsl.project.parts import text_node
from dsl.records import record
from dsl.source import NOWHERE, Span


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
    conflicts: tuple[str, ...]
    needs_mods: tuple[str, ...]

    @property
    def is_mod(self) -> bool:
        """Whether it is laid over variants."""
        return self.folder.is_mod


def summaries(library: Library) -> list[Summary]:
    """Variants, then mods, by name. Mistakes in their files are left to `load_merged`."""
    folders = [*library.variants().values(), *library.mods().values()]
    return [_summary(folder) for folder in folders]


@record
class Overlay:
    """How a mod is laid over variants: over which; after which other mods, in this order; and
    whether it is only for some variants, as it says itself."""

    variants: tuple[str, ...]
    needed: tuple[str, ...]
    is_limited: bool


def overlay_of(library: Library, mod: str) -> Overlay:
    """How a mod is laid over variants, by what all of them say: those that conflict with it or
    with a mod that it needs are left out. Mods that nobody knows are not among those needed."""
    found = {each.name: each for each in summaries(library)}
    if mod not in found:
        return Overlay((), (), is_limited=True)
    wanted = found[mod].overlay_for
    variants = [each for each in found.values() if not each.is_mod]
    lineages = {each.name: _lineage(each, found) for each in variants}
    suited = [
        name
        for name, lineage in lineages.items()
        if wanted is None or any(each.name in wanted for each in lineage)
    ]
    needed = _needed(mod, found)
    laid = [found[name] for name in (*needed, mod)]
    possible = [name for name in suited if not _conflict(lineages[name], laid)]
    return Overlay(tuple(possible), needed, is_limited=len(suited) < len(variants))


def report_homeless(library: Library, mod: Folder, bag: Bag) -> None:
    """Say why a mod can't be laid over any variant."""
    read = read_data(mod.file, Bag(), is_outer=True)
    data = read[1] if read else None
    entry = data.entry("overlay_for") if isinstance(data, Mapping) else None
    if entry is None:
        span = Span(read[0], 0, 0) if read else NOWHERE
        bag.error("RW1007", span, f"the mod `{mod.name}` fits no variant that is known here")
        return
    variants = library.variants()
    names = _words(entry.value)
    listed = " and ".join(f"`{name}`" for name in names) or "no variant at all"
    if any(name in variants for name in names):
        message = f"the mod `{mod.name}`, or one that it needs, conflicts with {listed}"
        bag.error("RW1007", entry.value.span, message, help="`conflicts` works both ways")
        return
    near = next((best for name in names if (best := did_you_mean(name, variants))), None)
    bag.error(
        "RW1007",
        entry.value.span,
        f"the mod `{mod.name}` is made for {listed}, and no such variant is known here",
        help=near or "a variant is looked for beside the mod, then in the library",
    )


def _lineage(variant: Summary, found: dict[str, Summary]) -> list[Summary]:
    """A variant and all that it extends."""
    lineage: list[Summary] = []
    here: Summary | None = variant
    while here is not None and here not in lineage:
        lineage.append(here)
        here = found.get(here.extends) if here.extends else None
    return lineage


def _needed(mod: str, found: dict[str, Summary]) -> tuple[str, ...]:
    """The mods that have to be named before a mod, each after those that it needs itself."""
    order: dict[str, None] = {}
    begun: set[str] = set()

    def add(name: str) -> None:
        if name in begun or name not in found or not found[name].is_mod:
            return
        begun.add(name)
        for other in found[name].needs_mods:
            add(other)
        order[name] = None

    add(mod)
    return tuple(name for name in order if name != mod)


def _conflict(lineage: list[Summary], mods: list[Summary]) -> bool:
    """Whether a variant, or something that it extends, and some mods can't be played together."""
    return any(
        part.name in mod.conflicts or mod.name in part.conflicts for part in lineage for mod in mods
    )


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
        conflicts=_words(data.get("conflicts") if data else None),
        needs_mods=_words(data.get("needs_mods") if data else None),
    )


def _text(data: Mapping | None, name: str) -> str | None:
    found = text_node(data.get(name)) if data else None
    return str(found.value) if found else None


def _words(node: DataNode | None) -> tuple[str, ...]:
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
