"""Whether two conditions can never hold together, by a simple test of their parts.

`a` and `not a`, two kinds that have nothing in common, numbers that do not meet. What this can't
see is taken to be possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dsl.check import keys
from dsl.check.world import World
from dsl.core import nodes as core

# A local of one condition by the name it has for both.
Names = Mapping[str, str]

_FLIPPED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}
_OPPOSITE = {"is": "is not", "is not": "is", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
# Which of less, equal and greater each comparison allows.
_ALLOWED = {
    "is": frozenset("="),
    "is not": frozenset("<>"),
    "<": frozenset("<"),
    "<=": frozenset("<="),
    ">": frozenset(">"),
    ">=": frozenset(">="),
}


def exclude_each_other(
    world: World,
    one: core.Expr | None,
    other: core.Expr | None,
    names: Names | None = None,
    other_names: Names | None = None,
) -> bool:
    """Whether they can't both hold; None always holds."""
    if one is None or other is None:
        return False
    left = [_Part(part, truth, names) for part, truth in _parts(one, True)]
    right = [_Part(part, truth, other_names) for part, truth in _parts(other, True)]
    return any(_contradict(world, a, b) for a in left for b in right)


def can_both_apply(world: World, one: core.Hook, other: core.Hook) -> bool:
    """Whether one happening can set off both rules: their kinds and their conditions."""
    alike = all(
        world.are_related(a.kind, b.kind)
        for a in one.patterns
        for b in other.patterns
        if a.position == b.position
    )
    names, other_names = (
        {local: f"~{place}" for place, (local, _) in enumerate(hook.params)}
        for hook in (one, other)
    )
    return alike and not exclude_each_other(
        world, one.condition, other.condition, names, other_names
    )


def _parts(condition: core.Expr, truth: bool) -> Iterator[tuple[core.Expr, bool]]:
    """The parts that must all hold, or must all not hold."""
    if isinstance(condition, core.Not):
        yield from _parts(condition.operand, not truth)
    elif isinstance(condition, core.Logic) and (condition.op == "and") == truth:
        yield from _parts(condition.left, truth)
        yield from _parts(condition.right, truth)
    else:
        yield condition, truth


class _Part:
    """A part of a condition, with its words made comparable."""

    def __init__(self, expr: core.Expr, truth: bool, names: Names | None) -> None:
        self.expr = expr
        self.truth = truth
        self.names = dict(names or {})
        self.key = self.key_of(expr)

    def key_of(self, expr: core.Expr) -> str:
        return keys.key_of(expr, self.names)

    def comparison(self) -> tuple[str, str, core.Expr, core.Expr] | None:
        """Key of the left side, operator, and both sides; a constant stands on the right."""
        expr = self.expr
        if not isinstance(expr, core.Compare):
            return None
        op, left, right = expr.op, expr.left, expr.right
        word: str = op if self.truth else _OPPOSITE[op]
        if isinstance(left, core.Const):
            left, right, word = right, left, _FLIPPED.get(word, word)
        return self.key_of(left), word, left, right


def _contradict(world: World, a: _Part, b: _Part) -> bool:
    if a.key == b.key:
        return a.truth != b.truth
    if isinstance(a.expr, core.IsKind) and isinstance(b.expr, core.IsKind):
        same = a.key_of(a.expr.subject) == b.key_of(b.expr.subject)
        apart = not world.are_related(a.expr.kind, b.expr.kind)
        return same and apart and a.truth and b.truth
    first, second = a.comparison(), b.comparison()
    if first is None or second is None:
        return False
    key, op, _, value = first
    other_key, other_op, _, other_value = second
    if isinstance(value, core.Const) and isinstance(other_value, core.Const):
        return key == other_key and not _meet(op, value.value, other_op, other_value.value)
    if key == b.key_of(other_value) and a.key_of(value) == other_key:
        other_op = _FLIPPED.get(other_op, other_op)
    elif key != other_key or a.key_of(value) != b.key_of(other_value):
        return False
    return not _ALLOWED[op] & _ALLOWED[other_op]


def _meet(op: str, value: int, other_op: str, other: int) -> bool:
    """Whether some number fulfils both comparisons."""
    near = {value - 1, value, value + 1, other - 1, other, other + 1}
    return any(_holds(number, op, value) and _holds(number, other_op, other) for number in near)


def _holds(number: int, op: str, value: int) -> bool:
    order = "<" if number < value else ">" if number > value else "="
    return order in _ALLOWED[op]
