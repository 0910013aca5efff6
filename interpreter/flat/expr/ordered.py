"""Going through collections in order, and rows as values."""

from __future__ import annotations

from collections.abc import Callable

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import defines, sets, subsets
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat

Visit = Callable[[Env], list[flat.Stmt]]
SHORT = 4  # members of a constant set that are tested one by one
RING_LIMIT = 64  # families up to this size get a table of their rotations


def iterate(
    low: Lowering, env: Env, generator: core.Generator, visit: Visit, *, pure: bool = False
) -> list[flat.Stmt]:
    """Statements that run `visit` for every item of a generator that its condition lets through, in
    order. `pure`: nothing is changed by it, so that conditions may be tested item by item.
    """
    conditions = sets.conjuncts(generator.where)
    source = generator.source
    if isinstance(source.type, t.SetType):
        members, rest = sets.lower_set(low, env, source), conditions
        if not pure or not _is_short_table(low, members):
            members, rest = sets.filtered(low, env, source, generator.variable, conditions)
        name = low.temp(f"v_{generator.variable}")
        inner = env.bind(generator.variable, flat.Var(name))
        return [flat.ForSet(name, members, tuple(_guarded(low, inner, rest, visit)))]
    return _in_order(
        low, env, source, generator.variable, lambda inner: _guarded(low, inner, conditions, visit)
    )


def _is_short_table(low: Lowering, members: flat.Expr) -> bool:
    """Whether members come from a table of small constant sets."""
    if not isinstance(members, flat.Cell) or members.column not in low.out.tables:
        return False
    return max(value.bit_count() for value in low.out.tables[members.column].values) <= SHORT


def _guarded(low: Lowering, env: Env, conditions: list[core.Expr], visit: Visit) -> list[flat.Stmt]:
    test = build.all_of(low.expr(env, condition) for condition in conditions)
    body = visit(env)
    if test == build.YES:
        return body
    return [flat.If(test, tuple(body))]


def _in_order(
    low: Lowering, env: Env, source: core.Expr, variable: str, visit: Visit
) -> list[flat.Stmt]:
    name = low.temp(f"v_{variable}")
    inner = env.bind(variable, flat.Var(name))
    match source:
        case core.RangeOf(low=bottom, high=top, step=step):
            ends = low.expr(env, bottom), low.expr(env, top), low.expr(env, step)
            return [flat.ForRange(name, *ends, tuple(visit(inner)))]
        case core.Builtin(name="rotated", args=(collection, item)) if isinstance(
            collection.type, t.SetType
        ):
            return _rotated(low, env, collection, item, name, visit(inner))
        case core.Builtin(name="path", args=(_, start, end)):
            return _path(
                low, env, source, low.expr(env, start), low.expr(env, end), name, visit(inner)
            )
        case core.Builtin(name="subsets", args=(collection, size)):
            return subsets.subsets(low, env, collection, low.expr(env, size), variable, visit)
        case core.CallDefine():
            found = defines.single_expression(low, source)
            if found:
                variant, base = found
                names = {
                    p: low.expr(env, a)
                    for (p, _), a in zip(variant.params, source.args, strict=True)
                }
                carried = dict(inner.names)

                def revisit(expanded: Env) -> list[flat.Stmt]:
                    return visit(
                        Env({**carried, variable: expanded.names[variable]}, env.tables, env.usual)
                    )

                if isinstance(base.type, t.SetType):
                    span = source.span
                    generator = core.Generator(variable, t.RefType(base.type.kind), base, None)
                    del span
                    return iterate(low, Env(names), generator, revisit)
                return _in_order(low, Env(names), base, variable, revisit)
            raise AssertionError(f"{source.define} gives a row and is not one expression")
        case core.Field(column=column, subject=subject) if (
            low.layout.fields[column].shape == "list"
        ):
            return _data_list(low, column, low.expr(env, subject), name, visit(inner))
        case core.ZoneItems() | core.Local() | core.Field():
            return [flat.ForRow(name, low.expr(env, source), tuple(visit(inner)))]
        case _ if not isinstance(source, (core.SeqOf, core.Fold, core.Conditional, core.Builtin)):
            raise AssertionError(f"cannot go through {type(source).__name__}: {source.span.text!r}")
        case core.Builtin(name=("cycle" | "position")):
            raise AssertionError(f"cannot go through {source.name}: {source.span.text!r}")
        case _:
            row = low.temp("row")
            before = row_into(low, env, source, row)
            bound = source.type.bound if isinstance(source.type, t.SeqType) else 64
            return [*before, flat.ForRow(name, flat.Var(row, flat.Row(bound)), tuple(visit(inner)))]


