"""Chooses what is kept of derived values, from the core alone: a plan that is made before anything
is lowered (see `keeping`).

Maintained are two kinds of values. A collection derived from a seat whose condition looks at
nothing but what the seat holds, where each thing decides about one element at most; flags of things
count too, where the seat has to hold those things. And a number of an entity that is worked out of
its own fields.

Remembered are other collections derived from one entity by going through something, that read
nothing which changes often.

What a condition looks at is seen best in flat core, so values are lowered to look at them, by a
lowering of their own that is thrown away: no name, table or function of it is part of the program.
"""

from __future__ import annotations

from collections.abc import Callable

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.analysis.components import callees_first
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.incremental.reads import OwnSubjects, reads_of
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import all_nodes, parts_of
from interpreter.flat.passes.simplify import simplified
from interpreter.flat.plan.core_tree import walk
from interpreter.flat.plan.keeping import Keeping, Maintained, Remembered
from interpreter.flat.plan.substitute import substitute

HELD = "held:"
LARGEST = 64  # entities of a family whose values are kept
FEWEST = 2  # a number worked out of fewer fields is as well worked out where it is read


def choose_kept(lowering_with: Callable[[Keeping], Lowering]) -> Keeping:
    """The plan for a program. `lowering_with`: makes a lowering of it, for nothing else, that keeps
    what is planned so far. A value is looked at after those that it uses, so that it does not
    matter from where."""
    maintained: dict[str, Maintained] = {}
    remembered: dict[str, Remembered] = {}
    sources: dict[str, frozenset[str]] = {}
    plan = Keeping(maintained, remembered, sources)
    trial = lowering_with(plan)
    defines = trial.program.defines
    for name in callees_first({name: _used(define) for name, define in defines.items()}):
        subject = _only_subject(trial, defines[name])
        if subject is None:
            continue
        if isinstance(defines[name].type, t.SetType):
            collection = _collection(trial, defines[name], *subject)
            other = None if collection else _remembered(trial, defines[name], *subject)
            if collection is not None:
                maintained[name] = collection
            elif other is not None:
                remembered[name] = other
        elif isinstance(defines[name].type, (t.IntType, t.FlagType)):
            own = _own_sources(trial, defines[name], *subject)
            if own is None:
                continue
            sources[name], is_worth_it = own
            if is_worth_it:
                maintained[name] = _number(trial, defines[name], *subject, sources[name])
    return plan


def _used(define: core.Define) -> set[str]:
    """The defines that a define uses."""
    return {
        node.define
        for variant in define.variants
        for part in (variant.base, *variant.lets, *variant.buts)
        for node in walk(part)
        if isinstance(node, core.CallDefine)
    }


def _only_subject(low: Lowering, define: core.Define) -> tuple[str, t.RefType] | None:
    """The one parameter of a define that is one expression about an entity; the entities are not
    too many, and none of a pool."""
    variant, *others = define.variants
    if others or variant.lets or variant.buts or len(variant.params) != 1:
        return None
    ((name, subject),) = variant.params
    if not isinstance(subject, t.RefType) or subject.optional:
        return None
    kind = low.program.kinds[subject.kind]
    family = low.program.families[kind.family]
    if family.pool or family.size > LARGEST or not kind.members:
        return None
    return name, subject


# ---------------------------------------------------------------- collections


def _collection(
    low: Lowering, define: core.Define, name: str, subject: t.RefType
) -> Maintained | None:
    kind = low.program.kinds[subject.kind]
    value = define.variants[0].base
    if kind.members != tuple(range(low.program.players)) or kind.name != low.program.player_kind:
        return None
    match value:
        case core.Fold(kind="set", generators=(generator,), value=core.Local(name=item)):
            if item != generator.variable or not isinstance(generator.source, core.AllOf):
                return None
        case _:
            return None
    reads = reads_of(low, value, OwnSubjects(frozenset({name})))
    keys = {read.key for read in reads}
    families = {key[len(HELD) :] for key in keys if key.startswith(HELD)}
    if len(families) != 1 or generator.where is None:
        return None
    (family,) = families
    for read in reads:
        if not (read.own if read.key.startswith(HELD) else _is_flag_of(low, read.key, family)):
            return None
    elements = _elements(low, family, generator, name, subject)
    if elements is None:
        return None
    assert isinstance(value.type, t.SetType)
    bits = flat.Set(low.layout.bits(value.type.kind))
    return Maintained(
        define.name, low.function_name(f"kept_{low.safe(define.name)}"), bits, name, kind.family,
        kind.members, value, frozenset(keys), elements, generator,
    )  # fmt: skip


def _is_flag_of(low: Lowering, key: str, family: str) -> bool:
    column = low.program.columns.get(key)
    if column is None or column.family != family:
        return False
    return low.layout.fields[key].shape == "flags"


def _elements(
    low: Lowering, family: str, generator: core.Generator, name: str, subject: t.RefType
) -> tuple[int, ...] | None:
    """The one element that each thing decides about, -1 for none; None if things decide about more,
    or about who knows which."""
    assert isinstance(generator.source, core.AllOf)
    elements = low.program.kinds[generator.source.kind]
    if low.program.families[elements.family].pool:
        return None
    held = low.layout.held[family]
    cells = [-1] * held.bits
    param = flat.Var(*low.param(name, subject))
    for element in elements.members:
        constant = core.Const(generator.variable_type, generator.source.span, element)
        assert generator.where is not None
        condition = substitute(generator.where, {generator.variable: constant})
        test = low.expr(Env({name: param}), condition)
        things, flagged = _things(low, test, held.sets), _things(low, test, held.sets, flags=True)
        if things is None or flagged is None or flagged & ~_needed(test, held.sets):
            return None
        for thing in range(held.bits):
            if things >> thing & 1:
                if cells[thing] not in (-1, element):
                    return None
                cells[thing] = element
    return tuple(cells)


