"""Sets and conditions as set algebra: `[each c in Card where c.owner is p]` is one `&` of two known
sets.
"""

from __future__ import annotations

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import rewrite
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.core_tree import free_locals
from interpreter.flat.plan.substitute import substitute

# A number that as many different ones may stand for is no key of a table of sets.
MOST_NUMBERS = 64


def lower_set(low: Lowering, env: Env, expr: core.Expr) -> flat.Expr:
    """A collection of entities as a set."""
    match expr:
        case core.AllOf(kind=kind):
            return all_of(low, kind)
        case core.SetOf(items=items):
            bits = low.layout.bits(element_kind(expr.type))
            result: flat.Expr = build.empty(bits)
            for item in items:
                result = build.set_or(result, single(low.expr(env, item), item.type, bits))
            return result
        case core.SetOp(op=op, left=left, right=right):
            join = {"+": build.set_or, "-": build.set_minus, "&": build.set_and}[op]
            return join(_operand(low, env, left), _operand(low, env, right))
        case core.ZoneItems(zone=zone, holder=holder):
            return low.layout.zones[zone].members(low.expr(env, holder))
        case core.Conditional(condition=condition, then_value=then, else_value=other):
            return build.choose(
                low.expr(env, condition), lower_set(low, env, then), lower_set(low, env, other)
            )
        case _ if isinstance(expr.type, t.SeqType):
            return _row_as_set(low, env, expr)
        case _:
            return low.expr(env, expr)


def _operand(low: Lowering, env: Env, expr: core.Expr) -> flat.Expr:
    if isinstance(expr.type, t.RefType):
        return single(low.expr(env, expr), expr.type, low.layout.bits(expr.type.kind))
    return lower_set(low, env, expr)


def _row_as_set(low: Lowering, env: Env, expr: core.Expr) -> flat.Expr:
    bits = low.layout.bits(element_kind(expr.type))

    def make(inner: Env) -> list[flat.Stmt]:
        variable = low.temp("item")
        generator = core.Generator(variable, t.RefType(element_kind(expr.type)), expr, None)

        def add(at: Env) -> list[flat.Stmt]:
            one = flat.Single(at.names[variable], bits)
            return [flat.SetVar("found", build.set_or(found, one), flat.Set(bits))]

        return [
            flat.SetVar("found", build.empty(bits), flat.Set(bits)),
            *low.iterate(inner, generator, add),
            flat.Give(found),
        ]

    found = flat.Var("found", flat.Set(bits))
    return low.outline("members", expr, env, flat.Set(bits), make)


def all_of(low: Lowering, kind: str) -> flat.Expr:
    """All entities of a kind; of a pool kind, those in use."""
    family = low.program.kinds[kind].family
    if family in low.layout.live:
        live = flat.Scalar(low.layout.live[family], flat.Set(low.layout.bits(kind)))
        return build.set_and(live, low.layout.mask(kind))
    return low.layout.mask(kind)


def element_kind(type_: t.Type) -> str:
    """The kind of a collection's entities."""
    if isinstance(type_, t.SetType):
        return type_.kind
    if isinstance(type_, t.SeqType) and isinstance(type_.element, t.RefType):
        return type_.element.kind
    raise AssertionError("a collection of entities")


def single(index: flat.Expr, type_: t.Type, bits: int) -> flat.Expr:
    """The set of one identity, empty for none."""
    if isinstance(index, flat.Num):
        return flat.Bits(1 << index.value if index.value >= 0 else 0, bits)
    return flat.Single(index, bits, isinstance(type_, t.RefType) and type_.optional)


def conjuncts(condition: core.Expr | None) -> list[core.Expr]:
    """The parts of a condition that all must hold, in order."""
    if condition is None:
        return []
    if isinstance(condition, core.Logic) and condition.op == "and":
        return [*conjuncts(condition.left), *conjuncts(condition.right)]
    if isinstance(condition, core.Const) and condition.value == 1:
        return []
    return [condition]


def filtered(
    low: Lowering, env: Env, source: core.Expr, variable: str, conditions: list[core.Expr]
) -> tuple[flat.Expr, list[core.Expr]]:
    """A source narrowed by the conditions that are set algebra, and the conditions that are not."""
    base = lower_set(low, env, source)
    rest: list[core.Expr] = []
    todo = list(conditions)
    while todo:
        condition = todo.pop(0)
        algebra = as_set(low, env, variable, condition)
        if algebra is None:
            opened = rewrite.expanded(low, condition)
            if opened is not None and isinstance(opened, core.Logic) and opened.op == "and":
                todo = [*conjuncts(opened), *todo]
            else:
                rest.append(condition)
            continue
        inside, members = algebra
        base = build.set_and(base, members) if inside else build.set_minus(base, members)
    return base, rest


