"""Statements: what changes the world, and the order in which it does."""

from __future__ import annotations

from collections.abc import Callable

from dsl.check import (
    build,
    commands,
    fit,
    labels,
    narrowing,
    outcomes,
    owners,
    queries,
    questions,
    ranges,
    texts,
)
from dsl.check.context import Context
from dsl.check.world import ColumnInfo, ZoneInfo
from dsl.core import nodes as core
from dsl.core.types import IntType, MapType, RefType, Type
from dsl.diagnostics import suggest
from dsl.syntax import nodes as syntax


def check_block(ctx: Context, stmts: syntax.Block) -> core.Block:
    """The statements, in a scope of their own."""
    return check_stmts(ctx.child(), stmts)


def check_stmts(ctx: Context, stmts: syntax.Block) -> core.Block:
    """The statements, one after the other, in the scope of `ctx`."""
    done: list[core.Stmt] = []
    has_warned = False
    for index, stmt in enumerate(stmts):
        if index and _leaves(ctx, stmts[index - 1]) and not has_warned:
            has_warned = True
            ctx.bag.warning("RW0708", stmt.span, "this line is never reached")
        is_dead = build.leaves(done)  # perhaps only since a switch is set so
        if isinstance(stmt, syntax.Ask) and stmt.body is None:
            last = questions.ask_until_end(ctx, stmt, stmts[index + 1 :])
            return tuple(done) if is_dead else (*done, *last)
        found = check_stmt(ctx, stmt)
        if not is_dead:
            done += found
    return tuple(done)


def _leaves(ctx: Context, stmt: syntax.Stmt) -> bool:
    """Whether no line behind it is reached, however switches are set."""
    if isinstance(stmt, syntax.AsUsual):
        return ctx.place.gives is not None
    return isinstance(stmt, syntax.Return | syntax.End | syntax.NextPhase)


def check_stmt(ctx: Context, stmt: syntax.Stmt) -> list[core.Stmt]:
    """One statement, with what has to be made for it first."""
    function = _FUNCTIONS.get(type(stmt))
    if function is None:
        return []
    ctx.prelude = []
    found = function(ctx, stmt)
    made, ctx.prelude = ctx.prelude, None
    return [*made, *found]


def _forget(ctx: Context, stmt: object) -> None:
    """Drop what may no longer hold after a statement."""
    ctx.scope.forget(ctx.effects.of(stmt))
    for name in ctx.effects.sets(stmt):
        info = ctx.scope.names.get(name)
        if info is not None:
            ctx.scope.forget_local(info.name)


# ---------------------------------------------------------------- locals and fields


def _let(ctx: Context, stmt: syntax.Let) -> core.Block:
    value = ctx.infer(stmt.value)
    if isinstance(stmt.value, syntax.New):
        _forget(ctx, stmt)
    type_ = widened(ctx, value.type) if stmt.name.text in ctx.place.assigned else value.type
    info = ctx.declare(stmt.name, type_)
    local = core.Local(type_, stmt.name.span, info.name)
    if not fit.is_poison(type_) and fit.opened(value.type) == fit.opened(type_) != type_:
        ctx.scope.facts |= narrowing.narrow(local, value.type, ctx.effects)
    return (core.Let(stmt.span, info.name, value, fresh=True),)


def widened(ctx: Context, type_: Type) -> Type:
    """The type of a local that is set again later: numbers may grow, a thing may become another."""
    if isinstance(type_, IntType):
        most = ctx.world.merged.money_limit if type_.unit == fit.MONEY else fit.MOST_MONEY
        low, high = min(type_.low, -most), max(type_.high, most)
        return IntType(low, high, type_.unit, type_.optional)
    if isinstance(type_, RefType) and type_.kind in ctx.world.kinds:
        kind = ctx.world.kinds[type_.kind]
        if kind.is_thing and kind.base is not None:
            return RefType(kind.base, type_.optional)
    return type_


