"""What a traced program says while it runs: marks with the place of the rule, for `why` and for
failing scenarios.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dsl.core import nodes as core
from dsl.core import types as t
from dsl.source import NOWHERE, Span
from interpreter.flat import build, sets
from interpreter.flat import nodes as flat
from interpreter.flat.context import Env, Lowering
from interpreter.flat.exprs import lower
from interpreter.flat.frames import Frame


@dataclass(frozen=True, slots=True)
class Mark:
    """One kind of thing that can happen at one place.

    `kind`: rule, option, watch, set, move, put, luck, say, says, hush, event, answer, pick, enter,
    leave, step, fault. `what`: the name of the rule, field or zone, a message key, what is entered
    or left, the rule in which a step stands, the words of a fault. `parts`: label and core type of
    the values traced with it. In a text, literal parts have type None, `to` is who alone reads it,
    of what is `printed` the text on it is shown, and neighbours that are `together` with one number
    fill one hole. `otherwise`: of a sentence, the key of what those read who can't see all of it,
    and the first of `parts` that belongs to that.
    """

    kind: str
    what: str
    span: Span
    parts: tuple[tuple[str, t.Type | None], ...]
    otherwise: tuple[str, int] | None = None


def trace(low: Lowering, env: Env, stmt: core.Stmt) -> list[flat.Stmt]:
    """What a statement did."""
    if not low.options.trace:
        return []
    match stmt:
        case core.SetField(column=column, subject=subject, value=value, span=span):
            return _mark(low, env, "set", column, span, [("of", subject), ("to", value)])
        case core.MoveUnits():
            purses = f"{stmt.from_column} {stmt.to_column}"
            ends = [("amount", stmt.amount), ("from", stmt.from_subject), ("to", stmt.to_subject)]
            return _mark(low, env, "move", purses, stmt.span, ends)
        case core.MoveThings(things=things, zone=zone, holder=holder, span=span):
            return _mark(low, env, "put", zone, span, [("things", things), ("to", holder)])
        case core.Luck(name=name, type=type_, span=span, stream=stream):
            return _mark(low, env, "luck", stream, span, [(name, core.Local(type_, span, name))])
        case core.Say():
            return trace_say(low, env, stmt)
        case _:
            return []


def trace_say(low: Lowering, env: Env, say: core.Say) -> list[flat.Stmt]:
    """A line of the log, or the sentence of a block."""
    if say.form != "line" and not low.options.tells:
        return []
    kind = {"line": "say", "sentence": "says", "nothing": "hush"}[say.form]
    values = _parts_of(say.text)
    if say.to is not None:
        values.append(("to", say.to))
    if say.otherwise is None:
        return _mark(low, env, kind, say.text.key, say.span, values)
    other = say.otherwise.key, len(values)
    values += _parts_of(say.otherwise)
    return _mark(low, env, kind, say.text.key, say.span, values, other)


def _parts_of(text: core.TextOf) -> list[tuple[str, core.Expr | None]]:
    found: list[tuple[str, core.Expr | None]] = []
    for number, part in enumerate(text.parts):
        if isinstance(part, core.Together):
            found += [(f"together {number}", item) for item in part.items]
        else:
            found.append((part, None) if isinstance(part, str) else ("", part))
    return found


def trace_event(low: Lowering, env: Env, routine: core.Routine) -> list[flat.Stmt]:
    """That a routine or event happens, in its own words where it has any."""
    if not low.options.tells:
        return []
    if routine.says is not None:
        return trace_say(low, env, routine.says)
    if not routine.is_event:
        return []
    shown = [(name, core.Local(type_, routine.span, name)) for name, type_ in routine.params]
    return _mark(low, env, "event", routine.name, routine.span, shown)


def within(low: Lowering, what: str, stmts: Sequence[flat.Stmt]) -> list[flat.Stmt]:
    """Statements, between marks that say of what they are a part."""
    if not low.options.tells:
        return list(stmts)
    enter = _mark(low, Env(), "enter", what, NOWHERE, [])
    return [*enter, *stmts, *_mark(low, Env(), "leave", what, NOWHERE, [])]


def trace_step(low: Lowering, frame: Frame, stmt: core.Stmt) -> list[flat.Stmt]:
    """That a statement of a rule is about to run."""
    if not low.options.steps:
        return []
    return _mark(low, Env(), "step", f"{frame.kind} {frame.rule}", stmt.span, [])


def trace_fault(low: Lowering, words: str) -> list[flat.Stmt]:
    """That the game is about to be stopped."""
    return _mark(low, Env(), "fault", words, NOWHERE, []) if low.options.steps else []


def trace_rule(low: Lowering, env: Env, hook: core.Hook) -> list[flat.Stmt]:
    """That a rule fired."""
    shown = [(name, core.Local(type_, hook.span, name)) for name, type_ in hook.params]
    return _mark(low, env, "rule", hook.rule, hook.span, shown)


def trace_watch(low: Lowering, watch: core.Watch) -> list[flat.Stmt]:
    """That a watch fired."""
    return _mark(low, Env(), "watch", watch.rule, watch.span, [])


def trace_option(low: Lowering, env: Env, option: core.Option) -> list[flat.Stmt]:
    """That an option was taken, unless it says so itself."""
    if low.options.tells and _has_sentence(option.body):
        return []
    shown: list[tuple[str, core.Expr | None]] = [
        (name, core.Local(type_, option.span, name)) for name, type_ in option.params
    ]
    shown += [
        (item.name, core.Local(item.type, option.span, item.name))
        for item in option.head
        if isinstance(item, core.HeadPick)
    ]
    return _mark(low, env, "option", option.name, option.span, shown)


def trace_answer(
    low: Lowering, env: Env, stmt: core.AskAbout, answer: core.Answer
) -> list[flat.Stmt]:
    """That an answer was given, unless it says so itself."""
    if low.options.tells and _has_sentence(answer.body):
        return []
    what = f"{low.program.sites[stmt.site].question}.{answer.name}"
    return _mark(low, env, "answer", what, answer.span, [("by", stmt.asked)])


def trace_pick(low: Lowering, env: Env, stmt: core.Ask) -> list[flat.Stmt]:
    """What was picked, unless there is a sentence of it."""
    if low.options.tells and _has_sentence(stmt.body):
        return []
    local = core.Local(stmt.pick.type, stmt.span, stmt.pick.name)
    asked: list[tuple[str, core.Expr | None]] = [("by", stmt.asked)] if low.options.tells else []
    return _mark(
        low,
        env,
        "pick",
        low.program.sites[stmt.site].question,
        stmt.span,
        [*asked, (stmt.pick.name, local)],
    )


def _has_sentence(block: core.Block) -> bool:
    return bool(block) and isinstance(block[0], core.Say) and block[0].form != "line"


def _mark(
    low: Lowering,
    env: Env,
    kind: str,
    what: str,
    span: Span,
    shown: Sequence[tuple[str, core.Expr | None]],
    otherwise: tuple[str, int] | None = None,
) -> list[flat.Stmt]:
    if not low.options.trace:
        return []
    parts: list[tuple[str, t.Type | None]] = []
    values: list[flat.Expr] = []
    before: list[flat.Stmt] = []
    for label, expr in shown:
        if isinstance(expr, core.PrintedOn):
            label, expr = "printed", expr.thing
        type_ = None if expr is None else expr.type
        if isinstance(type_, t.SeqType) and not isinstance(type_.element, t.RefType):
            if not low.options.tells:
                continue
            assert expr is not None
            local = low.temp("row")
            lets, inner = low.let(env, local, expr)
            before += lets
            parts.append((label, type_))
            values.append(inner.names[local])
            continue
        if isinstance(type_, t.SeqType) and isinstance(type_.element, t.RefType):
            type_ = t.SetType(type_.element.kind)
        parts.append((label, type_))
        if expr is None:
            values.append(build.num(0))
        elif isinstance(type_, t.SetType):
            values.append(sets.lower_set(low, env, expr))
        else:
            values.append(lower(low, env, expr))
    low.out.marks.append(Mark(kind, what, span, tuple(parts), otherwise))
    return [*before, flat.Trace(len(low.out.marks) - 1, tuple(values))]