def _rotated(
    low: Lowering,
    env: Env,
    collection: core.Expr,
    item: core.Expr,
    name: str,
    body: list[flat.Stmt],
) -> list[flat.Stmt]:
    members = sets.lower_set(low, env, collection)
    kind = sets.element_kind(collection.type)
    bits = low.layout.bits(kind)
    ring = list(low.program.kinds[kind].members)
    if bits > RING_LIMIT or not ring:
        raise AssertionError(f"too many of {kind} to go around")
    table = low.names.of(f"ring_{kind.lower()}", "ring", kind)
    if table not in low.out.tables:
        cells: list[int] = []
        for start in range(bits):
            first = next((place for place, index in enumerate(ring) if index >= start), 0)
            cells += ring[first:] + ring[:first]
        low.out.tables[table] = flat.Table(table, flat.INT, tuple(cells))
    there = _on_ring(low, kind, members, flat.Var(name))
    inner = body if there == build.YES else [flat.If(there, tuple(body))]
    return [flat.ForTable(name, table, low.expr(env, item), len(ring), tuple(inner))]


def _on_ring(low: Lowering, kind: str, members: flat.Expr, index: flat.Var) -> flat.Expr:
    """Whether one of a kind is among some of them."""
    everyone = low.layout.mask(kind)
    if members == everyone:
        return build.YES
    if isinstance(members, flat.SetBin) and members.op == "-" and members.left == everyone:
        return build.negate(build.has(members.right, index))
    return build.has(members, index)


def _path(
    low: Lowering,
    env: Env,
    source: core.Builtin,
    start: flat.Expr,
    end: flat.Expr,
    name: str,
    body: list[flat.Stmt],
) -> list[flat.Stmt]:
    kind = sets.element_kind(source.args[0].type)
    ring = low.program.kinds[kind].members
    del env
    stops = frozenset(ring)
    return walk_ring(low, kind, stops, start, end, name, body)


def walk_ring(
    low: Lowering,
    kind: str,
    stops: frozenset[int],
    start: flat.Expr,
    end: flat.Expr,
    name: str,
    body: list[flat.Stmt],
) -> list[flat.Stmt]:
    """From `start` forward to `end`, at those spaces on the way that are `stops`.

    A table has the distance from every space to the next stop, so a walk that meets none costs one
    comparison. A single stop is met by whoever is no further behind it at the end than before: once
    at most, since no walk goes round more than once.
    """
    size = low.layout.bits(kind)
    if len(stops) == 1:
        (only,) = stops
        met = flat.Bin("<=", _behind(low, kind, only, end), _behind(low, kind, only, start))
        return [flat.If(met, (flat.SetVar(name, build.num(only)), *body))]
    distances = tuple(
        min((stop - place - 1) % size + 1 for stop in stops) if stops else size + 1
        for place in range(size)
    )
    table = low.table(f"next_{kind.lower()}", flat.INT, distances)
    length, gone, at = low.temp("length"), low.temp("gone"), low.temp("at")
    walked, round_ = flat.Var(length), build.num(size)
    stop = build.binary("%", build.binary("+", flat.Var(at), flat.Var(gone)), build.num(size))
    step = build.binary("+", flat.Var(gone), flat.Cell(table, flat.Var(name)))
    return [
        flat.SetVar(at, start),
        flat.SetVar(length, build.binary("-", end, flat.Var(at))),
        flat.If(
            flat.Bin("<=", walked, build.NO),
            (flat.SetVar(length, build.binary("+", walked, round_)),),
        ),
        flat.SetVar(gone, flat.Cell(table, flat.Var(at))),
        flat.While(
            flat.Bin("<=", flat.Var(gone), flat.Var(length)),
            (flat.SetVar(name, stop), *body, flat.SetVar(gone, step)),
        ),
    ]


