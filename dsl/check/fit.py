"""Types in words, their bounds, and how the bounds of numbers are computed."""

from __future__ import annotations

import re

from dsl.core.types import (
    MOST_COUNTED,
    ChoiceType,
    FlagType,
    IntType,
    MapType,
    PoisonType,
    RefType,
    SeqType,
    SetType,
    TextType,
    Type,
)

MOST = 10**15
MOST_KEPT = 10_000
"""Entries of a table, items of a row."""
MOST_MADE = 1_000
"""Entities of a pool."""
MOST_MONEY = 1_000_000
"""Of an amount or a purse, where the `limits` of the data do not say another number."""
MOST_MONEY_LIMIT = 50_000_000
"""The most that those can say: sums of 40 amounts, as the library has them, can be counted."""
MOST_UNITS = 1000
MONEY = "money"

FLAG = FlagType()
TEXT = TextType()
POISON = PoisonType()


def unit(type_: Type) -> str | None:
    """What a number counts: money, a unit, or nothing in particular."""
    return type_.unit if isinstance(type_, IntType) else None


def money(most: int) -> IntType:
    """The type of an amount of money, where there can be so much."""
    return IntType(0, most, MONEY)


def for_more_money(most: int) -> str:
    """What to do where an amount is more than there can be."""
    if most < MOST_MONEY_LIMIT:
        wanted = f"`limits: {{money: {MOST_MONEY_LIMIT}}}`"
        return f"say in the data that there can be more: {wanted} is the most there can be"
    return "write amounts in thousands, and say so in the `symbol` of the `currency`"


def is_more_money(source: IntType, target: IntType) -> bool:
    """Whether a number does not fit because it is more money than there can be."""
    return target.unit == MONEY and source.low > target.high >= MOST_MONEY


def is_poison(type_: Type) -> bool:
    """Whether the type stands for something already reported."""
    return isinstance(type_, PoisonType)


def is_optional(type_: Type) -> bool:
    """Whether a value of the type may be none."""
    return isinstance(type_, IntType | RefType | ChoiceType) and type_.optional


def opened(type_: Type) -> Type:
    """The type without none."""
    if isinstance(type_, IntType):
        return IntType(type_.low, type_.high, type_.unit)
    if isinstance(type_, RefType):
        return RefType(type_.kind)
    if isinstance(type_, ChoiceType):
        return ChoiceType(type_.name, type_.values)
    return type_


def optional(type_: Type) -> Type:
    """The type with none."""
    if isinstance(type_, IntType):
        return IntType(type_.low, type_.high, type_.unit, optional=True)
    if isinstance(type_, RefType):
        return RefType(type_.kind, optional=True)
    if isinstance(type_, ChoiceType):
        return ChoiceType(type_.name, type_.values, optional=True)
    return type_


def can_be_optional(type_: Type) -> bool:
    """Whether the type has a form with none."""
    return isinstance(type_, IntType | RefType | ChoiceType | PoisonType)


def element_of(type_: Type) -> Type | None:
    """The type of what is in a list or a row; None for anything else."""
    if isinstance(type_, SetType):
        return RefType(type_.kind)
    if isinstance(type_, SeqType):
        return type_.element
    return POISON if is_poison(type_) else None


def describe(type_: Type) -> str:
    """The type in a designer's words, fit for "expected ..., found ..."."""
    if isinstance(type_, MapType):
        return f"a table of {plain(type_.value)} per {plain(type_.key)}"
    if isinstance(type_, SetType):
        return f"a list of {type_.kind}"
    if isinstance(type_, SeqType):
        return f"a row of {plain(type_.element)}"
    if is_optional(type_):
        return f"{describe(opened(type_))} or none"
    if isinstance(type_, IntType):
        if type_.unit is not None:
            return "an amount of money" if type_.unit == MONEY else f"a number of {type_.unit}"
        return f"the number {type_.low}" if type_.low == type_.high else _number(type_)
    if isinstance(type_, RefType):
        return a(type_.kind)
    if isinstance(type_, FlagType):
        return "yes or no"
    if isinstance(type_, ChoiceType):
        return a(type_.name) if type_.name else "one of " + ", ".join(type_.values)
    return "a text" if isinstance(type_, TextType) else "something unknown"


def a(kind: str) -> str:
    """A kind, or a thing, as it is spoken of: "a Card", "an Offer", "`bank`"."""
    if not kind[:1].isupper():
        return f"`{kind}`"
    return f"an {kind}" if kind[0] in "AEIO" else f"a {kind}"


def _number(type_: IntType) -> str:
    wide = type_.low <= -MOST_MONEY or type_.high >= MOST_MONEY
    return "a number" if wide else f"a number {type_.low}..{type_.high}"


def plain(type_: Type) -> str:
    """The type as it would be written."""
    if is_optional(type_):
        return plain(opened(type_)) + "?"
    if isinstance(type_, IntType):
        return type_.unit or f"{type_.low}..{type_.high}"
    if isinstance(type_, RefType):
        return type_.kind
    if isinstance(type_, FlagType):
        return "flag"
    if isinstance(type_, ChoiceType):
        return type_.name or " | ".join(type_.values)
    if isinstance(type_, MapType):
        return f"{plain(type_.value)} per {plain(type_.key)}"
    if isinstance(type_, SetType):
        return f"list of {type_.kind}"
    if isinstance(type_, SeqType):
        return f"row of {plain(type_.element)} up to {type_.bound}"
    return "text" if isinstance(type_, TextType) else "?"


def kind_word(kind: str) -> str:
    """How a kind is called as a name: `CardSpace` is `card_space`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", kind).lower()


def clamp(number: int) -> int:
    """The number, or the limit of what is counted with."""
    return max(-MOST, min(MOST, number))


def span_of(left: IntType, right: IntType, op: str) -> tuple[int, int]:
    """The least and the greatest result of an operation on two numbers."""
    a, b, c, d = left.low, left.high, right.low, right.high
    if op == "+":
        return clamp(a + c), clamp(b + d)
    if op == "-":
        return clamp(a - d), clamp(b - c)
    if op == "min":
        return min(a, c), min(b, d)
    if op == "max":
        return max(a, c), max(b, d)
    if op == "*":
        ends = [a * c, a * d, b * c, b * d]
        return clamp(min(ends)), clamp(max(ends))
    divisors = [number for number in (c, d, 1, -1) if number != 0 and c <= number <= d]
    ends = [value // divisor for value in (a, b) for divisor in divisors] or [a, b]
    return min(ends), max(ends)


def is_beyond(left: IntType, right: IntType, op: str) -> bool:
    """Whether the sum, difference or product of two numbers may not fit into 32 bits."""
    return is_too_large(*span_of(left, right, op))


def is_too_large(low: int, high: int) -> bool:
    """Whether the engines can't count as far."""
    return max(-low, high) > MOST_COUNTED


def unit_of(left: str | None, right: str | None, op: str) -> str | None:
    """The unit of a result. Sums of two units have been refused before."""
    if op == "/":
        if left == right or right == MONEY:
            return None
        return left
    if op == "*" and left and right:
        return MONEY if MONEY in (left, right) else None
    return left or right
