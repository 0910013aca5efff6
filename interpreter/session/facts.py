"""What a session has to know about a program besides its code: small enough to be kept on disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace

from dsl.core import nodes as core
from dsl.core.meaning import meaning_of
from dsl.core.types import RefType
from dsl.source import NOWHERE, Span
from interpreter.flat.ir.nodes import RANDOM
from interpreter.session.chance import left_to_chance


@dataclass(frozen=True, slots=True)
class Head:
    """What is known of the head of an option.

    What it reads that not everybody sees: `hands`, zones of the seat that answers, by name, and
    `others`, all other zones and fields. `depends`: for each reason to refuse, in order, the
    numbers of the picks on which it depends.
    """

    hands: frozenset[str]
    others: frozenset[str]
    depends: tuple[frozenset[int], ...]


@dataclass(frozen=True, slots=True)
class Facts:
    """`program` has no bodies any more.

    `holes`: for the key of each text, what is written in its holes, in the order of its values.
    `heads`: what is known of each option's head. `turns`: by phase, the field
    of a thing that says whose phase it is. `rules`: where rules, options, watches, answers and
    checks (`always`) stand.
    `always`: the names of the checks, by number. `strategies`: all that can play a seat. `chance`:
    by strategy, the questions that it answers at random. `meaning`: the hash of what decides how
    games go. `docs`: what stands above each rule in the rules. `score_type`: what a final score is.
    """

    program: core.Program
    holes: dict[str, tuple[str, ...]]
    heads: dict[str, Head]
    turns: dict[str, str]
    rules: dict[tuple[str, str], Span]
    always: tuple[str, ...]
    strategies: tuple[str, ...]
    chance: dict[str, tuple[str, ...]]
    meaning: str
    docs: dict[str, str]
    score_type: object


def gather_facts(program: core.Program) -> Facts:
    """The facts of a checked program."""
    return Facts(
        _without_bodies(program),
        dict(_holes(program)),
        {name: _head(program, option) for name, option in program.options.items()},
        dict(_turns(program)),
        dict(_places(program)),
        tuple(check.name for check in program.always),
        tuple(dict.fromkeys((*program.strategies, RANDOM))),
        left_to_chance(program),
        meaning_of(program),
        dict(_docs(program)),
        None if program.scores is None else program.scores.type,
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
            holes = tuple(part.span.text for part in node.parts if core.is_expr(part))
            yield node.key, holes


def _head(program: core.Program, option: core.Option) -> Head:
    hands, others = _hidden_reads(program, option.head, frozenset((option.params[0][0],)))
    return Head(hands, others, tuple(_depends(option.head)))


def _depends(head: tuple[core.HeadItem, ...]) -> Iterator[frozenset[int]]:
    """The picks on which each pick and each condition of a head depends, through its lets."""
    known: dict[str, frozenset[int]] = {}
    picks = 0
    for item in head:
        names = {node.name for node in walk(_read_in(item)) if isinstance(node, core.Local)}
        found = frozenset(pick for name in names for pick in known.get(name, ()))
        if isinstance(item, core.HeadLet):
            known[item.name] = found
            continue
        if isinstance(item, core.HeadPick):
            found |= {picks}
            known[item.name] = known[item.item] = found
            picks += 1
        yield found


def _read_in(item: core.HeadItem) -> object:
    match item:
        case core.HeadLet(value=value):
            return value
        case core.HeadNeeds(condition=condition):
            return condition
        case core.HeadPick():
            parts = (item.source, item.where, item.such_that, item.low, item.high)
            return tuple(part for part in parts if part is not None)


def _hidden_reads(
    program: core.Program, node: object, own: frozenset[str]
) -> tuple[frozenset[str], frozenset[str]]:
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
    return frozenset(hands), frozenset(others)


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


def _hooks(program: core.Program) -> Iterator[core.Hook]:
    """All rules that hook something."""
    holders: tuple[core.Routine | core.Phase, ...] = (
        *program.routines.values(),
        *program.phases.values(),
    )
    for holder in holders:
        insteads = holder.insteads if isinstance(holder, core.Routine) else ()
        yield from (*holder.befores, *insteads, *holder.afters)


def _docs(program: core.Program) -> Iterator[tuple[str, str]]:
    """What each rule is for, as its author says above it."""
    for hook in _hooks(program):
        yield hook.rule, hook.doc
    for watch in program.watches:
        yield watch.rule, watch.doc


def _places(program: core.Program) -> Iterator[tuple[tuple[str, str], Span]]:
    for hook in _hooks(program):
        yield ("rule", hook.rule), hook.span
    for watch in program.watches:
        yield ("rule", watch.rule), watch.span
    for option in program.options.values():
        yield ("option", option.name), option.span
    for check in program.always:
        yield ("always", check.name), check.span
    for node in walk((program.routines, program.phases, program.options, program.watches)):
        if isinstance(node, core.AskAbout):
            question = node.site.split("/")[-1]
            for answer in node.answers:
                yield ("answer", f"{question}.{answer.name}"), answer.span
