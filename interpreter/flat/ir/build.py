"""Making flat expressions: small constructors that fold constants, so that what is known is not
decided in play.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from interpreter.flat.ir import nodes as flat

YES = flat.Num(1)
NO = flat.Num(0)
NONE = flat.Num(-1)

FOLDS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "min": min,
    "max": max,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "<<": lambda a, b: a << b,
    ">>": lambda a, b: a >> b,
    "==": lambda a, b: int(a == b),
    "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b),
    "<=": lambda a, b: int(a <= b),
    ">": lambda a, b: int(a > b),
    ">=": lambda a, b: int(a >= b),
}


def num(value: int) -> flat.Num:
    """A constant number."""
    return flat.Num(value)


def binary(op: flat.IntOp, left: flat.Expr, right: flat.Expr) -> flat.Expr:
    """An operation on numbers, folded where both sides are constants or one is neutral."""
    if isinstance(left, flat.Num) and isinstance(right, flat.Num):
        if op in FOLDS:
            return flat.Num(FOLDS[op](left.value, right.value))
        if right.value:
            return flat.Num(left.value // right.value if op == "//" else left.value % right.value)
    if right == NO and op in ("+", "-"):
        return left
    if left == NO and op == "+":
        return right
    if op == "*" and (left == NO or right == NO):
        return NO
    if op in ("*", "//") and right == YES:
        return left
    if op == "*" and left == YES:
        return right
    return flat.Bin(op, left, right)


def equal(left: flat.Expr, right: flat.Expr) -> flat.Expr:
    """Whether two numbers are the same."""
    return binary("==", left, right)


def both(left: flat.Expr, right: flat.Expr) -> flat.Expr:
    """`left and right`."""
    if left == NO or (right == NO and isinstance(left, flat.Num)):
        return NO
    if left == YES:
        return right
    if right == YES:
        return left
    return flat.And(left, right)


def either(left: flat.Expr, right: flat.Expr) -> flat.Expr:
    """`left or right`."""
    if left == YES:
        return YES
    if left == NO:
        return right
    if right == NO:
        return left
    return flat.Or(left, right)


_OPPOSITE: dict[str, flat.IntOp] = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}


def negate(operand: flat.Expr) -> flat.Expr:
    """`not operand`."""
    if isinstance(operand, flat.Num):
        return flat.Num(int(not operand.value))
    if isinstance(operand, flat.Not):
        return operand.operand
    if isinstance(operand, flat.Bin) and operand.op in _OPPOSITE:
        return flat.Bin(_OPPOSITE[operand.op], operand.left, operand.right)
    return flat.Not(operand)


def all_of(conditions: Iterable[flat.Expr]) -> flat.Expr:
    """The conjunction of conditions, in order."""
    result: flat.Expr = YES
    for condition in conditions:
        result = both(result, condition)
    return result


def choose(condition: flat.Expr, then: flat.Expr, other: flat.Expr) -> flat.Expr:
    """`then if condition else other`."""
    if isinstance(condition, flat.Num):
        return then if condition.value else other
    if then == other:
        return then
    if then == NO and other == YES:
        return negate(condition)
    return flat.Choose(condition, then, other)


def empty(bits: int) -> flat.Bits:
    """The empty set."""
    return flat.Bits(0, bits)


def set_and(left: flat.Expr, right: flat.Expr) -> flat.Expr:
    """Members of both sets."""
    if isinstance(left, flat.Bits) and isinstance(right, flat.Bits):
        return flat.Bits(left.value & right.value, left.bits)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, flat.Bits):
            if one.value == 0:
                return one
            if one.value == (1 << one.bits) - 1:
                return other
    return flat.SetBin("&", left, right)


def set_or(left: flat.Expr, right: flat.Expr) -> flat.Expr:
    """Members of either set."""
    if isinstance(left, flat.Bits) and isinstance(right, flat.Bits):
        return flat.Bits(left.value | right.value, left.bits)
    if isinstance(left, flat.Bits) and left.value == 0:
        return right
    if isinstance(right, flat.Bits) and right.value == 0:
        return left
    return flat.SetBin("|", left, right)


def set_minus(left: flat.Expr, right: flat.Expr) -> flat.Expr:
    """Members of the left set that are not in the right one."""
    if isinstance(left, flat.Bits) and isinstance(right, flat.Bits):
        return flat.Bits(left.value & ~right.value, left.bits)
    if isinstance(right, flat.Bits):
        return set_and(left, flat.Bits(((1 << right.bits) - 1) & ~right.value, right.bits))
    return flat.SetBin("-", left, right)


def has(members: flat.Expr, index: flat.Expr) -> flat.Expr:
    """Whether an index (not none) is in a set."""
    if isinstance(members, flat.Bits) and isinstance(index, flat.Num):
        return flat.Num(members.value >> index.value & 1)
    if isinstance(members, flat.Bits):
        if members.value == 0:
            return NO
        if members.value & (members.value - 1) == 0:
            return equal(index, flat.Num(members.value.bit_length() - 1))
    return flat.Has(members, index)


def within(left: flat.Expr, right: flat.Expr) -> flat.Expr:
    """Whether every member of the left set is in the right one."""
    if isinstance(left, flat.Bits) and (left.value == 0 or isinstance(right, flat.Bits)):
        return flat.Num(int(not isinstance(right, flat.Bits) or left.value & ~right.value == 0))
    return flat.Within(left, right)


def is_empty(members: flat.Expr) -> flat.Expr:
    """Whether a set has no member."""
    if isinstance(members, flat.Bits):
        return flat.Num(int(members.value == 0))
    return flat.IsEmpty(members)


def count(members: flat.Expr) -> flat.Expr:
    """How many members a set has."""
    if isinstance(members, flat.Bits):
        return flat.Num(members.value.bit_count())
    if isinstance(members, flat.Single) and not members.may_be_none:
        return flat.Num(1)
    return flat.Count(members)


def table(program: flat.Program, base: str, type_: flat.FlatType, cells: tuple[int, ...]) -> str:
    """The name of a table with these cells, made once."""
    name, number = base, 1
    while name in program.tables and program.tables[name].values != cells:
        number += 1
        name = f"{base}_{number}"
    program.tables[name] = flat.Table(name, type_, cells)
    return name


def is_atom(expr: flat.Expr) -> bool:
    """Whether writing an expression twice costs nothing."""
    return isinstance(expr, (flat.Num, flat.Bits, flat.Var, flat.Scalar))
