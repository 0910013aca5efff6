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

    `kind`: rule, option, watch, set, move, put, luck, say, answer, pick, step, fault. `what`: the
    name of the rule, field or zone, a message key, the rule in which a step stands, the words of a
    fault. `parts`: label and core type of the values traced with it (for `say`, literal texts have
    type None, and `to` is who alone reads it).
    """

    kind: str
    what: str
    span: Span
    parts: tuple[tuple[str, t.Type | None], ...]


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
        case core.Say(text=text, to=to, span=span):
            values: list[tuple[str, core.Expr | None]] = [
                (part, None) if isinstance(part, str) else ("", part) for part in text.parts
            ]
            if to is not None:
                values.append(("to", to))
            return _mark(low, env, "say", text.key, span, values)
        case _:
            return []


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
    """That an option was taken."""
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
    """That an answer was given."""
    what = f"{low.program.sites[stmt.site].question}.{answer.name}"
    return _mark(low, env, "answer", what, answer.span, [("by", stmt.asked)])


def trace_pick(low: Lowering, env: Env, stmt: core.Ask) -> list[flat.Stmt]:
    """What was picked."""
    local = core.Local(stmt.pick.type, stmt.span, stmt.pick.name)
    return _mark(
        low,
        env,
        "pick",
        low.program.sites[stmt.site].question,
        stmt.span,
        [(stmt.pick.name, local)],
    )


def _mark(
    low: Lowering,
    env: Env,
    kind: str,
    what: str,
    span: Span,
    shown: Sequence[tuple[str, core.Expr | None]],
) -> list[flat.Stmt]:
    if not low.options.trace:
        return []
    parts: list[tuple[str, t.Type | None]] = []
    values: list[flat.Expr] = []
    for label, expr in shown:
        type_ = None if expr is None else expr.type
        if isinstance(type_, t.SeqType):
            if not isinstance(type_.element, t.RefType):
                continue
            type_ = t.SetType(type_.element.kind)
        parts.append((label, type_))
        if expr is None:
            values.append(build.num(0))
        elif isinstance(type_, t.SetType):
            values.append(sets.lower_set(low, env, expr))
        else:
            values.append(lower(low, env, expr))
    low.out.marks.append(Mark(kind, what, span, tuple(parts)))
    return [flat.Trace(len(low.out.marks) - 1, tuple(values))]