def _assign(ctx: Context, stmt: syntax.Assign) -> core.Block:
    target = stmt.target
    if isinstance(target, syntax.NameExpr):
        return _assign_local(ctx, stmt, target)
    if isinstance(target, syntax.Index):
        return _assign_entry(ctx, stmt, target)
    if not isinstance(target, syntax.Dot):
        ctx.error("RW0605", target.span, "only a local or a field can be set")
        return ()
    found = _field_target(ctx, target)
    if found is None:
        ctx.infer(stmt.value)
        return ()
    column, subject = found
    value = ctx.value(stmt.value, column.type)
    ranges.check_fits(ctx, column, value, stmt.value)
    _forget(ctx, stmt)
    path = core.Field(column.type, target.span, column.name, subject)
    if fit.is_optional(column.type) and not fit.is_optional(value.type):
        ctx.scope.facts |= narrowing.narrow(path, fit.opened(value.type), ctx.effects)
    return (core.SetField(stmt.span, column.name, subject, None, value),)


def _assign_local(ctx: Context, stmt: syntax.Assign, target: syntax.NameExpr) -> core.Block:
    info = ctx.scope.names.get(target.name)
    if info is None:
        ctx.infer(stmt.value)
        near = suggest(target.name, ctx.scope.names)
        if target.name in ctx.world.switches:
            ctx.error("RW0605", target.span, f"`{target.name}` is a switch: play can't change it")
        else:
            ctx.error(
                "RW0501",
                target.span,
                f"there is no local `{target.name}` to set",
                help=f"did you mean `{near}`?"
                if near
                else f"a new one begins with `let {target.name} = ...`",
            )
        return ()
    value = ctx.value(stmt.value, info.type)
    ctx.scope.forget_local(info.name)
    if fit.is_optional(info.type) and not fit.is_optional(value.type):
        local = core.Local(info.type, target.span, info.name)
        ctx.scope.facts |= narrowing.narrow(local, fit.opened(value.type), ctx.effects)
    return (core.Let(stmt.span, info.name, value, fresh=False),)


def _assign_entry(ctx: Context, stmt: syntax.Assign, target: syntax.Index) -> core.Block:
    found = None
    if isinstance(target.subject, syntax.Dot):
        found = _field_target(ctx, target.subject)
    else:
        ctx.error("RW0605", target.span, "only an entry of a table that is a field can be set")
    if found is None or not isinstance(found[0].type, MapType):
        if found is not None:
            what = fit.describe(found[0].type)
            ctx.error("RW0606", target.subject.span, f"only a table has entries, not {what}")
        ctx.infer(stmt.value)
        return ()
    column, subject = found
    assert isinstance(column.type, MapType)
    key = ctx.value(target.key, column.type.key)
    value = ctx.value(stmt.value, column.type.value)
    ranges.check_fits(ctx, column, value, stmt.value)
    _forget(ctx, stmt)
    return (core.SetField(stmt.span, column.name, subject, key, value),)


def _field_target(ctx: Context, target: syntax.Dot) -> tuple[ColumnInfo, core.Expr] | None:
    """The state field that is set, or None after an error."""
    subject = ctx.entity(target.subject)
    if not isinstance(subject.type, RefType):
        return None
    kind, name = subject.type.kind, target.name.text
    member = ctx.world.member(kind, name)
    if isinstance(member, ColumnInfo) and member.role == "state":
        owners.check_owner(ctx, member, target)
        return member, subject
    if member is None:
        if ctx.world.define(kind, name) is not None:
            ctx.error(
                "RW0605",
                target.span,
                f"`{name}` is worked out by a `define`; it can't be set",
                help="set what it is worked out from",
            )
        else:
            commands.unknown_member(ctx, kind, target)
        return None
    if isinstance(member, ColumnInfo) and member.role == "data":
        message = f"`{name}` is data: it never changes in play"
        help_ = f"to change it in play, give it a start: `{name}: ... starts ...`"
    elif isinstance(member, ColumnInfo):
        message = f"`{name}` holds {getattr(member.type, 'unit', '')}: it only changes by `move`"
        help_ = "write `move ... from ... to ...`"
    elif isinstance(member, ZoneInfo):
        message = f"`{name}` holds things: it only changes by `move`"
        help_ = f"write `move ... to {target.span.text}`"
    else:
        message = f"`{name}` says where it lies: it only changes by `move`"
        help_ = f"write `move ... to ....{member.zone.field}`"
    ctx.error("RW0605", target.span, message, help=help_)
    return None


