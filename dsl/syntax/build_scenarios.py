"""Scenarios and the sentences used in them, from the parts of their rules."""

from __future__ import annotations

from typing import cast

from dsl.records import record
from dsl.source import Span
from dsl.syntax import nodes
from dsl.syntax.build_base import Broken, Parts
from dsl.syntax.build_statements import StatementBuilder
from dsl.syntax.layout import Token


@record
class _Seats:
    span: Span
    names: tuple[nodes.Name, ...]


@record
class _Mods:
    span: Span
    names: tuple[nodes.Name, ...]


@record
class _Given:
    span: Span
    block: nodes.Block


class ScenarioBuilder(StatementBuilder):
    """One method per rule of the grammar's scenario part, named after it."""

    def build_saying(self, span: Span, parts: Parts) -> nodes.Saying:
        subject, verb, object_, *preps, body = parts
        return nodes.Saying(
            span, self.doc(span.start), subject, self.name(verb), object_, tuple(preps), body
        )

    def build_scenario(self, span: Span, parts: Parts) -> nodes.Scenario:
        title: Token = parts[0]
        lines = parts[1:]
        self._check_order(title, lines)
        given = [stmt for line in lines if isinstance(line, _Given) for stmt in line.block]
        return nodes.Scenario(
            span,
            self.doc(span.start),
            title.text[1:-1],
            tuple(name for line in lines if isinstance(line, _Seats) for name in line.names),
            tuple(name for line in lines if isinstance(line, _Mods) for name in line.names),
            tuple(line for line in lines if isinstance(line, nodes.SetSwitch)),
            tuple(given),
            tuple(line for line in lines if isinstance(line, nodes.Step)),
        )

    def _check_order(self, title: Token, lines: Parts) -> None:
        """Settings, then `given` lines, then rounds of `when` lines, each with one `then`."""
        stage = 0
        last: nodes.Step | None = None
        is_whole = not any(isinstance(line, Broken) for line in lines)
        for line in lines:
            if isinstance(line, Broken):
                continue
            here = 2 if isinstance(line, nodes.Step) else 1 if isinstance(line, _Given) else 0
            if here < stage:
                self._misplaced_line(line.span)
            stage = max(stage, here)
            if isinstance(line, nodes.Step):
                is_then = line.command is None
                if is_then and is_whole and (last is None or last.command is None):
                    self._step(self.first_word(line.span), "nothing happens before this `then`")
                last = line
        if not is_whole:
            return
        if last is None:
            self._step(self.place(title), "in this scenario nothing happens")
        elif last.command is not None:
            self._step(last.command.span, "nothing is expected after this")

    def _misplaced_line(self, span: Span) -> None:
        span = self.first_word(span)
        self.remark(
            "RW0214",
            span,
            f"`{span.text}` comes too late in the scenario",
            "the order is: `seats`, `with` and `set` lines, `given` lines, then `when` and `then`",
        )

    def _step(self, span: Span, message: str) -> None:
        self.remark(
            "RW0214", span, message, "a scenario has `when` lines and, after them, a `then` block"
        )

    def build_seats(self, span: Span, parts: Parts) -> _Seats:
        return _Seats(span, self.names(parts))

    def build_with_mods(self, span: Span, parts: Parts) -> _Mods:
        return _Mods(span, self.names(parts))

    def build_given(self, span: Span, parts: Parts) -> _Given:
        part: nodes.Stmt | nodes.Block = parts[0]
        return _Given(span, part if isinstance(part, tuple) else (part,))

    def build_doing(self, span: Span, parts: Parts) -> nodes.Step:
        said = tuple(part for part in parts[1:] if not isinstance(part, Broken))
        return nodes.Step(span, parts[0], said, ())

    def build_who(self, span: Span, parts: Parts) -> nodes.Name:
        return self.name(parts[0])

    def build_said_line(self, span: Span, parts: Parts) -> nodes.SaidLine:
        return nodes.SaidLine(span, parts[0], tuple(parts[1:]))

    def build_said_pass(self, span: Span, parts: Parts) -> None:
        return None

    def build_then(self, span: Span, parts: Parts) -> nodes.Step:
        expected = tuple(
            nodes.ErrorStmt(part.span) if isinstance(part, Broken) else part for part in parts
        )
        return nodes.Step(span, None, (), cast(nodes.Block, expected))
