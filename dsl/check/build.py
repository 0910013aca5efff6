"""Core expressions made so that what is known before play is worked out at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from dsl.check import fit
from dsl.core import nodes as core
from dsl.core.types import Type
from dsl.source import Span

CompareOp = Literal["is", "is not", "<", "<=", ">", ">="]


def constant_flag(expr: core.Expr | None) -> bool | None:
    """Whether a condition is known to hold or not to hold; None where it is not known."""
    if isinstance(expr, core.Const) and expr.type == fit.FLAG:
        return bool(expr.value)
    return None


def flag(value: bool, span: Span) -> core.Expr:
    """Yes or no."""
    return core.Const(fit.FLAG, span, int(value))


def logic(op: Literal["and", "or"], left: core.Expr, right: core.Expr, span: Span) -> core.Expr:
    """`left and right`, `left or right`."""
    for known, other in ((left, right), (right, left)):
        value = constant_flag(known)
        if value is not None:
            return other if value == (op == "and") else known
    return core.Logic(fit.FLAG, span, op, left, right)


def negated(operand: core.Expr, span: Span) -> core.Expr:
    """`not operand`."""
    value = constant_flag(operand)
    if value is not None:
        return flag(not value, span)
    return operand.operand if isinstance(operand, core.Not) else core.Not(fit.FLAG, span, operand)


def compare(op: CompareOp, left: core.Expr, right: core.Expr, span: Span) -> core.Expr:
    """A comparison."""
    if isinstance(left, core.Const) and isinstance(right, core.Const):
        a, b = left.value, right.value
        known = {
            "is": a == b,
            "is not": a != b,
            "<": a < b,
            "<=": a <= b,
            ">": a > b,
            ">=": a >= b,
        }
        return flag(known[op], span)
    return core.Compare(fit.FLAG, span, op, left, right)


def conditional(
    type_: Type, condition: core.Expr, then: core.Expr, other: core.Expr, span: Span
) -> core.Expr:
    """`then if condition else other`."""
    value = constant_flag(condition)
    if value is not None:
        return then if value else other
    return core.Conditional(type_, span, condition, then, other)


def if_statement(
    span: Span, branches: list[tuple[core.Expr, core.Block]], otherwise: core.Block
) -> core.Block:
    """An `if`, without the branches that are known never to run."""
    live: list[tuple[core.Expr, core.Block]] = []
    for condition, block in branches:
        value = constant_flag(condition)
        if value is False:
            continue
        if value is True:
            otherwise = block
            break
        live.append((condition, block))
    if not live:
        return otherwise
    return (core.If(span, tuple(live), otherwise),)


def leaves(block: Sequence[core.Stmt]) -> bool:
    """Whether what follows the block is never reached."""
    if not block:
        return False
    match block[-1]:
        case core.Return() | core.End() | core.NextPhase():
            return True
        case core.AsUsual(gives=gives):
            return gives
        case core.If(branches=branches, otherwise=otherwise):
            return leaves(otherwise) and all(leaves(branch) for _, branch in branches)
        case core.Ask(body=body, otherwise=otherwise):
            return leaves(body) and leaves(otherwise)
        case core.Gather(body=body) | core.Repeat(body=body):
            return leaves(body)
        case core.AskAbout(answers=answers):
            can_be_legal = any(not _is_conditional(answer) for answer in answers)
            return can_be_legal and all(leaves(answer.body) for answer in answers)
        case _:
            return False


def _is_conditional(answer: core.Answer) -> bool:
    """Whether an answer may be refused. Where all are, nobody is asked."""
    return any(isinstance(item, core.HeadNeeds) for item in answer.head)