# ---------------------------------------------------------------- flow


def _if(ctx: Context, stmt: syntax.If) -> core.Block:
    branches: list[tuple[core.Expr, core.Block]] = []
    here = ctx.child()
    gone: list[object] = []
    left: list[core.Expr] = []
    for condition, body in stmt.branches:
        test = here.flag(condition)
        outcomes.remark_repeated(ctx, test, [earlier for earlier, _ in branches])
        block = here.assuming(test).block(body)
        branches.append((test, block))
        if build.leaves(block):
            left.append(test)
        else:
            gone.append(body)
        here = here.assuming(test, truth=False)
    otherwise = here.block(stmt.otherwise) if stmt.otherwise is not None else ()
    if not build.leaves(otherwise) and stmt.otherwise is not None:
        gone.append(stmt.otherwise)
    _forget(ctx, tuple(gone))
    if len(left) == len(branches):
        for test in left:
            ctx.learn(test, truth=False)
        if stmt.otherwise is not None:
            _forget(ctx, stmt.otherwise)
    elif len(branches) == 1 and stmt.otherwise is not None and build.leaves(otherwise):
        ctx.learn(branches[0][0])
        _forget(ctx, stmt.branches[0][1])
    return build.if_statement(stmt.span, branches, otherwise)


def _for_each(ctx: Context, stmt: syntax.ForEach) -> core.Block:
    _forget(ctx, stmt.body)
    inner, generator = queries.clause(ctx, stmt.clause)
    key = None if stmt.by is None else inner.number(stmt.by)
    body = inner.block(stmt.body)
    return (core.ForEach(stmt.span, generator, key, body),)


def _repeat(ctx: Context, stmt: syntax.Repeat) -> core.Block:
    _forget(ctx, stmt.body)
    inner = ctx.child()
    body = check_stmts(inner, stmt.body)
    until = inner.flag(stmt.until)
    if not build.leaves(body):
        ctx.learn(until)
    return (core.Repeat(stmt.span, body, until),)


def _end(ctx: Context, stmt: syntax.End) -> core.Block:
    label = labels.end_label(ctx, stmt)
    return () if label is None else (core.End(stmt.span, label),)


def _next(ctx: Context, stmt: syntax.NextPhase) -> core.Block:
    if ctx.place.form != "then":
        ctx.error(
            "RW0706",
            stmt.span,
            "`next` can only stand in the `then` block of a phase",
            help="to leave what is running, write `end` and its name",
        )
        return ()
    if stmt.name.text not in ctx.world.phases:
        near = suggest(stmt.name.text, ctx.world.phases)
        ctx.error(
            "RW0509",
            stmt.name.span,
            f"there is no phase `{stmt.name.text}`",
            help=f"did you mean `{near}`?" if near else None,
        )
        return ()
    return (core.NextPhase(stmt.span, stmt.name.text),)


def _return(ctx: Context, stmt: syntax.Return) -> core.Block:
    if ctx.place.gives is None:
        ctx.infer(stmt.value)
        ctx.error(
            "RW0704",
            stmt.span,
            "nothing is given back here",
            help="say what the routine gives: `to find_winner gives Player?`",
        )
        return ()
    return (core.Return(stmt.span, ctx.value(stmt.value, ctx.place.gives)),)