def as_condition(low: Lowering, item: core.Expr, collection: core.Expr) -> core.Expr | None:
    """Whether a local, which is no none, is among those of a kind that a condition holds for, as
    that condition.
    """
    opened = rewrite.expanded(low, collection) or collection
    if (
        not low.does("algebra")
        or not isinstance(item, core.Local)
        or not isinstance(opened, core.Fold)
        or opened.kind != "set"
    ):
        return None
    generator = opened.generators[0]
    plain = isinstance(opened.value, core.Local) and opened.value.name == generator.variable
    source = generator.source
    if len(opened.generators) > 1 or not plain or generator.where is None:
        return None
    if (
        not isinstance(source, core.AllOf)
        or low.program.families[low.program.kinds[source.kind].family].pool
    ):
        return None
    if not isinstance(item.type, t.RefType) or item.type.optional:
        return None
    there = core.IsKind(t.FlagType(), item.span, item, source.kind)
    holds = substitute(generator.where, {generator.variable: item})
    return core.Logic(t.FlagType(), item.span, "and", there, holds)


Algebra = tuple[
    bool, flat.Expr
]  # (inside, members): the condition holds for exactly the members, or the others


def as_set(low: Lowering, env: Env, variable: str, condition: core.Expr) -> Algebra | None:
    """The entities for which a condition on `variable` holds, where that is set algebra."""
    if not low.does("algebra"):
        return None
    match condition:
        case core.Not(operand=operand):
            inner = as_set(low, env, variable, operand)
            return (not inner[0], inner[1]) if inner else None
        case core.Logic(op=op, left=left, right=right):
            return _join(op, as_set(low, env, variable, left), as_set(low, env, variable, right))
        case core.Field(column=column, subject=core.Local(name=name)) if name == variable:
            return _flag(low, column)
        case core.IsKind(subject=core.Local(name=name), kind=kind) if name == variable:
            return True, low.layout.mask(kind)
        case core.Contains(item=core.Local(name=name), collection=collection) if name == variable:
            if isinstance(collection.type, (t.SetType, t.SeqType)) and variable not in free_locals(
                collection
            ):
                return True, lower_set(low, env, collection)
            return None
        case core.Compare(op=op, left=left, right=right) if op in ("is", "is not"):
            found = _equality(low, env, variable, left, right) or _equality(
                low, env, variable, right, left
            )
            return (found[0] == (op == "is"), found[1]) if found else None
        case core.Compare(
            op=op,
            left=core.Field(column=column, subject=core.Local(name=name)),
            right=core.Const(value=bound),
        ) if name == variable:
            return _data_compare(low, column, op, bound)
        case core.CallDefine():
            opened = rewrite.expanded(low, condition)
            return as_set(low, env, variable, opened) if opened is not None else None
        case _:
            return None


def _join(op: str, left: Algebra | None, right: Algebra | None) -> Algebra | None:
    if left is None or right is None:
        return None
    if left[0] and right[0]:
        return True, (build.set_and if op == "and" else build.set_or)(left[1], right[1])
    if not left[0] and not right[0]:
        return False, (build.set_or if op == "and" else build.set_and)(left[1], right[1])
    if op == "and":
        inside, outside = (left[1], right[1]) if left[0] else (right[1], left[1])
        return True, build.set_minus(inside, outside)
    return None


def _flag(low: Lowering, column: str) -> Algebra | None:
    place = low.layout.fields[column]
    if place.shape == "flags":
        return True, flat.Scalar(place.name, place.type)
    if place.shape == "table":
        values = low.out.tables[place.name].values
        bits = low.program.families[low.program.columns[column].family].size
        return True, flat.Bits(
            sum(1 << index for index, value in enumerate(values) if value == 1), bits
        )
    return None


def _equality(
    low: Lowering, env: Env, variable: str, left: core.Expr, right: core.Expr
) -> Algebra | None:
    if variable in free_locals(right):
        return None
    match left:
        case core.Local(name=name) if name == variable and isinstance(left.type, t.RefType):
            return True, single(low.expr(env, right), right.type, low.layout.bits(left.type.kind))
        case core.HolderOf(zone=zone, thing=core.Local(name=name)) if name == variable:
            return _held_by(low, env, zone, right)
        case core.Field(column=column, subject=core.Local(name=name)) if name == variable:
            return _data_is(low, env, column, right)
        case _:
            return None


