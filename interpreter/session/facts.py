"""What a session has to know about a program besides its code: small enough to be kept on disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace

from dsl.core import nodes as core
from dsl.core.types import RefType
from dsl.source import NOWHERE, Span


@dataclass(frozen=True, slots=True)
class Hidden:
    """What something reads that not everybody sees: zones of the seat that answers, by name; and
    all other zones and fields."""

    hands: frozenset[str]
    others: frozenset[str]


@dataclass(frozen=True, slots=True)
class Facts:
    """`program` has no bodies any more.

    `holes`: for the key of each text, what is written in its holes, in the order of its values.
    `heads`: by option, what its head reads that not everybody sees. `turns`: by phase, the field
    of a thing that says whose phase it is. `rules`: where rules, options and watches stand.
    `always`: the names of the checks, by number.
    """

    program: core.Program
    holes: dict[str, tuple[str, ...]]
    heads: dict[str, Hidden]
    turns: dict[str, str]
    rules: dict[tuple[str, str], Span]
    always: tuple[str, ...]


def gather_facts(program: core.Program) -> Facts:
    """The facts of a checked program."""
    return Facts(
        _without_bodies(program),
        dict(_holes(program)),
        {
            name: hidden_reads(program, option.head, frozenset((option.params[0][0],)))
            for name, option in program.options.items()
        },
        dict(_turns(program)),
        dict(_places(program)),
        tuple(check.name for check in program.always),
    )


def walk(node: object) -> Iterator[object]:
    """All core nodes in a node, itself included."""
    stack = [node]
    while stack:
        here = stack.pop()
        if isinstance(here, tuple):
            stack += reversed(here)
        elif isinstance(here, dict):
            stack += reversed(list(here.values()))
        elif is_dataclass(here) and not isinstance(here, Span | type):
            yield here
            stack += [getattr(here, part.name) for part in reversed(fields(here))]


def _without_bodies(program: core.Program) -> core.Program:
    nobody = core.Const(RefType(program.player_kind), NOWHERE, -1)
    phases = {
        name: replace(phase, body=(), then=(), befores=(), afters=())
        for name, phase in program.phases.items()
    }
    return replace(
        program,
        defines={}, routines={}, phases=phases, watches=(), always=(), windows={}, options={},
        measures={}, strategies={}, scenarios=(), winners=nobody, scores=None,
    )  # fmt: skip


def _holes(program: core.Program) -> Iterator[tuple[str, tuple[str, ...]]]:
    parts = (
        program.defines, program.routines, program.phases, program.watches, program.options,
        program.windows, program.scenarios,
    )  # fmt: skip
    for node in walk(parts):
        if isinstance(node, core.TextOf):
            holes = tuple(part.span.text for part in node.parts if isinstance(part, core.Expr))
            yield node.key, holes


def hidden_reads(program: core.Program, node: object, own: frozenset[str]) -> Hidden:
    """What a node reads, defines included, that not everybody sees; `own`: locals that are the
    seat that answers."""
    hands: set[str] = set()
    others: set[str] = set()
    seen: set[tuple[str, frozenset[int]]] = set()
    waiting: list[tuple[object, frozenset[str]]] = [(node, own)]
    while waiting:
        root, mine = waiting.pop()
        for part in walk(root):
            match part:
                case core.ZoneItems(zone=name, holder=holder) if _is_hidden(program.zones[name]):
                    (hands if _is_own(holder, mine) else others).add(name)
                case core.HolderOf(zone=name) if _is_hidden(program.zones[name]):
                    others.add(name)
                case core.Field(column=name) if program.columns[name].seen_by != "everyone":
                    others.add(name)
                case core.CallDefine(define=name, args=args):
                    places = frozenset(n for n, arg in enumerate(args) if _is_own(arg, mine))
                    if (name, places) in seen:
                        continue
                    seen.add((name, places))
                    for variant in program.defines[name].variants:
                        inner = frozenset(variant.params[n][0] for n in places)
                        waiting.append(((variant.base, variant.lets, variant.buts), inner))
                case _:
                    pass
    return Hidden(frozenset(hands), frozenset(others))


def _is_hidden(zone: core.Zone) -> bool:
    return zone.seen_by != "everyone" or zone.count_hidden


def _is_own(expr: core.Expr, own: frozenset[str]) -> bool:
    return isinstance(expr, core.Local) and expr.name in own


def _turns(program: core.Program) -> Iterator[tuple[str, str]]:
    """A phase is about the player in the first field of a thing that its body reads."""
    for phase in program.phases.values():
        for node in walk(phase.body):
            if (
                isinstance(node, core.Field)
                and isinstance(node.type, RefType)
                and node.type.kind == program.player_kind
                and isinstance(node.subject, core.Const)
            ):
                yield phase.name, node.column
                break


def _places(program: core.Program) -> Iterator[tuple[tuple[str, str], Span]]:
    for holder in (*program.routines.values(), *program.phases.values()):
        for node in walk((holder.befores, getattr(holder, "insteads", ()), holder.afters)):
            if isinstance(node, core.Hook):
                yield ("rule", node.rule), node.span
    for watch in program.watches:
        yield ("rule", watch.rule), watch.span
    for option in program.options.values():
        yield ("option", option.name), option.span
    for node in walk((program.routines, program.phases, program.options, program.watches)):
        if isinstance(node, core.AskAbout):
            question = node.site.split("/")[-1]
            for answer in node.answers:
                yield ("answer", f"{question}.{answer.name}"), answer.span