def _as_usual(ctx: Context, stmt: syntax.AsUsual) -> core.Block:
    hooked = ctx.place.hooked
    if hooked is None or ctx.place.form != "instead":
        ctx.error(
            "RW0705",
            stmt.span,
            "`as usual` only means something in an `instead of` rule",
            help="it runs what the rule took the place of",
        )
        return ()
    changed: dict[str, core.Expr] = {}
    params = ctx.place.hook_params
    for arg in stmt.args:
        word = arg.name.text if arg.name is not None else ""
        found = next(((name, type_) for w, name, type_ in params if w == word), None)
        if found is None:
            near = suggest(word, [w for w, _, _ in params])
            ctx.error(
                "RW0611",
                arg.span,
                f"`{hooked.name}` has no `{word}`" if word else "say which one: `with amount: 50`",
                help=f"did you mean `{near}`?" if near else None,
            )
            continue
        changed[found[0]] = ctx.value(arg.value, found[1])
    args = [changed.get(name, core.Local(type_, stmt.span, name)) for _, name, type_ in params]
    _forget(ctx, syntax.Command(stmt.span, syntax.Name(stmt.span, hooked.verb), None, (), ()))
    return (core.AsUsual(stmt.span, tuple(args), ctx.place.gives is not None),)


def _luck(ctx: Context, stmt: syntax.Luck) -> core.Block:
    source = queries.collection(ctx, stmt.source)
    element = fit.element_of(source.type) or fit.POISON
    info = ctx.declare(stmt.name, element)
    weight = None if stmt.weight is None else ctx.child().number(stmt.weight)
    is_quiet = ctx.place.is_library or ctx.place.form in ("saying", "scenario")
    if not (is_quiet or fit.is_poison(element) or queries.is_never_empty(ctx, source)):
        ctx.bag.warning(
            "RW0716",
            stmt.source.span,
            "there may be nothing here to pick from",
            label="in play that ends the game",
            help=f"ask first: `if count({stmt.source.span.text}) > 0`",
        )
    stream = ctx.place.name
    return (core.Luck(stmt.span, info.name, element, source, weight, info.name, stream),)


def _needs(ctx: Context, stmt: syntax.Needs) -> core.Block:
    ctx.error(
        "RW0707",
        stmt.span,
        "`needs` only stands at the head of an option or of an answer",
        help="before anything else happens there; use `if` here",
    )
    ctx.flag(stmt.condition)
    return ()


def _option_line(ctx: Context, stmt: syntax.OptionWhich | syntax.OptionHowMuch) -> core.Block:
    form = "which" if isinstance(stmt, syntax.OptionWhich) else "how much"
    ctx.error(
        "RW0707",
        stmt.span,
        f"a `{form}` line only stands at the head of an option",
        help=f"to ask here, write `ask player {form} ... to ...`",
    )
    if stmt.picked.text not in ctx.scope.names:
        ctx.declare(stmt.picked, fit.POISON)
    return ()


def _expect(ctx: Context, stmt: syntax.Expect) -> core.Block:
    if ctx.place.form not in ("saying", "scenario"):
        ctx.error("RW0709", stmt.span, "`expect` can only stand in a saying or a scenario")
    return (core.Expect(stmt.span, ctx.flag(stmt.condition)),)


def _after(function: Callable[..., core.Block]) -> Callable[..., core.Block]:
    """A statement after which what it may have written is forgotten."""

    def run(ctx: Context, stmt: syntax.Stmt) -> core.Block:
        found = function(ctx, stmt)
        _forget(ctx, stmt)
        return found

    return run


_FUNCTIONS: dict[type[syntax.Stmt], Callable[..., core.Block]] = {
    syntax.Let: _let,
    syntax.Assign: _assign,
    syntax.Command: _after(commands.check_command),
    syntax.Get: _after(commands.check_get),
    syntax.OpenWindow: _after(questions.open_window),
    syntax.If: _if,
    syntax.ForEach: _for_each,
    syntax.Repeat: _repeat,
    syntax.AskAbout: _after(questions.ask_about),
    syntax.Ask: _after(questions.ask),
    syntax.Secretly: _after(questions.secretly),
    syntax.Luck: _luck,
    syntax.Needs: _needs,
    syntax.OptionWhich: _option_line,
    syntax.OptionHowMuch: _option_line,
    syntax.Expect: _expect,
    syntax.End: _end,
    syntax.NextPhase: _next,
    syntax.Return: _return,
    syntax.AsUsual: _as_usual,
    syntax.Says: texts.misplaced,
    syntax.Label: texts.misplaced,
    syntax.Shows: texts.misplaced,
}