def _needed(condition: flat.Expr, sets: str) -> int:
    """The things without which a condition does not hold, as bits."""
    match condition:
        case flat.And(left=left, right=right):
            return _needed(left, sets) | _needed(right, sets)
        case flat.Within(left=flat.Bits(value=mask), right=flat.Cell(column=column)):
            return mask if column == sets else 0
        case flat.Choose(then=flat.Num(value=0), other=other):
            return _needed(other, sets)
        case _:
            return 0


def _things(low: Lowering, condition: flat.Expr, sets: str, *, flags: bool = False) -> int | None:
    """The things that a condition depends on, as bits, or with `flags` only those by their flags;
    None if that is not plain to see. It may look at the sets of what is held and of what has a
    flag, through a mask, and at nothing else of the state."""
    match condition:
        case (
            flat.SetBin(op="&" | "-", left=flat.Bits(value=mask), right=flat.Scalar())
            | flat.SetBin(op="&", left=flat.Scalar(), right=flat.Bits(value=mask))
            | flat.Within(left=flat.Bits(value=mask), right=flat.Scalar())
        ):
            return mask
        case (
            flat.SetBin(op="&" | "-", left=flat.Bits(value=mask), right=flat.Cell(column=column))
            | flat.SetBin(op="&", left=flat.Cell(column=column), right=flat.Bits(value=mask))
            | flat.Within(left=flat.Bits(value=mask), right=flat.Cell(column=column))
        ) if column == sets:
            return 0 if flags else mask
        case flat.Num() | flat.Bits():
            return 0
        case flat.Cell(column=table, index=index) if table in low.out.tables:
            return _things(low, index, sets, flags=flags)
        case flat.Bin() | flat.And() | flat.Or() | flat.Not() | flat.Choose():
            found = 0
            for part in parts_of(condition):
                things = _things(low, getattr(condition, part), sets, flags=flags)
                if things is None:
                    return None
                found |= things
            return found
        case flat.Count(set=inner) | flat.IsEmpty(set=inner):
            return _things(low, inner, sets, flags=flags)
        case _:
            return None


def _remembered(
    low: Lowering, define: core.Define, name: str, subject: t.RefType
) -> Remembered | None:
    family = low.program.families[low.program.kinds[subject.kind].family]
    value = define.variants[0].base
    reads = reads_of(low, value, OwnSubjects(frozenset({name})))
    changing = [read for read in reads if read.key.startswith("live:") or _is_purse(low, read.key)]
    if not reads or changing:
        return None
    param = low.param(name, subject)
    lowered = low.set_(Env({name: flat.Var(*param)}), value)
    if not any(isinstance(node, flat.Call) for node in all_nodes(lowered)):
        return None
    assert isinstance(define.type, t.SetType)
    seats = family.name == low.program.kinds[low.program.player_kind].family
    tag = low.function_name(low.safe(define.name))
    return Remembered(
        define.name, f"kept_{tag}", f"stale_{tag}", f"find_{tag}", family.size,
        flat.Set(low.layout.bits(define.type.kind)), (name, subject), value,
        tuple({(read.key, read.own and seats): None for read in reads}),
    )  # fmt: skip


def _is_purse(low: Lowering, key: str) -> bool:
    return key in low.program.columns and low.program.columns[key].role == "purse"


# ---------------------------------------------------------------- numbers


def _own_sources(
    low: Lowering, define: core.Define, name: str, subject: t.RefType
) -> tuple[frozenset[str], bool] | None:
    """The fields that a number of an entity is worked out of, if all are its own, and whether they
    are looked up so often that it is worth maintaining."""
    value = define.variants[0].base
    kind = low.program.kinds[subject.kind]
    if kind.family == low.program.kinds[low.program.player_kind].family:
        return None
    keys = {read.key for read in reads_of(low, value)}
    if not keys or any(key not in low.program.columns for key in keys):
        return None
    if any(low.program.columns[key].family != kind.family for key in keys):
        return None
    if any(low.layout.fields[key].single for key in keys):
        return None
    of_columns = {low.layout.fields[key].name: frozenset({key}) for key in keys}
    of_columns |= {one.column: one.sources for one in low.keeping.maintained.values()}
    param = flat.Var(*low.param(name, subject))
    reads = _own_reads(low, simplified(low.expr(Env({name: param}), value)), param)
    if reads is None or any(column not in of_columns for column in reads):
        return None
    sources = frozenset(key for column in reads for key in of_columns[column])
    return sources, len(reads) >= FEWEST


def _number(
    low: Lowering, define: core.Define, name: str, subject: t.RefType, sources: frozenset[str]
) -> Maintained:
    kind = low.program.kinds[subject.kind]
    return Maintained(
        define.name, low.function_name(f"kept_{low.safe(define.name)}"), flat.INT, name,
        kind.family, kind.members, define.variants[0].base, sources,
    )  # fmt: skip


def _own_reads(low: Lowering, value: flat.Expr, param: flat.Expr) -> list[str] | None:
    """The columns that a value reads, if those are always cells of one entity."""
    match value:
        case flat.Num():
            return []
        case flat.Cell(column=column, index=index):
            is_data = column in low.out.tables
            return None if index != param else [] if is_data else [column]
        case flat.Has(set=flat.Scalar(name=column), index=index):
            return [column] if index == param else None
        case flat.Bin() | flat.And() | flat.Or() | flat.Not() | flat.Choose():
            reads: list[str] = []
            for part in parts_of(value):
                found = _own_reads(low, getattr(value, part), param)
                if found is None:
                    return None
                reads += found
            return reads
        case _:
            return None
