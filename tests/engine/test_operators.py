"""Every operator inside every other one, at every place, on both engines: neither printer leaves
out brackets that are needed. What they should give is worked out here, by nothing that the printers
know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import Any

import pytest
from flat_programs import function, opaque, opaque_set, program, values

from interpreter.flat.ir import nodes as n

NUMBER, FLAG = "number", "flag"
SIZES = (9, 64, 65, 150)
LEAVES = {NUMBER: ((7, -3, 2), (-5, 4, 9)), FLAG: ((1, 0, 1), (0, 1, 0))}
SET_LEAVES = ((0b11001, 0b00110, 0b10101), (0b01010, 0b11111, 0b00000))
Given = tuple[n.Expr, Any]


@dataclass(frozen=True)
class Operator:
    """How an operator is written, from operands of what types, and what it means."""

    takes: tuple[str, ...]
    gives: str
    write: Callable[..., n.Expr]
    means: Callable[..., Any]


def _set_operators(bits: int) -> dict[str, Operator]:
    some, every = f"set {bits}", frozenset(range(bits))
    all_ = n.Bits((1 << bits) - 1, bits)
    part = n.Bits(0b1101, bits)

    def member(index: int) -> frozenset[int]:
        return frozenset({index % bits})

    def single(index: n.Expr) -> n.Expr:
        return n.Single(n.Bin("%", index, n.Num(bits)), bits)

    def maybe(index: n.Expr) -> n.Expr:
        return n.Single(n.Bin("%", index, n.Num(bits)), bits, may_be_none=True)

    def has(members: n.Expr, index: n.Expr) -> n.Expr:
        return n.Has(members, n.Bin("%", index, n.Num(bits)))

    both = (some, some)
    return {
        "&": Operator(both, some, lambda a, b: n.SetBin("&", a, b), lambda a, b: a & b),
        "|": Operator(both, some, lambda a, b: n.SetBin("|", a, b), lambda a, b: a | b),
        "-": Operator(both, some, lambda a, b: n.SetBin("-", a, b), lambda a, b: a - b),
        "all -": Operator((some,), some, lambda a: n.SetBin("-", all_, a), lambda a: every - a),
        "part -": Operator(
            (some,), some, lambda a: n.SetBin("-", part, a), lambda a: frozenset({0, 2, 3}) - a
        ),
        "part &": Operator(
            (some,), some, lambda a: n.SetBin("&", a, part), lambda a: frozenset({0, 2, 3}) & a
        ),
        "single": Operator((NUMBER,), some, single, member),
        "may be none": Operator((NUMBER,), some, maybe, member),
        "choose": Operator((FLAG, some, some), some, n.Choose, lambda c, a, b: a if c else b),
        "has": Operator((some, NUMBER), FLAG, has, lambda a, i: int(i % bits in a)),
        "empty": Operator((some,), FLAG, n.IsEmpty, lambda a: int(not a)),
        "within": Operator(both, FLAG, n.Within, lambda a, b: int(a <= b)),
        "same": Operator(both, FLAG, n.SameSet, lambda a, b: int(a == b)),
        "count": Operator((some,), NUMBER, n.Count, len),
        "first": Operator((some,), NUMBER, n.First, lambda a: min(a, default=-1)),
    }


_MEANING: dict[n.IntOp, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b,
    "min": min, "max": max, "&": lambda a, b: a & b, "|": lambda a, b: a | b,
    "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b), "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b), ">": lambda a, b: int(a > b), ">=": lambda a, b: int(a >= b),
}  # fmt: skip
_COMPARING = ("==", "!=", "<", "<=", ">", ">=")


def _numbers() -> dict[str, Operator]:
    def of(op: n.IntOp) -> Operator:
        gives = FLAG if op in _COMPARING else NUMBER
        return Operator((NUMBER, NUMBER), gives, lambda a, b: n.Bin(op, a, b), _MEANING[op])

    def some(left: n.Expr) -> n.Expr:
        return n.Bin("|", left, n.Num(1))

    def few(left: n.Expr) -> n.Expr:
        return n.Bin("%", left, n.Num(5))

    two = (NUMBER, NUMBER)
    return {
        **{op: of(op) for op in _MEANING},
        "//": Operator(
            two, NUMBER, lambda a, b: n.Bin("//", a, some(b)), lambda a, b: a // (b | 1)
        ),
        "//3": Operator((NUMBER,), NUMBER, lambda a: n.Bin("//", a, n.Num(3)), lambda a: a // 3),
        "%": Operator(two, NUMBER, lambda a, b: n.Bin("%", a, some(b)), lambda a, b: a % (b | 1)),
        "<<": Operator(two, NUMBER, lambda a, b: n.Bin("<<", a, few(b)), lambda a, b: a << b % 5),
        ">>": Operator(two, NUMBER, lambda a, b: n.Bin(">>", a, few(b)), lambda a, b: a >> b % 5),
        "0-": Operator((NUMBER,), NUMBER, lambda a: n.Bin("-", n.Num(0), a), lambda a: -a),
        "times": Operator(
            (NUMBER, NUMBER, NUMBER), NUMBER,
            lambda a, b, c: n.MulDiv(few(a), few(b), n.Num(0), n.Bin("+", few(c), n.Num(1))),
            lambda a, b, c: (a % 5) * (b % 5) // (c % 5 + 1),
        ),
        "choose": Operator((FLAG, NUMBER, NUMBER), NUMBER, n.Choose, lambda c, a, b: a if c else b),
        "choose flag": Operator((FLAG, FLAG, FLAG), FLAG, n.Choose, lambda c, a, b: a if c else b),
        "and": Operator((FLAG, FLAG), FLAG, n.And, lambda a, b: a & b),
        "or": Operator((FLAG, FLAG), FLAG, n.Or, lambda a, b: a | b),
        "not": Operator((FLAG,), FLAG, n.Not, lambda a: 1 - a),
        "as number": Operator((FLAG,), NUMBER, lambda a: a, int),
    }  # fmt: skip


def _leaves(takes: tuple[str, ...], turn: int) -> list[Given]:
    found: list[Given] = []
    for at, kind in enumerate(takes):
        if kind.startswith("set"):
            value = SET_LEAVES[turn][at]
            members = frozenset(one for one in range(5) if value >> one & 1)
            found.append((opaque_set(value, int(kind[4:])), members))
        else:
            number = LEAVES[kind][turn][at]
            leaf = opaque(number)
            found.append((n.Bin("!=", leaf, n.Num(0)) if kind == FLAG else leaf, number))
    return found


def _applied(operator: Operator, given: list[Given]) -> Given:
    exprs, meanings = zip(*given, strict=True)
    return operator.write(*exprs), operator.means(*meanings)


def _as_number(gives: str, made: Given, bits: int) -> Given:
    """A set as two numbers in one: how many members, and which is the first but some."""
    if not gives.startswith("set"):
        return made
    expr, members = made
    for_sure = n.SetBin("-", expr, n.Bits(1, bits))
    whole = n.Bin("+", n.Bin("*", n.Count(expr), n.Num(100)), n.First(for_sure))
    return whole, len(members) * 100 + min(members - {0}, default=-1)


@pytest.mark.parametrize("bits", SIZES)
def test_every_operator_inside_every_other(bits: int) -> None:
    operators = [*_numbers().values(), *_set_operators(bits).values()]
    made: list[Given] = []
    for outer, inner, turn in product(operators, operators, (0, 1)):
        for at, kind in enumerate(outer.takes):
            if inner.gives != kind:
                continue
            given = _leaves(outer.takes, turn)
            given[at] = _applied(inner, _leaves(inner.takes, turn))
            made.append(_as_number(outer.gives, _applied(outer, given), bits))
    assert len(made) > 1500
    apart = program()  # each in a function of its own: nothing is left of the one before
    for at, (expr, _) in enumerate(made):
        apart.functions[f"case_{at}"] = function(f"case_{at}", (), n.Return(expr), gives=n.INT)
    calls = [n.Call(f"case_{at}", ()) for at in range(len(made))]
    assert values(calls, apart) == [meaning for _, meaning in made]
