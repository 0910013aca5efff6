"""What can go wrong in play, in words: the named ends that no rule asked for."""

from __future__ import annotations

from collections.abc import Iterator

from dsl.core import nodes as core
from dsl.core import types as t

DEEPEST = 32
"""How many rules may set each other off inside each other."""
ENDLESS_RULES = f"a chain of more than {DEEPEST} rules that set each other off"
ENDLESS_WATCHES = "again and again: rules that watch set each other off"
NO_LUCK = "luck has nothing to pick from"
BAD_SCRIPT = "a scripted result of luck is not possible"


def endless_rule(act_limit: int) -> str:
    """A loop that goes on and on."""
    return f"again and again, more than {act_limit:,} times in one phase"


def not_closed(window: str) -> str:
    """A window in which seats act again and again."""
    return f"again and again: the window {window} did not close"


def short(purse: str) -> str:
    """A purse that was to pay more than it holds."""
    return f"more was taken from {purse} than was there"


def overfull(purse: str, most: int | None) -> str:
    """A purse that was to hold more than it may; None: by the entity that has it."""
    return f"{purse} would hold more than {'it may' if most is None else most}"


def outside(field: str, declared: t.IntType) -> str:
    """A field that was to have a number that it can't have."""
    return f"{field} would be outside {declared.low}..{declared.high}"


def too_long(field: str, most: int) -> str:
    """A field that was to have too many items."""
    return f"{field} would have more than {most}"


def too_many_there(zone: core.Zone) -> str:
    """A zone that was to hold too many things."""
    return f"{zone.name} would hold more than {zone.bound}"


def alien(zone: core.Zone) -> str:
    """A zone that was to hold a thing of another kind."""
    return f"{zone.name} would hold something else than {zone.holds}"


def too_many(kind: str) -> str:
    """A pool of which more was to be made than there is."""
    return f"there are too many of {kind} at once"


def all_faults(program: core.Program) -> Iterator[str]:
    """All that could go wrong in any program that is made of a core, whatever is compiled in."""
    yield endless_rule(program.act_limit)
    yield from (ENDLESS_RULES, ENDLESS_WATCHES, NO_LUCK, BAD_SCRIPT)
    yield from map(not_closed, program.windows)
    for column in program.columns.values():
        match column.type:
            case t.SeqType(bound=bound):
                yield too_long(column.name, bound)
            case t.MapType(value=t.IntType() as declared):
                yield outside(column.name, declared)
            case t.IntType() as declared:
                yield outside(column.name, declared)
                if column.role == "purse":
                    yield short(column.name)
                    yield overfull(column.name, None if column.most else declared.high)
            case _:
                pass
    for zone in program.zones.values():
        yield too_many_there(zone)
        yield alien(zone)
    yield from map(too_many, program.kinds)
