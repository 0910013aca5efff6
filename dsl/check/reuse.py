"""What was made of each declaration, to be used again in a program with other switches.

While a declaration is checked, it is noted which switches and which defines it asked for their
value. Where none of them has another value now, what was made of it before is what would be made
of it again, and all that there is to say of it has been said.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Callable, Container, Iterable
from dataclasses import field, fields
from itertools import islice
from typing import TypeVar, cast

from dsl.check import keys
from dsl.check.merged import Merged, RankedDecl, Row
from dsl.check.world import DEFINE, SiteInfo, World
from dsl.records import mutable, record
from dsl.syntax import nodes as syntax

T = TypeVar("T")


@record
class Made:
    """What was made of a declaration, what it asked for, and what it has left in the world.

    `basis`: what else it was made from, which must be the same things.
    """

    value: object
    asked: frozenset[str]
    basis: tuple[object, ...]
    texts: dict[str, str]
    sites: dict[str, SiteInfo]
    forbids: frozenset[int]


@mutable
class Past:
    """A program that was checked before: of what, with which switches, and what was made.

    `declared`: what was asked for before any body was looked at.
    """

    merged: Merged
    switches: dict[str, str]
    declared: frozenset[str]
    made: dict[str, Made] = field(default_factory=dict)


@mutable
class Reuse:
    """What can be taken from an earlier program (`past`), and what is kept for later ones.

    `changed`: the switches and defines that may have other values than in the past.
    """

    world: World
    now: Past | None = None
    past: Past | None = None
    changed: set[str] = field(default_factory=set)

    def made(self, key: str, make: Callable[[], T], *basis: object) -> T:
        """What `make` makes of a declaration, which is called `key`; from the past if it can be."""
        known = self.past.made.get(key) if self.past is not None else None
        if known is not None and self._holds(known, basis):
            self._leave(known)
            return cast(T, known.value)
        return make() if self.now is None else self._record(self.now, key, make, basis)

    def _holds(self, known: Made, basis: tuple[object, ...]) -> bool:
        if not known.asked.isdisjoint(self.changed) or len(known.basis) != len(basis):
            return False
        same = all(one is other for one, other in zip(known.basis, basis, strict=True))
        return same and are_next(known.sites, self.world.sites)

    def _leave(self, known: Made) -> None:
        self.world.texts.update(known.texts)
        self.world.sites.update(known.sites)
        self.world.used_forbids |= known.forbids

    def _record(self, now: Past, key: str, make: Callable[[], T], basis: tuple[object, ...]) -> T:
        world = self.world
        outer, texts, forbids = world.asked, world.texts, world.used_forbids
        sites = len(world.sites)
        world.asked, world.texts, world.used_forbids = set(), ChainMap({}, texts), set()
        value = make()
        own = dict(world.texts.maps[0])
        new = dict(islice(world.sites.items(), sites, None))
        now.made[key] = Made(
            value, frozenset(world.asked), basis, own, new, frozenset(world.used_forbids)
        )
        texts.update(own)
        forbids |= world.used_forbids
        world.asked, world.texts, world.used_forbids = outer | world.asked, texts, forbids
        return value


def are_next(names: Iterable[str], sites: Container[str]) -> bool:
    """Whether new sites would get these names, one after the other (see `questions`)."""
    new: set[str] = set()
    for name in names:
        base, _, number = name.partition("#")
        before = [base, *(f"{base}#{count}" for count in range(2, int(number)))] if number else []
        if name in sites or not all(each in sites or each in new for each in before):
            return False
        new.add(name)
    return True


# ---------------------------------------------------------------- one program and another


def begin(past: Past | None, world: World) -> Reuse:
    """What can be used again where everything is declared and no body has been looked at."""
    if past is None:
        now = Past(world.merged, _values_of(world), frozenset(world.asked))
        return Reuse(world, now=now)
    changed = _changed(past, world)
    return Reuse(world) if changed is None else Reuse(world, past=past, changed=changed)


def _changed(past: Past, world: World) -> set[str] | None:
    """The switches and defines that may have other values than in the past; None where that is
    another game altogether."""
    if not _is_same(past.merged, world.merged):
        return None
    now = _values_of(world)
    changed = {name for name in now if now[name] != past.switches.get(name)}
    if not changed.isdisjoint(past.declared):
        return None
    defines = {key: made for key, made in past.made.items() if key.startswith(DEFINE)}
    while True:
        more = {key for key, made in defines.items() if not made.asked.isdisjoint(changed)}
        if more <= changed:
            return changed
        changed |= more


def _values_of(world: World) -> dict[str, str]:
    """The values of all switches, to be compared."""
    return {
        name: "" if info.value is None else keys.key_of(info.value)
        for name, info in world.switches.items()
    }


def _is_same(one: Merged, other: Merged) -> bool:
    """Whether two variants differ in switches and scenarios at most."""
    mine, theirs = _declarations(one), _declarations(other)
    return (
        len(mine) == len(theirs)
        and all(
            a.decl is b.decl and a.rank == b.rank and a.layer == b.layer
            for a, b in zip(mine, theirs, strict=True)
        )
        and all(_alike(getattr(one, name), getattr(other, name)) for name in _PARTS)
    )


def _declarations(merged: Merged) -> list[RankedDecl]:
    return [one for one in merged.declarations if not isinstance(one.decl, syntax.Scenario)]


# What a body is checked against, beside the declarations.
_PARTS = (
    "variant", "mods", "min_players", "max_players", "seats", "sections", "currency", "terms",
    "texts", "is_complete",
)  # fmt: skip


def _alike(one: object, other: object) -> bool:
    """Whether two values have the same structure; nodes of data must be the same ones."""
    if one is other:
        return True
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(_alike(one[key], other[key]) for key in one)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_alike, one, other))
    if type(one) is type(other) and isinstance(one, Row):
        return all(_alike(getattr(one, name), getattr(other, name)) for name in _ROW)
    return type(one) is type(other) and isinstance(one, str | int) and one == other


_ROW = tuple(part.name for part in fields(Row))
