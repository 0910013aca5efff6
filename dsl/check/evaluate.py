"""The value of a core expression that reads only what is known before play.

Data, the entities there are, locals that are given, and defines over these. Numbers, flags,
identities and choices are ints (none as `types.none_value` says); a set is a bit set, a row or
a table is a tuple.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Protocol, TypeAlias

from dsl.core import nodes as core
from dsl.core.types import (
    ChoiceType,
    FlagType,
    IntType,
    MapType,
    RefType,
    SeqType,
    SetType,
    Type,
    none_value,
)

Value: TypeAlias = "int | tuple[Value, ...]"
Env: TypeAlias = Mapping[str, Value]

_MOST_STEPS = 2_000_000


class NotConstant(Exception):
    """The expression reads something that is known only in play."""


class Faulty(Exception):
    """The expression has no value, such as a division by nothing. The text is for the designer."""


class Known(Protocol):
    """What can be looked up before play."""

    def members_of(self, kind: str) -> tuple[int, ...]:
        """The entities of a kind."""

    def data_of(self, column: str) -> tuple[Value, ...] | None:
        """A data column's values, or None for a column that changes in play."""

    def lines_of(self, define: str) -> core.Define | None:
        """A define."""

    def printed_on(self, kind: str, index: int) -> tuple[str, str | None]:
        """The name and the text of an entity."""


