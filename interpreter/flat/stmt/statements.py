"""Statements: core to flat. Questions and calls of events are in modules of their own, reached
through `Lowering`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from dsl.core import nodes as core
from dsl.core import types as t
from interpreter.flat.context.env import Env
from interpreter.flat.context.frames import Frame
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import ordered, queries, sets
from interpreter.flat.expr.exprs import lower
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat
from interpreter.flat.ir.tree import all_nodes, rebuild, renamed, set_names
from interpreter.flat.plan import faults
from interpreter.flat.plan.core_tree import free_locals, walk
from interpreter.flat.plan.numbering import GAME_OVER
from interpreter.flat.stmt import luck, moves, pools

FEW = 256  # numbers a loop may count through without taking from the budget


def lower_block(low: Lowering, frame: Frame, env: Env, block: core.Block) -> flat.Body:
    """The statements of a block."""
    out: list[flat.Stmt] = []
    for at, stmt in enumerate(block):
        if isinstance(stmt, core.MoveThings) and _is_just_made(block[:at], stmt.things):
            out += low.tracer.step(frame, stmt)
            out += _traced(low, env, stmt, moves.move_things(low, env, stmt, is_new=True))
            continue
        stmts, env = lower_statement(low, frame, env, stmt)
        out += [*low.tracer.step(frame, stmt), *stmts]
    return tuple(out)


def _is_just_made(before: core.Block, thing: core.Expr) -> bool:
    """Whether a thing was made by the statement before, so that it lies nowhere yet."""
    match before, thing:
        case (*_, core.Make(name=name)), core.Local(name=moved):
            return moved == name
        case (*earlier, core.Let(name=name, value=core.Local() as made)), core.Local(name=moved):
            return moved == name and _is_just_made(tuple(earlier), made)
        case _:
            return False


def lower_statement(
    low: Lowering, frame: Frame, env: Env, stmt: core.Stmt
) -> tuple[list[flat.Stmt], Env]:
    """One statement, and the environment after it."""
    match stmt:
        case core.Let():
            return _let(low, env, stmt)
        case core.SetField():
            return _traced(low, env, stmt, moves.set_field(low, env, stmt)), env
        case core.MoveUnits():
            return _traced(low, env, stmt, moves.move_units(low, env, stmt)), env
        case core.MoveThings():
            return _traced(low, env, stmt, moves.move_things(low, env, stmt)), env
        case core.Exchange():
            return _traced(low, env, stmt, moves.exchange(low, env, stmt)), env
        case core.Shuffle():
            return moves.shuffle(low, env, stmt), env
        case core.Make():
            return pools.make(low, env, stmt)
        case core.Drop():
            return pools.drop(low, env, stmt), env
        case core.Call():
            return _call(low, env, stmt)
        case core.AsUsual(args=args):
            return _as_usual(low, frame, env, args), env
        case core.If(branches=branches, otherwise=otherwise):
            return _if(low, frame, env, list(branches), otherwise), env
        case core.ForEach():
            return _for_each(low, frame, env, stmt), env
        case core.Repeat():
            return _repeat(low, frame, env, stmt), env
        case core.Luck():
            return luck.lower_luck(low, env, stmt)
        case core.AskAbout() | core.Ask() | core.Gather() | core.OpenWindow():
            return low.question(frame, env, stmt)
        case core.End(label=label):
            return _end(low, frame, label), env
        case core.NextPhase(phase=phase):
            return [flat.SetScalar("phase", build.num(list(low.program.phases).index(phase)))], env
        case core.Return(value=value):
            return [flat.Give(_value(low, env, value))], env
        case core.Reveal():
            return _reveal(low, env, stmt), env
        case core.Say():
            return _say(low, env, stmt), env
        case core.Expect() | core.ScriptLuck() | core.PlayPhase():
            return low.scenario_statement(frame, env, stmt), env
        case _:
            raise AssertionError(f"unknown statement {type(stmt).__name__}")


def _value(low: Lowering, env: Env, value: core.Expr) -> flat.Expr:
    return (
        sets.lower_set(low, env, value)
        if isinstance(value.type, t.SetType)
        else lower(low, env, value)
    )


def _let(low: Lowering, env: Env, stmt: core.Let) -> tuple[list[flat.Stmt], Env]:
    name, type_ = low.param(stmt.name, stmt.value.type)
    if isinstance(type_, flat.Row):
        if stmt.fresh:
            return ordered.row_into(low, env, stmt.value, name), env.bind(
                stmt.name, flat.Var(name, type_)
            )
        local, item = low.temp("row"), low.temp("item")
        target = env.names[stmt.name]
        copy = flat.ForRow(item, flat.Var(local, type_), (flat.RowPush(target, flat.Var(item)),))
        return [*ordered.row_into(low, env, stmt.value, local), flat.RowClear(target), copy], env
    value = _value(low, env, stmt.value)
    if stmt.fresh:
        return [flat.SetVar(name, value, type_)], env.bind(stmt.name, flat.Var(name, type_))
    target = env.names[stmt.name]
    assert isinstance(target, flat.Var)
    return [flat.SetVar(target.name, value, target.type)], env


def call_args(
    low: Lowering, env: Env, args: tuple[core.Expr, ...]
) -> tuple[list[flat.Stmt], tuple[flat.Expr, ...]]:
    """Arguments of a call; rows that lie nowhere yet are made first."""
    before: list[flat.Stmt] = []
    values: list[flat.Expr] = []
    for arg in args:
        if isinstance(arg.type, t.SeqType):
            if isinstance(arg, core.Local):
                values.append(env.names[arg.name])
                continue
            name = low.temp("row")
            before += ordered.row_into(low, env, arg, name)
            values.append(flat.Var(name, flat.Row(arg.type.bound)))
        else:
            values.append(_value(low, env, arg))
    return before, tuple(values)


def _call(low: Lowering, env: Env, stmt: core.Call) -> tuple[list[flat.Stmt], Env]:
    before, args = call_args(low, env, stmt.args)
    call = low.happen(stmt.routine, args)
    if stmt.result is None:
        return [*before, flat.Do(call)], env
    gives = low.program.routines[stmt.routine].gives
    assert gives is not None
    if stmt.fresh:
        name, type_ = low.param(stmt.result, gives)
        return [*before, flat.Do(call, name, type_)], env.bind(stmt.result, flat.Var(name, type_))
    target = env.names[stmt.result]
    assert isinstance(target, flat.Var)
    return [*before, flat.Do(call, target.name, target.type)], env


def _as_usual(
    low: Lowering, frame: Frame, env: Env, args: tuple[core.Expr, ...]
) -> list[flat.Stmt]:
    assert frame.usual is not None
    before, values = call_args(low, env, args)
    if frame.gives is None:
        return [*before, flat.Do(frame.usual(values))]
    return [
        *before,
        flat.Do(frame.usual(values), "as_usual", frame.gives),
        flat.Give(flat.Var("as_usual", frame.gives)),
    ]


def _if(
    low: Lowering,
    frame: Frame,
    env: Env,
    branches: list[tuple[core.Expr, core.Block]],
    otherwise: core.Block,
) -> list[flat.Stmt]:
    if not branches:
        return list(lower_block(low, frame, env, otherwise))
    (condition, block), *rest = branches
    test = lower(low, env, condition)
    if isinstance(test, flat.Num):
        if test.value:
            return list(lower_block(low, frame, env, block))
        return _if(low, frame, env, rest, otherwise)
    then = lower_block(low, frame, env, block)
    return [flat.If(test, then, tuple(_if(low, frame, env, rest, otherwise)))]


def _for_each(low: Lowering, frame: Frame, env: Env, stmt: core.ForEach) -> list[flat.Stmt]:
    generator = _chosen_before(low, stmt)
    if stmt.key is None:
        shortcut = _walk(low, frame, env, stmt)
        if shortcut is not None:
            return shortcut
        unrolled = _unrolled(low, frame, env, stmt)
        if unrolled is not None:
            return unrolled
        source = generator.source
        lies_in_state = isinstance(source, (core.ZoneItems, core.Field, core.Local))
        if isinstance(source.type, t.SeqType) and lies_in_state and _acts(stmt.body):
            row = low.temp("row")
            copy = ordered.row_into(low, env, source, row)
            kept = core.Local(source.type, source.span, row)
            inner = env.bind(row, flat.Var(row, flat.Row(source.type.bound)))
            copied = replace(generator, source=kept)
            return [
                *copy,
                *ordered.iterate(
                    low, inner, copied, lambda e: list(lower_block(low, frame, e, stmt.body))
                ),
            ]
        budget: flat.Body = ()
        if _may_be_long(source):
            budget = (*low.tracer.step(frame, stmt), *spend_fuel(low))
        return ordered.iterate(
            low, env, generator, lambda e: [*budget, *lower_block(low, frame, e, stmt.body)]
        )
    bound = generator.source.type.bound if isinstance(generator.source.type, t.SeqType) else 0
    bits = bound or low.layout.bits(sets.element_kind(generator.source.type))
    row, name = low.temp("row"), f"v_{generator.variable}"
    local = core.Local(generator.variable_type, stmt.span, generator.variable)
    order = flat.Var(row, flat.Row(bits))
    inner = env.bind(generator.variable, flat.Var(name))
    return [
        flat.NewRow(row, bits),
        *ordered.sorted_into(low, env, (generator,), stmt.key, local, order),
        flat.ForRow(name, order, lower_block(low, frame, inner, stmt.body)),
    ]


def _may_be_long(source: core.Expr) -> bool:
    """Whether a loop counts through numbers that are not known to be few."""
    if not isinstance(source, core.RangeOf):
        return False
    low, high = source.low.type, source.high.type
    if not isinstance(low, t.IntType) or not isinstance(high, t.IntType):
        return True
    return high.high - low.low > FEW


def _chosen_before(low: Lowering, stmt: core.ForEach) -> core.Generator:
    """What a loop goes through: once for each that was there when it began. Where a round may
    change for whom its condition holds, they are found before the first."""
    generator = stmt.generator
    where, source = generator.where, generator.source
    if stmt.key is not None or where is None or isinstance(generator.variable_type, t.SetType):
        return generator
    noticed = low.changes.made_true_by(where) | low.changes.made_true_by(where, wanted=False)
    set_again = {one.name for part in stmt.body for one in walk(part) if isinstance(one, core.Let)}
    if not noticed & low.changes.made_by(stmt.body) and not set_again & free_locals(where).keys():
        return generator
    item = core.Local(generator.variable_type, stmt.span, generator.variable)
    kind: Literal["set", "row"] = "set" if isinstance(source.type, t.SetType) else "row"
    found = core.Fold(source.type, source.span, kind, (generator,), item, None, None)
    return replace(generator, source=found, where=None)


def _unrolled(low: Lowering, frame: Frame, env: Env, stmt: core.ForEach) -> list[flat.Stmt] | None:
    """A short body for each of a few known entities, written out."""
    generator = stmt.generator
    if not low.does("unrolled") or not isinstance(generator.source, core.AllOf):
        return None
    if generator.where is not None:
        return None
    members = sets.lower_set(low, env, generator.source)
    simple = all(isinstance(inner, (core.Luck, core.SetField)) for inner in stmt.body)
    if not isinstance(members, flat.Bits) or not simple or len(stmt.body) > 3:
        return None
    if not 0 < members.value.bit_count() <= queries.UNROLLED:
        return None
    stmts: list[flat.Stmt] = []
    for member in range(members.bits):
        if members.value >> member & 1:
            inner_env = env.bind(generator.variable, build.num(member))
            stmts += _with_own_names(low, lower_block(low, frame, inner_env, stmt.body))
    return stmts


def _with_own_names(low: Lowering, body: flat.Body) -> flat.Body:
    """A body whose locals are its own: what is noted in one of them is not lost to the next."""
    names = {name: low.temp(name) for name in set_names(all_nodes(body))}
    renaming: flat.Body = rebuild(body, lambda node: renamed(node, names, {}))
    return renaming


_QUIET = (core.Let, core.SetField, core.MoveUnits, core.If)


def _acts(block: core.Block) -> bool:
    return any(
        core.is_stmt(node) and not isinstance(node, _QUIET) for stmt in block for node in walk(stmt)
    )


def _walk(low: Lowering, frame: Frame, env: Env, stmt: core.ForEach) -> list[flat.Stmt] | None:
    source = stmt.generator.source
    if (
        not isinstance(source, core.Builtin)
        or source.name != "path"
        or stmt.generator.where is not None
    ):
        return None
    if (
        len(stmt.body) != 1
        or not isinstance(stmt.body[0], core.Call)
        or stmt.body[0].result is not None
    ):
        return None
    call = stmt.body[0]
    at = [
        index
        for index, arg in enumerate(call.args)
        if isinstance(arg, core.Local) and arg.name == stmt.generator.variable
    ]
    if len(at) != 1 or not isinstance(source.args[0], core.AllOf):
        return None
    stops = low.active_at(call.routine, at[0])
    if stops is None:
        return None
    kind = source.args[0].kind
    stops &= frozenset(low.program.kinds[kind].members)
    name = low.temp(f"v_{stmt.generator.variable}")
    stop = build.num(min(stops)) if len(stops) == 1 else flat.Var(name)
    inner = env.bind(stmt.generator.variable, stop)
    body = list(lower_block(low, frame, inner, stmt.body)) if stops else []
    if not body:
        return []
    start, end = lower(low, env, source.args[1]), lower(low, env, source.args[2])
    return ordered.walk_ring(low, kind, stops, start, end, name, body)


def _repeat(low: Lowering, frame: Frame, env: Env, loop: core.Repeat) -> list[flat.Stmt]:
    """A loop of one round or more; what every loop has is not taken from the budget."""
    stmts: list[flat.Stmt] = []
    inner = env
    for stmt in loop.body:
        more, inner = lower_statement(low, frame, inner, stmt)
        stmts += [*low.tracer.step(frame, stmt), *more]
    stmts.append(flat.If(lower(low, inner, loop.until), (flat.Break(),)))
    return [flat.While(build.YES, (*stmts, *low.tracer.step(frame, loop), *spend_fuel(low)))]


def spend_fuel(low: Lowering) -> flat.Body:
    """One step of the budget that no rule can reach."""
    fuel = flat.Scalar("fuel")
    words = faults.endless_rule(low.program.act_limit)
    return (
        flat.SetScalar("fuel", build.binary("-", fuel, build.num(1))),
        flat.If(flat.Bin("<", fuel, build.num(0)), low.fault(words)),
    )


def _end(low: Lowering, frame: Frame, label: str) -> list[flat.Stmt]:
    code = low.label(label)
    if code == GAME_OVER:
        return low.game_over(frame.rule)
    leave: flat.Stmt = flat.Exit(build.num(code))
    if not frame.is_watch:
        return [leave]
    number = list(low.program.phases).index(label)
    is_on = build.equal(flat.Scalar("phase"), build.num(number))
    return [flat.If(build.both(flat.Scalar("in_phase"), is_on), (leave,))]


def _reveal(low: Lowering, env: Env, stmt: core.Reveal) -> list[flat.Stmt]:
    name = low.numbers.knowledge[stmt.column]
    everyone = (1 << low.program.players) - 1
    subject = lower(low, env, stmt.subject)
    seats = (
        build.num(everyone)
        if stmt.to is None
        else build.binary("<<", build.num(1), lower(low, env, stmt.to))
    )
    knows = build.binary("|", flat.Cell(name, subject), seats)
    return [flat.SetCell(name, subject, knows), flat.WriteMarker(stmt.column, None)]


def _traced(low: Lowering, env: Env, stmt: core.Stmt, stmts: list[flat.Stmt]) -> list[flat.Stmt]:
    """What was meant is traced before it is done: its expressions then still say it."""
    return [*low.tracer.statement(env, stmt), *stmts]


def _say(low: Lowering, env: Env, stmt: core.Say) -> list[flat.Stmt]:
    return low.tracer.statement(env, stmt)
