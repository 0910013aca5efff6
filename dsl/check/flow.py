"""What may run inside what: circles, and whether the target of an `end` is running."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from dsl.check.depth import Graph, check_depth
from dsl.check.gathered import Gathered, Piece
from dsl.core import nodes as core
from dsl.diagnostics import Bag


def check_flow(bag: Bag, program: core.Program, nodes: Gathered) -> None:
    """Report circles of defines and of routines, what is too deep inside each other, and ends of
    what can't be running."""
    _check_defines(bag, program.defines, nodes)
    _check_routines(bag, program.routines, nodes)
    bodies, inside = _inside(program, nodes)
    if not bag.has_errors:
        check_depth(bag, program, nodes, inside)
    _check_ends(bag, program, nodes, bodies, inside)


def _circle(graph: Graph) -> list[str] | None:
    """Some way that leads back to where it began."""
    done: set[str] = set()
    for start in graph:
        path: dict[str, None] = {}
        todo = [(start, False)]
        while todo:
            node, is_left = todo.pop()
            if is_left:
                del path[node]
                done.add(node)
            elif node in path:
                return [*list(path)[list(path).index(node) :], node]
            elif node not in done:
                path[node] = None
                todo.append((node, True))
                todo += [(other, False) for other in sorted(graph.get(node, ()))]
    return None


def _check_defines(bag: Bag, defines: Mapping[str, core.Define], nodes: Gathered) -> None:
    graph = {
        name: {part.define for part in nodes.of(core.CallDefine, define.variants)}
        for name, define in defines.items()
    }
    while (circle := _circle(graph)) is not None:
        first = defines[circle[0]]
        place = next(
            (
                part.span
                for part in nodes.of(core.CallDefine, first.variants)
                if part.define == circle[1]
            ),
            first.variants[0].span,
        )
        bag.error(
            "RW0702",
            place,
            f"`{_word(circle[0])}` would be worked out from itself",
            notes=[" needs ".join(f"`{_word(name)}`" for name in circle)],
            also=[(first.variants[0].span, "defined here")],
        )
        for name in circle:
            graph[name] = set()


def _word(name: str) -> str:
    return name.rpartition(".")[2]


def _check_routines(bag: Bag, routines: Mapping[str, core.Routine], nodes: Gathered) -> None:
    calls = {
        name: {part.routine: part.span for part in nodes.of(core.Call, routine.body)}
        for name, routine in routines.items()
    }
    graph = {name: set(found) for name, found in calls.items()}
    while (circle := _circle(graph)) is not None:
        bag.error(
            "RW0701",
            calls[circle[0]][circle[1]],
            f"`{circle[0]}` would call itself",
            notes=[" calls ".join(f"`{name}`" for name in circle)],
            help="go round with `repeat` or `for each`, or react with a rule",
        )
        for name in circle:
            graph[name] = set()


# ---------------------------------------------------------------- ends


def _inside(program: core.Program, nodes: Gathered) -> tuple[dict[str, Piece], dict[str, set[str]]]:
    """All bodies by name, and the names of those that run inside them."""
    bodies: dict[str, Piece] = {}
    inside: dict[str, set[str]] = {}
    for name, routine in program.routines.items():
        hooks = (*routine.befores, *routine.insteads, *routine.afters)
        bodies[name] = routine.body
        inside[name] = _hooked(hooks, bodies, inside)
    for name, phase in program.phases.items():
        bodies[name] = phase.body
        inside[name] = _hooked((*phase.befores, *phase.afters), bodies, inside)
        bodies[f"then of {name}"] = phase.then
    for name, option in program.options.items():
        bodies[f"option {name}"] = option
    for name, piece in bodies.items():
        own = inside.setdefault(name, set())
        own |= {call.routine for call in nodes.of(core.Call, piece)}
        for opened in nodes.of(core.OpenWindow, piece):
            own |= {f"option {option}" for option in program.windows[opened.window].options}
    return bodies, inside


def _check_ends(
    bag: Bag,
    program: core.Program,
    nodes: Gathered,
    bodies: Mapping[str, Piece],
    inside: Graph,
) -> None:
    reached: dict[str, set[str]] = {}
    for name, piece in bodies.items():
        for part in nodes.of(core.End, piece):
            if part.label == "game":
                continue
            if part.label not in reached:
                reached[part.label] = _reach(inside, part.label)
            if name not in reached[part.label]:
                _not_running(bag, part, name)
    _check_watches(bag, program, nodes)


def _check_watches(bag: Bag, program: core.Program, nodes: Gathered) -> None:
    """A watch may fire at any time: it can leave a phase, or nothing if that is over."""
    for watch in program.watches:
        for part in nodes.of(core.End, watch):
            if part.label not in ("game", *program.phases):
                bag.error(
                    "RW0703",
                    part.span,
                    f"`{part.label}` may not be running here",
                    notes=["a `whenever` may come at any time"],
                    help="it can end the game or a phase; end the routine in a rule of its own",
                )


def _hooked(
    hooks: Iterable[core.Hook],
    bodies: dict[str, Piece],
    inside: dict[str, set[str]],
) -> set[str]:
    """Enter rules as bodies of their own; what they hook has them inside."""
    names = set()
    for hook in hooks:
        name = f"rule {hook.rule}"
        bodies[name] = hook
        inside.setdefault(name, set())
        names.add(name)
    return names


def _reach(inside: Graph, start: str) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += inside.get(name, ())
    return found


def _not_running(bag: Bag, end: core.End, where: str) -> None:
    bag.error(
        "RW0703",
        end.span,
        f"`{end.label}` is never running here",
        notes=[f"nothing that `{end.label}` does leads to {where}"],
        help="end what leads here, or move this line into it",
    )