class Evaluator:
    """Evaluates expressions of one program."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._steps = 0
        self._depth = 0
        self._usuals: list[Callable[[], Value]] = []

    def value(self, expr: core.Expr, env: Env) -> Value:
        """The value; raises NotConstant or Faulty."""
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise NotConstant
        method = _METHODS.get(type(expr))
        if method is None:
            raise NotConstant
        return method(self, expr, env)

    def number(self, expr: core.Expr, env: Env) -> int:
        """The value of what is no row or table."""
        value = self.value(expr, env)
        assert isinstance(value, int)
        return value

    def items(self, expr: core.Expr, env: Env) -> tuple[Value, ...]:
        """What is in a collection, in order."""
        if isinstance(expr, core.AllOf):
            return self._known.members_of(expr.kind)
        value = self.value(expr, env)
        return bits(value) if isinstance(value, int) else value

    # -- one method per node

    def _const(self, expr: core.Const, env: Env) -> Value:
        return expr.value

    def _local(self, expr: core.Local, env: Env) -> Value:
        if expr.name not in env:
            raise NotConstant
        return env[expr.name]

    def _field(self, expr: core.Field, env: Env) -> Value:
        data = self._known.data_of(expr.column)
        if data is None:
            raise NotConstant
        subject = self.number(expr.subject, env)
        if not 0 <= subject < len(data):
            raise Faulty("there is nothing to read this of")
        return data[subject]

    def _lookup(self, expr: core.Lookup, env: Env) -> Value:
        table = self.value(expr.table, env)
        assert isinstance(table, tuple)
        assert isinstance(expr.table.type, MapType)
        place = key_place(expr.table.type.key, self.number(expr.key, env))
        if not 0 <= place < len(table):
            raise Faulty("the table has no such entry")
        return table[place]

    def _call(self, expr: core.CallDefine, env: Env) -> Value:
        define = self._known.lines_of(expr.define)
        if define is None or self._depth > 100:
            raise NotConstant
        args = [self.value(arg, env) for arg in expr.args]
        for variant in define.variants:
            if variant.kind is not None:
                members = self._known.members_of(variant.kind)
                if args[0] not in members:
                    continue
            inner: dict[str, Value] = {
                name: arg for (name, _), arg in zip(variant.params, args, strict=False)
            }
            self._depth += 1
            try:
                return self.variant(variant, inner)
            finally:
                self._depth -= 1
        raise Faulty("there is no such value")

    def variant(self, variant: core.DefineVariant, env: dict[str, Value]) -> Value:
        """The value of a define whose parameters are in `env`."""
        for let in variant.lets:
            env[let.name] = self.value(let.value, env)
        return self._line(variant, len(variant.buts), env)

    def _line(self, variant: core.DefineVariant, upto: int, env: dict[str, Value]) -> Value:
        for index in range(upto - 1, -1, -1):
            but = variant.buts[index]
            if self.value(but.condition, env):
                self._usuals.append(partial(self._line, variant, index, env))
                try:
                    return self.value(but.value, env)
                finally:
                    self._usuals.pop()
        return self.value(variant.base, env)

    def _usual(self, expr: core.Usual, env: Env) -> Value:
        if not self._usuals:
            raise NotConstant
        usual = self._usuals.pop()
        try:
            return usual()
        finally:
            self._usuals.append(usual)

    def _arith(self, expr: core.Arith, env: Env) -> Value:
        left, right = self.number(expr.left, env), self.number(expr.right, env)
        if expr.op == "/":
            if right == 0:
                raise Faulty("a division by nothing")
            return left // right
        if expr.op in ("min", "max"):
            return min(left, right) if expr.op == "min" else max(left, right)
        return {"+": left + right, "-": left - right, "*": left * right}[expr.op]

    def _muldiv(self, expr: core.MulDiv, env: Env) -> Value:
        by = self.number(expr.by, env) * expr.unit
        if by == 0:
            raise Faulty("a division by nothing")
        top = self.number(expr.value, env) * self.number(expr.times, env)
        if expr.rounding == "down":
            return top // by * expr.unit
        if expr.rounding == "up":
            return -(-top // by) * expr.unit
        return (2 * top + by) // (2 * by) * expr.unit

    def _compare(self, expr: core.Compare, env: Env) -> Value:
        left, right = self.value(expr.left, env), self.value(expr.right, env)
        if expr.op == "is":
            return int(left == right)
        if expr.op == "is not":
            return int(left != right)
        assert isinstance(left, int)
        assert isinstance(right, int)
        results = {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right}
        return int(results[expr.op])

    def _logic(self, expr: core.Logic, env: Env) -> Value:
        left = self.value(expr.left, env)
        if bool(left) == (expr.op == "or"):
            return left
        return self.value(expr.right, env)

    def _not(self, expr: core.Not, env: Env) -> Value:
        return int(not self.value(expr.operand, env))

    def _conditional(self, expr: core.Conditional, env: Env) -> Value:
        chosen = expr.then_value if self.value(expr.condition, env) else expr.else_value
        return self.value(chosen, env)

    def _is_kind(self, expr: core.IsKind, env: Env) -> Value:
        return int(self.value(expr.subject, env) in self._known.members_of(expr.kind))

    def _all_of(self, expr: core.AllOf, env: Env) -> Value:
        return bit_set(self._known.members_of(expr.kind))

    def _set_of(self, expr: core.SetOf, env: Env) -> Value:
        return bit_set(v for v in (self.value(item, env) for item in expr.items) if v != -1)

    def _seq_of(self, expr: core.SeqOf, env: Env) -> Value:
        return tuple(self.value(item, env) for item in expr.items)

    def _set_op(self, expr: core.SetOp, env: Env) -> Value:
        left, right = self.number(expr.left, env), self.number(expr.right, env)
        return {"+": left | right, "-": left & ~right, "&": left & right}[expr.op]

    def _contains(self, expr: core.Contains, env: Env) -> Value:
        return int(self.value(expr.item, env) in self.items(expr.collection, env))

    def _range_of(self, expr: core.RangeOf, env: Env) -> Value:
        step = self.number(expr.step, env)
        if step <= 0:
            raise Faulty("a range needs a step above 0")
        return tuple(range(self.number(expr.low, env), self.number(expr.high, env) + 1, step))

    def bindings(
        self, generators: tuple[core.Generator, ...], env: Env
    ) -> Iterator[dict[str, Value]]:
        """The locals of a query, once for each of its items; raises as `value` does."""
        if not generators:
            yield dict(env)
            return
        first, rest = generators[0], generators[1:]
        for item in self.items(first.source, env):
            inner = {**env, first.variable: item}
            if first.where is None or self.value(first.where, inner):
                yield from self.bindings(rest, inner)

    def _fold(self, expr: core.Fold, env: Env) -> Value:
        inners = list(self.bindings(expr.generators, env))
        if expr.key is not None:
            key = expr.key
            inners.sort(key=lambda inner: self.number(key, inner))
        if expr.kind == "count":
            return len(inners)
        if expr.kind == "any":
            return int(any(self.value(expr.value, inner) for inner in inners))
        if expr.kind == "all":
            return int(all(self.value(expr.value, inner) for inner in inners))
        values = [self.value(expr.value, inner) for inner in inners]
        return self._folded(expr, values, env)

    def _folded(self, expr: core.Fold, values: list[Value], env: Env) -> Value:
        if expr.kind == "set":
            return bit_set(values)
        if expr.kind == "row":
            return tuple(values)
        if expr.kind == "distinct":
            return len(set(values))
        if expr.kind == "first":
            return values[0] if values else none_value(expr.type)
        numbers = [value for value in values if isinstance(value, int)]
        if expr.kind == "sum":
            return sum(numbers)
        if not numbers:
            if expr.default is None:
                raise Faulty(f"the {expr.kind} of nothing")
            return self.value(expr.default, env)
        return min(numbers) if expr.kind == "min" else max(numbers)

    def _builtin(self, expr: core.Builtin, env: Env) -> Value:
        if expr.name in ("says", "named_alike"):
            return self._printed(expr, *(self.number(arg, env) for arg in expr.args))
        function = _BUILTINS.get(expr.name)
        if function is None:
            raise NotConstant
        args = [
            self.items(arg, env)
            if isinstance(arg.type, SetType | SeqType)
            else self.value(arg, env)
            for arg in expr.args
        ]
        return function(*args)

    def _printed(self, expr: core.Builtin, thing: int, other: int) -> int:
        kind = expr.args[0].type
        assert isinstance(kind, RefType)
        name, text = self._known.printed_on(kind.kind, thing)
        if expr.name == "says":
            return int(text is None or other in numbers_in(f"{name} {text}"))
        return int(name == self._known.printed_on(kind.kind, other)[0])


_NUMBER = re.compile(r"\d+(?:[ ,.\u00a0\u202f]\d{3}(?!\d))*")


def numbers_in(text: str) -> set[int]:
    """The whole numbers that a text shows, also with signs between the thousands."""
    return {int(re.sub(r"\D", "", found)) for found in _NUMBER.findall(text)}


def key_place(key: Type, number: int) -> int:
    """Where in a table the entry of a key is."""
    return number - key.low if isinstance(key, IntType) else number


def bit_set(values: Iterable[Value]) -> int:
    """A set as a number, one bit for each."""
    found = 0
    for value in values:
        assert isinstance(value, int)
        found |= 1 << value
    return found


def bits(value: int) -> tuple[int, ...]:
    """What is in a set, ascending."""
    return tuple(index for index in range(value.bit_length()) if value >> index & 1)


def _cycle(items: tuple[Value, ...], item: Value, steps: Value) -> Value:
    assert isinstance(steps, int)
    if item not in items:
        raise Faulty("it is not in the list")
    return items[(items.index(item) + steps) % len(items)]


def _rotated(items: tuple[Value, ...], item: Value) -> Value:
    after = [i for i, other in enumerate(items) if other == item] or [
        i
        for i, other in enumerate(items)
        if other > item  # type: ignore[operator]
    ]
    at = after[0] if after else 0
    return items[at:] + items[:at]


def _path(items: tuple[Value, ...], start: Value, end: Value) -> Value:
    turned = _rotated(items, start)
    assert isinstance(turned, tuple)
    if end not in items:
        raise Faulty("it is not in the list")
    inner = turned[1:] + turned[:1]
    return inner[: inner.index(end) + 1]


def _next_of(items: tuple[Value, ...], item: Value) -> Value:
    if not items:
        raise Faulty("nothing is in the list")
    return next((other for other in items if other > item), items[0])  # type: ignore[operator]


def _position(items: tuple[Value, ...], item: Value) -> Value:
    if item not in items:
        raise Faulty("it is not in the list")
    return items.index(item)


def _top(count: Value, items: tuple[Value, ...]) -> Value:
    assert isinstance(count, int)
    return items[: max(0, count)]


def _power(base: Value, exponent: Value) -> Value:
    assert isinstance(base, int)
    assert isinstance(exponent, int)
    return int(base ** max(0, min(64, exponent)))


_BUILTINS: dict[str, Callable[..., Value]] = {
    "cycle": _cycle,
    "rotated": _rotated,
    "reversed": lambda items: tuple(reversed(items)),
    "path": _path,
    "next_of": _next_of,
    "position": _position,
    "top": _top,
    "abs": abs,
    "power": _power,
}

_METHODS: dict[type[core.Expr], Callable[..., Value]] = {
    core.Const: Evaluator._const,
    core.Local: Evaluator._local,
    core.Field: Evaluator._field,
    core.Lookup: Evaluator._lookup,
    core.CallDefine: Evaluator._call,
    core.Usual: Evaluator._usual,
    core.Arith: Evaluator._arith,
    core.MulDiv: Evaluator._muldiv,
    core.Compare: Evaluator._compare,
    core.Logic: Evaluator._logic,
    core.Not: Evaluator._not,
    core.Conditional: Evaluator._conditional,
    core.IsKind: Evaluator._is_kind,
    core.AllOf: Evaluator._all_of,
    core.SetOf: Evaluator._set_of,
    core.SeqOf: Evaluator._seq_of,
    core.SetOp: Evaluator._set_op,
    core.Contains: Evaluator._contains,
    core.RangeOf: Evaluator._range_of,
    core.Fold: Evaluator._fold,
    core.Builtin: Evaluator._builtin,
}


def zero_of(type_: Type) -> Value:
    """What stands in a column for an entity that does not have the field."""
    if isinstance(type_, MapType):
        return (zero_of(type_.value),) * key_count(type_.key)
    if isinstance(type_, SeqType):
        return ()
    if isinstance(type_, IntType) and type_.optional:
        return none_value(type_)
    return -1 if isinstance(type_, RefType | ChoiceType) else 0


def key_count(key: Type, family: int = 0) -> int:
    """How many entries a table by this key has; `family` is the size of a kind's family."""
    if isinstance(key, IntType):
        return key.high - key.low + 1
    if isinstance(key, ChoiceType):
        return len(key.values)
    return 2 if isinstance(key, FlagType) else family
