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
class _Profile:
    span: Span
    name: nodes.Name


_LINES = nodes.Given | nodes.When | nodes.Then


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
        profiles = [line.name for line in lines if isinstance(line, _Profile)]
        return nodes.Scenario(
            span,
            self.doc(span.start),
            title.text[1:-1],
            tuple(name for line in lines if isinstance(line, _Seats) for name in line.names),
            tuple(name for line in lines if isinstance(line, _Mods) for name in line.names),
            profiles[0] if profiles else None,
            tuple(line for line in lines if isinstance(line, nodes.SetSwitch)),
            tuple(line for line in lines if isinstance(line, _LINES)),
        )

    def _check_order(self, title: Token, lines: Parts) -> None:
        """Settings, then rounds: `given` lines, `when` lines, one `then`."""
        story = [line for line in lines if isinstance(line, _LINES)]
        is_begun = False
        for line in lines:
            is_begun = is_begun or isinstance(line, _LINES)
            if is_begun and not isinstance(line, (Broken, *_LINES.__args__)):
                self._misplaced_line(line.span)
        profiles = [line for line in lines if isinstance(line, _Profile)]
        for profile in profiles[1:]:
            self._step(self.first_word(profile.span), "a game has one profile at most")
        if any(isinstance(line, Broken) for line in lines):
            return
        if not story:
            self._step(self.place(title), "in this scenario nothing is expected")
        elif not isinstance(story[-1], nodes.Then):
            self._step(self.first_word(story[-1].span), "nothing is expected after this")
        self._check_rounds(story)

    def _check_rounds(self, story: list[nodes.Given | nodes.When | nodes.Then]) -> None:
        """What each line may follow; play that waits at a question goes on before all else."""
        waits: nodes.When | None = None
        last: nodes.Given | nodes.When | nodes.Then | None = None
        for line in story:
            word = self.first_word(line.span)
            is_answer = isinstance(line, nodes.When) and line.command is None
            if isinstance(line, nodes.Then):
                if isinstance(last, nodes.Then):
                    self._step(word, "nothing happens before this `then`")
            elif is_answer and waits is None:
                self._step(word, "no play waits at a question here, so there is nothing to answer")
            elif not is_answer and waits is not None and waits.stop is not None:
                self._step(
                    word,
                    f"play waits at `{waits.stop.text}`, and nothing else can happen before it "
                    "goes on",
                )
            if isinstance(line, nodes.When):
                waits = line if line.stop is not None else None
            last = line

    def _misplaced_line(self, span: Span) -> None:
        span = self.first_word(span)
        self.remark(
            "RW0214",
            span,
            f"`{span.text}` comes too late in the scenario",
            "the order is: `seats`, `with`, `profile` and `set` lines; then `given`, `when` and "
            "`then`, as often as wanted",
        )

    def _step(self, span: Span, message: str) -> None:
        self.remark(
            "RW0214",
            span,
            message,
            "a scenario has `given` and `when` lines and, after them, a `then` block; a `when` "
            "with nothing but answers goes on where play was stopped with `up to`",
        )

    def build_seats(self, span: Span, parts: Parts) -> _Seats:
        return _Seats(span, self.names(parts))

    def build_with_mods(self, span: Span, parts: Parts) -> _Mods:
        return _Mods(span, self.names(parts))

    def build_profile(self, span: Span, parts: Parts) -> _Profile:
        return _Profile(span, self.name(parts[0]))

    def build_given(self, span: Span, parts: Parts) -> nodes.Given:
        part: nodes.Stmt | nodes.Block = parts[0]
        return nodes.Given(span, part if isinstance(part, tuple) else (part,))

    def build_when(self, span: Span, parts: Parts) -> nodes.When:
        command, stop, *lines = parts
        said = tuple(line for line in lines if not isinstance(line, Broken))
        return nodes.When(span, command, stop, said)

    def build_when_answered(self, span: Span, parts: Parts) -> nodes.When:
        return self.build_when(span, [None, *parts])

    def build_up_to(self, span: Span, parts: Parts) -> nodes.Name:
        return self.name(parts[0])

    def build_who(self, span: Span, parts: Parts) -> nodes.Name:
        return self.name(parts[0])

    def build_said_line(self, span: Span, parts: Parts) -> nodes.SaidLine:
        return nodes.SaidLine(span, parts[0], tuple(parts[1:]))

    def build_said(self, span: Span, parts: Parts) -> nodes.Said:
        value, question = parts
        return nodes.Said(span, value, None if question is None else self.name(question))

    def build_said_pass(self, span: Span, parts: Parts) -> None:
        return None

    def build_then(self, span: Span, parts: Parts) -> nodes.Then:
        expected = tuple(
            nodes.ErrorStmt(part.span) if isinstance(part, Broken) else part for part in parts
        )
        return nodes.Then(span, cast(nodes.Block, expected))
