"""Everybody sees who is asked: whether and whom a block asks may depend on nothing hidden, be it
read there, kept in a local, given to the routine, or asked by who calls it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from dsl.check import keys
from dsl.check.gathered import Gathered, Piece
from dsl.check.visibility import Guard, Read, Visibility, more_known
from dsl.core import nodes as core
from dsl.diagnostics import Bag
from dsl.records import record
from dsl.source import NOWHERE

_QUESTIONS = (core.Ask, core.AskAbout, core.Gather, core.OpenWindow)


@record
class _Part:
    """A piece that runs: its block, the condition that it runs by, and of which routine or event it
    is, with the names of what that is given."""

    piece: Piece
    block: core.Block
    condition: core.Expr | None = None
    routine: str | None = None
    params: tuple[str, ...] = ()


@record
class _Around:
    """What a place depends on that is hidden, and who knows what there."""

    reads: tuple[Read, ...] = ()
    guard: Guard = field(default_factory=dict)


def check_asking(bag: Bag, program: core.Program, nodes: Gathered) -> None:
    """Report what is hidden and decides who is asked, or what can be answered."""
    _Asking(program, nodes).check(bag)


class _Asking:
    """Looks through all that may ask. `told`: by which of its parameters a routine asks."""

    def __init__(self, program: core.Program, nodes: Gathered) -> None:
        self._seen = Visibility(program)
        self._bag = Bag()
        self._told: dict[str, set[int]] = {}
        parts = list(_parts(program))
        self._asking = _asking(parts, nodes)
        self._parts = [part for part in parts if self._asks(part, nodes)]

    def check(self, bag: Bag) -> None:
        """Go through all parts until no more parameters are found that tell, then once more."""
        before = -1
        while before != (now := sum(map(len, self._told.values()))):
            before = now
            self._bag = Bag()
            for part in self._parts:
                self._look_through(part)
        bag.extend(self._bag)

    def _asks(self, part: _Part, nodes: Gathered) -> bool:
        return any(any(True for _ in nodes.of(kind, part.piece)) for kind in _QUESTIONS) or any(
            call.routine in self._asking for call in nodes.of(core.Call, part.piece)
        )

    def _look_through(self, part: _Part) -> None:
        self._seen.locals = {
            name: (Read(name, (), NOWHERE, NOWHERE, place),)
            for place, name in enumerate(part.params)
        }
        self._seen.presence = {}
        self._found: set[int] = set()
        around = _Around()
        if part.condition is not None:
            around = self._behind(around, part.condition)
        self._block(part.block, around)
        if part.routine is not None:
            self._told.setdefault(part.routine, set()).update(self._found)

    # ------------------------------------------------------------ statements

    def _block(self, block: core.Block, around: _Around) -> None:
        for stmt in block:
            around = self._statement(stmt, around)

    def _statement(self, stmt: core.Stmt, around: _Around) -> _Around:
        """Look at a statement; what is known behind it."""
        match stmt:
            case core.Let(name=name, value=value, fresh=fresh):
                self._set(name, value, fresh, around)
            case core.Reveal(column=column, subject=subject, to=to):
                field = core.Field(subject.type, stmt.span, column, subject)
                guard = more_known(around.guard, {keys.key_of(field): (to,)})
                return _Around(around.reads, guard)
            case core.MoveThings(things=core.Local(name=name)):
                self._seen.locals.pop(name, None)
                self._seen.presence.pop(name, None)
            case core.If(branches=branches, otherwise=otherwise):
                here = around
                for condition, inner in branches:
                    here = self._behind(here, condition)
                    self._block(inner, here)
                self._block(otherwise, here)
            case core.ForEach(generator=generator, body=inner):
                self._block(inner, self._behind(around, generator.source, generator.where))
            case core.Repeat(body=inner, until=until):
                self._block(inner, self._behind(around, until))
            case core.Call():
                self._call(stmt, around)
            case core.OpenWindow(args=args):
                self._report(self._behind(around, *args))
            case core.Ask() | core.AskAbout() | core.Gather():
                self._question(stmt, around)
            case _:
                pass
        return around

    def _set(self, name: str, value: core.Expr, fresh: bool, around: _Around) -> None:
        """A local: that it is set again somewhere tells as well."""
        before = () if fresh else (*self._seen.locals.get(name, ()), *around.reads)
        self._seen.keep(name, value, around.guard, before)

    def _call(self, call: core.Call, around: _Around) -> None:
        if call.routine in self._asking:
            places = self._told.get(call.routine, set())
            args = [arg for place, arg in enumerate(call.args) if place in places]
            self._report(self._behind(around, *args))

    def _question(self, stmt: core.Ask | core.AskAbout | core.Gather, around: _Around) -> None:
        if isinstance(stmt, core.Gather):
            self._report(self._behind(around, stmt.asked.source, stmt.asked.where))
            self._seen.check_pick(self._bag, stmt.pick, {stmt.asked.variable})
            self._block(stmt.body, around)
            return
        self._report(self._behind(around, stmt.asked))
        own = {stmt.asked.name} if isinstance(stmt.asked, core.Local) else set()
        if isinstance(stmt, core.Ask):
            if own:
                self._seen.check_pick(self._bag, stmt.pick, own)
            self._block(stmt.body, around)
            self._block(stmt.otherwise, around)
            return
        for answer in stmt.answers:
            for name in own:
                self._seen.check_head(self._bag, answer.head, name)
            self._block(answer.body, around)

    # ------------------------------------------------------------ what is hidden

    def _behind(self, around: _Around, *conditions: core.Expr | None) -> _Around:
        reads = around.reads
        for condition in conditions:
            if condition is not None:
                reads = (*reads, *self._seen.told_by(condition, around.guard))
        return _Around(reads, around.guard)

    def _report(self, around: _Around) -> None:
        self._found.update(read.param for read in around.reads if read.param is not None)
        self._seen.check_asked(self._bag, around.reads)


def _parts(program: core.Program) -> Iterator[_Part]:
    for name, routine in program.routines.items():
        params = tuple(param for param, _ in routine.params)
        yield _Part(routine.body, routine.body, None, name, params)
        for hook in (*routine.befores, *routine.insteads, *routine.afters):
            own = tuple(param for param, _ in hook.params)
            yield _Part(hook, hook.body, hook.condition, name, own)
    for phase in program.phases.values():
        yield _Part(phase.body, phase.body)
        yield _Part(phase.then, phase.then)
        for hook in (*phase.befores, *phase.afters):
            yield _Part(hook, hook.body, hook.condition)
    for option in program.options.values():
        yield _Part(option, option.body)
    for watch in program.watches:
        yield _Part(watch, watch.body, watch.condition)


def _asking(parts: list[_Part], nodes: Gathered) -> set[str]:
    """The routines and events in which somebody may be asked."""
    asking: set[str] = set()
    while True:
        more = {
            part.routine
            for part in parts
            if part.routine is not None
            and part.routine not in asking
            and (
                any(any(True for _ in nodes.of(kind, part.piece)) for kind in _QUESTIONS)
                or any(call.routine in asking for call in nodes.of(core.Call, part.piece))
            )
        }
        if not more:
            return asking
        asking |= more
