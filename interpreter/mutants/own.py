"""What a variant or mod brings in itself: its files, and the library modules that what it is built
on does not use. Everything else is tested where it comes from. How bots play is no rule: the folder
of strategies is left alone, the defines that stand there too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath

from dsl.check.merged import Merged
from dsl.diagnostics.record import Bag
from dsl.project.find import Library
from dsl.project.load import load_merged
from dsl.source import Span
from interpreter.scenario.groups import Group

_LEFT = "strategies"


def own_spans(library: Library, group: Group, merged: Merged) -> Callable[[Span], bool]:
    """Whether a place is in a file that the variant brings in, or the mod over its variant."""
    foreign: set[str] = set()
    below = group.variant if group.is_of_mod else (merged.parents or (None,))[-1]
    if below is not None:
        found = load_merged(library, below, scenarios=False, bag=Bag())
        foreign = set() if found is None else _files(found)
    return lambda span: (
        bool(span.source.text)
        and span.source.name not in foreign
        and PurePath(span.source.name).parent.name != _LEFT
    )


def _files(merged: Merged) -> set[str]:
    """The files from which something is in a variant."""
    return {
        *(ranked.decl.span.source.name for ranked in merged.declarations),
        *(row.span.source.name for rows in merged.sections.values() for row in rows),
        *(switching.span.source.name for switching in merged.switchings),
    }
