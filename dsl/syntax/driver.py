"""The LALR driver: tokens and tables in, nodes out.

It runs Lark's tables itself instead of Lark's interactive parser: the steps that only rename a
value are taken at one go, and the stacks can be copied where a line begins, which is what the
recovery from mistakes needs. It knows no rule of the language by name.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dsl.records import mutable, record
from dsl.source import Source, Span
from dsl.syntax.builder import Builder, BuildOf, building
from dsl.syntax.layout import Token
from dsl.syntax.tables import Production, Tables

# How deep values and blocks may be nested in each other: what reads the tree calls itself.
DEEPEST = 100

# Lists that the builder folds into a chain of two by two.
_FOLDED = frozenset({"either", "both", "path"})

_UNIT, _PICK, _INLINE, _BUILD = range(4)
_KINDS = {"unit": _UNIT, "pick": _PICK, "inline": _INLINE, "build": _BUILD}


@mutable
class Stacks:
    """What has been read and not finished: states, values, their places and their depth."""

    states: list[int]
    values: list[Any]
    starts: list[int]
    ends: list[int]
    depths: list[int]

    def copy(self) -> Stacks:
        """A snapshot; the values are never changed in place."""
        return Stacks(self.states[:], self.values[:], self.starts[:], self.ends[:], self.depths[:])

    def restore(self, other: Stacks) -> None:
        """Back to a snapshot, in place: the driver's loop holds on to the lists."""
        self.states[:] = other.states
        self.values[:] = other.values
        self.starts[:] = other.starts
        self.ends[:] = other.ends
        self.depths[:] = other.depths


@record
class Step:
    """A production as the driver uses it."""

    size: int
    origin: str
    kind: int
    build: BuildOf | None
    picks: tuple[int, ...]
    spliced: tuple[bool, ...] | None
    is_folded: bool


class Program:
    """Tables, and a builder that makes the values of one source."""

    def __init__(self, tables: Tables, builder: Builder) -> None:
        self.tables = tables
        self.builder = builder
        self.source: Source = builder.source
        self.steps = _steps(tables)


# By the identity of the tables, which are kept so that the number stays their own.
_STEPS: dict[int, tuple[Tables, list[Step]]] = {}


def _steps(tables: Tables) -> list[Step]:
    """The productions of some tables as steps, made once."""
    known = _STEPS.get(id(tables))
    if known is None:
        known = _STEPS[id(tables)] = tables, [_step(each) for each in tables.productions]
    return known[1]


class TooDeepError(Exception):
    """Values are nested deeper than DEEPEST. Never leaves this package."""


class Driver:
    """Feeds tokens; `run` in a subclass decides what happens at a mistake."""

    def __init__(self, program: Program, start: str) -> None:
        self.program = program
        self.tables = program.tables
        self.end_state = program.tables.ends[start]
        self.stacks = Stacks([program.tables.starts[start]], [], [], [], [])

    def feed(self, token: Token) -> bool:
        """Take one token; False where it does not fit. Raises TooDeepError."""
        stacks = self.stacks
        states, values, starts, ends = stacks.states, stacks.values, stacks.starts, stacks.ends
        depths = stacks.depths
        actions, gotos, steps = self.tables.actions, self.tables.gotos, self.program.steps
        shortcuts = self.tables.shortcuts
        builder, source = self.program.builder, self.program.source
        kind = token.type
        while True:
            state = states[-1]
            action = actions[state].get(kind)
            if action is None:
                return False
            if action >= 0:
                states.append(action)
                values.append(token)
                starts.append(token.start)
                ends.append(token.end)
                depths.append(0)
                return True
            step = steps[-1 - action]
            size = step.size
            if step.kind == _UNIT:
                below = states[-2]
                key = (below, state, kind)
                target = shortcuts.get(key)
                if target is None:
                    target = shortcuts[key] = self._end_of_chain(below, state, kind)
                states[-1] = target
                continue
            if size == 0:
                start = end = token.start
                parts: list[Any] = []
                depth = 0
            else:
                start, end = starts[-size], ends[-1]
                parts = values[-size:]
                depth = max(depths[-size:])
                del states[-size:], values[-size:], starts[-size:], ends[-size:], depths[-size:]
            if step.kind == _BUILD:
                kept = _kept(step, parts)
                depth += len(kept) if step.is_folded else 1
                if depth > DEEPEST:
                    raise TooDeepError
                value = step.build(builder, Span(source, start, end), kept)  # type: ignore[misc]
            elif step.kind == _PICK:
                value = parts[step.picks[0]]
            else:
                value = _appended(step, parts)
            states.append(gotos[states[-1]][step.origin])
            values.append(value)
            starts.append(start)
            ends.append(end)
            depths.append(depth)

    def _end_of_chain(self, below: int, state: int, kind: str) -> int:
        """The state after all steps that only rename the value on top."""
        actions, steps = self.tables.actions, self.program.steps
        goto = self.tables.gotos[below]
        while True:
            action = actions[state].get(kind)
            if action is None or action >= 0 or steps[-1 - action].kind != _UNIT:
                return state
            state = goto[steps[-1 - action].origin]

    @property
    def is_done(self) -> bool:
        """Whether all that was fed makes a whole."""
        return self.stacks.states[-1] == self.end_state

    # ------------------------------------------------------------ trying out

    def after(self, states: list[int], kinds: Iterable[str]) -> list[int] | None:
        """The states after some more kinds of tokens, or None where one does not fit."""
        states = states[:]
        for kind in kinds:
            while True:
                action = self.tables.actions[states[-1]].get(kind)
                if action is None:
                    if kind == "$END" and states[-1] == self.end_state:
                        return states
                    return None
                if action >= 0:
                    states.append(action)
                    break
                step = self.program.steps[-1 - action]
                if step.size:
                    del states[-step.size :]
                states.append(self.tables.gotos[states[-1]][step.origin])
        return states

    def accepted(self, states: list[int]) -> set[str]:
        """The kinds of tokens that fit next."""
        kinds = {*self.tables.actions[states[-1]], "$END"}
        return {kind for kind in kinds if self.after(states, (kind,))}


def _step(production: Production) -> Step:
    kind = _KINDS[production.kind]
    picks, spliced = production.picks, production.spliced
    return Step(
        size=production.size,
        origin=production.origin,
        kind=kind,
        build=building(production.name) if kind == _BUILD else None,
        picks=tuple(picks),
        spliced=tuple(spliced) if any(spliced) else None,
        is_folded=production.name in _FOLDED,
    )


def _kept(step: Step, parts: list[Any]) -> list[Any]:
    if step.spliced is None:
        return [parts[pick] if pick >= 0 else None for pick in step.picks]
    kept: list[Any] = []
    for pick, is_spliced in zip(step.picks, step.spliced, strict=True):
        part = parts[pick] if pick >= 0 else None
        if is_spliced:
            kept.extend(_flat(part))
        else:
            kept.append(part)
    return kept


# A list that grows at its end is a chain of (what was before, the new items): a snapshot of the
# stacks holds on to its own end of the chain.
_Chained = tuple[Any, list[Any]]


def _appended(step: Step, parts: list[Any]) -> _Chained:
    if step.spliced is not None and step.spliced[0]:
        return parts[step.picks[0]], [parts[pick] for pick in step.picks[1:]]
    return None, [parts[pick] for pick in step.picks]


def _flat(chained: _Chained | None) -> list[Any]:
    pieces: list[list[Any]] = []
    while chained is not None:
        chained, items = chained
        pieces.append(items)
    return [item for items in reversed(pieces) for item in items]
