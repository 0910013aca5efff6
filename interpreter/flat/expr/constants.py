"""What a program knows before play: derived values of data become tables, computed once."""

from __future__ import annotations

from dataclasses import dataclass, field

from dsl.check.evaluate import Evaluator, Faulty, NotConstant, Value
from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.plan.core_tree import free_locals
from interpreter.flat.plan.substitute import substitute


class _Known:
    """A program, as the evaluator looks it up."""

    def __init__(self, program: core.Program) -> None:
        self.program = program

    def members_of(self, kind: str) -> tuple[int, ...]:
        """The entities of a kind; those of a pool are not known before play."""
        known = self.program.kinds[kind]
        if self.program.families[known.family].pool:
            raise NotConstant
        return known.members

    def data_of(self, column: str) -> tuple[Value, ...] | None:
        """The values of a data column."""
        known = self.program.columns[column]
        return known.values if known.role == "data" else None

    def printed_on(self, kind: str, index: int) -> tuple[str, str | None]:
        """What is printed is read by the checker alone."""
        raise NotConstant

    def lines_of(self, define: str) -> core.Define | None:
        """A define."""
        return self.program.defines.get(define)


@dataclass(slots=True)
class _Tables:
    """The tables that were tried: names of those that can't be worked out, and those of queries by
    what these are."""

    unknown: set[str] = field(default_factory=set)
    queries: dict[int, tuple[core.Fold, str | None]] = field(default_factory=dict)


def known_value(low: Lowering, call: core.CallDefine, args: list[flat.Expr]) -> flat.Expr | None:
    """The value of a derived value that reads only data: a constant, or a cell of a table."""
    if not low.does("data"):
        return None
    if len(call.args) > 1 or isinstance(call.type, (t.SeqType, t.MapType, t.TextType)):
        return None
    if not call.args:
        value = _evaluate(low, call, None)
        return None if value is None else _constant(low, call.type, value)
    subject = call.args[0].type
    if not isinstance(subject, t.RefType) or subject.kind not in low.program.kinds:
        return None
    kind = low.program.kinds[subject.kind]
    if low.program.families[kind.family].pool or not kind.members:
        return None
    base = f"known_{low.safe(call.define)}_{low.safe(subject.kind)}"
    name = low.names.of(base, call.define, subject.kind)
    if name in low.own(_Tables).unknown:
        return None
    if name not in low.out.tables:
        cells = [0] * (kind.members[-1] + 1)
        for member in kind.members:
            value = _evaluate(low, call, core.Const(t.RefType(subject.kind), call.span, member))
            if value is None:
                low.own(_Tables).unknown.add(name)
                return None
            cells[member] = value
        type_ = low.layout.flat_type(call.type)
        low.out.tables[name] = flat.Table(name, type_, tuple(cells))
    table = low.out.tables[name]
    if isinstance(args[0], flat.Num) and args[0].value >= 0:
        return _constant(low, call.type, table.values[args[0].value])
    return flat.Cell(name, args[0], table.type)


def known_query(low: Lowering, env: Env, fold: core.Fold) -> flat.Expr | None:
    """The value of a query about one entity that reads only data: a cell of a table."""
    names = free_locals(fold)
    if (
        not low.does("data")
        or len(names) != 1
        or env.usual is not None
        or isinstance(fold.type, (t.SeqType, t.SetType))
    ):
        return None
    ((name, type_),) = names.items()
    if not isinstance(type_, t.RefType) or type_.optional or type_.kind not in low.program.kinds:
        return None
    kind = low.program.kinds[type_.kind]
    key = id(fold)
    if key not in low.own(_Tables).queries:
        low.own(_Tables).queries[key] = (fold, None)
        if low.program.families[kind.family].pool or not kind.members:
            return None
        cells = [0] * (kind.members[-1] + 1)
        for member in kind.members:
            constant = core.Const(type_, fold.span, member)
            value = _value_of(low, substitute(fold, {name: constant}))
            if value is None:
                return None
            cells[member] = value
        table = low.names.fresh(f"known_{fold.kind}_{len(low.own(_Tables).queries)}")
        low.out.tables[table] = flat.Table(table, flat.INT, tuple(cells))
        low.own(_Tables).queries[key] = (fold, table)
    found = low.own(_Tables).queries[key][1]
    return None if found is None or name not in env.names else flat.Cell(found, env.names[name])


def _evaluate(low: Lowering, call: core.CallDefine, subject: core.Const | None) -> int | None:
    constant = core.CallDefine(call.type, call.span, call.define, (subject,) if subject else ())
    return _value_of(low, constant)


def _value_of(low: Lowering, constant: core.Expr) -> int | None:
    try:
        value = Evaluator(_Known(low.program)).value(constant, {})
    except (NotConstant, Faulty):
        return None
    return value if isinstance(value, int) else None


def _constant(low: Lowering, type_: t.Type, value: int) -> flat.Expr:
    if isinstance(type_, t.SetType):
        return flat.Bits(value, low.layout.bits(type_.kind))
    return build.num(value)
