"""Noting what a strategy is about to read at an any-time window, so that a change of it makes the
line be looked at again.

What belongs to the seat itself is noted for good, once, when the program is made. What changes
often, what is read in loops and everything else is noted in play, right before it is read: a line
whose cheap guard fails waits for nothing more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dsl.core import nodes as core
from interpreter.flat.ask import heads
from interpreter.flat.context.env import Env
from interpreter.flat.context.layout import HeldFamily
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.incremental import waking
from interpreter.flat.incremental.reads import ANY, OwnSubjects, Read, is_held, reads_of
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.core_tree import children


@dataclass(frozen=True, slots=True)
class Chain:
    """What is known at one point of a line being made.

    `env`: bound names; `own`: those that are the seat itself; `things`: those that it holds;
    `noted`: what was noted as read; `waiting`: conditions to come; `lines`: the lines that wait for
    what is read, None for all; `often`: inside a loop, the masks to be noted once behind it.
    """

    env: Env
    own: frozenset[str]
    things: frozenset[str] = frozenset()
    noted: frozenset[Read] = frozenset()
    waiting: tuple[core.Expr, ...] = ()
    lines: tuple[int, ...] | None = None
    often: dict[str, None] | None = None
    in_loop: bool = False

    @property
    def mine(self) -> OwnSubjects:
        """What belongs to the seat."""
        return OwnSubjects(self.own, self.things)

    def inside(self, low: Lowering, generator: core.Generator, env: Env) -> Chain:
        """The chain inside a loop over the items of a generator."""
        things = self.things
        if is_held(low, generator, self.mine):
            things |= {generator.variable}
        return replace(self, env=env, things=things, in_loop=True)


def note(
    low: Lowering, wake: str | None, chain: Chain, node: object, sign: int
) -> tuple[list[flat.Stmt], Chain]:
    """Statements that note what is about to be read, and the chain after them; `sign`: which
    changes of it matter."""
    if wake is None:
        return [], chain
    found = reads_in(low, node, chain, sign)
    fresh = [read for read in found if not any(read.is_part_of(other) for other in chain.noted)]
    stmts: list[flat.Stmt] = []
    others: list[Read] = []
    asked = _asked_about(low, chain, node, fresh) if chain.in_loop else None
    family = None if asked is None else asked[0]
    for read in fresh:
        if read.own and not chain.in_loop and not waking.changes_often(low, read):
            waking.for_good(low, wake, read, chain.lines)
        elif read.own:
            stmts += _add_line(low, wake, waking.mask(low, wake, (read,), family), chain, asked)
        else:
            others.append(read)
    if others:
        mask = waking.mask(low, wake, tuple(others), family)
        stmts += _add_line(low, wake, mask, chain, asked)
    return stmts, replace(chain, noted=chain.noted.union(fresh))


def reads_in(low: Lowering, node: object, chain: Chain, sign: int) -> dict[Read, None]:
    """What a node or some nodes read."""
    parts = node if isinstance(node, tuple) else (node,)
    return {read: None for part in parts for read in reads_of(low, part, chain.mine, sign)}


def is_cold(low: Lowering, node: object, chain: Chain) -> bool:
    """Whether all that is read changes seldom, so that it is best looked at first."""
    return not any(waking.is_purse(low, read) for read in reads_in(low, node, chain, ANY))


def this_line(low: Lowering, wake: str, lines: tuple[int, ...] | None) -> flat.Expr:
    """The bits of some lines of the seat that is asked; of all its lines."""
    some = range(waking.lines_of(low, wake)) if lines is None else lines
    return waking.lines_of_seat(low, wake, heads.SEAT, some)


Asked = tuple[HeldFamily, flat.Expr]
"""Things of a family, of which only the holders are read."""


def _asked_about(low: Lowering, chain: Chain, node: object, reads: Iterable[Read]) -> Asked | None:
    """The things whose holders are all that is read by what goes through some things, or tests
    them; None where more is read, or where it is not plain which."""
    keys = {read.key for read in reads}
    if len(keys) != 1:
        return None
    kind, _, family = next(iter(keys)).partition(":")
    if kind != "held":
        return None
    held = low.layout.held[family]
    match node:
        case core.Generator(variable=variable, source=source, where=where):
            if reads_in(low, source, chain, ANY) or _holders_of(where) != {variable}:
                return None
            things = low.set_(chain.env, source)
            is_data = isinstance(things, flat.Cell) and things.column in low.out.tables
            return (held, things) if is_data else None
        case _:
            return None


def _holders_of(value: object) -> set[str] | None:
    """The locals whose holders are looked up, if nothing else is."""
    match value:
        case core.HolderOf(thing=core.Local(name=name)):
            return {name}
        case core.CallDefine() | core.ZoneItems() | core.HolderOf():
            return None
        case _:
            found: set[str] = set()
            for child in children(value):
                inner = _holders_of(child)
                if inner is None:
                    return None
                found |= inner
            return found


def _add_line(
    low: Lowering, wake: str, mask: str, chain: Chain, asked: Asked | None
) -> list[flat.Stmt]:
    stmts: list[flat.Stmt] = []
    things = waking.things_of(low, mask)
    if things is not None:
        assert asked is not None
        all_asked = build.set_or(flat.Scalar(things.scalar, things.type), asked[1])
        stmts.append(flat.SetScalar(things.scalar, all_asked, things.type))
    if chain.in_loop and chain.often is not None:
        chain.often[mask] = None
        return [*stmts, flat.SetVar(f"noted_{mask}", build.YES)]
    return [*stmts, _added(low, wake, mask, chain.lines)]


def _added(low: Lowering, wake: str, mask: str, lines: tuple[int, ...] | None) -> flat.Stmt:
    type_ = waking.bits_of(low, wake)
    added = build.set_or(flat.Scalar(mask, type_), this_line(low, wake, lines))
    return flat.SetScalar(mask, added, type_)


def noted_once(low: Lowering, wake: str, chain: Chain, body: list[flat.Stmt]) -> list[flat.Stmt]:
    """A line without an answer notes what it read in its loops behind them, once. With an answer
    it stays awake, and waits for nothing."""
    often = chain.often or {}
    before = [flat.SetVar(f"noted_{mask}", build.NO) for mask in often]
    behind = [
        flat.If(flat.Var(f"noted_{mask}"), (_added(low, wake, mask, chain.lines),))
        for mask in often
    ]
    return [*before, *body, *behind]
