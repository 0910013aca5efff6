"""What a condition says about values, where it holds and where it does not."""

from __future__ import annotations

from dataclasses import replace

from dsl.check import fit, keys
from dsl.check.effects import Effects
from dsl.check.scope import Fact
from dsl.core import nodes as core
from dsl.core.types import IntType, RefType, Type, none_value

Facts = dict[str, Fact]

_MOST_ENDS = 100  # numbers beyond a bound with which it may have been compared


def fact_about(expr: core.Expr, type_: Type | None, effects: Effects) -> Fact:
    """A fact that ends when something the expression reads is written."""
    return Fact(type_, keys.locals_in(expr), effects.read_by(expr))


def facts_of(condition: core.Expr, truth: bool, effects: Effects) -> Facts:
    """The facts that follow from a condition being true, or being false."""
    if isinstance(condition, core.Not):
        return facts_of(condition.operand, not truth, effects)
    if isinstance(condition, core.Logic):
        if (condition.op == "and") == truth:
            left = facts_of(condition.left, truth, effects)
            return left | facts_of(condition.right, truth, effects)
        return _of_either(condition, truth, effects)
    if isinstance(condition, core.IsKind):
        return _of_kind(condition, truth, effects)
    if isinstance(condition, core.Compare):
        return _of_comparison(condition, truth, effects)
    if isinstance(condition, core.Contains) and truth:
        key = member_key(condition.item, condition.collection)
        return {key: fact_about(condition, None, effects)}
    if isinstance(condition, core.Fold) and condition.kind == ("any" if truth else "all"):
        return {some_key(condition.generators): fact_about(condition, None, effects)}
    return {}


def _of_either(condition: core.Logic, truth: bool, effects: Effects) -> Facts:
    """One side holds, or the other."""
    left = facts_of(condition.left, truth, effects)
    right = facts_of(condition.right, truth, effects)
    if not left or not right:
        return {}
    plain = fact_about(condition, None, effects)
    key = f"either:{truth}:{keys.key_of(condition)}"
    return {key: Fact(None, plain.locals, plain.fields, (left, right))}


def narrow(expr: core.Expr, type_: Type, effects: Effects) -> Facts:
    """The fact that a path has a narrower type."""
    if not keys.is_path(expr):
        return {}
    return {keys.key_of(expr): fact_about(expr, type_, effects)}


def _of_kind(condition: core.IsKind, truth: bool, effects: Effects) -> Facts:
    if not truth:
        fact = fact_about(condition.subject, None, effects)
        return {not_kind_key(condition.subject, condition.kind): fact}
    return narrow(condition.subject, RefType(condition.kind), effects)


def not_kind_key(subject: core.Expr, kind: str) -> str:
    """The key of the fact that something is not of a kind."""
    return f"not {kind}:{keys.key_of(subject)}"


def _of_comparison(condition: core.Compare, truth: bool, effects: Effects) -> Facts:
    op, left, right = condition.op, condition.left, condition.right
    if not truth:
        opposite: dict[str, str] = {
            "is": "is not",
            "is not": "is",
            "<": ">=",
            "<=": ">",
            ">": "<=",
            ">=": "<",
        }
        op = opposite[op]  # type: ignore[assignment]
    found: Facts = {}
    for one, other in ((left, right), (right, left)):
        is_there = op == "is" and fit.is_optional(one.type) and not fit.is_optional(other.type)
        if is_there or (op == "is not" and is_none(other)):
            found |= narrow(one, fit.opened(one.type), effects)
    found |= _of_count(op, left, right, effects)
    return found | _of_order(op, left, right, effects)


def is_none(expr: core.Expr) -> bool:
    """Whether the expression is the word `none`."""
    if not isinstance(expr, core.Const) or not fit.is_optional(expr.type):
        return False
    return expr.value == none_value(expr.type)


def _of_count(op: str, left: core.Expr, right: core.Expr, effects: Effects) -> Facts:
    """`count(L) > 0` says that there is something in L."""
    if (
        not isinstance(left, core.Fold)
        or left.kind != "count"
        or not isinstance(right.type, IntType)
    ):
        return {}
    least = right.type.low
    some = (
        (op == ">" and least >= 0)
        or (op in (">=", "is") and least >= 1)
        or (op == "is not" and isinstance(right, core.Const) and right.value == 0)
    )
    if not some:
        return {}
    return {some_key(left.generators): fact_about(left, None, effects)}


def some_key(generators: tuple[core.Generator, ...]) -> str:
    """The key of the fact that a query has something, whatever is made of it."""
    one = core.Const(fit.FLAG, generators[0].source.span, 1)
    return "some:" + keys.key_of(core.Fold(fit.FLAG, one.span, "any", generators, one, None, None))


def member_key(item: core.Expr, listed: core.Expr) -> str:
    """The key of the fact that something lies in a list."""
    return f"in:{keys.key_of(item)}:{keys.key_of(listed)}"


def answered_key(table: str, asked: core.Generator) -> str:
    """The key of the fact that a table of secret answers has one of everybody who was asked."""
    return f"answered:{table}:{some_key((asked,))}"


def guard_key(purse: core.Expr, amount: core.Expr) -> str:
    """The key of the fact that a purse holds at least an amount."""
    return f"at least:{keys.key_of(purse)}:{keys.key_of(amount)}"


def _of_order(op: str, left: core.Expr, right: core.Expr, effects: Effects) -> Facts:
    """`player.cash >= price` says that so much can be taken, `player.tries is not 3` that there are
    fewer, where 3 is the most."""
    op, left, right = _off_the_end(op, left, right)
    if op in ("<=", "<"):
        left, right, op = right, left, {"<=": ">=", "<": ">"}[op]
    if op not in (">=", ">", "is"):
        return {}
    both = core.Compare(fit.FLAG, left.span, "is", left, right)
    fact = fact_about(both, None, effects)
    found = {guard_key(left, right): fact}
    if op == "is":
        found[guard_key(right, left)] = fact
    if op == ">" and isinstance(right.type, IntType) and right.type.low >= 0:
        one = core.Const(right.type, right.span, right.type.low + 1)
        found[guard_key(left, one)] = fact
    if op == ">" and isinstance(left, core.Const):
        found[guard_key(replace(left, value=left.value - 1), right)] = fact
    return found


def _off_the_end(op: str, left: core.Expr, right: core.Expr) -> tuple[str, core.Expr, core.Expr]:
    """What is not the most or the least that it can be is less or more."""
    number = left.type
    if op == "is not" and isinstance(right, core.Const) and isinstance(number, IntType):
        if right.value == number.high:
            return "<", left, right
        if right.value == number.low:
            return ">", left, right
    return op, left, right


def is_known_above(expr: core.Expr, least: int, facts: Facts) -> bool:
    """Whether a number is known to be as much, by its bounds or by what was asked."""
    return _is_known(expr, least, facts, above=True)


def is_known_below(expr: core.Expr, most: int, facts: Facts) -> bool:
    """Whether a number is known to be no more, by its bounds or by what was asked."""
    return _is_known(expr, most, facts, above=False)


def _is_known(expr: core.Expr, bound: int, facts: Facts, *, above: bool) -> bool:
    type_ = expr.type
    if not isinstance(type_, IntType):
        return True
    if type_.low >= bound if above else type_.high <= bound:
        return True
    ends = range(bound, type_.high + 1) if above else range(type_.low, bound + 1)
    for end in ends[:_MOST_ENDS] if above else ends[-_MOST_ENDS:]:
        other = core.Const(type_, expr.span, end)
        if (guard_key(expr, other) if above else guard_key(other, expr)) in facts:
            return True
    return False
