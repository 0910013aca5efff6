"""What a traced program says while it runs: marks with the place of the rule, for `why` and for
failing scenarios.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dsl.core import nodes as core
from dsl.core import types as t
from dsl.source import NOWHERE, Span
from interpreter.flat.context.env import Env
from interpreter.flat.context.frames import Frame
from interpreter.flat.context.instruments import Tracer
from interpreter.flat.context.lowering import Lowering
from interpreter.flat.expr import sets
from interpreter.flat.expr.exprs import lower
from interpreter.flat.ir import build
from interpreter.flat.ir import nodes as flat


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


class MarkTracer(Tracer):
    """Marks what happens in the program of a lowering."""

    def __init__(self, low: Lowering) -> None:
        self.low = low

    def statement(self, env: Env, stmt: core.Stmt) -> list[flat.Stmt]:
        """What a statement did."""
        match stmt:
            case core.SetField(column=column, subject=subject, value=value, span=span):
                return self._mark(env, "set", column, span, [("of", subject), ("to", value)])
            case core.MoveUnits():
                purses = f"{stmt.from_column} {stmt.to_column}"
                ends = [
                    ("amount", stmt.amount),
                    ("from", stmt.from_subject),
                    ("to", stmt.to_subject),
                ]
                return self._mark(env, "move", purses, stmt.span, ends)
            case core.MoveThings(things=things, zone=zone, holder=holder, span=span):
                return self._mark(env, "put", zone, span, [("things", things), ("to", holder)])
            case core.Luck(name=name, type=type_, span=span, stream=stream):
                return self._mark(
                    env, "luck", stream, span, [(name, core.Local(type_, span, name))]
                )
            case core.Say():
                return self._say(env, stmt)
            case _:
                return []

    def _say(self, env: Env, say: core.Say) -> list[flat.Stmt]:
        """A line of the log, or the sentence of a block."""
        if say.form != "line" and not self.low.options.tells:
            return []
        kind = {"line": "say", "sentence": "says", "nothing": "hush"}[say.form]
        values = _parts_of(say.text)
        if say.to is not None:
            values.append(("to", say.to))
        if say.otherwise is None:
            return self._mark(env, kind, say.text.key, say.span, values)
        other = say.otherwise.key, len(values)
        values += _parts_of(say.otherwise)
        return self._mark(env, kind, say.text.key, say.span, values, other)

    def event(self, env: Env, routine: core.Routine) -> list[flat.Stmt]:
        """That a routine or event happens, in its own words where it has any."""
        if not self.low.options.tells:
            return []
        if routine.says is not None:
            return self._say(env, routine.says)
        if not routine.is_event:
            return []
        shown = [(name, core.Local(type_, routine.span, name)) for name, type_ in routine.params]
        return self._mark(env, "event", routine.name, routine.span, shown)

    def within(self, what: str, stmts: Sequence[flat.Stmt]) -> list[flat.Stmt]:
        """Statements, between marks that say of what they are a part."""
        if not self.low.options.tells:
            return list(stmts)
        enter = self._mark(Env(), "enter", what, NOWHERE, [])
        return [*enter, *stmts, *self._mark(Env(), "leave", what, NOWHERE, [])]

    def step(self, frame: Frame, stmt: core.Stmt) -> list[flat.Stmt]:
        """That a statement of a rule is about to run."""
        if not self.low.options.steps:
            return []
        return self._mark(Env(), "step", f"{frame.kind} {frame.rule}", stmt.span, [])

    def fault(self, words: str) -> list[flat.Stmt]:
        """That the game is about to be stopped."""
        return self._mark(Env(), "fault", words, NOWHERE, []) if self.low.options.steps else []

    def rule(self, env: Env, hook: core.Hook) -> list[flat.Stmt]:
        """That a rule fired."""
        shown = [(name, core.Local(type_, hook.span, name)) for name, type_ in hook.params]
        return self._mark(env, "rule", hook.rule, hook.span, shown)

    def watch(self, watch: core.Watch) -> list[flat.Stmt]:
        """That a watch fired."""
        return self._mark(Env(), "watch", watch.rule, watch.span, [])

    def option(self, env: Env, option: core.Option) -> list[flat.Stmt]:
        """That an option was taken, unless it says so itself."""
        if self.low.options.tells and _has_sentence(option.body):
            return []
        shown: list[tuple[str, core.Expr | None]] = [
            (name, core.Local(type_, option.span, name)) for name, type_ in option.params
        ]
        shown += [
            (item.name, core.Local(item.type, option.span, item.name))
            for item in option.head
            if isinstance(item, core.HeadPick)
        ]
        return self._mark(env, "option", option.name, option.span, shown)

    def answer(self, env: Env, stmt: core.AskAbout, answer: core.Answer) -> list[flat.Stmt]:
        """That an answer was given, unless it says so itself."""
        if self.low.options.tells and _has_sentence(answer.body):
            return []
        what = f"{self.low.program.sites[stmt.site].question}.{answer.name}"
        return self._mark(env, "answer", what, answer.span, [("by", stmt.asked)])

    def pick(self, env: Env, stmt: core.Ask) -> list[flat.Stmt]:
        """What was picked, unless there is a sentence of it."""
        if self.low.options.tells and _has_sentence(stmt.body):
            return []
        local = core.Local(stmt.pick.type, stmt.span, stmt.pick.name)
        asked: list[tuple[str, core.Expr | None]] = (
            [("by", stmt.asked)] if self.low.options.tells else []
        )
        return self._mark(
            env,
            "pick",
            self.low.program.sites[stmt.site].question,
            stmt.span,
            [*asked, (stmt.pick.name, local)],
        )

    def _mark(
        self,
        env: Env,
        kind: str,
        what: str,
        span: Span,
        shown: Sequence[tuple[str, core.Expr | None]],
        otherwise: tuple[str, int] | None = None,
    ) -> list[flat.Stmt]:
        parts: list[tuple[str, t.Type | None]] = []
        values: list[flat.Expr] = []
        before: list[flat.Stmt] = []
        for label, expr in shown:
            if isinstance(expr, core.PrintedOn):
                label, expr = "printed", expr.thing
            type_ = None if expr is None else expr.type
            if isinstance(type_, t.SeqType) and not isinstance(type_.element, t.RefType):
                if not self.low.options.tells:
                    continue
                assert expr is not None
                local = self.low.temp("row")
                lets, inner = self.low.let(env, local, expr)
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
                values.append(sets.lower_set(self.low, env, expr))
            else:
                values.append(lower(self.low, env, expr))
        self.low.out.marks.append(Mark(kind, what, span, tuple(parts), otherwise))
        return [*before, flat.Trace(len(self.low.out.marks) - 1, tuple(values))]


def _parts_of(text: core.TextOf) -> list[tuple[str, core.Expr | None]]:
    found: list[tuple[str, core.Expr | None]] = []
    for number, part in enumerate(text.parts):
        if isinstance(part, core.Together):
            found += [(f"together {number}", item) for item in part.items]
        else:
            found.append((part, None) if isinstance(part, str) else ("", part))
    return found


def _has_sentence(block: core.Block) -> bool:
    return bool(block) and isinstance(block[0], core.Say) and block[0].form != "line"
