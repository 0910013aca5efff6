"""The numbers of what a program counts: streams of luck, ends, faults, codes of early exits; and
the names of sites.

All of them come from the core, in its order. So they are the same whatever else is compiled in:
measures, coverage and traces can't change a game, and a session plays the games of a playtest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from dsl.core import nodes as core
from interpreter.flat.plan.core_tree import walk
from interpreter.flat.plan.faults import all_faults
from interpreter.flat.plan.naming import plain

GAME_OVER = 1
FAULT = 2
FIRST_LABEL = 4


@dataclass(frozen=True, slots=True)
class Numbering:
    """`streams`, `endings` and `faults`: from 0, by name or words. `labels`: the exit code of each
    phase, and of each routine that is ended by its name. `ended`: what some `end` names. `sites`
    and `windows`: the names that are given to them; all places that open a window share one.
    `knowledge`: for each field that is revealed somewhere, the column of which seats know it."""

    streams: Mapping[str, int]
    endings: Mapping[str, int]
    faults: Mapping[str, int]
    labels: Mapping[str, int]
    ended: frozenset[str]
    sites: Mapping[str, str]
    windows: Mapping[str, str]
    knowledge: Mapping[str, str]


def number_program(program: core.Program) -> Numbering:
    """The numbers of a program."""
    owned = list(_owned(program))
    nodes = [node for _, block in owned for node in walk_all(block)]
    ended = {node.label for node in nodes if isinstance(node, core.End)}
    routines = [name for name in program.routines if name in ended]
    labels = {name: code for code, name in enumerate([*program.phases, *routines], FIRST_LABEL)}
    sites, windows = _names(program)
    revealed = _from_zero(node.column for node in nodes if isinstance(node, core.Reveal))
    return Numbering(
        _from_zero(_stream(node) for node in nodes),
        _from_zero(_ending(program, owner, block) for owner, block in owned),
        _from_zero(all_faults(program)),
        {"game": GAME_OVER, **labels},
        frozenset(ended),
        sites,
        windows,
        {column: f"knows_{number + 1}" for column, number in revealed.items()},
    )


def walk_all(block: core.Block) -> Iterator[object]:
    """All nodes of a block."""
    for stmt in block:
        yield from walk(stmt)


def _from_zero(names: Iterable[str | None]) -> dict[str, int]:
    distinct = dict.fromkeys(name for name in names if name is not None)
    return {name: number for number, name in enumerate(distinct)}


def _owned(program: core.Program) -> Iterator[tuple[str, core.Block]]:
    """All blocks that are carried out, in the order of the core, each with the name of what it
    belongs to. Those of scenarios come last: games are played without them."""
    for phase in program.phases.values():
        yield phase.name, phase.body
        yield phase.name, phase.then
        yield from ((hook.rule, hook.body) for hook in (*phase.befores, *phase.afters))
    for routine in program.routines.values():
        yield routine.name, routine.body
        for hook in (*routine.befores, *routine.insteads, *routine.afters):
            yield hook.rule, hook.body
    for option in program.options.values():
        yield option.name, option.body
    for watch in program.watches:
        yield watch.rule, watch.body
    for scenario in program.scenarios:
        for step in scenario.steps:
            yield scenario.title, step.given
            yield scenario.title, step.act or ()
            yield from ((scenario.title, one) for one in step.expected if isinstance(one, tuple))


def _stream(node: object) -> str | None:
    match node:
        case core.Luck(stream=stream):
            return stream
        case core.Shuffle(zone=zone):
            return zone_stream(zone)
        case _:
            return None


def zone_stream(zone: str) -> str:
    """The stream by which a zone is shuffled."""
    return f"zone {zone}"


def _ending(program: core.Program, owner: str, block: core.Block) -> str | None:
    """What a block belongs to, if it ends the game; a phase does where it leads to no other."""
    is_last = owner in program.phases and block == program.phases[owner].then
    if is_last and not goes_on(block):
        return owner
    ends = (isinstance(node, core.End) and node.label == "game" for node in walk_all(block))
    return owner if any(ends) else None


def goes_on(block: core.Block) -> bool:
    """Whether the `then` of a phase leads to a phase."""
    for stmt in block:
        match stmt:
            case core.NextPhase():
                return True
            case core.If(branches=branches, otherwise=otherwise):
                if goes_on(otherwise) or any(goes_on(inner) for _, inner in branches):
                    return True
            case _:
                pass
    return False


def _names(program: core.Program) -> tuple[dict[str, str], dict[str, str]]:
    """The names of sites and of windows."""
    taken: set[str] = set()

    def fresh(base: str) -> str:
        name, number = base, 1
        while name in taken:
            number += 1
            name = f"{base}_{number}"
        taken.add(name)
        return name

    sites: dict[str, str] = {}
    windows: dict[str, str] = {}
    for site in program.sites.values():
        if site.window is None:
            sites[site.name] = fresh(plain(site.name.rsplit("/", maxsplit=1)[-1]))
            continue
        if site.window not in windows:
            windows[site.window] = fresh(plain(site.window))
        sites[site.name] = windows[site.window]
    for window in program.windows:
        if window not in windows:
            windows[window] = fresh(plain(window))
    return sites, windows
