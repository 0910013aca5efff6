"""The values that each switch of a variant may be set to: for games with switches drawn by lot."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.check import kinds, switches
from dsl.check.checker import Checker
from dsl.check.contents import Contents
from dsl.check.context import Place
from dsl.check.effects import Effects
from dsl.check.merged import Merged
from dsl.check.world import World
from dsl.core.types import ChoiceType, FlagType, IntType, Type
from dsl.diagnostics import Bag
from dsl.records import record


@record
class Drawable:
    """A switch, what it stands at, and other values, as they would be typed: of numbers the least
    and the most, scarce and rich ones, of all else every value."""

    name: str
    value: str
    others: tuple[str, ...]


def drawable_switches(merged: Merged, players: int) -> list[Drawable]:
    """The switches of a variant for a number of players. Lists and things are left as they are."""
    world = World(merged, players)
    ctx = Checker(world, Effects(world, Contents()), Bag(), Place("", "", "", "value"))
    kinds.declare_kinds(world, ctx.bag)
    switches.declare_switches(ctx)
    switches.set_switches(ctx)
    found: list[Drawable] = []
    for name, info in world.switches.items():
        value = switches.shown(ctx.world, info)
        others = dict.fromkeys(_values(info.type, value))
        others.pop(value, None)
        if others:
            found.append(Drawable(name, value, tuple(others)))
    return found


def _values(type_: Type | None, value: str) -> Iterator[str]:
    match type_:
        case FlagType():
            yield from ("yes", "no")
        case ChoiceType(values=words, optional=optional):
            yield from words
            if optional:
                yield "none"
        case IntType(low=low, high=high):
            usual = int(value) if value.lstrip("-").isdigit() else low
            few = (low, low + 1, usual // 10, usual // 2, usual - 1)
            many = (usual + 1, usual * 2, usual * 10, high)
            is_bounded = type_.unit is None or high <= usual * 100
            numbers = (*few, *(many if is_bounded else many[:-1]))
            yield from (str(number) for number in numbers if low <= number <= high)
        case _:
            pass
