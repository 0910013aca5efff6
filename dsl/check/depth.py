"""How deep routines go into each other and values into values, and how much work that makes."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence

from dsl.check.gathered import Gathered
from dsl.core import nodes as core
from dsl.diagnostics import Bag

Graph = Mapping[str, Collection[str]]

MOST_INSIDE = 100
"""Routines inside each other, and values of values; what is compiled has calls as deep."""

MOST_WORK = 1_000_000
"""Values that are worked out for one value, without counting what goes over lists."""


def check_depth(bag: Bag, program: core.Program, nodes: Gathered, inside: Graph) -> None:
    """Report what would go too deep for an engine, or take it longer than anybody waits. `inside`:
    by the name of a body, what runs inside it."""
    _check_routines(bag, program, inside)
    _check_values(bag, program, nodes)


def _check_routines(bag: Bag, program: core.Program, inside: Graph) -> None:
    places = {name: routine.span for name, routine in program.routines.items()}
    places |= {f"option {name}": option.span for name, option in program.options.items()}
    words = {name: routine.verb for name, routine in program.routines.items()}
    way = [name for name in _deepest(inside, places) if name in places]
    if len(way) > MOST_INSIDE:
        name = way[MOST_INSIDE]
        bag.error(
            "RW0711",
            places[name],
            f"`{words.get(name, name)}` would run inside {MOST_INSIDE} others",
            notes=[_told([words.get(each, each) for each in way], " does ")],
            help="go round with `repeat` or `for each`, or do the next one when this one is over",
        )


def _check_values(bag: Bag, program: core.Program, nodes: Gathered) -> None:
    needed = needed_values(program, nodes)
    graph = {name: set(others) for name, others in needed.items()}
    way = _deepest(graph, graph)
    if len(way) > MOST_INSIDE:
        name = way[MOST_INSIDE]
        bag.error(
            "RW0711",
            program.defines[name].variants[0].span,
            f"`{_word(name)}` would be worked out inside {MOST_INSIDE} others",
            notes=[_told([_word(each) for each in way], " needs ")],
            help="keep what is worked out half-way in a field",
        )
    work: dict[str, int] = {}
    for name in innermost_first(graph):
        work[name] = 1 + sum(work.get(other, 0) for other in needed[name])
        if work[name] > MOST_WORK:
            bag.error(
                "RW0712",
                program.defines[name].variants[0].span,
                f"for `{_word(name)}` more than {MOST_WORK:,} values would be worked out",
                label="it uses values twice that use others twice, and so on",
                help="give what is used twice a name: `let x = ...` is worked out once",
            )
            return


def needed_values(program: core.Program, nodes: Gathered) -> dict[str, list[str]]:
    """By the name of a define, the defines that it asks for, each as often as it does."""
    return {
        name: [part.define for part in nodes.of(core.CallDefine, define.variants)]
        for name, define in program.defines.items()
    }


def _word(name: str) -> str:
    return name.rpartition(".")[2]


def _told(way: Sequence[str], verb: str) -> str:
    """The beginning and the end of a way down."""
    shown = [f"`{name}`" for name in way[: MOST_INSIDE + 1]]
    return verb.join([*shown[:3], "...", *shown[-2:]])


def _deepest(graph: Graph, counted: Container[str]) -> list[str]:
    """The way down with the most names that count; none leads back to where it came from."""
    below: dict[str, tuple[int, str | None]] = {}
    for name in innermost_first(graph):
        known = ((below[each][0], each) for each in graph.get(name, ()) if each in below)
        count, next_ = max(known, default=(0, None))
        below[name] = (count + (name in counted), next_)
    way: list[str] = []
    here = max(below, key=lambda name: below[name][0], default=None)
    while here is not None:
        way.append(here)
        here = below[here][1]
    return way


def innermost_first(graph: Graph) -> Iterator[str]:
    """All names, each after those that it leads to; but for circles."""
    done: set[str] = set()
    for start in graph:
        begun: set[str] = set()
        todo = [(start, False)]
        while todo:
            name, is_left = todo.pop()
            if is_left:
                done.add(name)
                yield name
            elif name not in done and name not in begun:
                begun.add(name)
                todo.append((name, True))
                todo += [(other, False) for other in sorted(graph.get(name, ()))]
