"""Noting what a strategy is about to read at an any-time window, so that a change of it makes the
line be looked at again.

What belongs to the seat itself is noted for good, once, when the program is made. Everything else
is noted in play, right before it is read: a line whose cheap guard fails waits for nothing more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dsl.core import nodes as core
from interpreter.flat import build, waking
from interpreter.flat import nodes as flat
from interpreter.flat.context import Env, Lowering
from interpreter.flat.reads import Read, reads_of


@dataclass(frozen=True, slots=True)
class Chain:
    """What is known at one point of a line being made.

    `env`: bound names; `own`: those that are the seat itself; `noted`: what was noted as read;
    `waiting`: conditions to come; `lines`: the lines that wait for what is read, None for all.
    """

    env: Env
    own: frozenset[str]
    noted: frozenset[Read] = frozenset()
    waiting: tuple[core.Expr, ...] = ()
    lines: tuple[int, ...] | None = None


def note(
    low: Lowering, wake: str | None, chain: Chain, node: object
) -> tuple[list[flat.Stmt], Chain]:
    """Statements that note what is about to be read, and the chain after them."""
    if wake is None:
        return [], chain
    stmts: list[flat.Stmt] = []
    others: list[Read] = []
    for read in reads_in(low, node, chain.own):
        if read.own and not waking.is_purse(low, read):
            waking.for_good(low, wake, read, chain.lines)
        elif read not in chain.noted and not read.own:
            others.append(read)
        elif read not in chain.noted:
            stmts.append(_add_line(low, wake, waking.mask(low, wake, (read,)), chain.lines))
    if others:
        stmts.append(_add_line(low, wake, waking.mask(low, wake, tuple(others)), chain.lines))
    return stmts, replace(chain, noted=chain.noted | reads_in(low, node, chain.own).keys())


def reads_in(low: Lowering, node: object, own: frozenset[str]) -> dict[Read, None]:
    """What a node or some nodes read."""
    parts = node if isinstance(node, tuple) else (node,)
    return {read: None for part in parts for read in reads_of(low, part, own)}


def is_cold(low: Lowering, node: object, own: frozenset[str]) -> bool:
    """Whether all that is read changes seldom, so that it is best looked at first."""
    return not any(waking.is_purse(low, read) for read in reads_in(low, node, own))


def this_line(low: Lowering, wake: str, lines: tuple[int, ...] | None) -> flat.Expr:
    """The bits of some lines of the seat that is asked, held in a local; of all its lines."""
    if lines is None:
        return waking.later_lines(low, wake, 0)
    return flat.Var("line", waking.bits_of(low, wake))


def _add_line(low: Lowering, wake: str, mask: str, lines: tuple[int, ...] | None) -> flat.Stmt:
    type_ = waking.bits_of(low, wake)
    added = build.set_or(flat.Scalar(mask, type_), this_line(low, wake, lines))
    return flat.SetScalar(mask, added, type_)