def _held_by(low: Lowering, env: Env, zone: str, holder: core.Expr) -> Algebra | None:
    place = low.layout.zones[zone]
    if isinstance(holder, core.Const) and holder.value < 0:
        held: flat.Expr = build.empty(place.held.bits)
        if len(place.zone.holders) > 8:
            return None
        for one in place.zone.holders:
            held = build.set_or(held, place.members(build.num(one)))
        return False, held
    if isinstance(holder.type, t.RefType) and not holder.type.optional:
        return True, place.members(low.expr(env, holder))
    return None


def _data_is(low: Lowering, env: Env, column: str, right: core.Expr) -> Algebra | None:
    place = low.layout.fields[column]
    if place.shape == "flags" and isinstance(right, core.Const):
        return right.value == 1, flat.Scalar(place.name, place.type)
    if place.shape != "table" or place.width != 1 or isinstance(place.type, flat.Set):
        return None
    bits = low.program.families[low.program.columns[column].family].size
    values = low.out.tables[place.name].values
    if isinstance(right, core.Const):
        return True, flat.Bits(
            sum(1 << index for index, value in enumerate(values) if value == right.value), bits
        )
    if isinstance(right.type, (t.IntType, t.ChoiceType)) and not right.type.optional:
        return _number_is(low, env, column, right)
    if not isinstance(right.type, t.RefType) or right.type.optional:
        return None
    name = low.names.of(f"{place.name}_members", "members", place.name)
    if name not in low.out.tables:
        lines = [0] * low.layout.bits(right.type.kind)
        for index, value in enumerate(values):
            if (
                0 <= value < len(lines)
                and index in low.program.kinds[low.program.columns[column].kind].members
            ):
                lines[value] |= 1 << index
        low.out.tables[name] = flat.Table(name, flat.Set(bits), tuple(lines))
    key = low.expr(env, right)
    if isinstance(key, flat.Num):
        return True, flat.Bits(low.out.tables[name].values[key.value], bits)
    return True, flat.Cell(name, key, flat.Set(bits))


def _number_is(low: Lowering, env: Env, column: str, right: core.Expr) -> Algebra | None:
    """Numbers of a small range: a table of those that have each of them."""
    place, known = low.layout.fields[column], low.program.columns[column]
    bits = low.program.families[known.family].size
    values = low.out.tables[place.name].values
    numbers = {index: values[index] for index in low.program.kinds[known.kind].members}
    least, most = min(numbers.values()), max(numbers.values())
    if most - least >= MOST_NUMBERS:
        return None
    lines = [0] * (most - least + 1)
    for index, value in numbers.items():
        lines[value - least] |= 1 << index
    key = low.expr(env, right)
    if isinstance(key, flat.Num):
        inside = least <= key.value <= most
        return True, flat.Bits(lines[key.value - least] if inside else 0, bits)
    low_end, high_end = _ends_of(right.type)
    is_sure = least <= low_end and high_end <= most
    if not is_sure and not build.is_atom(key):
        return None
    name = low.names.of(f"{place.name}_members", "members", place.name)
    if name not in low.out.tables:
        low.out.tables[name] = flat.Table(name, flat.Set(bits), tuple(lines))
    found = flat.Cell(name, build.binary("-", key, build.num(least)), flat.Set(bits))
    if is_sure:
        return True, found
    inside_ends = build.both(
        flat.Bin(">=", key, build.num(least)), flat.Bin("<=", key, build.num(most))
    )
    return True, build.choose(inside_ends, found, build.empty(bits))


def _ends_of(type_: t.Type) -> tuple[int, int]:
    if isinstance(type_, t.IntType):
        return type_.low, type_.high
    return 0, len(type_.values) - 1 if isinstance(type_, t.ChoiceType) else 0


def _data_compare(low: Lowering, column: str, op: str, bound: int) -> Algebra | None:
    place = low.layout.fields[column]
    if place.shape != "table" or place.width != 1 or isinstance(place.type, flat.Set):
        return None
    tests = {
        "<": lambda value: value < bound,
        "<=": lambda value: value <= bound,
        ">": lambda value: value > bound,
        ">=": lambda value: value >= bound,
    }
    bits = low.program.families[low.program.columns[column].family].size
    members = low.program.kinds[low.program.columns[column].kind].members
    values = low.out.tables[place.name].values
    return True, flat.Bits(sum(1 << index for index in members if tests[op](values[index])), bits)
