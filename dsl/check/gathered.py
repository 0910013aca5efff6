"""Nodes of the core by their class, as the checks of a whole program ask for them.

Every piece of a program is walked through once, however many checks and programs it is a part of.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeVar, cast

from dsl.core import nodes as core
from dsl.core.walking import walk

T = TypeVar("T")

_WANTED = frozenset(
    {
        core.AsUsual, core.Ask, core.AskAbout, core.Builtin, core.Call, core.CallDefine, core.End,
        core.Fold, core.ForEach, core.Gather, core.Generator, core.OpenWindow,
    }
)  # fmt: skip


class Gathered:
    """Looks through pieces and remembers what it found."""

    def __init__(self) -> None:
        # By the identity of a piece, which is kept so that the number stays its own.
        self._found: dict[int, tuple[object, dict[type, list[object]]]] = {}

    def of(self, kind: type[T], *pieces: object) -> Iterator[T]:
        """The nodes of a class in some pieces, in order."""
        assert kind in _WANTED
        for piece in pieces:
            known = self._found.get(id(piece))
            if known is None:
                known = self._found[id(piece)] = (piece, _gather(piece))
            yield from cast("list[T]", known[1].get(kind, ()))


def _gather(piece: object) -> dict[type, list[object]]:
    found: dict[type, list[object]] = {}
    for node in walk(piece):
        if type(node) in _WANTED:
            found.setdefault(type(node), []).append(node)
    return found


Piece = core.Block | core.Hook | core.Option | core.Watch


class Running(Protocol):
    """What runs, of a program or of one that is being made."""

    @property
    def routines(self) -> dict[str, core.Routine]: ...

    @property
    def phases(self) -> dict[str, core.Phase]: ...

    @property
    def options(self) -> dict[str, core.Option]: ...

    @property
    def watches(self) -> tuple[core.Watch, ...]: ...


def pieces(program: Running) -> Iterator[Piece]:
    """All that runs, piece by piece."""
    for routine in program.routines.values():
        yield routine.body
        yield from (*routine.befores, *routine.insteads, *routine.afters)
    for phase in program.phases.values():
        yield phase.body
        yield phase.then
        yield from (*phase.befores, *phase.afters)
    yield from program.options.values()
    yield from program.watches