def _behind(low: Lowering, kind: str, stop: int, place: flat.Expr) -> flat.Expr:
    """How far a space lies behind a stop; the first space has all others behind it in order."""
    if stop == 0:
        return place
    size = low.layout.bits(kind)
    distances = tuple((space - stop) % size for space in range(size))
    return flat.Cell(low.table(f"behind_{kind.lower()}_{stop}", flat.INT, distances), place)


def _data_list(
    low: Lowering, column: str, subject: flat.Expr, name: str, body: list[flat.Stmt]
) -> list[flat.Stmt]:
    place = low.layout.fields[column]
    counts = low.out.tables[place.counts].values
    if all(count == place.width for count in counts):
        return [flat.ForTable(name, place.name, subject, place.width, tuple(body))]
    at = low.temp("at")
    last = build.binary("-", flat.Cell(place.counts, subject), build.num(1))
    index = build.binary("+", build.binary("*", subject, build.num(place.width)), flat.Var(at))
    take = flat.SetVar(name, flat.Cell(place.name, index))
    return [flat.ForRange(at, build.num(0), last, build.num(1), (take, *body))]


# ---------------------------------------------------------------- rows


def row_into(low: Lowering, env: Env, expr: core.Expr, name: str) -> list[flat.Stmt]:
    """Statements that make a local row of an expression."""
    bound = (
        expr.type.bound
        if isinstance(expr.type, t.SeqType)
        else low.layout.bits(sets.element_kind(expr.type))
    )
    row = flat.Var(name, flat.Row(bound))
    fresh: flat.Stmt = flat.NewRow(name, bound)
    match expr:
        case core.SeqOf(items=items):
            return [fresh, *(flat.RowPush(row, low.expr(env, item)) for item in items)]
        case core.Builtin(name="top", args=(count, source)):
            return [fresh, *_top(low, env, count, source, row)]
        case core.Builtin(name="reversed", args=(source,)):
            variable = low.temp("item")
            visit: Visit = lambda inner: [flat.RowPush(row, inner.names[variable], top=True)]  # noqa: E731
            return [fresh, *each(low, env, source, variable, visit)]
        case core.Builtin(name="rotated", args=(source, first)):
            return [fresh, *_row_rotated(low, env, source, low.expr(env, first), row)]
        case core.Fold(kind="row"):
            return [fresh, *_fold_row(low, env, expr, row)]
        case core.Conditional(condition=condition, then_value=then, else_value=other):
            one, two = low.temp("row"), low.temp("row")
            copy_one = row_into(low, env, then, one) + _copy(low, one, row)
            copy_two = row_into(low, env, other, two) + _copy(low, two, row)
            return [fresh, flat.If(low.expr(env, condition), tuple(copy_one), tuple(copy_two))]
        case _:
            variable = low.temp("item")
            push: Visit = lambda inner: [flat.RowPush(row, inner.names[variable])]  # noqa: E731
            return [fresh, *each(low, env, expr, variable, push)]


def _copy(low: Lowering, source: str, row: flat.Var) -> list[flat.Stmt]:
    item = low.temp("item")
    return [flat.ForRow(item, flat.Var(source, row.type), (flat.RowPush(row, flat.Var(item)),))]


def each(
    low: Lowering, env: Env, source: core.Expr, variable: str, visit: Visit
) -> list[flat.Stmt]:
    """Statements that run `visit` for every item of a collection."""
    type_ = source.type
    element = t.RefType(type_.kind) if isinstance(type_, t.SetType) else t.IntType(0, 0)
    return iterate(low, env, core.Generator(variable, element, source, None), visit)


def _top(
    low: Lowering, env: Env, count: core.Expr, source: core.Expr, row: flat.Var
) -> list[flat.Stmt]:
    variable = low.temp("item")
    room = flat.Bin("<", flat.RowCount(row), low.expr(env, count))

    def visit(inner: Env) -> list[flat.Stmt]:
        return [flat.If(room, (flat.RowPush(row, inner.names[variable]),), (flat.Break(),))]

    return each(low, env, source, variable, visit)


def _row_rotated(
    low: Lowering, env: Env, source: core.Expr, first: flat.Expr, row: flat.Var
) -> list[flat.Stmt]:
    """From the first item on, then those before it; a row without that item stays as it is."""
    whole, start, at = low.temp("row"), low.temp("start"), low.temp("at")
    assert isinstance(row.type, flat.Row)
    items = flat.Var(whole, row.type)
    here = build.equal(flat.RowItem(items, flat.Var(at)), first)
    last = build.binary("-", flat.RowCount(items), build.num(1))
    around = build.binary(
        "%", build.binary("+", flat.Var(start), flat.Var(at)), flat.RowCount(items)
    )
    return [
        *row_into(low, env, source, whole),
        flat.SetVar(start, build.num(0)),
        flat.ForRange(
            at,
            build.num(0),
            last,
            build.num(1),
            (flat.If(here, (flat.SetVar(start, flat.Var(at)),)),),
        ),
        flat.ForRange(
            at, build.num(0), last, build.num(1), (flat.RowPush(row, flat.RowItem(items, around)),)
        ),
    ]


def _fold_row(low: Lowering, env: Env, fold: core.Fold, row: flat.Var) -> list[flat.Stmt]:
    if fold.key is None:
        return nested(
            low,
            env,
            fold.generators,
            lambda inner: [flat.RowPush(row, low.expr(inner, fold.value))],
        )
    return sorted_into(low, env, fold.generators, fold.key, fold.value, row)


def sorted_into(
    low: Lowering,
    env: Env,
    generators: tuple[core.Generator, ...],
    key: core.Expr,
    value: core.Expr,
    row: flat.Var,
) -> list[flat.Stmt]:
    """Puts the values of a query into a row, the least key first; equal keys keep their order."""
    assert isinstance(row.type, flat.Row)
    keys, position, found = low.temp("keys"), low.temp("position"), low.temp("key")
    key_row = flat.Var(keys, row.type)

    def insert(inner: Env) -> list[flat.Stmt]:
        place = flat.Var(position)
        unsorted = build.both(
            flat.Bin(">", place, build.num(0)),
            flat.Bin(
                ">", flat.RowItem(key_row, build.binary("-", place, build.num(1))), flat.Var(found)
            ),
        )
        return [
            flat.SetVar(found, low.expr(inner, key)),
            flat.SetVar(position, flat.RowCount(key_row)),
            flat.While(unsorted, (flat.SetVar(position, build.binary("-", place, build.num(1))),)),
            flat.RowInsert(key_row, place, flat.Var(found)),
            flat.RowInsert(row, place, low.expr(inner, value)),
        ]

    return [flat.NewRow(keys, row.type.cap), *nested(low, env, generators, insert)]


def nested(
    low: Lowering,
    env: Env,
    generators: tuple[core.Generator, ...],
    visit: Visit,
    *,
    pure: bool = False,
) -> list[flat.Stmt]:
    """Statements for `for each .. for each ..`."""
    if not generators:
        return visit(env)
    first, *rest = generators

    def inside(inner: Env) -> list[flat.Stmt]:
        return nested(low, inner, tuple(rest), visit, pure=pure)

    return iterate(low, env, first, inside, pure=pure)
